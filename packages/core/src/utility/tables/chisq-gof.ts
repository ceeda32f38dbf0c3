import { z } from 'zod'
import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { largestFirst } from '../../stats/sorted.js'
import { mean, total } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { everyCategory, everyColumn } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { crossed, effectiveCells } from './cells.js'
import { categoricalNames } from './columns-to-cross.js'
import { MOST_SPARSE, pearson, simulatedP, twoSample } from './table-tests.js'

/**
 * χ² for every categorical column: could its categories in both files be two samples of one population? Pearson's X² of
 * the 2 x K table; the headline is the mean of √(X² / N), which does not grow with the files.
 * Where more than a fifth of the categories hold fewer than five records, p is simulated by dealing out the records anew
 * instead of read off χ². With survey weights shares are those of the weights, and X² counts effective records (`cells.ts`).
 * Blind to relations between columns.
 */
const options = z.object({
  ...utilityOptions,
  groups: whole(null, { min: 2, max: 1000 }).describe(
    'numeric columns take part in so many classes; null: they do not',
  ),
  simulations: whole(1999, { min: 0, max: 100_000 }).describe(
    'how often records are dealt out anew for p of a column with rare categories; 0: p of χ² for all',
  ),
})
type Options = z.output<typeof options>

export const chisqGof = utilityMeasure({
  id: 'chisq-gof',
  title: 'χ² of categorical columns',
  summary: 'mean difference of categories as √(X²/N), with a test for each column',
  orientation: 'distance',
  nothing: 'uniform',
  subsampleSize: 'release',
  unit: 'distance',
  blindTo: 'relations between columns',
  options,
  countedColumns: (chosen, release) => (chosen.groups === null ? everyCategory : everyColumn)(chosen, release),
  statistic: (pair, chosen) =>
    mean(
      cellsOf(pair, chosen).map(({ cells: { original, released } }) =>
        Math.sqrt(pearson(original, released) / (total(original) + total(released))),
      ),
    ),
  compute,
  sentence: ({ details: { columns } }) => {
    const differ = columns.filter(({ adjustedP }) => adjustedP < SIGNIFICANCE)
    return differ.length === 0
      ? 'no column differs from another sample of the same population'
      : `${differ.length} of ${columns.length} columns differ from another sample of the same population, most ${differ[0].name} (effect ${fixed(differ[0].effect, 3)})`
  },
  tables: ({ details: { columns } }) => [
    findingTable('columns', 'By column', columns, [
      [column.text('column'), ({ name }) => name],
      [column.number('chi-squared'), ({ statistic }) => statistic],
      [column.number('df'), ({ df }) => df],
      [column.p('p'), ({ p }) => p],
      [column.p('adjusted'), ({ adjustedP }) => adjustedP],
      [column.number('effect'), ({ effect }) => effect],
    ]),
  ],
  charts: ({ details }, { name }) => [
    distanceChart(
      {
        name: 'columns',
        title: `Difference of categories by column: ${name}`,
        red: 'differs from another sample of the same population',
        x: '√(X²/N)',
      },
      details.columns.map(({ name: label, effect, adjustedP }) => ({
        label,
        value: effect,
        alarm: adjustedP < SIGNIFICANCE,
      })),
    ),
  ],
})

function cellsOf(pair: Pair, { groups }: Options) {
  const names = groups === null ? categoricalNames(pair) : pair.variables
  return names.map((name) => {
    const column = crossed(pair, [name], groups ?? 2)
    return { name, column, cells: effectiveCells(column), isWeighted: column.weights !== null }
  })
}

export function compute(pair: Pair, chosen: Options, context: Context) {
  const found = cellsOf(pair, chosen)
  if (found.length === 0) throw new NotApplicable('there is no categorical column')
  const tests = found.map(({ name, cells, isWeighted }) => {
    const test = twoSample(cells.original, cells.released)
    const simulated = !isWeighted && chosen.simulations > 0 && test.sparse > MOST_SPARSE
    const random = context.random(`simulated/${name}`)
    const p = simulated ? simulatedP(cells.original, cells.released, random, chosen.simulations) : test.p
    /** Whether p was simulated because categories are rare. */
    return { ...test, p, simulated }
  })
  const adjusted = holm(tests.map(({ p }) => p))
  const columns = largestFirst(
    found.map(({ name }, k) => {
      const { statistic, df, p, simulated, effect } = tests[k]
      return { name, statistic, df, p, simulated, adjustedP: adjusted[k], effect }
    }),
    ({ effect }) => effect,
  )
  return {
    value: mean(columns.map(({ effect }) => effect)),
    warnings: rareLevelWarnings(pair),
    test: { p: Math.min(...adjusted), what: 'X² of each column, corrected by Holm' },
    details: { columns },
    workings: { classes: new Map(found.map(({ name, column }) => [name, column])) },
  }
}
