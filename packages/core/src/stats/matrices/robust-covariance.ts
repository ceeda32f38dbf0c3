import { math } from '@scrim/kernels'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { chiSquaredCdf } from '../distributions.js'
import { quantile } from '../quantile.js'
import { mean, standardDeviation } from '../sums.js'
import { cholesky } from './linear-algebra.js'

/**
 * Minimum covariance determinant (Rousseeuw 1985): centre and covariance of those h = (n + p + 1) / 2 records whose
 * covariance has the least determinant, so that a minority of outliers has no say. Found by FAST-MCD (Rousseeuw and Van
 * Driessen 1999): 500 random starts of p + 1 records, two concentration steps each, the ten best until they stand still;
 * in a large file the starts look at 1,500 records only. Then centre and covariance of the records within the 97.5 %
 * ellipsoid, with squared distances scaled so that one of their quantiles is that of a normal: the one of the majority h / n that
 * the minimum is about (as MASS::cov.rob), or the median (as FAST-MCD). Clean normal records lose less by the first: of 31
 * with 3 columns the determinant falls to a quarter instead of a sixth, of 300 with 5 to 61 instead of 57 %. Or both steps are
 * scaled by what a normal loses when its outer records are cut off (`consistency`, Croux and Haesbroeck 1999):
 *   c(a) = a / P(χ²_{p+2} ≤ χ²_{p,a}),  a = h / n, then 0.975.
 * Where there are few subsets of h records all of them are tried. Starts come from the stream that is given, so one seed gives
 * one result.
 */
interface RobustCovariance {
  readonly centre: Float64Array
  /** Lower triangle L with L Lᵀ = covariance, row after row. */
  readonly lower: Float64Array
  /** Whether most records lie in a plane; the ordinary covariance of all records stands in then. */
  readonly singular: boolean
  /** The h records of the least determinant, and those within the ellipsoid. */
  readonly majority: Int32Array
  readonly within: Int32Array
}

export const SCALINGS = ['majority', 'median'] as const
export type Scaling = (typeof SCALINGS)[number] | 'consistency'

const STARTS = 500
/** Up to so many subsets all are tried. */
const MOST_SUBSETS = 5000
const START_ROWS = 1500
const FINALISTS = 10
const MOST_STEPS = 100
const RIDGE = 1e-6
/** A variance left of less than this, in units of the column's own, is 0 but for rounding. */
const NO_VARIANCE = 1e-12
const REWEIGHTING = 0.975

/**
 * Null with fewer than 2 (p + 1) records, or when a column is constant. Columns must not have missing values. A larger majority
 * than (n + p + 1) / 2 may be asked for where that many lie in a plane.
 */
export function robustCovariance(
  columns: readonly Float64Array[],
  random: Stream,
  scaling: Scaling = 'majority',
  share = 0,
): RobustCovariance | null {
  const p = columns.length
  const n = columns[0].length
  const h = Math.max(majority(n, p), Math.ceil(share * n))
  const spreads = columns.map((column) => standardDeviation(column) ?? 0)
  if (n < 2 * (p + 1) || spreads.some((spread) => !(spread > 0))) return null
  const centres = columns.map((column) => mean(column) ?? 0)
  const rows = new Float64Array(n * p)
  for (let j = 0; j < p; j++)
    for (let row = 0; row < n; row++) rows[row * p + j] = (columns[j][row] - centres[j]) / spreads[j]
  const raw = leastDeterminant(rows, p, h, random)
  const robust = reweighted(rows, p, h, raw, scaling)
  const best = robust.singular
    ? scatterOf(
        rows,
        p,
        Int32Array.from({ length: n }, (_, row) => row),
      )
    : robust
  const stretch = scaling === 'consistency' && !robust.singular ? Math.sqrt(consistency(REWEIGHTING, p)) : 1
  return {
    centre: best.centre.map((value, j) => centres[j] + value * spreads[j]),
    lower: best.lower.map((value, at) => stretch * value * spreads[Math.floor(at / p)]),
    singular: robust.singular,
    majority: raw.rows,
    within: robust.rows,
  }
}

