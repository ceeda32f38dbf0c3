import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, barsOver, dumbbellChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { flag, whole } from '../../option-kinds.js'
import { count, fixed } from '../../print.js'
import { largestFirst } from '../../stats/sorted.js'
import { mean } from '../../stats/sums.js'
import type { Release } from '../../table/release.js'
import { columnOf, countedBy, type Table } from '../../table/table.js'
import { everySet } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Coder, coderOf, fileOf } from './coded-columns.js'

/**
 * How much do columns tell about each other, in bits, and does the release keep it? For every pair of columns the mutual information
 *
 *   I = H(a) + H(b) - H(a, b),  each entropy with Miller's correction (1955) for the number of records,
 *
 * in the original and in the release; the headline is the mean of |I_X - I_Y| over the pairs. With a target also I(target; all
 * keys together), and for every column its entropy. Numbers are cut at the deciles of the original; missing is a value of its own.
 *
 * It sees any relation between two columns, whatever its shape, but not its direction, and none among three. The plug-in I of
 * independent columns is about (r - 1)(c - 1)/2N nats, not 0; the correction removes most of that.
 */
const options = z.object({
  ...utilityOptions,
  bins: whole(10, { min: 2, max: 100 }).describe('classes that numbers are cut into, at quantiles of the original'),
  correction: flag(true).describe(
    "Miller's correction of entropies; without it the plug-in value of both files is too large",
  ),
})

export type Options = z.output<typeof options>

type PairInformation = {
  readonly a: string
  readonly b: string
  /** Bits. */
  readonly original: number
  readonly release: number
}

export const mutualInformation = utilityMeasure({
  id: 'mutual-information',
  title: 'Mutual information of columns',
  summary: 'how much less, or more, columns tell about each other in the release, in bits',
  orientation: 'distance',
  nothing: 'independent',
  unit: 'score',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'the direction of a relation, and relations among three and more columns',
  options,
  countedColumns: (chosen, release) => {
    const all = chosen.variables ?? release.variables
    const told = toldBy(release, all)
    const variables = all.filter((name) => !hasManyLevels(release, name))
    return [
      ...everySet({ variables }, release, 2),
      ...(told === null ? [] : [{ columns: told, as: 'classes' as const }]),
    ]
  },
  classesOfNumber: (chosen, release, name) => {
    const coder = coderIn(release.original, name, chosen)
    return [release.original, ...release.released].flatMap((file) => [...coder.codes(columnOf(file, name))])
  },
  statistic: (pair, chosen) => {
    const { pairs } = informationOf(pair, chosen)
    return mean(pairs.map(({ original, release }) => Math.abs(release - original)))
  },
  compute,
  sentence: ({ details: { meanDifference, meanOriginal, pairs, worst } }) =>
    `two columns tell ${fixed(meanDifference, 3)} bits more or less about each other than in the original, where they tell ${fixed(meanOriginal, 3)} (mean of ${count(pairs, 'pair')}); most changed: ${worst[0].a} and ${worst[0].b}`,
  tables: ({ details }) => [
    findingTable('pairs', 'Pairs that differ most', details.worst, [
      [column.text('pair'), ({ a, b }) => `${a} x ${b}`],
      [column.number('original'), ({ original }) => original],
      [column.number('release'), ({ release }) => release],
    ]),
  ],
  charts: ({ details }, { name }) => [
    dumbbellChart(
      {
        name: 'information',
        title: `What pairs of columns tell about each other: ${name}`,
        x: 'bits',
        y: '',
      },
      details.worst
        .slice(0, MOST_SHOWN)
        .map(({ a, b, original, release }) => ({ label: `${a}, ${b}`, original, release })),
    ),
    barChart(
      { name: 'entropy', title: `Entropy of columns: ${name}`, x: 'column', y: 'bits' },
      barsOver(details.columns.slice(0, MOST_SHOWN), 'column', { original: 'original', release: 'release' }),
    ),
  ],
})

const MOST_SHOWN = 15
const MOST_LISTED = 50
/** A table of more cells than that says nothing about a pair. */
const MOST_LEVELS = 200

function compute(pair: Pair, chosen: Options) {
  const { pairs, columns, leftOut } = informationOf(pair, chosen)
  const difference = ({ original, release }: PairInformation) => Math.abs(release - original)
  const meanDifference = mean(pairs.map(difference)) ?? 0
  return {
    value: meanDifference,
    details: {
      pairs: pairs.length,
      meanDifference,
      meanOriginal: mean(pairs.map(({ original }) => original)) ?? 0,
      /** Largest difference first, at most 50. */
      worst: largestFirst(pairs, difference).slice(0, MOST_LISTED),
      columns,
      /** What the keys together tell about the target; null without keys or target. */
      keys: keysAndTarget(pair, chosen),
      /** Columns with too many levels, which are left out. */
      leftOut,
    },
    warnings: leftOut.length > 0 ? [`left out, with more than ${MOST_LEVELS} levels: ${leftOut.join(', ')}`] : [],
  }
}

function informationOf({ original, released, variables, weight }: Pair, chosen: Options) {
  const coders = variables.map((name) => coderIn(original, name, chosen))
  const used = coders.filter(({ levels }) => levels <= MOST_LEVELS)
  if (used.length < 2) throw new NotApplicable('there are no two columns to compare')
  const files = [original, released].map((data) => fileOf(data, used, weight, chosen))
  const [x, y] = files
  const pairs: PairInformation[] = []
  for (let i = 0; i < used.length; i++)
    for (let j = i + 1; j < used.length; j++)
      pairs.push({ a: used[i].name, b: used[j].name, original: x.between(i, j), release: y.between(i, j) })
  return {
    pairs,
    columns: used.map(({ name }, i) => ({ column: name, original: x.entropies[i], release: y.entropies[i] })),
    leftOut: coders.filter(({ levels }) => levels > MOST_LEVELS).map(({ name }) => name),
  }
}

/** Classes of the original: of all its records, where they were counted. */
function coderIn(original: Table, name: string, { bins }: Pick<Options, 'bins'>): Coder {
  const counted = countedBy(original, [name])
  return coderOf(columnOf(counted, name), counted.times, bins)
}

/** The keys, and the first target. */
function toldBy({ keys, targets }: Release, variables: readonly string[]): readonly string[] | null {
  const [target] = targets.filter((name) => variables.includes(name))
  const known = keys.filter((name) => variables.includes(name))
  return target === undefined || known.length === 0 ? null : [...known, target]
}

function keysAndTarget({ original, released, release, variables, weight }: Pair, chosen: Options) {
  const told = toldBy(release, variables)
  if (told === null) return null
  const coders = told.map((name) => coderIn(original, name, chosen))
  const target = told[told.length - 1]
  const between = (file: Table) => {
    const data = countedBy(file, told, 'classes')
    const coded = coders
      .slice(0, -1)
      .map((key) => ({ codes: key.codes(columnOf(data, key.name)), cardinality: key.levels }))
    const { ids, count: levels } = groupRows(coded, data.rows)
    const both: Coder[] = [{ name: target, levels, codes: () => ids }, coders[coders.length - 1]]
    return fileOf(data, both, weight, chosen).between(0, 1)
  }
  return { target, original: between(original), release: between(released) }
}

/** Known from a sample: in all records it has as many at least. */
function hasManyLevels({ original }: Release, name: string): boolean {
  const column = columnOf(original, name)
  return column.kind === 'categorical' && column.levels.length >= MOST_LEVELS
}
