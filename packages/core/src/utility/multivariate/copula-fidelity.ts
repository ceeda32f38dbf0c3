import { z } from 'zod'
import { matrixChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { count, inUnit } from '../../print.js'
import { permutation } from '../../random/sampling.js'
import { joined } from '../../stats/joined.js'
import { kendallTau, rankCorrelation } from '../../stats/ranks.js'
import { mean } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests.js'
import { type Pair, reducedPair } from '../pair.js'
import { completeColumns, numbersIn } from '../univariate/columns.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { comparedColumns } from './compared.js'
import { copulaDistance, empiricalCopula, FROM_PERFECT_TO_NONE, rankSquares } from './copula.js'

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

type CopulaPair = {
  readonly a: string
  readonly b: string
  readonly value: number
  /** Mean squared difference of the copulas. */
  readonly cvm: number
  /** Rank correlations in both files, of records that have both; null where one is constant. */
  readonly spearman: Both
  readonly kendall: Both
}

type Both = { readonly original: number | null; readonly released: number | null }
type Distance = Pick<CopulaPair, 'a' | 'b' | 'value' | 'cvm'>

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

function rankCorrelations({ original, released }: Pair, { a, b }: Distance): Pick<CopulaPair, 'spearman' | 'kendall'> {
  const [x, y] = [original, released].map((file) => {
    const known = completeColumns([numbersIn(file, a), numbersIn(file, b)])
    return { spearman: rankCorrelation(known[0], known[1]), kendall: kendallTau(known[0], known[1]) }
  })
  return {
    spearman: { original: x.spearman, released: y.spearman },
    kendall: { original: x.kendall, released: y.kendall },
  }
}

function copulaPairs(pair: Pair, inUnits: (cvm: number) => number, known: 'pairwise' | 'complete') {
  const names = comparedColumns(pair, 'numbers').filter((name) =>
    [pair.original, pair.released].every((file) => numbersIn(file, name).some((value) => !Number.isNaN(value))),
  )
  if (names.length < 2) throw new NotApplicable('it takes two numeric columns with values in both files')
  const files = [pair.original, pair.released].map((file) => {
    const columns = names.map((name) => numbersIn(file, name))
    return (known === 'complete' ? completeColumns(columns) : columns).map((values) => rankSquares(values))
  })
  if (files.some((squares) => squares[0].length === 0)) throw new NotApplicable('no record is complete')
  return { names, pairs: pairDistances(names, files, inUnits) }
}

/** @param files columns of each file as grid squares */
function pairDistances(
  names: readonly string[],
  files: readonly (readonly Int32Array[])[],
  inUnits: (cvm: number) => number,
): Distance[] {
  const pairs: Distance[] = []
  for (let i = 0; i < names.length; i++)
    for (let j = i + 1; j < names.length; j++) {
      const [x, y] = files.map((file) => empiricalCopula(file[i], file[j]))
      const cvm = copulaDistance(x, y)
      pairs.push({ a: names[i], b: names[j], value: inUnits(cvm), cvm })
    }
  return pairs
}
