import { NotApplicable } from '../../../errors.js'
import type { Context } from '../../../measure.js'
import { choice, real } from '../../../option-kinds.js'
import { grouped } from '../../../print.js'
import { stream } from '../../../random/stream.js'
import { entropicPlan } from '../../../stats/transport/sinkhorn.js'
import type { Task } from '../../../tasks/task.js'
import { type AskedPiece, type Block, withAsked } from '../costs/blocks.js'
import { type Costs, fillCosts, within } from '../costs/costs.js'
import type { LinkedFiles } from '../costs/linked-files.js'
import type { Asked } from '../truth/truth.js'
import type { Linked } from './link.js'
import { oneToOne } from './one-to-one.js'

/**
 * Linkage of all people at once: `one-to-one`, everybody getting a record of their own at the least total cost, or
 * `transport`, the same softened by entropy. Costs decide, not the guess sets of single people.
 */
export const matchingOptions = {
  matching: choice(['independent', 'one-to-one', 'transport'], 'independent').describe(
    'everybody alone, everybody getting a record of their own, or that softened by entropy (transport)',
  ),
  epsilon: real(null, { above: 0 }).describe(
    'transport: weight of the entropy; a twentieth of the median cost if null',
  ),
}

/** What replaces the weights of independent linkage, and how it went. */
export interface Matched extends Pick<Linked, 'pairWeight' | 'received' | 'squares' | 'weight' | 'guessed'> {
  /** Total cost of the assignment; the largest ε of the blocks. */
  readonly total: number | null
  readonly epsilon: number | null
  readonly converged: boolean
  /** Groups of classes with more than one optimal assignment; null where there were too many to look at. */
  readonly tied: number | null
}

/** Pairs of classes up to which a transport plan is held, and a matrix of costs is kept rather than computed again. */
const MOST_TRANSPORT = 16e6
const MOST_KEPT = 32e6

interface Shared {
  readonly costs: Costs
  readonly counts: Int32Array
  readonly mode: 'one-to-one' | 'transport'
  readonly epsilon: number | null
  readonly seed: number
}

interface Item extends AskedPiece {
  readonly block: number
}

interface Output {
  readonly asked: Float64Array
  readonly weight: Float64Array
  readonly guessed: Float64Array
  readonly received: Float64Array
  readonly squares: number
  readonly total: number
  readonly epsilon: number
  readonly converged: boolean
  readonly tied: number | null
}

export async function matchAll(
  files: LinkedFiles,
  costs: Costs,
  asked: Asked,
  blocks: readonly Block[],
  { mode, epsilon }: { readonly mode: 'one-to-one' | 'transport'; readonly epsilon: number | null },
  context: Pick<Context, 'tasks' | 'progress' | 'signal' | 'seed'>,
): Promise<Matched> {
  const largest = Math.max(...blocks.map((one) => one.queries.length * (one.searches?.length ?? files.search.classes)))
  const side = grouped(Math.sqrt(MOST_TRANSPORT))
  if (mode === 'transport' && largest > MOST_TRANSPORT)
    throw new NotApplicable(
      `a transport plan takes blocks of up to ${side} x ${side} different records; this has one of ${grouped(largest)} pairs: block it, or match one to one`,
    )
  const items = blocks.map((block, k) => ({ ...withAsked(block, files, asked), block: k }))
  const shared = { costs, counts: files.search.counts, mode, epsilon, seed: context.seed }
  const outputs = await context.tasks.map(matchTask, shared, items, {
    progress: context.progress,
    signal: context.signal,
  })
  const pairWeight = new Float64Array(asked.search.length)
  const weight = new Float64Array(files.query.classes)
  const guessed = new Float64Array(files.query.classes)
  const received = new Float64Array(files.search.classes)
  let squares = 0
  for (const [b, { queries, searches }] of items.entries()) {
    const output = outputs[b]
    let next = 0
    for (const [k, a] of queries.entries()) {
      weight[a] = output.weight[k]
      guessed[a] = output.guessed[k]
      for (let p = asked.start[a]; p < asked.start[a + 1]; p++) pairWeight[p] = output.asked[next++]
    }
    for (const [j, value] of output.received.entries()) received[searches === null ? j : searches[j]] += value
    squares += output.squares
  }
  const isTransport = mode === 'transport'
  return {
    pairWeight,
    weight,
    guessed,
    received,
    squares,
    total: isTransport ? null : outputs.reduce((sum, one) => sum + one.total, 0),
    epsilon: isTransport ? Math.max(...outputs.map((one) => one.epsilon)) : null,
    converged: outputs.every((one) => one.converged),
    tied: outputs.reduce((sum: number | null, { tied }) => (sum === null || tied === null ? null : sum + tied), 0),
  }
}

export const matchTask: Task<Shared, Item, Output> = {
  name: 'matching of all records',
  run(shared, item) {
    const { costs, counts } = within(shared.costs, shared.counts, item.searches)
    if (costs.searches === 0) return nothing(item)
    return shared.mode === 'transport'
      ? transportBlock(costs, counts, item, shared.epsilon)
      : assignBlock(costs, counts, item, shared.seed)
  },
}

function nothing({ queries, asked }: Item): Output {
  const zeros = () => new Float64Array(queries.length)
  const none = { received: new Float64Array(0), squares: 0, total: 0, epsilon: 0, converged: true, tied: 0 }
  return { ...none, asked: new Float64Array(asked.length), weight: zeros(), guessed: zeros() }
}

