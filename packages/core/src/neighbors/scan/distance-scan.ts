import {
  type CodedColumn,
  codeNumbers,
  countIds,
  groupLoosely,
  groupRows,
  sharedFloat64,
  sharedInt32,
} from '@scrim/kernels'
import { membersOf, search } from '../search.js'
import { TIE } from '../space.js'
import { insert, type Lists, noneLike } from './least.js'
import type { RecordPart, RecordScan, Records } from './record-scan.js'
import { isMissing, numberOf, plain, type Value } from './values.js'

/** Which records are nearest to the queries, by distance as `space` has it, and how many have the values of each. */
export interface DistanceQuestion {
  /** What records are compared by: categories first, then the numbers that vary. */
  readonly columns: readonly ComparedColumn[]
  /** The values of the queries, column by column. */
  readonly queries: readonly (readonly Value[])[]
  readonly k: number
  /** Places of columns: the k nearest are asked for by each of these sets alone. By all columns together where none is given. */
  readonly by?: readonly (readonly number[])[]
  /** Whether a number's term is at most its weight. */
  readonly clip?: boolean
  /** Whether records that are equal in all columns count once, wherever they are. */
  readonly once?: boolean
  /** Places of columns: of each of these sets it is counted how many records have all the values of a query. Of each column alone where none is given. */
  readonly counted?: readonly (readonly number[])[]
  /** That no record is named: how near they are is all that is asked. */
  readonly isNamed?: false
}

export interface ComparedColumn {
  readonly name: string
  /** The least and the largest number of the real records; null for what is equal or not. */
  readonly range: readonly [low: number, high: number] | null
}

/** Of each set of columns and query the k least sums; of queries that are equal there only those of the first are kept. */
export function distanceLists(question: DistanceQuestion): readonly Lists[] {
  return setsOf(question).map(() => ({ lists: question.queries[0].length, k: question.k }))
}

function setsOf({ columns, by = [[...columns.keys()]] }: DistanceQuestion): readonly (readonly number[])[] {
  return by
}

/** Numbers, and the codes of levels that queries have: the others are one, since they differ from all queries alike. */
export function distanceCoder({ columns, queries }: DistanceQuestion) {
  const codesOf = queries.map(levelCodes)
  return (j: number, records: readonly Records[], rows: number): Int32Array | Float64Array => {
    const isNumber = columns[j].range !== null
    const coded = isNumber ? sharedFloat64(rows) : sharedInt32(rows)
    const codeOf = codesOf[j]
    let at = 0
    for (const { rows: count, columns: given } of records) {
      const values = given[j]
      for (let row = 0; row < count; row++) coded[at++] = isNumber ? numberOf(values[row]) : codeIn(codeOf, values[row])
    }
    return coded
  }
}

function levelCodes(queries: readonly Value[]): ReadonlyMap<unknown, number> {
  const codeOf = new Map<unknown, number>()
  for (const value of queries) if (!isMissing(value) && !codeOf.has(value)) codeOf.set(value, codeOf.size)
  return codeOf
}

function codeIn(codeOf: ReadonlyMap<unknown, number>, given: unknown): number {
  const value = plain(given)
  return isMissing(value) ? -1 : (codeOf.get(value) ?? codeOf.size)
}

