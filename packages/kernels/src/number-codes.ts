import { sharedInt32 } from './shared-arrays.js'

/** Numbers of several arrays as codes: the rank of each among the distinct ones, -1 for NaN; -0 is 0. */
export interface NumberCodes {
  /** One array after the other. */
  readonly codes: Int32Array
  /** The distinct numbers, ascending. */
  readonly numbers: Float64Array
}

export function codeNumbers(arrays: readonly Float64Array[]): NumberCodes {
  const codes = sharedInt32(arrays.reduce((sum, values) => sum + values.length, 0))
  const numbers = codeWholeNumbers(arrays, codes) ?? codeAnyNumbers(arrays, codes)
  return { codes, numbers }
}

/** Whole numbers from a range that is so many times longer than the arrays, or shorter, are looked up in a table of the range. */
const RANGE_PER_NUMBER = 2
const SMALL_RANGE = 65_536

/** Null where some are not whole, or too far apart. */
function codeWholeNumbers(arrays: readonly Float64Array[], codes: Int32Array): Float64Array | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const values of arrays)
    for (let k = 0; k < values.length; k++) {
      const value = values[k]
      if (Number.isNaN(value)) continue
      if (Math.floor(value) !== value) return null
      if (value < low) low = value
      if (value > high) high = value
    }
  if (low > high) {
    codes.fill(-1)
    return new Float64Array()
  }
  if (!(high - low < Math.max(SMALL_RANGE, RANGE_PER_NUMBER * codes.length))) return null
  const codeOf = new Int32Array(high - low + 1)
  for (const values of arrays)
    for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k])) codeOf[values[k] - low] = 1
  let distinct = 0
  for (let k = 0; k < codeOf.length; k++) if (codeOf[k] === 1) codeOf[k] = distinct++
  let row = 0
  for (const values of arrays)
    for (let k = 0; k < values.length; k++) codes[row++] = Number.isNaN(values[k]) ? -1 : codeOf[values[k] - low]
  const numbers = new Float64Array(distinct)
  for (const values of arrays)
    for (let k = 0; k < values.length; k++)
      if (!Number.isNaN(values[k])) numbers[codeOf[values[k] - low]] = values[k] + 0
  return numbers
}

/** Hot: open addressing by the bits of the numbers; a `Map` takes ten times as long. */
function codeAnyNumbers(arrays: readonly Float64Array[], codes: Int32Array): Float64Array {
  let slots = new Int32Array(4096)
  let distinct = new Float64Array(2048)
  let count = 0
  let row = 0
  for (const values of arrays) {
    const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
    for (let k = 0; k < values.length; k++) {
      const value = values[k]
      if (Number.isNaN(value)) {
        codes[row++] = -1
        continue
      }
      let slot = value === 0 ? 0 : hashOf(words[2 * k], words[2 * k + 1]) & (slots.length - 1)
      while (slots[slot] !== 0 && distinct[slots[slot] - 1] !== value) slot = (slot + 1) & (slots.length - 1)
      if (slots[slot] === 0) {
        distinct[count] = value + 0
        slots[slot] = ++count
        codes[row++] = count - 1
        if (count < distinct.length) continue
        distinct = grown(distinct)
        slots = slotsOf(distinct, count, 2 * slots.length)
      } else codes[row++] = slots[slot] - 1
    }
  }
  const numbers = distinct.slice(0, count).sort()
  const rank = ranksIn(numbers, slots, distinct)
  for (let k = 0; k < codes.length; k++) if (codes[k] >= 0) codes[k] = rank[codes[k]]
  return numbers
}

function ranksIn(numbers: Float64Array, slots: Int32Array, distinct: Float64Array): Int32Array {
  const words = new Int32Array(numbers.buffer)
  const rank = new Int32Array(numbers.length)
  for (let k = 0; k < numbers.length; k++) {
    let slot = numbers[k] === 0 ? 0 : hashOf(words[2 * k], words[2 * k + 1]) & (slots.length - 1)
    while (distinct[slots[slot] - 1] !== numbers[k]) slot = (slot + 1) & (slots.length - 1)
    rank[slots[slot] - 1] = k
  }
  return rank
}

function slotsOf(distinct: Float64Array, count: number, length: number): Int32Array<ArrayBuffer> {
  const words = new Int32Array(distinct.buffer, distinct.byteOffset, 2 * count)
  const slots = new Int32Array(length)
  for (let k = 0; k < count; k++) {
    let slot = distinct[k] === 0 ? 0 : hashOf(words[2 * k], words[2 * k + 1]) & (length - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (length - 1)
    slots[slot] = k + 1
  }
  return slots
}

function grown(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length)
  larger.set(array)
  return larger
}

function hashOf(low: number, high: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}
