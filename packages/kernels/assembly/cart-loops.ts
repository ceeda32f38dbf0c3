/**
 * The loops over rows, codes and cuts of a classification and regression tree, for rows of equal weight. What is computed is told by
 * their twins in `src/cart-loops.ts`; both give the same bits. The host lays out the memory and hands over addresses.
 */
let minbucket: i32
let classes: i32
let binRows: usize
let binWeight: usize
let binSum: usize
let binCounts: usize
let groups: usize
let leftCounts: usize
let rightCounts: usize
let classTotal: usize
let classLeft: usize
let cut: usize

export function setup(
  fewestRows: i32,
  classCount: i32,
  binRowsAt: usize,
  binWeightAt: usize,
  binSumAt: usize,
  binCountsAt: usize,
  groupsAt: usize,
  leftCountsAt: usize,
  rightCountsAt: usize,
  classTotalAt: usize,
  classLeftAt: usize,
  cutAt: usize,
): void {
  minbucket = fewestRows
  classes = classCount
  binRows = binRowsAt
  binWeight = binWeightAt
  binSum = binSumAt
  binCounts = binCountsAt
  groups = groupsAt
  leftCounts = leftCountsAt
  rightCounts = rightCountsAt
  classTotal = classTotalAt
  classLeft = classLeftAt
  cut = cutAt
}

function int(array: usize, at: i32): i32 {
  return load<i32>(array + ((at as usize) << 2))
}

function setInt(array: usize, at: i32, value: i32): void {
  store<i32>(array + ((at as usize) << 2), value)
}

function double(array: usize, at: i32): f64 {
  return load<f64>(array + ((at as usize) << 3))
}

function setDouble(array: usize, at: i32, value: f64): void {
  store<f64>(array + ((at as usize) << 3), value)
}

export function partition(rows: usize, from: i32, count: i32, side: usize, spare: usize): i32 {
  let left = from
  let right = 0
  for (let k = from; k < from + count; k++) {
    const row = int(rows, k)
    const goesRight = load<u8>(side + (row as usize)) as i32
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

/** Into `classTotal`. */
export function totalClasses(classCodes: usize, rows: usize, start: i32, n: i32): void {
  for (let c = 0; c < classes; c++) setInt(classTotal, c, 0)
  for (let k = start; k < start + n; k++) {
    const c = int(classCodes, int(rows, k))
    setInt(classTotal, c, int(classTotal, c) + 1)
  }
}

export function sidesByRank(codes: usize, rows: usize, start: i32, n: i32, below: i32, side: usize): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    store<u8>(side + (row as usize), code < 0 ? 2 : code <= below ? 0 : 1)
  }
}

export function sidesByLevel(codes: usize, rows: usize, start: i32, n: i32, levelSide: usize, side: usize): void {
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    store<u8>(side + (row as usize), code < 0 ? 2 : load<u8>(levelSide + (code as usize)))
  }
}

export function addNumbers(
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
    const to = load<u8>(side + (row as usize)) as i32
    setDouble(sideWeight, to, double(sideWeight, to) + 1)
    setDouble(sideSum, to, double(sideSum, to) + double(values, row))
  }
}

export function addCodes(
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
    const to = load<u8>(side + (row as usize)) as i32
    setDouble(sideWeight, to, double(sideWeight, to) + 1)
    setDouble(sideSum, to, double(sideSum, to) + (int(codes, row) as f64))
  }
}

export function settleSides(rows: usize, start: i32, n: i32, side: usize, heavier: i32, flip: i32): i32 {
  let right = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k) as usize
    const given = load<u8>(side + row) as i32
    const settled = given === 2 ? heavier : given ^ flip
    store<u8>(side + row, settled)
    right += settled
  }
  return n - right
}

export function countNumbers(codes: usize, rows: usize, values: usize, start: i32, n: i32, mean: f64): i32 {
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    if (code < 0) continue
    const before = int(binRows, code)
    setInt(binRows, code, before + 1)
    if (before === 0) setInt(groups, count++, code)
    setDouble(binSum, code, double(binSum, code) + (double(values, row) - mean))
  }
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    setDouble(binWeight, code, int(binRows, code) as f64)
  }
  return count
}

