import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disclosure } from '../../peers/risk/attribution/disclosure.js'
import { disco } from '../../peers/risk/attribution/disco.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'

type Options = Parameters<typeof disco>[1]
const potential = { definition: 'riskutility-potential' } as const
const certain = { definition: 'riskutility-certain' } as const

async function run(of: Parameters<typeof disco>[0], options: Options = {}) {
  const result = await disco(of, options, { records: true })
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const rounded = (values: readonly (number | null | undefined)[], digits = 6) =>
  values.map((value) => (value == null ? null : Number(value.toFixed(digits))))

const letters = (o: [string, string], s: [string, string]) =>
  keyAndTarget({ k: [...o[0]], t: [...o[1]] }, { k: [...s[0]], t: [...s[1]] })

describe('the worked example', () => {
  it('DiSCO with chance, prior knowledge and an interval', async () => {
    const { value, interval, details: d, controls, effect, people } = await run(example())
    expect(value).toBe(0.5)
    expect([d.iS, d.DiS, d.DiSDiO, d.Dorig]).toEqual([0.875, 0.6875, 0.375, 0.5625])
    expect(rounded([d.chance.expected, d.chance.sd, d.chance.excess, d.chance.normalisedExcess], 7)).toEqual([
      0.2869318, 0.1125301, 0.2130682, 0.2988048,
    ])
    expect(rounded([d.baselines?.b1.excess, d.baselines?.b2.excess, d.baselines?.b3.excess], 7)).toEqual([
      0.1583333, 0.0208333, -0.0208333,
    ])
    // Two people are alone with their keys: b,x,Y is claimed rightly (b2 1/3), c,y,N wrongly (b2 1).
    expect(rounded([effect?.value, controls?.fair?.value], 7)).toEqual([-0.0208333, 0.5208333])
    expect(controls).toMatchObject({
      nothing: { value: d.chance.expected, se: d.chance.sd },
      fair: { basis: 'leave-one-out' },
      everything: { value: d.Dorig },
    })
    expect([people, effect?.p]).toEqual([null, expect.closeTo(0.6, 1)])
    expect(interval).toMatchObject({ method: 'wilson', lower: expect.closeTo(0.16, 2), upper: expect.closeTo(0.84, 2) })
  })

  it('with a holdout', async () => {
    const { details: d, controls, looks } = await run(example({ holdout: true }))
    expect(rounded([d.marginal?.holdout, d.marginal?.difference, d.marginal?.normalised], 7)).toEqual([
      0.3333333, 0.1666667, 0.25,
    ])
    expect(rounded([d.marginal?.interval?.lower, d.marginal?.interval?.upper], 7)).toEqual([-0.2609444, 0.48972])
    expect(controls?.fair?.basis).toBe('leave-one-out')
    expect(looks).toHaveLength(1)
    expect(looks?.[0].controls.fair).toMatchObject({ value: d.marginal?.holdout, basis: 'outsiders' })
    expect(looks?.[0].effect).toMatchObject({ value: expect.closeTo(1 / 6, 12), p: expect.closeTo(0.4170721, 7) })
  })

  it('as riskutility computes it', async () => {
    const { value, details: d, controls, effect, notAssessed } = await run(example(), potential)
    expect(rounded([value])).toEqual([0.636364])
    expect([d.released.potential.count, d.released.certain.count, d.released.keyMatches]).toEqual([7, 4, 9])
    expect(d.released.originalsDisclosed?.count).toBe(6)
    expect(
      rounded([d.released.originalsDisclosed?.share, d.released.potential.baseline, d.released.potential.ratio]),
    ).toEqual([0.428571, 4.867347, 1.438155])
    expect(d.riskutility).toEqual({ says: 'slightly elevated' })
    expect([effect, controls?.everything?.value]).toEqual([undefined, 1])
    expect(notAssessed?.text).toContain('originals there are to meet')
    expect((await run(example(), certain)).value).toBeCloseTo(4 / 11, 12)
  })
})

describe('small examples by hand', () => {
  it('potential 3, certain 1, 40 % of originals disclosed', async () => {
    const { released } = (await run(letters(['AAABB', '11211'], ['AAB', '121']), potential)).details
    expect([released.potential.count, released.certain.count, released.originalsDisclosed?.share]).toEqual([3, 1, 0.4])
  })

  it('swapped targets: none', async () => {
    const { details: d, value } = await run(letters(['AB', '12'], ['AB', '21']))
    expect([value, d.released.potential.count, d.released.certain.count]).toEqual([0, 0, 0])
  })

  it.each<[string, [string, string], [string, string], number, number, number]>([
    ['homogeneous in the original only', ['AA', '11'], ['AA', '12'], 0.5, 1, 0],
    ['homogeneous in the release only', ['AAA', '112'], ['A', '1'], 0, 0, 2 / 3],
  ])('"certain" and DiSCO are different things: %s', async (_, o, s, certainShare, originals, DiSCO) => {
    const { details: d } = await run(letters(o, s))
    expect(d.DiSCO).toBeCloseTo(DiSCO, 12)
    expect(d.released.certain.share).toBe(certainShare)
    expect(d.released.originalsDisclosed?.share).toBe(originals)
  })

  it('no overlap: 0, and ratios undefined', async () => {
    const { details: d, value } = await run(letters(['A', '1'], ['B', '1']))
    expect(value).toBe(0)
    expect([d.released.potential.ratio, d.released.potential.chanceRatio]).toEqual([null, null])
  })
})

it('the chance of meeting any original is that of all permutations; the baseline of riskutility is below it', async () => {
  const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 'z')), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(rows, rows, async (o, s) => {
      const of = (targets: readonly string[]) =>
        release({
          original: tableOfRows('o', ['k', 't'], o),
          released: tableOfRows(
            's',
            ['k', 't'],
            s.map(([key], row) => [key, targets[row]]),
          ),
          keys: ['k'],
          target: 't',
        })
      const targets = s.map(([, target]) => target)
      const { released } = (await run(of(targets))).details
      const all = await Promise.all(permutations(targets).map(async (order) => (await run(of(order))).details.released))
      for (const kind of ['potential', 'certain'] as const) {
        const average = all.reduce((sum, one) => sum + one[kind].count, 0) / all.length
        expect(released[kind].chance).toBeCloseTo(average, 10)
      }
    }),
    { numRuns: 25 },
  )
})

