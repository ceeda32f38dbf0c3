import { math } from '@scrim/kernels'
/**
 * Random draws. Every function takes the stream first and uses exact methods (no normal approximations); only
 * arithmetic, sqrt, log and exp are used, so that a seed means the same draws on every engine that shares those.
 */

import type { Stream } from '../random/stream.js'
import { hypergeometricPmf, normalCdf, normalQuantile } from './distributions.js'
import { sharesOfLogs } from './log-scale.js'
import { binomialTerm, poissonTerm } from './special.js'
import { total } from './sums.js'

/** Below this mean, counting up from 0 is faster than rejection, and the rejection constants do not hold. */
const SMALL_MEAN = 10
/** Probabilities this small are below the resolution of a uniform; counting up ends there. */
const NEGLIGIBLE = 2 ** -60
/** Further out than this many standard deviations, tail areas come near the smallest double. */
const FAR_TAIL = 30

/** Normal, by inversion: one uniform, one draw. */
export function drawNormal(stream: Stream, mean = 0, sd = 1): number {
  return mean + sd * normalQuantile(stream.openUniform())
}

/**
 * Normal given that it lies in [lower, upper], either of which may be infinite. By inversion in the tail where the
 * interval lies, so no digits are lost; beyond 30 standard deviations by Marsaglia's tail method.
 */
export function drawTruncatedNormal(stream: Stream, mean: number, sd: number, lower: number, upper: number): number {
  if (!(lower <= upper)) throw new RangeError(`cannot draw between ${lower} and ${upper}`)
  if (sd === 0) return clamp(mean, lower, upper)
  const from = (lower - mean) / sd
  const to = (upper - mean) / sd
  const standard = from > 0 ? -truncatedBelow(stream, -to, -from) : truncatedBelow(stream, from, to)
  return clamp(mean + sd * standard, lower, upper)
}

/** Exponential with the given rate: -log(u) / rate. */
export function drawExponential(stream: Stream, rate = 1): number {
  return -math.log(stream.openUniform()) / rate
}

/** Gamma with shape > 0 and scale. Marsaglia and Tsang (2000), "A simple method for generating gamma variables". */
export function drawGamma(stream: Stream, shape: number, scale = 1): number {
  return shape >= 1 ? scale * gammaFromOne(stream, shape) : scale * math.exp(logGammaDraw(stream, shape))
}

/** Dirichlet: gammas divided by their sum, on the log scale so that tiny concentrations do not give 0 / 0. */
export function drawDirichlet(stream: Stream, concentrations: ArrayLike<number>): Float64Array {
  const shares = Float64Array.from(concentrations, (concentration) => logGammaDraw(stream, concentration))
  sharesOfLogs(shares)
  return shares
}

/**
 * Poisson. From a mean of 10 on by PTRS of Hörmann (1993), "The transformed rejection method for generating Poisson
 * random variables"; below by inversion.
 */
export function drawPoisson(stream: Stream, mean: number): number {
  if (!(mean >= 0 && mean < Infinity)) throw new RangeError(`a Poisson mean cannot be ${mean}`)
  return mean < SMALL_MEAN ? poissonByInversion(stream, mean) : poissonByRejection(stream, mean)
}

/**
 * Successes in n trials. From a mean of 10 on by BTRS of Hörmann (1993), "The generation of binomial random variates";
 * below by inversion. Constant time in n.
 */
export function drawBinomial(stream: Stream, n: number, probability: number): number {
  if (!(n >= 0 && probability >= 0 && probability <= 1)) {
    throw new RangeError(`cannot draw a binomial with n = ${n} and probability ${probability}`)
  }
  if (probability > 0.5) return n - drawBinomial(stream, n, 1 - probability)
  if (n === 0 || probability === 0) return 0
  const small = n * probability < SMALL_MEAN
  return small ? binomialByInversion(stream, n, probability) : binomialByRejection(stream, n, probability)
}