export function countClasses(codes: usize, rows: usize, classCodes: usize, start: i32, n: i32): i32 {
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    if (code < 0) continue
    const before = int(binRows, code)
    setInt(binRows, code, before + 1)
    if (before === 0) setInt(groups, count++, code)
    const cell = code * classes + int(classCodes, row)
    setDouble(binCounts, cell, double(binCounts, cell) + 1)
  }
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    setDouble(binWeight, code, int(binRows, code) as f64)
  }
  return count
}

export function clearBins(count: i32): void {
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    setInt(binRows, code, 0)
    setDouble(binWeight, code, 0)
    if (classes === 0) setDouble(binSum, code, 0)
    else for (let k = 0; k < classes; k++) setDouble(binCounts, code * classes + k, 0)
  }
}

const TIE: f64 = 1e-9
const NEARLY: f64 = 1 - 1e-12

/** The best so far: gain, what the next must exceed, and the cut between two ranks, groups or sets. */
function raise(gain: f64, below: i32, above: i32): f64 {
  const bar = gain * (1 + TIE)
  store<f64>(cut, gain)
  store<f64>(cut + 8, bar)
  store<f64>(cut + 16, below as f64)
  store<f64>(cut + 24, above as f64)
  return bar
}

function begin(): f64 {
  store<f64>(cut + 16, -1)
  return load<f64>(cut + 8)
}

export function cutNumbers(
  order: usize,
  rank: usize,
  values: usize,
  from: i32,
  end: i32,
  mean: f64,
  isWhole: i32,
): void {
  let bar = begin()
  let sum: f64 = 0
  const weight = (end - from) as f64
  if (isWhole === 0) for (let k = from; k < end; k++) sum += double(values, int(order, k)) - mean
  const base = (sum * sum) / weight
  let leftSum: f64 = 0
  let leftWeight: f64 = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = int(order, from)
  for (let k = from; k < first && k < last; k++) {
    leftWeight += 1
    leftSum += double(values, row) - mean
    row = int(order, k + 1)
  }
  let here = int(rank, row)
  for (let k = first; k < last; k++) {
    leftWeight += 1
    leftSum += double(values, row) - mean
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next !== here) {
      const rightSum = sum - leftSum
      const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
      if (gain > bar) bar = raise(gain, here, next)
      here = next
    }
  }
}

export function cutClasses(order: usize, rank: usize, classCodes: usize, from: i32, end: i32): void {
  let exact = begin()
  const count = end - from
  let rightSquares: f64 = 0
  for (let c = 0; c < classes; c++) {
    setInt(classLeft, c, 0)
    const total = int(classTotal, c) as f64
    rightSquares += total * total
  }
  const base = rightSquares / (count as f64)
  let bar = (exact + base) * NEARLY
  let leftSquares: f64 = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = int(order, from)
  let here = int(rank, row)
  for (let k = from; k < last; k++) {
    const c = int(classCodes, row)
    const before = int(classLeft, c)
    setInt(classLeft, c, before + 1)
    leftSquares += (2 * before + 1) as f64
    rightSquares += (1 - 2 * (int(classTotal, c) - before)) as f64
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next === here) continue
    if (k >= first) {
      const leftRows = (k + 1 - from) as f64
      const rightRows = (count as f64) - leftRows
      if (leftSquares * rightRows + rightSquares * leftRows > bar * (leftRows * rightRows)) {
        const gain = leftSquares / leftRows + rightSquares / rightRows - base
        if (gain > exact) {
          exact = raise(gain, here, next)
          bar = (exact + base) * NEARLY
        }
      }
    }
    here = next
  }
}

