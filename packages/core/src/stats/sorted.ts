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

/** The order of rows by their codes, column after column, which is the same whatever the order of the rows. */
export function byCodes(columns: readonly { readonly codes: Int32Array }[]): (a: number, b: number) => number {
  return (a, b) => {
    const { codes } = columns.find(({ codes }) => codes[a] !== codes[b]) ?? columns[0]
    return codes[a] - codes[b]
  }
}

/** By how much values differ at most that were worked out from the same numbers in another order: as a share of them, and where they are next to 0. */
const LAST_DIGITS = { share: 1e-9, size: 1e-12 }

/**
 * Largest first. Values that differ in their last digits alone are ties, and ties stay in the order in which they are given: so the order is the
 * same whether weights were added record by record or by counts of records.
 */
export function largestFirst<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item[] {
  const ordered = items.map((item, at) => ({ item, at, value: sizeOf(item) })).sort((a, b) => b.value - a.value)
  let rank = 0
  const ranked = ordered.map((one, k) => {
    const before = ordered[k - 1]?.value ?? one.value
    if (before - one.value > Math.max(LAST_DIGITS.size, LAST_DIGITS.share * Math.abs(one.value))) rank++
    return { ...one, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ item }) => item)
}
