import { math, type NarrowCodes, roomForCodes } from '@scrim/kernels'
import { jointColumns, pointsOf, rowsOf } from '../../table/coded-records.js'
import type { JointColumn } from '../../table/joint.js'
import type { Table } from '../../table/table.js'

/**
 * What two records have in common, in bits. Record i is left out of a pool of N + 1 records, and a record y shares with it
 *   T_C(i, y) = Σ over columns of -log2 p_j(i, y), less C for each category that differs:
 * - of a category that agrees, p is the share of its level among the N others (missing equals missing); one that differs
 *   has no bits;
 * - of a number, p is the share of the others that are at least as near to i's as y's is,
 *   #{z : |z - x_i| <= |y - x_i|} / N; missing and known have no bits in common, two missing ones are a level.
 * So a rare value in common counts for more than a common one, and names of levels and units of numbers for nothing. The
 * pool is treated alike whoever is asked: when records are exchangeable, so are their bits.
 */
export interface BitSpace {
  readonly columns: readonly BitColumn[]
  /** How many distinct records, called points, there are; equal records of all tables are one point. */
  readonly points: number
  /** Point of each record, table by table as given. */
  readonly ids: readonly Int32Array[]
}

export interface BitColumn {
  readonly name: string
  /** Of each point: 0 is missing, then the levels, or the numbers in ascending order. */
  readonly codes: NarrowCodes
  readonly cardinality: number
  /** The numbers behind the codes from 1 on; null for categories. */
  readonly numbers: Float64Array | null
}

/** The same record by record. */
export type RecordColumn = BitColumn & { readonly codes: Int32Array }

/** Sums of bits that differ by no more are ties: the same shares added up in another order. */
export const TIED_BITS = 1e-9

/** The tables share their columns and levels, as those of a release do. Dates are numbers; ordered categories are categories. */
export function bitSpace(tables: readonly Table[], names: readonly string[]): BitSpace {
  return spaceOfCodes(jointColumns(tables, names).map(codedFrom1), rowsOf(tables))
}

/** Columns over the records of all tables, one table after the other, to columns over points. */
export function spaceOfCodes(records: readonly RecordColumn[], rows: readonly number[]): BitSpace {
  const { ids, count } = pointsOf(records, rows)
  const columns = records.map((column) => {
    const codes = roomForCodes(column.cardinality, count)
    let row = 0
    for (const table of ids) for (const point of table) codes[point] = column.codes[row++]
    return { ...column, codes }
  })
  return { columns, points: count, ids }
}

/** Differences of numbers up to this size do not overflow. */
const LARGEST_NUMBER = 2 ** 1000

export function codedFrom1({ name, kind, codes, cardinality, numbers }: JointColumn): RecordColumn {
  return {
    name,
    codes: codes.map((code) => code + 1),
    cardinality: cardinality + 1,
    numbers: kind === 'categorical' ? null : comparable(numbers),
  }
}

export function comparable(numbers: Float64Array): Float64Array {
  return numbers.map((value) => Math.max(-LARGEST_NUMBER, Math.min(LARGEST_NUMBER, value)))
}

/** The records that shares are taken over, one of which is the record asked about. */
export interface Pool {
  readonly columns: readonly BitColumn[]
  /** How many records there are at each point. */
  readonly records: Int32Array
  /** N: all of them but the one asked about. */
  readonly others: number
  /** Of each column: how many records have a code below; one entry more than codes. */
  readonly below: readonly Int32Array[]
}

/** `below` where the records at the points are some of more. */
export function poolOf(
  columns: readonly BitColumn[],
  records: Int32Array,
  below: readonly Int32Array[] = columns.map(({ codes, cardinality }) => countsBelow(codes, cardinality, records)),
): Pool {
  const all = below.length === 0 ? records.reduce((sum, count) => sum + count, 0) : below[0][below[0].length - 1]
  return { columns, records, others: all - 1, below }
}

