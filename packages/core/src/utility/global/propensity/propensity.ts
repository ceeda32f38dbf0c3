import { countIds } from '@scrim/kernels'
import { NotApplicable, UserError } from '../../../errors.js'
import { designColumns, designOf } from '../../../learners/coding/design-matrix.js'
import type { SparseRows } from '../../../stats/matrices/sparse-rows.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { type Column, countMissing, MISSING_CODE, stackColumns } from '../../../table/column.js'
import { columnOf, type Table, table } from '../../../table/table.js'
import type { ColumnShare } from './column-shares.js'
import { logitScores } from './logit-scores.js'

/**
 * The probability that a record of original and release together is a released one, by logistic regression on its
 * values (Woo, Reiter, Oganian and Karr 2009; Snoke, Raab, Nowok, Dibben and Slavkovic 2018): main effects, or with
 * products of two variables. Levels are 0/1 columns, missing is a level; a missing number has a column of its own that
 * says so. Columns that are combinations of others have no coefficient and do not count.
 *
 * It sees what the model can express: with main effects only means and shares, with products also pairs.
 */
export interface Propensity {
  /** By record, the original ones first. */
  readonly scores: Float64Array
  readonly originals: number
  /** Coefficients that can be estimated and may differ, without the intercept. */
  readonly df: number
  readonly order: PropensityOrder
  /** False when files can be told apart so well that coefficients grow without end; scores are good all the same. */
  readonly converged: boolean
  /** Levels with fewer records than this in both files count as one; 1 where all are told apart. */
  readonly fewest: number
  /** By how much X² would fall without a variable and its products, by the score test. */
  readonly columns: () => readonly ColumnShare[]
}

/** 1 for main effects, 2 for products of two variables as well. */
type PropensityOrder = 1 | 2

/** As synthpop: more than this would describe records, not the files. */
const MOST_COEFFICIENTS = 400
/** Products are taken when there are this many records for each coefficient. */
const RECORDS_PER_COEFFICIENT = 10

export interface PropensityOptions {
  readonly variables: readonly string[]
  /** `auto`: with products where they are few enough for the number of records. */
  readonly order: PropensityOrder | 'auto'
  /** Columns that were released as they are: what they alone tell is 0 for any synthesis, and does not count. */
  readonly kept?: readonly string[] | null
}

/** The tables must have been reconciled by `release`. */
export function logisticPropensity(
  original: Table,
  released: Table,
  { variables, order, kept = null }: PropensityOptions,
): Propensity {
  const { pooled, fewest } = withFewerLevels(stackTables(original, released, variables))
  const { design, members, order: taken } = modelOf(pooled, order)
  const isReleased = Float64Array.from({ length: pooled.rows }, (_, row) => (row < original.rows ? 0 : 1))
  const { fitted, used, converged, scoreStatistic } = logitScores(design, isReleased)
  if (used.length === 0) throw new NotApplicable('every variable is constant, so nothing could tell the files apart')
  const columnShares = () => {
    const all = scoreStatistic(() => false)
    return variables.map((name) => ({
      name,
      value: Math.max(0, all - scoreStatistic((column) => members[column].includes(name))),
    }))
  }
  const made = used.filter((column) => members[column].some((name) => kept?.includes(name) !== true))
  if (made.length === 0) throw new NotApplicable('every column was released as it is')
  const found = { scores: fitted, originals: original.rows, df: made.length, order: taken, converged, fewest }
  return { ...found, columns: columnShares }
}

/** The records of both tables, the original ones first. */
export function stackTables(original: Table, released: Table, variables: readonly string[]): Table {
  return table(
    'original and release',
    variables.map((name) => stackColumns([columnOf(original, name), columnOf(released, name)])),
  )
}

/**
 * Where levels alone are more than a model may have coefficients, the rare ones count as one: those with fewer records in both
 * files than the least number that leaves few enough.
 */
