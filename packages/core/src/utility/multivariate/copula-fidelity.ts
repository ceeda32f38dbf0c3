import { z } from 'zod'
import { matrixChart } from '../../chart/comparison.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { count, inUnit } from '../../print.js'
import { permutation } from '../../random/sampling.js'
import { joined } from '../../stats/joined.js'
import { mean } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests/tests.js'
import { type Pair, reducedPair } from '../pair.js'
import { numbersIn } from '../univariate/columns/columns.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  copulaPairs,
  FROM_PERFECT_TO_NONE,
  pairDistances,
  rankCorrelations,
  rankSquares,
} from './association/copula.js'

/**
 * Dependence of each two numbers, apart from their marginals: the mean squared difference of their empirical copulas on a
 * grid of 50 x 50 (Cramér and von Mises), as a root in units of the one between perfect dependence and independence. The
 * headline is the mean over pairs: 0 for the same dependence, 1 where perfect dependence was lost. Ties share their mean
 * rank. p of being two samples of one population from permuted labels, on 1,000 random records of each file. The details have
 * Spearman's and Kendall's correlations of both files too. Blind to marginals, to categories and to relations of three columns or more.
 */
const options = z.object({
  ...utilityOptions,
  permutations: whole(99, { min: 0, max: 10_000 }).describe('permuted labels for p; 0: none'),
})

type Options = z.output<typeof options>

export const copulaFidelity = utilityMeasure({
  id: 'copula-fidelity',
  title: 'Copula distance of each two numbers',
  summary: 'how far the dependence between numbers was changed, apart from their marginals',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 20_000,
  unit: 'distance',
  // A release without any variation lies further off than independence does.
  range: [0, 10],
  blindTo: 'marginals, categories, and relations of three columns or more',
  options,
  ...copulasBy((cvm) => Math.sqrt(cvm / FROM_PERFECT_TO_NONE), 'pairwise'),
  sentence: ({ value, details: { pairs } }) => {
    const worst = pairs.reduce((most, pair) => (pair.value > most.value ? pair : most))
    return `the dependence of ${count(pairs.length, 'pair')} of numbers changed by ${inUnit(value ?? 0, 'distance')} on average; of ${worst.a} and ${worst.b} by ${inUnit(worst.value, 'distance')}`
  },
  tables: ({ details: { pairs } }) => [
    findingTable('pairs', 'By pair of columns', pairs, [
      [column.text('pair'), ({ a, b }) => `${a} x ${b}`],
      [column.number('distance'), ({ value }) => value],
      [column.number('Spearman'), ({ spearman }) => spearman.original],
      [column.number('released'), ({ spearman }) => spearman.released],
    ]),
  ],
  charts: ({ details: { names, pairs } }, { name }) => [
    matrixChart(
      {
        name: 'copulas',
        title: `Change of dependence: ${name}`,
        subtitle: '1: perfect dependence was lost',
        legend: 'distance',
        span: 0.2,
      },
      pairs.flatMap(({ a, b, value }) => [
        { row: a, column: b, value },
        { row: b, column: a, value },
      ]),
      names,
    ),
  ],
})

/**
 * @param inUnits a pair by the mean squared difference of its copulas
 * @param known the records that are ranked: those with a value of the column, or with values of all
 */
export function copulasBy(inUnits: (cvm: number) => number, known: 'pairwise' | 'complete') {
  const statistic = (pair: Pair) => mean(copulaPairs(pair, inUnits, known).pairs.map(({ value }) => value))
  const compute = (pair: Pair, { permutations }: Options, context: Context) => {
    const { names, pairs } = copulaPairs(pair, inUnits, known)
    const p = permutations === 0 ? null : permutedP(pair, names, inUnits, permutations, context)
    return {
      value: mean(pairs.map(({ value }) => value)),
      test: p === null ? null : { p, what: `copulas of permuted labels, ${count(permutations, 'time')}` },
      details: { names, pairs: pairs.map((columns) => ({ ...columns, ...rankCorrelations(pair, columns) })) },
    }
  }
  return { statistic, compute }
}

const TESTED = 1000

/** Of the mean over pairs, if both files were samples of one population. */
function permutedP(
  whole: Pair,
  names: readonly string[],
  inUnits: (cvm: number) => number,
  permutations: number,
  context: Context,
): number {
  const pair = reducedPair(whole, TESTED, (purpose) => context.random(`tested/${purpose}`))
  const values = names.map((name) => joined([pair.original, pair.released].map((file) => numbersIn(file, name))))
  const n = pair.original.rows
  const order = Int32Array.from({ length: n + pair.released.rows }, (_, row) => row)
  const statistic = (rows: Int32Array) => {
    const squares = [rows.subarray(0, n), rows.subarray(n)].map((part) =>
      values.map((column) => rankSquares(Float64Array.from(part, (row) => column[row]))),
    )
    return mean(pairDistances(names, squares, inUnits).map(({ value }) => value)) ?? 0
  }
  const permuted = Array.from({ length: permutations }, (_, k) =>
    statistic(permutation(context.random('labels', k), order.length)),
  )
  return permutationPValue(statistic(order), permuted)
}
