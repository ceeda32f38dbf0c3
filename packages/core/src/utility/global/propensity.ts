import { UserError } from '../../errors.js'
import { designColumns, designOf } from '../../learners/design-matrix.js'
import { binomial, fitGlm } from '../../learners/glm.js'
import { standardDeviation, sum } from '../../stats/sums.js'
import { stackColumns } from '../../table/column.js'
import { columnOf, type Table, table } from '../../table/table.js'

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
  /** Coefficients that can be estimated, without the intercept. */
  readonly df: number
  /** False when files can be told apart so well that coefficients grow without end; scores are good all the same. */
  readonly converged: boolean
}

/** 1 for main effects, 2 for products of two variables as well. */
export type PropensityOrder = 1 | 2

/** As synthpop: more than this would describe records, not the files. */
const MOST_COEFFICIENTS = 400
const MOST_ITERATIONS = 200

/** The tables must have been reconciled by `release`. */
export function logisticPropensity(
  original: Table,
  released: Table,
  { variables, order }: { readonly variables: readonly string[]; readonly order: PropensityOrder },
): Propensity {
  const pooled = table(
    'original and release',
    variables.map((name) => stackColumns([columnOf(original, name), columnOf(released, name)])),
  )
  const columns = modelColumns(pooled, order)
  const isReleased = Float64Array.from({ length: pooled.rows }, (_, row) => (row < original.rows ? 0 : 1))
  const { fitted, rank, converged } = fitGlm(columns, isReleased, {
    family: binomial,
    mostIterations: MOST_ITERATIONS,
  })
  return { scores: fitted, originals: original.rows, df: rank - 1, converged }
}

function modelColumns(pooled: Table, order: PropensityOrder): Float64Array[] {
  const design = designOf(pooled)
  const variableOf = design.terms.map(({ column }) => column)
  const pairs = order === 1 ? [] : pairsOf(variableOf)
  const count = variableOf.length + pairs.length
  if (count > MOST_COEFFICIENTS)
    throw new UserError(
      `the propensity model would have ${count} coefficients, more than ${MOST_COEFFICIENTS}: ${order === 2 ? 'take main effects only, or fewer variables' : 'group levels or take fewer variables'}`,
    )
  const main = designColumns(design, pooled).map((column, j) =>
    design.terms[j].level === null ? standardised(column) : column,
  )
  return [...main, ...pairs.map(([a, b]) => main[a].map((value, row) => value * main[b][row]))]
}

/** Terms of different variables. */
function pairsOf(variableOf: readonly string[]): (readonly [number, number])[] {
  return variableOf.flatMap((variable, a) =>
    variableOf.flatMap((other, b) => (b > a && other !== variable ? [[a, b] as const] : [])),
  )
}

/** Changes no score, but large numbers and their products are nearly collinear otherwise. */
function standardised(values: Float64Array): Float64Array {
  const centre = sum(values) / values.length
  const spread = standardDeviation(values) ?? 1
  return values.map((value) => (value - centre) / spread)
}
