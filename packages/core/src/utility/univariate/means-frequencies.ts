import { z } from 'zod'
import { panelBoxes, panelLevels } from '../../chart/comparison.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { count, significant } from '../../print.js'
import { largestFirst } from '../../stats/sorted.js'
import { columnOf } from '../../table/table.js'
import { everyColumn } from '../counted-columns.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { unknownColumns, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { columnsChart, columnsTable, columnwise, worstColumn } from './columns/by-column.js'
import type { ComparedColumn } from './columns/compared-column.js'
import { comparison, differences, levelsOf, MOST_PANELS, numbersOf, withinGroups } from './columns/shown-columns.js'

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
export type Options = z.output<typeof options>

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
  countedColumns: (chosen, release) => (chosen.within.length === 0 ? everyColumn(chosen, release) : []),
  check: ({ variables }, { within }) => unknownColumns(within, variables),
  ...columnwise({
    items: (pair) => ({ pairs: differences(pair) }),
    value: ({ value }) => value,
    column: (difference) => difference,
    test: 'the difference',
    details: (columns, _, options: Options, pair) => {
      const worst = largestFirst(columns, ({ value }) => value).map(({ name }) => name)
      const ofKind = (categorical: boolean) =>
        worst.filter((name) => (columnOf(pair.original, name).kind === 'categorical') === categorical)
      return {
        columns,
        numbers: ofKind(false).flatMap((name) => numbersOf(pair, name)),
        categories: ofKind(true).map((name) => ({ name, levels: levelsOf(pair, name) })),
        ...comparison(pair, worst),
        /** The column that differs most within the groups that were asked for, largest group first. */
        groups: withinGroups(pair, worst, options),
      }
    },
    warnings: rareLevelWarnings,
  }),
  literature: [{ value: 0.1, meaning: 'below: balanced', source: 'Austin (2009), standardised differences' }],
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

function boxesChart(numbers: ReturnType<typeof numbersOf>, name: string) {
  return panelBoxes(
    { name: 'boxes', title: `Quartiles, and 5th to 95th percentile: ${name}`, x: 'value', y: '' },
    numbers.flatMap(({ name: panel, boxes }) =>
      (['original', 'released'] as const).map((file) => {
        const [low, q1, median, q3, high] = boxes[file]
        return {
          panel,
          file: file === 'original' ? ('original' as const) : ('release' as const),
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
