import { NotApplicable } from '../../../errors.js'
import { stream } from '../../../random/stream.js'
import { chiSquaredQuantile, robustCovariance, whitened } from '../../../stats/matrices/robust-covariance.js'
import { mad, median } from '../../../stats/quantile.js'
import { momentsOf, sampleQuantile } from '../../../stats/samples/summaries.js'
import type { Sample } from '../../../stats/samples/two-samples.js'
import { remember } from '../../../table/classes.js'
import { columnOf } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../outliers.js'
import type { ColumnDistance } from './by-column.js'
import { homogeneity } from './column-tests.js'
import { completeColumns, type NumberPair, numbersIn } from './columns.js'
import { shareBeyond } from './tails.js'

/**
 * Records that are rare by all their numbers together: beyond the 97.5 % ellipsoid of the minimum covariance determinant of a
 * file (Rousseeuw and Van Driessen 1999), squared distance > χ²_{p, 0.975}. Complete records only.
 */
const WITHIN = 0.975

type Columns = readonly Float64Array[]
type Ellipsoid = NonNullable<ReturnType<typeof robustCovariance>>

export interface RobustOutliers {
  readonly limit: number
  readonly counts: readonly [number, number]
  readonly sizes: readonly [number, number]
}

/** @param whose ellipsoid the released records are held against: the original's, or their own */
export function robustOutliers(pair: Pair, whose: 'original' | 'each', seed: number): RobustOutliers {
  const { original, released, variables } = pair
  const names = variables.filter(
    (name) => columnOf(original, name).kind !== 'categorical' && new Set(numbersIn(original, name)).size > 1,
  )
  if (names.length === 0) throw new NotApplicable('no numeric column varies in the original')
  const [x, y] = [original, released].map((file) => completeColumns(names.map((name) => numbersIn(file, name))))
  const limit = chiSquaredQuantile(WITHIN, names.length)
  const beyond = (columns: Columns, ellipsoid: Ellipsoid) => {
    const white = whitened(columns, ellipsoid)
    let count = 0
    for (let row = 0; row < columns[0].length; row++) {
      const square = white.reduce((sum, column) => sum + column[row] * column[row], 0)
      if (square > limit) count++
    }
    return count
  }
  // Once per original, with which many files are compared.
  const ofOriginal = remember(original, `ellipsoid ${JSON.stringify([names, seed])}`, () => ellipsoid(x, seed))
  const ofReleased = whose === 'each' ? ellipsoid(y, seed) : ofOriginal
  if (ofOriginal === null || ofReleased === null || y[0].length === 0)
    throw new NotApplicable('there are too few complete records for an ellipsoid')
  return {
    limit: Math.sqrt(limit),
    counts: [beyond(x, ofOriginal), beyond(y, ofReleased)],
    sizes: [x[0].length, y[0].length],
  }
}

function ellipsoid(columns: Columns, seed: number): Ellipsoid | null {
  return columns[0].length === 0 ? null : robustCovariance(columns, stream(seed, 'outliers/ellipsoid'))
}

type OutlierColumn = ColumnDistance & {
  readonly lower: number
  readonly upper: number
  readonly original: number
  readonly released: number
  /** Values beyond the limits, each counted once. */
  readonly counts: readonly [number, number]
  /** Share of values equal to the greatest and to the least of the release, in both files: [original, release]. */
  readonly atMaximum: readonly [number, number]
  readonly atMinimum: readonly [number, number]
}

export type Outlying = Omit<OutlierColumn, 'adjusted'>

/** All numbers as one column, by distance from the centre. */
export function together({ limit, counts, sizes }: RobustOutliers): Outlying {
  const [original, released] = counts.map((count, k) => count / sizes[k])
  return {
    name: 'all numbers together',
    lower: 0,
    upper: limit,
    counts,
    atMaximum: [0, 0],
    atMinimum: [0, 0],
    ...compared('all numbers together', { original, released }, sizes),
  }
}

export function outliersOf(
  { name, x, y }: NumberPair,
  method: Options['method'],
  whose: 'original' | 'each',
): Outlying {
  const limits = limitsOf(x, method)
  const limitsOfRelease = whose === 'original' ? limits : limitsOf(y, method)
  const beyond = (sample: Sample, { lower, upper }: Limits) =>
    shareBeyond(sample, upper, 'upper') + shareBeyond(sample, lower, 'lower')
  const [original, released] = [beyond(x, limits), beyond(y, limitsOfRelease)]
  const counted = (sample: Sample, { lower, upper }: Limits) =>
    sample.values.reduce((sum, value) => sum + (value < lower || value > upper ? 1 : 0), 0)
  const counts = [counted(x, limits), counted(y, limitsOfRelease)] as const
  const sizes = [x.values.length, y.values.length] as const
  const end = (value: number) => [shareAt(x, value), shareAt(y, value)] as const
  return {
    name,
    ...limits,
    counts,
    atMaximum: end(y.values[y.values.length - 1]),
    atMinimum: end(y.values[0]),
    ...compared(name, { original, released }, sizes),
  }
}

/** Two shares of files of these sizes. */
function compared(
  name: string,
  { original, released }: { readonly original: number; readonly released: number },
  [n1, n2]: readonly [number, number],
) {
  const test = homogeneity({
    name,
    labels: ['beyond', 'within'],
    original: Float64Array.of(original * n1, (1 - original) * n1),
    released: Float64Array.of(released * n2, (1 - released) * n2),
    n1,
    n2,
  })
  return {
    value: Math.abs(released - original),
    original,
    released,
    expected: Math.sqrt((2 * original * (1 - original)) / (Math.PI * n2)),
    p: test?.p ?? null,
  }
}

type Limits = { readonly lower: number; readonly upper: number }

function limitsOf(sample: Sample, method: Options['method']): Limits {
  if (method === 'iqr') {
    const [q1, q3] = [sampleQuantile(sample, 0.25), sampleQuantile(sample, 0.75)]
    return { lower: q1 - 1.5 * (q3 - q1), upper: q3 + 1.5 * (q3 - q1) }
  }
  const moments = momentsOf(sample)
  const centre = method === 'zscore' ? (moments?.mean ?? 0) : (median(sample.values) ?? 0)
  const reach = method === 'zscore' ? 3 * (moments?.sd ?? 0) : 3.5 * (mad(sample.values) ?? 0)
  return { lower: centre - reach, upper: centre + reach }
}

function shareAt(sample: Sample, value: number): number {
  return Math.max(0, 1 - shareBeyond(sample, value, 'upper') - shareBeyond(sample, value, 'lower'))
}
