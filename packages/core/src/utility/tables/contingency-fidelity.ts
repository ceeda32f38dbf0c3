import { z } from 'zod'
import { barChart, heatmapChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { whole } from '../../option-kinds.js'
import { fixed, percent } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { largestFirst } from '../../stats/sorted.js'
import { subsets } from '../../stats/special.js'
import { mean, total } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { everySet } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type Crossable,
  classesOfNumber,
  countCells,
  crossable,
  effectiveCells,
  GROUPS,
  isConstant,
  tooManyTables,
} from './cells.js'
import { expectedTotalVariation, totalVariation, twoSample } from './table-tests.js'

/**
 * Total variation ½ Σ |p - q| between the two-way tables of release and original (or three-, or four-way ones), averaged over all: the
 * largest error in the share of any set of cells (SPECKS of a table). Numbers take part in five classes and missing is one. Each pair has
 * what chance gives, Σ √(p (1 - p) / m) / √2π, and a test. Columns with one value in both files are left out. With survey weights shares are those of the weights,
 * and the test counts effective records (`cells.ts`).
 * Blind to relations of three columns and more, and to differences within the classes of numbers.
 */
const options = z.object({
  ...utilityOptions,
  groups: whole(GROUPS, { min: 2, max: 100 }).describe('classes of a numeric column'),
  ways: whole(2, { min: 2, max: 4 }).describe('columns of a table'),
})
type Options = z.output<typeof options>

const SHOWN = 20

export const contingencyFidelity = utilityMeasure({
  id: 'contingency-fidelity',
  title: 'Contingency fidelity',
  summary: 'mean total variation between two-way tables of release and original',
  orientation: 'distance',
  nothing: 'independent',
  unit: 'share',
  blindTo: 'relations of three columns and more, and differences within the classes of numbers',
  options,
  countedColumns: (chosen, release) => everySet(chosen, release, chosen.ways),
  classesOfNumber,
  check: ({ variables }, { variables: chosen, ways }) => tooManyTables((chosen ?? variables).length, ways),
  ...tablesOf((pair, { groups }) => crossable(pair, pair.variables, groups)),
  literature: [
    { value: 0.05, meaning: 'excellent below', source: 'riskutility 0.1.0, contingency_fidelity' },
    { value: 0.2, meaning: 'good below', source: 'riskutility 0.1.0, contingency_fidelity' },
    { value: 0.5, meaning: 'poor above', source: 'riskutility 0.1.0, contingency_fidelity' },
  ],
  sentence: ({ value, details: { pairs } }) =>
    `${percent(value ?? 0)} of records would have to move for tables of ${pairs[0].variables.length} columns to agree, on average; ${percent(pairs[0].distance)} for ${pairs[0].variables.join(' by ')} (${percent(pairs[0].expected)} by chance)`,
  tables: ({ details: { pairs } }) => [
    findingTable('pairs', 'By pair of columns', pairs, [
      [column.text('pair'), ({ variables }) => variables.join(' x ')],
      [column.number('distance'), ({ distance }) => distance],
      [column.number('expected'), ({ expected }) => expected],
      [column.p('p'), ({ p }) => p],
      [column.p('adjusted'), ({ adjustedP }) => adjustedP],
    ]),
  ],
  charts: ({ details }, { name }) => [
    details.pairs[0].variables.length > 2
      ? barChart(
          {
            name: 'tables',
            red: 'beyond chance',
            title: `Total variation of the tables that differ most: ${name}`,
            x: '',
            y: 'share of records',
          },
          details.pairs.slice(0, SHOWN).map(({ variables, distance, adjustedP }) => ({
            label: variables.join(', '),
            value: distance,
            alarm: adjustedP < SIGNIFICANCE,
          })),
        )
      : heatmapChart(
          {
            name: 'pairs',
            title: `Total variation of all pairs, percent: ${name}`,
            subtitle: '*: differs from another sample',
            x: '',
            y: '',
          },
          details.pairs.flatMap(({ variables: [a, b], distance, adjustedP }) => {
            const text = `${fixed(100 * distance, 1)}${adjustedP < SIGNIFICANCE ? '*' : ''}`
            return [
              { x: a, y: b, value: distance, text },
              { x: b, y: a, value: distance, text },
            ]
          }),
        ),
  ],
})

export function tablesOf(coded: (pair: Pair, options: Options) => Crossable) {
  const crossed = (pair: Pair, options: Options) => {
    const { columns: all, together } = coded(pair, options)
    const columns = all.filter((column) => !isConstant(column))
    const { originals } = together(columns.slice(0, 1))
    if (columns.length < options.ways || originals === 0 || originals === columns[0].codes.length)
      throw new NotApplicable(`${options.ways} columns with more than one value are needed, in records of both files`)
    return subsets(columns, options.ways).map((crossing) => {
      const table = together(crossing)
      const cells = countCells(table)
      const distance = totalVariation(cells.original, cells.released)
      const effective = () => (table.weights === null ? cells : effectiveCells(table))
      return { crossing, effective, distance }
    })
  }
  return {
    statistic: (pair: Pair, options: Options) => mean(crossed(pair, options).map(({ distance }) => distance)),
    compute: (pair: Pair, options: Options) => {
      const tables = crossed(pair, options)
      const effective = tables.map((table) => table.effective())
      const tests = effective.map(({ original, released }) => twoSample(original, released))
      const adjusted = holm(tests.map(({ p }) => p))
      const pairs = largestFirst(
        tables.map(({ crossing, distance }, k) => {
          const { original, released } = effective[k]
          const expected = expectedTotalVariation(original, released, 1 / total(released))
          return {
            variables: crossing.map(({ name }) => name),
            distance,
            expected,
            /** Beyond what chance gives. */
            excess: Math.max(0, distance - expected),
            p: tests[k].p,
            adjustedP: adjusted[k],
          }
        }),
        ({ distance }) => distance,
      )
      return {
        value: mean(tables.map(({ distance }) => distance)),
        warnings: rareLevelWarnings(pair),
        test: { p: Math.min(...adjusted), what: 'X² of each table, corrected by Holm' },
        details: { pairs, largest: pairs[0].distance, smallest: pairs[pairs.length - 1].distance },
      }
    },
  }
}
