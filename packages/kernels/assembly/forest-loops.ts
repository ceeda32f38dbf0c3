/**
 * The loops of a forest over the rows and bins of a node. What is computed is told by their twins in `src/trees`; both give the same bits.
 * The host lays out the memory and hands over addresses. Codes have 16 bits, column after column.
 */
let rowCount: usize
let codes: usize
let binsOf: usize
let drawn: usize
let drawnCount: i32
/** 0 for numbers. */
let classes: i32
/** By row: draws, and draws times the response, as two doubles; as two integers for two classes. */
let pairs: usize
/** By row: the class and the draws, for more classes. */
let classOf: usize
let draws: usize
let total: usize
let left: usize
/** Room for the bins of each column that is counted together with others, and for the bits that tell which of one were touched. */
let columnBytes: usize
let bins: usize
let bits: usize
let found: usize
let cut: usize

const TOGETHER = 3
const DENSE = 2
/** Bytes of a bin, a multiple of 8: two doubles, two integers, or an integer for each class. */
let binBytes: usize

export function setup(
  rowsOfData: usize,
  codesAt: usize,
  binsOfAt: usize,
  drawnAt: usize,
  columnsDrawn: i32,
  classCount: i32,
  pairsAt: usize,
  classOfAt: usize,
  drawsAt: usize,
  totalAt: usize,
  leftAt: usize,
  width: usize,
  binsAt: usize,
  bitsAt: usize,
  foundAt: usize,
  cutAt: usize,
): void {
  rowCount = rowsOfData
  codes = codesAt
  binsOf = binsOfAt
  drawn = drawnAt
  drawnCount = columnsDrawn
  classes = classCount
  pairs = pairsAt
  classOf = classOfAt
  draws = drawsAt
  total = totalAt
  left = leftAt
  binBytes = classCount === 0 ? 16 : (((max(classCount, 2) + 1) >> 1) as usize) << 3
  columnBytes = binBytes * width
  bins = binsAt
  bits = bitsAt
  found = foundAt
  cut = cutAt
}

function int(array: usize, at: i32): i32 {
  return load<i32>(array + ((at as usize) << 2))
}

function double(array: usize, at: i32): f64 {
  return load<f64>(array + ((at as usize) << 3))
}

function columnAt(column: i32): usize {
  return codes + (((column as usize) * rowCount) << 1)
}

function codeAt(column: usize, row: i32): usize {
  return load<u16>(column + ((row as usize) << 1)) as usize
}

/** The best cut so far. */
let score: f64
let column: i32
let low: i32
let high: i32
let missingLeft: i32
let leftWeight: f64
let leftSum: f64

/** Looks for the best cut among the drawn columns, and writes it. `squares` is the sum of those of `total`. */
export function search(rows: usize, from: i32, to: i32, weight: f64, sum: f64, squares: f64): void {
  score = -Infinity
  column = -1
  for (let first = 0; first < drawnCount; ) {
    let end = first
    while (end < drawnCount && end < first + TOGETHER && isDense(int(drawn, end), to - from)) end++
    const touching = end === first
    if (touching) end++
    if (classes > 2) fillClasses(columnAt(int(drawn, first)), rows, from, to)
    else if (classes > 0) fill<i64>(rows, from, to, first, end - first, touching)
    else fill<v128>(rows, from, to, first, end - first, touching)
    for (let j = first; j < end; j++) {
      const one = int(drawn, j)
      const own = bins + ((j - first) as usize) * columnBytes
      const codesOfColumn = int(binsOf, one) + 1
      const count = touching ? listTouched(codesOfColumn) : listFilled(own, codesOfColumn)
      if (count > 1) {
        if (classes > 2) tryClasses(own, count, one, weight, squares)
        else trySums(own, count, one, weight, sum)
        if (column === one && int(found, 0) > 0) missingLeft = 2 * leftWeight >= weight ? 1 : 0
      }
      for (let i = 0; i < count; i++) {
        const bin = own + (int(found, i) as usize) * binBytes
        for (let at = bin; at < bin + binBytes; at += 8) store<i64>(at, 0)
      }
    }
    first = end
  }
  store<f64>(cut, score)
  store<f64>(cut + 8, column as f64)
  store<f64>(cut + 16, low as f64)
  store<f64>(cut + 24, high as f64)
  store<f64>(cut + 32, missingLeft as f64)
  store<f64>(cut + 40, leftWeight)
  store<f64>(cut + 48, leftSum)
}

