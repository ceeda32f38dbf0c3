import { math } from '@scrim/kernels'
import type { Options } from '../l-diversity.js'
import { emptyRuns, readRuns, type SensitiveClasses } from './sensitive.js'

/** Measures of how many different values a class holds: distinct, by entropy, and recursive (c, l). */
export const ENTROPY_TOLERANCE = 1e-9

export const NEARLY_ALL_DIFFERENT = 0.9

export type Diversity = ReturnType<typeof diversity>

/** The figures of each class, from the counts of its values. */
export function diversity(classes: SensitiveClasses, weights: Float64Array | null, { l, c }: Pick<Options, 'l' | 'c'>) {
  const { rows, start, values, times, count: classCount } = classes
  const distinct = new Float64Array(classCount)
  const entropy = new Float64Array(classCount)
  const entropyL = new Float64Array(classCount)
  const recursiveL = new Float64Array(classCount)
  /** 1 where the class is recursive(c, l). */
  const isRecursive = new Uint8Array(classCount)
  /** Infinity where a class has fewer than l values. */
  const cNeeded = new Float64Array(classCount)
  const runs = emptyRuns(classes)
  const counts = runs.weights
  for (let j = 0; j < classCount; j++) {
    readRuns(runs, rows, start[j], start[j + 1], values.codes, weights ?? times)
    const m = runs.count
    sortDescending(counts, m)
    distinct[j] = m
    entropy[j] = entropyOf(counts, m, runs.total)
    entropyL[j] = Math.min(m, math.exp(entropy[j]))
    recursiveL[j] = largestRecursive(counts, m, c)
    const tail = tailSum(counts, m, l)
    isRecursive[j] = counts[0] < c * tail ? 1 : 0
    cNeeded[j] = m < l ? Number.POSITIVE_INFINITY : counts[0] / tail
  }
  return { distinct, entropy, entropyL, recursiveL, isRecursive, cNeeded }
}

const INSERTION_SORT_LIMIT = 24

/** Classes have few values: insertion beats a general sort and allocates nothing. */
function sortDescending(counts: Float64Array, m: number): void {
  if (m > INSERTION_SORT_LIMIT) {
    counts.subarray(0, m).sort().reverse()
    return
  }
  for (let i = 1; i < m; i++) {
    const value = counts[i]
    let k = i - 1
    for (; k >= 0 && counts[k] < value; k--) counts[k + 1] = counts[k]
    counts[k + 1] = value
  }
}

function entropyOf(counts: Float64Array, m: number, total: number): number {
  let entropy = 0
  for (let i = 0; i < m; i++) {
    const share = counts[i] / total
    entropy -= share * math.log(share)
  }
  return entropy + 0
}

/** r_l + ... + r_m. */
function tailSum(counts: Float64Array, m: number, l: number): number {
  let tail = 0
  for (let i = m - 1; i >= l - 1; i--) tail += counts[i]
  return tail
}

/** The largest l >= 2 with r_1 < c (r_l + ... + r_m), or 1. */
function largestRecursive(counts: Float64Array, m: number, c: number): number {
  let tail = 0
  for (let l = m; l >= 2; l--) {
    tail += counts[l - 1]
    if (counts[0] < c * tail) return l
  }
  return 1
}
