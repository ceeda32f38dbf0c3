import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { normalBetween, normalCdf, normalUpper } from '../../stats/distributions.js'
import { drawNormal } from '../../stats/draws.js'
import { interquartileRange } from '../../stats/quantile.js'
import { standardDeviation } from '../../stats/sums.js'
import type { Column } from '../../table/column.js'
import { type Rounding, rounded, roundingOf } from '../../table/precision.js'
import { smoothingSpline } from './spline.js'

/**
 * Smoothing of drawn numbers, so that a synthetic record does not carry somebody's exact value.
 *
 * - `density`: normal noise with the bandwidth of Sheather and Jones (1991), kept within the range of the original (and a
 *   bandwidth above it) and rounded as the original is. One value that more than 70 % have stays, and so does the largest
 *   if it looks top-coded. The bandwidth is that of the original values, not of the draws as in synthpop, so that it is
 *   the same in all syntheses and the probability of a value is known.
 * - `rmean`: the running mean of five of the sorted draws. `spline`: a smoothing spline through them. Each draw takes the
 *   smooth value of its rank. They move ordinary values by little and lonely extremes by almost nothing: only `density`
 *   protects an exact value.
 */
export const SMOOTHINGS = ['none', 'density', 'rmean', 'spline'] as const
export type Smoothing = (typeof SMOOTHINGS)[number]

/** The noise of `density`. */
export interface Kernel {
  readonly bandwidth: number
  readonly lower: number
  readonly upper: number
  readonly rounding: Rounding
  /** Values that stay as they are. */
  readonly exempt: readonly number[]
}

const HEAPED_SHARE = 0.7
const TOP_CODED_RATIO = 10

/**
 * What the values within half a unit of a rounded one are worth under a distribution, given its probability between two
 * values; where nothing is rounded, the density there.
 */
export function roundedMass(
  value: number,
  { perUnit }: Rounding,
  between: (from: number, to: number) => number,
  density: (x: number) => number,
): number {
  if (perUnit === null) return density(value)
  const place = value * perUnit
  if (Math.abs(place - Math.round(place)) > ON_GRID * Math.max(1, Math.abs(place))) return 0
  return between(value - 0.5 / perUnit, value + 0.5 / perUnit)
}

const ON_GRID = 1e-9

/** The noise for these original values; null where they do not vary. */
export function densityKernel(column: Column, values: Float64Array): Kernel | null {
  if (values.length < 2) return null
  const sorted = values.slice().sort()
  const bandwidth = bandwidthOf(sorted)
  if (!(bandwidth > 0)) return null
  const counts = countValues(sorted)
  const exempt = counts.flatMap(({ value, count }) => (count > HEAPED_SHARE * sorted.length ? [value] : []))
  const [second, top] = counts.slice(-2)
  const topCoded = top !== undefined && top.count > (1 + TOP_CODED_RATIO) * second.count
  if (topCoded && !exempt.includes(top.value)) exempt.push(top.value)
  const largest = sorted[sorted.length - 1]
  return {
    bandwidth,
    lower: sorted[0],
    upper: topCoded ? largest : largest + bandwidth,
    rounding: roundingOf(column, values),
    exempt,
  }
}

function countValues(sorted: Float64Array): { value: number; count: number }[] {
  const counts: { value: number; count: number }[] = []
  for (const value of sorted) {
    const last = counts.at(-1)
    if (last?.value === value) last.count++
    else counts.push({ value, count: 1 })
  }
  return counts
}

export function addKernelNoise(values: Float64Array, kernel: Kernel, random: Stream): Float64Array {
  const { bandwidth, lower, upper, rounding, exempt } = kernel
  return values.map((value) => {
    const noise = drawNormal(random, 0, bandwidth)
    return exempt.includes(value) ? value : rounded(Math.min(upper, Math.max(lower, value + noise)), rounding)
  })
}

/** The sum over donors of the chance that the noise turns their value into this one. */
export function kernelMass(kernel: Kernel, donors: Float64Array, value: number): number {
  const { bandwidth, lower, upper, rounding, exempt } = kernel
  const lowest = rounded(lower, rounding)
  const highest = rounded(upper, rounding)
  let mass = 0
  for (const donor of donors) {
    if (exempt.includes(donor)) {
      if (donor === value) mass++
      continue
    }
    if (value < lowest || value > highest) continue
    // What the noise would take beyond the range lies at its ends.
    const place = (x: number) => (x < lower ? -Infinity : x >= upper ? Infinity : (x - donor) / bandwidth)
    const between = (from: number, to: number) => normalBetween(place(from), place(to))
    const density = (x: number) => {
      if (x === lower) return normalCdf((lower - donor) / bandwidth)
      if (x === upper) return normalUpper((upper - donor) / bandwidth)
      return math.exp(-(((x - donor) / bandwidth) ** 2) / 2) / (bandwidth * Math.sqrt(2 * Math.PI))
    }
    mass += roundedMass(value, rounding, between, density)
  }
  return mass
}

const WINDOW = 5

