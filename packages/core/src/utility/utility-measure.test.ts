import { expect, it } from 'vitest'
import { z } from 'zod'
import { barChart } from '../chart/chart.js'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { mean } from '../stats/sums.js'
import { release } from '../table/release.js'
import { columnOf, selectRows, type Table, tableOf } from '../table/table.js'
import type { Pair } from './pair.js'
import { wasserstein } from './univariate/wasserstein.js'
import { utilityMeasure, utilityOptions } from './utility-measure.js'

/** The squared difference of means: all that follows from it is known. */
const difference = ({ original, released }: Pair) => {
  const of = (table: Table) => {
    const column = columnOf(table, 'x')
    return column.kind === 'numeric' ? (mean(column.values) ?? 0) : 0
  }
  return (of(original) - of(released)) ** 2
}

const declared = {
  id: 'squared-difference',
  version: 1,
  title: 'Squared difference of means',
  summary: 'for tests',
  orientation: 'distance' as const,
  scale: 'marginal' as const,
  nothing: 'uniform' as const,
  needs: [],
  unit: 'distance' as const,
  range: [0, Number.POSITIVE_INFINITY] as const,
  options: z.object({ ...utilityOptions }),
  statistic: difference,
  compute: (pair: Pair) => ({ value: difference(pair), interval: null, details: { rows: pair.original.rows } }),
  sentence: () => 'for tests',
  charts: ({ value }: { readonly value: number | null }, { name }: { readonly name: string }) => [
    barChart({ name: 'x', title: name, x: '', y: '' }, [{ label: 'x', value: value ?? 0 }]),
  ],
}
const squared = utilityMeasure(declared)
/** The same in units of its own chance: n times the difference. */
const inUnits = utilityMeasure({
  ...declared,
  standardised: true,
  statistic: (pair) => difference(pair) * pair.original.rows,
  compute: (pair) => ({
    value: difference(pair) * pair.original.rows,
    interval: null,
    details: { rows: pair.original.rows },
  }),
})

const skewed = (name: string, rows: number, index = 0) => {
  const random = stream(11, 'skewed', index)
  return tableOf(name, { x: Array.from({ length: rows }, () => Math.exp(drawNormal(random))) })
}
const original = skewed('original', 400)
const variance = (of: Table) => {
  const column = columnOf(of, 'x')
  if (column.kind !== 'numeric') return 0
  const centre = mean(column.values) ?? 0
  return mean(column.values.map((value) => (value - centre) ** 2)) ?? 0
}

it('an honest sample gives what theory says, uniform columns what they are', async () => {
  const released = selectRows(
    original,
    Int32Array.from({ length: 200 }, (_, k) => k),
  )
  const { releases } = await squared(release({ original, released }), { resamples: 400 })
  const [{ controls, utility, value }] = releases
  const expected = variance(original) / 200
  expect(controls?.honest?.value).toBeGreaterThan(0.75 * expected)
  expect(controls?.honest?.value).toBeLessThan(1.25 * expected)
  expect(controls?.nothing?.value).toBeGreaterThan(10 * expected)
  expect(utility?.ratio).toBeCloseTo((value ?? 0) / (controls?.honest?.value ?? 0), 12)
  expect(utility?.scale).toBe('marginal')
})

it('the original itself is a sample of all, a file that keeps nothing has place 0', async () => {
  const whole = await squared(release({ original, released: original }))
  expect(whole.releases[0].utility).toMatchObject({ ratio: 0, equivalent: { size: 400, fraction: 1 } })
  expect(whole.releases[0].utility?.place).toBeGreaterThan(1)
  const column = columnOf(original, 'x')
  const [least, most] = column.kind === 'numeric' ? [Math.min(...column.values), Math.max(...column.values)] : [0, 0]
  const flat = tableOf('flat', { x: Array.from({ length: 400 }, (_, k) => least + ((most - least) * k) / 399) })
  const nothing = await squared(release({ original, released: flat }))
  expect(Math.abs(nothing.releases[0].utility?.place ?? 1)).toBeLessThan(0.1)
  expect(nothing.releases[0].utility?.equivalent?.size).toBeLessThan(20)
})

