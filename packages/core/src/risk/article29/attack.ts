import { barChart, type Chart } from '../../chart/chart.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Control, Effect } from '../../evidence/evidence.js'
import type { Finding } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, type ResidualRisk, residualRisk, wilson } from '../../stats/intervals.js'
import { DETECTABLE_Z } from '../../stats/tests.js'
import { NO_OUTSIDERS } from '../outsiders.js'

/**
 * An attack in the sense of the Article 29 opinion, told as Giomi et al. (2023) tell it: how often does it succeed on people
 * in the release (main), on people who are not (control), and how often would a guess that uses no knowledge about the
 * victim (naive)? What counts is main - control: success on everybody alike is knowledge about the population. Giomi's
 * residual risk R = (main - control) / (1 - control) takes certain success for the worst; leakage takes what the same attack
 * reaches on the original itself. An attack that is no better than naive guessing shows the absence of nothing.
 */
export type AttackDetails = {
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: readonly NaiveRate[]
  /** Signed; null without a control, and when the control always succeeds. */
  readonly residual: Residual | null
  readonly published: PublishedResiduals | null
}

/** How often an attack succeeded. */
export type Rate = {
  /** Expected under random tie-breaking, so not always a whole number. */
  readonly successes: number
  readonly attacks: number
  readonly rate: number
  readonly interval: Interval | null
}

type NaiveRate = { readonly what: string; readonly rate: number }

type Residual = {
  readonly value: number
  readonly interval: Interval | null
  /** One-sided: R > 0. */
  readonly p: number
  /** The smallest R found with a chance of 80 % at p < 0.01; null when nothing ever succeeds or fails. */
  readonly minimalDetectable: number | null
}

/** What riskutility and anonymeter print. */
export type PublishedResiduals = {
  readonly riskutility: { readonly risk: number; readonly interval: Interval; readonly pass: boolean }
  readonly anonymeter: { readonly risk: number; readonly interval: Interval }
}

/** riskutility passes a release up to this residual risk. */
const RISKUTILITY_LIMIT = 0.1

export const residualThresholds = [
  {
    value: RISKUTILITY_LIMIT,
    meaning: 'residual risk up to which a release passes',
    source: 'riskutility',
  },
]

export interface AttackCounts {
  readonly main: { readonly successes: number; readonly attacks: number }
  readonly control: { readonly successes: number; readonly attacks: number } | null
  readonly naive: readonly NaiveRate[]
}

/** The figures of an attack whose targets are independent of each other. */
export function attackDetails({ naive, ...counts }: AttackCounts): AttackDetails {
  const main = rateOf(counts.main)
  const control = counts.control === null ? null : rateOf(counts.control)
  const compared = control && residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  return {
    main,
    control,
    naive,
    residual: residualOf(compared, main.attacks, control?.attacks ?? 0),
    published: compared === null ? null : publishedResiduals(compared),
  }
}

type AttackEvidence = Pick<Finding, 'controls' | 'effect' | 'people' | 'notAssessed'> & {
  readonly value: number
  readonly interval: Interval | null
  readonly warnings: readonly string[]
}

/** `everything` is what the same attack reaches on the original itself, `people` how many there are in it. */
export function attackEvidence(
  { main, control, naive }: AttackDetails,
  everything: Control | undefined,
  people: number,
): AttackEvidence {
  const best = bestNaive(naive)
  const nothing = best === undefined ? {} : { nothing: { value: best.rate, se: null, what: best.what } }
  const ofOriginal = everything === undefined ? {} : { everything }
  const weak = weakness(main.rate, best)
  const found = { value: main.rate, interval: main.interval }
  const warnings = weak === null ? [] : [weak]
  if (control === null)
    return { ...found, controls: { ...nothing, ...ofOriginal }, notAssessed: NO_OUTSIDERS, warnings }
  const effect = shareEffect(main.successes, main.attacks, control.successes, control.attacks)
  return {
    ...found,
    controls: { ...nothing, fair: outsidersControl(control), ...ofOriginal },
    effect,
    people: Math.round(people * Math.max(0, effect.value)),
    ...(weak !== null && !isShown(effect) ? { notAssessed: weak } : {}),
    warnings,
  }
}

/** A leak that is shown beyond doubt stands, however weak the attack; else the failure of a weak one says nothing. */
export function isShown({ p }: Effect): boolean {
  return p < 0.01
}

function outsidersControl({ rate, attacks }: Rate) {
  const se = Math.sqrt((rate * (1 - rate)) / attacks)
  return { value: rate, se, what: 'people outside the release', basis: 'outsiders' as const }
}

/** What an attack reaches on the original itself, tried on some people of it. */
export function ofOriginalItself(successes: number, attacks: number): Control {
  const value = Math.min(successes, attacks) / attacks
  return { value, se: Math.sqrt((value * (1 - value)) / attacks), what: 'the original itself' }
}

/** "residual risk 1.8 % (-1.8 % to 5.1 %)", or why there is none. */
export function residualSentence({ residual, control }: AttackDetails, digits = 1): string {
  if (control === null) return 'without a holdout nobody can say how much of that is the fault of the release'
  const print = (fraction: number) => percent(fraction, digits)
  const against = `${print(control.rate)} for people outside the release`
  if (residual === null) return against
  const { value, interval } = residual
  const range = interval === null ? '' : ` (${print(interval.lower)} to ${print(interval.upper)})`
  return `${against}, residual risk ${print(value)}${range}`
}

/** Main, control and naive success side by side. */
export function attackChart({ main, control, naive }: AttackDetails, title: string): Chart {
  return barChart({ name: 'rates', title, x: '', y: 'success rate' }, [
    { label: 'in the release', value: main.rate, interval: main.interval },
    ...(control === null
      ? []
      : [{ label: 'outside it', value: control.rate, interval: control.interval, series: 'original' as const }]),
    ...naive.map(({ what, rate }) => ({ label: what, value: rate, series: 'original' as const })),
  ])
}

export function rateOf({ successes, attacks }: AttackCounts['main']): Rate {
  // Sums of probabilities may exceed the number of attacks by a rounding error.
  const counted = Math.min(successes, attacks)
  return { successes: counted, attacks, rate: counted / attacks, interval: wilson(counted, attacks) }
}

const ROUNDING = 1e-12

/** That the attack is no better than a guess, or null. */
export function weakness(rate: number, guess: NaiveRate | undefined): string | null {
  if (guess === undefined || rate > guess.rate + ROUNDING) return null
  return `the attack is no better than guessing: it succeeds in ${percent(rate, 2)}, ${guess.what} in ${percent(guess.rate, 2)} of cases`
}

function bestNaive(naive: readonly NaiveRate[]): NaiveRate | undefined {
  return naive.toSorted((a, b) => b.rate - a.rate)[0]
}

function residualOf(compared: ResidualRisk | null, attacks: number, controls: number): Residual | null {
  if (compared === null || compared.residual === null) return null
  const { attackRate, controlRate, residual, interval, p } = compared
  const pooled = (attackRate * attacks + controlRate * controls) / (attacks + controls)
  const minimalDetectable =
    pooled > 0 && pooled < 1 ? DETECTABLE_Z * Math.sqrt((pooled / (1 - pooled)) * (1 / attacks + 1 / controls)) : null
  return { value: residual, interval, p, minimalDetectable }
}

export function publishedResiduals({ risk, conservative, deltaMethod }: ResidualRisk): PublishedResiduals {
  return {
    riskutility: { risk, interval: conservative, pass: risk <= RISKUTILITY_LIMIT },
    anonymeter: deltaMethod,
  }
}
