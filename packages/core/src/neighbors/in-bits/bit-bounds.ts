import {
  type CoarseRecords,
  coarseRecords,
  LARGEST_SCORE,
  math,
  NUMBER_CLASSES,
  RECORDS_AT_ONCE,
  setCode,
} from '@scrim/kernels'
import { bitsOfCount, type Pool } from './bits.js'

/**
 * How bits become whole units that fit into bytes, and numbers classes: what the scan for candidates is made of. Bounds are
 * rounded up, so that no record has more bits than its bound.
 */
export interface BitBounds {
  /** Places of the categories among the columns. */
  readonly categories: readonly number[]
  readonly numbers: readonly NumberClasses[]
  /** Units per bit. */
  readonly scale: number
  /** Units of a value that so many records are as near to, the one asked about among them. */
  readonly worthOf: Uint8Array
}

interface NumberClasses {
  /** Place among the columns. */
  readonly j: number
  /** The numbers behind the codes. */
  readonly values: Float64Array
  readonly classOf: Uint8Array
  /** First and last code of each class; the first is larger where there is none. */
  readonly first: Int32Array
  readonly last: Int32Array
}

/** What fits into a byte after rounding up. */
const MOST_WORTH = 254
const MISSING_CLASS = NUMBER_CLASSES - 1

/** `worthOf` where that of a pool of as many columns and records is there already. */
export function bitBounds({ columns, below, others }: Pool, worthOf?: Uint8Array): BitBounds {
  const categories = columns.map((_, j) => j).filter((j) => columns[j].numbers === null)
  const mostBits = Math.max(1, math.log2(others))
  const scale = Math.min(MOST_WORTH, LARGEST_SCORE / columns.length - 1) / mostBits
  return {
    categories,
    numbers: columns.flatMap(({ numbers }, j) => (numbers === null ? [] : [numberClasses(j, numbers, below[j])])),
    scale,
    worthOf: worthOf ?? worthByCount(others, scale),
  }
}

/** The more records are as near, the less it is worth: one worth after the other, each up to where halving finds the next. */
function worthByCount(others: number, scale: number): Uint8Array {
  const worth = new Uint8Array(others + 2)
  const of = (near: number) => Math.ceil(bitsOfCount(others, near) * scale)
  for (let first = 0, end = 0; first < worth.length; first = end) {
    const own = of(first)
    let last = first
    end = worth.length
    while (end - last > 1) {
      const middle = (last + end) >>> 1
      if (of(middle) === own) last = middle
      else end = middle
    }
    worth.fill(own, first, end)
  }
  return worth
}

/** Classes of about as many records each, a value that is more frequent than that alone, and one class for missing. */
function numberClasses(j: number, values: Float64Array, below: Int32Array): NumberClasses {
  const codes = below.length - 1
  const classOf = new Uint8Array(codes).fill(MISSING_CLASS)
  const first = new Int32Array(NUMBER_CLASSES).fill(codes)
  const last = new Int32Array(NUMBER_CLASSES).fill(-1)
  const few = codes - 1 <= MISSING_CLASS
  for (let code = 1, at = 0, start = below[1]; code < codes; code++) {
    const enough = (below[codes] - start) / (MISSING_CLASS - at)
    if (code > 1 && at < MISSING_CLASS - 1 && (few || below[code + 1] - start > enough)) {
      at++
      start = below[code]
    }
    classOf[code] = at
  }
  for (let code = 0; code < codes; code++) {
    first[classOf[code]] = Math.min(first[classOf[code]], code)
    last[classOf[code]] = code
  }
  return { j, values, classOf, first, last }
}

/**
 * Writes for a number of code `x` what each class of its column is worth at most: the class's number nearest to it, as if only
 * those were as near that lie between the two, and on the other side in classes that are wholly within reach.
 */
export function boundClasses(
  { below }: Pool,
  { worthOf }: BitBounds,
  { j, values, classOf, first, last }: NumberClasses,
  x: number,
  worth: Uint8Array,
): void {
  const start = below[j]
  worth.fill(0)
  const own = classOf[x]
  worth[own] = worthOf[start[x + 1] - start[x]]
  if (x === 0) return
  const from = values[x - 1]
  const end = classOf[values.length]
  // Hot: both ends move one way only, as what is looked at moves away from x.
  for (let at = own + 1, other = own; at <= end; at++) {
    const low = from - (values[first[at] - 1] - from)
    while (other > 0 && values[first[other - 1] - 1] >= low) other--
    worth[at] = worthOf[start[first[at] + 1] - start[other < own ? first[other] : x]]
  }
  for (let at = own - 1, other = own; at >= 0; at--) {
    const high = from + (from - values[last[at] - 1])
    while (other < end && values[last[other + 1] - 1] <= high) other++
    worth[at] = worthOf[start[(other > own ? last[other] : x) + 1] - start[last[at]]]
  }
}

/** Units that mismatches are charged; all of them together stay within what the scan can count. */
export function penaltyOf({ categories, scale }: BitBounds, charge: number): number {
  return Math.floor(Math.min(charge * scale, LARGEST_SCORE / Math.max(1, categories.length)))
}

/** The points at some places in bytes; -1 stands for none. */
export function inBytes({ columns }: Pool, bounds: BitBounds, pointAt: Int32Array): CoarseRecords {
  const coarse = coarseRecords(bounds.categories.length, bounds.numbers.length, pointAt.length)
  const sources = byteSources(columns, bounds)
  for (let start = 0; start < pointAt.length; start += RECORDS_AT_ONCE) {
    for (let k = 0; k < sources.length; k++) {
      const { codes, byteOf } = sources[k]
      for (let place = start; place < Math.min(start + RECORDS_AT_ONCE, pointAt.length); place++)
        if (pointAt[place] >= 0) setCode(coarse, place, k, byteOf[codes[pointAt[place]]])
    }
  }
  return coarse
}

/** Of each column, categories first: the codes of its points, and the byte of each code. */
export function byteSources(columns: Pool['columns'], { categories, numbers }: BitBounds) {
  return [
    ...categories.map((j) => ({
      codes: columns[j].codes,
      byteOf: Uint8Array.from({ length: columns[j].cardinality }, (_, code) => categoryByte(code)),
    })),
    ...numbers.map(({ j, classOf }) => ({ codes: columns[j].codes, byteOf: classOf })),
  ]
}

/** Levels that share a byte are told apart when the bits are computed. */
export const categoryByte = (code: number): number => code % 255
