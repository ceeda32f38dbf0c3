import { ascendingOrder, longFloat64, math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { drawNormal } from '../draws.js'
import { joined } from '../joined.js'
import { type Repeated, recordsOf } from '../repeated.js'
import { sum } from '../sums.js'

/** Numbers in ascending order without missing ones, each of one record, or of as many as `times` says. */
export interface Sample extends Repeated {
  /** Of a record with the value; null when all weigh the same. */
  readonly weights: Float64Array | null
  /** Of all records with the value; null where that is 1 for each. */
  readonly mass: ArrayLike<number> | null
  /** Σ w, the number of records without weights. */
  readonly total: number
}

interface Weighing {
  readonly weights: Float64Array | null
  readonly times: Int32Array | null
}

const sortedOnce = new WeakMap<Float64Array, Weighing & { readonly sample: Sample }>()

/** Missing numbers and those of weight 0 are left out. A column is sorted once for all that look at it; it must not change. */
export function sampleOf(
  values: Float64Array,
  weights: Float64Array | null = null,
  times: Int32Array | null = null,
): Sample {
  const before = sortedOnce.get(values)
  if (before !== undefined && before.weights === weights && before.times === times) return before.sample
  const sample = weights === null && times === null ? plain(values) : weighed(values, { weights, times })
  sortedOnce.set(values, { weights, times, sample })
  return sample
}

function plain(values: Float64Array): Sample {
  const known = withoutMissing(values).sort()
  return { values: known, weights: null, times: null, mass: null, total: known.length }
}

function weighed(values: Float64Array, { weights, times }: Weighing): Sample {
  const order = ascendingOrder(values).filter((row) => weights === null || weights[row] > 0)
  const weightsInOrder = weights && Float64Array.from(order, (row) => weights[row])
  const timesInOrder = times && Int32Array.from(order, (row) => times[row])
  const mass = massOf(weightsInOrder, timesInOrder)
  return {
    values: Float64Array.from(order, (row) => values[row]),
    weights: weightsInOrder,
    times: timesInOrder,
    mass,
    total: mass === null ? order.length : sum(mass),
  }
}

/** What a row weighs that stands for several records. */
export function massOf(weights: Float64Array | null, times: Int32Array | null): Float64Array | Int32Array | null {
  return weights !== null && times !== null ? weights.map((weight, row) => weight * times[row]) : (weights ?? times)
}

/** Only some of the values. */
export function samplePart(sample: Sample, isIn: (value: number) => boolean): Sample {
  const { values, weights, times } = sample
  const cut = <Numbers extends Float64Array | Int32Array>(numbers: Numbers | null) =>
    numbers && (numbers.filter((_, k) => isIn(values[k])) as Numbers)
  return sampleOf(values.filter(isIn), cut(weights), cut(times))
}

function withoutMissing(values: Float64Array): Float64Array {
  const known = longFloat64(values.length)
  let count = 0
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) known[count++] = values[row]
  return known.subarray(0, count)
}

/** (Σ w)² / Σ w²: as many equal weights give a mean of the same variance (Kish 1965). */
export function effectiveSize({ weights, times, total }: Sample): number {
  if (weights === null) return total
  const squares = sum(
    weights.map((weight) => weight * weight),
    times,
  )
  return squares === 0 ? 0 : (total * total) / squares
}

/**
 * Two samples on one axis: their distinct values z_1 < ... < z_r, and the shares F(z_k) and G(z_k) of each at or below.
 * One sort and one walk serve Kolmogorov's, Wasserstein's and Cramér's distance, exactly, whatever the sizes, ties and weights.
 */
export interface MergedSamples {
  readonly z: Float64Array
  readonly f: Float64Array
  readonly g: Float64Array
  /** Effective sizes. */
  readonly m: number
  readonly n: number
}

/** Null when one of the samples is empty. */
export function mergeSamples(x: Sample, y: Sample): MergedSamples | null {
  if (x.total === 0 || y.total === 0) return null
  const most = x.values.length + y.values.length
  const [z, f, g] = [longFloat64(most), longFloat64(most), longFloat64(most)]
  let [i, j, below, belowY, count] = [0, 0, 0, 0, 0]
  while (i < x.values.length || j < y.values.length) {
    const value = Math.min(x.values[i] ?? Number.POSITIVE_INFINITY, y.values[j] ?? Number.POSITIVE_INFINITY)
    for (; x.values[i] === value; i++) below += x.mass === null ? 1 : x.mass[i]
    for (; y.values[j] === value; j++) belowY += y.mass === null ? 1 : y.mass[j]
    z[count] = value
    f[count] = i === x.values.length ? 1 : below / x.total
    g[count++] = j === y.values.length ? 1 : belowY / y.total
  }
  return {
    z: z.subarray(0, count),
    f: f.subarray(0, count),
    g: g.subarray(0, count),
    m: effectiveSize(x),
    n: effectiveSize(y),
  }
}

/** Kolmogorov and Smirnov's D = max |F - G|, and where. */
export function largestGap({ z, f, g }: MergedSamples): { readonly d: number; readonly at: number } {
  let d = 0
  let at = z[0]
  for (let k = 0; k < z.length; k++) {
    const gap = Math.abs(f[k] - g[k])
    if (gap > d) [d, at] = [gap, z[k]]
  }
  return { d, at }
}

/** W₁ = ∫ |F - G| dx, the least mean distance over which one sample can be moved to become the other. */
export function wasserstein({ z, f, g }: MergedSamples): number {
  let area = 0
  for (let k = 0; k + 1 < z.length; k++) area += Math.abs(f[k] - g[k]) * (z[k + 1] - z[k])
  return area
}