it('the interval of the equivalent sample holds the size of a subsample', async () => {
  let covered = 0
  const trials = 40
  for (let trial = 0; trial < trials; trial++) {
    const random = stream(5, 'subsamples', trial)
    const size = 40 + random.below(120)
    const rows = Int32Array.from(original.columns[0].kind === 'numeric' ? original.columns[0].values.keys() : [])
    for (let k = 0; k < size; k++) {
      const other = k + random.below(rows.length - k)
      ;[rows[k], rows[other]] = [rows[other], rows[k]]
    }
    const { releases } = await squared(release({ original, released: selectRows(original, rows.subarray(0, size)) }))
    const { lower, upper } = releases[0].utility?.equivalent?.interval ?? { lower: 1, upper: 0 }
    if (lower <= size / 400 && size / 400 <= upper) covered++
  }
  expect(covered / trials).toBeGreaterThan(0.84)
})

it('a release without weights is compared with samples drawn by weight', async () => {
  const heavy = Array.from({ length: 200 }, (_, k) => (k < 20 ? 90 : 10))
  const weighted = tableOf('weighted', { x: heavy.map((w) => (w === 90 ? 1 : 0)), w: heavy })
  const half = tableOf('half', { x: Array.from({ length: 200 }, (_, k) => k % 2) })
  const { releases } = await squared(release({ original: weighted, released: half, weight: 'w' }))
  // A tenth of the records have half of the weight: an honest release has a mean of 1/2, the original one of 1/10.
  expect(releases[0].controls?.honest?.value).toBeCloseTo(0.16, 1)
})

it('a release that was drawn by weight is as good as a sample, though not as the original without weights', async () => {
  const random = stream(6, 'weights')
  const w = Array.from({ length: 400 }, (_, k) => (k < 100 ? 9 : 1))
  const value = w.map((weight) => (weight === 9 ? 0 : 5) + random.uniform())
  const original = tableOf('original', { x: value, w })
  const rows = Array.from({ length: 400 }, () => {
    const at = random.below(1200)
    return at < 900 ? at % 100 : 100 + (at % 300)
  })
  const drawn = tableOf('drawn', { x: rows.map((row) => value[row]) })
  const { utility } = (await wasserstein(release({ original, released: drawn, weight: 'w' }))).releases[0]
  expect(utility?.place).toBeGreaterThan(0.9)
  expect(utility?.equivalent?.fraction).toBeGreaterThan(0.15)
  expect(utility?.equivalent?.fraction).toBeLessThan(0.9)
  const plain = tableOf('plain', { x: value })
  const unweighted = (await wasserstein(release({ original, released: plain, weight: 'w' }))).releases[0].utility
  expect(unweighted?.equivalent?.fraction).toBeLessThan(0.05)
})

it('large files are resampled within bounds, and columns that are not there are told', async () => {
  const large = skewed('large', 12_000)
  const { releases } = await squared(release({ original: large, released: skewed('other', 12_000, 1) }))
  const { equivalent } = releases[0].utility ?? {}
  expect(equivalent?.fraction).toBeGreaterThan(0)
  expect(releases[0].controls?.honest?.value).toBeLessThan(4 * (variance(large) / 12_000))
  await expect(squared(release({ original, released: original }), { variables: ['y'] })).rejects.toThrow('"y"')
})

it('a part of a large file speaks for all of it, also in units of chance', async () => {
  const large = skewed('large', 12_000)
  const both = release({ original: large, released: skewed('other', 12_000, 1) })
  const [plain, scaled] = [(await squared(both)).releases[0], (await inUnits(both)).releases[0]]
  const [a, b] = [plain.utility?.equivalent?.fraction ?? 0, scaled.utility?.equivalent?.fraction ?? 1]
  expect(b / a).toBeGreaterThan(0.6)
  expect(b / a).toBeLessThan(1.7)
})

it('draws nothing when told so', async () => {
  const { releases } = await squared(release({ original, released: original }), { resamples: 0 })
  expect(releases[0].controls).toEqual({})
  expect(releases[0].utility).toMatchObject({
    place: null,
    equivalent: null,
    reasons: expect.arrayContaining(['no samples were drawn']),
  })
})