export function cutTwoClasses(order: usize, rank: usize, classCodes: usize, from: i32, end: i32): void {
  let exact = begin()
  const count = (end - from) as f64
  const zeros = int(classTotal, 0) as f64
  const ones = int(classTotal, 1) as f64
  const base = (zeros * zeros + ones * ones) / count
  let bar = (exact + base) * NEARLY
  let leftOnes: f64 = 0
  const last = end - minbucket
  let k = from
  for (; k < from + minbucket - 1 && k < last; k++) leftOnes += int(classCodes, int(order, k)) as f64
  let row = int(order, k)
  let here = int(rank, row)
  for (; k < last; k++) {
    leftOnes += int(classCodes, row) as f64
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next === here) continue
    const leftRows = (k + 1 - from) as f64
    const rightRows = count - leftRows
    const leftZeros = leftRows - leftOnes
    const rightZeros = zeros - leftZeros
    const rightOnes = ones - leftOnes
    const leftSquares = leftZeros * leftZeros + leftOnes * leftOnes
    const rightSquares = rightZeros * rightZeros + rightOnes * rightOnes
    if (leftSquares * rightRows + rightSquares * leftRows > bar * (leftRows * rightRows)) {
      const gain = leftSquares / leftRows + rightSquares / rightRows - base
      if (gain > exact) {
        exact = raise(gain, here, next)
        bar = (exact + base) * NEARLY
      }
    }
    here = next
  }
}

export function cutGroupsOfNumbers(count: i32): void {
  let bar = begin()
  let weight: f64 = 0
  let sum: f64 = 0
  let rows = 0
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    rows += int(binRows, code)
    weight += double(binWeight, code)
    sum += double(binSum, code)
  }
  const base = (sum * sum) / weight
  let leftRows = 0
  let leftWeight: f64 = 0
  let leftSum: f64 = 0
  for (let g = 0; g < count - 1; g++) {
    const code = int(groups, g)
    leftRows += int(binRows, code)
    leftWeight += double(binWeight, code)
    leftSum += double(binSum, code)
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const rightSum = sum - leftSum
    const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
    if (gain > bar) bar = raise(gain, g, g)
  }
}

/** All rows to the right; their number. */
function startClasses(count: i32): i32 {
  for (let k = 0; k < classes; k++) {
    setDouble(leftCounts, k, 0)
    setDouble(rightCounts, k, 0)
  }
  let rows = 0
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    rows += int(binRows, code)
    for (let k = 0; k < classes; k++)
      setDouble(rightCounts, k, double(rightCounts, k) + double(binCounts, code * classes + k))
  }
  return rows
}

function squaresOf(counts: usize): f64 {
  let sum: f64 = 0
  for (let k = 0; k < classes; k++) sum += double(counts, k) * double(counts, k)
  return sum
}

export function cutGroupsOfClasses(count: i32): void {
  let bar = begin()
  const rows = startClasses(count)
  const weight = rows as f64
  const base = squaresOf(rightCounts) / weight
  let leftRows = 0
  for (let g = 0; g < count - 1; g++) {
    const code = int(groups, g)
    leftRows += int(binRows, code)
    for (let k = 0; k < classes; k++) {
      const moved = double(binCounts, code * classes + k)
      setDouble(leftCounts, k, double(leftCounts, k) + moved)
      setDouble(rightCounts, k, double(rightCounts, k) - moved)
    }
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const leftWeight = leftRows as f64
    const gain = squaresOf(leftCounts) / leftWeight + squaresOf(rightCounts) / (weight - leftWeight) - base
    if (gain > bar) bar = raise(gain, g, g)
  }
}

export function cutSubsets(count: i32): void {
  let bar = begin()
  const rows = startClasses(count)
  const weight = rows as f64
  const base = squaresOf(rightCounts) / weight
  let leftRows = 0
  let subset = 0
  for (let step = 1; step < 1 << (count - 1); step++) {
    const g = 31 - clz(step & -step)
    subset ^= 1 << g
    const code = int(groups, g)
    const sign = (subset >>> g) & 1 ? 1 : -1
    leftRows += sign * int(binRows, code)
    for (let k = 0; k < classes; k++) {
      const moved = (sign as f64) * double(binCounts, code * classes + k)
      setDouble(leftCounts, k, double(leftCounts, k) + moved)
      setDouble(rightCounts, k, double(rightCounts, k) - moved)
    }
    if (leftRows < minbucket || rows - leftRows < minbucket) continue
    const leftWeight = leftRows as f64
    const gain = squaresOf(leftCounts) / leftWeight + squaresOf(rightCounts) / (weight - leftWeight) - base
    if (gain > bar) bar = raise(gain, subset, subset)
  }
}
