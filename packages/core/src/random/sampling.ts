import type { Stream } from './stream.js'

/** Anything with positions that can be swapped: an array or a typed array. */
interface Swappable<T> {
  readonly length: number
  [index: number]: T
}

/** Fewer draws than this share of the population: remember the moved positions only, not all. */
const SPARSE_SHARE = 1 / 16

/** Puts the elements into random order, in place, every order equally likely (Fisher and Yates 1938, Durstenfeld 1964). */
export function shuffle<T>(stream: Stream, items: Swappable<T>): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    const item = items[last]
    items[last] = items[other]
    items[other] = item
  }
}

/** The numbers 0 to n - 1 in random order. */
export function permutation(stream: Stream, n: number): Int32Array {
  const numbers = countUp(n)
  shuffle(stream, numbers)
  return numbers
}

/** k rows of n, each draw from all of them: a bootstrap sample when k = n. */
export function sampleWithReplacement(stream: Stream, n: number, k: number): Int32Array {
  const rows = new Int32Array(k)
  for (let i = 0; i < k; i++) rows[i] = stream.below(n)
  return rows
}

/**
 * k different rows of n in random order: the first k steps of a shuffle from the front. When k is much smaller than n
 * only moved positions are kept, so memory is O(k); both ways give the same rows.
 */
export function sampleWithoutReplacement(stream: Stream, n: number, k: number): Int32Array {
  if (!(k >= 0 && k <= n)) throw new RangeError(`cannot draw ${k} different rows from ${n}`)
  return k < n * SPARSE_SHARE ? sampleSparse(stream, n, k) : sampleDense(stream, n, k)
}

/** Files of at most so many rows are looked at as a whole. */
const SAMPLE_ABOVE = 10_000

/** The rows that a search asks about: all n, or where there are very many `sample` of them, ascending. */
export function rowsLookedAt(n: number, sample: number | null, stream: () => Stream): Int32Array {
  return sample === null || n <= SAMPLE_ABOVE ? countUp(n) : someRows(n, sample, stream)
}

/** So many of n rows, or all, ascending. */
export function someRows(n: number, sample: number, stream: () => Stream): Int32Array {
  return sample >= n ? countUp(n) : sampleWithoutReplacement(stream(), n, sample).sort()
}

/**
 * A fold in [0, k) for every row, such that fold sizes differ by at most one within each stratum and over all rows:
 * rows in random order, stratum after stratum, are dealt out like cards. Strata come in order of their first row, so the
 * folds do not depend on how strata are coded. A missing code (-1) is a stratum of its own.
 */
export function stratifiedFolds(stream: Stream, strata: Int32Array, k: number): Int32Array {
  if (!(Number.isInteger(k) && k >= 1)) throw new RangeError(`the number of folds must be at least 1, but it is ${k}`)
  const { stratumOf, starts } = numberStrata(strata)
  const next = starts.slice()
  const folds = new Int32Array(strata.length)
  for (const row of permutation(stream, strata.length)) folds[row] = next[stratumOf[row]]++ % k
  return folds
}

/** Rows split in two at random, each part in ascending order. */
export interface Split {
  readonly chosen: Int32Array
  readonly rest: Int32Array
}

/** floor(n fraction) random rows and the others; a product like 0.29 * 100 that falls short by rounding counts as whole. */
export function split(stream: Stream, n: number, fraction: number): Split {
  if (!(fraction >= 0 && fraction <= 1)) throw new RangeError(`a fraction lies in [0, 1], but it is ${fraction}`)
  const size = Math.floor(n * fraction * (1 + 4 * Number.EPSILON))
  const order = permutation(stream, n)
  return { chosen: order.slice(0, size).sort(), rest: order.slice(size).sort() }
}

function sampleDense(stream: Stream, n: number, k: number): Int32Array {
  const rows = countUp(n)
  shuffleFront(stream, rows, k)
  return rows.slice(0, k)
}

/** The first `size` places get random values of all, in random order; what stood there moves to where these came from. */
export function shuffleFront(stream: Stream, values: Int32Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const other = i + stream.below(values.length - i)
    const value = values[other]
    values[other] = values[i]
    values[i] = value
  }
}

function sampleSparse(stream: Stream, n: number, k: number): Int32Array {
  const moved = new Map<number, number>()
  const rows = new Int32Array(k)
  for (let i = 0; i < k; i++) {
    const other = i + stream.below(n - i)
    rows[i] = moved.get(other) ?? other
    moved.set(other, moved.get(i) ?? i)
  }
  return rows
}

/** Strata numbered in order of appearance, and for each the number of rows in the strata before it. */
function numberStrata(strata: Int32Array): { stratumOf: Int32Array; starts: Int32Array } {
  const numbers = new Map<number, number>()
  const sizes: number[] = []
  const stratumOf = strata.map((code) => {
    let number = numbers.get(code)
    if (number === undefined) {
      number = numbers.size
      numbers.set(code, number)
      sizes.push(0)
    }
    sizes[number]++
    return number
  })
  const starts = new Int32Array(sizes.length)
  for (let i = 1; i < sizes.length; i++) starts[i] = starts[i - 1] + sizes[i - 1]
  return { stratumOf, starts }
}

/** The numbers 0 to n - 1. */
export function countUp(n: number): Int32Array {
  const numbers = new Int32Array(n)
  for (let i = 0; i < n; i++) numbers[i] = i
  return numbers
}
