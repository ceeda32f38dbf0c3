import { byte, double, int, setByte, setDouble, setInt } from './memory'

/** The loops of `src/trees/cart-rows.ts` over the rows of a node. */
export const LEFT = 0
export const RIGHT = 1
export const ABSENT = 2

export function partition(rows: usize, from: i32, count: i32, side: usize, spare: usize): i32 {
  let left = from
  let right = 0
  for (let k = from; k < from + count; k++) {
    const row = int(rows, k)
    const goesRight = byte(side, row)
    setInt(rows, left, row)
    setInt(spare, right, row)
    left += 1 - goesRight
    right += goesRight
  }
  for (let k = 0; k < right; k++) setInt(rows, left + k, int(spare, k))
  return left - from
}

export function pickCodes(from: usize, rows: usize, start: i32, n: i32, into: usize): void {
  for (let k = 0; k < n; k++) setInt(into, k, int(from, int(rows, start + k)))
}

export function pickNumbers(from: usize, rows: usize, n: i32, into: usize): void {
  for (let k = 0; k < n; k++) setDouble(into, k, double(from, int(rows, k)))
}

export function numberRows(rows: usize, start: i32, n: i32, origin: usize, local: usize, numbers: usize): void {
  for (let k = 0; k < n; k++) {
    const row = int(rows, start + k)
    setInt(origin, k, row)
    setInt(local, row, k)
    setInt(numbers, k, k)
  }
}

export function sumNumbers(values: usize, rows: usize, start: i32, n: i32): f64 {
  let sum: f64 = 0
  for (let k = start; k < start + n; k++) sum += double(values, int(rows, k))
  return sum
}

export function sumSquares(values: usize, rows: usize, start: i32, n: i32, mean: f64): f64 {
  let squares: f64 = 0
  for (let k = start; k < start + n; k++) {
    const difference = double(values, int(rows, k)) - mean
    squares += difference * difference
  }
  return squares
}

export function sidesByRank(codes: usize, rows: usize, start: i32, n: i32, below: i32, side: usize): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    setByte(side, row, code < 0 ? ABSENT : code <= below ? LEFT : RIGHT)
  }
}

export function sidesByLevel(codes: usize, rows: usize, start: i32, n: i32, levelSide: usize, side: usize): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    setByte(side, row, code < 0 ? ABSENT : byte(levelSide, code))
  }
}

export function addToSides(
  rows: usize,
  start: i32,
  n: i32,
  side: usize,
  values: usize,
  sideWeight: usize,
  sideSum: usize,
): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const to = byte(side, row)
    setDouble(sideWeight, to, double(sideWeight, to) + 1)
    setDouble(sideSum, to, double(sideSum, to) + double(values, row))
  }
}

export function addCodesToSides(
  rows: usize,
  start: i32,
  n: i32,
  side: usize,
  codes: usize,
  sideWeight: usize,
  sideSum: usize,
): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const to = byte(side, row)
    setDouble(sideWeight, to, double(sideWeight, to) + 1)
    setDouble(sideSum, to, double(sideSum, to) + (int(codes, row) as f64))
  }
}

export function settleSides(rows: usize, start: i32, n: i32, side: usize, heavier: i32, flip: i32): i32 {
  let right = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const before = byte(side, row)
    const settled = before === ABSENT ? heavier : before ^ flip
    setByte(side, row, settled)
    right += settled
  }
  return n - right
}
