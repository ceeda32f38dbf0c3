import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disco } from '../../peers/risk/attribution/disco.js'
import { weap } from '../../peers/risk/attribution/weap.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { example } from '../../testing/scenes/example.js'

type Options = Parameters<typeof weap>[1]
const riskutility = { definition: 'riskutility' } as const

async function run(of: Parameters<typeof weap>[0], options: Options = {}) {
  const result = await weap(of, options, { records: true })
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details, original: result.original }
}

const rounded = (values: readonly number[], digits = 6) => values.map((value) => Number(value.toFixed(digits)))

describe('the worked example', () => {
  it('mean, share with WEAP 1 and their exact chance levels', async () => {
    const { value, details: d, original, controls } = await run(example())
    expect(rounded([value ?? 0, d.disclosiveShare])).toEqual([0.833333, 0.666667])
    expect(rounded([d.chance.mean, d.chance.disclosiveShare], 7)).toEqual([0.8181818, 0.6363636])
    expect(controls?.nothing?.value).toBe(d.chance.mean)
    // The same figure of the original is CAPd, its share with WEAP 1 is Dorig.
    expect(rounded([original?.details?.mean ?? 0, original?.details?.disclosiveShare ?? 0])).toEqual([0.791667, 0.5625])
  })

  it('as riskutility computes it', async () => {
    const { value, details: d, warnings } = await run(example(), riskutility)
    expect(rounded([value ?? 0, d.disclosiveShare])).toEqual([0.818182, 0.636364])
    expect([d.disclosive, d.dropped]).toEqual([7, 1])
    expect(warnings.join()).toContain('63.6 % of records have WEAP 1 (riskutility warns above 10 %)')
  })
})

it('two classes with two of three alike: 5/9, none disclosive', async () => {
  const one = tableOf('o', {
    age: ['young', 'young', 'young', 'old', 'old', 'old'],
    sex: ['M', 'M', 'M', 'F', 'F', 'F'],
    t: ['low', 'high', 'low', 'low', 'high', 'low'],
  })
  const of = release({ original: one, released: one, keys: ['age', 'sex'], target: 't' })
  const { value, details: d, records } = await run(of, riskutility)
  expect(Array.from(records?.weap ?? [])).toEqual([2 / 3, 1 / 3, 2 / 3, 2 / 3, 1 / 3, 2 / 3])
  expect(value).toBeCloseTo(5 / 9, 12)
  expect([d.classes.count, d.disclosive, d.classes.disclosive]).toEqual([2, 0, 0])
})

it('numbers in keys are not padded and separators merge nothing', async () => {
  const one = tableOf('o', { n: [9, 10, 9], m: ['M', 'M', 'M'], a: ['x|y', 'x', 'x|y'], t: ['p', 'q', 'p'] })
  const { details: d } = await run(release({ original: one, released: one, keys: ['n', 'm', 'a'], target: 't' }))
  expect([d.classes.count, d.classes.singletons, d.mean]).toEqual([2, 1, 1])
})

it('a single record has WEAP 1, which is what chance gives', async () => {
  const one = tableOf('o', { k: ['a'], t: ['x'] })
  const { details: d } = await run(release({ original: one, released: one, keys: ['k'], target: 't' }))
  expect([d.mean, d.chance.mean, d.chance.normalisedExcess, d.sd]).toEqual([1, 1, null, null])
})

it('groups a numeric target as the other measures do, so that the family agrees on the same data', async () => {
  const n = 200
  const one = tableOf('o', {
    k: Array.from({ length: n }, (_, i) => `c${i % 4}`),
    t: Array.from({ length: n }, (_, i) => (i * 7919) % 1009),
  })
  const of = release({ original: one, released: one, keys: ['k'], target: 't' })
  const grouped = await run(of)
  expect(grouped.details.targetGrouping).toBe('quantile 10')
  expect((await disco(of)).releases[0].details?.targetGrouping).toBe('quantile 10')
  expect((await run(of, riskutility)).details.targetGrouping).toBe('none')
})

const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y')), {
  minLength: 1,
  maxLength: 12,
})

it('never falls when a key is added, and is at least the sum of squared target shares', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (s) => {
      const one = tableOfRows('s', ['k1', 'k2', 't'], s)
      const mean = async (keys: string[]) =>
        (await run(release({ original: one, released: one, keys, target: 't' }))).details.mean
      const [few, more] = [await mean(['k1']), await mean(['k1', 'k2'])]
      expect(more).toBeGreaterThanOrEqual(few - 1e-12)
      const shares = ['x', 'y'].map((t) => s.filter((row) => row[2] === t).length / s.length)
      expect(few).toBeGreaterThanOrEqual(shares.reduce((sum, share) => sum + share ** 2, 0) - 1e-12)
    }),
    { numRuns: 50 },
  )
})

it('its chance levels are the means over all permutations of the targets', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 'z')), { minLength: 2, maxLength: 5 }),
      async (s) => {
        const of = (targets: readonly string[]) => {
          const one = tableOfRows(
            's',
            ['k', 't'],
            s.map(([key], row) => [key, targets[row]]),
          )
          return release({ original: one, released: one, keys: ['k'], target: 't' })
        }
        const targets = s.map(([, target]) => target)
        const { chance } = (await run(of(targets))).details
        const all = await Promise.all(permutations(targets).map(async (order) => (await run(of(order))).details))
        const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
        expect(chance.mean).toBeCloseTo(average(all.map((d) => d.mean)), 10)
        expect(chance.disclosiveShare).toBeCloseTo(average(all.map((d) => d.disclosiveShare)), 10)
      },
    ),
    { numRuns: 20 },
  )
})

describe.skipIf(reference() === undefined)('the running example of the riskutility vignette', async () => {
  if (reference() === undefined) return
  const table = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const [original, released] = await Promise.all([table('original'), table('synthetic')])
  const given = { original, released, keys: ['age', 'sex', 'education', 'region'], target: 'income' }

  it('ungrouped: 0.86 and 73.2 % of independent data', async () => {
    const { value, details: d } = await run(release(given), riskutility)
    expect(value).toBeCloseTo(0.86, 12)
    expect([d.disclosive, d.disclosiveShare, d.classes.count]).toEqual([366, 0.732, 430])
  })

  it('grouped: no more than chance', async () => {
    const of = release({ ...given, groups: { income: { style: 'riskutility', n: 10 } } })
    const { details: d } = await run(of)
    expect(rounded([d.mean, d.chance.mean])).toEqual([0.870333, 0.87382])
    expect([d.disclosive, Number((100 * d.chance.disclosiveShare).toFixed(4))]).toEqual([374, 75.5536])
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, k) =>
    permutations([...items.slice(0, k), ...items.slice(k + 1)]).map((rest) => [item, ...rest]),
  )
}
