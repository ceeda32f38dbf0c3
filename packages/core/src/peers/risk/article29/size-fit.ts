import { math } from '@scrim/kernels'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import {
  countSingledOut,
  type IndexedTable,
  indexTable,
  type Predicates,
} from '../../../risk/article29/predicates/predicates.js'

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
  const sizes: number[] = []
  const successes: number[] = []
  for (let k = 0; k < SIZES * REPEATS; k++) {
    check()
    const size = Math.floor(smallest + ((largest - smallest) * Math.floor(k / REPEATS)) / (SIZES - 1))
    const rows = sampleWithoutReplacement(random, largest, size)
    sizes.push(size)
    successes.push(countSingledOut(predicates, indexTable('', holdout.columns, rows)))
  }
  const w = fitWeight(sizes, successes)
  return w === null ? null : singlingOutIntegral(originalSize, w) / singlingOutIntegral(largest, w)
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
