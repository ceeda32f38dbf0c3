import { withIntercept } from '../../learners/fitting/glm.js'
import { leastSquares } from '../../stats/matrices/linear-algebra.js'
import { countMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import {
  type CorrelationOutput,
  type Output,
  type RegressionOutput,
  type SummaryOutput,
  type TableOutput,
  variablesOf,
} from '../description/description.js'
import { MODEL, type Recomputed } from '../description/value.js'
import { type PrintedCell, printedCells } from '../numbers/crossed.js'
import { modelDesign } from '../numbers/design.js'
import { numbersAt, weightsOf } from '../numbers/records.js'
import { recomputeRegression } from '../numbers/regression.js'
import type { Appetite } from './appetite.js'
import { type CountedCell, concentratedGroups, emptyCells, lowCounts } from './cells.js'
import { contributionRules, spreadFreedom, tooFree } from './contributions.js'
import { extremeValues } from './extremes.js'
import { type Finding, finding, people } from './finding.js'
import { perfectFit, saturatedModel, thinTerms } from './models.js'

/** What the rules say about one output alone. Which rule is for which kind: Ritchie (2019) and the "statbarns" of SACRO. */
export function outputRules(output: Output, result: Recomputed, data: Table, appetite: Appetite): Finding[] {
  const missing = appetite.missing ? missingContributors(output, data) : []
  switch (output.kind) {
    case 'regression':
      return [...regressionRules(output, result, data, appetite), ...missing]
    case 'table':
      return [...tableRules(output, data, appetite), ...missing]
    case 'summary':
      return [...summaryRules(output, data, appetite), ...missing]
    case 'correlation':
      return [...correlationRules(output, result, appetite), ...missing]
  }
}

function tableRules(output: TableOutput, data: Table, appetite: Appetite): Finding[] {
  const { id, by, statistic } = output
  const { cells } = printedCells(output, data)
  const counted = cells.map(({ cell, rows }) => ({ cell, count: rows.length }))
  const base = output.rounding?.base ?? null
  const low = lowCounts(id, by, counted, appetite, base)
  return statistic === 'count' || statistic === 'percentage'
    ? [...low, ...(appetite.zeros ? emptyCells(id, by, counted, base) : []), ...groups(id, by, counted, appetite)]
    : [...low, ...cells.flatMap((cell) => numberRules(output, statistic, cell, data, appetite))]
}

/** Only cells of the table itself; its totals are groups of their own. */
function groups(id: string, by: readonly string[], cells: readonly CountedCell[], appetite: Appetite): Finding[] {
  const inner = cells.filter(({ cell }) => Object.keys(cell).length === by.length)
  return [
    ...(appetite.zeros ? concentratedGroups(id, by, inner, 'full', 1) : []),
    ...(appetite.group === null ? [] : concentratedGroups(id, by, inner, 'group', appetite.group)),
  ]
}

function summaryRules(output: SummaryOutput, data: Table, appetite: Appetite): Finding[] {
  const { id, by, statistics } = output
  const { cells } = printedCells(output, data)
  const counted = cells.map(({ cell, rows }) => ({ cell, count: rows.length }))
  return [
    ...lowCounts(id, by, counted, appetite),
    ...(appetite.zeros && statistics.includes('n') ? emptyCells(id, by, counted) : []),
    ...cells.flatMap((cell) => statistics.flatMap((statistic) => numberRules(output, statistic, cell, data, appetite))),
  ].filter(({ sentence }, k, all) => all.findIndex((other) => other.sentence === sentence) === k)
}

/** The rules for a statistic of a number in one cell. */
function numberRules(
  output: TableOutput | SummaryOutput,
  statistic: string,
  { element, rows }: PrintedCell,
  data: Table,
  appetite: Appetite,
): Finding[] {
  if (rows.length === 0 || statistic === 'n') return []
  const values = numbersAt(data, output.var ?? '', rows)
  if (statistic === 'mean' || statistic === 'sum') {
    const weights = weightsOf(output, data, rows)
    const contributions = weights === null ? values : values.map((value, i) => value * weights[i])
    return contributionRules(output.id, element, contributions, appetite)
  }
  if (statistic === 'sd' || statistic === 'variance') return spreadFreedom(output.id, element, rows.length, appetite)
  return extremeValues(output.id, element, statistic, values.slice().sort(), appetite)
}

function correlationRules(
  { id }: CorrelationOutput,
  { values, degreesOfFreedom }: Recomputed,
  appetite: Appetite,
): Finding[] {
  const freedom = degreesOfFreedom ?? 0
  return [
    ...tooFree(id, 'all pairs', `the correlations have ${freedom}`, freedom, appetite),
    ...values.flatMap(({ element, value }) =>
      1 - Math.abs(value) < 1e-12
        ? [finding('perfect', 'refuse', id, element, `${element} are the same number on two scales`, value, 1)]
        : [],
    ),
  ]
}

function regressionRules(output: RegressionOutput, result: Recomputed, data: Table, appetite: Appetite): Finding[] {
  const design = modelDesign(output, data)
  const terms = design.terms.map(({ values }) => values)
  const columns = withIntercept(terms, design.rows.length, output.intercept)
  const { rank } = leastSquares(columns, new Float64Array(design.rows.length), { refine: false })
  const plain: RegressionOutput = { ...output, weights: null, report: ['r2'] }
  const [fit] = output.family === 'linear' ? recomputeRegression(plain, data).values.filter(isRSquared) : []
  const freedom = result.degreesOfFreedom
  return [
    ...(freedom === null ? [] : tooFree(output.id, MODEL, `the model has ${freedom} residual`, freedom, appetite)),
    ...thinTerms(output, design, appetite),
    ...saturatedModel(output, data, design, rank, appetite),
    ...perfectFit(output, result, fit?.value ?? null),
  ]
}

const isRSquared = ({ statistic }: Recomputed['values'][number]) => statistic === 'r2'

function missingContributors(output: Output, data: Table): Finding[] {
  return variablesOf(output).flatMap((name) => {
    const missing = countMissing(columnOf(data, name))
    const sentence = `${name} is missing in ${people(missing)}, which are left out`
    return missing === 0 ? [] : [finding('missing', 'review', output.id, name, sentence, missing, 0)]
  })
}
