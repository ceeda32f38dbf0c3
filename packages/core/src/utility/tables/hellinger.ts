import { z } from 'zod'
import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { whole } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { largestFirst } from '../../stats/sorted.js'
import { mean } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { everyCategory, everyColumn } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Coded, countCells, crossed, effectiveCells, releasedRecords } from './cells.js'
import { categoricalNames } from './columns-to-cross.js'
import { hellingerDistance, twoSample } from './table-tests.js'

/**
 * Hellinger distance of the shares of categories, √(½ Σ (√p - √q)²), per categorical column and on average; 0 for equal
 * shares, 1 where no category is in both files (synthpop's dBhatt, riskutility's hellinger). Chance alone gives
 * √((K - 1) / 8m) with K categories and m released records. Missing is a category. With
 * survey weights shares are those of the weights, and the test counts effective records (`cells.ts`).
 * Blind to relations between columns.
 */
const options = z.object({
  ...utilityOptions,
  groups: whole(null, { min: 2, max: 1000 }).describe(
    'numeric columns take part in so many classes; null: they do not',
  ),
})
type Options = z.output<typeof options>

export const hellinger = utilityMeasure({
  id: 'hellinger',
  title: 'Hellinger distance',
  summary: 'mean distance of the shares of categories, over categorical columns',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'distance',
  blindTo: 'relations between columns',
  options,
  countedColumns: (chosen, release) => (chosen.groups === null ? everyCategory : everyColumn)(chosen, release),
  ...distancesOf((column) => column),
  literature: [
    { value: 0.1, meaning: 'excellent below', source: 'riskutility 0.1.0, hellinger' },
    { value: 0.2, meaning: 'good below', source: 'riskutility 0.1.0, hellinger' },
    { value: 0.3, meaning: 'poor above', source: 'riskutility 0.1.0, hellinger' },
  ],
  sentence: ({ value, details: { columns } }) =>
    `shares of categories are ${fixed(value ?? 0, 3)} from those of the original on average, most for ${columns[0].name} (${fixed(columns[0].distance, 3)}, ${fixed(columns[0].expected, 3)} by chance)`,
  tables: ({ details: { columns } }) => [
    findingTable('columns', 'By column', columns, [
      [column.text('column'), ({ name }) => name],
      [column.number('distance'), ({ distance }) => distance],
      [column.number('expected'), ({ expected }) => expected],
      [column.p('p'), ({ p }) => p],
      [column.p('adjusted'), ({ adjustedP }) => adjustedP],
    ]),
  ],
  charts: ({ details }, { name }) => [
    distanceChart(
      { name: 'columns', title: `Hellinger distance of columns: ${name}`, x: 'Hellinger distance' },
      details.columns.map(({ name: label, distance, expected, adjustedP }) => ({
        label,
        value: distance,
        expected,
        alarm: adjustedP < SIGNIFICANCE,
      })),
    ),
  ],
})

/** @param counted the records of a column that count; null where a file has none */
export function distancesOf(counted: (column: Coded) => Coded | null) {
  const byColumn = (pair: Pair, { groups }: Options) => {
    const names = groups === null ? categoricalNames(pair) : pair.variables
    return names.flatMap((name) => {
      const known = counted(crossed(pair, [name], groups ?? 2))
      if (known === null) return []
      const cells = countCells(known)
      return [{ name, known, cells, distance: hellingerDistance(cells.original, cells.released) }]
    })
  }
  return {
    statistic: (pair: Pair, options: Options) => mean(byColumn(pair, options).map(({ distance }) => distance)),
    compute: (pair: Pair, options: Options) => {
      const compared = byColumn(pair, options)
      if (compared.length === 0) throw new NotApplicable('there is no categorical column with values in both files')
      const tests = compared.map(({ known }) => {
        const { original, released } = effectiveCells(known)
        return twoSample(original, released)
      })
      const adjusted = holm(tests.map(({ p }) => p))
      const columns = largestFirst(
        compared.map(({ name, known, cells, distance }, k) => ({
          name,
          distance,
          categories: cells.original.length,
          /** What chance gives a release drawn from a correct model. */
          expected: Math.sqrt((cells.original.length - 1) / (8 * releasedRecords(known))),
          p: tests[k].p,
          adjustedP: adjusted[k],
        })),
        ({ distance }) => distance,
      )
      return {
        value: mean(compared.map(({ distance }) => distance)),
        warnings: rareLevelWarnings(pair),
        test: { p: Math.min(...adjusted), what: 'X² of each column, corrected by Holm' },
        details: { columns, largest: columns[0].distance, smallest: columns[columns.length - 1].distance },
      }
    },
  }
}
