import type { Verdict } from '../measure.js'
import { percent } from '../print.js'

/**
 * What a comparison of the people in the release (T) with people who are not (H) allows to say:
 *   evidence         p < 0.01 and the effect is at least δ
 *   no-evidence      the upper bound of its 95 % interval is below δ
 *   inconclusive     neither: too little data, or an effect too small to matter that cannot be told from a larger one
 *   not-assessable   nobody outside the release to compare with
 *   attack-too-weak  the attack does no better than guessing, so its failure protects nobody
 * Only no-evidence is LOW, so without a holdout nothing ever is. A failed computation is no risk and no verdict.
 */
export type ControlStatus = 'evidence' | 'no-evidence' | 'inconclusive' | 'not-assessable' | 'attack-too-weak'

/** Where an effect begins to matter (δ), and from which lower bound on it is HIGH; all effects are 1 at the worst. */
export const CONTROL_LIMITS = {
  /** (share of training records among the nearest - expected) / (1 - expected). */
  excessShare: { delta: 0.05, high: 0.2 },
  /** 2 AUC - 1, of a membership score. */
  advantage: { delta: 0.1, high: 0.2 },
  /** (attack - control) / (1 - control), of the Article 29 attacks. */
  residual: { delta: 0.1, high: 0.2 },
  /** Adversarial-accuracy loss, one half at the worst. */
  adversarialLoss: { delta: 0.05, high: 0.1 },
  /** Copies of single records, and distances over all records. */
  tail: { delta: 0.05, high: 0.05 },
  bulk: { delta: 0.05, high: 0.3 },
} as const

export interface ControlTest {
  /** What the effect is called, e.g. "residual risk". */
  readonly what: string
  readonly effect: number
  readonly interval: { readonly lower: number; readonly upper: number } | null
  /** One-sided, adjusted if several tests were made. */
  readonly p: number
  readonly limits: { readonly delta: number; readonly high: number }
  /** The smallest effect that this comparison would have found. */
  readonly minimalDetectable: number | null
}

export interface ControlVerdict {
  readonly status: ControlStatus
  readonly verdict: Verdict
}

const SIGNIFICANT = 0.01

export function controlVerdict(test: ControlTest): ControlVerdict {
  const { what, effect, interval, p, limits, minimalDetectable } = test
  const found = `${what} ${percent(effect)}${interval === null ? '' : ` (${percent(interval.lower)} to ${percent(interval.upper)})`} beyond people outside the release`
  if (p < SIGNIFICANT && effect >= limits.delta) {
    const high = interval !== null && interval.lower >= limits.high
    return {
      status: 'evidence',
      verdict: {
        level: high ? 'HIGH' : 'MODERATE',
        because: `${found}, p ${pText(p)}; it matters from ${percent(limits.delta)}, high when certain to reach ${percent(limits.high)}`,
      },
    }
  }
  if (interval !== null && interval.upper < limits.delta)
    return {
      status: 'no-evidence',
      verdict: {
        level: 'LOW',
        because: `${found}, surely below ${percent(limits.delta)}${p < SIGNIFICANT ? `, though not by chance (p ${pText(p)}): some people are given away` : ''}`,
      },
    }
  return {
    status: 'inconclusive',
    verdict: {
      level: 'INCONCLUSIVE',
      because: `${found}, p ${pText(p)}: neither shown to reach ${percent(limits.delta)} nor to stay below it${unnoticed(minimalDetectable)}`,
    },
  }
}

function unnoticed(minimalDetectable: number | null): string {
  if (minimalDetectable === null) return ''
  return minimalDetectable < 1
    ? `; an effect below ${percent(minimalDetectable)} would have gone unnoticed`
    : '; with so few records even the largest effect would have gone unnoticed'
}

const RISKIEST_FIRST: readonly Verdict['level'][] = [
  'HIGH',
  'ELEVATED',
  'MODERATE',
  'INCONCLUSIVE',
  'LOW',
  'NOT ASSESSED',
]

/** Of several looks at one release the riskiest counts: an alarm of any stands, and LOW takes all that could be assessed. */
export function byRisk(a: { readonly verdict: Verdict }, b: { readonly verdict: Verdict }): number {
  return RISKIEST_FIRST.indexOf(a.verdict.level) - RISKIEST_FIRST.indexOf(b.verdict.level)
}

/** `reason` completes "not assessed: ..."; it is given by who knows what is missing. */
export function notAssessable(reason = NO_HOLDOUT): ControlVerdict {
  return { status: 'not-assessable', verdict: { level: 'NOT ASSESSED', because: reason } }
}

const NO_HOLDOUT = 'there are no records outside the release to compare with (--holdout)'

/** `reason` says what the attack was no better than. */
export function attackTooWeak(reason: string): ControlVerdict {
  return {
    status: 'attack-too-weak',
    verdict: { level: 'NOT ASSESSED', because: `the attack is too weak to say anything: ${reason}` },
  }
}

function pText(p: number): string {
  return p < 0.0001 ? 'below 0.0001' : `= ${p.toPrecision(2)}`
}