/**
 * E W₁ of two samples of these sizes from one distribution, √(2 (1/m + 1/n) / π) ∫ √(F̄ (1 - F̄)) dx with F̄ of both together:
 * √(1/m + 1/n) times the mean absolute value of a Brownian bridge.
 */
export function expectedWasserstein(merged: MergedSamples): number {
  const { z, m, n } = merged
  let area = 0
  for (let k = 0; k + 1 < z.length; k++) {
    const share = pooledShare(merged, k)
    area += Math.sqrt(share * (1 - share)) * (z[k + 1] - z[k])
  }
  return Math.sqrt((2 * (1 / m + 1 / n)) / Math.PI) * area
}

function pooledShare({ f, g, m, n }: MergedSamples, k: number): number {
  return Math.min(1, (m * f[k] + n * g[k]) / (m + n))
}

/** Points at which a bridge is drawn; more distinct values are thinned to about this many. */
const BRIDGE_POINTS = 200

/**
 * What D and W₁ of two samples from one distribution would be: draws of √(1/m + 1/n) |B(F̄(z))|, B a Brownian bridge at the
 * shares that these values have in both samples together. Ties are kept as they are, so that the test is right for whole
 * numbers and heaped values too, where the tables of Kolmogorov are far too cautious.
 */
export function bridgeDraws(merged: MergedSamples, random: Stream, draws: number) {
  const { z, m, n } = merged
  const places = thinned(merged)
  const shares = Float64Array.from(places, (k) => pooledShare(merged, k))
  const widths = Float64Array.from(places, (k, at) => (at + 1 < places.length ? z[places[at + 1]] - z[k] : 0))
  const scale = Math.sqrt(1 / m + 1 / n)
  const [d, w] = [new Float64Array(draws), new Float64Array(draws)]
  for (let draw = 0; draw < draws; draw++) {
    let [at, value] = [0, 0]
    for (let k = 0; k < shares.length; k++) {
      const left = 1 - at
      if (left <= 0) break
      const step = shares[k] - at
      const spread = (step * (left - step)) / left
      value = value * ((left - step) / left) + (spread > 0 ? Math.sqrt(spread) * drawNormal(random) : 0)
      at = shares[k]
      const gap = Math.abs(value) * scale
      if (gap > d[draw]) d[draw] = gap
      w[draw] += gap * widths[k]
    }
  }
  return { d, w }
}

/** Places among the distinct values, about evenly spaced by share; all of them when there are few. */
function thinned(merged: MergedSamples): Int32Array {
  const { z } = merged
  if (z.length <= BRIDGE_POINTS) return Int32Array.from(z, (_, k) => k)
  const places: number[] = []
  let next = 0
  for (let k = 0; k < z.length; k++) {
    const share = pooledShare(merged, k)
    if (share < next && k + 1 < z.length) continue
    places.push(k)
    next = (Math.floor(share * BRIDGE_POINTS) + 1) / BRIDGE_POINTS
  }
  return Int32Array.from(places)
}

/** The exact p-value counts paths over m n points; with more of them the limit is used. */
const MOST_PATHS = 10_000

/**
 * P(D >= d) for two samples from one distribution. Exact for few values: of all orders of the m + n labels the share whose
 * path stays inside, looked at where values change only, so that ties count (Schröer and Trenkler 1995). Otherwise
 * Kolmogorov's limit 2 Σ (-1)^(k-1) exp(-2 k² d² m n / (m + n)), which is cautious when there are ties.
 */
export function smirnovP({ d, m, n }: { d: number; m: number; n: number }, ends?: Uint8Array): number {
  return Number.isInteger(m) && Number.isInteger(n) && m * n < MOST_PATHS
    ? 1 - pathsInside(d, m, n, ends)
    : kolmogorovTail(d * Math.sqrt((m * n) / (m + n)))
}

/** By rank of the pooled values, from 1: whether the next one is another value. */
export function tieEnds(x: Sample, y: Sample): Uint8Array {
  const pooled = joined([recordByRecord(x), recordByRecord(y)]).sort()
  const ends = new Uint8Array(pooled.length + 1).fill(1)
  for (let k = 1; k < pooled.length; k++) ends[k] = pooled[k] === pooled[k - 1] ? 0 : 1
  // Element k says whether the first k values end a run of equal ones.
  return ends
}

function recordByRecord(sample: Sample): Float64Array {
  const { values, times } = sample
  if (times === null) return values
  const each = new Float64Array(recordsOf(sample))
  for (let k = 0, at = 0; k < values.length; at += times[k++]) each.fill(values[k], at, at + times[k])
  return each
}

function pathsInside(d: number, m: number, n: number, ends: Uint8Array | undefined): number {
  const limit = (Math.floor(d * m * n - 1e-7) + 0.5) / (m * n)
  const outside = (i: number, j: number) => Math.abs(i / m - j / n) > limit && (ends === undefined || ends[i + j] === 1)
  const inside = new Float64Array(n + 1)
  for (let i = 0; i <= m; i++) {
    for (let j = 0; j <= n; j++) {
      if (i + j === 0) inside[0] = 1
      else if (outside(i, j)) inside[j] = 0
      else inside[j] = (i * (i > 0 ? inside[j] : 0) + (j > 0 ? j * inside[j - 1] : 0)) / (i + j)
    }
  }
  return Math.min(1, inside[n])
}

function kolmogorovTail(lambda: number): number {
  if (lambda < 0.2) return 1
  let total = 0
  for (let k = 1; k <= 100; k++) {
    const term = math.exp(-2 * k * k * lambda * lambda)
    total += k % 2 === 1 ? term : -term
    if (term < 1e-17) break
  }
  return Math.min(1, Math.max(0, 2 * total))
}
