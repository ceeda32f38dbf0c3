import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { example } from '../../testing/scenes/example.js'
import { attribution } from './attribution.js'
import { cellsOf } from './counts/cells.js'
import { prepareTarget } from './counts/target.js'
import { clusteredVariance } from './figures/baselines.js'
import { scoresOf } from './figures/guess-scores.js'

async function details(of: Parameters<typeof attribution>[0], options: Parameters<typeof attribution>[1] = {}) {
  const result = await attribution(of, options)
  const found = result.releases[0].details
  if (found === null) throw new Error((result.reason ?? result.releases[0].reason)?.text)
  const { value, interval, controls, effect, leakage, exposure, looks, people } = result.releases[0]
  return { ...found, value, interval, controls, effect, leakage, exposure, looks, people }
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
    const { tau, scores, selfSupported } = await details(example())
    expect(tau.map((point) => [point.tau, point.gain])).toEqual([
      [0, 0.59375],
      [0.5, 0.59375],
      ...[0.6, 0.7, 0.8, 0.9, 1].map((one) => [one, 0.5]),
    ])
    expect(tau.at(-1)).toMatchObject({ coverage: 0.6875, hits: 0.5 })
    expect(rounded([tau.at(-1)?.precision, scores.others])).toEqual([0.7272727, 0.5541667])
    expect(selfSupported.share).toBe(0.25)
  })

  it('compares with a holdout', async () => {
    const { marginal, scores } = await details(example({ holdout: true }))
    expect(rounded([marginal?.DCAPd.holdout, marginal?.DCAPd.difference, marginal?.DCAPd.normalised])).toEqual([
      0.4166667, 0.1770833, 0.3035714,
    ])
    expect(rounded([marginal?.DiSCO.holdout, marginal?.DiSCO.normalised])).toEqual([0.3333333, 0.25])
    expect(scores.outsiders).not.toBeNull()
  })
})

describe('the guess', () => {
  const of = (original: readonly string[], released: readonly string[], holdout?: readonly string[]) => {
    const rows = (name: string, cells: readonly string[]) =>
      tableOfRows(
        name,
        ['k', 't'],
        cells.map((cell) => [cell[0], cell[1]]),
      )
    return release({
      original: rows('o', original),
      released: rows('s', released),
      ...(holdout === undefined ? {} : { holdout: rows('h', holdout) }),
      keys: ['k'],
      target: 't',
    })
  }

  it('is scored by hand', async () => {
    // a: x x y against released x y; b: z, alone, against nothing released with b
    const { value, controls, scores, effect } = await details(of(['ax', 'ax', 'ay', 'bz'], ['ax', 'ay', 'cz', 'cz']))
    // x: 1/2, x: 1/2, y: 1/2, z: margin of the release 2/4
    expect(value).toBeCloseTo(0.5, 12)
    // others: x: 1/2, x: 1/2, y: 0/2, z: (1 - 1) / 3
    expect(scores.others).toBeCloseTo(1 / 4, 12)
    // the original: 2/3, 2/3, 1/3, 1
    expect(scores.original).toBeCloseTo((5 / 3 + 1) / 4, 12)
    // margin of the release: x 1/4 twice, y 1/4, z 2/4
    expect(controls?.nothing?.value).toBeCloseTo(5 / 16, 12)
    // what keys add: release (1/4, 1/4, 1/4, 0), of the two with key a at least one left among 3 of 4 with chance 15/16;
    // others less their margins (1/2 - 1/3 twice, 0 - 0, 0 - 0)
    expect(effect?.value).toBeCloseTo(((3 / 4) * (15 / 16) - 2 * (1 / 2 - 1 / 3)) / 4, 12)
  })

  it('of the original itself has exposure and leakage 1, with any number of outsiders', async () => {
    const random = stream(5, 'people')
    const people = (n: number) =>
      Array.from({ length: n }, () => `${'abcdefghij'[random.below(10)]}${'vwxyz'[random.below(5)]}`)
    const original = people(300)
    for (const outsiders of [0, 1, 10, 30, 500]) {
      const found = await details(of(original, original, outsiders === 0 ? undefined : people(outsiders)))
      expect(found.leakage?.value).toBeCloseTo(1, 12)
      expect(found.exposure).toBeCloseTo(1, 12)
      expect(found.looks?.length ?? 0).toBe(outsiders >= 30 ? 1 : 0)
    }
  })

  it.each([
    ['many keys', 60, 4, 300],
    ['few keys', 3, 4, 300],
    ['keys that hardly anybody shares', 5000, 3, 300],
    ['a release twice as large', 300, 3, 600],
    ['a release half as large', 300, 3, 150],
  ])('of an honest release is called leaky rarely: %s', async (_, keys, levels, released) => {
    const runs = repeats(60, 200)
    let alarms = 0
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'honest')
      const people = (rows: number) =>
        Array.from({ length: rows }, () => {
          const k = random.below(keys)
          return [`k${k}`, `t${(k + (random.below(3) === 0 ? random.below(levels) : 0)) % levels}`]
        })
      const { effect } = await details(
        release({
          original: tableOfRows('o', ['k', 't'], people(300)),
          released: tableOfRows('s', ['k', 't'], people(released)),
          keys: ['k'],
          target: 't',
        }),
      )
      if ((effect?.p ?? 1) < 0.05) alarms++
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.09)
  })
})