/** Whether it costs less to look at all bins of a column than to remember which of them so many rows touched. */
function isDense(one: i32, rows: i32): bool {
  return classes <= 2 && DENSE * rows > int(binsOf, one)
}

function touch(code: usize): void {
  const word = bits + ((code >> 6) << 3)
  store<i64>(word, load<i64>(word) | ((1 as i64) << (code as i64)))
}

/** A pair is two integers in one, or two doubles. */
function pairOf<T>(row: i32): T {
  return load<T>(pairs + (row as usize) * sizeof<T>())
}

function add<T>(binsOfColumn: usize, code: usize, more: T): void {
  const bin = binsOfColumn + code * sizeof<T>()
  if (isVector<T>()) v128.store(bin, f64x2.add(v128.load(bin), more))
  else store<T>(bin, load<T>(bin) + more)
}

/** Hot. A row is read once for all columns that are counted together. */
function fill<T>(rows: usize, from: i32, to: i32, first: i32, count: i32, touching: bool): void {
  const a = columnAt(int(drawn, first))
  const last = rows + ((to as usize) << 2)
  rows += (from as usize) << 2
  if (touching) {
    for (; rows < last; rows += 4) {
      const row = load<i32>(rows)
      const code = codeAt(a, row)
      add<T>(bins, code, pairOf<T>(row))
      touch(code)
    }
    return
  }
  if (count === 1) {
    for (; rows < last; rows += 4) {
      const row = load<i32>(rows)
      add<T>(bins, codeAt(a, row), pairOf<T>(row))
    }
    return
  }
  const b = columnAt(int(drawn, first + 1))
  const binsOfB = bins + columnBytes
  if (count === 2) {
    for (; rows < last; rows += 4) {
      const row = load<i32>(rows)
      const more = pairOf<T>(row)
      add<T>(bins, codeAt(a, row), more)
      add<T>(binsOfB, codeAt(b, row), more)
    }
    return
  }
  const c = columnAt(int(drawn, first + 2))
  const binsOfC = binsOfB + columnBytes
  for (; rows < last; rows += 4) {
    const row = load<i32>(rows)
    const more = pairOf<T>(row)
    add<T>(bins, codeAt(a, row), more)
    add<T>(binsOfB, codeAt(b, row), more)
    add<T>(binsOfC, codeAt(c, row), more)
  }
}

function fillClasses(codesOfColumn: usize, rows: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    const code = codeAt(codesOfColumn, row)
    const bin = bins + code * binBytes + ((int(classOf, row) as usize) << 2)
    store<i32>(bin, load<i32>(bin) + int(draws, row))
    touch(code)
  }
}

/** The codes whose bins hold anything, ascending, to `found`; how many these are. */
function listFilled(binsOfColumn: usize, count: i32): i32 {
  let next = found
  for (let code = 0; code < count; code++) {
    store<i32>(next, code)
    next += load<i64>(binsOfColumn + (code as usize) * binBytes) === 0 ? 0 : 4
  }
  return ((next - found) >> 2) as i32
}

/** The codes that were touched, which is forgotten. */
function listTouched(count: i32): i32 {
  let next = found
  let at = bits
  for (let code = 0; code < count; code += 64) {
    let word = load<i64>(at)
    store<i64>(at, 0)
    at += 8
    while (word !== 0) {
      store<i32>(next, code + (ctz(word) as i32))
      word &= word - 1
      next += 4
    }
  }
  return ((next - found) >> 2) as i32
}

function weightIn(binsOfColumn: usize, code: i32): f64 {
  const bin = binsOfColumn + (code as usize) * binBytes
  return classes > 0 ? (load<u32>(bin) as f64) : load<f64>(bin)
}

function sumIn(binsOfColumn: usize, code: i32): f64 {
  const bin = binsOfColumn + (code as usize) * binBytes
  return classes > 0 ? (load<u32>(bin + 4) as f64) : load<f64>(bin + 8)
}

