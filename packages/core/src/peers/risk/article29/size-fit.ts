import { math } from '@scrim/kernels'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { type IndexedTable, matcher, type Predicates } from '../../../table/predicates.js'

/**
 * anonymeter's correction for a holdout of another size than the original, for comparison only: the number of predicates
 * that single out in a table of n records is taken to be A f(n), f(n) = [1 - (n w + 1)(1 - w)^n] / (n + 1), the integral
 * of n u (1 - u)^(n - 1) over weights u from 0 to w. A and w are fitted by least squares to subsamples of the holdout,
 * and control successes are multiplied by f(n_T) / f(n_H). It extrapolates, so the factor depends on the draw.
 */
export function singlingOutIntegral(n: number, w: number): number {
  return -math.expm1(math.log1p(n * w) + n * math.log1p(-w)) / (n + 1)
}

const SIZES = 10
const REPEATS = 5
const SMALLEST = 1000

/** Null when the predicates single out nobody in any subsample. */
export function fittedSizeFactor(
  predicates: Predicates,
  holdout: IndexedTable,
  originalSize: number,
  random: Stream,
  check: () => void,
): number | null {
  const largest = holdout.rows
  const smallest = Math.min(SMALLEST, largest)
  const samples = Array.from({ length: SIZES * REPEATS }, (_, k) => {
    check()
    const size = Math.floor(smallest + ((largest - smallest) * Math.floor(k / REPEATS)) / (SIZES - 1))
    return sampleWithoutReplacement(random, largest, size)
  })
  const sizes = samples.map((sample) => sample.length)
  const successes = singledOutInEach(samples, predicates, holdout, check)
  const w = fitWeight(sizes, successes)
  return w === null ? null : singlingOutIntegral(originalSize, w) / singlingOutIntegral(largest, w)
}

const CHECK_EVERY = 256

/**
 * How many predicates single out one record of each sample. Every predicate is put to the table once: bits say which samples
 * hold a record, so that its records are counted in all of them at the same time.
 */
function singledOutInEach(
  samples: readonly Int32Array[],
  predicates: Predicates,
  table: IndexedTable,
  check: () => void,
): number[] {
  const words = Math.ceil(samples.length / 32)
  const holds = new Int32Array(table.rows * words)
  for (const [k, sample] of samples.entries()) for (const row of sample) holds[row * words + (k >>> 5)] |= 1 << (k & 31)
  const match = matcher(table)
  const found = new Int32Array(table.rows)
  const [once, again] = [new Int32Array(words), new Int32Array(words)]
  const successes = samples.map(() => 0)
  for (let q = 0; q < predicates.count; q++) {
    if (q % CHECK_EVERY === 0) check()
    const records = match(predicates, q, found)
    once.fill(0)
    again.fill(0)
    for (let i = 0; i < records; i++) {
      for (let word = 0, at = found[i] * words; word < words; word++, at++) {
        again[word] |= once[word] & holds[at]
        once[word] |= holds[at]
      }
    }
    for (let k = 0; k < samples.length; k++) successes[k] += ((once[k >>> 5] & ~again[k >>> 5]) >>> (k & 31)) & 1
  }
  return successes
}

const GRID = 400
const SMALLEST_LOG_WEIGHT = math.log(1e-10)
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The w of the best A f(n): for a given w the best A is a regression through 0, so one variable is left to search. */
export function fitWeight(sizes: readonly number[], successes: readonly number[]): number | null {
  if (!successes.some((count) => count > 0)) return null
  const misfit = (logWeight: number) => {
    const model = sizes.map((n) => singlingOutIntegral(n, Math.min(1, math.exp(logWeight))))
    const scale =
      model.reduce((total, f, i) => total + f * successes[i], 0) / model.reduce((total, f) => total + f * f, 0)
    return model.reduce((total, f, i) => total + (successes[i] - scale * f) ** 2, 0)
  }
  const step = -SMALLEST_LOG_WEIGHT / GRID
  const grid = Array.from({ length: GRID + 1 }, (_, k) => SMALLEST_LOG_WEIGHT + k * step)
  const misfits = grid.map(misfit)
  const best = grid[misfits.indexOf(Math.min(...misfits))]
  let from = best - step
  let to = Math.min(0, best + step)
  for (let round = 0; round < 60; round++) {
    const left = to - GOLDEN * (to - from)
    const right = from + GOLDEN * (to - from)
    if (misfit(left) <= misfit(right)) to = right
    else from = left
  }
  return math.exp((from + to) / 2)
}
