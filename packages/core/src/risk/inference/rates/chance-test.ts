import { permutation } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { histogram } from '../../../stats/histogram.js'
import { permutationPValue } from '../../../stats/tests/tests.js'
import type { Scored } from '../attack/attack.js'
import { atRiskIfClass } from '../attack/classes.js'
import {
  type ChanceRate,
  chanceCorrected,
  classChance,
  normalPValue,
  numberChance,
  permutedClassRate,
  permutedNumberRate,
} from './chance.js'
import { type EvaluationOptions, type FlagOptions, type Flags, rateOf, toleranceOf } from './evaluation.js'

const MOST_RECORDS_PERMUTED = 20_000

/** Compares the rate with chance. Weights are left aside here: records, not people, are permuted, and none without `random`. */
export function chanceTest(scored: Scored, { atRisk }: Flags, options: EvaluationOptions, random: Stream | null) {
  const n = atRisk.length
  const rate = rateOf(atRisk, null)
  const { chance, permuted } = chanceOf(scored, options)
  const draws = random === null || n > MOST_RECORDS_PERMUTED ? 0 : options.permutations
  const rates = new Float64Array(draws)
  if (random !== null) for (let draw = 0; draw < draws; draw++) rates[draw] = permuted(permutation(random, n))
  return {
    /** The share of records at risk, each counted once. */
    observed: rate,
    /** The rate if predictions told nothing about the target: exact mean and standard deviation over all permutations. */
    expected: chance.mean,
    sd: chance.sd,
    z: chance.sd > 0 ? (rate - chance.mean) / chance.sd : null,
    p: n === 0 ? null : normalPValue(rate, chance, n),
    /** From drawn permutations, up to 20,000 records. */
    permutationP: rates.length === 0 ? null : permutationPValue(rate, rates),
    /** (rate - expected) / (1 - expected). */
    corrected: chanceCorrected(rate, chance.mean),
    /** How the rates of the drawn permutations lie; empty without any. */
    permuted: histogramOfRates(rates, n),
  }
}

const MOST_BINS = 30

/** Bins hold whole numbers of records, so that none is empty only because no rate can lie in it. */
function histogramOfRates(rates: Float64Array, n: number) {
  if (rates.length === 0) return []
  const counts = rates.map((rate) => Math.round(rate * n))
  const least = counts.reduce((a, b) => Math.min(a, b))
  const most = counts.reduce((a, b) => Math.max(a, b))
  const width = Math.ceil((most - least + 1) / MOST_BINS)
  const bins = Math.ceil((most - least + 1) / width)
  const end = least + bins * width
  return histogram(counts, bins, least, end).map(({ lower, upper, count }) => ({
    lower: (lower - 0.5) / n,
    upper: (upper - 0.5) / n,
    count,
  }))
}

/** Exact moments of the null, and the rate under a given permutation. */
export function chanceOf(
  { predictions }: Pick<Scored, 'predictions'>,
  options: FlagOptions,
): { chance: ChanceRate; permuted: (order: Int32Array) => number } {
  if (predictions.kind === 'classes') {
    const flags = atRiskIfClass(predictions, options.score, options.tau)
    const counts = new Float64Array(predictions.levels.length)
    for (const code of predictions.truth) counts[code]++
    return {
      chance: classChance(flags, counts),
      permuted: (order) => permutedClassRate(flags, predictions.truth, order),
    }
  }
  const { truth, predicted } = predictions
  const tolerance = toleranceOf(truth, options)
  return {
    chance: numberChance(truth, predicted, tolerance),
    permuted: (order) => permutedNumberRate(truth, predicted, order, tolerance),
  }
}