function assignBlock(costs: Costs, counts: Int32Array, item: Item, seed: number): Output {
  const { queries, queryCounts, block } = item
  const m = costs.searches
  const rows = finiteRows(costs, queries)
  const { flows, total, tied } = oneToOne(
    { supply: queryCounts, capacity: counts, costs: rows.cost },
    stream(seed, 'record-linkage/ties', block),
  )
  const weights = new Map<number, number>()
  const weight = new Float64Array(queries.length)
  const guessed = new Float64Array(queries.length)
  const received = new Float64Array(m)
  let squares = 0
  for (const { row, column, amount } of flows) {
    if (column >= m || rows.isImpossible(row, column)) continue
    const each = amount / (queryCounts[row] * counts[column])
    weights.set(row * m + column, each)
    weight[row] += each * counts[column]
    guessed[row] += counts[column]
    received[column] += each * queryCounts[row]
    squares += each ** 2 * queryCounts[row] * counts[column]
  }
  const asked = askedWeights(item, (row, column) => weights.get(row * m + column) ?? 0)
  return { asked, weight, guessed, received, squares, total, epsilon: 0, converged: true, tied }
}

/** The weight of each asked pair; nothing outside the block. */
function askedWeights({ asked, askedStart }: Item, weightOf: (row: number, column: number) => number): Float64Array {
  let row = 0
  return Float64Array.from(asked, (column, p) => {
    while (p >= askedStart[row + 1]) row++
    return column < 0 ? 0 : weightOf(row, column)
  })
}

/** Rows of costs with a large number instead of what is impossible, so that as few as possible get an impossible record. */
export function finiteRows(costs: Costs, queries: Int32Array) {
  const m = costs.searches
  const kept = queries.length * m <= MOST_KEPT ? new Float64Array(queries.length * m) : null
  const out = new Float64Array(m)
  const raw = (row: number) => {
    fillCosts(costs, queries[row], out)
    return out
  }
  let [low, high, impossible] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false]
  for (let row = 0; row < queries.length; row++) {
    const own = raw(row)
    kept?.set(own, row * m)
    for (let j = 0; j < m; j++) {
      if (own[j] === Number.POSITIVE_INFINITY) impossible = true
      else {
        low = Math.min(low, own[j])
        high = Math.max(high, own[j])
      }
    }
  }
  const instead = (high > low ? high + (high - low) * queries.length : high) + 1
  const finite = (row: Float64Array) => {
    if (impossible) for (let j = 0; j < m; j++) if (row[j] === Number.POSITIVE_INFINITY) row[j] = instead
    return row
  }
  if (kept !== null && impossible)
    for (let k = 0; k < kept.length; k++) if (kept[k] === Number.POSITIVE_INFINITY) kept[k] = instead
  const cost = (row: number) => (kept === null ? finite(raw(row)) : kept.subarray(row * m, (row + 1) * m))
  return { cost, isImpossible: (row: number, column: number) => impossible && cost(row)[column] === instead }
}

function transportBlock(costs: Costs, counts: Int32Array, item: Item, wanted: number | null): Output {
  const { queries, queryCounts } = item
  const m = costs.searches
  const matrix = new Float64Array(queries.length * m)
  for (let row = 0; row < queries.length; row++) fillCosts(costs, queries[row], matrix.subarray(row * m, (row + 1) * m))
  const epsilon = wanted ?? autoEpsilon(matrix, queryCounts, counts)
  const { weights, converged } = entropicPlan({ costs: matrix, rows: queryCounts, columns: counts, epsilon })
  const weight = new Float64Array(queries.length)
  const received = new Float64Array(m)
  let squares = 0
  for (let row = 0; row < queries.length; row++)
    for (let j = 0; j < m; j++) {
      const each = weights[row * m + j]
      weight[row] += each * counts[j]
      received[j] += each * queryCounts[row]
      squares += each ** 2 * queryCounts[row] * counts[j]
    }
  let records = 0
  for (const count of counts) records += count
  return {
    asked: askedWeights(item, (row, column) => weights[row * m + column]),
    weight,
    guessed: new Float64Array(queries.length).fill(records),
    received,
    squares,
    total: 0,
    epsilon,
    converged,
    tied: 0,
  }
}

/** Costs that the median is taken of, at most. */
const MEDIAN_OF = 1e6

/** A twentieth of the median of the positive costs over pairs of records. */
function autoEpsilon(matrix: Float64Array, rows: Int32Array, columns: Int32Array): number {
  const m = columns.length
  const step = Math.max(1, Math.floor(matrix.length / MEDIAN_OF))
  const seen: { cost: number; pairs: number }[] = []
  let pairs = 0
  for (let k = 0; k < matrix.length; k += step) {
    if (!(matrix[k] > 0 && matrix[k] < Number.POSITIVE_INFINITY)) continue
    const both = rows[Math.floor(k / m)] * columns[k % m]
    seen.push({ cost: matrix[k], pairs: both })
    pairs += both
  }
  if (pairs === 0) return 0.1
  seen.sort((a, b) => a.cost - b.cost)
  const at = (rank: number) => {
    let sum = 0
    for (const { cost, pairs: both } of seen) {
      sum += both
      if (sum > rank) return cost
    }
    return seen[seen.length - 1].cost
  }
  const middle = (pairs - 1) / 2
  const epsilon = 0.05 * ((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2)
  return epsilon > 0 ? epsilon : 0.01
}
