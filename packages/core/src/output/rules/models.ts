import type { Table } from '../../table/table.js'
import { cellName, type RegressionOutput, variablesOf } from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { crossed } from '../numbers/crossed.js'
import { type Design, designOf } from '../numbers/design.js'
import { recordsOf } from '../numbers/records.js'
import type { Appetite } from './appetite.js'
import { people } from './cells.js'
import { type Finding, finding } from './finding.js'

/** Residual degrees of freedom. */
export function modelFreedom({ id }: RegressionOutput, { degreesOfFreedom }: Recomputed, { df }: Appetite): Finding[] {
  return degreesOfFreedom === null || degreesOfFreedom >= df
    ? []
    : [
        finding(
          'df',
          'fail',
          id,
          '(model)',
          `the model has ${degreesOfFreedom} residual degrees of freedom; the least is ${df}`,
          degreesOfFreedom,
          df,
        ),
      ]
}

/** 0/1 columns that few records have, or that few lack: the coefficient is about them. */
export function thinTerms(output: RegressionOutput, { terms, rows }: Design, { threshold }: Appetite): Finding[] {
  return terms.flatMap(({ name, values, records }) => {
    if (!values.every((value) => value === 0 || value === 1)) return []
    const few = Math.min(records, rows.length - records)
    if (few === 0 || few >= threshold) return []
    const who = records <= rows.length - records ? `${people(few)} with` : `${people(few)} without`
    return [
      finding(
        'dummy',
        few <= 2 ? 'refuse' : 'fail',
        output.id,
        name,
        `${name} rests on ${who} it; the least is ${threshold}`,
        few,
        threshold,
      ),
    ]
  })
}

/**
 * A model with as many coefficients as its factors have cells fits every cell by itself: whoever reads the coefficients reads the table
 * of means (or of shares) of the response. So the cells have to be large enough as they would in that table; for categories of the
 * response so do the cells with it.
 */
export function saturatedModel(
  output: RegressionOutput,
  data: Table,
  design: Design,
  rank: number,
  appetite: Appetite,
): Finding[] {
  const factors = factorsOf(design)
  if (factors === null || factors.length === 0 || !output.intercept) return []
  const cells = crossed(factors, data, design.rows).filter(({ rows }) => rows.length > 0)
  if (rank < cells.length) return []
  const withResponse = output.family === 'logistic' || output.family === 'multinomial'
  const by = withResponse ? [...factors, output.response] : factors
  const table = crossed(by, data, design.rows)
  const low = table.filter(({ rows }) => rows.length < appetite.threshold && (rows.length > 0 || appetite.zeros))
  if (low.length === 0) return []
  const least = low.reduce((a, b) => (b.rows.length < a.rows.length ? b : a))
  const name = cellName(by, least.cell)
  return [
    finding(
      'saturated',
      'refuse',
      output.id,
      name,
      `the model has a coefficient for every cell of ${factors.join(' x ')}, so it is that table; ${low.length} of its ${table.length} cells ${by === factors ? '' : `with ${output.response} `}are below ${appetite.threshold} records, the least is ${name} with ${people(least.rows.length)}`,
      least.rows.length,
      appetite.threshold,
    ),
  ]
}

/** The variables of the terms, null where one is a number. */
function factorsOf({ terms }: Design): string[] | null {
  const parts = terms.flatMap((term) => term.parts)
  return parts.some(({ level }) => level === null) ? null : [...new Set(parts.map(({ variable }) => variable))]
}

const NEARLY_ONE = 1 - 1e-9

/** R² of 1, or outcomes told by a term: the model gives everybody's value. */
export function perfectFit(
  output: RegressionOutput,
  { values, flags }: Recomputed,
  rSquared: number | null,
): Finding[] {
  return [
    ...(rSquared !== null && rSquared > NEARLY_ONE && values.length > 0
      ? [
          finding(
            'perfect',
            'refuse',
            output.id,
            '(model)',
            'the model fits without error: it gives the response of everybody',
            rSquared,
            1,
          ),
        ]
      : []),
    ...(flags.length > 0
      ? [
          finding(
            'separation',
            'review',
            output.id,
            '(model)',
            'a term separates the outcomes: everybody with it has the same one',
          ),
        ]
      : []),
  ]
}

export function modelDesign(output: RegressionOutput, data: Table): Design {
  return designOf(output, data, recordsOf(output, data, variablesOf(output)))
}
