import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { workplace } from './testing/run.js'

type Person = Readonly<Record<string, string | number>>

const SYLLABLES = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'wi', 'zo']

/** Numbers that look random and are the same everywhere. */
function noise(person: number, purpose: number): number {
  return Number.parseInt(createHash('md5').update(`${person} ${purpose}`).digest('hex').slice(0, 8), 16)
}

function person(k: number): Person {
  const syllable = (purpose: number) => SYLLABLES[noise(k, purpose) % SYLLABLES.length]
  const name = `${syllable(1)}${syllable(2)} ${syllable(3)}${syllable(4)}${syllable(5)}r`
  return {
    name: name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    ssn: `${100 + (noise(k, 6) % 800)}-${10 + (noise(k, 7) % 90)}-${1000 + (noise(k, 8) % 9000)}`,
    sex: 'fm'[noise(k, 9) % 2],
    region: ['north', 'south', 'east'][noise(k, 10) % 3],
    age: 20 + (noise(k, 11) % 50),
    income: ['low', 'mid', 'high'][noise(k, 12) % 3],
    hours: noise(k, 13) % 61,
  }
}

const ORDINARY = ['sex', 'region', 'age', 'income', 'hours']
const PEOPLE = Array.from({ length: 200 }, (_, k) => person(k))
const OTHERS = Array.from({ length: 200 }, (_, k) => person(10_000 + k))

function csv(rows: readonly Person[], columns: readonly string[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map((row) => row.join(',')).join('\n')
}

/** Other people's records with something of the person in the same row of the original. */
function files(known: readonly string[], add: (real: Person, other: Person) => Person) {
  const released = OTHERS.map((other, row) => ({ ...other, ...add(PEOPLE[row], other) }))
  return workplace({
    'o.csv': csv(PEOPLE, [...known, ...ORDINARY]),
    'r.csv': csv(released, [...Object.keys(add(PEOPLE[0], OTHERS[0])), ...ORDINARY]),
    'policy.json': JSON.stringify({ overall: 'LOW' }),
  })
}

const ASKED = '--keys sex,region,age --target income --measures attribution,shared-identifiers --type synthetic'
const md5 = (text: unknown) => createHash('md5').update(String(text)).digest('hex')
const digits = (text: unknown) => String(text).replaceAll('-', '')

describe('other people’s records under real names or numbers are HIGH, and the gate holds them', () => {
  it.each([
    ['names', ['name'], ({ name }: Person) => ({ name })],
    ['names in capitals', ['name'], ({ name }: Person) => ({ name: String(name).toUpperCase() })],
    ['names inside a remark', ['name'], ({ name }: Person) => ({ remark: `spoke with ${name} today` })],
    ['numbers', ['ssn'], ({ ssn }: Person) => ({ ssn })],
    ['numbers without dashes', ['ssn'], ({ ssn }: Person) => ({ ssn: digits(ssn) })],
    ['MD5 of numbers', ['ssn'], ({ ssn }: Person) => ({ ssn: md5(ssn) })],
    [
      'MD5 of keys with the target',
      [],
      ({ sex, region, age, income }: Person) => ({ token: md5([sex, region, age, income].join('|')) }),
    ],
  ] as const)('%s', async (_, known, add) => {
    const place = files(known, add)
    const { out } = await place.run(`assess o.csv r.csv ${ASKED}`)
    expect(out).toMatch(/^HIGH: r\.csv$/m)
    // A digest of keys and target is also read, and then tells of people's values.
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /200 of 200 released records carry the .* of somebody in the original|with the digests read/,
    )
    const { code } = await place.run(`check o.csv r.csv --policy policy.json ${ASKED}`)
    expect(code).toBe(3)
  })
})

it.each([
  ['free text', () => ({ remark: 'seen again on a Monday after the long weekend' })],
  ['a digest of something', (_: Person, { ssn }: Person) => ({ token: md5(`salt ${ssn}`) })],
] as const)(
  '%s that nothing explains keeps the gate closed, until somebody says that it is made up',
  async (_, add) => {
    const [column] = Object.keys(add(PEOPLE[0], OTHERS[0]))
    const place = files([], (real, other) => {
      const [[name, text]] = Object.entries(add(real, other))
      return { [name]: name === 'remark' ? `${text} by ${other.ssn}` : text }
    })
    const check = `check o.csv r.csv --policy policy.json ${ASKED}`
    const { out } = await place.run(`assess o.csv r.csv ${ASKED}`)
    expect(out).toMatch(/^INCONCLUSIVE: r\.csv$/m)
    expect((await place.run(check)).code).toBe(3)
    expect((await place.run(`${check} --answer r.csv:${column}=different`)).code).toBe(0)
  },
)

it('the rest of real records under new names is asked about', async () => {
  const place = workplace({
    'o.csv': csv(PEOPLE, ORDINARY),
    'r.csv': csv(
      PEOPLE.map(({ income, hours, ...rest }) => ({ ...rest, v1: income, v2: hours })),
      ['sex', 'region', 'age', 'v1', 'v2'],
    ),
  })
  const { code, err } = await place.run(`assess o.csv r.csv ${ASKED}`)
  expect(code).toBe(2)
  expect(err).toContain('"v1" of r.csv seems to be "income" of o.csv under another name')
  expect((await place.run(`assess o.csv r.csv ${ASKED} --match-levels`)).out).toMatch(/^HIGH: r\.csv$/m)
})

it.each([
  ['names and numbers of other people', ['name', 'ssn'], (_: Person, { name, ssn }: Person) => ({ name, ssn })],
  [
    'a weight and a flag',
    [],
    (_: Person, { ssn }: Person) => ({ w: Number(digits(ssn)) / 1e8, flag: Number(digits(ssn)) % 2 }),
  ],
  ['nothing of the kind', ['name', 'ssn'], () => ({})],
] as const)('%s pass without a question', async (_, known, add) => {
  const place = files(known, add)
  const { code, err } = await place.run(`check o.csv r.csv --policy policy.json ${ASKED}`)
  expect([code, err]).toEqual([0, expect.not.stringContaining('?')])
})