/** How many records have a code below; one entry more than codes. */
export function countsBelow(codes: NarrowCodes, cardinality: number, records: Int32Array): Int32Array {
  const counts = new Int32Array(cardinality + 1)
  for (let point = 0; point < records.length; point++) counts[codes[point] + 1] += records[point]
  for (let code = 0; code < cardinality; code++) counts[code + 1] += counts[code]
  return counts
}

/**
 * Bits that a record with code `y` in column `j` has in common with one of code `x`, the record asked about; 0 for
 * categories that differ. At most log2 N, also where no other record has the value.
 */
export function bitsInColumn(pool: Pool, j: number, x: number, y: number): number {
  const { numbers } = pool.columns[j]
  const below = pool.below[j]
  if (x !== y && (numbers === null || x === 0 || y === 0)) return 0
  const near = numbers === null || x === 0 ? below[x + 1] - below[x] : recordsAsNear(numbers, below, x, y)
  return bitsOfCount(pool.others, near)
}

/** -log2 of the share of `near` records among the others and the one asked about. */
export function bitsOfCount(others: number, near: number): number {
  return near > 2 ? math.log2(others / (near - 1)) : math.log2(others)
}

/** Two distances that differ by this part of the numbers are equal: decimals and their multiples are rounded. */
const ROUNDING = 2 ** -48

/** How many records of the pool are at most as far from the number of code `x` as that of code `y` is. */
export function recordsAsNear(numbers: Float64Array, below: Int32Array, x: number, y: number): number {
  const from = numbers[x - 1]
  const to = numbers[y - 1]
  const reach = reachOf(from, to)
  const [low, high] = [from - reach, from + reach]
  const end = numbers.length - 1
  let first = to < from ? y - 1 : firstFrom(numbers, low, 0, x - 1)
  let last = to < from ? lastUpTo(numbers, high, x - 1, end) : y - 1
  // On the side of y nothing more is within reach but what equals it up to rounding.
  while (first > 0 && numbers[first - 1] >= low) first--
  while (last < end && numbers[last + 1] <= high) last++
  return below[last + 2] - below[first + 1]
}

/** How many records of the pool are from one number to the other: no more than are as near. */
export function recordsBetween(_numbers: Float64Array, below: Int32Array, x: number, y: number): number {
  return y < x ? below[x + 1] - below[y] : below[y + 1] - below[x]
}

function reachOf(from: number, to: number): number {
  return Math.abs(to - from) + (Math.abs(from) + Math.abs(to)) * ROUNDING
}

/** The first place from `low` to `high` whose number is at least `limit`; that of `high` is. */
function firstFrom(numbers: Float64Array, limit: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle] >= limit) high = middle
    else low = middle + 1
  }
  return low
}

/** The last place from `low` to `high` whose number is at most `limit`; that of `low` is. */
function lastUpTo(numbers: Float64Array, limit: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (numbers[middle] <= limit) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Of each code of a number: the value of how many records of the pool are as near to the number of code `x` as it is. The simple
 * version: `values[y] = worthOf[recordsAsNear(numbers, below, x, y)]`.
 */
export function valuesByNear(
  numbers: Float64Array,
  below: Int32Array,
  x: number,
  worthOf: Float64Array,
  values: Float64Array,
): void {
  const own = x - 1
  const from = numbers[own]
  const end = numbers.length - 1
  // Hot: upwards and downwards, the far end of what is within reach follows on the other side.
  for (let place = own, first = own; place <= end; place++) {
    const reach = reachOf(from, numbers[place])
    const low = from - reach
    const high = from + reach
    while (first > 0 && numbers[first - 1] >= low) first--
    while (numbers[first] < low) first++
    let last = place
    while (last < end && numbers[last + 1] <= high) last++
    values[place + 1] = worthOf[below[last + 2] - below[first + 1]]
  }
  for (let place = own - 1, last = own; place >= 0; place--) {
    const reach = reachOf(from, numbers[place])
    const low = from - reach
    const high = from + reach
    while (last < end && numbers[last + 1] <= high) last++
    while (numbers[last] > high) last--
    let first = place
    while (first > 0 && numbers[first - 1] >= low) first--
    values[place + 1] = worthOf[below[last + 2] - below[first + 1]]
  }
}
