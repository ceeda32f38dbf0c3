import { z } from 'zod'
import { panelBoxes, panelLevels } from '../../chart/comparison.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { count, significant } from '../../print.js'
import { chiMean, studentTCdf } from '../../stats/distributions.js'
import { type ErrorStatistics, errorStatistics } from '../../stats/error-statistics.js'
import { type Moments, momentsOf, type Summary, sampleQuantile, summaryOf } from '../../stats/summaries.js'
import { columnOf } from '../../table/table.js'
import { type Pair, pairOfRows } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { subgroupsBy } from '../subgroup/subgroups.js'
import { unknownColumns, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type ColumnDistance, columnsChart, columnsTable, columnwise, worstColumn } from './by-column.js'
import { homogeneity } from './column-tests.js'
import { levelPair, sampleIn, sharesOf } from './columns.js'
import { type ComparedColumn, comparedColumn } from './compared-column.js'

/**
 * Means and frequencies, the first table that anyone makes. Per number the standardised difference of means
 * |m_Y - m_X| / sd_X; per category its generalisation √Σ (p - q)² / p̄ over the categories (Yang and Dalton 2012), which for two
 * of them is |p - q| / √(p̄ (1 - p̄)). The headline is the mean over columns. The details hold mean, median, sd, interquartile
 * range, MAD, Huber's M-estimate, skewness and kurtosis of both files, weighted where there are weights. p of Welch's test
 * and of Pearson's X². Blind to relations between columns.
 */
const options = z.object({
  ...utilityOptions,
  within: z
    .array(z.string())
    .max(3)
    .default([])
    .describe("columns whose groups the worst other column is drawn within, as synthpop's multi.compare"),
})
type Options = z.output<typeof options>

type Details = {
  readonly columns: readonly ColumnDistance[]
  readonly numbers: readonly {
    readonly name: string
    readonly original: Shown
    readonly released: Shown
    readonly boxes: { readonly original: Box; readonly released: Box }
  }[]
  readonly categories: readonly {
    readonly name: string
    readonly levels: readonly { readonly level: string; readonly original: number; readonly released: number }[]
  }[]
  /** As synthpop's `compare`: every column in classes, with percentages of all records. */
  readonly compare: readonly ComparedColumn[]
  /** The column that differs most within the groups that were asked for, largest group first. */
  readonly groups: readonly (ComparedColumn & { readonly group: string })[]
  /** Of these percentages, release against original. */
  readonly errors: ErrorStatistics
}

/** Without the least and the greatest value: they are single people. */
type Shown = Omit<Summary, 'min' | 'max'>
type Box = readonly [number, number, number, number, number]
const BOX = [0.05, 0.25, 0.5, 0.75, 0.95]
const MOST_LEVELS = 30

export const meansFrequencies = utilityMeasure({
  id: 'means-frequencies',
  title: 'Means and frequencies',
  summary: 'differences of means and of frequencies, in standard deviations',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'the shape of distributions and relations between columns',
  options,
  check: ({ variables }, { within }) => unknownColumns(within, variables),
  ...columnwise({
    items: (pair) => ({ pairs: differences(pair) }),
    value: ({ value }) => value,
    column: (difference) => difference,
    test: 'the difference',
    details: (columns, _, options: Options, pair): Details => {
      const worst = [...columns].sort((a, b) => b.value - a.value).map(({ name }) => name)
      const ofKind = (categorical: boolean) =>
        worst.filter((name) => (columnOf(pair.original, name).kind === 'categorical') === categorical)
      return {
        columns,
        numbers: ofKind(false).flatMap((name) => numbersOf(pair, name)),
        categories: ofKind(true).map((name) => ({ name, levels: levelsOf(pair, name) })),
        ...comparison(pair, worst),
        groups: withinGroups(pair, worst, options),
      }
    },
    warnings: rareLevelWarnings,
  }),
  thresholds: {
    literature: [{ value: 0.1, meaning: 'below: balanced', source: 'Austin (2009), standardised differences' }],
  },
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `means and frequencies of ${count(columns.length, 'column')} differ by ${significant(value ?? 0, 2)} standard deviations on average; ${worst.name} by ${significant(worst.value, 2)}`
  },
  tables: ({ details: { columns, numbers, categories } }) => [
    columnsTable(columns),
    findingTable('numbers', 'Numbers, original and release', numbers, [
      [column.text('column'), ({ name }) => name],
      [column.number('mean'), ({ original }) => original.mean],
      [column.number('released'), ({ released }) => released.mean],
      [column.number('sd'), ({ original }) => original.sd],
      [column.number('released sd'), ({ released }) => released.sd],
      [column.number('median'), ({ original }) => original.median],
      [column.number('released median'), ({ released }) => released.median],
    ]),
    findingTable(
      'categories',
      'Categories, original and release',
      categories.flatMap(({ name, levels }) => levels.map((level) => ({ name, ...level }))),
      [
        [column.text('column'), ({ name }) => name],
        [column.text('level'), ({ level }) => level],
        [column.share('original'), ({ original }) => original],
        [column.share('released'), ({ released }) => released],
      ],
    ),
  ],
  charts: ({ details: { columns, numbers, compare, groups } }, { name }) => [
    columnsChart(
      { name: 'differences', title: `Means and frequencies: ${name}`, x: 'difference in standard deviations' },
      columns,
    ),
    ...(numbers.length === 0 ? [] : [boxesChart(numbers, name)]),
    ...(compare.length === 0
      ? []
      : [
          classesChart(
            { name: 'compare', title: `Percent of records by class: ${name}` },
            compare.slice(0, MOST_PANELS).map((column) => ({ ...column, panel: column.name })),
          ),
        ]),
    ...(groups.length === 0
      ? []
      : [
          classesChart(
            { name: 'within-groups', title: `${groups[0].name} within groups, percent of records: ${name}` },
            groups.map((group) => ({ ...group, panel: group.group })),
          ),
        ]),
  ],
})