/** The cut behind the place in `found` is the best so far. */
function keep(gain: f64, one: i32, place: i32, withMissing: i32, weightLeft: f64, sumLeft: f64): void {
  score = gain
  column = one
  low = int(found, place)
  high = int(found, place + 1)
  missingLeft = withMissing
  leftWeight = weightLeft
  leftSum = sumLeft
}

/** Each cut, with missing values on the right first, then on the left. */
function trySums(own: usize, count: i32, one: i32, weight: f64, sum: f64): void {
  const sides = int(found, 0) === 0 ? 2 : 1
  let weightLeft: f64 = 0
  let sumLeft: f64 = 0
  for (let i = 0; i < count - 1; i++) {
    const code = int(found, i)
    if (code > 0) {
      weightLeft += weightIn(own, code)
      sumLeft += sumIn(own, code)
    }
    for (let side = code > 0 ? 0 : 1; side < sides; side++) {
      const w = side === 0 ? weightLeft : weightLeft + weightIn(own, 0)
      const s = side === 0 ? sumLeft : sumLeft + sumIn(own, 0)
      const d = s * weight - sum * w
      const gain = (d * d) / (w * (weight - w))
      if (gain > score) keep(gain, one, i, side, w, s)
    }
  }
}

/** Each cut with missing values on the right, then each with missing values on the left. */
function tryClasses(own: usize, count: i32, one: i32, weight: f64, squares: f64): void {
  const sides = int(found, 0) === 0 ? 2 : 1
  for (let side = 0; side < sides; side++) {
    for (let k = 0; k < classes; k++) store<f64>(left + ((k as usize) << 3), 0)
    let weightLeft: f64 = 0
    for (let i = sides - 1 - side; i < count - 1; i++) {
      const bin = own + (int(found, i) as usize) * binBytes
      let leftSquares: f64 = 0
      let products: f64 = 0
      for (let k = 0; k < classes; k++) {
        const more = int(bin, k) as f64
        const sum = double(left, k) + more
        store<f64>(left + ((k as usize) << 3), sum)
        weightLeft += more
        leftSquares += sum * sum
        products += sum * double(total, k)
      }
      const rightSquares = squares - 2 * products + leftSquares
      const gain = (leftSquares / weightLeft + rightSquares / (weight - weightLeft)) * weight - squares
      if (gain > score) keep(gain, one, i, side, weightLeft, 0)
    }
  }
}

/** Draws of each class, and the sum of their squares. */
export function countClasses(rows: usize, from: i32, to: i32): f64 {
  for (let k = 0; k < classes; k++) store<f64>(total + ((k as usize) << 3), 0)
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    const at = total + ((int(classOf, row) as usize) << 3)
    store<f64>(at, load<f64>(at) + (int(draws, row) as f64))
  }
  let squares: f64 = 0
  for (let k = 0; k < classes; k++) squares += double(total, k) * double(total, k)
  return squares
}

/** 1 where a row goes right of a cut, of code and cut less `shift`. */
function rightOf(codesOfColumn: usize, row: i32, limit: i32, shift: i32): i32 {
  return (limit - (((codeAt(codesOfColumn, row) as i32) - shift) & 0xffff)) >>> 31
}

export function partition(
  codesOfColumn: usize,
  source: usize,
  target: usize,
  from: i32,
  to: i32,
  limit: i32,
  shift: i32,
): i32 {
  let start = target + ((from as usize) << 2)
  let end = target + ((to as usize) << 2) - 4
  const last = source + ((to as usize) << 2)
  for (let at = source + ((from as usize) << 2); at < last; at += 4) {
    const row = load<i32>(at)
    const right = rightOf(codesOfColumn, row, limit, shift) << 2
    store<i32>(start, row)
    store<i32>(end, row)
    end -= right
    start += 4 - right
  }
  return ((start - target) >> 2) as i32
}

export function assign(
  codesOfColumn: usize,
  rows: usize,
  from: i32,
  to: i32,
  limit: i32,
  shift: i32,
  leftSide: i32,
  sides: usize,
): void {
  for (let i = from; i < to; i++)
    store<i32>(sides + ((i as usize) << 2), leftSide + rightOf(codesOfColumn, int(rows, i), limit, shift))
}
