import { groupRows } from '@scrim/kernels'
import { codeJointly } from '../../../table/joint.js'
import { columnOf } from '../../../table/table.js'
import type { Pair } from '../../pair.js'

/** Originals must be told apart, and nearly all released records be one of them. */
const TOLD_APART = 0.9
const COPIED = 0.95

/**
 * A release that consists of originals, such as a subsample, must not be tested on the very records that it holds: they would
 * be predicted by themselves. Where nearly all originals are unique and nearly all released records equal one of them, each is
 * taken to be drawn from the original that it equals (any of these where none does). Otherwise the pair as it is.
 */
export function withSources(pair: Pair): Pair {
  const { original, released, variables } = pair
  if (pair.drawn !== null || variables.length === 0) return pair
  const columns = variables.map((name) => codeJointly([columnOf(original, name), columnOf(released, name)]))
  const { ids, count } = groupRows(columns, original.rows + released.rows)
  const sourceOf = new Int32Array(count).fill(-1)
  let unique = 0
  for (let row = 0; row < original.rows; row++) {
    if (sourceOf[ids[row]] < 0) unique++
    sourceOf[ids[row]] = row
  }
  const drawn = ids.subarray(original.rows).map((id) => sourceOf[id])
  const copied = drawn.reduce((sum, row) => sum + (row < 0 ? 0 : 1), 0)
  if (unique < TOLD_APART * original.rows || copied < COPIED * released.rows) return pair
  return { ...pair, drawn: drawn.map((row, k) => (row < 0 ? k % original.rows : row)) }
}
