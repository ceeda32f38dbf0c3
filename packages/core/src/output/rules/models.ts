import type { Table } from '../../table/table.js'
import { cellName, type RegressionOutput } from '../description/description.js'
import { MODEL, type Recomputed } from '../description/value.js'
import { crossed } from '../numbers/crossed.js'
import type { Design } from '../numbers/design.js'
import type { Appetite } from './appetite.js'
import { below, type Finding, finding, people, smallStatus } from './finding.js'

/** 0/1 columns that few records have, or that few lack: the coefficient is about them. */
export function thinTerms(output: RegressionOutput, { terms, rows }: Design, { threshold }: Appetite): Finding[] {
  return terms.flatMap(({ name, values, records }) => {
    if (!values.every((value) => value === 0 || value === 1)) return []
    const without = rows.length - records
    const few = Math.min(records, without)
    if (few === 0 || few >= threshold) return []
    const what = `${name} rests on ${people(few)} ${records <= without ? 'with' : 'without'} it`
    return [below('dummy', smallStatus(few), output.id, name, what, few, threshold)]
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
  const which = `${low.length} of its ${table.length} cells ${by === factors ? '' : `with ${output.response} `}`
  const sentence = `the model has a coefficient for every cell of ${factors.join(' x ')}, so it is that table; ${which}are below ${appetite.threshold} records, the smallest is ${name} with ${people(least.rows.length)}`
  return [finding('saturated', 'refuse', output.id, name, sentence, least.rows.length, appetite.threshold)]
}

/** The variables of the terms, null where one is a number. */
function factorsOf({ terms }: Design): string[] | null {
  const parts = terms.flatMap((term) => term.parts)
  return parts.some(({ level }) => level === null) ? null : [...new Set(parts.map(({ variable }) => variable))]
}

const NEARLY_ONE = 1 - 1e-9

/** R² of 1, or outcomes determined by a term: the model gives everybody's value. */
export function perfectFit(
  { id }: RegressionOutput,
  { values, flags }: Recomputed,
  rSquared: number | null,
): Finding[] {
  const isPerfect = rSquared !== null && rSquared > NEARLY_ONE && values.length > 0
  const perfect = 'the model fits without error: it gives the response of everybody'
  const separated = 'a term separates the outcomes: everybody with it has the same one'
  return [
    ...(isPerfect ? [finding('perfect', 'refuse', id, MODEL, perfect, rSquared, 1)] : []),
    ...(flags.length > 0 ? [finding('separation', 'review', id, MODEL, separated)] : []),
  ]
}
