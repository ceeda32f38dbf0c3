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
import { insert, type Lists, noneLike } from './least.js'
import type { RecordScan, Records } from './record-scan.js'
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

/** Of each pool, look and query the k records with the most bits; as numbers below 0, since less is nearer. */
export function bitLists(pools: readonly AskedPool[]): readonly Lists[] {
  return pools.flatMap(({ queries, looks }) => looks.map(({ k }) => ({ lists: queries.length, k })))
}

/** Values as they come to codes from 1 on. */
export function bitCoder({ columns }: Pick<BitsQuestion, 'columns'>) {
  const codesOf = columns.map(codeOfValue)
  return (j: number, records: readonly Records[], rows: number): NarrowCodes => {
    const { name, values } = columns[j]
    const coded = roomForCodes(values.length + 1, rows)
    let at = 0
    for (const { rows: count, columns: given } of records)
      for (let row = 0; row < count; row++, at++) {
        const value = given[j][row]
        if (isMissing(value)) continue
        const code = codesOf[j](value)
        if (code === undefined) throw new CannotScan(`"${name}" has values that were not there when they were counted`)
        coded[at] = code
      }
    return coded
  }
}

function codeOfValue({ isNumber, values }: ValuedColumn): (value: unknown) => number | undefined {
  return isNumber ? numberCodes(Float64Array.from(values, numberOf)) : levelCodes(values)
}

export function bitScan({ columns, pools }: BitsQuestion): RecordScan {
  return codeScan(
    columns.map(({ name, isNumber, values }) => ({
      name,
      cardinality: values.length + 1,
      numbers: isNumber ? comparable(Float64Array.from(values, numberOf)) : null,
    })),
    pools,
  )
}

/** Records that are looked at together: their bytes stay in the cache while query after query is compared with them. */
const AT_ONCE = 1 << 15

/** The same by columns in codes. */
export function codeScan(columns: readonly Omit<BitColumn, 'codes'>[], pools: readonly AskedPool[]): RecordScan {
  const block = columns.map((column) => ({ ...column, codes: roomForCodes(column.cardinality, AT_ONCE) }))
  const order = [...block.keys()].sort(
    (a, b) => Number(block[a].numbers !== null) - Number(block[b].numbers !== null) || a - b,
  )
  const queries = pools.flatMap((pool) => pool.queries)
  const largest = columns.reduce((most, { cardinality }) => Math.max(most, cardinality), 0)
  /** Codes side by side: of the record that is compared, then of all queries. */
  const sideBySide = roomForCodes(largest, (1 + queries.length) * order.length)
  for (const [at, query] of queries.entries())
    for (const [k, j] of order.entries()) sideBySide[(1 + at) * order.length + k] = query[j]
  let [start, list] = [1, 0]
  let worthOf: Uint8Array | undefined
  const looks = pools.map((asked) => {
    const below = asked.below.map((counts) => Int32Array.from(counts))
    const pool = poolOf(block, new Int32Array(), below)
    const bounds = bitBounds(pool, worthOf)
    worthOf = bounds.worthOf
    const look = poolLook(pool, bounds, sideBySide, { first: start, list }, asked)
    start += asked.queries.length
    list += bitLists([asked]).reduce((sum, { lists, k }) => sum + lists * k, 0)
    return look
  })
  return ({ rows, columns: records }, before) => {
    const found: number[] = []
    const all = before.slice()
    const least = noneLike(before)
    for (let from = 0; from < rows; from += AT_ONCE) {
      const count = Math.min(AT_ONCE, rows - from)
      for (const [j, { codes }] of block.entries()) {
        const given = records[j]
        for (let row = 0; row < count; row++) codes[row] = given[from + row]
      }
      const named = new Uint8Array(count)
      for (const look of looks) look(count, named, all, least)
      for (let row = 0; row < count; row++) if (named[row] === 1) found.push(from + row)
    }
    return { rows: Int32Array.from(found), least, equal: new Float64Array() }
  }
}

/** Where the queries of a pool are among all, and their lists. */
interface PlaceOfPool {
  readonly first: number
  readonly list: number
}

/** Marks which of the first records of a block are near to a query of a pool. */
function poolLook(
  pool: Pool,
  bounds: BitBounds,
  sideBySide: NarrowCodes,
  { first, list }: PlaceOfPool,
  { queries, looks }: AskedPool,
): (count: number, named: Uint8Array, all: Float64Array, ofPart: Float64Array) => void {
  const { categories, numbers, scale } = bounds
  const scan = similarityScan(coarseRecords(categories.length, numbers.length, AT_ONCE))
  const sources = byteSources(pool.columns, bounds)
  const exact = exactBits(pool, bounds, sideBySide)
  const tables = queryTables()
  const computedFor = new Int32Array(AT_ONCE)
  const bitsAt = new Float64Array(AT_ONCE)
  const mismatchesAt = new Int32Array(AT_ONCE)
  let asked = 0
  return look

  function look(count: number, named: Uint8Array, all: Float64Array, ofPart: Float64Array): void {
    const end = fill(count)
    for (let query = 0; query < queries.length; query++) {
      asked++
      exact.ask(first + query)
      tables.load(query)
      scan.score()
      const computed: number[] = []
      let start = list
      for (const { charge, k } of looks) {
        const at = start + query * k
        const lists = [all.subarray(at, at + k), ofPart.subarray(at, at + k)]
        const needed = () => -all[at + k - 1]
        byBound(scan, bounds, charge, [0, end], needed, (place) => {
          if (place >= count || !compute(place, charge, needed(), computed)) return
          for (const own of lists) insert(own, charge * mismatchesAt[place] - bitsAt[place])
        })
        for (const place of computed)
          if (bitsAt[place] - charge * mismatchesAt[place] >= needed() - 2 * TIED_BITS) named[place] = 1
        start += k * queries.length
      }
    }
  }

  /** Once for all looks; false when it is clear that it has fewer bits than needed. */
  function compute(place: number, charge: number, needed: number, computed: number[]): boolean {
    if (computedFor[place] === asked) return true
    for (let k = 0; k < sources.length; k++) sideBySide[k] = sources[k].codes[place]
    if (!exact.compute(0, charge, needed)) return false
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
      for (let from = 0; from < end; from += RECORDS_AT_ONCE) {
        const at = from * width + k * RECORDS_AT_ONCE
        const filled = Math.min(RECORDS_AT_ONCE, count - from)
        for (let place = 0; place < filled; place++) scan.codes[at + place] = byteOf[codes[from + place]]
        if (filled < RECORDS_AT_ONCE) scan.codes.fill(NOTHING, at + filled, at + RECORDS_AT_ONCE)
      }
    return end
  }

  /** What the scan is told of a query, worked out once. */
  function queryTables() {
    const agreement = new Uint8Array(queries.length * categories.length)
    const classes = new Uint8Array(queries.length * numbers.length * NUMBER_CLASSES)
    for (let query = 0; query < queries.length; query++) {
      exact.ask(first + query)
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

function levelCodes(values: readonly Value[]): (value: unknown) => number | undefined {
  const codeOf = new Map(values.map((value, k) => [value, k + 1]))
  return (value) => codeOf.get(typeof value === 'string' ? value : String(value))
}

/** Hot: by halving. */
function numberCodes(numbers: Float64Array): (value: unknown) => number | undefined {
  return (given) => {
    const value = Number(given)
    // Executors have it as a text.
    if (Number.isNaN(value)) return 0
    let [low, high] = [0, numbers.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[middle] < value) low = middle + 1
      else high = middle
    }
    return numbers[low] === value ? low + 1 : undefined
  }
}
