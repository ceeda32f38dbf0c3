import { readTable } from '../../files/read.js'
import { stream } from '../../random/stream.js'
import type { Table } from '../../table/table.js'

/**
 * A file of 300 people with one column for each kind of direct identifier, and innocent columns beside them. The column is
 * called by the kind only where its values could be anything; all others have names that say nothing.
 */
interface Planted {
  /** The kind that each planted column is to be found as. */
  readonly kinds: Readonly<Record<string, string>>
  readonly innocent: readonly string[]
  readonly csv: string
}

const PEOPLE = 300
const random = stream(1, 'planted', 0)
const whole = (below: number) => Math.floor(random.uniform() * below)
const pick = <Of>(from: readonly Of[]) => from[whole(from.length)]
const digits = (length: number) => Array.from({ length }, () => whole(10)).join('')
const nonZero = (length: number) => String(1 + whole(9)) + digits(length - 1)
const hex = (length: number) => Array.from({ length }, () => '0123456789abcdef'[whole(16)]).join('')
const letters = (length: number) => Array.from({ length }, () => 'ABCDEFGHJKLMNPRSTUVWXYZ'[whole(23)]).join('')
const two = (number: number) => String(number).padStart(2, '0')

/** The first of the ten last digits that makes Luhn's sum right, found by trying. */
function withLuhn(start: string): string {
  const right = Array.from({ length: 10 }, (_, last) => start + last).find((number) => {
    const doubled = Array.from(number, Number)
      .reverse()
      .map((digit, k) => (k % 2 === 1 ? 2 * digit : digit))
    return (
      doubled
        .join('')
        .split('')
        .reduce((sum, digit) => sum + Number(digit), 0) %
        10 ===
      0
    )
  })
  return right ?? start
}

function iban(): string {
  const account = digits(18)
  const check = 98n - (BigInt(`${account}131400`) % 97n)
  return `DE${two(Number(check))}${account}`
}

function pesel(): string {
  const start = `${two(whole(100))}${two(1 + whole(12))}${two(1 + whole(28))}${digits(4)}`
  const weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]
  const sum = weights.reduce((total, weight, k) => total + weight * Number(start[k]), 0)
  return `${start}${(10 - (sum % 10)) % 10}`
}

const GIVEN = ['Anna', 'Paul', 'Maria', 'John', 'Zdzisława', 'Wei', 'Fatima', 'Björk', 'Olga', 'Tom', 'Sarah', 'Kwame']
const FAMILY = [
  'Novak',
  'García',
  'Smith',
  'Müller',
  'O’Brien',
  'van Dijk',
  'Nowak',
  'Rossi',
  'Kim',
  'Haddad',
  'Larsson',
  'Okafor',
]
const date = () => `${1930 + whole(80)}-${two(1 + whole(12))}-${two(1 + whole(28))}`

