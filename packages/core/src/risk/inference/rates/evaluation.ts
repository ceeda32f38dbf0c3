import { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import { choice, real, whole } from '../../../option-kinds.js'
import { mad, quantiles } from '../../../stats/quantile.js'
import { standardDeviation } from '../../../stats/sums.js'
import type { Attack, Scored } from '../attack/attack.js'
import { atRiskAbove, classScores } from '../attack/classes.js'
import { errorOf, isWithin, type Tolerance } from '../attack/numbers.js'

/** How predictions become records at risk. */
export const flagOptions = {
  score: choice(['gain', 'lift', 'conditional', 'nce'], 'gain').describe(
    'classes: gain over the margin; lift, conditional (RCS_conditional) and nce are for comparison with other software',
  ),
  tau: real(0.3).describe('classes: at risk above this score'),
  error: choice(['symmetric', 'relative', 'absolute', 'normalised'], 'symmetric').describe(
    'numbers: how the error is measured',
  ),
  epsilon: real(0.1, { above: 0 }).describe(
    'numbers: at risk below this error, a proportion (absolute: units of the target)',
  ),
  delta: real(0, { min: 0 }).describe('numbers: added to the denominator of relative errors (0.01 in riskutility)'),
  spread: choice(['sd', 'range', 'iqr', 'mad'], 'sd').describe('numbers: what the normalised error is divided by'),
}

/** The same, and how sure one is of their share. */
export const evaluationOptions = {
  ...flagOptions,
  interval: choice(['refit', 'wilson', 'clopper-pearson', 'bootstrap', 'wald'], 'refit').describe(
    'interval of the headline. refit: people, release and model vary, the model being fitted again without each fifth of the release; the others: people only',
  ),
  bootstrap: whole(500, { min: 0 }).describe(
    'bootstrap samples of the original records; the model is not fitted again',
  ),
  permutations: whole(999, { min: 0 }).describe('permutations for the p-value, up to 20,000 records'),
}

/** No gain exceeds 1, so that a larger threshold would find nobody, whatever the release. */
export function tauProblems({ score, tau }: Pick<FlagOptions, 'score' | 'tau'>): string[] {
  return score !== 'gain' || tau <= 1 ? [] : [`option "tau" must be a number of at most 1, found ${tau}`]
}

const flagSchema = z.object(flagOptions)
const evaluationSchema = z.object(evaluationOptions)
export type FlagOptions = Readonly<z.output<typeof flagSchema>>
export type EvaluationOptions = Readonly<z.output<typeof evaluationSchema>>

/** What the measures of the RAPID family have in common. */
export const RAPID = {
  family: 'inference',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  stochastic: true,
  citations: ['templ2026'],
} as const

/** Scores and flags of some people under one attacker. */
export interface Flags {
  readonly scores: Float64Array
  readonly atRisk: Uint8Array
  readonly rate: number
}

export function flagsOf({ predictions, weights }: Scored, options: FlagOptions): Flags {
  if (predictions.kind === 'classes') {
    const { scores } = classScores(predictions, options.score)
    const atRisk = atRiskAbove(scores, options.tau)
    return { scores, atRisk, rate: rateOf(atRisk, weights) }
  }
  const tolerance = toleranceOf(predictions.truth, options)
  const { truth, predicted } = predictions
  const scores = truth.map((y, row) => errorOf(y, predicted[row], tolerance))
  const atRisk = Uint8Array.from(truth, (y, row) => (isWithin(y, predicted[row], tolerance) ? 1 : 0))
  return { scores, atRisk, rate: rateOf(atRisk, weights) }
}

/** The attacker who puts most people at risk, the first of equals; `all` are the flags of every attacker. */
export function worstAttack(attacks: readonly Attack[], options: FlagOptions) {
  const all = attacks.map(({ members }) => flagsOf(members, options))
  const index = all.indexOf(all.reduce((a, b) => (b.rate > a.rate ? b : a)))
  return { attack: attacks[index], flags: all[index], all }
}

/** The tolerance for a target; its spread is that of the values given. */
export function toleranceOf(truth: Float64Array, { error, epsilon, delta, spread }: FlagOptions): Tolerance {
  if (error !== 'normalised') return { error, epsilon, delta, spread: 1 }
  const size = spreadOf(truth, spread)
  if (!(size > 0)) throw new NotApplicable('the target does not vary in the original')
  return { error, epsilon, delta, spread: size }
}

function spreadOf(values: Float64Array, kind: FlagOptions['spread']): number {
  if (kind === 'sd') return standardDeviation(values) ?? 0
  if (kind === 'mad') return mad(values) ?? 0
  const [low, high] = quantiles(values, kind === 'iqr' ? [0.25, 0.75] : [0, 1]) ?? [0, 0]
  return high - low
}

export function rateOf(atRisk: Uint8Array, weights: Float64Array | null): number {
  let sum = 0
  let total = 0
  for (let row = 0; row < atRisk.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    sum += weight * atRisk[row]
    total += weight
  }
  return total > 0 ? sum / total : 0
}
