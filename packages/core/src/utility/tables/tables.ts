import { z } from 'zod'
import { barChart, heatmapChart } from '../../chart/chart.js'
import { NotApplicable, unknownName } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { openText, whole } from '../../option-kinds.js'
import { count, fixed } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { median } from '../../stats/quantile.js'
import { largestFirst } from '../../stats/sorted.js'
import { subsets } from '../../stats/special.js'
import { mean, total } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import { everySet } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { rareLevelWarnings } from '../rare-levels.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type Cells,
  type Classes,
  type Coded,
  type Crossable,
  cellLabel,
  classesOfNumber,
  comparedCells,
  crossable,
  effectiveCells,
  GROUPS,
  isConstant,
  tooManyTables,
} from './cells.js'
import { pearson, twoSample } from './table-tests.js'
import { type TableUtility, tableUtility } from './table-utility.js'

/**
 * All one- to four-way tables of the release beside those of the original: synthpop's utility.tables (Raab, Nowok
 * and Dibben 2021). The headline is the mean of S_pMSE = VW / df over all tables, 1 for a release drawn from a correct
 * model of the original, 2 for another sample of the same size of the same population. Numbers are cut at quintiles of
 * both files together. Each table has its figures, its expectation and a test that both files are samples of one
 * population; the worst tables name the cells that differ most.
 * Columns with one value in both files are left out.
 * With survey weights shares are those of the weights, and tables count effective records (`cells.ts`).
 * S_JSD keeps synthpop's constant; S_JSD_exact = 8 n₂ ln 2 JSD / df has the right one. Blind to relations of more
 * variables than a table has, and within the classes of numbers.
 */
const options = z.object({
  ...utilityOptions,
  ways: whole(2, { min: 1, max: 4 }).describe('variables of a table'),
  groups: whole(GROUPS, { min: 2, max: 100 }).describe('classes of a numeric variable'),
  worst: whole(5, { min: 0, max: 100 }).describe('tables whose cells are shown'),
  third: openText().describe(
    'tables of three: the column with which all pairs are drawn; the one whose tables are worst when not given',
  ),
})
type Options = z.output<typeof options>

type TableResult = {
  readonly variables: readonly string[]
  readonly utility: TableUtility & { readonly S_JSD_exact: number | null }
  /** Pearson's X² for two samples of one population, and p corrected over all tables by Holm. */
  readonly p: number
  readonly adjustedP: number
  /** Share of cells with fewer than five records: above a fifth p is not to be trusted. */
  readonly sparse: number
}

const MOST_SHOWN = 500
const CELLS_SHOWN = 5

/** synthpop's `utility.tables`: aim for ratios below. */
export const RATIO_TO_AIM_FOR = 10

export const tables = utilityMeasure({
  id: 'tables',
  title: 'Cross-tables',
  summary: 'how far all tables of two variables are from those of the original, 1 being what chance gives',
  orientation: 'distance',
  nothing: 'independent',
  subsampleSize: 'release',
  profile: 'standard',
  standardised: true,
  unit: 'ratio',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'relations of more variables than a table has, and differences within the classes of numbers',
  options,
  countedColumns: (chosen, release) => everySet(chosen, release, chosen.ways),
  classesOfNumber,
  check: ({ variables }, { variables: chosen, ways, third }) => {
    const known = chosen ?? variables
    if (third !== null && !known.includes(third)) return [unknownName('column', third, known)]
    return tooManyTables(known.length, ways)
  },
  statistic: (pair, chosen) => meanRatio(coded(pair, chosen), chosen.ways),
  compute,
  citations: ['raab2021'],
  literature: [{ value: RATIO_TO_AIM_FOR, meaning: 'aim for ratios below', source: 'synthpop, utility.tables' }],
  sentence: ({ details }) => {
    const [worst] = details.tables
    return `${count(details.count, 'table')}: S_pMSE is ${fixed(details.mean, 2)} on average${worst === undefined ? '' : `, worst ${fixed(worst.utility.S_pMSE ?? 0, 2)} for ${worst.variables.join(' by ')}`}; 1 is what a correct model of the original gives`
  },
  tables: ({ details }) => [
    findingTable('tables', 'By table', details.tables, [
      [column.text('table'), ({ variables }) => variables.join(' x ')],
      [column.number('pMSE'), ({ utility }) => utility.pMSE],
      [column.number('S_pMSE'), ({ utility }) => utility.S_pMSE],
      [column.number('df'), ({ utility }) => utility.df],
      [column.p('p'), ({ p }) => p],
      [column.p('adjusted'), ({ adjustedP }) => adjustedP],
    ]),
  ],
  charts: ({ details }, { name }) => [
    ...(details.ways === 2 || details.third !== null ? [pairsChart(details, name)] : []),
    barChart(
      {
        name: 'variables',
        title: `Mean S_pMSE of the tables that a variable is in: ${name}`,
        x: '',
        y: 'mean S_pMSE',
      },
      details.variables.map((one) => ({ label: one.name, value: one.score })),
      [{ value: 1, label: 'correct model' }],
    ),
  ],
})

function coded(pair: Pair, { groups }: Options): Crossable {
  const { columns, together } = crossable(pair, pair.variables, groups)
  return { columns: columns.filter((column) => !isConstant(column)), together }
}

