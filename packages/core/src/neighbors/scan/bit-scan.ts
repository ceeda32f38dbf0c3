import {
  coarseRecords,
  type NarrowCodes,
  NUMBER_CLASSES,
  RECORDS_AT_ONCE,
  roomForCodes,
  similarityScan,
} from '@scrim/kernels'
import { type BitBounds, bitBounds, boundClasses, byteSources, categoryByte } from '../in-bits/bit-bounds.js'
import { type BitColumn, comparable, type Pool, poolOf, TIED_BITS } from '../in-bits/bits.js'
import { byBound } from '../in-bits/by-bound.js'
import { exactBits } from '../in-bits/exact-bits.js'
import { CannotScan } from './cannot-scan.js'
import { isMissing, numberOf, type Value } from './values.js'

/** Which records have most in common with the queries, in bits (`in-bits/bits.ts`). */
export interface BitsQuestion {
  readonly columns: readonly ValuedColumn[]
  /** As many records in each. */
  readonly pools: readonly AskedPool[]
}

export interface ValuedColumn {
  readonly name: string
  readonly isNumber: boolean
  /** All that records have, numbers ascending: those of the codes from 1 on; 0 is missing. */
  readonly values: readonly Value[]
}

/** Queries whose bits are counted over the same records. */
export interface AskedPool {
  /** Of each column how many of these records have a code below; one entry more than codes. */
  readonly below: readonly ArrayLike<number>[]
  /** Of each query the codes. */
  readonly queries: readonly ArrayLike<number>[]
  readonly looks: readonly BitsLook[]
}

/** The k records with the most bits, less the charge for every category that differs. */
interface BitsLook {
  readonly charge: number
  readonly k: number
}

/** Rows of records that are named, ascending. */
export type Look<Column> = (records: readonly Column[], rows: number) => Int32Array

export function bitScan({ columns, pools }: BitsQuestion): Look<ArrayLike<unknown>> {
  const coders = columns.map(coderOf)
  const look = codeScan(
    columns.map(({ name, isNumber, values }) => ({
      name,
      cardinality: values.length + 1,
      numbers: isNumber ? comparable(Float64Array.from(values, numberOf)) : null,
    })),
    pools,
  )
  return (records, rows) =>
    look(
      coders.map((codesOf, j) => codesOf(records[j], rows)),
      rows,
    )
}

/** Records that are looked at together: their bytes stay in the cache while query after query is compared with them. */
const AT_ONCE = 1 << 15

/** The same of records in codes. */
export function codeScan(
  columns: readonly Omit<BitColumn, 'codes'>[],
  pools: readonly AskedPool[],
): Look<ArrayLike<number>> {
  const block = columns.map((column) => ({ ...column, codes: roomForCodes(column.cardinality, AT_ONCE) }))
  const order = [...block.keys()].sort(
    (a, b) => Number(block[a].numbers !== null) - Number(block[b].numbers !== null) || a - b,
  )
  const queries = pools.flatMap((pool) => pool.queries)
  const largest = columns.reduce((most, { cardinality }) => Math.max(most, cardinality), 0)
  /** Codes of the records, then of all queries, side by side. */
  const sideBySide = roomForCodes(largest, (AT_ONCE + queries.length) * order.length)
  for (const [at, query] of queries.entries())
    for (const [k, j] of order.entries()) sideBySide[(AT_ONCE + at) * order.length + k] = query[j]
  let start = AT_ONCE
  let worthOf: Uint8Array | undefined
  const looks = pools.map((asked) => {
    const pool = poolOf(
      block,
      new Int32Array(),
      asked.below.map((counts) => Int32Array.from(counts)),
    )
    const bounds = bitBounds(pool, worthOf)
    worthOf = bounds.worthOf
    const look = poolLook(pool, bounds, sideBySide, start, asked)
    start += asked.queries.length
    return look
  })
  return (records, rows) => {
    const found: number[] = []
    for (let from = 0; from < rows; from += AT_ONCE) {
      const count = Math.min(AT_ONCE, rows - from)
      for (const [k, j] of order.entries()) {
        const [codes, given] = [block[j].codes, records[j]]
        for (let row = 0, at = k; row < count; row++, at += order.length) {
          codes[row] = given[from + row]
          sideBySide[at] = codes[row]
        }
      }
      const named = new Uint8Array(count)
      for (const look of looks) look(count, named)
      for (let row = 0; row < count; row++) if (named[row] === 1) found.push(from + row)
    }
    return Int32Array.from(found)
  }
}

