import { sharedFloat64, sharedInt32 } from '@scrim/kernels'
import { type IndexedTable, indexTable, matcher, type Predicates } from '../../table/predicates.js'
import { insert, type Lists, noneLike } from './least.js'
import { recordHashes, type ToldApart } from './record-hash.js'
import type { RecordPart, RecordScan, Records } from './record-scan.js'
import { isMissing, numberOf, plain, type Value } from './values.js'

/** For how many records predicates hold, and which these are where they are few. */
export interface PredicateQuestion {
  readonly columns: readonly SpokenOf[]
  /** Of the hashes that records are known by. */
  readonly seed: number
  readonly groups: readonly AskedPredicates[]
}

/** A column, and the values that predicates speak of: numbers ascending. */
interface SpokenOf extends ToldApart {
  readonly values: readonly Value[]
}

export interface AskedPredicates {
  readonly width: number
  readonly count: number
  readonly column: ArrayLike<number>
  readonly operator: ArrayLike<number>
  /** The place of a value among those of its column; after the last for missing. */
  readonly code: ArrayLike<number>
  /** The record that each was made from, by its hash: records equal to it do not count. */
  readonly madeFrom?: ArrayLike<number>
  /** Records beyond the first that need not be counted; all are counted where it is not said. */
  readonly enough?: number
  /** Whether records are named that a predicate holds for. */
  readonly isNamed: boolean
}

/** Predicates that hold for more records than this have none of them named. */
export const LONGEST_LIST = 64

/** Of each predicate as many zeros as records were found, up to one more than is enough. */
export function predicateLists({ groups }: PredicateQuestion): readonly Lists[] {
  return groups.flatMap(({ count, enough }) => (enough === undefined ? [] : [{ lists: count, k: enough + 1 }]))
}

/** Numbers, and the places of the levels that predicates speak of: the others are one. Last the hashes, where they are asked for. */
export function predicateCoder({ columns, seed, groups }: PredicateQuestion) {
  const isHashed = groups.some(({ madeFrom }) => madeFrom !== undefined)
  const codersOf = columns.map(({ isNumber, values }) => (isNumber ? numberOf : placeAmong(values)))
  const coded = (j: number, records: readonly Records[], rows: number) => {
    const codes = columns[j].isNumber ? sharedFloat64(rows) : sharedInt32(rows)
    let at = 0
    for (const { rows: count, columns: given } of records)
      for (let row = 0; row < count; row++) codes[at++] = codersOf[j](given[j][row])
    return codes
  }
  return (records: readonly Records[], rows: number): RecordPart => ({
    rows,
    columns: [
      ...columns.map((_, j) => coded(j, records, rows)),
      ...(isHashed ? [recordHashes(columns, seed, records, rows)] : []),
    ],
  })
}

function placeAmong(values: readonly Value[]): (given: unknown) => number {
  const places = new Map<unknown, number>(values.map((value, place) => [value, place]))
  return (given) => (isMissing(given) ? -1 : (places.get(plain(given)) ?? values.length))
}

/** Records that are looked at together: their codes stay in the cache while predicate after predicate is put to them. */
const AT_ONCE = 1 << 16

export function predicateScan(question: PredicateQuestion): RecordScan {
  const groups = question.groups.map((group) => ({ ...group, predicates: predicatesByCode(question, group) }))
  const asked = groups.reduce((sum, { count }) => sum + count, 0)
  return (part, before) => {
    const all = before.slice()
    const least = noneLike(before)
    const counts = new Float64Array(asked)
    const rows: number[] = []
    for (let from = 0; from < part.rows; from += AT_ONCE) {
      const to = Math.min(part.rows, from + AT_ONCE)
      const block = { match: matcher(indexed(question, part, from, to)), from, named: new Uint8Array(to - from) }
      let [at, list] = [0, 0]
      for (const group of groups) {
        const k = (group.enough ?? -1) + 1
        const lists = [all, least].map((found) => found.subarray(list, list + k * group.count))
        putTo(block, part, group, { counts: counts.subarray(at, at + group.count), lists, k })
        at += group.count
        list += k * group.count
      }
      for (let row = from; row < to; row++) if (block.named[row - from] === 1) rows.push(row)
    }
    return { rows: Int32Array.from(rows), least, equal: counts }
  }
}

