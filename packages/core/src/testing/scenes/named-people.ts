import { type Stream, stream } from '../../random/stream.js'
import { type Cell, type Table, tableOf } from '../../table/table.js'

/** People with names that a few share, numbers that nobody shares, remarks, and ordinary columns. */
export interface NamedPerson {
  readonly [column: string]: Cell
  readonly name: string
  readonly ssn: string
  readonly remark: string
  readonly sex: string
  readonly region: string
  readonly age: number
  readonly income: number
}

const GIVEN = ['Anna', 'Paul', 'Maria', 'John', 'Wei', 'Fatima', 'Björk', 'Olga', 'Tom', 'Sarah', 'Kwame', 'Zoë']
const SYLLABLES = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'wi', 'zo', 'ha', 'je', 'gi']
const WORDS = ['pain', 'since', 'March', 'the', 'left', 'knee', 'reports', 'cough', 'mild', 'after', 'rest', 'daily']

export function namedPeople(rows: number, seed: number): readonly NamedPerson[] {
  const random = stream(seed, 'named people')
  const pick = <Value>(from: readonly Value[]) => from[random.below(from.length)]
  return Array.from({ length: rows }, () => ({
    name: `${pick(GIVEN)} ${familyName(random)}`,
    ssn: `${100 + random.below(800)}-${10 + random.below(90)}-${1000 + random.below(9000)}`,
    remark: Array.from({ length: 9 }, () => pick(WORDS)).join(' '),
    sex: pick(['f', 'm']),
    region: pick(['north', 'south', 'east', 'west']),
    age: 20 + random.below(60),
    income: 1000 + 10 * random.below(400),
  }))
}

function familyName(random: Stream): string {
  const name = [0, 1, 2].map(() => SYLLABLES[random.below(SYLLABLES.length)]).join('')
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

export function tableOfPeople(
  name: string,
  people: readonly Readonly<Record<string, Cell>>[],
  columns: readonly string[],
): Table {
  return tableOf(name, Object.fromEntries(columns.map((column) => [column, people.map((person) => person[column])])))
}