interface Scatter {
  /** The records that it is of. */
  readonly rows: Int32Array
  readonly centre: Float64Array
  /** Of the covariance, or where that is singular of the covariance with a ridge. */
  readonly lower: Float64Array
  readonly singular: boolean
  readonly logDeterminant: number
}

function leastDeterminant(rows: Float64Array, p: number, h: number, random: Stream): Scatter {
  const n = rows.length / p
  if (subsets(n, h) <= MOST_SUBSETS) return leastOfAll(rows, p, h)
  const few = n <= START_ROWS ? rows : takeRows(rows, p, sampleWithoutReplacement(random, n, START_ROWS))
  const starts = Array.from({ length: STARTS }, () => {
    const start = startingScatter(few, p, random)
    const size = few === rows ? h : Math.max(majority(START_ROWS, p), Math.round((h * START_ROWS) / n))
    return concentrate(few, p, size, concentrate(few, p, size, start))
  })
  starts.sort((a, b) => a.logDeterminant - b.logDeterminant)
  let best: Scatter | null = null
  for (const start of starts.slice(0, FINALISTS)) {
    const still = untilStill(rows, p, h, start)
    if (best === null || still.logDeterminant < best.logDeterminant) best = still
  }
  return best ?? starts[0]
}

/** Of p + 1 random records, and of more as long as they lie in a plane. */
function startingScatter(rows: Float64Array, p: number, random: Stream): Scatter {
  const n = rows.length / p
  for (let size = p + 1; ; size *= 2) {
    const chosen = sampleWithoutReplacement(random, n, Math.min(n, size))
    const scatter = scatterOf(rows, p, chosen)
    if (!scatter.singular || size >= n) return scatter
  }
}

function untilStill(rows: Float64Array, p: number, h: number, start: Scatter): Scatter {
  let current = concentrate(rows, p, h, start)
  for (let step = 0; step < MOST_STEPS && !current.singular; step++) {
    const next = concentrate(rows, p, h, current)
    if (next.logDeterminant >= current.logDeterminant) return current
    current = next
  }
  return current
}

/** The scatter of those h records that are nearest in the metric of the scatter before; its determinant is no larger. */
function concentrate(rows: Float64Array, p: number, h: number, before: Scatter): Scatter {
  const n = rows.length / p
  const distances = squaredDistances(rows, p, before)
  const cut = distances.slice().sort()[h - 1]
  const chosen = new Int32Array(h)
  let taken = 0
  for (let row = 0; row < n && taken < h; row++) if (distances[row] < cut) chosen[taken++] = row
  for (let row = 0; row < n && taken < h; row++) if (distances[row] === cut) chosen[taken++] = row
  return scatterOf(rows, p, chosen)
}

function majority(n: number, p: number): number {
  return Math.floor((n + p + 1) / 2)
}

/** n over h; more than `MOST_SUBSETS` is all that matters. */
function subsets(n: number, h: number): number {
  let count = 1
  for (let k = 1; k <= Math.min(h, n - h) && count <= MOST_SUBSETS; k++) count = (count * (n - k + 1)) / k
  return count
}

function leastOfAll(rows: Float64Array, p: number, h: number): Scatter {
  const n = rows.length / p
  const chosen = Int32Array.from({ length: h }, (_, k) => k)
  let best = scatterOf(rows, p, chosen.slice())
  for (;;) {
    let last = h - 1
    while (last >= 0 && chosen[last] === n - h + last) last--
    if (last < 0) return best
    chosen[last]++
    for (let k = last + 1; k < h; k++) chosen[k] = chosen[k - 1] + 1
    const next = scatterOf(rows, p, chosen.slice())
    if (next.logDeterminant < best.logDeterminant) best = next
  }
}

function consistency(share: number, p: number): number {
  return share >= 1 ? 1 : share / chiSquaredCdf(chiSquaredQuantile(share, p), p + 2)
}

