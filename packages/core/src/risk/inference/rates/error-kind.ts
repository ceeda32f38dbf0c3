import { quantile } from '../../../stats/quantile.js'
import type { Scored } from '../attack/attack.js'
import type { GivenOptions, Options } from '../rapid.js'

/** The error that the data allow, where none is asked for: relative to the truth, or to its spread where many are near 0. */
export function withError(asked: GivenOptions, { predictions }: Scored): Options {
  if (asked.error !== 'auto') return { ...asked, error: asked.error }
  const isUnstable = predictions.kind === 'numbers' && manyNearZero(predictions.truth)
  return { ...asked, error: isUnstable ? 'normalised' : 'symmetric' }
}

/** A relative error of values near 0 jumps: more than one in twenty is 0, or smaller than a tenth of the median. */
function manyNearZero(truth: Float64Array): boolean {
  const sizes = truth.map(Math.abs)
  const limit = 0.1 * (quantile(sizes, 0.5) ?? 0)
  const small = sizes.reduce((count, size) => count + (size === 0 || size < limit ? 1 : 0), 0)
  return small > 0.05 * sizes.length
}

export function errorWarning({ predictions }: Scored, asked: GivenOptions, { error }: Options): string[] {
  if (predictions.kind === 'classes' || !manyNearZero(predictions.truth)) return []
  if (asked.error === 'auto')
    return [`many target values are near 0, so errors are measured in spreads of the target (error=${error})`]
  return error === 'absolute' || error === 'normalised'
    ? []
    : ['many target values are near 0, where a relative error is unstable; error=absolute or normalised is not']
}
