import { z } from 'zod'
import { matrixChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { choice } from '../../option-kinds.js'
import { count, inUnit } from '../../print.js'
import { quantile } from '../../stats/quantile.js'
import { mean } from '../../stats/sums.js'
import type { Column } from '../../table/column.js'
import { columnOf } from '../../table/table.js'
import { type Pair, weightsIn } from '../pair.js'
import { withAdjusted } from '../univariate/columns/by-column.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type AssociationKind,
  type AssociationRules,
  association,
  associationKind,
  unbiasedRules,
} from './association/association.js'
import { fisherP, matrixDistance } from './association/association-tests.js'

/**
 * Associations between all pairs of columns, in both files: Spearman's correlation of two numbers, Cramér's V of two
 * categories (Bergsma's, without bias), the correlation ratio of a category and a number (Kelley's, without bias); weighted
 * where there are weights. The headline is the mean absolute difference over pairs; that of correlations, which have a sign,
 * may reach 2. Correlations are compared by Fisher's z, corrected for their number (Holm). Blind to marginals and to
 * relations of three columns or more; correlations are blind to dependence that neither rises nor falls.
 */
const options = z.object({
  ...utilityOptions,
  method: choice(['spearman', 'pearson'], 'spearman').describe('correlation of two numbers'),
})

export type Options = z.output<typeof options>

export type AssociationPair = {
  readonly a: string
  readonly b: string
  readonly kind: AssociationKind
  readonly original: number
  readonly released: number
  readonly value: number
  /** Of equal correlations, and corrected for looking at all of them; null for categories. */
  readonly p: number | null
  readonly adjusted: number | null
}

export const associations = utilityMeasure({
  id: 'associations',
  title: 'Associations between columns',
  summary: 'mean absolute difference of all pairwise correlations and associations',
  orientation: 'distance',
  scale: 'joint',
  nothing: 'independent',
  mostRows: 20_000,
  unit: 'distance',
  range: [0, 2],
  blindTo: 'marginals, and relations of three columns or more',
  options,
  ...associationsBy(unbiasedRules),
  sentence: ({ value, details: { pairs } }) =>
    `associations of ${count(pairs.length, 'pair')} of columns differ by ${inUnit(value ?? 0, 'distance')} on average; most ${pairs[0].a} and ${pairs[0].b}: ${inUnit(pairs[0].original, 'distance')} became ${inUnit(pairs[0].released, 'distance')}`,
  tables: ({ details: { pairs } }) => [
    findingTable('pairs', 'By pair of columns', pairs, [
      [column.text('pair'), ({ a, b }) => `${a} x ${b}`],
      [column.text('kind'), ({ kind }) => kind],
      [column.number('original'), ({ original }) => original],
      [column.number('released'), ({ released }) => released],
      [column.number('distance'), ({ value }) => value],
    ]),
  ],
  charts: ({ details: { names, pairs } }, { name }) => [
    matrixChart(
      {
        name: 'change',
        title: `Change of associations: ${name}`,
        subtitle: 'release less original',
        legend: 'difference',
        span: 0.2,
      },
      square(pairs, ({ original, released }) => released - original),
      names,
    ),
    matrixChart(
      {
        name: 'both',
        title: `Associations: ${name}`,
        subtitle: 'original above the diagonal, release below',
        legend: 'association',
        span: 1,
      },
      pairs.flatMap((pair) => {
        const [first, second] = names.indexOf(pair.a) < names.indexOf(pair.b) ? [pair.a, pair.b] : [pair.b, pair.a]
        return [
          { row: first, column: second, value: pair.original },
          { row: second, column: first, value: pair.released },
        ]
      }),
      names,
    ),
  ],
})

export function associationsBy(rules: AssociationRules) {
  return {
    statistic: (pair: Pair, options: Options) =>
      mean(comparedPairs(pair, options, rules).pairs.map(({ value }) => value)),
    compute: (pair: Pair, options: Options) => {
      const { pairs, skipped } = comparedPairs(pair, options, rules)
      const tested = withAdjusted(
        pairs.map((columns) => ({
          ...columns,
          p: columns.kind === 'correlation' ? fisherP(pair, columns, options.method) : null,
        })),
      )
      const adjusted = tested.flatMap((columns) => columns.adjusted ?? [])
      const gaps = tested.map(({ value }) => value)
      const squares = gaps.reduce((sum, gap) => sum + gap * gap, 0)
      return {
        value: mean(gaps),
        test:
          adjusted.length === 0
            ? null
            : { p: Math.min(...adjusted), what: `${count(adjusted.length, 'correlation')} by Fisher's z (Holm)` },
        details: {
          names: pair.variables,
          pairs: tested.sort((x, y) => y.value - x.value),
          max: Math.max(...gaps),
          median: quantile(gaps, 0.5) ?? 0,
          rms: Math.sqrt(squares / gaps.length),
          /** Frobenius norm of the difference of the two matrices. */
          frobenius: Math.sqrt(2 * squares),
          /** 1 - tr(R_X R_Y) / (|R_X| |R_Y|) of the two matrices, ones on their diagonals. */
          matrixDistance: matrixDistance(tested, pair.variables.length),
          /** Pairs that could not be compared because a column is constant or missing in one of the files. */
          skipped,
        },
      }
    },
  }
}

function square(pairs: readonly AssociationPair[], shown: (pair: AssociationPair) => number) {
  return pairs.flatMap((pair) => [
    { row: pair.a, column: pair.b, value: shown(pair) },
    { row: pair.b, column: pair.a, value: shown(pair) },
  ])
}

function comparedPairs(pair: Pair, { method }: Options, rules: AssociationRules) {
  const { original, released, variables } = pair
  if (variables.length < 2) throw new NotApplicable('it takes two columns to be associated')
  const [x, y] = [original, released].map((file) => ({
    columns: variables.map((name) => columnOf(file, name)),
    how: { method, rules, weights: weightsIn(file, pair.weight) },
  }))
  const seen = (column: Column) =>
    column.kind === 'categorical' ? new Set(column.codes.filter((code) => code >= 0)).size : 0
  const pairs: Omit<AssociationPair, 'p' | 'adjusted'>[] = []
  let skipped = 0
  for (let i = 0; i < variables.length; i++)
    for (let j = i + 1; j < variables.length; j++) {
      const kind = associationKind(x.columns[i], x.columns[j], seen, rules)
      const inX = association(x.columns[i], x.columns[j], kind, x.how)
      const inY = association(y.columns[i], y.columns[j], kind, y.how)
      // A column that became constant lost its associations; one that was constant had none.
      if (inX === null) skipped++
      else
        pairs.push({
          a: variables[i],
          b: variables[j],
          kind,
          original: inX,
          released: inY ?? 0,
          value: Math.abs((inY ?? 0) - inX),
        })
    }
  if (pairs.length === 0) throw new NotApplicable('no two columns vary together in the original')
  return { pairs, skipped }
}
