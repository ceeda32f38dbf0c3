import { z } from 'zod'
import { pairedIntervalChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { choice, real, whole } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import { mean } from '../../stats/sums.js'
import { columnOf } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Ends, intervalJaccard, intervalOverlap } from './regression/coefficient-overlap.js'
import { intervalOf, originalInterval, STATISTICS } from './regression/column-intervals.js'

/**
 * Would somebody who estimates a mean, a median, a Gini coefficient ... from the release conclude the same? For every number
 * the bootstrap intervals of the statistic in original and release; the headline is the mean overlap, the length of what two
 * intervals share over the mean of their lengths (Karr et al. 2006). Resamples of the release are as large as the original,
 * so that a larger release is not blamed for a shorter interval.
 *
 * Blind to everything but this statistic of single columns.
 */
const options = z.object({
  ...utilityOptions,
  statistic: choice(STATISTICS, 'median').describe('what is estimated from every number'),
  draws: whole(200, { min: 20, max: 10_000 }).describe('bootstrap resamples of each column'),
  level: real(INTERVAL_LEVEL, { above: 0, below: 1 }).describe('level of the intervals'),
})

export type Options = z.output<typeof options>

type ColumnOverlap = {
  readonly column: string
  readonly original: { readonly estimate: number; readonly lower: number; readonly upper: number }
  readonly release: { readonly estimate: number; readonly lower: number; readonly upper: number } | null
  readonly overlap: number
  readonly jaccard: number
  /** |difference of the estimates| over half the length of the original's interval; null where that has none. */
  readonly ratioToError: number | null
}

export const intervalOverlapMeasure = utilityMeasure({
  id: 'interval-overlap',
  title: 'Overlap of bootstrap intervals',
  summary: 'overlap of the bootstrap intervals of a statistic of every number, median unless said otherwise',
  orientation: 'utility',
  scale: null,
  nothing: 'uniform',
  mostRows: 1000,
  standardised: true,
  needs: [],
  unit: 'share',
  stochastic: true,
  blindTo: 'everything but this one statistic of single columns',
  options,
  ...overlapsBy({ overlap: intervalOverlap, asLargeAs: 'original' }),
  citations: ['karr2006'],
  sentence: ({ details: { overlap, statistic, columns } }) =>
    `intervals of the ${statistic} of ${count(columns.length, 'number')} overlap by ${percent(overlap)}; least that of ${columns[0].column} (${percent(columns[0].overlap)})`,
  tables: ({ details }) => [
    findingTable('columns', `Intervals of the ${details.statistic}`, details.columns, [
      [column.text('column'), (one) => one.column],
      [column.number('original'), ({ original }) => original.estimate],
      [column.number('release'), ({ release }) => release?.estimate],
      [column.share('overlap'), ({ overlap }) => overlap],
      [column.share('Jaccard'), ({ jaccard }) => jaccard],
    ]),
  ],
  charts: ({ details }, { name }) => [
    pairedIntervalChart(
      {
        name: 'intervals',
        title: `Bootstrap intervals of the ${details.statistic}: ${name}`,
        x: 'distance from the original, in half-lengths of its interval',
        y: '',
      },
      details.columns.slice(0, MOST_SHOWN).flatMap(({ column, original, release }) => {
        const half = (original.upper - original.lower) / 2 || 1
        const row = (fits: typeof original, series: 'original' | 'release') => ({
          label: column,
          series,
          value: (fits.estimate - original.estimate) / half,
          lower: (fits.lower - original.estimate) / half,
          upper: (fits.upper - original.estimate) / half,
        })
        return [row(original, 'original'), ...(release === null ? [] : [row(release, 'release')])]
      }),
    ),
  ],
})

const MOST_SHOWN = 20

/** How two intervals are compared, and how large the resamples of the release are. */
interface OverlapRule {
  overlap(x: Ends, y: Ends): number
  readonly asLargeAs: 'original' | 'itself'
}

export function overlapsBy(rule: OverlapRule) {
  const meanOf = (columns: readonly ColumnOverlap[]) => mean(columns.map(({ overlap }) => overlap))
  return {
    statistic: (pair: Pair, chosen: Options, context: Context) => meanOf(overlaps(pair, chosen, rule, context)),
    compute: (pair: Pair, chosen: Options, context: Context) => {
      const columns = overlaps(pair, chosen, rule, context).toSorted((a, b) => a.overlap - b.overlap)
      const value = meanOf(columns)
      if (value === null) throw new NotApplicable(`no column has a ${chosen.statistic}`)
      /** Columns with the least overlap first. */
      return { value, interval: null, details: { statistic: chosen.statistic, overlap: value, columns } }
    },
  }
}

function overlaps(pair: Pair, chosen: Options, rule: OverlapRule, context: Context): ColumnOverlap[] {
  const { original, released, variables } = pair
  return variables
    .filter((name) => columnOf(original, name).kind === 'numeric')
    .flatMap((name) => {
      const x = originalInterval(pair, name, chosen, context)
      if (x === null) return []
      const records = rule.asLargeAs === 'original' ? original.rows : released.rows
      const y = intervalOf(released, pair.weight, name, chosen, records, (draw) =>
        context.random(`release/${name}`, draw),
      )
      const error = (x.upper - x.lower) / 2
      return {
        column: name,
        original: x,
        release: y,
        overlap: y === null ? 0 : rule.overlap(x, y),
        jaccard: y === null ? 0 : intervalJaccard(x, y),
        ratioToError: y === null || error === 0 ? null : Math.abs(y.estimate - x.estimate) / error,
      }
    })
}
