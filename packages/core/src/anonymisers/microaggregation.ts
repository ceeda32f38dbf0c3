import { z } from 'zod'
import { UserError } from '../errors.js'
import { choice, flag, whole } from '../option-kinds.js'
import { median } from '../stats/quantile.js'
import { mean, sum } from '../stats/sums.js'
import { clusterPoints } from './groups/clusters.js'
import { groupByMdav } from './groups/mdav.js'
import { type Points, pickPoints, pointsOf } from './groups/points.js'
import { firstAxis, groupBySorting } from './groups/sorted-groups.js'
import { type AnonymiserContext, anonymiser, columnsToMask, variablesOption, withColumns } from './method/anonymiser.js'
import { NUMBERS, type NumberColumn, withValues } from './method/number-columns.js'
import { type Strata, strataOption, strataProblems, stratify, stratumText } from './method/strata.js'

/**
 * Microaggregation: records are put into groups of k to 2k - 1 that lie close together, and every value becomes the mean
 * of its group, so that all means stay. `method` says how the groups are made:
 *
 * - `mdav`: around the records farthest from the centre, one group for all variables (mdav.ts).
 * - `clustered`: the same within clusters of k-means (clusters.ts), which takes n²/(k c) distances instead of n²/k.
 * - `single-axis`: all records in the order of their first principal component, cut into groups.
 * - `one-dimensional`: each variable sorted and cut on its own (individual ranking).
 *
 * With one group for all variables each released combination of them belongs to at least k records. With `one-dimensional`
 * only each single value does: values change least and combinations stay nearly as rare as they were.
 *
 * Distances are Euclidean after dividing each variable by its standard deviation, in each stratum. A missing value takes no
 * part and stays missing; a mean is that of the values that are there. Blind to what is not masked.
 */
const options = z.object({
  variables: variablesOption(
    'numeric columns to group on and to replace; null for the numeric keys, without keys all numeric columns',
  ),
  method: choice(['mdav', 'clustered', 'single-axis', 'one-dimensional'], 'mdav').describe(
    'groups around the farthest records, the same within clusters, along the first principal component, or of each variable on its own',
  ),
  k: whole(3, { min: 2 }).describe('fewest records in a group'),
  clusters: whole(8, { min: 1 }).describe('for clustered: how many clusters, in each stratum'),
  measure: choice(['mean', 'median'], 'mean').describe('what the values of a group are replaced by'),
  standardise: flag(true).describe('divide each variable by its standard deviation before distances'),
  round: flag(false).describe('round to the decimals that the variable had; means then move a little'),
  strata: strataOption,
})

type Options = z.output<typeof options>

export const microaggregation = anonymiser({
  id: 'microaggregation',
  title: 'Microaggregation',
  summary: 'Replaces numbers by the mean of groups of at least k close records: MDAV, clustered, or sorted.',
  options,
  apply(data, roles, chosen, context) {
    const columns = columnsToMask(data, roles, chosen.variables, NUMBERS)
    const names = columns.map(({ name }) => name)
    const problems = strataProblems(data, chosen.strata, names, 'averaged')
    if (problems.length > 0) throw new UserError(problems)
    const strata = stratify(data, chosen.strata)
    // Variables that share their groups: all of them, or each on its own.
    const together = chosen.method === 'one-dimensional' ? columns.map((column) => [column]) : [columns]
    const made = together.map((variables) => {
      const groups = groupsWithin(strata, variables, chosen, context)
      return { groups, replaced: variables.map((column) => replaceByGroup(column, groups, chosen)) }
    })
    const masked = made.flatMap(({ replaced }) => replaced)
    const sizes = made.flatMap(({ groups }) => groups.map(({ length }) => length))
    const thinMeans = sum(masked.map(({ counts }) => counts.filter((n) => n > 0 && n < chosen.k).length))
    return {
      table: withColumns(
        data,
        masked.map(({ column }) => column),
      ),
      description: {
        method: chosen.method,
        variables: names,
        k: chosen.k,
        /** Groups of records; with `one-dimensional` those of all variables together. */
        groups: sizes.length,
        smallestGroup: sizes.reduce((a, b) => Math.min(a, b)),
        largestGroup: sizes.reduce((a, b) => Math.max(a, b)),
        /** 1 where all records are taken together. */
        strata: strata.rows.length,
        /** Records without a value in any of the variables; they belong to no group. */
        leftOut: withoutValues(columns),
        /** Means that rest on fewer than k values because the others of the group are missing. */
        thinMeans,
        /** Share of the sum of squares that is lost, mean over the variables. */
        informationLoss: lostShare(columns, masked),
      },
      notes:
        thinMeans === 0
          ? []
          : [
              `${thinMeans} group means rest on fewer than ${chosen.k} values because the other values of the group are missing; a mean of one value is that value`,
            ],
    }
  },
})

/** The groups of all strata, each a list of rows. */
function groupsWithin(
  strata: Strata,
  columns: readonly NumberColumn[],
  chosen: Options,
  context: AnonymiserContext,
): Int32Array[] {
  return strata.rows.flatMap((rows, stratum) => {
    const points = pointsOf(columns, rows, chosen.standardise)
    if (points.rows.length < chosen.k) {
      const where = chosen.method === 'one-dimensional' ? ` of "${columns[0].name}"` : ''
      throw new UserError(
        `microaggregation needs at least k = ${chosen.k} records with values${where}, ${stratumText(strata.names[stratum])} has ${points.rows.length}`,
      )
    }
    return groupPoints(points, chosen, context)
  })
}

function groupPoints(points: Points, chosen: Options, context: AnonymiserContext): Int32Array[] {
  const { method, k } = chosen
  switch (method) {
    case 'mdav':
      return groupByMdav(points, k, context)
    case 'clustered':
      return clusterPoints(points, chosen.clusters, k, context.random('clusters')).flatMap((places) =>
        groupByMdav(pickPoints(points, places), k, context),
      )
    case 'single-axis':
      return groupBySorting(points, firstAxis(points), k)
    case 'one-dimensional':
      return groupBySorting(points, points.values, k)
  }
}

interface Replaced {
  readonly column: NumberColumn
  /** Values that each group's mean rests on. */
  readonly counts: readonly number[]
}

function replaceByGroup(
  column: NumberColumn,
  groups: readonly Int32Array[],
  { measure, round }: Pick<Options, 'measure' | 'round'>,
): Replaced {
  const values = column.values.slice()
  const counts = groups.map((rows) => {
    const there = rows.filter((row) => !Number.isNaN(column.values[row]))
    const members = Float64Array.from(there, (row) => column.values[row])
    const centre = measure === 'mean' ? mean(members) : median(members)
    if (centre !== null) for (const row of there) values[row] = centre
    return there.length
  })
  return { column: withValues(column, values, round), counts }
}

function withoutValues(columns: readonly NumberColumn[]): number {
  const [{ values: first }] = columns
  return first.reduce((total, _, row) => total + (columns.every(({ values }) => Number.isNaN(values[row])) ? 1 : 0), 0)
}

function lostShare(before: readonly NumberColumn[], after: readonly Replaced[]): number {
  const shares = before.flatMap(({ values }, j) => {
    const there = values.filter((value) => !Number.isNaN(value))
    const centre = mean(there) ?? 0
    const total = sum(there.map((value) => (value - centre) ** 2))
    const now = after[j].column.values
    const lost = sum(values.map((value, row) => (Number.isNaN(value) ? 0 : (value - now[row]) ** 2)))
    return total > 0 ? [lost / total] : []
  })
  return mean(shares) ?? 0
}
