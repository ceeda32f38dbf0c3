import { sampleWithoutReplacement, sampleWithReplacement } from '../random/sampling.js'
import type { Stream } from '../random/stream.js'
import { massOf } from '../stats/samples/two-samples.js'
import { countUpTo } from '../stats/sorted.js'
import { weightSums } from '../stats/sums.js'
import { remember, type Subject, tableOfPart } from '../table/classes.js'
import { type Column, columnLength, isMissing, takeRows } from '../table/column.js'
import type { Release } from '../table/release.js'
import {
  allRows,
  type ColumnSet,
  type CountedRecords,
  columnOf,
  completeRows,
  countedBy,
  findColumn,
  recordsIn,
  selectRows,
  setKey,
  type Table,
  table,
} from '../table/table.js'
import { drawnCounts, nothingCounts, sameCounts } from './counted-draws.js'

/**
 * An original and one file to compare with it: the release itself, or a file that was drawn from the original to know what
 * such a file would give. `release` holds these two tables and no other, for everything that reads a Release.
 */
export interface Pair {
  readonly release: Release
  readonly original: Table
  readonly released: Table
  /** The columns to compare: those that both have, without weight and household. */
  readonly variables: readonly string[]
  /** The weight column; the released table may lack it, and then counts every record once. */
  readonly weight: string | null
  /** Where the measure needs a target; otherwise ''. */
  readonly target: string
  /** The row of the original that each released row is, where the file was drawn from it; null for the release itself. */
  readonly drawn: Int32Array | null
  /** The row in the file of each original row, where only some are looked at; null for all. And how many the file has. */
  readonly originalRows: Int32Array | null
  readonly rowsOfFile: number
  /** People who were not used to make the release, where they are given. */
  readonly outside: Table | null
  /** All files that were released together, this one included; none where only some of its records are looked at. */
  readonly together: readonly Table[]
}

export function pairOf({ release, part, target }: Subject, variables: readonly string[] | null = null): Pair {
  const compared = variables === null ? release : { ...release, variables }
  const pair = pairWith(compared, release.original, tableOfPart(release, part), target, null)
  return { ...pair, outside: release.holdout, together: release.released }
}

function pairWith(release: Release, original: Table, released: Table, target: string, drawn: Int32Array | null): Pair {
  const alone: Release = { ...release, original, released: [released], holdout: null, population: null }
  const { variables, weight } = release
  const whole = { originalRows: null, rowsOfFile: original.rows, outside: null, together: [] }
  return { release: alone, original, released, variables, weight, target, drawn, ...whole }
}

/** The pair with another file in the place of the release. */
export function withReleased(pair: Pair, released: Table, drawn: Int32Array | null): Pair {
  return { ...pairWith(pair.release, pair.original, released, pair.target, drawn), outside: pair.outside }
}

/** At most `most` random rows of each table, in proportion to their sizes. */
export function reducedPair(pair: Pair, most: number, random: (purpose: string) => Stream): Pair {
  const { original, released } = pair
  const share = most / Math.max(original.rows, released.rows)
  if (share >= 1) return pair
  const some = (file: Table, purpose: string) =>
    sampleWithoutReplacement(random(purpose), file.rows, Math.max(1, Math.round(share * file.rows))).sort()
  const originalRows = some(original, 'original rows')
  const releasedRows = some(released, 'released rows')
  const reduced = [selectRows(original, originalRows), selectRows(released, releasedRows)] as const
  const { outside } = pair
  return { ...pairWith(pair.release, ...reduced, pair.target, null), originalRows, rowsOfFile: original.rows, outside }
}

/** The pair without some rows: only these of the original, or of the release, are looked at. */
export function pairOfRows(pair: Pair, originalRows: Int32Array, releasedRows: Int32Array): Pair {
  const original = selectRows(pair.original, originalRows)
  const released = selectRows(pair.released, releasedRows)
  const { outside, rowsOfFile } = pair
  return { ...pairWith(pair.release, original, released, pair.target, null), originalRows, rowsOfFile, outside }
}

/** Only records without a missing value in these columns, as riskutility compares them; the pair itself where a file has none. */
export function completePair(pair: Pair, names: readonly string[]): Pair {
  const [x, y] = [pair.original, pair.released].map((file) => completeRows(file, names))
  const isWhole = x.length === pair.original.rows && y.length === pair.released.rows
  if (isWhole || x.length === 0 || y.length === 0) return pair
  const { originalRows } = pair
  return { ...pairOfRows(pair, x, y), originalRows: originalRows === null ? x : x.map((row) => originalRows[row]) }
}

/** The pair with other values in the same records. */
export function withTables(pair: Pair, original: Table, released: Table): Pair {
  const { originalRows, rowsOfFile, outside } = pair
  return { ...pairWith(pair.release, original, released, pair.target, pair.drawn), originalRows, rowsOfFile, outside }
}

/** A file of these rows of the original, with the columns of the release. */
export function drawnPair(pair: Pair, rows: Int32Array): Pair {
  const { original, released } = pair
  const columns = original.columns.filter(({ name }) => findColumn(released, name) !== undefined)
  return withReleased(pair, selectRows(table('a sample of the original', columns), rows), rows)
}

/** The original itself, with the columns of the release. */
export function itselfPair(pair: Pair): Pair {
  const { counted } = pair.original
  const itself = drawnPair(pair, allRows(pair.original))
  return counted === undefined ? itself : withReleasedCounts(itself, sameCounts(counted, has(pair)))
}

