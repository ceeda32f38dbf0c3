import { math, type NarrowCodes, roomForCodes } from '@scrim/kernels'
import type { BitBounds } from './bit-bounds.js'
import { type BitColumn, bitsInColumn, type Pool, recordsAsNear, recordsBetween, TIED_BITS } from './bits.js'

/** Bits in common with one record, the query, in 64 bits: what decides among the candidates of a search. */
export interface ExactBits {
  /** Sets the query. */
  ask(point: number): void
  /** Its codes, categories first; and the bits of each category, when it agrees. */
  readonly codes: Int32Array
  readonly agreement: Float64Array
  /**
   * Computes `bits` and `mismatches` of a point; or says that the bits, less `charge` for each mismatch, are fewer than
   * needed, which is often clear at less cost.
   */
  compute(point: number, charge: number, needed: number): boolean
  bits: number
  mismatches: number
}

/** A count more, and the product is still a finite number. */
const LARGE_PRODUCT = 2 ** 900

/** `allCodes`: of every point, side by side, those of its categories and then those of its numbers. */
export function exactBits(
  pool: Pool,
  { categories, numbers }: BitBounds,
  allCodes = pointByPoint([...categories, ...numbers.map(({ j }) => j)].map((j) => pool.columns[j])),
): ExactBits {
  const width = pool.columns.length
  const codes = new Int32Array(width)
  const agreement = new Float64Array(categories.length)
  const bothMissing = Float64Array.from(numbers, ({ j }) => bitsInColumn(pool, j, 0, 0))
  const most = math.log2(pool.others)
  const exact: ExactBits = { ask, codes, agreement, compute, bits: 0, mismatches: 0 }
  return exact

  function ask(point: number): void {
    codes.set(allCodes.subarray(point * width, (point + 1) * width))
    for (let k = 0; k < categories.length; k++) agreement[k] = bitsInColumn(pool, categories[k], codes[k], codes[k])
  }

  function compute(point: number, charge: number, needed: number): boolean {
    const start = point * width
    let inCategories = 0
    let mismatches = 0
    for (let k = 0; k < categories.length; k++) {
      if (allCodes[start + k] === codes[k]) inCategories += agreement[k]
      else mismatches++
    }
    // The records between two numbers are among those that are as near.
    if (inCategories - charge * mismatches + inNumbers(start, recordsBetween) < needed - TIED_BITS) return false
    exact.bits = inCategories + inNumbers(start, recordsAsNear)
    exact.mismatches = mismatches
    return true
  }

  /** Σ log2(N / records as near), by the logarithm of the product of counts. */
  function inNumbers(start: number, near: typeof recordsAsNear): number {
    let bits = 0
    let product = 1
    for (let k = 0, at = categories.length; k < numbers.length; k++, at++) {
      const x = codes[at]
      const y = allCodes[start + at]
      if (x === 0 || y === 0) {
        if (x === y) bits += bothMissing[k]
        continue
      }
      const { j, values } = numbers[k]
      bits += most
      product *= Math.max(1, near(values, pool.below[j], x, y) - 1)
      if (product < LARGE_PRODUCT) continue
      bits -= math.log2(product)
      product = 1
    }
    return bits - math.log2(product)
  }
}

/** Codes of a point side by side: a candidate is read from one place in memory. */
function pointByPoint(columns: readonly BitColumn[]): NarrowCodes {
  const points = columns.length === 0 ? 0 : columns[0].codes.length
  const largest = columns.reduce((most, { cardinality }) => Math.max(most, cardinality), 0)
  const all = roomForCodes(largest, points * columns.length)
  for (const [j, { codes }] of columns.entries())
    for (let point = 0, at = j; point < points; point++, at += columns.length) all[at] = codes[point]
  return all
}
