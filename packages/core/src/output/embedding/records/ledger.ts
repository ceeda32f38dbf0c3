import type { Codes } from './coded-records.js'
import { type MomentsAim, momentsStatistic } from './moments.js'
import { type ScoreAim, scoreStatistic } from './score.js'
import { excessOf, reproduced, type Statistic } from './statistic.js'

/** What is to be reproduced, as plain values that any thread can take. */
export type Aim = ScoreAim | MomentsAim

/** The sums of all outputs behind one another, and what they say. */
export interface Ledger {
  readonly statistics: readonly Statistic[]
  /** Where the sums of each start. */
  readonly starts: readonly number[]
  readonly size: number
  sumsOf(codes: Codes): Float64Array
  /** Adds or takes away a record in all sums. */
  add(codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void
  error(sums: Float64Array, from: number): number
  /** The error of each of `statistics`; their sum is `error`. */
  errors(sums: Float64Array): Float64Array
  closeness(sums: Float64Array): Closeness
}

/** How near a data set is to what is printed. */
export type Closeness = {
  readonly error: number
  /** Mean absolute difference of the numbers as they are. */
  readonly mae: number
  /** Share of the printed numbers that are reproduced. */
  readonly fidelity: number
  /** By how much values stick out of their printed digits; see `excessOf`. */
  readonly excess: number
}

export function ledgerOf(aims: readonly Aim[], width: number): Ledger {
  const statistics = aims.map((aim) => (aim.kind === 'regression' ? scoreStatistic(aim) : momentsStatistic(aim)))
  const starts: number[] = []
  let size = 0
  for (const statistic of statistics) {
    starts.push(size)
    size += statistic.size
  }
  const values = statistics.map(({ aims: { targets } }) => new Float64Array(targets.length))

  function add(codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void {
    for (let k = 0; k < statistics.length; k++) statistics[k].add(codes, at, sign, sums, from + starts[k])
  }
  return {
    statistics,
    starts,
    size,
    add,
    sumsOf(codes) {
      const sums = new Float64Array(size)
      for (let at = 0; at < codes.length; at += width) add(codes, at, 1, sums, 0)
      return sums
    },
    error(sums, from) {
      let error = 0
      for (let k = 0; k < statistics.length; k++) {
        error += statistics[k].evaluate(sums, from + starts[k], values[k])
      }
      return error
    },
    errors: (sums) => Float64Array.from(statistics, (statistic, k) => statistic.evaluate(sums, starts[k], values[k])),
    closeness(sums) {
      let error = 0
      statistics.forEach((statistic, k) => {
        error += statistic.evaluate(sums, starts[k], values[k])
      })
      return closenessOf(statistics, values, error)
    },
  }
}

export function closenessOf(
  statistics: readonly Statistic[],
  values: readonly Float64Array[],
  error: number,
): Closeness {
  let absolute = 0
  let excess = 0
  let good = 0
  let count = 0
  statistics.forEach(({ aims }, k) => {
    good += reproduced(values[k], aims)
    excess += excessOf(values[k], aims)
    count += aims.targets.length
    for (let e = 0; e < aims.targets.length; e++) absolute += Math.abs(values[k][e] - aims.targets[e])
  })
  return { error, mae: count === 0 ? 0 : absolute / count, fidelity: count === 0 ? 1 : good / count, excess }
}

/**
 * Whether records print the same by a fit and not only by one step: models are taken at where the first step leads, from where a
 * second one is exact to all printed digits.
 */
export function isConfirmed(aims: readonly Aim[], width: number, codes: Codes): boolean {
  const first = ledgerOf(aims, width)
  const sums = first.sumsOf(codes)
  const moved = aims.map((aim, k): Aim => {
    if (aim.kind !== 'regression' || aim.family === 'linear') return aim
    const values = new Float64Array(aim.elements.length)
    first.statistics[k].evaluate(sums, first.starts[k], values)
    return { ...aim, published: aim.published.map((_, at) => values[at]) }
  })
  const second = ledgerOf(moved, width)
  return second.closeness(second.sumsOf(codes)).fidelity === 1
}
