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
  for (const block of blocks) {
    if (block.kind === 'dense') {
      const { values } = block
      const factor = coefficients[block.column]
      if (factor !== 0) for (let i = 0; i < into.length; i++) into[i] += factor * values[i]
    } else {
      const { slots } = block
      for (let i = 0; i < into.length; i++) into[i] += spared[slots[i]]
    }
  }
}

/** X'r into `into`, which has one element per column. */
export function designTransposeTimes(blocks: readonly DesignBlock[], r: Float64Array, into: Float64Array): void {
  const spared = new Float64Array(into.length + 1)
  let total = 0
  for (let i = 0; i < r.length; i++) total += r[i]
  spared[0] = total
  for (const block of blocks) {
    if (block.kind === 'dense') {
      const { values } = block
      let product = 0
      for (let i = 0; i < r.length; i++) product += values[i] * r[i]
      spared[block.column] = product
    } else {
      const { slots } = block
      for (let i = 0; i < r.length; i++) spared[slots[i]] += r[i]
    }
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
      for (let b = a; b < blocks.length; b++) denseWith(blocks[b], weighted, spared, left.column * stride)
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

function denseWith(right: DesignBlock, weighted: Float64Array, into: Float64Array, row: number): void {
  if (right.kind === 'dense') {
    const { values } = right
    let product = 0
    for (let i = 0; i < weighted.length; i++) product += weighted[i] * values[i]
    into[row + right.column] = product
  } else {
    const { slots } = right
    for (let i = 0; i < weighted.length; i++) into[row + slots[i]] += weighted[i]
  }
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
