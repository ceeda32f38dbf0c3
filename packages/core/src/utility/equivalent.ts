import type { Equivalent } from '../evidence/usefulness.js'
import { normalQuantile } from '../stats/distributions.js'
import { leastSquares } from '../stats/linear-algebra.js'

/**
 * The size of an honest subsample: s different random records of the n originals, kept as they are, would be as far off
 * as the release is.
 *
 * What a subsample loses is measured by v = 1/s - 1/n, its sampling variance in units of that of one record; a sample of
 * m records with replacement has v = 1/m. With q₀ what the original itself gives, the loss |q(v) - q₀| grows with v like a
 * power of it (½ for distances, 1 for squared ones): log loss is smoothed by a parabola in log v over the sizes tried, and
 * beyond them linear. The interval inverts the test "the release lost as much as a subsample of size s": losses of equal
 * subsamples are taken to follow a gamma distribution.
 */
interface Loss {
  /** Sampling variance 1/s - 1/n. */
  readonly v: number
  /** Mean of |q - q₀| over subsamples. */
  readonly mean: number
}

export interface LossCurve {
  readonly points: readonly Loss[]
  /** Coefficient of variation of the loss of one subsample, what is not known of the mean included. */
  readonly cv: number
}

const EQUIVALENT_LEVEL = 0.95

/** Shares of the original at which the curve is drawn. */
const DRAWN = [1 / 256, 1 / 128, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]
/** Fewer records are no sample. */
const FEWEST = 2

/** @param loss by how much the release is worse than the original itself; `value` turns a loss into the measure's unit */
export function equivalentSample(
  loss: number,
  curve: LossCurve,
  records: number,
  value: (loss: number) => number,
): Equivalent | null {
  const points = rising(curve.points)
  if (points.length === 0) return null
  const sizeAt = (of: number) => sizeOf(of <= 0 ? 0 : inverse(points, of), records)
  const z = normalQuantile((1 + EQUIVALENT_LEVEL) / 2)
  const size = sizeAt(loss)
  const lower = sizeAt(loss / gammaQuantile(curve.cv, -z))
  const upper = sizeAt(loss / gammaQuantile(curve.cv, z))
  return {
    size: Math.round(size),
    fraction: size / records,
    interval: {
      lower: lower / records,
      upper: upper / records,
      level: EQUIVALENT_LEVEL,
      method: 'test inversion over subsample sizes',
    },
    curve: DRAWN.filter((share) => share * records >= FEWEST).map((fraction) => ({
      fraction,
      value: value(lossAt(points, 1 / (fraction * records) - 1 / records)),
    })),
  }
}

/** s from 1/s = v + 1/n. */
function sizeOf(v: number, records: number): number {
  return Math.max(Math.min(FEWEST, records), 1 / (v + 1 / records))
}

interface LogPoint {
  readonly x: number
  readonly y: number
}

/** Points in logarithms in order of v, losses made to rise by pooling neighbours that fall (isotonic regression). */
function rising(points: readonly Loss[]): LogPoint[] {
  const sorted = smoothed(
    points
      .filter(({ v, mean }) => v > 0 && mean > 0)
      .map(({ v, mean }) => ({ x: Math.log(v), y: Math.log(mean) }))
      .sort((a, b) => a.x - b.x),
  )
  const pools: { y: number; members: number[] }[] = []
  for (const { x, y } of sorted) {
    let pool = { y, members: [x] }
    for (let before = pools.at(-1); before !== undefined && before.y >= pool.y; before = pools.at(-1)) {
      pools.pop()
      const [a, b] = [before.members.length, pool.members.length]
      pool = { y: (a * before.y + b * pool.y) / (a + b), members: [...before.members, ...pool.members] }
    }
    pools.push(pool)
  }
  return pools.map(({ y, members }) => ({ x: members.reduce((sum, x) => sum + x, 0) / members.length, y }))
}

const FEWEST_FOR_PARABOLA = 5

/** Each size has few draws, and all together tell more of each: a parabola by least squares. */
function smoothed(points: readonly LogPoint[]): readonly LogPoint[] {
  if (points.length < FEWEST_FOR_PARABOLA) return points
  const centre = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const columns = [
    Float64Array.from(points, () => 1),
    Float64Array.from(points, ({ x }) => x - centre),
    Float64Array.from(points, ({ x }) => (x - centre) ** 2),
  ]
  const { coefficients } = leastSquares(
    columns,
    Float64Array.from(points, ({ y }) => y),
  )
  return points.map(({ x }) => ({
    x,
    y: coefficients[0] + coefficients[1] * (x - centre) + coefficients[2] * (x - centre) ** 2,
  }))
}

/** Distances fall at least like the square root of v: what a single size tells of the others. */
const USUAL_SLOPE = 0.5
const LEAST_SLOPE = 0.25

/** The segment that holds, or is nearest to, what `before` looks for. */
function segment(points: readonly LogPoint[], before: (point: LogPoint) => boolean): { from: LogPoint; slope: number } {
  if (points.length === 1) return { from: points[0], slope: USUAL_SLOPE }
  const found = points.findIndex((point, k) => k > 0 && !before(point))
  const k = found < 0 ? points.length - 1 : found
  const [a, b] = [points[k - 1], points[k]]
  return { from: before(a) ? a : b, slope: Math.max(LEAST_SLOPE, (b.y - a.y) / (b.x - a.x)) }
}

function lossAt(points: readonly LogPoint[], v: number): number {
  if (v <= 0) return 0
  const x = Math.log(v)
  const { from, slope } = segment(points, (point) => point.x < x)
  return Math.exp(from.y + slope * (x - from.x))
}

function inverse(points: readonly LogPoint[], loss: number): number {
  const y = Math.log(loss)
  const { from, slope } = segment(points, (point) => point.y < y)
  return Math.exp(from.x + (y - from.y) / slope)
}

/** Of mean 1 and the given coefficient of variation, by Wilson and Hilferty (1931). */
function gammaQuantile(cv: number, z: number): number {
  const third = cv / 3
  return Math.max(1e-6, (1 - third * third + z * third) ** 3)
}
