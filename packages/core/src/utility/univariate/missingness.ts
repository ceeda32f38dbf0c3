import { distanceChart } from '../../chart/comparison.js'
import { count, percent } from '../../print.js'
import { largestFirst } from '../../stats/sorted.js'
import { recordsIn } from '../../table/table.js'
import { countedPair, massIn, type Pair } from '../pair.js'
import { totalVariation } from '../tables/table-tests.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { columnsTable, ratesChart, testOver, withAdjusted } from './columns/by-column.js'
import { homogeneity } from './columns/column-tests.js'
import {
  labelOf,
  MOST_PATTERNS,
  missingFlags,
  type Pattern,
  patternsOf,
  togetherOf,
} from './columns/missing-patterns.js'

/**
 * Missing values: how many, and together with which others. The headline is the total variation between the patterns of
 * known and missing over all columns, ½ Σ |share in X - share in Y|: the share of records that would need another pattern.
 * The details have the rate of each column in both files, with a test of each, and how far two columns are missing together, as
 * the correlation of their indicators. A release without missing values where the
 * original has them is as far off as one that makes them up. Blind to the known values.
 */
export const missingness = utilityMeasure({
  id: 'missingness',
  title: 'Patterns of missing values',
  summary: 'the share of records that would need another pattern of missing values',
  orientation: 'distance',
  nothing: 'independent',
  unit: 'share',
  blindTo: 'the values that are known',
  options: plainOptions,
  countedColumns: ({ variables }, release) => [{ columns: variables ?? release.variables, as: 'known' }],
  statistic: (pair) => {
    const { levels } = patternsOf(patternsIn(pair))
    return totalVariation(levels.original, levels.released)
  },
  compute: (files) => {
    const pair = patternsIn(files)
    const { levels, patterns } = patternsOf(pair)
    const columns = withAdjusted(pair.variables.map((name) => rateOf(pair, name)))
    const whole = homogeneity(levels)
    return {
      value: totalVariation(levels.original, levels.released),
      test: whole === null ? testOver(columns, 'the rate') : { p: whole.p, what: `X² of the patterns, ${whole.df} df` },
      details: {
        columns,
        patterns: largestFirst(patterns, gap).slice(0, MOST_PATTERNS),
        together: togetherOf(pair),
      },
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
    ratesChart({ name: 'rates', title: `Share of missing values: ${name}`, x: 'share missing' }, columns),
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

/** All records by what they lack, where they were counted by it. */
function patternsIn(pair: Pair): Pair {
  return countedPair(pair, pair.variables, 'known')
}

const gap = ({ original, released }: Pattern) => Math.abs(released - original)

function rateOf(pair: Pair, name: string) {
  const [one, two] = [pair.original, pair.released].map((file) => {
    const missing = missingFlags(file, name)
    const mass = massIn(file, pair.weight)
    let [total, lacking] = [0, 0]
    for (let row = 0; row < file.rows; row++) {
      const weight = mass === null ? 1 : mass[row]
      total += weight
      lacking += weight * missing[row]
    }
    return { counts: Float64Array.of(lacking, total - lacking), rate: total > 0 ? lacking / total : 0 }
  })
  const levels = {
    original: one.counts,
    released: two.counts,
    n1: recordsIn(pair.original),
    n2: recordsIn(pair.released),
  }
  const test = homogeneity({ name, labels: ['missing', 'known'], ...levels })
  return {
    name,
    value: Math.abs(two.rate - one.rate),
    original: one.rate,
    released: two.rate,
    expected: Math.sqrt((2 * one.rate * (1 - one.rate)) / (Math.PI * recordsIn(pair.released))),
    p: test?.p ?? null,
  }
}