/** As many random records of the original as the release has, with replacement. */
export function honestPair(pair: Pair, random: (purpose: string) => Stream): Pair {
  const { original, released } = pair
  const { counted } = original
  const honest = drawnPair(pair, drawRows(pair, released.rows, true, random('rows')))
  if (counted === undefined) return honest
  const weightsOf = (set: Table) => (drawingWeights(pair) === null ? null : weightsIn(set, pair.weight))
  const drawing = { records: recordsIn(released), has: has(pair), random }
  return withReleasedCounts(honest, drawnCounts(counted, weightsOf, drawing))
}

const has =
  ({ released }: Pair) =>
  (name: string) =>
    findColumn(released, name) !== undefined

function withReleasedCounts(pair: Pair, counted: CountedRecords): Pair {
  return withReleased(pair, { ...pair.released, counted }, pair.drawn)
}

/** The pair as far as these columns: all records where they were counted by them, the pair itself otherwise. */
export function countedPair(pair: Pair, columns: readonly string[], as: ColumnSet['as']): Pair {
  const [original, released] = [pair.original, pair.released].map((file) => countedBy(file, columns, as))
  if (original === pair.original) return pair
  return remember(pair.release, `counted ${setKey({ columns, as })}`, () => withTables(pair, original, released))
}

/** The pair of the records that are here, without what was counted in all of them. */
export function withoutCounts(pair: Pair): Pair {
  const { original, released } = pair
  if (original.counted === undefined) return pair
  return withTables(pair, { ...original, counted: undefined }, { ...released, counted: undefined })
}

/**
 * `size` random rows of the original, with replacement or all different. Where the release has no weights but the
 * original has, a record is drawn in proportion to its weight (with replacement): so would an honest file be made.
 */
export function drawRows(pair: Pair, size: number, replace: boolean, random: Stream): Int32Array {
  const weights = drawingWeights(pair)
  if (weights !== null) return drawByWeight(weights, size, random)
  const { original } = pair
  return replace
    ? sampleWithReplacement(random, original.rows, size)
    : sampleWithoutReplacement(random, original.rows, Math.min(size, original.rows))
}

/** Weights of some records of a file; null where it has none. */
export function weightsOf(data: Table, weight: string | null, rows: Int32Array): Float64Array | null {
  const column = weight === null ? undefined : findColumn(data, weight)
  return column?.kind === 'numeric' ? Float64Array.from(rows, (row) => column.values[row]) : null
}

/** The weights by which a release without any would honestly be drawn; null where records are drawn alike. */
export function drawingWeights({ original, released, weight }: Pair): Float64Array | null {
  return weight === null || findColumn(released, weight) !== undefined ? null : weightsIn(original, weight)
}

function drawByWeight(weights: Float64Array, size: number, random: Stream): Int32Array {
  const sums = new Float64Array(weights.length)
  let total = 0
  for (let row = 0; row < weights.length; row++) {
    total += weights[row]
    sums[row] = total
  }
  return Int32Array.from({ length: size }, () => countUpTo(sums, random.uniform() * total, 0, sums.length - 1))
}

/** How much the rows of a file count: their weights, of all records that each stands for; null where that is 1 for each. */
export function massIn(table: Table, weight: string | null): ArrayLike<number> | null {
  return massOf(weightsIn(table, weight), table.times ?? null)
}

/** As how many records of equal weight those of a file count: (Σ w)² / Σ w². */
export function effectiveRecords(table: Table, weight: string | null): number {
  const weights = weightsIn(table, weight)
  if (weights === null) return recordsIn(table)
  const { sum, squares } = weightSums(weights, table.times)
  return squares === 0 ? 0 : (sum * sum) / squares
}

/** The weights of a file as numbers; null when it has none. */
export function weightsIn(table: Table, weight: string | null): Float64Array | null {
  const column = weight === null ? undefined : findColumn(table, weight)
  return column?.kind === 'numeric' ? column.values : null
}

/** What a file keeps that keeps nothing of the joint distribution, or nothing of the marginal ones. */
export type Nothing = 'independent' | 'uniform'

/** A file as large as the release, every column on its own: drawn from its marginal, or uniform over its support. */
export function nothingPair(pair: Pair, kind: Nothing, random: (purpose: string) => Stream): Pair {
  const { original, released } = pair
  const isVariable = new Set(pair.variables)
  const columns = released.columns.map(({ name }) => {
    const column = columnOf(original, name)
    const rows = sampleWithReplacement(random(`rows of ${name}`), original.rows, released.rows)
    const drawn = takeRows(column, rows)
    return kind === 'uniform' && isVariable.has(name) ? uniform(column, drawn, random(`values of ${name}`)) : drawn
  })
  const nothing = withReleased(pair, table(`${kind} columns`, columns), null)
  if (original.counted === undefined) return nothing
  const drawing = { records: recordsIn(released), random }
  return withReleasedCounts(nothing, nothingCounts(original.counted, kind, pair.weight, drawing))
}

/** Levels that occur, missing among them, equally often; numbers anywhere between the least and the greatest, missing as often as they are. */
function uniform(column: Column, drawn: Column, random: Stream): Column {
  if (column.kind === 'categorical' && drawn.kind === 'categorical') {
    const seen = [...new Set(column.codes)].sort((a, b) => a - b)
    return { ...drawn, codes: drawn.codes.map(() => seen[random.below(seen.length)]) }
  }
  if (column.kind === 'categorical' || drawn.kind === 'categorical') return drawn
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  for (let row = 0; row < columnLength(column); row++) {
    if (isMissing(column, row)) continue
    least = Math.min(least, column.values[row])
    greatest = Math.max(greatest, column.values[row])
  }
  const values = drawn.values.map((value) =>
    Number.isNaN(value) ? value : least + (greatest - least) * random.uniform(),
  )
  return { ...drawn, values }
}
