import { peopleOutside, theOriginal } from '../../../evidence/controls.js'
import { normalEffect } from '../../../evidence/effects.js'
import type { Controls, Effect, Look } from '../../../evidence/evidence.js'
import type { Because } from '../../../reason.js'
import { residualRisk } from '../../../stats/intervals.js'
import { SIGNIFICANCE } from '../../../stats/levels.js'
import { mean } from '../../../stats/sums.js'
import { publishedResiduals, type Rate } from '../residual/attack.js'
import type { Attack, Options } from '../singling-out.js'
import type { PredicateAttack, Recipe } from './predicate-attack.js'
import { perRow } from './predicate-tallies.js'

/** What is known of the attack with predicates made from the original itself. */
export type Everything = Pick<Attack, 'main' | 'comparison' | 'people'> & Pick<PredicateAttack, 'share'>

/**
 * In shares of predicates: by how many more single out somebody in the release than outside it, at equal sizes, beside the
 * same for predicates made from the original. Null without anybody outside, and where every predicate singles out one of
 * them too. Of `attacked` people, who are all unless predicates are drawn, the original itself would single out `reach`; a
 * release with fewer predicates concerns fewer.
 */
export function lookOf(
  attack: Attack,
  { share }: Pick<PredicateAttack, 'share'>,
  everything: Everything | null,
  attacked: number,
): Look | null {
  const effect = effectOf(attack)
  const most = everything === null ? null : effectOf(everything)
  if (effect === null || most === null || everything === null) return null
  const { main, mode } = attack
  const predicates = main.attacks / share / (everything.main.attacks / everything.share)
  const reach = Math.min(1, peopleBeyondOutsiders(everything, most) / attacked)
  return {
    what: mode === 'multivariate' ? 'predicates over several columns' : 'predicates over one column',
    value: main.rate,
    controls: {
      ...endsOf(attack, everything),
      fair: peopleOutside(main.rate - effect.value),
    },
    effect: { ...effect, ceiling: most.value },
    reach,
    peoplePerEffect: most.value > 0 ? (reach / most.value) * Math.min(1, predicates) : 0,
  }
}

/** Of the people who are singled out, those who would not be from outside. */
function peopleBeyondOutsiders({ main, people }: Pick<Everything, 'main' | 'people'>, { value }: Effect): number {
  return main.rate > 0 ? people.singledOut * Math.max(0, value / main.rate) : 0
}

/**
 * Between two ends of the rate itself, for what is scaled up from a small holdout may lie beyond them; and not shown to
 * be positive unless the exchange of people shows it, which holds for any number of them.
 */
function effectOf({ comparison, main }: Pick<Everything, 'comparison' | 'main'>): Effect | null {
  if (comparison === null || comparison.residual === null || comparison.standardError === null) return null
  const left = 1 - comparison.control / comparison.attacks
  const {
    value: estimate,
    se,
    lower,
    upper,
  } = normalEffect(comparison.residual * left, comparison.standardError * left)
  const value = Math.max(main.rate - 1, Math.min(main.rate, estimate))
  const { p } = comparison
  return { value, se, lower: Math.min(value, lower, p > SIGNIFICANCE ? 0 : lower), upper: Math.max(value, upper), p }
}

export function endsOf({ naive }: Attack, everything: Everything | null): Controls {
  return {
    nothing: { value: naive.rate, se: null, what: 'naive predicates' },
    ...(everything === null ? {} : { everything: theOriginal(everything.main.rate) }),
  }
}

export function whyNot({ comparison }: Attack, everything: Everything | null): Because {
  if (comparison === null) return { code: 'no-outsiders' }
  const all = 'singles out somebody outside the release too'
  if (comparison.residual === null) return `every predicate ${all}`
  return everything === null
    ? 'no predicate made from the original itself holds for one record alone'
    : `every predicate made from the original itself ${all}`
}

/** How many predicates single out each row of the file; none for rows left out, where there are any. */
export function perRecord(
  { matches, originalRows }: Pick<PredicateAttack, 'matches' | 'originalRows'>,
  fileRows: number,
  leftOut: number,
): Float64Array {
  const scores = new Float64Array(fileRows).fill(leftOut > 0 ? Number.NaN : 0)
  for (const [row, times] of perRow(matches).entries()) scores[originalRows[row]] = times
  return scores
}

/** Who is singled out by the predicates of a look, beyond the share that would be from outside. */
export function addedBy(
  attack: PredicateAttack,
  { value, controls }: Look,
  fileRows: number,
  leftOut: number,
): () => Float64Array {
  return () => {
    const singledOut = perRecord(attack, fileRows, leftOut).map((times) => Math.min(1, times))
    const share = mean(singledOut.filter((flag) => !Number.isNaN(flag))) ?? 0
    const outside = value > 0 ? (share * (controls.fair?.value ?? 0)) / value : 0
    return singledOut.map((flag) => flag - outside)
  }
}

/** Control successes are multiplied by the fitted size factor, as anonymeter does. */
export function printedElsewhere(
  main: Rate,
  control: Rate,
  sizeFactor: number | null,
  recipe: Recipe,
  { attacks }: Options,
): Attack['published'] {
  // anonymeter divides by the number asked for, even if there were fewer predicates.
  const n = recipe.sizeFactor === undefined ? main.attacks : attacks
  const plain = residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const scaled = residualRisk(main.successes, n, Math.min(n, control.successes * (sizeFactor ?? 1)), n)
  if (plain === null || scaled === null) return null
  return {
    riskutility: publishedResiduals(plain).riskutility,
    anonymeter: { ...publishedResiduals(scaled).anonymeter, sizeFactor },
  }
}
