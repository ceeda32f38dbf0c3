import { shuffleFront } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { chiSquaredUpper } from '../../stats/distributions.js'
import { drawWithoutReplacement } from '../../stats/draws.js'
import { total } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests/tests.js'

const FEW = 5

/**
 * Whether the counts of a table could be those of two samples of one population: Pearson's X² of the 2 x K table,
 *   X² = Σ N (s/n₂ - o/n₁)² n₁ n₂ / (N (o + s))  ~ χ² with K - 1 degrees of freedom,
 * finite also where a cell is empty in one file. And what distances chance alone makes, for u = 1/m where the release is
 * drawn from a correct model of the original and u = 1/n + 1/m for two samples, p the pooled share of a cell:
 *   E[TV] = Σ √(p (1 - p) u) / √(2π),   E[Hellinger²] = (K - 1) u / 8
 * Given are records per cell; cells empty in both files do not occur.
 */
export function twoSample(original: Float64Array, released: Float64Array) {
  const statistic = pearson(original, released)
  const [n1, n2] = [total(original), total(released)]
  const df = original.length - 1
  let sparse = 0
  let newCells = 0
  let lostCells = 0
  for (let cell = 0; cell < original.length; cell++) {
    if (original[cell] + released[cell] < FEW) sparse++
    if (original[cell] === 0) newCells++
    if (released[cell] === 0) lostCells++
  }
  return {
    statistic,
    df,
    p: df === 0 ? 1 : chiSquaredUpper(statistic, df),
    /** √(X² / N): what remains when files grow. */
    effect: Math.sqrt(statistic / (n1 + n2)),
    /** Share of cells with fewer than five records in both files together; above a fifth p is not to be trusted. */
    sparse: sparse / original.length,
    /** Cells that only one file has. */
    newCells,
    lostCells,
  }
}

/** A χ² approximation is not to be trusted where more than this share of the cells is sparse (Cochran 1954). */
export const MOST_SPARSE = 0.2
/** Records that are dealt out in all; large files get fewer simulations. */
const MOST_DEALT = 2e7
const FEWEST_SIMULATIONS = 99

/**
 * p of X² without the χ² distribution: the records of both files together are dealt out anew into files of these sizes, and
 * (1 + b) / (1 + B) of the B dealings are at least as far apart. Counts are whole numbers.
 */
export function simulatedP(
  original: Float64Array,
  released: Float64Array,
  random: Stream,
  simulations: number,
): number {
  const [n1, n2] = [total(original), total(released)]
  const observed = pearson(original, released) * (1 - 1e-12)
  const all = original.map((records, cell) => records + released[cell])
  if (isManyToDeal(all)) {
    const few = Array.from({ length: Math.min(simulations, FEWEST_SIMULATIONS) }, () => {
      const first = drawWithoutReplacement(random, all, n1)
      return pearson(
        first,
        all.map((records, cell) => records - first[cell]),
      )
    })
    return permutationPValue(observed, few)
  }
  const cellOf = new Int32Array(n1 + n2)
  let at = 0
  for (let cell = 0; cell < original.length; cell++) {
    const records = original[cell] + released[cell]
    cellOf.fill(cell, at, at + records)
    at += records
  }
  const draws = Math.min(simulations, Math.max(FEWEST_SIMULATIONS, Math.floor(MOST_DEALT / cellOf.length)))
  const smaller = Math.min(n1, n2)
  const [dealt, rest] = [new Float64Array(original.length), new Float64Array(original.length)]
  const results = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    dealt.fill(0)
    shuffleFront(random, cellOf, smaller)
    for (let k = 0; k < smaller; k++) dealt[cellOf[k]]++
    for (let cell = 0; cell < rest.length; cell++) rest[cell] = original[cell] + released[cell] - dealt[cell]
    results[draw] = pearson(dealt, rest)
  }
  return permutationPValue(observed, results)
}

/** Whether there are too many records to be dealt out one by one. */
export function isManyToDeal(records: Float64Array): boolean {
  return total(records) > MOST_DEALT
}

export function pearson(original: Float64Array, released: Float64Array): number {
  const [n1, n2] = [total(original), total(released)]
  let sum = 0
  for (let cell = 0; cell < original.length; cell++) {
    const difference = released[cell] / n2 - original[cell] / n1
    sum += (difference * difference) / (original[cell] + released[cell])
  }
  return n1 * n2 * sum
}

export function totalVariation(original: Float64Array, released: Float64Array): number {
  const [n1, n2] = [total(original), total(released)]
  let sum = 0
  for (let cell = 0; cell < original.length; cell++) sum += Math.abs(released[cell] / n2 - original[cell] / n1)
  return sum / 2
}

export function hellingerDistance(original: Float64Array, released: Float64Array): number {
  const [n1, n2] = [total(original), total(released)]
  let sum = 0
  for (let cell = 0; cell < original.length; cell++)
    sum += (Math.sqrt(released[cell] / n2) - Math.sqrt(original[cell] / n1)) ** 2
  return Math.sqrt(sum / 2)
}

/** @param u sampling variance of a share p (1 - p): 1/m, or 1/n + 1/m */
export function expectedTotalVariation(original: Float64Array, released: Float64Array, u: number): number {
  const n = total(original) + total(released)
  let sum = 0
  for (let cell = 0; cell < original.length; cell++) {
    const p = (original[cell] + released[cell]) / n
    sum += Math.sqrt(p * (1 - p) * u)
  }
  return sum / Math.sqrt(2 * Math.PI)
}
