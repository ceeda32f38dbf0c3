import { double, int, setDouble, setInt } from './memory'

/** Numbers in order and by rank. What is computed is told by `rankColumn` in `src/order.ts`, its twin. */
const DIGIT_BITS = 11
const DIGIT_VALUES = 1 << DIGIT_BITS
const DIGITS = 6
const SIGN: u64 = 1 << 63

/**
 * Hot. The rows that are not NaN by ascending number, then row, into `order`; returns how many they are. A radix sort of the bits, which passes
 * over digits that all numbers share.
 * @param counts room for as many numbers as there are digits and values of one
 */
export function sort(
  values: usize,
  rows: i32,
  order: usize,
  keys: usize,
  spareOrder: usize,
  spareKeys: usize,
  counts: usize,
): i32 {
  let known = 0
  for (let row = 0; row < rows; row++) {
    const bits = load<u64>(values + ((row as usize) << 3))
    const value = reinterpret<f64>(bits)
    if (!(value <= Infinity)) continue
    store<u64>(keys + ((known as usize) << 3), bits & SIGN ? ~bits : bits ^ SIGN)
    setInt(order, known++, row)
  }
  countDigits(keys, known, counts)
  let from = order
  let fromKeys = keys
  let to = spareOrder
  let toKeys = spareKeys
  for (let digit = 0; digit < DIGITS; digit++) {
    const ends = counts + ((digit * DIGIT_VALUES) << 2)
    if (!addUp(ends, known)) continue
    deal(from, fromKeys, known, digit, ends, to, toKeys)
    const done = from
    from = to
    to = done
    const doneKeys = fromKeys
    fromKeys = toKeys
    toKeys = doneKeys
  }
  if (from !== order) memory.copy(order, from, (known as usize) << 2)
  return known
}

function digitOf(keys: usize, at: i32, digit: i32): i32 {
  return ((load<u64>(keys + ((at as usize) << 3)) >>> (digit * DIGIT_BITS)) as i32) & (DIGIT_VALUES - 1)
}

function countDigits(keys: usize, known: i32, counts: usize): void {
  memory.fill(counts, 0, (DIGITS * DIGIT_VALUES) << 2)
  for (let k = 0; k < known; k++) {
    for (let digit = 0; digit < DIGITS; digit++) {
      const cell = digit * DIGIT_VALUES + digitOf(keys, k, digit)
      setInt(counts, cell, int(counts, cell) + 1)
    }
  }
}

/** From how many keys have a value of a digit to where these end; false where all have the same. */
function addUp(counts: usize, known: i32): bool {
  let end = 0
  for (let value = 0; value < DIGIT_VALUES; value++) {
    const count = int(counts, value)
    if (count === known) return false
    end += count
    setInt(counts, value, end)
  }
  return true
}

function deal(from: usize, fromKeys: usize, known: i32, digit: i32, ends: usize, to: usize, toKeys: usize): void {
  for (let k = known - 1; k >= 0; k--) {
    const value = digitOf(fromKeys, k, digit)
    const at = int(ends, value) - 1
    setInt(ends, value, at)
    setInt(to, at, int(from, k))
    store<u64>(toKeys + ((at as usize) << 3), load<u64>(fromKeys + ((k as usize) << 3)))
  }
}

/** Hot. Numbers the different values in `order`: by row into `rank`, by rank into `distinct`; returns how many they are. */
export function numberDistinct(values: usize, order: usize, known: i32, rank: usize, distinct: usize): i32 {
  let last = -1
  for (let k = 0; k < known; k++) {
    const row = int(order, k)
    const value = double(values, row)
    if (last < 0 || double(distinct, last) !== value) setDouble(distinct, ++last, value)
    setInt(rank, row, last)
  }
  return last + 1
}
