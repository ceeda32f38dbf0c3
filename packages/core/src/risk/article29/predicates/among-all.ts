import {
  type AskedPredicates,
  LONGEST_LIST,
  type PredicateQuestion,
  rowsMatched,
} from '../../../neighbors/scan/predicate-scan.js'
import type { ToldApart } from '../../../neighbors/scan/record-hash.js'
import { recordCoder } from '../../../neighbors/scan/record-scan.js'
import { numberOf, type Value } from '../../../neighbors/scan/values.js'
import type { Where } from '../../../neighbors/tasks.js'
import { plainValues, type StoredTable } from '../../../stored/stored-table.js'
import { matcher, type Predicates } from '../../../table/predicates.js'
import type { DrawnRecords } from './drawn-records.js'
import type { Matches } from './singled-out.js'

/** Predicates made from drawn records, and what is asked of them. */
export interface Asked extends Pick<AskedPredicates, 'enough' | 'isNamed'> {
  readonly drawn: DrawnRecords
  readonly predicates: Predicates
  /** Whether records equal to the one that a predicate was made from do not count; it is the only one drawn that it holds for. */
  readonly exceptOwn?: boolean
}

/** What predicates are put to: all records of a file. */
export interface AllRecords {
  readonly stored: StoredTable
  readonly columns: readonly ToldApart[]
  readonly seed: number
  readonly most: number
  readonly where: Where
}

/** How many records each predicate holds for, and which these are where they are few and asked for; set by set of predicates. */
export async function putToAll({ stored, columns, seed, most, where }: AllRecords, sets: readonly Asked[]) {
  const question = questionOf(columns, seed, sets)
  const { records, numbers, equal } = await stored.scan(question, most, where)
  const part = recordCoder(question)([{ rows: records.rows, columns: records.columns.map(plainValues) }])
  const rowsOf = rowsMatched(question, part)
  let start = 0
  return question.groups.map((group) => {
    const counts = Int32Array.from(equal.subarray(start, start + group.count))
    start += group.count
    const rows = rowsOf(group)
    return { counts, records: (q: number) => rows(q).map((row) => numbers[row]) }
  })
}

export type PutToAll = Awaited<ReturnType<typeof putToAll>>[number]

function questionOf(columns: readonly ToldApart[], seed: number, sets: readonly Asked[]): PredicateQuestion {
  const spoken = columns.map(({ isNumber }, j) => {
    const values = new Set<Value>()
    for (const { predicates, drawn } of sets)
      for (const [at, code] of predicates.code.entries())
        if (predicates.column[at] === j && code < drawn.values[j].length) values.add(drawn.values[j][code])
    return isNumber ? [...values].sort((a, b) => numberOf(a) - numberOf(b)) : [...values]
  })
  const places = spoken.map((values) => new Map(values.map((value, place) => [value, place])))
  return {
    columns: columns.map((column, j) => ({ ...column, values: spoken[j] })),
    seed,
    groups: sets.map(({ predicates, drawn, exceptOwn, ...rest }) => ({
      ...predicates,
      ...rest,
      code: predicates.code.map((code, at) => {
        const j = predicates.column[at]
        return places[j].get(drawn.values[j][code]) ?? spoken[j].length
      }),
      ...(exceptOwn === true ? { madeFrom: hashesMadeFrom(drawn, predicates) } : {}),
    })),
  }
}

function hashesMadeFrom({ table, hashes }: DrawnRecords, predicates: Predicates): Float64Array {
  const match = matcher(table)
  const found = new Int32Array(1)
  return Float64Array.from({ length: predicates.count }, (_, q) => {
    match(predicates, q, found, 1)
    return hashes[found[0]]
  })
}

/** What predicates were found to hold for; the records are numbered by those among them that count. */
export function matchesOf(
  ofOriginal: PutToAll,
  ofHoldout: PutToAll | null,
): { readonly matches: Matches; readonly originalRows: Int32Array } {
  const inOriginal = ofOriginal.counts
  const count = inOriginal.length
  const inHoldout = ofHoldout?.counts ?? new Int32Array(count)
  const ours = listsOf(ofOriginal, inHoldout)
  const theirs = ofHoldout === null ? nobody(count) : listsOf(ofHoldout, inOriginal)
  const start = new Int32Array(count + 1)
  const rows: number[] = []
  for (let q = 0; q < count; q++) {
    if (inOriginal[q] + inHoldout[q] <= LONGEST_LIST) {
      for (const place of ours.lists[q]) rows.push(place)
      for (const place of theirs.lists[q]) rows.push(ours.numbers.length + place)
    }
    start[q + 1] = rows.length
  }
  const alone = ({ lists }: Lists, counts: Int32Array) =>
    Int32Array.from(counts, (records, q) => (records === 1 ? lists[q][0] : -1))
  return {
    originalRows: ours.numbers,
    matches: {
      inOriginal,
      inHoldout: ofHoldout === null ? null : inHoldout,
      originalRow: alone(ours, inOriginal),
      holdoutRow: alone(theirs, inHoldout),
      rows: Int32Array.from(rows),
      start,
      numbered: [ours.numbers.length, theirs.numbers.length],
    },
  }
}

/** By predicate the places of its records among all that are numbered, where they are one or with those of the other file few. */
interface Lists {
  readonly numbers: Int32Array
  readonly lists: readonly Int32Array[]
}

function listsOf({ counts, records }: PutToAll, others: Int32Array): Lists {
  const lists = Array.from(counts, (own, q) => (own === 1 || own + others[q] <= LONGEST_LIST ? records(q) : NOBODY))
  const numbers = Int32Array.from(new Set(lists.flatMap((list) => [...list]))).sort()
  const placeOf = new Map(Array.from(numbers, (number, place) => [number, place]))
  return { numbers, lists: lists.map((list) => list.map((number) => placeOf.get(number) ?? -1)) }
}

const NOBODY = new Int32Array()

function nobody(count: number): Lists {
  return { numbers: NOBODY, lists: new Array<Int32Array>(count).fill(NOBODY) }
}
