import { describe, expect, it } from 'vitest'
import { workplace } from './testing/run.js'

/**
 * People with fifty marked values, each of them somebody's own, in every place from which a sentence might quote one: names and
 * numbers of persons that the release writes otherwise, rare levels of keys and targets, extremes of numbers, a column whose
 * type differs, free text. Some counts are small on purpose. Nothing publishable may have any of them.
 */
const PEOPLE = 230
const MARKED = 50
const OUTSIDE = 120

const mark = (k: number) => `Qzx${String(k).padStart(2, '0')}Mark`
const MARK = /qzx\s*\d\d\s*mark|73[,.]?19\d[,.]?\d\d\d/i

interface Person {
  readonly name: string
  readonly region: string
  readonly job: string
  readonly income: string
  readonly code: string
  readonly illness: string
  readonly remark: string
}

function person(k: number): Person {
  const isMarked = k < MARKED
  return {
    name: isMarked ? mark(k) : `Person ${k}`,
    region: k % 25 === 3 ? mark(k % MARKED) : ['north', 'south', 'west'][(k * 7) % 3],
    job: ['baker', 'clerk', 'nurse', 'pilot'][(k * k) % 4],
    income: String(isMarked && k % 5 === 0 ? 7_319_000 + k : 1000 + ((k * 37) % 700)),
    code: String(k % 9),
    illness: k === 4 ? mark(k) : ['none', 'flu', 'asthma'][(k * 11 + (k % 7)) % 3],
    remark: isMarked ? `said ${mark(k)}` : 'nothing said',
  }
}

const csv = (people: readonly Person[]) =>
  ['name,region,job,income,code,illness,remark', ...people.map((one) => Object.values(one).join(',')), ''].join('\n')

const everybody = Array.from({ length: PEOPLE }, (_, k) => person(k))
const outside = Array.from({ length: OUTSIDE }, (_, k) => person(k < 7 ? k : 1000 + k))

const FILES = {
  'original.csv': csv(everybody),
  // A copy in which names, regions and illnesses are spelled differently and a column has another type.
  'released.csv': csv(
    everybody.map((one, k) => ({
      ...one,
      name: ` ${one.name.toUpperCase()}`,
      region: one.region.toUpperCase(),
      code: one.code === '0' ? mark(k % MARKED) : one.code,
      illness: one.illness.toUpperCase(),
    })),
  ),
  'other.csv': csv(everybody.map((one, k) => ({ ...everybody[(k * 17 + 5) % PEOPLE], region: one.region }))),
  'holdout.csv': csv(outside),
  'policy.json': JSON.stringify({
    overall: 'LOW',
    threats: { attribute: { level: 'LOW' }, membership: { mustBeTested: true } },
  }),
}

const HOW = '--keys region,job --target illness --holdout holdout.csv --type synthetic --match-levels'

/** A number under fifteen in front of people or records, or of a whole. */
const SMALL_COUNT = /(?<![\d.,–-])(?:[1-9]|1[0-4]) (?:of (?:its |the )?\d\d|people|persons|records|holdout)/

describe('fifty marked values and small counts', () => {
  const at = workplace(FILES)
  const everything = async () => {
    const runs = [
      `assess original.csv released.csv ${HOW} --profile quick --audience publishable --json a.json --html a.html --markdown a.md --charts pictures`,
      `compare original.csv released.csv other.csv ${HOW} --draws 20 --audience publishable --json c.json --html c.html --markdown c.md`,
      `check original.csv released.csv ${HOW} --profile quick --policy policy.json --audience publishable --json g.json --junit g.xml --sarif g.sarif --markdown g.md`,
    ]
    const printed: Record<string, string> = {}
    for (const command of runs) {
      const { code, out, err } = await at.run(command)
      expect([0, 3], `${command}\n${err}`).toContain(code)
      if (command.startsWith('check')) printed['what check prints'] = out
    }
    const written = at.files().filter((name) => /^(a|c|g)\.|\.svg$/.test(name))
    return { ...printed, ...Object.fromEntries(written.map((name) => [name, at.read(name)])) }
  }

  it('are in no publishable output of any command', async () => {
    const outputs = Object.entries(await everything())
    expect(outputs.length).toBeGreaterThan(11)
    const told = outputs.flatMap(([name, text]) => {
      return [MARK, SMALL_COUNT].flatMap((pattern) => {
        const at = text.search(pattern)
        return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 60), at + 60)}`]
      })
    })
    expect(told).toEqual([])
  })
})