it('several originals per key exceed riskutility’s baseline by construction, the exact chance they do not', async () => {
  const both = letters(['AAAA', '1234'], ['AAAA', '1234'])
  const { potential: found } = (await run(both, potential)).details.released
  expect([found.count, found.baseline, found.ratio, found.chance, found.chanceRatio]).toEqual([4, 1, 4, 4, 1])
})

describe('matching by distance', () => {
  it('is compared with people outside the release only', async () => {
    const without = await run(example(), { matching: 'gower' })
    expect([without.effect, without.notAssessed?.text]).toEqual([undefined, expect.stringContaining('no holdout')])
    const { controls, effect } = await run(example({ holdout: true }), { matching: 'gower' })
    expect([controls?.fair?.basis, effect !== undefined]).toEqual(['outsiders', true])
  })

  it('is exact matching where labels must agree', async () => {
    const of = letters(['AABBC', '11212'], ['ABBD', '1121'])
    const [exact, gower] = [await run(of), await run(of, { matching: 'gower' })]
    expect([gower.details.DiSCO, gower.details.DiS, gower.details.iS]).toEqual([
      exact.details.DiSCO,
      exact.details.DiS,
      exact.details.iS,
    ])
    expect(gower.details.chance.expected).toBeCloseTo(exact.details.chance.expected, 12)
    expect(gower.details.released.potential.count).toBe(exact.details.released.potential.count)
  })

  it('a number that was moved a little still finds its person', async () => {
    const of = release({
      original: tableOf('o', { age: [20, 40, 60, 80], t: ['x', 'y', 'x', 'y'] }),
      released: tableOf('s', { age: [21, 41, 61, 81], t: ['x', 'y', 'x', 'y'] }),
      keys: ['age'],
      target: 't',
    })
    expect((await run(of)).value).toBe(0)
    expect((await run(of, { matching: 'gower', threshold: 0.1 })).value).toBe(1)
  })
})

