import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { example } from '../../testing/example.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { attribution } from './attribution.js'

async function details(of: Parameters<typeof attribution>[0], options: Parameters<typeof attribution>[1] = {}) {
  const result = await attribution(of, options)
  const found = result.releases[0].details
  if (found === null) throw new Error(result.reason ?? result.releases[0].reason)
  return { ...found, value: result.value, interval: result.interval, verdict: result.releases[0].verdict }
}

const rounded = (values: readonly (number | null | undefined)[], digits = 7) =>
  values.map((value) => (value == null ? null : Number(value.toFixed(digits))))

describe('the worked example', () => {
  it('has the exact chance levels', async () => {
    const { chance } = await details(example())
    expect(rounded([chance.DCAPd.expected, chance.DCAPd.sd])).toEqual([0.40625, 0.0888891])
    expect(rounded([chance.DCAPd.z], 6)).toEqual([2.109369])
    expect(rounded(Object.values(chance.DiSCO).filter((_, k) => k !== 3))).toEqual([
      0.2869318, 0.1125301, 0.2130682, 0.2988048,
    ])
  })

  it('has the prior-knowledge baselines of 11 claims, 8 of them right', async () => {
    const { baselines: b } = await details(example())
    expect(b.claims).toBe(11)
    expect(rounded([b.b1.mean, b.b2.mean, b.b3.mean])).toEqual([0.4969697, 0.6969697, 0.7575758])
    expect(rounded([b.b1.excess, b.b2.excess, b.b3.excess])).toEqual([0.1583333, 0.0208333, -0.0208333])
    expect(rounded([b.b1.kappa, b.b2.kappa])).toEqual([0.4578313, 0.1])
  })

  it('has the curve over tau and the leave-one-out gain', async () => {
    const { tau, leaveOneOut, selfSupported } = await details(example())
    expect(tau.map((point) => [point.tau, point.gain])).toEqual([
      [0, 0.59375],
      [0.5, 0.59375],
      ...[0.6, 0.7, 0.8, 0.9, 1].map((one) => [one, 0.5]),
    ])
    expect(tau.at(-1)).toMatchObject({ coverage: 0.6875, hits: 0.5 })
    expect(rounded([tau.at(-1)?.precision, leaveOneOut.mean, leaveOneOut.gain])).toEqual([
      0.7272727, 0.5541667, 0.0395833,
    ])
    expect(selfSupported.share).toBe(0.25)
  })

  it('compares with a holdout', async () => {
    const { marginal, value, interval, basis } = await details(example({ holdout: true }))
    expect(rounded([marginal?.DCAPd.holdout, marginal?.DCAPd.difference, marginal?.DCAPd.normalised])).toEqual([
      0.4166667, 0.1770833, 0.3035714,
    ])
    expect(rounded([marginal?.DiSCO.holdout, value, marginal?.DiSCO.normalised])).toEqual([0.3333333, 0.1666667, 0.25])
    expect(rounded([interval?.lower, interval?.upper])).toEqual([-0.2609444, 0.48972])
    expect(basis).toBe('holdout')
  })
})

const smallTable = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z')), {
  minLength: 2,
  maxLength: 6,
})

it('chance levels are those of all permutations of the released targets', async () => {
  await fc.assert(
    fc.asyncProperty(smallTable, smallTable, async (o, s) => {
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
      const { chance } = await details(of(s.map(([, target]) => target)))
      const values = await Promise.all(
        permutations(s.map(([, target]) => target)).map(async (targets) => details(of(targets))),
      )
      for (const figure of ['DiSCO', 'DCAPd'] as const) {
        const all = values.map((one) => one[figure])
        const mean = all.reduce((a, b) => a + b, 0) / all.length
        const variance = all.reduce((a, b) => a + (b - mean) ** 2, 0) / all.length
        expect(chance[figure].expected).toBeCloseTo(mean, 10)
        expect(chance[figure].sd).toBeCloseTo(Math.sqrt(variance), 6)
      }
    }),
    { numRuns: 25 },
  )
})

