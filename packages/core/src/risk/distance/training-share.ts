import type { Finding, Verdict } from '../../measure.js'
import { type Exchangeability, shareInterval } from '../../stats/exchangeability.js'
import type { Interval } from '../../stats/intervals.js'
import { CONTROL_LIMITS, type ControlStatus, controlVerdict } from '../control-verdict.js'

/** Of the real records that released ones point at, the share that are training records, and what labels at random give. */
export type TrainingShare = {
  readonly score: number
  readonly status: ControlStatus
  readonly share: number
  readonly expected: number
  readonly excess: number
  readonly excessInterval: Interval
  readonly sd: number
  readonly z: number
  readonly p: number
  readonly pMethod: Exchangeability['pMethod']
  /** The excess that the test would have found with a chance of 80 %. */
  readonly minimalDetectable: number
}

type ShareFinding = Pick<Finding, 'value' | 'interval' | 'reference'> & {
  readonly verdict: Verdict
  readonly details: TrainingShare
}

/** `nearest` says which records the released ones point at: "nearest", "most proximate". */
export function trainingShare(test: Exchangeability | null, nearest: string): ShareFinding {
  if (test === null) throw new Error('a release without credit has no records')
  const { share, expected, sd, z, p, pMethod, excess, minimalDetectable } = test
  const { status, verdict } = controlVerdict({
    what: `excess share of training records among the ${nearest}`,
    effect: excess,
    interval: test.interval,
    p,
    limits: CONTROL_LIMITS.excessShare,
    minimalDetectable,
  })
  return {
    value: share,
    interval: shareInterval(test),
    reference: { value: expected, what: 'of labels at random' },
    verdict,
    details: {
      score: Math.max(0, excess),
      status,
      share,
      expected,
      excess,
      excessInterval: test.interval,
      sd,
      z,
      p,
      pMethod,
      minimalDetectable,
    },
  }
}

/** riskutility's verdict on a share, whatever the sizes: up to this, and no significant difference. */
export const RISKUTILITY_PASSES_UP_TO = 0.55
const RISKUTILITY_WILCOXON_ABOVE = 0.05

export function passesRiskutility(share: number, wilcoxonP: number | null): boolean {
  return share <= RISKUTILITY_PASSES_UP_TO && (wilcoxonP === null || wilcoxonP > RISKUTILITY_WILCOXON_ABOVE)
}
