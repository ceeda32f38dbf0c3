import { shared } from '@scrim/kernels'

/** So many ascending lists, each of the k least numbers that were found; infinite where fewer were. */
export interface Lists {
  readonly lists: number
  readonly k: number
  /** Whether equal numbers are one, in whichever parts they were found. */
  readonly isDistinct?: boolean
}

/** Lists side by side, before anything was found. */
export function nothingFound(groups: readonly Lists[]): Float64Array {
  const room = groups.reduce((sum, { lists, k }) => sum + lists * k, 0)
  return shared(new Float64Array(room).fill(Number.POSITIVE_INFINITY))
}

/** Lists as long, with nothing in them. */
export function noneLike(lists: Float64Array): Float64Array {
  return new Float64Array(lists.length).fill(Number.POSITIVE_INFINITY)
}

/** Puts a number into a list as often as it was found, where it is less than the last one. */
export function insert(list: Float64Array, value: number, times = 1): void {
  for (let copy = 0; copy < times && value < list[list.length - 1]; copy++) {
    let at = list.length - 1
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1]
    list[at] = value
  }
}

/** The least of what was found in different parts. */
export function leastOf(groups: readonly Lists[], parts: readonly Float64Array[]): Float64Array {
  const [first, ...others] = parts
  const least = shared(first.slice())
  let start = 0
  for (const { lists, k, isDistinct = false } of groups)
    for (let list = 0; list < lists; list++, start += k) {
      const own = least.subarray(start, start + k)
      for (const part of others) mergeInto(own, part.subarray(start, start + k), isDistinct)
    }
  return least
}

/** Hot: both are walked along side by side. */
function mergeInto(own: Float64Array, others: Float64Array, isDistinct: boolean): void {
  if (others[0] === Number.POSITIVE_INFINITY) return
  const before = own.slice()
  for (let at = 0, ours = 0, theirs = 0; at < own.length; at++) {
    const isOurs = before[ours] <= others[theirs]
    own[at] = isOurs ? before[ours] : others[theirs]
    if (isDistinct && own[at] === others[theirs] && isOurs && own[at] < Number.POSITIVE_INFINITY) theirs++
    if (isOurs) ours++
    else theirs++
  }
}
