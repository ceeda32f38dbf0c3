import { z } from 'zod'
import { scatterChart } from '../../chart/chart.js'
import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, figureTable, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { count, fixed, grouped } from '../../print.js'
import { permutation } from '../../random/sampling.js'
import { drawWithoutReplacement } from '../../stats/draws.js'
import { largestFirst } from '../../stats/sorted.js'
import { mean, total } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests/tests.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { cellLabel, classesOfNumber, comparedCells, countCells, crossed, effectiveCells, GROUPS } from './cells.js'
import { categoricalNames } from './columns-to-cross.js'
import { isManyToDeal, pearson, twoSample } from './table-tests.js'
import { tableUtility } from './table-utility.js'

/**
 * One table of chosen columns crossed: all figures of synthpop's utility.tab, and the cells that differ most. The
 * headline is √(X² / N), Pearson's statistic of the 2 x K table as a size that does not grow with the files, and finite where
 * a cell is new. Where more than a fifth of the cells have fewer than five records, p comes from permuted labels, and so
 * does a ratio of X² to what these give. With survey weights shares are those of the weights and X² counts effective records
 * (`cells.ts`); synthpop's figures are those of records. Blind to all that is not in this table.
 */
const options = z.object({
  ...utilityOptions,
  groups: whole(GROUPS, { min: 2, max: 1000 }).describe('classes of a numeric column'),
  permutations: whole(99, { min: 19, max: 100_000 }).describe('permuted labels where cells are sparse'),
})
type Options = z.output<typeof options>

const SPARSE = 0.2
const SHOWN = 15
const MOST_SHARES = 200
const FAR = 3

export const crossTable = utilityMeasure({
  id: 'cross-table',
  title: 'One cross-table',
  summary: 'how far the table of chosen columns is from that of the original',
  orientation: 'distance',
  nothing: 'independent',
  subsampleSize: 'release',
  unit: 'distance',
  blindTo: 'all that is not in this table',
  options,
  countedColumns: ({ variables }, release) => {
    const columns = variables ?? categoricalNames(release)
    return columns.length === 0 ? [] : [{ columns, as: columns.length === 1 ? 'values' : 'classes' }]
  },
  classesOfNumber,
  statistic: (pair, chosen) => {
    const { original, released } = cellsOf(pair, chosen).effective
    return Math.sqrt(pearson(original, released) / (total(original) + total(released)))
  },
  compute,
  citations: ['raab2021'],
  sentence: ({ value, details }) =>
    `${details.variables.join(' by ')}: effect ${fixed(value ?? 0, 3)} over ${count(details.cells, 'cell')}, S_pMSE ${fixed(details.synthpop.S_pMSE ?? 0, 2)}; ${count(details.test.newCells, 'cell')} that the original lacks, ${grouped(details.test.lostCells)} lost`,
  tables: ({ details }) => [
    figureTable('synthpop', 'Utility measures of the table (utility.tab)', details.synthpop),
    findingTable('cells', 'Cells that differ most', details.worst, [
      [column.text('cell'), ({ cell }) => cell],
      [column.count('original'), ({ original }) => original],
      [column.count('released'), ({ released }) => released],
      [column.number('z'), ({ z }) => z],
    ]),
  ],
  charts: ({ details }, { name }) => [
    distanceChart(
      {
        name: 'cells',
        title: `Cells of ${details.variables.join(' by ')} that differ most: ${name}`,
        red: 'more than 3 standard deviations',
        x: 'above or below what a correct model gives, in standard deviations',
      },
      details.worst.map(({ cell, z }) => ({ label: cell, value: z, alarm: Math.abs(z) > FAR })),
    ),
    scatterChart(
      {
        name: 'shares',
        red: 'more than 3 standard deviations off',
        title: `Shares of cells in both files: ${name}`,
        subtitle: `${count(details.shares.length, 'cell')} of 10 records and more; shaded: where 95 % are in another sample`,
        x: 'share in the original',
        y: 'share in the release',
      },
      details.shares.map(({ original, released, z }) => ({ x: original, y: released, alarm: Math.abs(z) > FAR })),
      [],
      chanceBand(details),
    ),
  ],
})

