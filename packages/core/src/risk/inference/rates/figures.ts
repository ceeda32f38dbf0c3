import { countIds } from '@scrim/kernels'
import { significant } from '../../../print.js'
import { histogram } from '../../../stats/histogram.js'
import { wilson } from '../../../stats/intervals.js'
import { quantile, quantiles } from '../../../stats/quantile.js'
import { mean } from '../../../stats/sums.js'
import type { Attack, Scored } from '../attack/attack.js'
import { classRates, classScores, trueClassProbabilities } from '../attack/classes.js'
import { acceptedPredictions, bestConstant, isWithin } from '../attack/numbers.js'
import { performanceOf } from '../attack/performance.js'
import type { Scene } from '../attack/scene.js'
import { chanceTest } from './chance-test.js'
import { type EvaluationOptions, type Flags, flagsOf, rateOf, toleranceOf } from './evaluation.js'
import { intervalOf } from './rate-intervals.js'

/** What stands beside the headline of RAPID: figures by attacker, by class, by score, and by truth and prediction. */
export function attackerFigures({ attacker, members }: Attack, flags: Flags, chosen: EvaluationOptions) {
  const { expected, corrected } = chanceTest(members, flags, chosen, null)
  const { predictions, weights } = members
  const kind = chosen.interval === 'bootstrap' || chosen.interval === 'refit' ? 'wilson' : chosen.interval
  return {
    attacker,
    rate: flags.rate,
    interval: intervalOf(flags, weights, kind, new Float64Array()),
    chance: expected,
    corrected,
    confidentAndCorrect:
      predictions.kind === 'classes'
        ? rateOf(confidentAndCorrect(predictions.probabilities, predictions.truth, flags.atRisk), weights)
        : null,
    performance: performanceOf(predictions),
  }
}

/** At risk, and the most probable class is the true one: the flag alone does not require that. */
function confidentAndCorrect(probabilities: Float64Array, truth: Int32Array, atRisk: Uint8Array): Uint8Array {
  const levels = probabilities.length / truth.length
  return atRisk.map((flag, row) => {
    const itsOwn = probabilities[row * levels + truth[row]]
    for (let k = 0; k < levels; k++) if (probabilities[row * levels + k] > itsOwn) return 0
    return flag
  })
}

/** Mean and maximum over attackers, and the shares of people flagged by any and by all of them. */
export function envelope(flags: readonly Flags[], weights: Float64Array | null) {
  const flagged = (isEnough: (times: number) => boolean) =>
    rateOf(
      flags[0].atRisk.map((_, row) => (isEnough(flags.filter(({ atRisk }) => atRisk[row] === 1).length) ? 1 : 0)),
      weights,
    )
  return {
    mean: mean(flags.map(({ rate }) => rate)) ?? 0,
    max: Math.max(...flags.map(({ rate }) => rate)),
    any: flagged((times) => times > 0),
    all: flagged((times) => times === flags.length),
  }
}

/** What somebody without a model reaches who knows the released margin: the released shares, or the constant that covers most released values. */
export function floorOf(scene: Scene, { predictions, weights }: Scored, chosen: EvaluationOptions): number {
  if (predictions.kind === 'numbers') {
    const tolerance = toleranceOf(predictions.truth, chosen)
    const guess = scene.response.kind === 'numbers' ? bestConstant(scene.response.values, tolerance) : null
    const isHit = (y: number) => guess !== null && isWithin(y, guess, tolerance)
    return rateOf(
      Uint8Array.from(predictions.truth, (y) => (isHit(y) ? 1 : 0)),
      weights,
    )
  }
  const shares = releasedShares(scene)
  const probabilities = Float64Array.from(predictions.probabilities, (_, cell) => shares[cell % shares.length])
  return flagsOf({ rows: new Int32Array(), weights, predictions: { ...predictions, probabilities } }, chosen).rate
}

