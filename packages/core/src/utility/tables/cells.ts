import { groupRows } from '@scrim/kernels'
import { joinedCodes } from '../../stats/joined.js'
import { massOf } from '../../stats/samples/two-samples.js'
import { byCodes } from '../../stats/sorted.js'
import { choose } from '../../stats/special.js'
import { total, weightSums } from '../../stats/sums.js'
import { plainValues } from '../../stored/stored-table.js'
import { jointCodes, remember, rowsOfPart, timesOfPart } from '../../table/classes.js'
import { MISSING_CODE } from '../../table/column.js'
import { binNumbers } from '../../table/grouping.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'
import { countedPair, type Pair, weightsIn } from '../pair.js'
import { joinedTimes, withoutRareLevels } from '../rare-levels.js'

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
    const times = joinedTimes([release.original, release.released[k]])
    const levels = withoutRareLevels({ codes, labels: labelsOf(joint), times })
    return { name, ...levels, cardinality: levels.labels.length }
  }
  const counts = new Float64Array(numbers.length)
  for (const part of ['original', 'all'] as const) {
    const times = timesOfPart(release, part)
    for (const [row, code] of rowsOfPart(release, joint, joint.codes, part).entries())
      if (code >= 0) counts[code] += times === null ? 1 : times[row]
  }
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'synthpop', n: groups })
  return { name, codes: codes.map((code) => (code < 0 ? -1 : bins[code])), cardinality: labels.length, labels }
}

/** A table with such a column is that of the others, and would count these twice. */
export function isConstant({ codes }: Pick<Classes, 'codes'>): boolean {
  return codes.every((code) => code === codes[0])
}

/** Columns to be crossed, original records first, the weights of records, and how many records each row is, where that is not one. */
export interface Coded {
  readonly columns: readonly Classes[]
  readonly originals: number
  readonly weights: Float64Array | null
  readonly times?: Int32Array | null
}

/** The classes of a number, as `classesOfNumber` of a measure has them. */
export function classesOfNumber({ groups }: { readonly groups: number }, release: Release, name: string): Int32Array {
  return classesOf(release, 0, name, groups).codes
}

/** Columns of both files in classes, and some of them together. */
export interface Crossable {
  readonly columns: readonly Classes[]
  together(columns: readonly Classes[]): Coded
}

export function crossable(pair: Pair, names: readonly string[], groups: number): Crossable {
  return {
    columns: names.map((name) => crossed(pair, [name], groups).columns[0]),
    together: (columns) =>
      crossed(
        pair,
        columns.map(({ name }) => name),
        groups,
      ),
  }
}

/** These columns of both files in classes: of all records, where they were counted by them. */
export function crossed(pair: Pair, names: readonly string[], groups: number): Coded {
  const set = countedPair(pair, names, names.length === 1 ? 'values' : 'classes')
  const isAlone = set === pair || names.length === 1
  return {
    columns: names.map((name) => (isAlone ? ownClasses(set, name, groups) : classesAlone(set, pair, name, groups))),
    originals: set.original.rows,
    weights: remember(set.release, 'weights of both files', () => pairWeights(set)),
    times: joinedTimes([set.original, set.released]),
  }
}

function ownClasses(pair: Pair, name: string, groups: number): Classes {
  return remember(pair.release, `${groups} classes of ${name}`, () => classesOf(pair.release, 0, name, groups))
}

/** In records that were counted by several columns, the classes that one has by itself. */
function classesAlone(set: Pair, pair: Pair, name: string, groups: number): Classes {
  const margin = countedPair(pair, [name], 'values')
  const classes = ownClasses(margin, name, groups)
  const codeOf = remember(margin.release, `codes of ${groups} classes of ${name}`, () => {
    const values = [margin.original, margin.released].flatMap((file) => plainValues(columnOf(file, name)))
    return new Map(values.map((value, row) => [value, classes.codes[row]]))
  })
  const values = [set.original, set.released].flatMap((file) => plainValues(columnOf(file, name)))
  return { ...classes, codes: Int32Array.from(values, (value) => codeOf.get(value) ?? MISSING_CODE) }
}

