import { groupRows } from '@scrim/kernels'
import { dumbbellChart } from '../../chart/chart.js'
import { distanceChart } from '../../chart/comparison.js'
import { count, percent } from '../../print.js'
import { joinedCodes } from '../../stats/joined.js'
import { remember } from '../../table/classes.js'
import { isMissing } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { type Pair, weightsIn } from '../pair.js'
import { totalVariation } from '../tables/table-tests.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { type ColumnDistance, columnsTable, testOver, withAdjusted } from './by-column.js'
import { homogeneity } from './column-tests.js'
import { type LevelPair, sharesOf } from './columns.js'

/**
 * Missing values: how many, and together with which others. The headline is the total variation between the patterns of
 * known and missing over all columns, ½ Σ |share in X - share in Y|: the share of records that would need another pattern.
 * The details have the rate of each column in both files, with a test of each, and how far two columns are missing together, as
 * the correlation of their indicators. A release without missing values where the
 * original has them is as far off as one that makes them up. Blind to the known values.
 */
type Details = {
  readonly columns: readonly (ColumnDistance & { readonly original: number; readonly released: number })[]
  readonly patterns: readonly Pattern[]
  /** Correlations of indicators of missing values, largest change first; null where a column has none or nothing else. */
  readonly together: readonly {
    readonly a: string
    readonly b: string
    readonly original: number | null
    readonly released: number | null
  }[]
}

type Pattern = {
  /** Columns that are missing together. */
  readonly missing: readonly string[]
  readonly original: number
  readonly released: number
}

const MOST_PATTERNS = 20

export const missingness = utilityMeasure({
  id: 'missingness',
  title: 'Patterns of missing values',
  summary: 'the share of records that would need another pattern of missing values',
  orientation: 'distance',
  nothing: 'independent',
  unit: 'share',
  blindTo: 'the values that are known',
  options: plainOptions,
  statistic: (pair) => {
    const { levels } = patternsOf(pair)
    return totalVariation(levels.original, levels.released)
  },
  compute: (pair) => {
    const { levels, patterns } = patternsOf(pair)
    const columns = withAdjusted(pair.variables.map((name) => rateOf(pair, name)))
    const whole = homogeneity(levels)
    const details: Details = {
      columns,
      patterns: [...patterns].sort((a, b) => gap(b) - gap(a)).slice(0, MOST_PATTERNS),
      together: togetherOf(pair),
    }
    return {
      value: totalVariation(levels.original, levels.released),
      test: whole === null ? testOver(columns, 'the rate') : { p: whole.p, what: `X² of the patterns, ${whole.df} df` },
      details,
    }
  },
  sentence: ({ value, details: { columns } }) => {
    const some = columns.filter(({ original, released }) => original + released > 0)
    return some.length === 0
      ? 'neither file has missing values'
      : `${percent(value ?? 0)} of the records would need another pattern of missing values; ${count(some.length, 'column')} ${some.length === 1 ? 'has' : 'have'} any`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns, patterns } }, { name }) => [
    dumbbellChart(
      { name: 'rates', title: `Share of missing values: ${name}`, x: 'share missing', y: '' },
      [...columns]
        .sort((a, b) => b.value - a.value)
        .slice(0, 40)
        .map((column) => ({ label: column.name, original: column.original, release: column.released })),
    ),
    distanceChart(
      {
        name: 'patterns',
        title: `Patterns of missing values that differ most: ${name}`,
        x: 'share of records, release less original',
      },
      patterns.map((pattern) => ({ label: labelOf(pattern), value: pattern.released - pattern.original })),
    ),
  ],
})

const gap = ({ original, released }: Pattern) => Math.abs(released - original)

function labelOf({ missing }: Pattern): string {
  if (missing.length === 0) return 'all known'
  return missing.length <= 3 ? missing.join(' + ') : `${missing.slice(0, 2).join(' + ')} + ${missing.length - 2} more`
}

/** 1 where a value is missing; once per table and column. */
function missingFlags(file: Table, name: string): Int32Array {
  return remember(file, `missing flags ${name}`, () => {
    const column = columnOf(file, name)
    return Int32Array.from({ length: file.rows }, (_, row) => (isMissing(column, row) ? 1 : 0))
  })
}

