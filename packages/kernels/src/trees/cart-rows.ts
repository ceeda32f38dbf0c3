/** Hot loops over the rows of a node of a tree. A row's side is LEFT, RIGHT, or ABSENT where it has no value to split on. */
export const LEFT = 0
export const RIGHT = 1
export const ABSENT = 2

/** Rows that go left first, then those that go right, each in the order they had; returns how many go left. */
export function partition(rows: Int32Array, from: number, count: number, side: Uint8Array, spare: Int32Array): number {
  let left = from
  let right = 0
  for (let k = from; k < from + count; k++) {
    const row = rows[k]
    const goesRight = side[row]
    rows[left] = row
    spare[right] = row
    left += 1 - goesRight
    right += goesRight
  }
  for (let k = 0; k < right; k++) rows[left + k] = spare[k]
  return left - from
}

export function pickNumbers(from: Float64Array, rows: Int32Array, n: number, into: Float64Array): void {
  for (let k = 0; k < n; k++) into[k] = from[rows[k]]
}

/** Of `n` rows from place `start` on. */
export function pickCodes(from: Int32Array, rows: Int32Array, start: number, n: number, into: Int32Array): void {
  for (let k = 0; k < n; k++) into[k] = from[rows[start + k]]
}

export function sumNumbers(values: Float64Array, rows: Int32Array, start: number, n: number): number {
  let sum = 0
  for (let k = start; k < start + n; k++) sum += values[rows[k]]
  return sum
}

export function sumSquares(values: Float64Array, rows: Int32Array, start: number, n: number, mean: number): number {
  let squares = 0
  for (let k = start; k < start + n; k++) {
    const difference = values[rows[k]] - mean
    squares += difference * difference
  }
  return squares
}

/** Numbers `n` rows from place `start` on anew: which they were, by their new numbers; the new numbers, by the old ones; and all the new ones. */
export function numberRows(
  rows: Int32Array,
  start: number,
  n: number,
  origin: Int32Array,
  local: Int32Array,
  numbers: Int32Array,
): void {
  for (let k = 0; k < n; k++) {
    const row = rows[start + k]
    origin[k] = row
    local[row] = k
    numbers[k] = k
  }
}

/** Ranks up to the cut to the left, the others to the right. */
export function sidesByRank(
  codes: Int32Array,
  rows: Int32Array,
  start: number,
  n: number,
  below: number,
  side: Uint8Array,
): void {
  for (let k = start; k < start + n; k++) {
    const code = codes[rows[k]]
    side[rows[k]] = code < 0 ? ABSENT : code <= below ? LEFT : RIGHT
  }
}

export function sidesByLevel(
  codes: Int32Array,
  rows: Int32Array,
  start: number,
  n: number,
  levelSide: Uint8Array,
  side: Uint8Array,
): void {
  for (let k = start; k < start + n; k++) {
    const code = codes[rows[k]]
    side[rows[k]] = code < 0 ? ABSENT : levelSide[code]
  }
}

/** By side: weight and weighted sum. With a twin for codes, and without anything after the loop, so that V8 compiles it once for all nodes. */
export function addToSides(
  rows: Int32Array,
  start: number,
  n: number,
  side: Uint8Array,
  values: Float64Array,
  weights: Float64Array | null,
  sideWeight: Float64Array,
  sideSum: Float64Array,
): void {
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const w = weights === null ? 1 : weights[row]
    sideWeight[side[row]] += w
    sideSum[side[row]] += w * values[row]
  }
}

export function addCodesToSides(
  rows: Int32Array,
  start: number,
  n: number,
  side: Uint8Array,
  codes: Int32Array,
  weights: Float64Array | null,
  sideWeight: Float64Array,
  sideSum: Float64Array,
): void {
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const w = weights === null ? 1 : weights[row]
    sideWeight[side[row]] += w
    sideSum[side[row]] += w * codes[row]
  }
}

/** Swaps the sides if `flip` is 1, and sends missing values to the heavier one; returns the number of rows left. */
export function settleSides(
  rows: Int32Array,
  start: number,
  n: number,
  side: Uint8Array,
  heavier: number,
  flip: number,
): number {
  let right = 0
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const settled = side[row] === ABSENT ? heavier : side[row] ^ flip
    side[row] = settled
    right += settled
  }
  return n - right
}
