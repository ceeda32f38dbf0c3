import { math } from '@scrim/kernels'
import type { Equivalent } from '../evidence/usefulness.js'
import { chiSquaredUpper, studentTQuantile } from '../stats/distributions.js'
import { INTERVAL_ENDS, INTERVAL_LEVEL, SIGNIFICANCE } from '../stats/levels.js'
import { leastSquares } from '../stats/matrices/linear-algebra.js'

/**
 * The size of an honest subsample: s different random records of the n originals, kept as they are, would be as far off
 * as the release is.
 *
 * What a subsample loses is measured by v = 1/s - 1/n, its sampling variance in units of that of one record; a sample of
 * m records with replacement has v = 1/m. With q₀ what the original itself gives, the loss |q(v) - q₀| grows with v like a
 * power of it (½ for distances, 1 for squared ones): log loss is smoothed by a parabola in log v over the sizes tried, by a cubic where
 * that leaves more than the draws' own scatter explains (5 % level; tables that are sparse in small samples bend twice), and
 * beyond them linear. The interval inverts the test "the release lost as much as a subsample of size s". How losses of equal
 * subsamples scatter is a power of v too, found in the same draws; they are taken to follow a gamma distribution, or a normal
 * one where some subsamples do better than the original itself. What the draws leave open about the mean and the scatter
 * makes it wider: the variance of a mean is added, and quantiles are those of Student's t.
 */
export interface Loss {
  /** Sampling variance 1/s - 1/n. */
  readonly v: number
  /** Mean of |q - q₀| over subsamples. */
  readonly mean: number
  /** Standard deviation of that of one; null where it is not known. */
  readonly sd: number | null
}

export interface LossCurve {
  readonly points: readonly Loss[]
  /** Subsamples behind each point; infinite where theory tells. */
  readonly draws: number
  /** Whether some did better than the original itself. */
  readonly crosses: boolean
}

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
  const points = rising(curve)
  if (points.length === 0) return null
  const size = sizeOf(loss <= 0 ? 0 : inverse(points, loss), records)
  const { lower, upper } = sizesThatCould(loss, points, curve, records, size)
  return {
    size: Math.round(size),
    fraction: size / records,
    interval: {
      lower: lower / records,
      upper: upper / records,
      level: INTERVAL_LEVEL,
      method: 'test inversion over subsample sizes',
    },
    curve: DRAWN.filter((share) => share * records >= FEWEST).map((fraction) => ({
      fraction,
      value: value(lossAt(points, 1 / (fraction * records) - 1 / records)),
    })),
  }
}

/** Values of v that are tried, in equal steps of their logarithm, down to this share of 1/n. */
const TRIED = 200
const LEAST_VARIANCE = 1e-4

/** The smallest and the largest subsample of which the loss would be no surprise. */
function sizesThatCould(
  loss: number,
  points: readonly LogPoint[],
  curve: LossCurve,
  records: number,
  size: number,
): { lower: number; upper: number } {
  const spread = spreadLine(curve.points)
  const t = studentTQuantile(INTERVAL_ENDS[1], Math.max(1, (curve.draws - 1) * curve.points.length))
  const crosses = curve.crosses || loss < 0
  const could = (v: number) => {
    const mean = lossAt(points, v)
    const cv = (spread(v) * Math.sqrt(1 + 1 / curve.draws)) / mean
    const [low, high] = crosses ? [1 - t * cv, 1 + t * cv] : [gammaQuantile(cv, -t), gammaQuantile(cv, t)]
    return loss >= low * mean && loss <= high * mean
  }
  const [least, most] = [LEAST_VARIANCE / records, 1 / FEWEST]
  const tried = (k: number) => least * math.pow(most / least, k / TRIED)
  const possible = Array.from({ length: TRIED + 1 }, (_, k) => k).filter((k) => could(tried(k)))
  if (possible.length === 0) return { lower: size, upper: size }
  const [first, last] = [possible[0], possible[possible.length - 1]]
  const upper = first === 0 ? records : sizeOf(turning(tried(first - 1), tried(first), could), records)
  const lower = sizeOf(last === TRIED ? most : turning(tried(last + 1), tried(last), could), records)
  return { lower: Math.min(size, lower), upper: Math.max(size, upper) }
}

