import { withIntercept } from '../../learners/glm.js'
import { leastSquares } from '../../stats/linear-algebra.js'
import { countMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import {
  type CorrelationOutput,
  cellName,
  type Output,
  type RegressionOutput,
  type SummaryOutput,
  type TableOutput,
  variablesOf,
} from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { type CrossedCell, isListed, withMargins } from '../numbers/crossed.js'
import { numbersAt, recordsOf, weightsOf } from '../numbers/records.js'
import { recomputeRegression } from '../numbers/regression.js'
import type { Appetite } from './appetite.js'
import { type CountedCell, concentratedGroups, emptyCells, lowCounts, people } from './cells.js'
import { contributionRules, spreadFreedom } from './contributions.js'
import { extremeValues } from './extremes.js'
import { type Finding, finding } from './finding.js'
import { modelDesign, modelFreedom, perfectFit, saturatedModel, thinTerms } from './models.js'

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
  const rows = recordsOf(output, data, output.var === undefined ? by : [...by, output.var])
  const printed = withMargins(by, data, rows, output.totals).filter(({ cell }) => !isListed(cell, output.suppressed))
  const counted = printed.map(({ cell, rows: members }) => ({ cell, count: members.length }))
  const base = output.rounding?.base ?? null
  const isCount = statistic === 'count' || statistic === 'percentage'
  const counts = [
    ...lowCounts(id, by, counted, appetite, base),
    ...(isCount && appetite.zeros ? emptyCells(id, by, counted, base) : []),
    ...(isCount ? groups(id, by, counted, appetite) : []),
  ]
  return isCount
    ? counts
    : [...counts, ...printed.flatMap((cell) => numberRules(output, statistic, cell, data, appetite))]
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
  const rows = recordsOf(output, data, [...output.by, output.var])
  const cells = withMargins(output.by, data, rows, false)
  const counted = cells.map(({ cell, rows: members }) => ({ cell, count: members.length }))
  return [
    ...lowCounts(output.id, output.by, counted, appetite),
    ...(appetite.zeros && output.statistics.includes('n') ? emptyCells(output.id, output.by, counted) : []),
    ...cells.flatMap((cell) =>
      output.statistics.flatMap((statistic) => numberRules(output, statistic, cell, data, appetite)),
    ),
  ].filter((one, k, all) => all.findIndex((other) => other.sentence === one.sentence) === k)
}

/** The rules for a statistic of a number in one cell. */
function numberRules(
  output: TableOutput | SummaryOutput,
  statistic: string,
  { cell, rows }: CrossedCell,
  data: Table,
  appetite: Appetite,
): Finding[] {
  if (rows.length === 0 || statistic === 'n') return []
  const element = output.by.length === 0 ? (output.var ?? 'total') : cellName(output.by, cell)
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
  { df }: Appetite,
): Finding[] {
  const spare = degreesOfFreedom ?? 0
  return [
    ...(spare < df
      ? [
          finding(
            'df',
            'fail',
            id,
            'all pairs',
            `the correlations have ${spare} degrees of freedom; the least is ${df}`,
            spare,
            df,
          ),
        ]
      : []),
    ...values.flatMap(({ element, value }) =>
      1 - Math.abs(value) < 1e-12
        ? [finding('perfect', 'refuse', id, element, `${element} are the same number on two scales`, value, 1)]
        : [],
    ),
  ]
}

function regressionRules(output: RegressionOutput, result: Recomputed, data: Table, appetite: Appetite): Finding[] {
  const design = modelDesign(output, data)
  const columns = withIntercept(
    design.terms.map(({ values }) => values),
    design.rows.length,
    output.intercept,
  )
  const rank = leastSquares(columns, new Float64Array(design.rows.length), { refine: false }).rank
  const rSquared =
    output.family === 'linear'
      ? recomputeRegression({ ...output, weights: null, report: ['r2'] }, data).values.find(
          ({ statistic }) => statistic === 'r2',
        )
      : undefined
  return [
    ...modelFreedom(output, result, appetite),
    ...thinTerms(output, design, appetite),
    ...saturatedModel(output, data, design, rank, appetite),
    ...perfectFit(output, result, rSquared?.value ?? null),
  ]
}

function missingContributors(output: Output, data: Table): Finding[] {
  return variablesOf(output).flatMap((name) => {
    const missing = countMissing(columnOf(data, name))
    return missing === 0
      ? []
      : [
          finding(
            'missing',
            'review',
            output.id,
            name,
            `${name} is missing in ${people(missing)}, which are left out`,
            missing,
            0,
          ),
        ]
  })
}
