import { sharedFloat32, sharedInt32 } from './shared-arrays.js'

/**
 * Records sorted into blocks of at most 64 that lie close together, with a box around each, so that a search opens few of
 * them. Nominal columns come first. Metric columns are scaled, their weight included: a term is |x - y|, at most the
 * weight, or its square when `squared`. The numbers are 32-bit: they decide what to look at, never what is nearest.
 */
export interface Rows32 {
  readonly rows: number
  readonly nominal: number
  readonly metric: number
  readonly squared: boolean
  /** One per column: the cost of a mismatch, or the most that a metric term can be. */
  readonly weights: Float32Array
  /** Column by column: codes from 0 on, or scaled numbers; never NaN. */
  readonly values: Float32Array
}

export interface BlockedRows extends Omit<Rows32, 'rows'> {
  /** A multiple of four; the last ones may be empty. */
  readonly blocks: number
  /** First place of each block and the end of the last; places of a block are a multiple of 16. */
  readonly starts: Int32Array
  /** The row at each place, -1 where there is none. */
  readonly rowAt: Int32Array
  /** Block by block, within it column by column. */
  readonly values: Float32Array
  /** Column by column: the codes of each block, as a set of their last five bits. */
  readonly masks: Uint32Array
  /** Column by column: the least and the largest number of each block. */
  readonly lows: Float32Array
  readonly highs: Float32Array
}

const MOST_IN_BLOCK = 64
const LANES = 16
const SAMPLE = 64

/** The set that holds one code; codes that share their last five bits share a set, which only weakens a bound. */
export const codeMask = (code: number): number => (1 << (code & 31)) >>> 0

export function blockRows(rows: Rows32): BlockedRows {
  const { order, ends } = sortIntoBlocks(rows)
  const { nominal, metric, squared, weights } = rows
  const width = nominal + metric
  const blocks = Math.max(4, Math.ceil(ends.length / 4) * 4)
  const starts = new Int32Array(blocks + 1)
  for (let block = 0, from = 0; block < blocks; block++) {
    const size = block < ends.length ? ends[block] - from : 0
    starts[block + 1] = starts[block] + Math.ceil(size / LANES) * LANES
    from += size
  }
  const places = starts[blocks]
  const blocked = {
    nominal,
    metric,
    squared,
    weights,
    blocks,
    starts,
    rowAt: sharedInt32(places).fill(-1),
    values: sharedFloat32(places * width).fill(Number.NaN),
    masks: new Uint32Array(nominal * blocks),
    lows: new Float32Array(metric * blocks).fill(Number.POSITIVE_INFINITY),
    highs: new Float32Array(metric * blocks).fill(Number.NEGATIVE_INFINITY),
  }
  for (let block = 0, from = 0; block < ends.length; from = ends[block++]) {
    fillBlock(blocked, block, rows, order.subarray(from, ends[block]))
  }
  return blocked
}

function fillBlock(blocked: BlockedRows, block: number, { rows, values }: Rows32, members: Int32Array): void {
  const { nominal, metric, blocks, starts, rowAt, masks, lows, highs } = blocked
  const start = starts[block]
  const size = starts[block + 1] - start
  rowAt.set(members, start)
  for (let column = 0; column < nominal + metric; column++) {
    const from = start * (nominal + metric) + column * size
    const at = column < nominal ? column * blocks + block : (column - nominal) * blocks + block
    for (let k = 0; k < members.length; k++) {
      const value = values[column * rows + members[k]]
      blocked.values[from + k] = value
      if (column < nominal) masks[at] |= codeMask(value)
      else {
        if (value < lows[at]) lows[at] = value
        if (value > highs[at]) highs[at] = value
      }
    }
  }
}

/** Halves the rows again and again along the column in which two of them differ most, on average. */
function sortIntoBlocks(rows: Rows32): { order: Int32Array; ends: number[] } {
  const order = Int32Array.from({ length: rows.rows }, (_, row) => row)
  const ends: number[] = []
  const stack = [{ from: 0, to: rows.rows }]
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const { from, to } = part
    if (to - from <= MOST_IN_BLOCK) {
      if (to > from) ends.push(to)
      continue
    }
    const middle = split(rows, order, from, to)
    stack.push({ from: middle, to }, { from, to: middle })
  }
  return { order, ends }
}

function split(rows: Rows32, order: Int32Array, from: number, to: number): number {
  const column = widestColumn(rows, order, from, to)
  const values = rows.values.subarray(column * rows.rows, (column + 1) * rows.rows)
  const sample = Float32Array.from({ length: SAMPLE }, (_, k) => values[order[sampled(k, from, to)]]).sort()
  const median = sample[SAMPLE >> 1]
  const below = moveBelow(order, from, to, values, median)
  const upTo = moveEqual(order, below, to, values, median)
  const half = from + ((to - from) >> 1)
  if (below > from && (upTo === to || half - below < upTo - half)) return below
  return upTo < to ? upTo : half
}

const sampled = (k: number, from: number, to: number): number => from + Math.floor(((k + 0.5) * (to - from)) / SAMPLE)

function widestColumn({ rows, nominal, metric, weights, values }: Rows32, order: Int32Array, from: number, to: number) {
  const [ones, others] = [new Int32Array(SAMPLE), new Int32Array(SAMPLE)]
  for (let k = 0; k < SAMPLE; k++) {
    ones[k] = order[sampled(k, from, to)]
    others[k] = order[sampled((37 * k + 11) % SAMPLE, from, to)]
  }
  let widest = 0
  let most = -1
  for (let column = 0; column < nominal + metric; column++) {
    let sum = 0
    for (let k = 0; k < SAMPLE; k++) {
      const x = values[column * rows + ones[k]]
      const y = values[column * rows + others[k]]
      if (column >= nominal) sum += Math.abs(x - y)
      else if (x !== y) sum += weights[column]
    }
    if (sum > most) {
      most = sum
      widest = column
    }
  }
  return widest
}

/** Moves the rows below the median to the front and returns where the others begin. Hot, hence not one function with a condition. */
function moveBelow(order: Int32Array, from: number, to: number, values: Float32Array, median: number): number {
  let middle = from
  for (let at = from; at < to; at++) {
    const row = order[at]
    if (values[row] >= median) continue
    order[at] = order[middle]
    order[middle++] = row
  }
  return middle
}

function moveEqual(order: Int32Array, from: number, to: number, values: Float32Array, median: number): number {
  let middle = from
  for (let at = from; at < to; at++) {
    const row = order[at]
    if (values[row] !== median) continue
    order[at] = order[middle]
    order[middle++] = row
  }
  return middle
}