/** Records with a value in each of the columns. */
export function completeRows({ columns, originals, weights, times = null }: Coded): Coded {
  const rows = Int32Array.from((columns[0]?.codes ?? new Int32Array()).keys()).filter((row) =>
    columns.every(({ codes }) => codes[row] >= 0),
  )
  return {
    columns: columns.map((column) => ({ ...column, codes: rows.map((row) => column.codes[row]) })),
    originals: rows.filter((row) => row < originals).length,
    weights: weights && Float64Array.from(rows, (row) => weights[row]),
    times: times && rows.map((row) => times[row]),
  }
}

/** How many records are of the release. */
export function releasedRecords({ columns: [{ codes }], originals, times = null }: Coded): number {
  return times === null ? codes.length - originals : total(times.subarray(originals))
}

/** The cells that occur, with the sum of weights (records, without weights) in each file. */
export interface Cells {
  readonly original: Float64Array
  readonly released: Float64Array
}

/** Larger tables are counted by grouping rows instead of by addressing cells. */
const MOST_ADDRESSED = 65_536

export function countCells({ columns, originals, weights, times = null }: Coded): Cells {
  const [a, b] = columns
  const rows = a.codes.length
  const records = times === null ? rows : total(times)
  const mass = massOf(weights, times)
  if (columns.length === 2 && mass === null && sizeOf(columns) <= Math.min(MOST_ADDRESSED, 4 * rows)) {
    const size = sizeOf(columns)
    const count = (from: number, to: number) => countPairs(a.codes, b.codes, b.cardinality + 1, size, from, to)
    return occurring(count(0, originals), count(originals, rows))
  }
  const { ids, count } = cellIds(columns, records)
  const original = new Float64Array(count)
  const released = new Float64Array(count)
  for (let row = 0; row < originals; row++) original[ids[row]] += mass === null ? 1 : mass[row]
  for (let row = originals; row < ids.length; row++) released[ids[row]] += mass === null ? 1 : mass[row]
  return occurring(original, released)
}

/**
 * Cells for a test. Weighted counts are brought to the effective sizes (Σ w)² / Σ w² of the files (Kish 1965), so that X² is
 * divided by the design effect of unequal weights: Rao and Scott's (1981) first-order correction for a design without
 * clusters and strata.
 */
export function effectiveCells(coded: Coded): Cells {
  const { originals, weights, times = null } = coded
  const cells = countCells(coded)
  if (weights === null) return cells
  const scaled = (counts: Float64Array, from: number, to: number) => {
    const { sum, squares } = weightSums(weights.subarray(from, to), times?.subarray(from, to))
    return squares > 0 ? counts.map((count) => (count * sum) / squares) : counts
  }
  return {
    original: scaled(cells.original, 0, originals),
    released: scaled(cells.released, originals, weights.length),
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
function exampleRows({ columns, times = null }: Coded): Int32Array {
  const { ids, count } = cellIds(columns, times === null ? columns[0].codes.length : total(times))
  const example = new Int32Array(count).fill(-1)
  for (let row = 0; row < ids.length; row++) example[ids[row]] = row
  return example.filter((row) => row >= 0)
}

/** Cells of fewer records are not named. */
const FEWEST_RECORDS = 10

/**
 * Cells of ten records and more in one of the files: records, shares, and z = (s - o c/(1-c)) / √(c (o + s)), how far the release is
 * off from what a correct model would give it. `row` is one to read the label from. In the order of the codes.
 */
export function comparedCells(coded: Coded, { original, released }: Cells) {
  const records = countCells({ ...coded, weights: null })
  const [n1, n2] = [total(original), total(released)]
  const scale = n2 / n1
  const c = scale / (1 + scale)
  const cells = Array.from(exampleRows(coded), (row, k) => ({
    row,
    original: records.original[k],
    released: records.released[k],
    share: { original: original[k] / n1, released: released[k] / n2 },
    z: (released[k] - original[k] * scale) / Math.sqrt(c * (original[k] + released[k])),
  }))
  const inOrder = byCodes(coded.columns)
  return cells
    .filter((cell) => cell.original >= FEWEST_RECORDS || cell.released >= FEWEST_RECORDS)
    .sort((a, b) => inOrder(a.row, b.row))
}

function cellIds(columns: readonly Classes[], records: number): { ids: Int32Array; count: number } {
  const rows = columns[0].codes.length
  const size = sizeOf(columns)
  if (size > Math.min(MOST_ADDRESSED, 4 * records)) return groupRows(columns, rows)
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
