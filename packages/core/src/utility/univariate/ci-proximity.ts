import { z } from 'zod'
import { intervalPairsChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { real } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import { largestFirst } from '../../stats/sorted.js'
import { mean } from '../../stats/sums.js'
import { everyColumn } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { type UtilityFinding, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Compared, comparisons, type Estimate } from './columns/mean-intervals.js'

/**
 * Do users of the release draw the same conclusions about means and shares? Both files give an estimate with its confidence
 * interval; overlap is how much of either interval lies in the other, ½ (|I ∩ J| / |I| + |I ∩ J| / |J|) of Karr et al. (2006),
 * 0 when they are disjoint (signed in the details). The headline is the mean over columns, a categorical column counting
 * with the mean of its categories. Means have Student's interval, shares Wilson's; weighted ones with the effective size.
 * Two honest samples of one population overlap by 0.71 on average. Blind to everything but means and shares.
 */
const options = z.object({
  ...utilityOptions,
  level: real(INTERVAL_LEVEL, { above: 0, below: 1 }).describe('confidence level of the intervals'),
})

type Options = z.output<typeof options>

type Details<Estimates extends Compared> = {
  readonly compared: readonly Estimates[]
  readonly columns: readonly { readonly name: string; readonly value: number }[]
  /** Share of the estimates whose released interval contains the original estimate. */
  readonly contains: number
}

const MOST_ROWS = 30

export const ciProximity = utilityMeasure({
  id: 'ci-proximity',
  title: 'Overlap of confidence intervals',
  summary: 'how far confidence intervals of means and shares from both files overlap',
  orientation: 'utility',
  nothing: 'uniform',
  subsampleSize: 'release',
  standardised: true,
  unit: 'share',
  blindTo: 'everything but means and shares of single columns',
  options,
  countedColumns: everyColumn,
  ...closenessOf(comparisons, ({ overlap }) => Math.max(0, overlap)),
  citations: ['karr2006'],
  literature: [
    { value: 0.9, meaning: 'at least: excellent', source: 'riskutility 0.2.0, ci_proximity' },
    { value: 0.8, meaning: 'at least: good', source: 'riskutility 0.2.0, ci_proximity' },
    { value: 0.7, meaning: 'at least: moderate', source: 'riskutility 0.2.0, ci_proximity' },
  ],
  sentence: ({ value, details: { compared, contains } }) =>
    `confidence intervals of ${count(compared.length, 'mean or share', 'means and shares')} overlap by ${percent(value ?? 0, 0)} on average; ${percent(contains, 0)} contain the original's estimate`,
  tables: ({ details: { compared } }) => [
    findingTable('intervals', 'Means and shares with their intervals', compared, [
      [column.text('column'), ({ name }) => name],
      [column.text('level'), ({ level }) => level],
      [column.number('original'), ({ original }) => original.value],
      [column.number('released'), ({ released }) => released.value],
      [column.number('standardised'), ({ standardised }) => standardised],
      [column.share('overlap'), ({ overlap }) => overlap],
    ]),
  ],
  charts: ({ details: { compared } }, { name }) => [
    intervalPairsChart(
      { name: 'intervals', title: `Confidence intervals, in standard errors of the original: ${name}` },
      largestFirst(compared, ({ overlap }) => -overlap)
        .slice(0, MOST_ROWS)
        .map(({ name: column, level, original, released }) => {
          const unit = original.se || released.se || 1
          const scaled = ({ value, lower, upper }: Estimate) => ({
            value: (value - original.value) / unit,
            lower: (lower - original.value) / unit,
            upper: (upper - original.value) / unit,
          })
          return {
            label: level === null ? column : `${column} = ${level}`,
            original: scaled(original),
            release: scaled(released),
          }
        }),
    ),
  ],
})

/** The mean closeness of what is compared, over columns. */
export function closenessOf<Estimates extends Compared>(
  compare: (pair: Pair, level: number) => readonly Estimates[],
  closeness: (estimates: Estimates) => number,
) {
  const byColumn = (compared: readonly Estimates[]) =>
    [...new Set(compared.map(({ name }) => name))].map((name) => ({
      name,
      value: mean(compared.filter((estimates) => estimates.name === name).map(closeness)) ?? 0,
    }))
  const headline = (compared: readonly Estimates[]) => mean(byColumn(compared).map(({ value }) => value))
  const known = (pair: Pair, level: number) => {
    const compared = compare(pair, level)
    if (compared.length === 0) throw new NotApplicable('no column has at least two known values in both files')
    return compared
  }
  return {
    statistic: (pair: Pair, { level }: Options) => headline(known(pair, level)),
    compute: (pair: Pair, { level }: Options): UtilityFinding<Details<Estimates>> => {
      const compared = known(pair, level)
      const contained = compared.filter(
        ({ original, released }) => released.lower <= original.value && original.value <= released.upper,
      )
      const details = { compared, columns: byColumn(compared), contains: contained.length / compared.length }
      return { value: headline(compared), details, warnings: rareLevelWarnings(pair) }
    },
  }
}
