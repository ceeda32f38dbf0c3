import { countBelow, firstWhere } from '../../../stats/sorted.js'
/**
 * Errors of an attacker's predicted numbers, y the truth and p the prediction; at risk iff the error is below epsilon:
 *
 *   symmetric   2 |y - p| / (|y| + |p| + 2 delta)      in [0, 2]
 *   relative    |y - p| / (|y| + delta)
 *   absolute    |y - p|                                epsilon in units of the target
 *   normalised  |y - p| / s                            s a spread of the original's target
 *
 * With delta = 0 a truth and prediction of 0 has error 0, and a truth of 0 that is missed has 2 or infinity.
 */
export type ErrorKind = 'symmetric' | 'relative' | 'absolute' | 'normalised'

export interface Tolerance {
  readonly error: ErrorKind
  readonly epsilon: number
  readonly delta: number
  /** s of the normalised error. */
  readonly spread: number
}

const TIE = 1e-12

export function errorOf(y: number, p: number, { error, delta, spread }: Tolerance): number {
  const gap = Math.abs(y - p)
  if (gap === 0) return 0
  if (error === 'absolute') return gap
  if (error === 'normalised') return gap / spread
  if (error === 'relative') return gap / (Math.abs(y) + delta)
  return (2 * gap) / (Math.abs(y) + Math.abs(p) + 2 * delta)
}

export function isWithin(y: number, p: number, tolerance: Tolerance): boolean {
  return tolerance.epsilon - errorOf(y, p, tolerance) > TIE
}

/** Between which predictions of `y` the error is below epsilon; an end is null where there is none. */
export function acceptedPredictions(
  y: number,
  { error, epsilon, delta, spread }: Tolerance,
): { readonly lower: number | null; readonly upper: number | null } {
  if (error !== 'symmetric') {
    const reach = error === 'relative' ? epsilon * (Math.abs(y) + delta) : epsilon * (error === 'absolute' ? 1 : spread)
    return { lower: y - reach, upper: y + reach }
  }
  if (epsilon >= 2) return { lower: null, upper: null }
  const size = Math.abs(y)
  const half = epsilon / 2
  const farther = (size * (1 + half) + epsilon * delta) / (1 - half)
  const sameSign = (size * (1 - half) - epsilon * delta) / (1 + half)
  const nearer = sameSign >= 0 ? sameSign : size - (epsilon * delta) / (1 - half)
  return y < 0 ? { lower: -farther, upper: -nearer } : { lower: nearer, upper: farther }
}

/** Stretches [from, to) of `sorted` that lie within the tolerance of a prediction. */
export function acceptedRuns(
  sorted: Float64Array,
  p: number,
  tolerance: Tolerance,
): readonly (readonly [number, number])[] {
  const cuts = [0, countBelow(sorted, Math.min(0, p)), countBelow(sorted, Math.max(0, p)), sorted.length]
  const runs: [number, number][] = []
  for (let piece = 0; piece < 3; piece++) {
    const run = acceptedInPiece(sorted, cuts[piece], cuts[piece + 1], p, tolerance)
    if (run === undefined) continue
    const last = runs.at(-1)
    if (last !== undefined && last[1] === run[0]) last[1] = run[1]
    else runs.push(run)
  }
  return runs
}

/** Between 0, p and the ends the error is monotone, so what is accepted touches one end of the piece. */
function acceptedInPiece(
  sorted: Float64Array,
  from: number,
  to: number,
  p: number,
  tolerance: Tolerance,
): [number, number] | undefined {
  if (from >= to) return undefined
  const accepts = (k: number) => isWithin(sorted[k], p, tolerance)
  const [first, last] = [accepts(from), accepts(to - 1)]
  if (first && last) return [from, to]
  if (first) return [from, firstWhere(from, to, (k) => !accepts(k))]
  if (last) return [firstWhere(from, to, accepts), to]
  return undefined
}

/** The released value within whose tolerance most released values lie, the smallest of equals: the best guess without a model. */
export function bestConstant(released: Float64Array, tolerance: Tolerance): number | null {
  const sorted = released.slice().sort()
  let best: number | null = null
  let most = -1
  for (let k = 0; k < sorted.length; k++) {
    if (k > 0 && sorted[k] === sorted[k - 1]) continue
    const covered = acceptedRuns(sorted, sorted[k], tolerance).reduce((sum, [from, to]) => sum + to - from, 0)
    if (covered > most) {
      most = covered
      best = sorted[k]
    }
  }
  return best
}
