import { barChart, type Chart } from '../../../chart/chart.js'
import type { Control } from '../../../evidence/evidence.js'
import { evidenceOf, lookAtOutsiders, type Tally } from '../../../evidence/looks.js'
import type { Finding } from '../../../measure.js'
import { percent } from '../../../print.js'
import { type Interval, type ResidualRisk, residualRisk, wilsonWithVariance } from '../../../stats/intervals.js'

/**
 * An attack in the sense of the Article 29 opinion, told as Giomi et al. (2023) tell it: how often does it succeed on people
 * in the release (main), on people who are not (control), and how often would a guess that uses no knowledge about the
 * victim (naive)? Success on everybody alike is knowledge about the population: what counts is main - control, beside what
 * the same attack reaches when the original itself is released. Giomi et al. print the residual risk
 * R = (main - control) / (1 - control), which is in the details.
 */
export type AttackDetails = {
  readonly main: Rate
  readonly control: Rate | null
  readonly naive: readonly NaiveRate[]
  /** Signed; null without a control, and when the control always succeeds. */
  readonly residual: Residual | null
  /** What the two published implementations print. */
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
}

export type PublishedResiduals = ReturnType<typeof publishedResiduals>

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
  readonly main: Successes
  readonly control: Successes | null
  readonly naive: readonly NaiveRate[]
}

interface Successes {
  readonly successes: number
  readonly attacks: number
  /** Sum of the squared chances of success where these are not 0 or 1. */
  readonly squares?: number
}

type AttackFinding = Pick<Finding, 'value' | 'interval' | 'controls' | 'effect' | 'people' | 'notAssessed'> & {
  readonly warnings: readonly string[]
  readonly details: AttackDetails
}

/**
 * The evidence of an attack whose targets are independent of each other; `everything` is its success when the original
 * itself is released, `people` how many there are in the original.
 */
export function attackFinding(
  counts: AttackCounts,
  people: number,
  everything: AttackCounts['main'] | null,
): AttackFinding {
  const { naive } = counts
  const main = rateOf(counts.main)
  const control = counts.control === null ? null : rateOf(counts.control)
  const compared = control && residualRisk(main.successes, main.attacks, control.successes, control.attacks)
  const ends = {
    ...nothing(naive),
    ...(everything === null ? {} : { everything: ofOriginal(rateOf(everything), people) }),
  }
  const looks = control === null ? [] : [lookAtOutsiders(tallyOf(main), tallyOf(control), ends)]
  const weak = weakness(main, naive)
  return {
    value: main.rate,
    interval: main.interval,
    ...evidenceOf(looks, ends, { code: 'no-outsiders' }),
    warnings: weak === null ? [] : [`the attack is no better than guessing: ${weak}`],
    details: {
      main,
      control,
      naive,
      residual: residualOf(compared),
      published: compared === null ? null : publishedResiduals(compared),
    },
  }
}

function nothing(naive: readonly NaiveRate[]): { readonly nothing?: Control } {
  const best = bestNaive(naive)
  return best === undefined ? {} : { nothing: { value: best.rate, se: null, what: best.what } }
}

/** Exact when everybody was attacked. */
function ofOriginal({ rate, attacks }: Rate, people: number): Control {
  const se = attacks < people ? Math.sqrt((rate * (1 - rate)) / attacks) : null
  return { value: rate, se, what: 'the original itself' }
}

function tallyOf({ successes, attacks }: Rate): Tally {
  return { successes, people: attacks }
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

export function rateOf({ successes, attacks, squares = successes }: Successes): Rate {
  // Sums of probabilities may exceed the number of attacks by a rounding error.
  const counted = Math.min(successes, attacks)
  const rate = counted / attacks
  const interval = wilsonWithVariance(rate, varianceOfChances(counted, attacks, squares), attacks)
  return { successes: counted, attacks, rate, interval }
}

/**
 * Of the mean of chances of success: chances vary less than successes do. Up to half a success more than was seen counts as
 * certain, for few chances seen are no proof that nobody is linked for sure. For successes and failures it is p (1 - p) / n.
 */
function varianceOfChances(successes: number, attacks: number, squares: number): number {
  const unseen = Math.min(0.5, Math.max(0, successes - squares))
  return (squares + unseen - successes ** 2 / attacks) / attacks ** 2
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

function residualOf(compared: ResidualRisk | null): Residual | null {
  if (compared === null || compared.residual === null) return null
  return { value: compared.residual, interval: compared.interval, p: compared.p }
}

export function publishedResiduals({ risk, conservative, deltaMethod }: ResidualRisk) {
  return {
    riskutility: { risk, interval: conservative, pass: risk <= RISKUTILITY_LIMIT },
    anonymeter: deltaMethod,
  }
}
