import { barChart, type Chart } from '../../chart/chart.js'
import type { Finding, Verdict } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, type ResidualRisk, residualRisk, wilson } from '../../stats/intervals.js'
import { DETECTABLE_Z } from '../../stats/tests.js'
import {
  attackTooWeak,
  CONTROL_LIMITS,
  type ControlStatus,
  type ControlVerdict,
  controlVerdict,
  notAssessable,
} from '../control-verdict.js'

/**
 * An attack in the sense of the Article 29 opinion, told as Giomi et al. (2023) tell it: how often does it succeed on people
 * in the release (main), on people who are not (control), and how often would a guess that uses no knowledge about the
 * victim (naive)? What counts is the residual risk R = (main - control) / (1 - control): success on everybody alike is
 * knowledge about the population. An attack that is no better than naive guessing shows the absence of nothing.
 */
export type AttackDetails = {
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: readonly NaiveRate[]
  readonly status: ControlStatus
  /** Signed; null without a control, and when the control always succeeds. */
  readonly residual: Residual | null
  /** For the risk-utility map: R where it is positive. */
  readonly score: number | null
  readonly reference: ReferenceResiduals | null
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

/** What the two reference implementations print. */
export type ReferenceResiduals = {
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

type AttackFinding = Pick<Finding, 'value' | 'interval' | 'reference' | 'verdict' | 'warnings'> & {
  readonly verdict: Verdict
  readonly warnings: readonly string[]
  readonly details: AttackDetails
}

/** The finding of an attack whose targets are independent of each other. */
export function attackFinding(counts: AttackCounts): AttackFinding {
  const { naive } = counts
  const main = rateOf(counts.main)
  const control = counts.control === null ? null : rateOf(counts.control)
  const compared = control && residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const residual = residualOf(compared, main.attacks, control?.attacks ?? 0)
  const weak = weakness(main, naive)
  const { status, verdict } = judged(control, residual, weak)
  return {
    value: main.rate,
    interval: main.interval,
    ...referenceOf(control, naive),
    verdict,
    warnings: weak === null ? [] : [`the attack is no better than guessing: ${weak}`, ...realAllTheSame(residual)],
    details: {
      main,
      control,
      naive,
      status,
      residual,
      score: residual === null ? null : Math.max(0, residual.value),
      reference: compared === null ? null : referenceResiduals(compared),
    },
  }
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
export function attackChart({ main, control, naive, status }: AttackDetails, title: string): Chart {
  return barChart({ name: 'rates', title, x: '', y: 'success rate' }, [
    { label: 'in the release', value: main.rate, interval: main.interval, alarm: status === 'evidence' },
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

/** What the same attack gives elsewhere: on people outside the release, or without knowing anything about them. */
function referenceOf(control: Rate | null, naive: readonly NaiveRate[]): Pick<Finding, 'reference'> {
  if (control !== null) return { reference: { value: control.rate, what: 'people outside the release' } }
  const best = bestNaive(naive)
  return best === undefined ? {} : { reference: { value: best.rate, what: best.what } }
}

/** Evidence stands however weak the attack is; that it finds nothing counts only if it could have found something. */
function judged(control: Rate | null, residual: Residual | null, weak: string | null): ControlVerdict {
  if (control === null) return notAssessable()
  if (residual === null) return attackTooWeak('it succeeds on everybody outside the release as well')
  const { value, interval, p, minimalDetectable } = residual
  const limits = CONTROL_LIMITS.residual
  const found = controlVerdict({ what: 'residual risk', effect: value, interval, p, limits, minimalDetectable })
  return weak === null || found.status === 'evidence' ? found : attackTooWeak(weak)
}

const SIGNIFICANT = 0.01

/** A weak attack may still give a few people away, and its verdict has no p to tell it. */
function realAllTheSame(residual: Residual | null): string[] {
  if (residual === null || residual.p >= SIGNIFICANT) return []
  return [`a residual risk of ${percent(residual.value)} is not chance all the same: some people are given away`]
}

const ROUNDING = 1e-12

/** What the attack is no better than, or null. */
function weakness(main: Rate, naive: readonly NaiveRate[]): string | null {
  const best = bestNaive(naive)
  if (best === undefined || main.rate > best.rate + ROUNDING) return null
  return `it succeeds in ${percent(main.rate, 2)}, ${best.what} in ${percent(best.rate, 2)} of cases`
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

export function referenceResiduals({ risk, conservative, deltaMethod }: ResidualRisk): ReferenceResiduals {
  return {
    riskutility: { risk, interval: conservative, pass: risk <= RISKUTILITY_LIMIT },
    anonymeter: deltaMethod,
  }
}
