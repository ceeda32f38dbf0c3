import { chiMean, studentTCdf } from '../../../stats/distributions.js'
import { errorStatistics } from '../../../stats/samples/error-statistics.js'
import { type Moments, momentsOf, type Summary, sampleQuantile, summaryOf } from '../../../stats/samples/summaries.js'
import { columnOf } from '../../../table/table.js'
import { type Pair, pairOfRows } from '../../pair.js'
import { subgroupsBy } from '../../subgroup/subgroups.js'
import type { Options } from '../means-frequencies.js'
import type { ColumnDistance } from './by-column.js'
import { homogeneity } from './column-tests.js'
import { levelPair, sampleIn, sharesOf } from './columns.js'
import { comparedColumn } from './compared-column.js'

const BOX = [0.05, 0.25, 0.5, 0.75, 0.95]

const MOST_LEVELS = 30

/**
 * As synthpop's `compare`: every column in classes, with percentages of all records. All classes of all columns are one row of numbers,
 * whose error is that of a page of percentages.
 */
export function comparison(pair: Pair, names: readonly string[]) {
  const compare = names.map((name) => comparedColumn(pair, name))
  const shares = (side: 'original' | 'released') =>
    compare.flatMap(({ classes }) => classes.map((one) => one[`${side}Percent`]))
  return { compare, errors: errorStatistics(shares('original'), shares('released')) }
}

const FEWEST_IN_GROUP = 10

/** Groups of ten records and more in both files; smaller ones are single people. */
export function withinGroups(pair: Pair, worst: readonly string[], { within }: Options) {
  const shown = worst.find((name) => !within.includes(name))
  if (within.length === 0 || shown === undefined) return []
  return subgroupsBy(within, pair.original, pair.released)
    .filter(({ original, released }) => Math.min(original.length, released.length) >= FEWEST_IN_GROUP)
    .sort((a, b) => b.original.length - a.original.length)
    .slice(0, MOST_PANELS)
    .map(({ label, original, released }) => ({
      group: label,
      ...comparedColumn(pairOfRows(pair, original, released), shown),
    }))
}

export const MOST_PANELS = 12

export function differences(pair: Pair): Omit<ColumnDistance, 'adjusted'>[] {
  return pair.variables.flatMap((name) =>
    columnOf(pair.original, name).kind === 'categorical' ? frequencies(pair, name) : means(pair, name),
  )
}

function means(pair: Pair, name: string): Omit<ColumnDistance, 'adjusted'>[] {
  const [x, y] = [pair.original, pair.released].map((of) => momentsOf(sampleIn(of, name, pair.weight)))
  if (x === null || y === null) return []
  const gap = Math.abs(y.mean - x.mean)
  const unit = x.sd || y.sd || gap || 1
  return [{ name, value: gap / unit, expected: x.sd ? Math.sqrt(2 / (Math.PI * y.n)) : 0, p: welch(x, y) }]
}

/** Welch's (1947) test of equal means. */
function welch(x: Moments, y: Moments): number | null {
  if (x.se === null || y.se === null) return null
  const [a, b] = [x.se ** 2, y.se ** 2]
  if (!(a + b > 0)) return null
  const t = Math.abs(y.mean - x.mean) / Math.sqrt(a + b)
  return 2 * studentTCdf(-t, (a + b) ** 2 / (a ** 2 / (x.n - 1) + b ** 2 / (y.n - 1)))
}

function frequencies(pair: Pair, name: string): Omit<ColumnDistance, 'adjusted'>[] {
  const levels = levelPair(pair, name, 0)
  const [p, q] = [sharesOf(levels.original), sharesOf(levels.released)]
  let squares = 0
  for (let k = 0; k < p.length; k++) squares += (p[k] - q[k]) ** 2 / ((p[k] + q[k]) / 2)
  const expected = chiMean(p.filter((share) => share > 0).length - 1) / Math.sqrt(levels.n2)
  return [{ name, value: Math.sqrt(squares), expected, p: homogeneity(levels)?.p ?? null }]
}

export function numbersOf(pair: Pair, name: string) {
  const [x, y] = [pair.original, pair.released].map((of) => sampleIn(of, name, pair.weight))
  const [original, released] = [shown(summaryOf(x)), shown(summaryOf(y))]
  if (original === null || released === null) return []
  const box = (sample: typeof x) =>
    BOX.map((p) => sampleQuantile(sample, p)) as unknown as readonly [number, number, number, number, number]
  return [{ name, original, released, boxes: { original: box(x), released: box(y) } }]
}

/** Without the least and the greatest value: they are single people. */
function shown(summary: Summary | null) {
  if (summary === null) return null
  const { min: _least, max: _greatest, ...rest } = summary
  return rest
}

export function levelsOf(pair: Pair, name: string) {
  const { labels, original, released } = levelPair(pair, name, 0)
  const [p, q] = [sharesOf(original), sharesOf(released)]
  return labels.slice(0, MOST_LEVELS).map((level, k) => ({ level, original: p[k], released: q[k] }))
}
