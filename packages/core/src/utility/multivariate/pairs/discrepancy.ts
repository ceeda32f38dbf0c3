import { NotApplicable } from '../../../errors.js'
import type { Context } from '../../../measure.js'
import { histogram } from '../../../stats/histogram.js'
import { normalInterval } from '../../../stats/intervals.js'
import type { Pair } from '../../pair.js'
import { comparedColumns, effectiveSizes, pairRecords } from './compared.js'
import type { MixedRecords } from './mixed-records.js'
import type { PairMeans } from './pair-means.js'
import { pairNull, pairTest } from './pair-null.js'

/** What energy distance and MMD share: a discrepancy of means over pairs of records, and what it would be by chance. */
export interface Discrepancy {
  /** The files whose records are compared by these columns. */
  files(pair: Pair, columns: readonly string[]): Pair
  headline(means: PairMeans): number
  /** Whether theory tells what an honest sample gives, and the means tell the error of the headline. */
  readonly isKnown: boolean
}

interface RecordOptions {
  readonly columns: 'all' | 'numbers'
  readonly standardise: boolean
}

export function comparedRecords(
  { files }: Discrepancy,
  pair: Pair,
  { columns, standardise }: RecordOptions,
): MixedRecords {
  const names = comparedColumns(pair, columns)
  if (names.length === 0) throw new NotApplicable('there is no numeric column to compare')
  return pairRecords(files(pair, names), names, standardise)
}

/** @param se of the headline, from the random directions or features that stand for all pairs; null where these were all visited */
export function besideChance(
  discrepancy: Discrepancy,
  {
    records,
    kernel,
    value,
    v,
    se,
    what,
    expected,
  }: {
    readonly records: MixedRecords
    /** Of the squared distance of two records. */
    readonly kernel: (square: number) => number
    readonly value: number
    readonly v: number
    readonly se: number | null
    readonly what: string
    /** For an honest sample of n records. */
    readonly expected: (n: number) => number
  },
  context: Context,
) {
  const { n1, n2 } = effectiveSizes(records)
  const chance = pairNull(records, kernel, context.random('labels'))
  const interval = se === null || !discrepancy.isKnown ? null : normalInterval(value, se)
  return {
    interval: interval === null ? null : { ...interval, lower: Math.max(0, interval.lower) },
    test: { p: pairTest(chance, v, n1, n2), what: `${what} beside random labels` },
    expected: discrepancy.isKnown
      ? { value: expected(n2), power: 1, cv: chance.cv, what: 'an honest sample of the same size' }
      : null,
    bins: chanceBins(chance.draws, 1 / n1 + 1 / n2, v),
  }
}

const BINS = 24

/** Draws under random labels, brought to the sizes of the files. */
function chanceBins(draws: Float64Array, u: number, observed: number) {
  const scaled = draws.map((draw) => Math.max(0, draw * u))
  const top = scaled.reduce((most, draw) => Math.max(most, draw), observed)
  return histogram(scaled, BINS, 0, top > 0 ? top : 1)
}