function releasedShares({ response, known, levels }: Scene): Float64Array {
  const shares = new Float64Array(levels.length)
  if (response.kind === 'classes') for (const code of response.codes) shares[known[code]] += 1 / response.codes.length
  return shares
}

export function classFigures(
  { predictions }: Scored,
  { scores, atRisk }: Flags,
  scene: Scene,
  chosen: EvaluationOptions,
) {
  if (predictions.kind !== 'classes') return null
  const { truth, levels, shares } = predictions
  const released = releasedShares(scene)
  const cuts = classScores(predictions, chosen.score).cut(chosen.tau)
  const rates = classRates(atRisk, truth, levels.length)
  const probabilities = classRates(trueClassProbabilities(predictions), truth, levels.length)
  const means = classRates(scores, truth, levels.length)
  const counts = countIds(truth, levels.length)
  return levels.map((level, k) => ({
    level,
    records: counts[k],
    share: shares[k],
    releasedShare: released[k],
    /** The least probability that puts a record of this class at risk. */
    cut: cuts[k],
    rate: rates[k],
    interval: wilson((rates[k] ?? 0) * counts[k], counts[k]),
    meanProbability: probabilities[k],
    meanScore: means[k],
  }))
}

const BINS = 30

export function scoreHistogram({ predictions }: Scored, { scores, atRisk }: Flags) {
  const finite = scores.filter(Number.isFinite)
  const [lower, upper] =
    predictions.kind === 'classes'
      ? [Math.min(-1, quantile(finite, 0.01) ?? -1), Math.max(1, quantile(finite, 1) ?? 1)]
      : [0, Math.max(quantile(finite, 0.95) ?? 1, 1e-9)]
  const flagged = histogram(
    scores.filter((_, row) => atRisk[row] === 1),
    BINS,
    lower,
    upper,
  )
  return histogram(finite, BINS, lower, upper).map((bin, k) => ({ ...bin, atRisk: flagged[k].count }))
}

const WEDGE_POINTS = 41

/** Numbers: between which predictions of a true value its record is at risk. */
export function wedgeOf({ predictions }: Scored, chosen: EvaluationOptions) {
  if (predictions.kind === 'classes') return []
  const [least, most] = quantiles(predictions.truth, [0.01, 0.99]) ?? [0, 0]
  const tolerance = toleranceOf(predictions.truth, chosen)
  return Array.from({ length: WEDGE_POINTS }, (_, k) => {
    const truth = significant(least + (k * (most - least)) / (WEDGE_POINTS - 1))
    return { truth, ...acceptedPredictions(truth, tolerance) }
  }).flatMap(({ truth, lower, upper }) => (lower === null || upper === null ? [] : [{ truth, lower, upper }]))
}

const GRID = 24
const FEWEST_SHOWN = 3

/** Numbers: how many people have about this truth and this prediction. A grid over true and predicted values between the 1st and 99th percentile; no cell points at one person. */
export function predictionCells({ predictions }: Scored, chosen: EvaluationOptions) {
  if (predictions.kind === 'classes') return []
  const { truth, predicted } = predictions
  const tolerance = toleranceOf(truth, chosen)
  const [least, most] = quantiles(truth, [0.01, 0.99]) ?? [0, 0]
  const width = most > least ? (most - least) / GRID : 1
  const place = (value: number) => Math.min(GRID - 1, Math.max(0, Math.floor((value - least) / width)))
  const counts = new Int32Array(GRID * GRID)
  for (let row = 0; row < truth.length; row++) counts[place(truth[row]) * GRID + place(predicted[row])]++
  const centre = (k: number) => least + (k + 0.5) * width
  return Array.from(counts.keys())
    .filter((cell) => counts[cell] >= FEWEST_SHOWN)
    .map((cell) => {
      const [y, p] = [centre(Math.floor(cell / GRID)), centre(cell % GRID)]
      return { truth: y, predicted: p, records: counts[cell], atRisk: isWithin(y, p, tolerance) }
    })
}
