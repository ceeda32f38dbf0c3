import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'

/**
 * Who is in the data that the outputs are computed from, and who is not. `repeated` splits the records at random in halves, again
 * and again, and takes each half once as the data; `foldfold` does the same with parts of a half, which have fewer records, so that
 * what the number of records does can be seen; `kfold` takes every fold once as those outside.
 */
export const DESIGNS = ['none', 'kfold', 'foldfold', 'repeated', 'holdout'] as const
type Design = (typeof DESIGNS)[number]

export interface Split {
  /** Both directions of a split have the same number. */
  readonly split: number
  readonly members: Int32Array
  readonly outsiders: Int32Array
}

/** Fewer records on a side than this say nothing. */
export const FEWEST_RECORDS = 50

export interface SplitPlan {
  readonly design: Design
  readonly splits: number
  readonly folds: number
  /** How often a half is halved again: 1 for quarters, 2 for eighths too. */
  readonly depth: number
}

export function splitsOf(rows: number, plan: SplitPlan, random: (purpose: string, index?: number) => Stream): Split[] {
  if (plan.design === 'none' || plan.design === 'holdout') return []
  if (plan.design === 'kfold') return folds(permutation(random('folds'), rows), plan.folds)
  const parts =
    plan.design === 'repeated' ? [2] : Array.from({ length: plan.depth + 1 }, (_, level) => 2 ** (level + 1))
  return parts
    .flatMap((part) =>
      Array.from({ length: plan.splits }, (_, k) => {
        const order = permutation(random(part === 2 ? 'halves' : `parts of ${part}`, k), rows)
        const size = Math.floor(rows / part)
        return bothWays(order.slice(0, size).sort(), order.slice(size, 2 * size).sort())
      }),
    )
    .flatMap((pair, split) => pair.map((one) => ({ ...one, split })))
}

function bothWays(a: Int32Array, b: Int32Array) {
  return [
    { members: a, outsiders: b },
    { members: b, outsiders: a },
  ]
}

/** Two folds are one split in both directions; of more, each fold is outside once. */
function folds(order: Int32Array, count: number): Split[] {
  const parts = Array.from({ length: count }, (_, k) =>
    order.slice(Math.floor((k * order.length) / count), Math.floor(((k + 1) * order.length) / count)).sort(),
  )
  if (count === 2) return bothWays(parts[0], parts[1]).map((one) => ({ ...one, split: 0 }))
  return parts.map((outsiders, split) => ({
    split,
    outsiders,
    members: Int32Array.from(parts.flatMap((part, k) => (k === split ? [] : [...part]))).sort(),
  }))
}
