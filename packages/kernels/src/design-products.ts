/**
 * Products with a design matrix that is never written out. Column 0 is the intercept; a dense block is one column of
 * numbers; a levels block stands for the dummies of one categorical column: row i has a 1 in column `slots[i]`, or none
 * if that is `width`, the number of columns. Blocks come in the order of their columns. The simple version multiplies a
 * rows x width matrix; here a categorical column costs one pass however many levels it has. Rows without a dummy go to a
 * spare column rather than through a branch, which no processor could predict.
 */
export type DesignBlock = DenseBlock | LevelsBlock

export interface DenseBlock {
  readonly kind: 'dense'
  readonly column: number
  readonly values: Float64Array
}

export interface LevelsBlock {
  readonly kind: 'levels'
  readonly slots: Int32Array
}

/** Xβ into `into`; `coefficients` starts with the intercept. */
export function designTimes(blocks: readonly DesignBlock[], coefficients: Float64Array, into: Float64Array): void {
  const spared = new Float64Array(coefficients.length + 1)
  spared.set(coefficients)
  into.fill(coefficients[0])
  const counted = blocks.filter((block) => block.kind === 'levels' || coefficients[block.column] !== 0)
  for (let at = 0; at < counted.length; ) {
    const block = counted[at]
    const four = fourDense(counted, at)
    if (four !== null) {
      const [v, w, x, y] = four.map(({ values }) => values)
      const [b, c, d, e] = four.map(({ column }) => coefficients[column])
      for (let i = 0; i < into.length; i++) into[i] = into[i] + b * v[i] + c * w[i] + d * x[i] + e * y[i]
      at += 4
      continue
    }
    if (block.kind === 'dense') {
      const { values } = block
      const factor = coefficients[block.column]
      for (let i = 0; i < into.length; i++) into[i] += factor * values[i]
    } else {
      const { slots } = block
      for (let i = 0; i < into.length; i++) into[i] += spared[slots[i]]
    }
    at++
  }
}

/** Four columns of numbers side by side take one pass: their sums do not wait for each other, and each has its own order. */
function fourDense(blocks: readonly DesignBlock[], at: number): readonly DenseBlock[] | null {
  const four = blocks.slice(at, at + 4).filter((block) => block.kind === 'dense')
  return four.length === 4 ? four : null
}

/** Of each of these columns the sum of its products with `r`, at its column from `row` on. */
function denseProducts(columns: readonly DenseBlock[], r: Float64Array, into: Float64Array, row: number): void {
  for (let at = 0; at < columns.length; at++) {
    const four = fourDense(columns, at)
    if (four === null) {
      const { values, column } = columns[at]
      let product = 0
      for (let i = 0; i < r.length; i++) product += values[i] * r[i]
      into[row + column] = product
      continue
    }
    const [v, w, x, y] = four.map(({ values }) => values)
    let [ofV, ofW, ofX, ofY] = [0, 0, 0, 0]
    for (let i = 0; i < r.length; i++) {
      const own = r[i]
      ofV += v[i] * own
      ofW += w[i] * own
      ofX += x[i] * own
      ofY += y[i] * own
    }
    ;[ofV, ofW, ofX, ofY].forEach((product, k) => {
      into[row + four[k].column] = product
    })
    at += 3
  }
}

const isDense = (block: DesignBlock): block is DenseBlock => block.kind === 'dense'

/** X'r into `into`, which has one element per column. */
export function designTransposeTimes(blocks: readonly DesignBlock[], r: Float64Array, into: Float64Array): void {
  const spared = new Float64Array(into.length + 1)
  let total = 0
  for (let i = 0; i < r.length; i++) total += r[i]
  spared[0] = total
  denseProducts(blocks.filter(isDense), r, spared, 0)
  for (const block of blocks) {
    if (block.kind === 'dense') continue
    const { slots } = block
    for (let i = 0; i < r.length; i++) spared[slots[i]] += r[i]
  }
  into.set(spared.subarray(0, into.length))
}

/** X' diag(v) X into `into`, width x width, row after row; both triangles. */
export function weightedGram(blocks: readonly DesignBlock[], v: Float64Array, width: number, into: Float64Array): void {
  const stride = width + 1
  const spared = new Float64Array(stride * stride)
  const weighted = new Float64Array(v.length)
  for (let a = 0; a < blocks.length; a++) {
    const left = blocks[a]
    if (left.kind === 'dense') {
      const { values } = left
      for (let i = 0; i < v.length; i++) weighted[i] = v[i] * values[i]
      const rest = blocks.slice(a)
      denseProducts(rest.filter(isDense), weighted, spared, left.column * stride)
      for (const right of rest)
        if (right.kind === 'levels') weightsWith(right.slots, weighted, spared, left.column * stride)
    } else {
      for (let b = a; b < blocks.length; b++) levelsWith(left.slots, blocks[b], v, stride, spared)
    }
  }
  // Only one side of the diagonal was summed, the upper one; the other gets the same bits.
  designTransposeTimes(blocks, v, into.subarray(0, width))
  for (let i = 1; i < width; i++) {
    into[i * width] = into[i]
    for (let j = i; j < width; j++) {
      into[i * width + j] = spared[i * stride + j]
      into[j * width + i] = spared[i * stride + j]
    }
  }
}

function weightsWith(slots: Int32Array, weighted: Float64Array, into: Float64Array, row: number): void {
  for (let i = 0; i < weighted.length; i++) into[row + slots[i]] += weighted[i]
}

function levelsWith(left: Int32Array, right: DesignBlock, v: Float64Array, stride: number, into: Float64Array): void {
  if (right.kind === 'dense') {
    const { values, column } = right
    for (let i = 0; i < v.length; i++) into[left[i] * stride + column] += v[i] * values[i]
  } else {
    const { slots } = right
    for (let i = 0; i < v.length; i++) into[left[i] * stride + slots[i]] += v[i]
  }
}