const PLANTED: Readonly<Record<string, readonly [kind: string, make: (row: number) => string]>> = {
  v01: ['name', () => `${pick(GIVEN)} ${pick(FAMILY)}`],
  surname: ['name', () => pick([...FAMILY, ...FAMILY.map((name) => `${name}a`)])],
  v03: ['email', (row) => `${pick(GIVEN).toLowerCase()}${row}@example.org`],
  v04: ['phone', () => `+43 ${nonZero(3)} ${digits(7)}`],
  v05: ['iban', iban],
  v06: ['card', () => withLuhn(`4${digits(14)}`)],
  v07: ['national-id', pesel],
  v08: ['national-id', () => `${100 + whole(500)}-${two(1 + whole(98))}-${1000 + whole(9000)}`],
  v09: ['ip', () => `${10 + whole(200)}.${whole(256)}.${whole(256)}.${whole(256)}`],
  v10: ['mac', () => Array.from({ length: 6 }, () => hex(2)).join(':')],
  v11: ['url', (row) => `https://example.org/people/${row}`],
  v12: ['uuid', () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`],
  v13: ['hash', () => `${hex(29)}a1f`],
  date_of_birth: ['birth-date', date],
  v15: ['date', () => `${two(1 + whole(28))}.${two(1 + whole(12))}.${1930 + whole(80)}`],
  v16: ['time', () => `2024-0${1 + whole(9)}-${two(1 + whole(28))}T${two(whole(24))}:${two(whole(60))}:00`],
  latitude: ['coordinates', () => (47 + random.uniform()).toFixed(5)],
  v18: ['coordinate-pair', () => `${(48 + random.uniform()).toFixed(4)}, ${(16 + random.uniform()).toFixed(4)}`],
  v19: [
    'address',
    () => `${pick(['Hauptstraße', 'Lindengasse', 'Am Waldweg'])} ${1 + whole(180)}, ${pick(['Wien', 'Graz'])}`,
  ],
  plz: ['postcode', () => nonZero(5)],
  v21: ['postcode-form', () => `${letters(2)}${1 + whole(9)} ${1 + whole(9)}${letters(2)}`],
  v22: ['vin', () => `W${letters(2)}ZZZ${letters(2)}Z${digits(8)}`],
  license_plate: ['plate', () => `W ${nonZero(5)}${letters(2)}`],
  passport_no: ['document', () => `P${nonZero(7)}`],
  patient_id: ['medical-number', () => nonZero(8)],
  customer_nr: ['account', () => `K-${nonZero(6)}`],
  v27: ['user-name', (row) => `@${pick(GIVEN).toLowerCase()}_${row}`],
  v28: ['imei', () => withLuhn(`35${digits(12)}`)],
  v29: ['file', (row) => `scan_${row}.jpg`],
  v30: [
    'free-text',
    (row) => `I have lived in house ${row} with my ${pick(['wife', 'son', 'dog'])} since ${1950 + whole(70)}`,
  ],
  v31: ['hidden', (row) => (row % 60 === 0 ? `call +43 664 ${1_000_000 + row}` : pick(['none', 'ok', 'later']))],
  v32: ['record-number', (row) => String(row + 1)],
  subject_id: ['person-number', (row) => String(1000 + Math.floor(row / 3))],
  v33: ['record-number', (row) => `AB/${row * 17 + 3}`],
}

/** What must raise no alarm: amounts, measurements, codes, years, places, few dates. */
const INNOCENT: Readonly<Record<string, () => string>> = {
  sex: () => pick(['f', 'm']),
  age: () => String(18 + whole(70)),
  year: () => String(1950 + whole(60)),
  income: () => String(whole(90_000)),
  amount: () => (1000 * random.uniform()).toFixed(2),
  z_score: () => (random.uniform() - 0.5).toFixed(6),
  city: () => pick(['Wien', 'San José', 'New York', 'Sankt Pölten', 'Victoria', 'Charlotte']),
  name_of_drug: () => pick(['Aspirin', 'Ibuprofen', 'Codeine']),
  interview: () => pick(['2024-03-01', '2024-03-02', '2024-03-05']),
  month: () => `${2000 + whole(20)}-${two(1 + whole(12))}-01`,
  icd: () => `F${two(whole(20))}.${whole(4)}`,
  band: () => pick(['1000-1999', '2000-2999', '3000-3999']),
  rating: () => pick(['very satisfied with it all in the end', 'not so satisfied with it all']),
}

const COLUMNS = [
  ...Object.entries(PLANTED).map(([name, [, make]]) => ({ name, make })),
  ...Object.entries(INNOCENT).map(([name, make]) => ({ name, make })),
]
const ROWS = Array.from({ length: PEOPLE }, (_, row) => COLUMNS.map(({ make }) => `"${make(row)}"`).join(','))

export const plantedIdentifiers: Planted = {
  kinds: Object.fromEntries(Object.entries(PLANTED).map(([name, [kind]]) => [name, kind])),
  innocent: Object.keys(INNOCENT),
  csv: `${COLUMNS.map(({ name }) => name).join(',')}\n${ROWS.join('\n')}\n`,
}

export function plantedTable(): Promise<Table> {
  return readTable('planted.csv', new TextEncoder().encode(plantedIdentifiers.csv))
}
