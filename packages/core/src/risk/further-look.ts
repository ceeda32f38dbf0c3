import type { Controls, Effect, Look } from '../evidence/evidence.js'

/**
 * A second comparison for the same threat, in another way or with another control. Who looks twice finds something by
 * chance twice as often, so its p counts twice (Bonferroni); the headline, which is what decides, keeps its own.
 */
export function furtherLook(
  what: string,
  found: {
    readonly value: number
    readonly controls: Controls
    readonly effect: Effect
    readonly people?: number | null
  },
): Look {
  const { value, controls, effect, people = null } = found
  return { what, value, controls, effect: { ...effect, p: Math.min(1, 2 * effect.p) }, people }
}