interface Block {
  readonly match: ReturnType<typeof matcher>
  readonly from: number
  readonly named: Uint8Array
}

interface Counted {
  readonly counts: Float64Array
  /** Of what was found here and elsewhere, and of what was found here. */
  readonly lists: readonly Float64Array[]
  readonly k: number
}

function putTo(
  { match, from, named }: Block,
  { columns }: RecordPart,
  { predicates, madeFrom, enough, isNamed }: AskedPredicates & { readonly predicates: Predicates },
  { counts, lists, k }: Counted,
): void {
  const hashes = columns[columns.length - 1]
  const found = new Int32Array(isNamed ? LONGEST_LIST : 0)
  for (let q = 0; q < predicates.count; q++) {
    const settled = (q + 1) * k - 1
    if (k > 0 && lists[0][settled] === 0) continue
    const isSame = madeFrom === undefined ? undefined : (row: number) => hashes[from + row] === madeFrom[q]
    const count = match(predicates, q, found, enough, isSame)
    if (count === 0) continue
    counts[q] += count
    for (const list of k > 0 ? lists : []) insert(list.subarray(q * k, settled + 1), 0, count)
    if (isNamed && count <= LONGEST_LIST) for (let row = 0; row < count; row++) named[found[row]] = 1
  }
}

/** The rows among some records that each predicate of a group holds for, ascending. */
export function rowsMatched(
  question: PredicateQuestion,
  part: RecordPart,
): (group: AskedPredicates) => (q: number) => Int32Array {
  const match = matcher(indexed(question, part, 0, part.rows))
  const found = new Int32Array(part.rows)
  return (group) => {
    const predicates = predicatesByCode(question, group)
    return (q) => found.slice(0, match(predicates, q, found)).sort()
  }
}

/**
 * Numbers by where they lie among those that predicates speak of: 2 k + 1 is the one at place k, the codes beside it are between that one and
 * its neighbours. Levels by their places; after the last come all others.
 */
function indexed({ columns }: PredicateQuestion, part: RecordPart, from: number, to: number): IndexedTable {
  const coded = columns.map(({ name, isNumber, values }, j) => {
    const own = part.columns[j]
    const numbers = Float64Array.from(isNumber ? values : [], numberOf)
    const codes = new Int32Array(to - from)
    for (let row = from; row < to; row++) codes[row - from] = isNumber ? codeAmong(numbers, own[row]) : own[row]
    return { name, numeric: isNumber, cardinality: codesOf(isNumber, values.length), codes }
  })
  return indexTable('', coded)
}

/** Hot: by halving. */
function codeAmong(numbers: Float64Array, value: number): number {
  if (Number.isNaN(value)) return -1
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle] < value) low = middle + 1
    else high = middle
  }
  return numbers[low] === value ? 2 * low + 1 : 2 * low
}

function codesOf(isNumber: boolean, values: number): number {
  return isNumber ? 2 * values + 1 : values + 1
}

/** The same predicates, of the codes that records have here. */
function predicatesByCode(
  { columns }: PredicateQuestion,
  { width, count, column, operator, code }: AskedPredicates,
): Predicates {
  const codes = Int32Array.from(code, (place, at) => {
    const { isNumber, values } = columns[column[at]]
    if (place === values.length) return codesOf(isNumber, values.length)
    return isNumber ? 2 * place + 1 : place
  })
  return { width, count, column: Int32Array.from(column), operator: Uint8Array.from(operator), code: codes }
}
