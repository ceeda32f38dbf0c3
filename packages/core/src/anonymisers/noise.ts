import { z } from 'zod'
import { choice, real } from '../option-kinds.js'
import { drawNormal } from '../stats/draws.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { type AnonymiserContext, anonymiser, columnsToMask, variablesOption, withColumns } from './method/anonymiser.js'
import { NUMBERS, type NumberColumn, observed, withValues } from './method/number-columns.js'

/**
 * Addition of normal noise e to numbers x with means μ, standard deviations s and covariance matrix Σ (Kim 1986; Brand
 * 2002, "Microdata protection through noise addition"):
 *
 * - `additive`: x + e with e ~ N(0, (a s)²), independent between variables, a = noise / 100. Variances grow by 1 + a².
 * - `correlated`: x + e with e ~ N(0, a Σ): variances and covariances all grow by 1 + a, so correlations stay.
 * - `correlated2`: √(1 - δ²) x + δ e with e ~ N((1 - √(1 - δ²)) μ / δ, Σ): means, variances and correlations stay.
 *
 * Everybody's value moves, extremes by no more than others: an outlier under little noise is still an outlier. The noise
 * of `correlated` and `correlated2` follows the correlations of the records without missing values.
 */
const options = z.object({
  variables: variablesOption(
    'numeric columns to add noise to; null for the numeric keys, without keys all numeric columns',
  ),
  method: choice(['additive', 'correlated', 'correlated2'], 'additive').describe(
    'independent noise; noise correlated as the data; the same with means and variances kept',
  ),
  noise: real(10, { above: 0 }).describe(
    'additive: percent of the standard deviation; correlated: percent of the covariances (sdcMicro: 150)',
  ),
  delta: real(0.1, { above: 0, below: 1 }).describe('correlated2: weight of the noise'),
  round: z
    .union([z.boolean(), z.literal('step')])
    .default(false)
    .describe('round to the decimals that the variable had, or to the step of its values (incomes in hundreds)'),
})

type Options = z.output<typeof options>

export const noise = anonymiser({
  id: 'noise',
  title: 'Noise addition',
  summary: 'Adds normal noise to numbers: independent, correlated as the data, or keeping means and covariances.',
  options,
  apply(data, roles, chosen, context) {
    const columns = columnsToMask(data, roles, chosen.variables, NUMBERS)
    const sds = columns.map((column) => standardDeviation(observed(column)))
    const rule = ruleOf(chosen)
    const draws = chosen.method === 'additive' ? independentDraws(columns, context) : jointDraws(columns, context)
    const masked = columns.map((column, j) => {
      const centre = mean(observed(column)) ?? 0
      const values = column.values.map(
        (x, row) => rule.keep * x + (1 - rule.keep) * centre + rule.scale * (sds[j] ?? 0) * draws[j][row],
      )
      return withValues(column, values, chosen.round)
    })
    const constant = columns.filter((_, j) => !((sds[j] ?? 0) > 0)).map(({ name }) => `"${name}"`)
    return {
      table: withColumns(data, masked),
      description: {
        method: chosen.method,
        variables: columns.map(({ name }, j) => ({
          variable: name,
          /** Of the original values; null with fewer than two. */
          sd: sds[j],
          /** Of the noise that was added. */
          noiseSd: rule.scale * (sds[j] ?? 0),
        })),
      },
      notes: constant.length === 0 ? [] : [`no noise in ${constant.join(', ')}: the values do not vary`],
    }
  },
})

/** keep·x + (1 - keep)·mean + scale·sd·z, with z standard normal. */
function ruleOf({ method, noise: percentage, delta }: Options): { keep: number; scale: number } {
  if (method === 'additive') return { keep: 1, scale: percentage / 100 }
  if (method === 'correlated') return { keep: 1, scale: Math.sqrt(percentage / 100) }
  return { keep: Math.sqrt(1 - delta ** 2), scale: delta }
}

/** Standard normal draws, one array per column; each column has its own, whatever the others are. */
function independentDraws(columns: readonly NumberColumn[], { random }: AnonymiserContext): Float64Array[] {
  return columns.map(({ name, values }) => {
    const stream = random(name)
    return Float64Array.from(values, () => drawNormal(stream))
  })
}

/** Standard normal draws that are correlated as the columns are. */
function jointDraws(columns: readonly NumberColumn[], context: AnonymiserContext): Float64Array[] {
  const factor = semidefiniteRoot(correlations(columns))
  const white = independentDraws(columns, context)
  return columns.map((_, j) =>
    white[j].map((_, row) => factor[j].reduce((total, weight, k) => total + weight * white[k][row], 0)),
  )
}

/** Correlations over the records that have all values; 0 where they are not defined. */
function correlations(columns: readonly NumberColumn[]): number[][] {
  const rows = Array.from(columns[0].values.keys()).filter((row) =>
    columns.every(({ values }) => !Number.isNaN(values[row])),
  )
  const standardised = columns.map(({ values }) => {
    const known = Float64Array.from(rows, (row) => values[row])
    const centre = mean(known) ?? 0
    const sd = standardDeviation(known) || 1
    return known.map((value) => (value - centre) / sd)
  })
  return standardised.map((a, i) =>
    standardised.map((b, j) => {
      if (i === j) return 1
      let total = 0
      for (let row = 0; row < a.length; row++) total += a[row] * b[row]
      return a.length < 2 ? 0 : total / (a.length - 1)
    }),
  )
}

/** Pivots below this share of the diagonal are rounding: the variable is a combination of those before it. */
const SINGULAR = 1e-10

/** Lower triangle L with LL' = A for a matrix that may be singular, as with variables that determine each other. */
export function semidefiniteRoot(matrix: readonly (readonly number[])[]): number[][] {
  const lower = matrix.map((row) => row.map(() => 0))
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let value = matrix[i][j]
      for (let k = 0; k < j; k++) value -= lower[i][k] * lower[j][k]
      if (i > j) lower[i][j] = lower[j][j] === 0 ? 0 : value / lower[j][j]
      else lower[i][i] = value > SINGULAR * matrix[i][i] ? Math.sqrt(value) : 0
    }
  }
  return lower
}
