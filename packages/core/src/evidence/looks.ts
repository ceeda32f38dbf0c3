import type { Because } from '../reason.js'
import { BOUND_Z } from '../stats/levels.js'
import { peopleOutside } from './controls.js'
import { shareEffect } from './effects.js'
import type { Controls, Effect, FairControl, Look } from './evidence.js'

/** The standard error of a mean over n people: not below that of n zeros, by Wilson's bound z² / (n + z²). */
export function errorOfMean(variance: number, people: number): number {
  return Math.hypot(Math.sqrt(variance), BOUND_Z / (people + BOUND_Z ** 2))
}

/** Successes among so many people; both may be fractional, as weighted counts with an effective size are. */
export interface Tally {
  readonly successes: number
  readonly people: number
}

/** A share of 1 that weights have made a last bit larger is still everybody. */
export function tally(share: number, people: number): Tally {
  return { successes: Math.min(people, share * people), people }
}

/** A share of the people in the data against the same share of people outside the release. */
export function lookAtOutsiders(
  insiders: Tally,
  outsiders: Tally,
  rest: Pick<Controls, 'nothing' | 'everything'>,
): Look {
  const effect = shareEffect(insiders.successes, insiders.people, outsiders.successes, outsiders.people)
  return {
    what: 'against people outside the release',
    value: insiders.successes / insiders.people,
    controls: { ...rest, fair: outsidersControl(outsiders) },
    effect,
  }
}

function outsidersControl({ successes, people }: Tally): FairControl {
  const share = successes / people
  return peopleOutside(share, Math.sqrt((share * (1 - share)) / people))
}

/** The part of a finding that is put before the judge. */
interface Evidence {
  readonly controls: Controls
  readonly effect?: Effect
  readonly looks?: readonly Look[]
  readonly notAssessed?: Because
}

/** The first look is the headline's, the others stand beside it; without any it says why nothing can be said. */
export function evidenceOf(
  looks: readonly Look[],
  rest: Pick<Controls, 'nothing' | 'everything'>,
  otherwise: Because,
): Evidence {
  if (looks.length === 0) return { controls: rest, notAssessed: otherwise }
  const [{ controls, effect }, ...others] = looks
  return { controls, effect, ...(others.length === 0 ? {} : { looks: others }) }
}