describe('blanking the target', () => {
  it('raises DiSCO but neither the verdict’s measure nor the excess over chance', async () => {
    const keys = ['k1', 'k2']
    const rows = (n: number, target: (k: number) => string) =>
      Array.from({ length: n }, (_, k) => [`a${k % 7}`, `b${(k * 5) % 11}`, target(k)])
    const original = tableOfRows(
      'o',
      [...keys, 't'],
      rows(154, (k) => (k % 3 === 0 ? 'yes' : 'no')),
    )
    const against = (target: (k: number) => string) =>
      details(release({ original, released: tableOfRows('s', [...keys, 't'], rows(154, target)), keys, target: 't' }))
    const noisy = await against((k) => ((k * 7919) % 5 < 2 ? 'yes' : 'no'))
    const blank = await against(() => 'no')
    expect(blank.DiSCO).toBeGreaterThan(noisy.DiSCO)
    expect(blank.chance.DiSCO.excess).toBeCloseTo(0, 12)
    expect([blank.chance.DiSCO.sd, blank.chance.DiSCO.z]).toEqual([0, null])
    expect(blank.value).toBeLessThanOrEqual(0)
    expect(blank.verdict?.level).toBe('LOW')
  })

  it('on the sixteen-cell example with one known unique record', async () => {
    const cells = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
    const second = [66, 53, 71, 51, 63, 77, 68, 91, 84, 66, 54, 59, 77, 52, 68, 0]
    const first = [68, 60, 77, 70, 73, 60, 58, 72, 77, 69, 50, 61, 79, 65, 60, 1]
    const against = (counts: readonly number[], target?: number) =>
      details(
        release({
          original: sixteen('o', cells),
          released: sixteen('s', counts, target),
          keys: ['v1', 'v2', 'v3'],
          target: 'v4',
        }),
      )
    const present = await against(first)
    const vanished = await against(second)
    const constant = await against(second, 0)
    expect(rounded([present.DiSCO, vanished.DiSCO, constant.DiSCO], 4)).toEqual([0, 0.066, 0.547])
    expect([present.selfSupported.share, vanished.selfSupported.share]).toEqual([0.001, 0])
    expect(rounded([present.DCAPd, vanished.DCAPd], 6)).toEqual([0.535043, 0.538006])
    expect(constant.value).toBeLessThanOrEqual(0)
  })
})

describe.skipIf(reference() === undefined)('SD2011', async () => {
  if (reference() === undefined) return
  const original = await referenceTable('golden/sd2011/original.csv')
  const synthetic = await referenceTable('golden/sd2011/synthetic-cont-na.csv')
  const keys = ['sex', 'age', 'region', 'placesize']
  const of = (target: string, released = synthetic) =>
    details(release({ original, released, keys, target }), { targetGroups: 'none' })

  it.each<[string, number, readonly number[]]>([
    ['depress', 2.9594, [9.54, 6.05, 3.55, 2.03]],
    ['income', 1.4586, [4.9, 3.22, 1.47, 0.7]],
    ['ls', 10.608, [13.78, 2.65, 1.27, 0.45]],
    ['marital', 18.1942, [35.18, 13.21, 0.51, -0.16]],
    ['workab', 45.1066, [52.1, 4.77, -0.19, -0.16]],
  ])('%s: chance and excess over prior knowledge, in percent', async (target, chance, expected) => {
    const { DiSCO, chance: found, baselines: b } = await of(target)
    expect(rounded([100 * found.DiSCO.expected], 4)).toEqual([chance])
    expect(
      rounded(
        [DiSCO, b.b1.excess, b.b2.excess, b.b3.excess].map((share) => 100 * share),
        2,
      ),
    ).toEqual(expected)
  })

  it('depress: sd of the null and z', async () => {
    const { chance } = await of('depress')
    expect(rounded([100 * chance.DiSCO.sd], 4)).toEqual([0.2386])
    expect(rounded([chance.DiSCO.z], 1)).toEqual([27.6])
  })

  it('depress set to 0 raises DiSCO to 14.76 % and not the measure of the verdict; a copy tops both', async () => {
    const columns = synthetic.columns.map((column) =>
      column.name === 'depress' && column.kind === 'numeric'
        ? { ...column, values: column.values.map(() => 0) }
        : column,
    )
    const blank = await of('depress', { ...synthetic, columns })
    const copy = await of('depress', original)
    const percentages = (found: typeof blank) =>
      rounded(
        [found.DiSCO, found.baselines.b1.excess, found.baselines.b2.excess, found.baselines.b3.excess].map(
          (share) => 100 * share,
        ),
        2,
      )
    expect(percentages(blank)).toEqual([14.76, 0.57, -6.1, -2.75])
    expect(percentages(copy)).toEqual([53.3, 47.97, 44.2, 40.88])
    expect([blank.verdict?.level, copy.verdict?.level]).toEqual(['LOW', 'HIGH'])
    expect(blank.chance.DiSCO.excess).toBeCloseTo(0, 12)
  })
})

it('groups a numeric target with many values at the original’s deciles', async () => {
  const income = Array.from({ length: 100 }, (_, k) => 1000 + k)
  const one = tableOf('o', { k: income.map((_, row) => `c${row % 4}`), income })
  const { targetGrouping } = await details(release({ original: one, released: one, keys: ['k'], target: 'income' }))
  expect(targetGrouping).toBe('quantile 10')
})

function sixteen(name: string, counts: readonly number[], target?: number) {
  const rows = counts.flatMap((times, cell) =>
    Array.from({ length: times }, () => [cell >> 3, (cell >> 2) & 1, (cell >> 1) & 1, target ?? cell & 1]),
  )
  return tableOfRows(name, ['v1', 'v2', 'v3', 'v4'], rows)
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, k) =>
    permutations([...items.slice(0, k), ...items.slice(k + 1)]).map((rest) => [item, ...rest]),
  )
}