export function distanceScan(question: DistanceQuestion): RecordScan {
  const { columns, queries, k, clip = false, isNamed = true } = question
  const counted = question.counted ?? columns.map((_, j) => [j])
  const asked = queries[0].length
  const joiners = columns.map((column, j) => joinerOf(column, queries[j]))
  const sets = setsOf(question)
  return (part, before) => {
    const { rows } = part
    const equal = new Float64Array(asked * counted.length)
    if (rows === 0) return { rows: new Int32Array(), least: noneLike(before), equal }
    const coded = joiners.map((join, j) => join(part.columns[j], rows))
    const named = new Uint8Array(rows)
    const [all, least] = [before.slice(), noneLike(before)]
    for (const [at, set] of sets.entries()) {
      const [from, to] = [at * asked * k, (at + 1) * asked * k]
      nameNear(set, coded, named, all.subarray(from, to), least.subarray(from, to))
    }
    countEqual(coded, rows, equal)
    if (!isNamed) return { rows: new Int32Array(), least, equal }
    nameEnds(part, named)
    const found: number[] = []
    for (let row = 0; row < rows; row++) if (named[row] === 1) found.push(row)
    return { rows: Int32Array.from(found), least, equal }
  }

  /** Marks the records that are near enough to a query by a set of columns. */
  function nameNear(
    set: readonly number[],
    coded: readonly Coded[],
    named: Uint8Array,
    all: Float64Array,
    ofPart: Float64Array,
  ): void {
    const rows = named.length
    const compared = set.map((j) => coded[j])
    const { ids, count } = groupRows(compared, rows + asked)
    const values = new Float64Array(count * set.length)
    for (const [j, { codes, places }] of compared.entries())
      for (let row = 0; row < ids.length; row++) values[ids[row] * set.length + j] = places[codes[row] + 1]
    const points = {
      metric: 'gower' as const,
      missing: 'match' as const,
      clip,
      count,
      weights: new Float64Array(set.length).fill(1),
      nominal: set.filter((j) => columns[j].range === null).length,
      values,
      weight: set.length,
    }
    const members = membersOf(points, ids.subarray(0, rows))
    const recordsAt = countIds(ids.subarray(0, rows), count)
    const { nearest } = search(points, members)
    const isNear = new Uint8Array(count)
    const isAsked = new Uint8Array(count)
    for (let query = 0; query < asked; query++) {
      const point = ids[rows + query]
      if (isAsked[point] === 1) continue
      isAsked[point] = 1
      const [own, found] = [all.subarray(query * k, (query + 1) * k), ofPart.subarray(query * k, (query + 1) * k)]
      const near = nearest(point, k, false, own[k - 1])
      for (let at = 0; at < near.count; at++)
        for (const list of [own, found]) insert(list, near.sums[at], recordsAt[near.points[at]])
      for (let at = 0; at < near.count; at++) if (near.sums[at] <= own[k - 1] + TIE) isNear[near.points[at]] = 1
    }
    for (let row = 0; row < rows; row++) if (isNear[ids[row]] === 1) named[row] = 1
  }

  /** A record that has an end of a range, for each: with them the records named have the ranges of all. */
  function nameEnds({ rows, columns: given }: RecordPart, named: Uint8Array): void {
    for (const [j, { range }] of columns.entries())
      for (const end of range ?? []) {
        let row = 0
        while (row < rows && given[j][row] !== end) row++
        if (row < rows) named[row] = 1
      }
  }

  function countEqual(coded: readonly Coded[], rows: number, equal: Float64Array): void {
    const ofQueries = coded.map((column) => withValuesOf(column, rows))
    for (const [at, set] of counted.entries()) {
      const { ids, count } = groupLoosely(
        set.map((j) => ofQueries[j]),
        rows + asked,
      )
      const counts = countIds(ids.subarray(0, rows), count)
      for (let query = 0; query < asked; query++) equal[query * counted.length + at] = counts[ids[rows + query]]
    }
  }
}

/** The same with one code for all values that no query has, so that there are few. */
function withValuesOf({ codes, cardinality }: Coded, rows: number): CodedColumn {
  const placeOf = new Int32Array(cardinality + 1)
  let places = 0
  for (let at = rows; at < codes.length; at++) if (placeOf[codes[at] + 1] === 0) placeOf[codes[at] + 1] = ++places
  return { codes: codes.map((code) => placeOf[code + 1]), cardinality: places + 1 }
}

interface Coded {
  /** Of the records, then of the queries; -1 is missing. */
  readonly codes: Int32Array
  readonly cardinality: number
  /** The value in the space: of missing, then of each code. */
  readonly places: Float64Array
}

function joinerOf({ range }: ComparedColumn, queries: readonly Value[]) {
  if (range !== null) {
    const asked = Float64Array.from(queries, numberOf)
    return (records: ArrayLike<number>) =>
      numbersIn(records instanceof Float64Array ? records : Float64Array.from(records), asked, range)
  }
  const codeOf = levelCodes(queries)
  const asked = Int32Array.from(queries, (value) => codeIn(codeOf, value))
  const places = Float64Array.from({ length: codeOf.size + 2 }, (_, code) => code)
  return (records: ArrayLike<number>, rows: number): Coded => {
    const codes = new Int32Array(rows + asked.length)
    codes.set(records)
    codes.set(asked, rows)
    return { codes, cardinality: codeOf.size + 1, places }
  }
}

function numbersIn(ours: Float64Array, asked: Float64Array, [low, high]: readonly [number, number]): Coded {
  const { codes, numbers } = codeNumbers([ours, asked])
  const places = new Float64Array(numbers.length + 1)
  places[0] = Number.NaN
  for (let code = 0; code < numbers.length; code++) places[code + 1] = (numbers[code] - low) / (high - low)
  return { codes, cardinality: numbers.length, places }
}