/** Tables of as many variables as there are, if fewer than asked for. */
const waysOf = (columns: readonly Classes[], ways: number) => Math.max(1, Math.min(ways, columns.length))

/** Only what the headline needs, for many draws. */
function meanRatio({ columns, together }: Crossable, asked: number): number | null {
  const ratios = subsets(columns, waysOf(columns, asked)).flatMap((crossing) => {
    const { original, released } = effectiveCells(together(crossing))
    const df = original.length - 1
    const share = total(original) / (total(original) + total(released))
    return df === 0 ? [] : [pearson(original, released) / share / df]
  })
  return mean(ratios)
}

function compute(pair: Pair, chosen: Options) {
  const { columns, together } = coded(pair, chosen)
  const ways = waysOf(columns, chosen.ways)
  const found = subsets(columns, ways).flatMap((crossing) => {
    const table = together(crossing)
    const cells = effectiveCells(table)
    const { p, sparse } = twoSample(cells.original, cells.released)
    const utility = tableUtility(cells.original, cells.released)
    return utility.df === 0 ? [] : [{ crossing, table, cells, utility, p, sparse }]
  })
  if (found.length === 0) throw new NotApplicable('every variable is constant, so all tables are equal')
  const adjusted = holm(found.map(({ p }) => p))
  const results = largestFirst(
    found.map(({ crossing, cells, utility, p, sparse }, at) => {
      const result: TableResult = {
        variables: crossing.map(({ name }) => name),
        utility: { ...utility, S_JSD_exact: (8 * total(cells.released) * Math.LN2 * utility.JSD) / utility.df },
        p,
        adjustedP: adjusted[at],
        sparse,
      }
      return { result, at }
    }),
    ratioOf,
  )
  const ratios = results.map(ratioOf)
  const variables = variableScores(
    { columns, together },
    results.map(({ result }) => result),
  )
  return {
    value: mean(ratios),
    test: { p: Math.min(...adjusted), what: `X² of ${count(results.length, 'table')}, corrected by Holm` },
    details: {
      ways,
      /** The column that is in all tables of the picture of three-way ones. */
      third: ways === 3 ? (chosen.third ?? variables[0].name) : null,
      count: results.length,
      mean: mean(ratios) ?? 0,
      median: median(ratios) ?? 0,
      largest: ratios[0],
      variables,
      /** Worst first. */
      tables: results.slice(0, MOST_SHOWN).map(({ result }) => result),
      worst: results.slice(0, chosen.worst).map(({ result, at }) => ({
        variables: result.variables,
        cells: worstCells(found[at].table, found[at].cells),
      })),
    },
    warnings: [
      ...rareLevelWarnings(pair),
      ...(results.length > MOST_SHOWN ? [`only the worst ${MOST_SHOWN} tables are listed`] : []),
    ],
  }
}

function ratioOf({ result }: { readonly result: TableResult }): number {
  return result.utility.S_pMSE ?? 0
}

/** By variable: mean S_pMSE of the tables that it is in, worst first. */
function variableScores({ columns, together }: Crossable, results: readonly TableResult[]) {
  const scores = columns.flatMap((column) => {
    const { name } = column
    const own = results.filter(({ variables }) => variables.includes(name))
    if (own.length === 0) return []
    const cells = effectiveCells(together([column]))
    return [
      {
        name,
        score: mean(own.map(({ utility }) => utility.S_pMSE ?? 0)) ?? 0,
        oneWay: tableUtility(cells.original, cells.released).S_pMSE,
      },
    ]
  })
  return largestFirst(scores, ({ score }) => score)
}

function worstCells(table: Coded, cells: Cells) {
  return largestFirst(comparedCells(table, cells), ({ z }) => Math.abs(z))
    .slice(0, CELLS_SHOWN)
    .map(({ row, original, released, z }) => ({ cell: cellLabel(table.columns, row), original, released, z }))
}

/** Every pair twice, and the one-way table on the diagonal; of three-way tables those with the third column. */
function pairsChart({ tables: all, variables: columns, third }: ReturnType<typeof compute>['details'], name: string) {
  const pairs = all.flatMap((table) => {
    const others = table.variables.filter((variable) => variable !== third)
    return others.length === 2 ? [{ ...table, pair: others }] : []
  })
  return heatmapChart(
    {
      name: 'pairs',
      title: `S_pMSE of all pairs${third === null ? '' : ` with ${third}`}: ${name}`,
      subtitle: '1: a correct model; *: differs from another sample',
      x: '',
      y: '',
    },
    [
      ...pairs.flatMap(({ pair: [a, b], utility, adjustedP }) => {
        const value = utility.S_pMSE ?? 0
        const text = `${value < 10 ? fixed(value, 1) : fixed(value, 0)}${adjustedP < SIGNIFICANCE ? '*' : ''}`
        return [
          { x: a, y: b, value, text },
          { x: b, y: a, value, text },
        ]
      }),
      ...columns.flatMap(({ name: of, oneWay }) =>
        oneWay === null || third !== null ? [] : [{ x: of, y: of, value: oneWay, text: fixed(oneWay, 1) }],
      ),
    ],
  )
}