/** Each value becomes the mean of the five around its rank, of fewer at the ends. */
function runningMean(values: Float64Array, rounding: Rounding): Float64Array {
  return byRank(values, rounding, (sorted) => {
    const smooth = new Float64Array(sorted.length)
    const half = (WINDOW - 1) / 2
    for (let place = 0; place < sorted.length; place++) {
      const reach = Math.min(half, place, sorted.length - 1 - place)
      let sum = 0
      for (let k = place - reach; k <= place + reach; k++) sum += sorted[k]
      smooth[place] = sum / (2 * reach + 1)
    }
    return smooth
  })
}

function byRank(
  values: Float64Array,
  rounding: Rounding,
  smooth: (sorted: Float64Array) => Float64Array,
): Float64Array {
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b)
  const smoothed = smooth(Float64Array.from(order, (row) => values[row]))
  const result = new Float64Array(values.length)
  order.forEach((row, place) => {
    result[row] = rounded(smoothed[place], rounding)
  })
  return result
}

/** Sheather and Jones' bandwidth; Silverman's where that has no solution. */
function bandwidthOf(sorted: Float64Array): number {
  return sheatherJones(sorted) ?? silverman(sorted)
}

function silverman(values: Float64Array): number {
  const sd = standardDeviation(values) ?? 0
  const range = interquartileRange(values) / 1.34
  return 0.9 * (range > 0 ? Math.min(sd, range) : sd) * math.pow(values.length, -0.2)
}

const BINS = 1000
const SOLVED = 1e-9
const MOST_BISECTIONS = 200
const MOST_WIDENINGS = 99

/**
 * Sheather and Jones (1991), "A reliable data-based bandwidth selection method for kernel density estimation": the h that
 * solves h = (1 / (2 √π n S(α(h))))^(1/5), S an estimate of the integrated squared second derivative with a bandwidth α
 * that itself depends on h. Distances between values are counted in 1000 bins, as R's `bw.SJ` does.
 */
export function sheatherJones(sorted: Float64Array): number | null {
  const n = sorted.length
  const sd = standardDeviation(sorted)
  if (sd === null || n < 3) return null
  const range = interquartileRange(sorted) / 1.349
  const scale = range > 0 ? Math.min(sd, range) : sd
  if (!(scale > 0)) return null
  const { width, pairs } = distanceCounts(sorted)
  const functional = (h: number, atZero: number, term: (squared: number) => number, power: number) => {
    let total = 0
    for (let k = 0; k < BINS; k++) {
      const squared = ((k * width) / h) ** 2
      if (squared >= 1000) break
      total += pairs[k] * math.exp(-squared / 2) * term(squared)
    }
    return (2 * total + n * atZero) / (n * (n - 1) * math.pow(h, power) * Math.sqrt(2 * Math.PI))
  }
  const second = (h: number) => functional(h, 3, (d) => d * d - 6 * d + 3, 5)
  const third = -functional(1.23 * scale * math.pow(n, -1 / 9), -15, (d) => d * d * d - 15 * d * d + 45 * d - 15, 7)
  const alpha = 1.357 * math.pow(second(1.24 * scale * math.pow(n, -1 / 7)) / third, 1 / 7)
  if (!Number.isFinite(alpha)) return null
  const excess = (h: number) => math.pow(1 / (2 * Math.sqrt(Math.PI) * n * second(alpha * math.pow(h, 5 / 7))), 0.2) - h
  let high = 1.144 * scale * math.pow(n, -0.2)
  let low = 0.1 * high
  for (let k = 0; excess(low) * excess(high) > 0; k++) {
    if (k === MOST_WIDENINGS) return null
    if (k % 2 === 0) high *= 1.2
    else low /= 1.2
  }
  const rising = excess(high) > 0
  for (let k = 0; k < MOST_BISECTIONS && high - low > SOLVED * high; k++) {
    const middle = (low + high) / 2
    if (excess(middle) > 0 === rising) high = middle
    else low = middle
  }
  const bandwidth = (low + high) / 2
  return Number.isFinite(bandwidth) ? bandwidth : null
}

/** How many pairs of values are so many bins apart. */
function distanceCounts(sorted: Float64Array): { width: number; pairs: Float64Array } {
  const width = ((sorted[sorted.length - 1] - sorted[0]) * 1.01) / BINS
  const inBin = new Float64Array(BINS)
  for (const value of sorted) inBin[Math.floor((value - sorted[0]) / width)]++
  const pairs = new Float64Array(BINS)
  for (let i = 0; i < BINS; i++) {
    pairs[0] += (inBin[i] * (inBin[i] - 1)) / 2
    for (let j = 0; j < i; j++) pairs[i - j] += inBin[i] * inBin[j]
  }
  return { width, pairs }
}

/** The draws of a column smoothed by rank; `density` is done by its kernel. */
export function smoothByRank(
  drawn: Float64Array,
  smoothing: Exclude<Smoothing, 'none' | 'density'>,
  rounding: Rounding,
): Float64Array {
  return smoothing === 'rmean' ? runningMean(drawn, rounding) : byRank(drawn, rounding, smoothingSpline)
}