function boxesChart(numbers: Details['numbers'], name: string) {
  return panelBoxes(
    { name: 'boxes', title: `Quartiles, and 5th to 95th percentile: ${name}`, x: 'value', y: '' },
    numbers.flatMap(({ name: panel, boxes }) =>
      (['original', 'released'] as const).map((of) => {
        const [low, q1, median, q3, high] = boxes[of]
        return {
          panel,
          file: of === 'original' ? ('original' as const) : ('release' as const),
          low,
          q1,
          median,
          q3,
          high,
        }
      }),
    ),
  )
}

/** All classes of all columns are one row of numbers, whose error is that of a page of percentages. */
function comparison(pair: Pair, names: readonly string[]): Pick<Details, 'compare' | 'errors'> {
  const compare = names.map((name) => comparedColumn(pair, name))
  const shares = (of: 'original' | 'released') =>
    compare.flatMap(({ classes }) => classes.map((one) => one[`${of}Percent`]))
  return { compare, errors: errorStatistics(shares('original'), shares('released')) }
}

const FEWEST_IN_GROUP = 10

/** Groups of ten records and more in both files; smaller ones are single people. */
function withinGroups(pair: Pair, worst: readonly string[], { within }: Options): Details['groups'] {
  const shown = worst.find((name) => !within.includes(name))
  if (within.length === 0 || shown === undefined) return []
  return subgroupsBy(within, pair.original, pair.released)
    .filter(({ original, released }) => Math.min(original.length, released.length) >= FEWEST_IN_GROUP)
    .sort((a, b) => b.original.length - a.original.length)
    .slice(0, MOST_PANELS)
    .map(({ label, original, released }) => ({
      group: label,
      ...comparedColumn(pairOfRows(pair, original, released), shown),
    }))
}

const MOST_PANELS = 12

function classesChart(
  labels: { readonly name: string; readonly title: string },
  columns: readonly (ComparedColumn & { readonly panel: string })[],
) {
  return panelLevels(
    { ...labels, x: '', y: 'percent' },
    columns.flatMap(({ panel: title, S_pMSE, classes }) => {
      const panel = S_pMSE === null ? title : `${title}: S_pMSE = ${significant(S_pMSE)}`
      return classes.flatMap(({ label, originalPercent, releasedPercent }) => [
        { panel, file: 'original' as const, level: label, share: originalPercent },
        { panel, file: 'release' as const, level: label, share: releasedPercent },
      ])
    }),
  )
}

function differences(pair: Pair): Omit<ColumnDistance, 'adjusted'>[] {
  return pair.variables.flatMap((name) =>
    columnOf(pair.original, name).kind === 'categorical' ? frequencies(pair, name) : means(pair, name),
  )
}

function means(pair: Pair, name: string): Omit<ColumnDistance, 'adjusted'>[] {
  const [x, y] = [pair.original, pair.released].map((of) => momentsOf(sampleIn(of, name, pair.weight)))
  if (x === null || y === null) return []
  const gap = Math.abs(y.mean - x.mean)
  const unit = x.sd || y.sd || gap || 1
  return [{ name, value: gap / unit, expected: x.sd ? Math.sqrt(2 / (Math.PI * y.n)) : 0, p: welch(x, y) }]
}

/** Welch's (1947) test of equal means. */
function welch(x: Moments, y: Moments): number | null {
  if (x.se === null || y.se === null) return null
  const [a, b] = [x.se ** 2, y.se ** 2]
  if (!(a + b > 0)) return null
  const t = Math.abs(y.mean - x.mean) / Math.sqrt(a + b)
  return 2 * studentTCdf(-t, (a + b) ** 2 / (a ** 2 / (x.n - 1) + b ** 2 / (y.n - 1)))
}

function frequencies(pair: Pair, name: string): Omit<ColumnDistance, 'adjusted'>[] {
  const levels = levelPair(pair, name, 0)
  const [p, q] = [sharesOf(levels.original), sharesOf(levels.released)]
  let squares = 0
  for (let k = 0; k < p.length; k++) squares += (p[k] - q[k]) ** 2 / ((p[k] + q[k]) / 2)
  const expected = chiMean(p.filter((share) => share > 0).length - 1) / Math.sqrt(levels.n2)
  return [{ name, value: Math.sqrt(squares), expected, p: homogeneity(levels)?.p ?? null }]
}

function numbersOf(pair: Pair, name: string): Details['numbers'] {
  const [x, y] = [pair.original, pair.released].map((of) => sampleIn(of, name, pair.weight))
  const [original, released] = [shown(summaryOf(x)), shown(summaryOf(y))]
  if (original === null || released === null) return []
  const box = (sample: typeof x) => BOX.map((p) => sampleQuantile(sample, p)) as unknown as Box
  return [{ name, original, released, boxes: { original: box(x), released: box(y) } }]
}

function shown(summary: Summary | null): Shown | null {
  if (summary === null) return null
  const { min: _least, max: _greatest, ...rest } = summary
  return rest
}

function levelsOf(pair: Pair, name: string): Details['categories'][number]['levels'] {
  const { labels, original, released } = levelPair(pair, name, 0)
  const [p, q] = [sharesOf(original), sharesOf(released)]
  return labels.slice(0, MOST_LEVELS).map((level, k) => ({ level, original: p[k], released: q[k] }))
}