/** Pairs of the columns that have missing values in the original. */
function togetherOf({ original, released, variables, weight }: Pair): Details['together'] {
  const names = variables.filter((name) => missingFlags(original, name).includes(1)).slice(0, MOST_COLUMNS)
  const files = [original, released].map((of) => ({ of, weights: weightsIn(of, weight) }))
  const pairs = names.flatMap((a, k) =>
    names.slice(k + 1).map((b) => {
      const [x, y] = files.map(({ of, weights }) => phi(missingFlags(of, a), missingFlags(of, b), weights))
      return { a, b, original: x, released: y }
    }),
  )
  const change = ({ original: x, released: y }: (typeof pairs)[number]) => Math.abs((y ?? 0) - (x ?? 0))
  return pairs.sort((p, q) => change(q) - change(p)).slice(0, MOST_PATTERNS)
}

const MOST_COLUMNS = 60

/** Correlation of two 0/1 columns; null where one is constant. */
function phi(a: Int32Array, b: Int32Array, weights: Float64Array | null): number | null {
  let [total, ofA, ofB, both] = [0, 0, 0, 0]
  for (let row = 0; row < a.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    total += weight
    ofA += weight * a[row]
    ofB += weight * b[row]
    both += weight * a[row] * b[row]
  }
  const spread = Math.sqrt(ofA * (total - ofA)) * Math.sqrt(ofB * (total - ofB))
  return spread > 0 ? (total * both - ofA * ofB) / spread : null
}

/** Rows by their pattern over the columns that have a missing value in either file. */
function patternsOf(pair: Pair): { levels: LevelPair; patterns: Pattern[] } {
  const { original, released } = pair
  const names = pair.variables.filter((name) => [original, released].some((of) => missingFlags(of, name).includes(1)))
  const rows = original.rows + released.rows
  const coded = names.map((name) => ({
    codes: joinedCodes([original, released].map((file) => missingFlags(file, name))),
    cardinality: 2,
  }))
  const { ids, count: patterns } = names.length === 0 ? { ids: new Int32Array(rows), count: 1 } : groupRows(coded, rows)
  const [w1, w2] = [weightsIn(original, pair.weight), weightsIn(released, pair.weight)]
  const [first, second, example] = [new Float64Array(patterns), new Float64Array(patterns), new Int32Array(patterns)]
  for (let row = 0; row < rows; row++) {
    const isOriginal = row < original.rows
    const weights = isOriginal ? w1 : w2
    const weight = weights === null ? 1 : weights[isOriginal ? row : row - original.rows]
    ;(isOriginal ? first : second)[ids[row]] += weight
    example[ids[row]] = row
  }
  const [p, q] = [sharesOf(first), sharesOf(second)]
  return {
    levels: {
      name: 'pattern',
      labels: Array.from(p, (_, k) => String(k)),
      original: first,
      released: second,
      n1: original.rows,
      n2: released.rows,
    },
    patterns: Array.from(p, (share, k) => ({
      missing: names.filter((_, j) => coded[j].codes[example[k]] === 1),
      original: share,
      released: q[k],
    })),
  }
}

function rateOf(pair: Pair, name: string) {
  const [one, two] = [pair.original, pair.released].map((of) => {
    const missing = missingFlags(of, name)
    const weights = weightsIn(of, pair.weight)
    let [total, lacking] = [0, 0]
    for (let row = 0; row < of.rows; row++) {
      const weight = weights === null ? 1 : weights[row]
      total += weight
      lacking += weight * missing[row]
    }
    return { counts: Float64Array.of(lacking, total - lacking), rate: total > 0 ? lacking / total : 0 }
  })
  const levels = { original: one.counts, released: two.counts, n1: pair.original.rows, n2: pair.released.rows }
  const test = homogeneity({ name, labels: ['missing', 'known'], ...levels })
  return {
    name,
    value: Math.abs(two.rate - one.rate),
    original: one.rate,
    released: two.rate,
    expected: Math.sqrt((2 * one.rate * (1 - one.rate)) / (Math.PI * pair.released.rows)),
    p: test?.p ?? null,
  }
}