function withFewerLevels(pooled: Table): { readonly pooled: Table; readonly fewest: number } {
  const counted = pooled.columns.map((column) => ({ column, counts: levelCounts(column) }))
  const terms = (fewest: number) =>
    counted.reduce((sum, { column, counts }) => {
      if (counts === null) return sum + (countMissing(column) > 0 ? 2 : 1)
      const kept = counts.filter((count) => count >= fewest).length
      const others = counts.some((count) => count > 0 && count < fewest) ? 1 : 0
      return sum + Math.max(0, kept + others - (countMissing(column) > 0 ? 0 : 1))
    }, 0)
  let fewest = 1
  while (terms(fewest) > MOST_COEFFICIENTS && fewest <= pooled.rows) fewest++
  if (fewest === 1) return { pooled, fewest }
  const columns = counted.map(({ column, counts }) => rareTogether(column, counts, fewest))
  return { pooled: table(pooled.name, columns), fewest }
}

function levelCounts(column: Column): Int32Array | null {
  return column.kind === 'categorical' ? countIds(column.codes, column.levels.length) : null
}

function rareTogether(column: Column, counts: Int32Array | null, fewest: number): Column {
  if (column.kind !== 'categorical' || counts === null) return column
  const rest = column.levels.length
  const codes = column.codes.map((code) => (code === MISSING_CODE || counts[code] >= fewest ? code : rest))
  return { ...column, codes, levels: [...column.levels, '(rare)'] }
}

/** What is said where levels were put together. */
export function fewerLevelsWarning({ fewest }: Pick<Propensity, 'fewest'>): string[] {
  return fewest === 1
    ? []
    : [`the propensity model tells no levels apart that have fewer than ${fewest} records in both files`]
}

function modelOf(pooled: Table, order: PropensityOrder | 'auto') {
  const coding = designOf(pooled)
  const variableOf = coding.terms.map(({ column }) => column)
  const pairs = order === 1 ? [] : pairsOf(variableOf)
  const count = variableOf.length + pairs.length
  if (order === 'auto' && count > Math.min(MOST_COEFFICIENTS, pooled.rows / RECORDS_PER_COEFFICIENT))
    return modelOf(pooled, 1)
  if (count > MOST_COEFFICIENTS)
    throw new UserError(
      `the propensity model would have ${count} coefficients, more than ${MOST_COEFFICIENTS}: ${order === 2 ? 'take main effects only, or fewer variables' : 'group levels or take fewer variables'}`,
    )
  // Products of numbers far from 0 are nearly collinear with the numbers themselves.
  const main = designColumns(coding, pooled).map((column, j) =>
    coding.terms[j].level === null ? standardised(column) : column,
  )
  return {
    design: sparseDesign(main, pairs),
    /** The variables that each column is made of. */
    members: [...variableOf.map((name) => [name]), ...pairs.map(([a, b]) => [variableOf[a], variableOf[b]])],
    order: order === 'auto' ? 2 : order,
  }
}

/** Terms of different variables. */
function pairsOf(variableOf: readonly string[]): (readonly [number, number])[] {
  return variableOf.flatMap((variable, a) =>
    variableOf.flatMap((other, b) => (b > a && other !== variable ? [[a, b] as const] : [])),
  )
}

/** Main effects and then products, without what is 0. */
function sparseDesign(main: readonly Float64Array[], pairs: readonly (readonly [number, number])[]): SparseRows {
  const terms = main.length
  const rows = main[0]?.length ?? 0
  const place = new Int32Array(terms * terms).fill(-1)
  for (const [k, [a, b]] of pairs.entries()) place[a * terms + b] = terms + k
  const present = new Int32Array(terms)
  const start = new Int32Array(rows + 1)
  const columns: number[] = []
  const values: number[] = []
  for (let row = 0; row < rows; row++) {
    let count = 0
    for (let j = 0; j < terms; j++) if (main[j][row] !== 0) present[count++] = j
    for (let k = 0; k < count; k++) {
      columns.push(present[k])
      values.push(main[present[k]][row])
    }
    for (let k = 0; k < count; k++)
      for (let l = k + 1; l < count; l++) {
        const column = place[present[k] * terms + present[l]]
        if (column < 0) continue
        columns.push(column)
        values.push(main[present[k]][row] * main[present[l]][row])
      }
    start[row + 1] = columns.length
  }
  return {
    rows,
    columns: terms + pairs.length,
    start,
    column: Int32Array.from(columns),
    value: Float64Array.from(values),
  }
}

/** Changes no score. */
function standardised(values: Float64Array): Float64Array {
  const centre = mean(values) ?? 0
  const spread = standardDeviation(values) ?? 1
  return values.map((value) => (value - centre) / spread)
}