/** Marks which of the first records of a block are near to a query of a pool. */
function poolLook(
  pool: Pool,
  bounds: BitBounds,
  sideBySide: NarrowCodes,
  start: number,
  { queries, looks }: AskedPool,
): (count: number, named: Uint8Array) => void {
  const { categories, numbers, scale } = bounds
  const scan = similarityScan(coarseRecords(categories.length, numbers.length, AT_ONCE))
  const sources = byteSources(pool.columns, bounds)
  const exact = exactBits(pool, bounds, sideBySide)
  const tables = queryTables()
  /** Of each look and query the most bits so far, descending. */
  const most = looks.map(({ k }) => new Float64Array(k * queries.length).fill(Number.NEGATIVE_INFINITY))
  const computedFor = new Int32Array(AT_ONCE)
  const bitsAt = new Float64Array(AT_ONCE)
  const mismatchesAt = new Int32Array(AT_ONCE)
  let asked = 0
  return look

  function look(count: number, named: Uint8Array): void {
    const end = fill(count)
    for (let query = 0; query < queries.length; query++) {
      asked++
      exact.ask(start + query)
      tables.load(query)
      scan.score()
      const computed: number[] = []
      for (const [at, { charge, k }] of looks.entries()) {
        const own = most[at].subarray(query * k, (query + 1) * k)
        byBound(
          scan,
          bounds,
          charge,
          [0, end],
          () => own[k - 1],
          (place) => {
            if (place >= count || !compute(place, charge, own[k - 1], computed)) return
            insert(own, bitsAt[place] - charge * mismatchesAt[place])
          },
        )
        for (const place of computed)
          if (bitsAt[place] - charge * mismatchesAt[place] >= own[k - 1] - 2 * TIED_BITS) named[place] = 1
      }
    }
  }

  /** Once for all looks; false when it is clear that it has fewer bits than needed. */
  function compute(place: number, charge: number, needed: number, computed: number[]): boolean {
    if (computedFor[place] === asked) return true
    if (!exact.compute(place, charge, needed)) return false
    computedFor[place] = asked
    computed.push(place)
    bitsAt[place] = exact.bits
    mismatchesAt[place] = exact.mismatches
    return true
  }

  /** The bytes of the records; says where they end. */
  function fill(count: number): number {
    const width = sources.length
    const end = Math.ceil(count / RECORDS_AT_ONCE) * RECORDS_AT_ONCE
    for (const [k, { codes, byteOf }] of sources.entries())
      for (let first = 0; first < end; first += RECORDS_AT_ONCE) {
        const at = first * width + k * RECORDS_AT_ONCE
        for (let place = 0; place < RECORDS_AT_ONCE; place++)
          scan.codes[at + place] = first + place < count ? byteOf[codes[first + place]] : NOTHING
      }
    return end
  }

  /** What the scan is told of a query, worked out once. */
  function queryTables() {
    const agreement = new Uint8Array(queries.length * categories.length)
    const classes = new Uint8Array(queries.length * numbers.length * NUMBER_CLASSES)
    for (let query = 0; query < queries.length; query++) {
      exact.ask(start + query)
      for (let k = 0; k < categories.length; k++)
        agreement[query * categories.length + k] = Math.ceil(exact.agreement[k] * scale)
      for (let k = 0; k < numbers.length; k++) {
        const own = (query * numbers.length + k) * NUMBER_CLASSES
        const worth = classes.subarray(own, own + NUMBER_CLASSES)
        boundClasses(pool, bounds, numbers[k], exact.codes[categories.length + k], worth)
      }
    }
    return {
      load(query: number): void {
        for (let k = 0; k < categories.length; k++) {
          scan.query[k] = categoryByte(exact.codes[k])
          scan.agreement[k] = agreement[query * categories.length + k]
        }
        const width = numbers.length * NUMBER_CLASSES
        scan.classes.set(classes.subarray(query * width, (query + 1) * width))
      },
    }
  }
}

/** A byte that agrees with no category and is no class of numbers. */
const NOTHING = 255

function insert(most: Float64Array, bits: number): void {
  let at = most.length - 1
  if (bits <= most[at]) return
  for (; at > 0 && most[at - 1] < bits; at--) most[at] = most[at - 1]
  most[at] = bits
}

/** Values as they come to codes from 1 on. */
export function coderOf({
  name,
  isNumber,
  values,
}: ValuedColumn): (records: ArrayLike<unknown>, rows: number) => Int32Array {
  const codeOf = isNumber ? numberCodes(Float64Array.from(values, numberOf)) : levelCodes(values)
  return (records, rows) => {
    const codes = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      const value = records[row]
      if (isMissing(value)) continue
      const code = codeOf(value)
      if (code === undefined) throw new CannotScan(`"${name}" has values that were not there when they were counted`)
      codes[row] = code
    }
    return codes
  }
}

function levelCodes(values: readonly Value[]): (value: unknown) => number | undefined {
  const codeOf = new Map(values.map((value, k) => [value, k + 1]))
  return (value) => codeOf.get(typeof value === 'string' ? value : String(value))
}

/** Hot: by halving. */
function numberCodes(numbers: Float64Array): (value: unknown) => number | undefined {
  return (given) => {
    const value = Number(given)
    let [low, high] = [0, numbers.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[middle] < value) low = middle + 1
      else high = middle
    }
    return numbers[low] === value ? low + 1 : undefined
  }
}
