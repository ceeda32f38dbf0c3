import { countIds, groupRows } from '@scrim/kernels'
import { joinedCodes } from '../../stats/joined.js'
import { choose } from '../../stats/special.js'
import { total, weightSums } from '../../stats/sums.js'
import { jointCodes, rowsOfPart } from '../../table/classes.js'
import { binNumbers } from '../../table/grouping.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { type Pair, weightsIn } from '../pair.js'
import { withoutRareLevels } from '../rare-levels.js'

/**
 * Columns as classes that can be crossed, and the counts of their cells in both files. Numbers are cut into classes of about
 * equal size, at quantiles of both files together as synthpop cuts them; missing is a class. Each column is coded once, so
 * that t tables cost O((n + m) t).
 */
export interface Classes {
  readonly name: string
  /** The original, then the release; -1 is missing. */
  readonly codes: Int32Array
  readonly cardinality: number
  readonly labels: readonly string[]
}

/** Classes of a number, as synthpop has them. */
export const GROUPS = 5

/** @param k which of the released tables */
export function classesOf(release: Release, k: number, name: string, groups: number): Classes {
  const joint = jointCodes(release, name)
  const { kind, numbers } = joint
  const original = rowsOfPart(release, joint, joint.codes, 'original')
  const released = rowsOfPart(release, joint, joint.codes, k)
  const codes = joinedCodes([original, released])
  if (kind === 'categorical') {
    const levels = withoutRareLevels({ codes, labels: labelsOf(joint) })
    return { name, ...levels, cardinality: levels.labels.length }
  }
  const all = joinedCodes([original, rowsOfPart(release, joint, joint.codes, 'all')])
  const counts = Float64Array.from(countIds(all, numbers.length))
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'synthpop', n: groups })
  return { name, codes: codes.map((code) => (code < 0 ? -1 : bins[code])), cardinality: labels.length, labels }
}

/** A table with such a column is that of the others, and would count these twice. */
export function isConstant({ codes }: Pick<Classes, 'codes'>): boolean {
  return codes.every((code) => code === codes[0])
}

/** Columns to be crossed, original records first, and the weights of records. */
export interface Coded {
  readonly columns: readonly Classes[]
  readonly originals: number
  readonly weights: Float64Array | null
}

/** Records with a value in each of the columns. */
export function completeRows({ columns, originals, weights }: Coded): Coded {
  const rows = Int32Array.from((columns[0]?.codes ?? new Int32Array()).keys()).filter((row) =>
    columns.every(({ codes }) => codes[row] >= 0),
  )
  return {
    columns: columns.map((column) => ({ ...column, codes: rows.map((row) => column.codes[row]) })),
    originals: rows.filter((row) => row < originals).length,
    weights: weights === null ? null : Float64Array.from(rows, (row) => weights[row]),
  }
}

/** The cells that occur, with the sum of weights (records, without weights) in each file. */
export interface Cells {
  readonly original: Float64Array
  readonly released: Float64Array
}

/** Larger tables are counted by grouping rows instead of by addressing cells. */
const MOST_ADDRESSED = 65_536

export function countCells(columns: readonly Classes[], originals: number, weights: Float64Array | null = null): Cells {
  const [a, b] = columns
  const rows = a.codes.length
  if (columns.length === 2 && weights === null && sizeOf(columns) <= Math.min(MOST_ADDRESSED, 4 * rows)) {
    const size = sizeOf(columns)
    const count = (from: number, to: number) => countPairs(a.codes, b.codes, b.cardinality + 1, size, from, to)
    return occurring(count(0, originals), count(originals, rows))
  }
  const { ids, count } = cellIds(columns)
  const original = new Float64Array(count)
  const released = new Float64Array(count)
  for (let row = 0; row < originals; row++) original[ids[row]] += weights === null ? 1 : weights[row]
  for (let row = originals; row < ids.length; row++) released[ids[row]] += weights === null ? 1 : weights[row]
  return occurring(original, released)
}

/**
 * Cells for a test. Weighted counts are brought to the effective sizes (Σ w)² / Σ w² of the files (Kish 1965), so that X² is
 * divided by the design effect of unequal weights: Rao and Scott's (1981) first-order correction for a design without
 * clusters and strata.
 */