function reweighted(rows: Float64Array, p: number, h: number, raw: Scatter, scaling: Scaling): Scatter {
  const n = rows.length / p
  const distances = squaredDistances(rows, p, raw)
  const share = scaling === 'median' ? 0.5 : h / n
  const scale =
    scaling === 'consistency' ? consistency(h / n, p) : (quantile(distances, share) ?? 0) / chiSquaredQuantile(share, p)
  const within = scale * chiSquaredQuantile(REWEIGHTING, p)
  const chosen = Int32Array.from({ length: n }, (_, row) => row).filter((row) => distances[row] <= within)
  return scatterOf(rows, p, chosen)
}

function squaredDistances(rows: Float64Array, p: number, { centre, lower }: Scatter): Float64Array {
  const distances = new Float64Array(rows.length / p)
  const part = new Float64Array(p)
  for (let row = 0; row < distances.length; row++) {
    let sum = 0
    for (let i = 0; i < p; i++) {
      let value = rows[row * p + i] - centre[i]
      for (let k = 0; k < i; k++) value -= lower[i * p + k] * part[k]
      part[i] = value / lower[i * p + i]
      sum += part[i] * part[i]
    }
    distances[row] = sum
  }
  return distances
}

function scatterOf(rows: Float64Array, p: number, chosen: Int32Array): Scatter {
  const size = chosen.length
  const centre = new Float64Array(p)
  for (const row of chosen) for (let j = 0; j < p; j++) centre[j] += rows[row * p + j] / size
  const covariance = new Float64Array(p * p)
  for (const row of chosen) {
    for (let i = 0; i < p; i++) {
      const from = rows[row * p + i] - centre[i]
      for (let j = 0; j <= i; j++) covariance[i * p + j] += (from * (rows[row * p + j] - centre[j])) / (size - 1)
    }
  }
  for (let i = 0; i < p; i++) for (let j = 0; j < i; j++) covariance[j * p + i] = covariance[i * p + j]
  const plain = varies(covariance, p) ? cholesky(covariance, p) : null
  const lower = plain ?? cholesky(withRidge(covariance, p), p) ?? identity(p)
  let logDeterminant = 0
  for (let i = 0; i < p; i++) logDeterminant += 2 * math.log(lower[i * p + i])
  return { rows: chosen, centre, lower, singular: plain === null, logDeterminant }
}

function varies(covariance: Float64Array, p: number): boolean {
  for (let i = 0; i < p; i++) if (!(covariance[i * p + i] > NO_VARIANCE)) return false
  return true
}

function withRidge(covariance: Float64Array, p: number): Float64Array {
  const raised = covariance.slice()
  for (let i = 0; i < p; i++) raised[i * p + i] += RIDGE
  return raised
}

/** No direction is known better than another: only reached when not even a ridge helps. */
function identity(p: number): Float64Array {
  return Float64Array.from({ length: p * p }, (_, at) => (at % (p + 1) === 0 ? 1 : 0))
}

function takeRows(rows: Float64Array, p: number, chosen: Int32Array): Float64Array {
  const taken = new Float64Array(chosen.length * p)
  for (let k = 0; k < chosen.length; k++) taken.set(rows.subarray(chosen[k] * p, (chosen[k] + 1) * p), k * p)
  return taken
}

/** Columns in which the robust covariance is the identity: L⁻¹ (x - centre), so that Euclidean distances are Mahalanobis'. */
export function whitened(columns: readonly Float64Array[], { centre, lower }: RobustCovariance): Float64Array[] {
  const p = columns.length
  const white: Float64Array[] = []
  for (let i = 0; i < p; i++) {
    const column = columns[i].map((value) => value - centre[i])
    for (let k = 0; k < i; k++)
      for (let row = 0; row < column.length; row++) column[row] -= lower[i * p + k] * white[k][row]
    white.push(column.map((value) => value / lower[i * p + i]))
  }
  return white
}

/** By bisection; the distribution function is monotone. */
export function chiSquaredQuantile(probability: number, df: number): number {
  let low = 0
  let high = 1
  while (chiSquaredCdf(high, df) < probability) high *= 2
  for (;;) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) return middle
    if (chiSquaredCdf(middle, df) < probability) low = middle
    else high = middle
  }
}