/**
 * Marked ones among `draws` drawn without replacement from a population with `marked` marked ones: by inversion from the mode
 * outwards, whose terms follow from each other, in as many steps as the standard deviation.
 */
export function drawHypergeometric(stream: Stream, population: number, marked: number, draws: number): number {
  const least = Math.max(0, draws - (population - marked))
  const most = Math.min(marked, draws)
  if (least === most) return least
  const mode = Math.min(most, Math.max(least, Math.floor(((draws + 1) * (marked + 1)) / (population + 2))))
  const up = (k: number) => ((marked - k) * (draws - k)) / ((k + 1) * (population - marked - draws + k + 1))
  let left = stream.uniform()
  let [low, high] = [mode, mode]
  let [below, above] = Array<number>(2).fill(hypergeometricPmf(mode, population, marked, draws))
  left -= below
  while (left >= 0) {
    const [goesDown, goesUp] = [low > least && below > NEGLIGIBLE, high < most && above > NEGLIGIBLE]
    if (!goesDown && !goesUp) break
    if (goesDown) {
      below /= up(--low)
      left -= below
      if (left < 0) return low
    }
    if (goesUp) {
      above *= up(high++)
      left -= above
      if (left < 0) return high
    }
  }
  return mode
}

/** How many of each kind are among `size` records drawn without replacement from so many of each: hypergeometric, one kind given the last. */
export function drawWithoutReplacement(stream: Stream, records: ArrayLike<number>, size: number): Float64Array {
  let [left, wanted] = [total(records), size]
  return Float64Array.from(records, (here) => {
    const drawn = drawHypergeometric(stream, left, here, wanted)
    left -= here
    wanted -= drawn
    return drawn
  })
}

/** How n trials fall on categories with the given weights (they need not sum to 1): binomials, one given the last. */
export function drawMultinomial(stream: Stream, n: number, weights: ArrayLike<number>): Int32Array {
  const counts = new Int32Array(weights.length)
  const weightFrom = sumsFrom(weights)
  if (n > 0 && !(weightFrom[0] > 0)) throw new RangeError('weights must have a positive sum')
  let left = n
  for (let i = 0; i < weights.length && left > 0; i++) {
    if (weightFrom[i] === 0) break
    counts[i] = drawBinomial(stream, left, weights[i] / weightFrom[i])
    left -= counts[i]
  }
  return counts
}

/** Weights made ready for drawing categories in constant time. */
export interface AliasTable {
  readonly keep: Float64Array
  readonly alias: Int32Array
}

/** Vose (1991), "A linear algorithm for generating random numbers with a given distribution". */
export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const total = sumsFrom(weights)[0]
  if (!(total > 0 && total < Infinity)) throw new RangeError('weights must have a positive, finite sum')
  const keep = Float64Array.from(weights, (weight) => (weight / total) * weights.length)
  const alias = new Int32Array(keep.length).fill(indexOfLargest(keep))
  const poor: number[] = []
  const rich: number[] = []
  for (let i = 0; i < keep.length; i++) (keep[i] < 1 ? poor : rich).push(i)
  for (let from = poor.pop(), to = rich.pop(); from !== undefined && to !== undefined; from = poor.pop()) {
    alias[from] = to
    keep[to] -= 1 - keep[from]
    if (keep[to] >= 1) continue
    poor.push(to)
    to = rich.pop()
  }
  return { keep, alias }
}

/** A category with probability proportional to its weight. */
export function drawCategory(stream: Stream, table: AliasTable): number {
  const i = stream.below(table.keep.length)
  return stream.uniform() < table.keep[i] ? i : table.alias[i]
}

/** Standard normal within [from, to] where from <= 0 or the interval lies in the lower half. */
function truncatedBelow(stream: Stream, from: number, to: number): number {
  if (to < -FAR_TAIL) return -farTail(stream, -to, -from)
  const area = normalCdf(from)
  return clamp(normalQuantile(area + stream.openUniform() * (normalCdf(to) - area)), from, to)
}

