import { ascendingOrder } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { normalQuantile } from '../stats/distributions.js'
import { drawNormal } from '../stats/draws.js'
import { leastSquares } from '../stats/matrices/linear-algebra.js'
import { meanRanks, rankCorrelation } from '../stats/samples/ranks.js'
import { sum } from '../stats/sums.js'
import type { Column } from '../table/column.js'
import { columnOf, type Table } from '../table/table.js'
import {
  type AnonymiserContext,
  type AnonymiserRoles,
  anonymiser,
  columnsToMask,
  nameProblems,
  variablesOption,
  withColumns,
} from './method/anonymiser.js'
import { NUMBERS, type NumberColumn, withValues } from './method/number-columns.js'
import { semidefiniteRoot } from './noise.js'

/**
 * Data shuffling (Muralidhar and Sarathy 2006): the values of the variables X are dealt out anew among the records, so that
 * each margin stays exactly, and ranks relate to each other and to the given columns S as they did.
 *
 * Ranks become normal scores, z = Φ⁻¹((rank - 1/2) / n). The scores of X are regressed on S (scores of numbers, indicators
 * of levels and of missing), y = fit + ε with ε ~ N(0, covariance of the residuals) is drawn for every record, and the
 * record with the r-th smallest y of a variable gets its r-th smallest value. y depends on a record's X through nothing
 * but S: who knows S learns of X what the regression tells, and no more.
 *
 * That is linear in the scores: a relation that bends back, or of three variables, is lost. Where S determines X nearly, each
 * record gets its own value back. Correlations are those of normal scores, where the paper converts rank correlations.
 */
const options = z.object({
  variables: variablesOption('numeric or date columns to shuffle; null for such keys, without keys all such columns'),
  given: z
    .array(z.string())
    .readonly()
    .nullable()
    .default(null)
    .describe('columns that stay and whose relations to the shuffled ones are kept; null for the other keys'),
})

type Options = z.output<typeof options>

type ShufflingDescription = {
  readonly given: readonly string[]
  /** Columns of the regression, the constant included. */
  readonly terms: number
  readonly variables: readonly {
    readonly variable: string
    readonly values: number
    /** Share of the variance of the scores that the given columns explain. */
    readonly rSquared: number
    /** Rank correlation of the values before and after; null where all are equal. */
    readonly correlation: number | null
    readonly unchanged: number
  }[]
}

/** Indicators of more levels than this fit the records rather than the relation. */
const MOST_LEVELS = 100
/** From here on the given columns nearly determine the values. */
const NEARLY_DETERMINED = 0.95

export const shuffling = anonymiser({
  id: 'shuffling',
  title: 'Data shuffling',
  summary: 'Deals out the values of numbers anew by a regression of ranks; margins stay, and rank correlations nearly.',
  options,
  apply(data, roles, chosen, context) {
    const columns = columnsToMask(data, roles, chosen.variables, NUMBERS)
    const known = givenColumns(data, roles, columns, chosen.given)
    const regressors = regressorsOf(known, data.rows)
    const fits = columns.map((column) => regressScores(column, regressors))
    const noise = residualDraws(fits, columns, context)
    const shuffled = columns.map((column, j) =>
      deal(
        column,
        fits[j].fitted.map((fit, row) => fit + noise[j][row]),
      ),
    )
    const variables = columns.map((column, j) => about(column, shuffled[j], fits[j].rSquared))
    const determined = variables.filter(({ rSquared }) => rSquared > NEARLY_DETERMINED)
    return {
      table: withColumns(data, shuffled),
      description: { given: known.map(({ name }) => name), terms: regressors.length, variables },
      notes: [
        ...(known.length === 0
          ? ['no columns are given: relations to all columns that are not shuffled are lost']
          : []),
        ...determined.map(
          ({ variable }) => `the given columns nearly determine "${variable}": shuffling hides little of it`,
        ),
      ],
    }
  },
})

function givenColumns(
  data: Table,
  { keys, numericKeys }: AnonymiserRoles,
  shuffled: readonly NumberColumn[],
  named: Options['given'],
): readonly Column[] {
  const isShuffled = (name: string) => shuffled.some((column) => column.name === name)
  const names = named ?? [...keys, ...numericKeys].filter((name) => !isShuffled(name))
  const problems = nameProblems(data, names).map((problem) => `given: ${problem}`)
  if (problems.length > 0) throw new UserError(problems)
  const columns = names.map((name) => columnOf(data, name))
  for (const column of columns) {
    if (isShuffled(column.name)) problems.push(`given: "${column.name}" is shuffled itself`)
    if (column.kind === 'categorical' && column.levels.length > MOST_LEVELS)
      problems.push(
        `given: "${column.name}" has ${column.levels.length} levels, at most ${MOST_LEVELS} can be given; recode it first`,
      )
  }
  if (problems.length > 0) throw new UserError(problems)
  return columns
}