it('is the DiSCO of the disclosure tables, invariant to order, names and a second copy of the release', async () => {
  const rows = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c', null), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y', null)),
    {
      minLength: 1,
      maxLength: 15,
    },
  )
  await fc.assert(
    fc.asyncProperty(rows, rows, async (o, s) => {
      const of = (released: typeof s, keys = ['k1', 'k2']) =>
        release({
          original: tableOfRows('o', ['k1', 'k2', 't'], o),
          released: tableOfRows('s', ['k1', 'k2', 't'], released),
          keys,
          target: 't',
        })
      const { details: d } = await run(of(s))
      const tables = (await disclosure(of(s))).releases[0].details
      expect([d.DiSCO, d.DiS, d.iS, d.DiSDiO, d.Dorig]).toEqual([
        tables?.attribute.DiSCO,
        tables?.attribute.DiS,
        tables?.attribute.iS,
        tables?.attribute.DiSDiO,
        tables?.attribute.Dorig,
      ])
      expect((await run(of([...s].reverse(), ['k2', 'k1']))).details.DiSCO).toBe(d.DiSCO)
      expect((await run(of([...s, ...s]))).details.DiSCO).toBe(d.DiSCO)
      const copy = (await run(of(o))).details
      expect([copy.iS, copy.DiS, copy.DiSCO, copy.DiSDiO]).toEqual([1, copy.Dorig, copy.Dorig, copy.Dorig])
    }),
    { numRuns: 40 },
  )
})

describe.skipIf(reference() === undefined)('the case study of the riskutility vignette', async () => {
  if (reference() === undefined) return
  const table = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const original = await table('case-original')
  const study = await Promise.all(['case-a-independent', 'case-b-bootstrap-noise', 'case-c-near-copy'].map(table))
  const against = (k: number, options: Options = {}) =>
    run(
      release({ original, released: study[k], keys: ['age_group', 'sex', 'education', 'region'], target: 'income' }),
      options,
    )

  it('on the ungrouped income the order is upside down', async () => {
    const found = await Promise.all([0, 1, 2].map((k) => against(k, potential)))
    expect(found.map(({ details }) => details.released.potential.count)).toEqual([6, 2, 1])
    expect(
      rounded(
        found.map(({ details }) => details.released.potential.ratio),
        2,
      ),
    ).toEqual([5.91, 1.97, 0.98])
  })

  it('on the grouped income independent data are at chance and the near copy is riskiest', async () => {
    const found = await Promise.all([0, 1, 2].map((k) => against(k)))
    const ratios = found.map(({ details }) => details.released.potential.chanceRatio ?? 0)
    expect(ratios[0]).toBeCloseTo(1, 1)
    expect(ratios[1]).toBeGreaterThan(ratios[0])
    expect(ratios[2]).toBeGreaterThan(ratios[1])
    // Nobody is alone with these keys, so that even the original itself would disclose nobody's own record.
    for (const { effect, leakage, notAssessed } of found)
      expect([effect?.value, effect?.ceiling, leakage, notAssessed]).toEqual([
        expect.closeTo(0, 12),
        0,
        null,
        { code: 'no-scale' },
      ])
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, k) =>
    permutations([...items.slice(0, k), ...items.slice(k + 1)]).map((rest) => [item, ...rest]),
  )
}