/**
 * Standard normal within [from, to], from far out. Marsaglia (1964), "Generating a variable from the tail of the normal
 * distribution": √(from² - 2 log u) accepted with probability from / x, u cut so that x <= to.
 */
function farTail(stream: Stream, from: number, to: number): number {
  const beyond = math.exp(0.5 * (from - to) * (from + to))
  for (;;) {
    const u = beyond + stream.openUniform() * (1 - beyond)
    const x = Math.sqrt(from * from - 2 * math.log(u))
    if (stream.uniform() * x <= from) return clamp(x, from, to)
  }
}

function gammaFromOne(stream: Stream, shape: number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = drawNormal(stream)
    const t = 1 + c * x
    if (t <= 0) continue
    const v = t * t * t
    const u = stream.openUniform()
    const square = x * x
    if (u < 1 - 0.0331 * square * square) return d * v
    if (math.log(u) < 0.5 * square + d * (1 - v + math.log(v))) return d * v
  }
}

/** Logarithm of a gamma draw; below shape 1 by the boost Gamma(shape + 1) u^(1 / shape), which may underflow itself. */
function logGammaDraw(stream: Stream, shape: number): number {
  if (!(shape > 0 && shape < Infinity)) throw new RangeError(`a gamma shape must be positive, but it is ${shape}`)
  if (shape >= 1) return math.log(gammaFromOne(stream, shape))
  return math.log(gammaFromOne(stream, shape + 1)) + math.log(stream.openUniform()) / shape
}

function poissonByInversion(stream: Stream, mean: number): number {
  let term = math.exp(-mean)
  let u = stream.openUniform()
  let k = 0
  while (u > term && term > NEGLIGIBLE) {
    u -= term
    k++
    term *= mean / k
  }
  return k
}

function poissonByRejection(stream: Stream, mean: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean)
  const a = -0.059 + 0.02483 * b
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
  const squeeze = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = stream.openUniform() - 0.5
    const v = stream.openUniform()
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43)
    if (us >= 0.07 && v <= squeeze) return k
    if (k < 0 || (us < 0.013 && v > us)) continue
    if ((v * inverseAlpha) / (a / (us * us) + b) <= poissonTerm(k, mean)) return k
  }
}

function binomialByInversion(stream: Stream, n: number, p: number): number {
  const odds = p / (1 - p)
  let term = math.exp(n * math.log1p(-p))
  let u = stream.openUniform()
  let k = 0
  while (u > term && term > NEGLIGIBLE) {
    u -= term
    k++
    term *= (odds * (n - k + 1)) / k
  }
  return k
}

function binomialByRejection(stream: Stream, n: number, p: number): number {
  const q = 1 - p
  const spread = Math.sqrt(n * p * q)
  const b = 1.15 + 2.53 * spread
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const alpha = (2.83 + 5.1 / b) * spread
  const squeeze = 0.92 - 4.2 / b
  const mode = Math.floor((n + 1) * p)
  const atMode = binomialTerm(mode, n - mode, p, q)
  for (;;) {
    const u = stream.openUniform() - 0.5
    const v = stream.openUniform()
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + n * p + 0.5)
    if (us >= 0.07 && v <= squeeze) return k
    if (k < 0 || k > n) continue
    if (((v * alpha) / (a / (us * us) + b)) * atMode <= binomialTerm(k, n - k, p, q)) return k
  }
}

function indexOfLargest(values: Float64Array): number {
  let largest = 0
  for (let i = 1; i < values.length; i++) if (values[i] > values[largest]) largest = i
  return largest
}

/** Element i is the sum from i to the end, so that the last category with weight has share exactly 1. */
function sumsFrom(weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(weights.length + 1)
  for (let i = weights.length - 1; i >= 0; i--) {
    if (!(weights[i] >= 0)) throw new RangeError(`weight ${i} is ${weights[i]}; weights cannot be negative`)
    sums[i] = sums[i + 1] + weights[i]
  }
  return sums
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, value))
}