const BAND = 24

/** p ± 1.96 √(p (1 - p) (1/n + 1/m)) for shares up to the largest. */
function chanceBand({ shares, records }: Pick<ReturnType<typeof compute>['details'], 'shares' | 'records'>) {
  const most = Math.min(1, 1.05 * shares.reduce((high, { original }) => Math.max(high, original), 0))
  const u = 1 / records.original + 1 / records.released
  return Array.from({ length: BAND + 1 }, (_, k) => {
    const x = (most * k) / BAND
    const half = 1.96 * Math.sqrt(x * (1 - x) * u)
    return { x, lower: Math.max(0, x - half), upper: Math.min(1, x + half) }
  })
}

/** The columns that were chosen; of all, the categorical ones. */
function cellsOf(pair: Pair, { variables, groups }: Options) {
  const names = variables ?? categoricalNames(pair)
  if (names.length === 0) throw new NotApplicable('there is no categorical column; choose the columns to cross')
  const table = crossed(pair, names, groups)
  const records = countCells({ ...table, weights: null })
  return { names, table, records, effective: table.weights === null ? records : effectiveCells(table) }
}

export function compute(pair: Pair, chosen: Options, context: Context) {
  const { names, table, records, effective } = cellsOf(pair, chosen)
  const { original, released } = effective
  const test = twoSample(original, released)
  const permuted =
    test.sparse > SPARSE && table.weights === null ? permutedStatistics(records, chosen.permutations, context) : null
  const permutedP = permuted === null ? null : permutationPValue(test.statistic, permuted)
  const permutedMean = permuted === null ? null : mean(permuted)
  const [n1, n2] = [total(original), total(released)]
  const cells = comparedCells(table, { original, released })
  return {
    value: test.effect,
    warnings: rareLevelWarnings(pair),
    test:
      permutedP === null
        ? { p: test.p, what: `X², ${test.df} df` }
        : { p: permutedP, what: `X² of permuted labels, ${count(chosen.permutations, 'time')}` },
    details: {
      variables: names,
      cells: original.length,
      test: { ...test },
      /** Of permuted labels; null where X² can be trusted. */
      permutedP,
      /** X² over its mean under permuted labels: 1 for another sample. */
      permutedRatio: permutedMean === null || permutedMean === 0 ? null : test.statistic / permutedMean,
      synthpop: tableUtility(records.original, records.released),
      /** Effective records of both files. */
      records: { original: n1, released: n2 },
      worst: largestFirst(cells, ({ z }) => Math.abs(z))
        .slice(0, SHOWN)
        .map(({ row, original: o, released: r, z }) => ({
          cell: cellLabel(table.columns, row),
          original: o,
          released: r,
          z,
        })),
      /** The largest cells: their shares in both files. */
      shares: largestFirst(cells, ({ share }) => share.original)
        .slice(0, MOST_SHARES)
        .map(({ share, z }) => ({ ...share, z })),
    },
    workings: table,
  }
}

/** X² when records are dealt to the two files at random. */
function permutedStatistics(
  { original, released }: { readonly original: Float64Array; readonly released: Float64Array },
  permutations: number,
  { random }: Context,
): number[] {
  const first = total(original)
  const records = original.map((count, cell) => count + released[cell])
  if (isManyToDeal(records))
    return Array.from({ length: permutations }, (_, draw) => {
      const o = drawWithoutReplacement(random('labels', draw), records, first)
      return pearson(
        o,
        records.map((count, cell) => count - o[cell]),
      )
    })
  const cellOf = new Int32Array(total(records))
  let at = 0
  for (let cell = 0; cell < original.length; cell++) for (let k = 0; k < records[cell]; k++) cellOf[at++] = cell
  return Array.from({ length: permutations }, (_, draw) => {
    const order = permutation(random('labels', draw), cellOf.length)
    const [o, s] = [new Float64Array(original.length), new Float64Array(original.length)]
    for (let k = 0; k < order.length; k++) (k < first ? o : s)[cellOf[order[k]]]++
    return pearson(o, s)
  })
}
