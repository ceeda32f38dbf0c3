import { z } from 'zod'
import { barChart, heatmapChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { percent } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { mean } from '../../stats/sums.js'
import { holm } from '../../stats/tests.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { type UtilityFinding, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Classes, classesOf, countCells, effectiveCells, pairWeights, subsets, tooManyTables } from './cells.js'
import { categoricalNames } from './columns-to-cross.js'
import { GROUPS } from './cross-tables.js'
import { expectedTotalVariation, total, totalVariation, twoSample } from './table-tests.js'

/**
 * Total variation ½ Σ |p - q| between the two-way tables of release and original (or three-, or four-way ones), averaged over all: the
 * largest error in the share of any set of cells (SPECKS of a table). Numbers take part in five classes and missing is one;
 * riskutility's contingency_fidelity takes categorical columns only, and records without missing values. Each pair has
 * what chance gives, Σ √(p (1 - p) / m) / √2π, and a test. With survey weights shares are those of the weights,
 * and the test counts effective records (`cells.ts`).
 * Blind to relations of three columns and more, and to differences within the classes of numbers.
 */
const options = z.object({
  ...utilityOptions,
  groups: z.int().min(2).max(100).default(GROUPS).describe('classes of a numeric column'),
  ways: z.int().min(2).max(4).default(2).describe('columns of a table'),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe('riskutility: categorical columns only, and only records without missing values in them'),
})
type Options = z.output<typeof options>

type Details = {
  readonly pairs: readonly {
    readonly variables: readonly string[]
    readonly distance: number
    readonly expected: number
    /** Beyond what chance gives. */
    readonly excess: number
    readonly p: number
    readonly adjustedP: number
  }[]
  readonly largest: number
  readonly smallest: number
}

const SHOWN = 20

export const contingencyFidelity = utilityMeasure({
  id: 'contingency-fidelity',
  version: 1,
  title: 'Contingency fidelity',
  summary: 'mean total variation between two-way tables of release and original',
  orientation: 'distance',
  scale: null,
  nothing: 'independent',
  needs: [],
  unit: 'share',
  blindTo: 'relations of three columns and more, and differences within the classes of numbers',
  options,
  check: ({ variables }, { variables: chosen, ways }) => tooManyTables((chosen ?? variables).length, ways),
  statistic: (pair, chosen) => {
    const found = pairsOf(pair, chosen)
    return found === null ? null : mean(found.map(({ distance }) => distance))
  },
  compute,
  thresholds: {
    literature: [
      { value: 0.05, meaning: 'excellent below', source: 'riskutility 0.1.0, contingency_fidelity' },
      { value: 0.2, meaning: 'good below', source: 'riskutility 0.1.0, contingency_fidelity' },
      { value: 0.5, meaning: 'poor above', source: 'riskutility 0.1.0, contingency_fidelity' },
    ],
  },
  sentence: ({ value, details: { pairs } }) =>
    `${percent(value ?? 0)} of records would have to move for tables of ${pairs[0].variables.length} columns to agree, on average; ${percent(pairs[0].distance)} for ${pairs[0].variables.join(' by ')} (${percent(pairs[0].expected)} by chance)`,
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
            const text = `${(100 * distance).toFixed(1)}${adjustedP < SIGNIFICANCE ? '*' : ''}`
            return [
              { x: a, y: b, value: distance, text },
              { x: b, y: a, value: distance, text },
            ]
          }),
        ),
  ],
})

/** Null with too few columns. */
function pairsOf(pair: Pair, { groups, ways, definition }: Options) {
  const names = definition === 'scrim' ? pair.variables : categoricalNames(pair)
  const coded = names.map((name) => classesOf(pair.release, 0, name, groups))
  const { columns, originals, weights } =
    definition === 'scrim'
      ? { columns: coded, originals: pair.original.rows, weights: pairWeights(pair) }
      : completeRows(coded, pair.original.rows, pairWeights(pair))
  if (columns.length < ways || originals === 0 || originals === columns[0].codes.length) return null
  return subsets(columns, ways).map((both) => {
    const cells = countCells(both, originals, weights)
    return {
      both,
      originals,
      cells,
      weights,
      distance: totalVariation(cells.original, cells.released),
    }
  })
}

function completeRows(columns: readonly Classes[], originals: number, weights: Float64Array | null) {
  const rows = Int32Array.from((columns[0]?.codes ?? new Int32Array()).keys()).filter((row) =>
    columns.every(({ codes }) => codes[row] >= 0),
  )
  return {
    columns: columns.map((column) => ({ ...column, codes: rows.map((row) => column.codes[row]) })),
    originals: rows.filter((row) => row < originals).length,
    weights: weights === null ? null : Float64Array.from(rows, (row) => weights[row]),
  }
}

function compute(pair: Pair, chosen: Options): UtilityFinding<Details> {
  const found = pairsOf(pair, chosen)
  if (found === null) throw new NotApplicable(`${chosen.ways} columns with values in both files are needed`)
  const effective = found.map(({ both, originals, cells, weights }) =>
    weights === null ? cells : effectiveCells(both, originals, weights),
  )
  const tests = effective.map(({ original, released }) => twoSample(original, released))
  const adjusted = holm(tests.map(({ p }) => p))
  const pairs = found
    .map(({ both, distance }, k) => {
      const { original, released } = effective[k]
      const expected = expectedTotalVariation(original, released, 1 / total(released))
      return {
        variables: both.map(({ name }) => name),
        distance,
        expected,
        excess: Math.max(0, distance - expected),
        p: tests[k].p,
        adjustedP: adjusted[k],
      }
    })
    .sort((a, b) => b.distance - a.distance)
  return {
    value: mean(found.map(({ distance }) => distance)),
    warnings: rareLevelWarnings(pair),
    interval: null,
    test: { p: Math.min(...adjusted), what: 'X² of each table, corrected by Holm' },
    details: { pairs, largest: pairs[0].distance, smallest: pairs[pairs.length - 1].distance },
  }
}
