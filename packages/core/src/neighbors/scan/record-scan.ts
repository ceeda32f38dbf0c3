import { codeNumbers, countIds, groupRows } from '@scrim/kernels'
import { membersOf, search } from '../search.js'
import { TIE } from '../space.js'
import { type BitsQuestion, bitScan } from './bit-scan.js'
import { isMissing, numberOf, plain, type Value } from './values.js'

/**
 * What is asked of all records of a table that need not be in memory: which of them are among the k nearest of some others, the
 * queries, ties included. All values are plain, so that the question can be sent to where the records are. A part of the table may
 * name too many of its records, since it knows no other part, but never too few: a measure on the records named is the
 * measure on all.
 */
export type RecordQuestion = DistanceQuestion | BitsQuestion

/** By distance, as `space` has it without clipping. */
export interface DistanceQuestion {
  /** What records are compared by: categories first, then the numbers that vary. */
  readonly columns: readonly ComparedColumn[]
  /** The values of the queries, column by column. */
  readonly queries: readonly (readonly Value[])[]
  readonly k: number
}

export interface ComparedColumn {
  readonly name: string
  /** The least and the largest number of the real records; null for what is equal or not. */
  readonly range: readonly [low: number, high: number] | null
}

export interface RecordScan {
  /** Rows of some of the records, given column by column, that are named, ascending. Parts looked at before narrow it down. */
  look(records: readonly ArrayLike<unknown>[], rows: number): Int32Array
  /** By distance: how many of the records looked at have the value of a query: query by query, column by column. */
  readonly equal: Float64Array
}

export function recordScan(question: RecordQuestion): RecordScan {
  return 'pools' in question ? { look: bitScan(question), equal: new Float64Array() } : distanceScan(question)
}

function distanceScan({ columns, queries, k }: DistanceQuestion): RecordScan {
  const width = columns.length
  const asked = queries[0].length
  const coders = columns.map((column, j) => coderOf(column, queries[j]))
  /** Of each query the k least sums so far, ascending; of equal queries only those of the first are kept. */
  const least = new Float64Array(asked * k).fill(Number.POSITIVE_INFINITY)
  const equal = new Float64Array(asked * width)
  /** The ends of the ranges that no record had yet: with them the records named have the ranges of all. */
  const ends = new Set(columns.flatMap(({ range }, j) => (range ?? []).map((value) => ({ j, value }))))
  return { look, equal }

  function look(records: readonly ArrayLike<unknown>[], rows: number): Int32Array {
    if (rows === 0) return new Int32Array()
    const coded = coders.map((codesOf, j) => codesOf(records[j], rows))
    const { ids, count } = groupRows(coded, rows + asked)
    const values = new Float64Array(count * width)
    for (const [j, { codes, places }] of coded.entries())
      for (let row = 0; row < ids.length; row++) values[ids[row] * width + j] = places[codes[row] + 1]
    countEqual(coded, rows)
    const named = nearTo(ids, count, values, rows)
    for (const end of ends) {
      const at = findValue(records[end.j], rows, end.value)
      if (at < 0) continue
      named[ids[at]] = 1
      ends.delete(end)
    }
    const found: number[] = []
    for (let row = 0; row < rows; row++) if (named[ids[row]] === 1) found.push(row)
    return Int32Array.from(found)
  }

  /** Marks the points that are near enough to a query. */
  function nearTo(ids: Int32Array, count: number, values: Float64Array, rows: number): Uint8Array {
    const points = {
      metric: 'gower' as const,
      missing: 'match' as const,
      clip: false,
      count,
      weights: new Float64Array(width).fill(1),
      nominal: columns.filter(({ range }) => range === null).length,
      values,
      weight: width,
    }
    const members = membersOf(points, ids.subarray(0, rows))
    const recordsAt = countIds(ids.subarray(0, rows), count)
    const { nearest } = search(points, members)
    const named = new Uint8Array(count)
    const isAsked = new Uint8Array(count)
    for (let query = 0; query < asked; query++) {
      const point = ids[rows + query]
      if (isAsked[point] === 1) continue
      isAsked[point] = 1
      const own = least.subarray(query * k, (query + 1) * k)
      const found = nearest(point, k, false, own[k - 1])
      for (let near = 0; near < found.count; near++) insert(own, found.sums[near], recordsAt[found.points[near]])
      for (let near = 0; near < found.count; near++)
        if (found.sums[near] <= own[k - 1] + TIE) named[found.points[near]] = 1
    }
    return named
  }

  function countEqual(coded: readonly Coded[], rows: number): void {
    for (const [j, { codes, cardinality }] of coded.entries()) {
      const counts = new Int32Array(cardinality + 1)
      for (let row = 0; row < rows; row++) counts[codes[row] + 1]++
      for (let query = 0; query < asked; query++) equal[query * width + j] += counts[codes[rows + query] + 1]
    }
  }
}

interface Coded {
  /** Of the records, then of the queries; -1 is missing. */
  readonly codes: Int32Array
  readonly cardinality: number
  /** The value in the space: of missing, then of each code. */
  readonly places: Float64Array
}

/** Levels that no query has are one: whichever it is, it differs from all of them. */
function coderOf({ range }: ComparedColumn, queries: readonly Value[]) {
  return (records: ArrayLike<unknown>, rows: number): Coded => {
    if (range !== null) return numbersIn(records, rows, queries, range)
    const codeOf = new Map<unknown, number>()
    for (const value of queries) if (!isMissing(value) && !codeOf.has(value)) codeOf.set(value, codeOf.size)
    const codes = new Int32Array(rows + queries.length)
    for (let row = 0; row < rows; row++) {
      const value = plain(records[row])
      codes[row] = isMissing(value) ? -1 : (codeOf.get(value) ?? codeOf.size)
    }
    for (const [query, value] of queries.entries()) codes[rows + query] = codeOf.get(value) ?? -1
    return { codes, cardinality: codeOf.size + 1, places: Float64Array.from({ length: codeOf.size + 2 }, (_, k) => k) }
  }
}

function numbersIn(
  records: ArrayLike<unknown>,
  rows: number,
  queries: readonly Value[],
  [low, high]: readonly [number, number],
): Coded {
  const ours = new Float64Array(rows)
  for (let row = 0; row < rows; row++) ours[row] = numberOf(records[row])
  const { codes, numbers } = codeNumbers([ours, Float64Array.from(queries, numberOf)])
  const places = new Float64Array(numbers.length + 1)
  places[0] = Number.NaN
  for (let code = 0; code < numbers.length; code++) places[code + 1] = (numbers[code] - low) / (high - low)
  return { codes, cardinality: numbers.length, places }
}

function insert(sums: Float64Array, sum: number, times: number): void {
  for (let copy = 0; copy < times && sum < sums[sums.length - 1]; copy++) {
    let at = sums.length - 1
    for (; at > 0 && sums[at - 1] > sum; at--) sums[at] = sums[at - 1]
    sums[at] = sum
  }
}

function findValue(records: ArrayLike<unknown>, rows: number, wanted: number): number {
  for (let row = 0; row < rows; row++) if (numberOf(records[row]) === wanted) return row
  return -1
}
