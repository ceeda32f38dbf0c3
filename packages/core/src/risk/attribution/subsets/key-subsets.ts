import type { Context } from '../../../measure.js'
import { whole } from '../../../option-kinds.js'
import { choose } from '../../../stats/special.js'
import { standardDeviation } from '../../../stats/sums.js'
import { throwIfAborted } from '../../../tasks/task.js'

/** Key sets that are looked at: all of the sizes asked for, or a random sample of them when there are too many. */
export interface KeySubsets {
  readonly subsets: readonly (readonly string[])[]
  /** How many there are in all. */
  readonly total: number
}

/** Fewest and most keys of a set; with fewer keys than asked for, all of them. */
export interface SubsetSizes {
  readonly min: number
  readonly max: number
}

export const sweepLimit = whole(500, { min: 1 }).describe('most key sets looked at; beyond it a random sample')

export function sizesWithin(keys: readonly string[], { min, max }: SubsetSizes): SubsetSizes {
  return { min: Math.min(min, keys.length), max: Math.min(max, keys.length) }
}

/** What is wrong with a sweep over sets of these sizes. */
export function sweepProblems(keys: readonly string[], sizes: SubsetSizes): string[] {
  if (sizes.min > sizes.max) return [`there is no key set of ${sizes.min} to ${sizes.max} keys`]
  return countBySize(keys, sizesWithin(keys, sizes)).total > Number.MAX_SAFE_INTEGER
    ? ['there are too many key sets; ask for smaller ones']
    : []
}

/**
 * All subsets of `keys` with `min` to `max` members, small ones first, keys in their order; beyond `limit` a sample without
 * replacement, each subset equally likely.
 */
export function keySubsets(
  keys: readonly string[],
  within: SubsetSizes,
  limit: number,
  context: Pick<Context, 'random'>,
): KeySubsets {
  const { sizes, counts, total } = countBySize(keys, within)
  const ranks = total <= limit ? Array.from({ length: total }, (_, rank) => rank) : sampleRanks(total, limit, context)
  return { total, subsets: ranks.map((rank) => subsetAt(keys, sizes, counts, rank)) }
}

function countBySize(keys: readonly string[], { min, max }: SubsetSizes) {
  const sizes = Array.from({ length: max - min + 1 }, (_, k) => min + k)
  const counts = sizes.map((size) => choose(keys.length, size))
  return { sizes, counts, total: counts.reduce((sum, count) => sum + count, 0) }
}

/** Calls `visit` for each subset in turn, telling the progress; stops when the run was cancelled. */
export function overSubsets<T>(
  { subsets }: KeySubsets,
  context: Pick<Context, 'progress' | 'signal'>,
  visit: (keys: readonly string[]) => T,
): T[] {
  return subsets.map((keys, k) => {
    throwIfAborted(context.signal)
    const visited = visit(keys)
    context.progress(k + 1, subsets.length)
    return visited
  })
}

/** What is said where only some of the key sets were looked at. */
export function sampledWarning({ subsets, total }: KeySubsets): string[] {
  return total > subsets.length ? [`${subsets.length} of ${total} key sets were looked at, drawn at random`] : []
}

/** One key set and a figure of it. */
export interface SubsetValue {
  readonly keys: readonly string[]
  readonly value: number | null
}

/** A figure over the key sets that have it. */
export function summarise(values: readonly SubsetValue[]) {
  const known = values.flatMap(({ value }) => value ?? [])
  return {
    mean: meanOf(known),
    sd: standardDeviation(known),
    min: known.length === 0 ? null : Math.min(...known),
    max: known.length === 0 ? null : Math.max(...known),
    undefinedCount: values.length - known.length,
  }
}

/** Sets of each size, in the order of the sweep. */
export function bySize<T extends { readonly keys: readonly string[] }>(subsets: readonly T[]) {
  const sizes = [...new Set(subsets.map(({ keys }) => keys.length))]
  return sizes.map((size) => ({ size, subsets: subsets.filter(({ keys }) => keys.length === size) }))
}

/** Mean over those that are known. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
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