const BISECTIONS = 30

/** Between a variance that is out of the question and one that is not. */
function turning(outside: number, inside: number, could: (v: number) => boolean): number {
  let [out, into] = [outside, inside]
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = Math.sqrt(out * into)
    if (could(middle)) into = middle
    else out = middle
  }
  return into
}

/** Standard deviation of a loss as a power of v, by least squares of logarithms. */
function spreadLine(points: readonly Loss[]): (v: number) => number {
  const known = points.flatMap(({ v, sd }) =>
    v > 0 && sd !== null && sd > 0 ? [{ x: math.log(v), y: math.log(sd) }] : [],
  )
  if (known.length === 0) return () => 0
  const centre = known.reduce((sum, { x }) => sum + x, 0) / known.length
  const level = known.reduce((sum, { y }) => sum + y, 0) / known.length
  const squares = known.reduce((sum, { x }) => sum + (x - centre) ** 2, 0)
  const product = known.reduce((sum, { x, y }) => sum + (x - centre) * (y - level), 0)
  const slope = squares > 0 ? product / squares : USUAL_SLOPE
  return (v) => math.exp(level + slope * (math.log(v) - centre))
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
function rising({ points, draws }: LossCurve): LogPoint[] {
  const sorted = smoothed(
    points
      .filter(({ v, mean }) => v > 0 && mean > 0)
      .map(({ v, mean, sd }) => ({
        x: math.log(v),
        y: math.log(mean),
        error: sd === null ? null : sd / mean / Math.sqrt(draws),
      }))
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
const FEWEST_FOR_CUBIC = 6

/** A point with the standard error of its height; null where that is not known. */
interface DrawnPoint extends LogPoint {
  readonly error: number | null
}

/** Each size has few draws, and all together tell more of each. */
function smoothed(points: readonly DrawnPoint[]): readonly LogPoint[] {
  if (points.length < FEWEST_FOR_PARABOLA) return points
  const parabola = polynomial(points, 2)
  return points.length >= FEWEST_FOR_CUBIC && isMisfit(points, parabola) ? polynomial(points, 3) : parabola
}

/** Σ (residual / standard error)² against chi-squared. */
function isMisfit(points: readonly DrawnPoint[], fitted: readonly LogPoint[]): boolean {
  let x2 = 0
  for (const [k, { y, error }] of points.entries()) {
    if (error === null || !(error > 0)) return false
    x2 += ((y - fitted[k].y) / error) ** 2
  }
  return chiSquaredUpper(x2, points.length - 3) < SIGNIFICANCE
}

/** By least squares. */
function polynomial(points: readonly LogPoint[], degree: number): readonly LogPoint[] {
  const centre = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const columns = Array.from({ length: degree + 1 }, (_, power) =>
    Float64Array.from(points, ({ x }) => math.pow(x - centre, power)),
  )
  const { coefficients } = leastSquares(
    columns,
    Float64Array.from(points, ({ y }) => y),
  )
  return points.map(({ x }) => ({
    x,
    y: coefficients.reduce((sum, coefficient, power) => sum + coefficient * math.pow(x - centre, power), 0),
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
  const x = math.log(v)
  const { from, slope } = segment(points, (point) => point.x < x)
  return math.exp(from.y + slope * (x - from.x))
}

function inverse(points: readonly LogPoint[], loss: number): number {
  const y = math.log(loss)
  const { from, slope } = segment(points, (point) => point.y < y)
  return math.exp(from.x + (y - from.y) / slope)
}

/** Of mean 1 and the given coefficient of variation, by Wilson and Hilferty (1931). */
function gammaQuantile(cv: number, z: number): number {
  const third = cv / 3
  return Math.max(1e-6, math.pow(1 - third * third + z * third, 3))
}
