/** Bisection: the first place from `from` to before `to` at which something holds that holds at all places after it; `to` for none. */
export function firstWhere(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The first place of ascending numbers with one that is not below the limit; from 0, so many are below it. */
export function countBelow(
  ascending: Float64Array | Int32Array,
  limit: number,
  from = 0,
  to: number = ascending.length,
): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The first place of ascending numbers with one above the limit; from 0, so many are at most the limit. */
export function countUpTo(
  ascending: Float64Array | Int32Array,
  limit: number,
  from = 0,
  to: number = ascending.length,
): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}
