import { BOUND_Z } from '../../../stats/levels.js'
import { quantile } from '../../../stats/quantile.js'
import type { Scored } from '../attack/attack.js'
import { chanceOf } from './chance-test.js'
import { type FlagOptions, flagsOf } from './evaluation.js'

const STEPS = 20

/** RAPID over the threshold, with what chance would give: the survival function of the scores. */
export function thresholdCurve(scored: Scored, options: FlagOptions) {
  return thresholdsOf(scored, options).map((threshold) => {
    const at = withThreshold(options, scored, threshold)
    const { chance } = chanceOf(scored, at)
    const chanceUpper = Math.min(1, chance.mean + BOUND_Z * chance.sd)
    return { threshold, rate: flagsOf(scored, at).rate, chance: chance.mean, chanceUpper }
  })
}

/** 0 to 1 in steps of 0.05 (lift: 0 to 4); for absolute errors up to the 95th percentile. */
function thresholdsOf(scored: Scored, options: FlagOptions): number[] {
  return Array.from({ length: STEPS + 1 }, (_, k) => (k * largestThreshold(scored, options)) / STEPS)
}

/** The end of the range over which thresholds are looked at. */
export function largestThreshold(scored: Scored, options: FlagOptions): number {
  if (scored.predictions.kind === 'classes') return options.score === 'lift' || options.score === 'conditional' ? 4 : 1
  if (options.error !== 'absolute') return 1
  return quantile(flagsOf(scored, options).scores, 0.95) ?? 1
}

export function withThreshold<Options extends FlagOptions>(
  options: Options,
  { predictions }: Pick<Scored, 'predictions'>,
  threshold: number,
): Options {
  return predictions.kind === 'classes' ? { ...options, tau: threshold } : { ...options, epsilon: threshold }
}
