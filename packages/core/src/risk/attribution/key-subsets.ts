import { UserError } from '../../errors.js'
import type { Context } from '../../measure.js'

/** Key sets that are looked at: all of the sizes asked for, or a random sample of them when there are too many. */
export interface KeySubsets {
  readonly subsets: readonly (readonly string[])[]
  /** How many there are in all. */
  readonly total: number
}

/**
 * All subsets of `keys` with `smallest` to `largest` members, small ones first, keys in their order; beyond `limit` a
 * sample without replacement, each subset equally likely.
 */
export function keySubsets(
  keys: readonly string[],
  { smallest, largest, limit }: { smallest: number; largest: number; limit: number },
  context: Pick<Context, 'random'>,
): KeySubsets {
  const sizes = Array.from({ length: largest - smallest + 1 }, (_, k) => smallest + k)
  const counts = sizes.map((size) => choose(keys.length, size))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total > Number.MAX_SAFE_INTEGER) throw new UserError('there are too many key sets; ask for smaller ones')
  const ranks = total <= limit ? Array.from({ length: total }, (_, rank) => rank) : sampleRanks(total, limit, context)
  return { total, subsets: ranks.map((rank) => subsetAt(keys, sizes, counts, rank)) }
}

/** Calls `visit` for each subset in turn, telling the progress; stops when the run was cancelled. */
export function overSubsets<T>(
  { subsets }: KeySubsets,
  context: Pick<Context, 'progress' | 'signal'>,
  visit: (keys: readonly string[]) => T,
): T[] {
  return subsets.map((keys, k) => {
    if (context.signal?.aborted) throw new UserError('cancelled')
    const found = visit(keys)
    context.progress(k + 1, subsets.length)
    return found
  })
}

function sampleRanks(total: number, limit: number, { random }: Pick<Context, 'random'>): number[] {
  const draw = random('key subsets')
  const chosen = new Set<number>()
  while (chosen.size < limit) chosen.add(draw.below(total))
  return [...chosen].sort((a, b) => a - b)
}

/** The subset with this place in the order: sizes ascending, then lexicographic. */
function subsetAt(
  keys: readonly string[],
  sizes: readonly number[],
  counts: readonly number[],
  rank: number,
): string[] {
  let at = 0
  while (rank >= counts[at]) rank -= counts[at++]
  const subset: string[] = []
  let left = sizes[at]
  for (let k = 0; left > 0; k++) {
    const withKey = choose(keys.length - k - 1, left - 1)
    if (rank < withKey) {
      subset.push(keys[k])
      left--
    } else rank -= withKey
  }
  return subset
}

function choose(n: number, k: number): number {
  let product = 1
  for (let i = 0; i < k; i++) product = (product * (n - i)) / (i + 1)
  return Math.round(product)
}