export function effectiveCells(columns: readonly Classes[], originals: number, weights: Float64Array | null): Cells {
  const cells = countCells(columns, originals, weights)
  if (weights === null) return cells
  const scaled = (counts: Float64Array, weightsOfFile: Float64Array) => {
    const { sum, squares } = weightSums(weightsOfFile)
    return squares > 0 ? counts.map((count) => (count * sum) / squares) : counts
  }
  return {
    original: scaled(cells.original, weights.subarray(0, originals)),
    released: scaled(cells.released, weights.subarray(originals)),
  }
}

/** Hot: two columns without weights, which is what all pairs of a large file cost. */
function countPairs(a: Int32Array, b: Int32Array, width: number, size: number, from: number, to: number): Float64Array {
  const counts = new Int32Array(size)
  for (let row = from; row < to; row++) counts[(a[row] + 1) * width + b[row] + 1]++
  return Float64Array.from(counts)
}

function occurring(original: Float64Array, released: Float64Array): Cells {
  return {
    original: original.filter((count, cell) => count + released[cell] > 0),
    released: released.filter((count, cell) => count + original[cell] > 0),
  }
}

/** Cells that the classes could have, missing included. */
function sizeOf(columns: readonly Classes[]): number {
  return columns.reduce((product, { cardinality }) => product * (cardinality + 1), 1)
}

/** A row of both files together for each of the cells, in the order of `countCells`; their labels are read from it. */
function exampleRows(columns: readonly Classes[]): Int32Array {
  const { ids, count } = cellIds(columns)
  const example = new Int32Array(count).fill(-1)
  for (let row = 0; row < ids.length; row++) example[ids[row]] = row
  return example.filter((row) => row >= 0)
}

/** Cells of fewer records are not named. */
const FEWEST_RECORDS = 10

/**
 * Cells of ten records and more in one of the files: records, shares, and z = (s - o c/(1-c)) / √(c (o + s)), how far the release is
 * off from what a correct model would give it. `row` is one to read the label from.
 */
export function comparedCells(columns: readonly Classes[], { original, released }: Cells, originals: number) {
  const records = countCells(columns, originals)
  const [n1, n2] = [total(original), total(released)]
  const scale = n2 / n1
  const c = scale / (1 + scale)
  return Array.from(exampleRows(columns), (row, k) => ({
    row,
    original: records.original[k],
    released: records.released[k],
    share: { original: original[k] / n1, released: released[k] / n2 },
    z: (released[k] - original[k] * scale) / Math.sqrt(c * (original[k] + released[k])),
  })).filter((cell) => cell.original >= FEWEST_RECORDS || cell.released >= FEWEST_RECORDS)
}

function cellIds(columns: readonly Classes[]): { ids: Int32Array; count: number } {
  const rows = columns[0].codes.length
  const size = sizeOf(columns)
  if (size > Math.min(MOST_ADDRESSED, 4 * rows)) return groupRows(columns, rows)
  const ids = new Int32Array(rows)
  for (const { codes, cardinality } of columns) {
    const width = cardinality + 1
    for (let row = 0; row < rows; row++) ids[row] = ids[row] * width + codes[row] + 1
  }
  return { ids, count: size }
}

/** "[18,31), F": the classes of a row, in the order of the columns. */
export function cellLabel(columns: readonly Classes[], row: number): string {
  return columns.map(({ codes, labels }) => (codes[row] < 0 ? 'missing' : labels[codes[row]])).join(', ')
}

/** Weights of both files, one below the other, 1 where a file has none; null where neither has. */
export function pairWeights({ original, released, weight }: Pair): Float64Array | null {
  if (weight === null) return null
  const [first, second] = [weightsIn(original, weight), weightsIn(released, weight)]
  if (first === null && second === null) return null
  const weights = new Float64Array(original.rows + released.rows).fill(1)
  if (first !== null) weights.set(first)
  if (second !== null) weights.set(second, original.rows)
  return weights
}

const MOST_TABLES = 50_000

/** A sentence where there are more tables of so many columns than can be looked at. */
export function tooManyTables(columns: number, ways: number): string[] {
  const number = choose(columns, ways)
  return number > MOST_TABLES
    ? [`there would be ${number} tables, more than ${MOST_TABLES}: take fewer variables, or tables of two`]
    : []
}
