import type { Verdict } from '../../measure.js'
import { percent } from '../../print.js'
import type { Baselines } from './baselines.js'
import type { MarginalRisk } from './holdout.js'

/** Shares of the original's records about whom the release gives away more than others could know. */
const ELEVATED_FROM = 0.01
const HIGH_FROM = 0.05

/**
 * With a holdout the verdict rests on the marginal risk and its interval. Without one it rests on the claims that the
 * release makes for certain, less what the best single key of everybody else already tells (b2).
 */
export function attributionVerdict(baselines: Baselines, marginal: MarginalRisk | null): Verdict {
  if (marginal !== null) {
    const { difference, holdout, interval } = marginal
    const significant = interval !== null && interval.lower > 0
    const level = !significant ? 'LOW' : difference < HIGH_FROM ? 'ELEVATED' : 'HIGH'
    return {
      level,
      because: `${percent(difference)} more records disclosed than in the holdout (${percent(holdout)})${significant ? '' : ', which may be chance'}`,
    }
  }
  const { excess } = baselines.b2
  const level = excess < ELEVATED_FROM ? 'LOW' : excess < HIGH_FROM ? 'ELEVATED' : 'HIGH'
  return {
    level,
    because: `${percent(excess)} of records beyond what one key alone tells (elevated from 1 %, high from 5 %; no holdout was used)`,
  }
}