/** The constant, scores of numbers, indicators of levels and of missing values. */
function regressorsOf(predictors: readonly Column[], rows: number): readonly Float64Array[] {
  const terms = predictors.flatMap((column) => {
    if (column.kind === 'categorical')
      return column.levels.map((_, level) => Float64Array.from(column.codes, (code) => (code === level ? 1 : 0)))
    const scores = normalScores(column.values).map((score) => (Number.isNaN(score) ? 0 : score))
    return [scores, Float64Array.from(column.values, (value) => (Number.isNaN(value) ? 1 : 0))]
  })
  const varying = terms.filter((term) => term.some((value) => value !== term[0]))
  return [new Float64Array(rows).fill(1), ...varying]
}

/** Φ⁻¹((rank - 1/2) / n), equal values by their mean rank; NaN for a missing value. */
function normalScores(values: Float64Array): Float64Array {
  const ranks = meanRanks(values)
  const n = ranks.reduce((total, rank) => total + (Number.isNaN(rank) ? 0 : 1), 0)
  return ranks.map((rank) => (Number.isNaN(rank) ? rank : normalQuantile((rank - 0.5) / n)))
}

interface ScoreFit {
  /** Per row what the given columns say; also where the value is missing. */
  readonly fitted: Float64Array
  /** NaN where the value is missing. */
  readonly residuals: Float64Array
  /** Records less coefficients. */
  readonly freedom: number
  readonly rSquared: number
}

function regressScores(column: NumberColumn, regressors: readonly Float64Array[]): ScoreFit {
  const scores = normalScores(column.values)
  const rows = Int32Array.from(scores.keys()).filter((row) => !Number.isNaN(scores[row]))
  const present = Float64Array.from(rows, (row) => scores[row])
  const { coefficients, rank } = leastSquares(
    regressors.map((term) => Float64Array.from(rows, (row) => term[row])),
    present,
  )
  const freedom = rows.length - rank
  if (freedom < 1)
    throw new UserError(
      `"${column.name}" has ${rows.length} values, too few for a regression on the given columns with ${rank} coefficients`,
    )
  const fitted = new Float64Array(scores.length)
  for (const [j, term] of regressors.entries())
    for (let row = 0; row < fitted.length; row++) fitted[row] += coefficients[j] * term[row]
  const residuals = scores.map((score, row) => score - fitted[row])
  const total = sum(present.map((score) => score ** 2))
  const left = sum(Float64Array.from(rows, (row) => residuals[row] ** 2))
  return { fitted, residuals, freedom, rSquared: total > 0 ? Math.max(0, 1 - left / total) : 0 }
}

/** Normal draws with the covariance of the residuals, one array per variable. */
function residualDraws(
  fits: readonly ScoreFit[],
  columns: readonly NumberColumn[],
  { random }: AnonymiserContext,
): Float64Array[] {
  const root = semidefiniteRoot(fits.map((a) => fits.map((b) => residualCovariance(a, b))))
  const white = columns.map(({ name, values }) => {
    const stream = random(name)
    return Float64Array.from(values, () => drawNormal(stream))
  })
  return white.map((draws, j) =>
    draws.map((_, row) => {
      let total = 0
      for (let k = 0; k <= j; k++) total += root[j][k] * white[k][row]
      return total
    }),
  )
}

/** Over the records that have both: their correlation by the standard deviations of each variable on its own. */
function residualCovariance(a: ScoreFit, b: ScoreFit): number {
  const spread = ({ residuals, freedom }: ScoreFit) =>
    Math.sqrt(sum(residuals.map((value) => (Number.isNaN(value) ? 0 : value ** 2))) / freedom)
  if (a === b) return spread(a) ** 2
  let [ab, aa, bb] = [0, 0, 0]
  for (let row = 0; row < a.residuals.length; row++) {
    const [x, y] = [a.residuals[row], b.residuals[row]]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return aa > 0 && bb > 0 ? (ab / Math.sqrt(aa * bb)) * spread(a) * spread(b) : 0
}

/** The r-th smallest value to the record with the r-th smallest draw. */
function deal(column: NumberColumn, drawn: Float64Array): NumberColumn {
  const from = ascendingOrder(column.values)
  const to = ascendingOrder(drawn.map((value, row) => (Number.isNaN(column.values[row]) ? Number.NaN : value)))
  const values = column.values.slice()
  for (let rank = 0; rank < from.length; rank++) values[to[rank]] = column.values[from[rank]]
  return withValues(column, values, false)
}

function about(before: NumberColumn, after: NumberColumn, rSquared: number): ShufflingDescription['variables'][number] {
  const there = Int32Array.from(before.values.keys()).filter((row) => !Number.isNaN(before.values[row]))
  const [a, b] = [before, after].map(({ values }) => Float64Array.from(there, (row) => values[row]))
  return {
    variable: before.name,
    values: there.length,
    rSquared,
    correlation: rankCorrelation(a, b),
    unchanged: a.reduce((total, value, at) => total + (value === b[at] ? 1 : 0), 0),
  }
}