describe.skipIf(reference() === undefined)('the case study', async () => {
  if (reference() === undefined) return
  const file = (name: string) => referenceTable(`golden/vignette/case-${name}.csv`)
  const original = await file('original')
  const keys = ['age_group', 'sex', 'education', 'region']

  it.each([
    ['a-independent', 0.099896, -0.4338, 0.0973],
    ['b-bootstrap-noise', 0.171416, 0.2646, 0.0748],
    ['c-near-copy', 0.227722, 0.8144, 0.0471],
    ['original', 0.246732, 1, 0.0447],
  ])('%s', async (name, value, leakage, se) => {
    const of = release({ original, released: await file(name), keys, target: 'income' })
    const found = await details(of)
    expect(rounded([found.value], 6)).toEqual([value])
    expect(rounded([found.scores.others, found.scores.original], 6)).toEqual([0.144322, 0.246732])
    expect(rounded([found.leakage?.value], 4)).toEqual([leakage])
    // printed for the plain difference of scores; that of what keys add to the margin is within a few percent of it
    const cells = cellsOf(of, 'original', 0, prepareTarget(of, 'income', 'auto'))
    const { release: score, others } = scoresOf(cells)
    const sums = new Float64Array(cells.classes)
    for (let cell = 0; cell < score.length; cell++)
      sums[cells.classOf[cell]] += cells.d[cell] * (score[cell] - others[cell])
    const plain = Math.sqrt(clusteredVariance(cells, sums) ?? Number.NaN) / (0.246732 - 0.144322)
    expect(rounded([plain], 4)).toEqual([se])
    expect(Math.abs((found.leakage?.se ?? 0) / plain - 1)).toBeLessThan(0.04)
    expect(found.controls?.nothing?.value).toBeCloseTo(0.1, 6)
  })
})

const smallTable = (maxLength: number) =>
  fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z')), { minLength: 2, maxLength })

it('chance levels are those of all permutations of the released targets', async () => {
  await fc.assert(
    fc.asyncProperty(smallTable(6), smallTable(5), async (o, s) => {
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
  it('raises DiSCO but neither the leakage nor the excess over chance', async () => {
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
    expect(blank.effect?.value).toBeLessThanOrEqual(1e-12)
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
    expect(constant.effect?.value).toBeLessThanOrEqual(0)
    expect(constant.effect?.p).toBeGreaterThan(0.05)
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
    expect(rounded([100 * Number(chance.DiSCO.sd)], 4)).toEqual([0.2386])
    expect(rounded([chance.DiSCO.z], 1)).toEqual([27.6])
  })

  it('depress set to 0 raises DiSCO to 14.76 % and not the leakage; a copy tops both', async () => {
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
    expect(blank.leakage?.upper).toBeLessThan(0)
    expect(copy.leakage?.value).toBeCloseTo(1, 12)
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
