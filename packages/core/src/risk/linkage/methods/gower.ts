import { math } from '@scrim/kernels'
import { z } from 'zod'
import { choice } from '../../../option-kinds.js'
import { quantileSorted } from '../../../stats/quantile.js'
import { type Costs, type KeyCost, keyCosts } from '../costs/costs.js'
import { distanceCost, type MissingMode, numbersOf } from '../costs/key-costs.js'
import { hasDistances, hasMissing, type Key, type LinkedFiles } from '../costs/linked-files.js'

/**
 * Deterministic linkage by Gower's (1971) distance with weights (distance-based record linkage, Pagliuca and Seri 1999):
 *   d_ij = Σ w_v δ_v / Σ w_v,  δ_v = |x - a| / range for numbers and places of ordered levels, [x ≠ a] for other keys,
 * 1 - Jaro-Winkler for texts and the gap / range for classes of numbers. The range is that of the original, of both files
 * together, or of the middle 98 % of the original with δ cut off at 1, so that no outlier shrinks a key.
 */
const SPANS = ['original', 'pooled', 'robust'] as const
type Span = (typeof SPANS)[number]

export const weightsOption = {
  weights: z
    .union([z.literal('information'), z.record(z.string(), z.number().min(0))])
    .default({})
    .describe(
      'deterministic, ranks: weights of keys, 1 where not given; information: log2 of 0.99 times the different values',
    ),
}

export const spanOption = {
  span: choice(SPANS, 'original').describe(
    'deterministic: range that numbers are divided by: of the original, of both files, or of the middle 98 % (robust)',
  ),
}

export interface GowerOptions {
  readonly weights: readonly number[]
  readonly missing: MissingMode
  readonly span: Span
  /** The side that is the original. */
  readonly original: 'query' | 'search'
}

export function gowerCosts(files: LinkedFiles, { weights, missing, span, original }: GowerOptions): Costs {
  return weightedCosts(files, weights, missing, (key, weight) => {
    const range = hasDistances(key) ? rangeOfKey(key, files, span, original) : 1
    return distanceCost({ key, files, weight, missing, scale: 1 / range, ...(span === 'robust' ? { cap: 1 } : {}) })
  })
}

/** The mean of the costs of keys; where missing ones are ignored, over the known ones of each pair. */
export function weightedCosts(
  files: LinkedFiles,
  weights: readonly number[],
  missing: MissingMode,
  costOf: (key: Key, weight: number) => KeyCost,
): Costs {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const divided = missing === 'ignore' && files.keys.some(hasMissing)
  const keys = files.keys.map((key, v) => costOf(key, divided ? weights[v] : weights[v] / total))
  return keyCosts(keys, files.search.classes, divided ? Float64Array.from(weights) : null)
}

function rangeOfKey(key: Key, files: LinkedFiles, span: Span, original: 'query' | 'search'): number {
  const { query, search } = numbersOf(key)
  if (span === 'robust') {
    const side = files[original]
    const values = original === 'query' ? query : search
    const rows = Float64Array.from(side.ids, (id) => values[id])
      .filter((value) => !Number.isNaN(value))
      .sort()
    return (quantileSorted(rows, 0.99) ?? 0) - (quantileSorted(rows, 0.01) ?? 0) || 1
  }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const sides = span === 'pooled' ? [query, search] : [original === 'query' ? query : search]
  for (const values of sides)
    for (const value of values) {
      if (value < low) low = value
      if (value > high) high = value
    }
  return high > low ? high - low : 1
}

/** Information weights (EpiLink, Contiero et al. 2005): log2((1 - e) · different values), e = 0.01; of the original. */
export function informationWeights(files: LinkedFiles, original: 'query' | 'search'): number[] {
  return files.keys.map((key) => {
    const known = new Set(key[original])
    known.delete(-1)
    return Math.max(0, math.log2(0.99 * Math.max(1, known.size)))
  })
}
