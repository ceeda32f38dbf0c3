import type { Verdict } from '../../measure.js'
import { percent } from '../../print.js'
import type { Interval } from '../../stats/intervals.js'
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
  if (marginal !== null) return marginalVerdict(marginal)
  const { excess } = baselines.b2
  const level = excess < ELEVATED_FROM ? 'LOW' : excess < HIGH_FROM ? 'ELEVATED' : 'HIGH'
  return {
    level,
    because: `${percent(excess)} of records beyond what one key alone tells (elevated from 1 %, high from 5 %; no holdout was used)`,
  }
}

/** More people of the original disclosed than of the holdout, and more than chance explains? */
function marginalVerdict({ difference, holdout, interval }: MarginalRisk): Verdict {
  const significant = interval !== null && interval.lower > 0
  const level = !significant ? 'LOW' : difference < HIGH_FROM ? 'ELEVATED' : 'HIGH'
  return {
    level,
    because: `${percent(difference)} more records disclosed than in the holdout (${percent(holdout)})${significant ? '' : ', which may be chance'}`,
  }
}

/** As `attributionVerdict` where the baselines may be unknown, as they are for matching by distance. */
export function claimsVerdict(baselines: Baselines | null, excess: number, marginal: MarginalRisk | null): Verdict {
  if (baselines !== null) return attributionVerdict(baselines, marginal)
  return marginal === null ? chanceVerdict(excess) : marginalVerdict(marginal)
}

/**
 * For a mean CAP: with a holdout the marginal risk; without one, by how much the release guesses better than everybody
 * else's records do (leave-one-out), if that is more than the spread between key classes explains.
 */
export function capVerdict(gain: number, interval: Interval | null, marginal: MarginalRisk | null): Verdict {
  const difference = marginal?.difference ?? gain
  const range = marginal === null ? interval : marginal.interval
  const mayBeChance = range !== null && range.lower <= 0
  const level = mayBeChance || difference < ELEVATED_FROM ? 'LOW' : difference < HIGH_FROM ? 'ELEVATED' : 'HIGH'
  const against = marginal === null ? "other people's records" : 'the holdout'
  return {
    level,
    because: `a guess is right ${percent(difference)} more often than with ${against}${mayBeChance ? ', which may be chance' : ''} (elevated from 1 %, high from 5 %${marginal === null ? '; no holdout was used' : ''})`,
  }
}

/** What remains beyond the exact chance level. */
function chanceVerdict(excess: number): Verdict {
  const level = excess < ELEVATED_FROM ? 'LOW' : excess < HIGH_FROM ? 'ELEVATED' : 'HIGH'
  return {
    level,
    because: `${percent(excess)} of records beyond chance (elevated from 1 %, high from 5 %; no holdout was used, facts about the population are not taken off)`,
  }
}

/** riskutility's wording, on the ratio of a figure to its baseline. */
export function ratioVerdict(ratio: number | null): Verdict {
  if (ratio === null) return { level: 'INCONCLUSIVE', because: 'the ratio to the baseline is undefined' }
  const level = ratio > 1.5 ? 'ELEVATED' : ratio > 1 ? 'MODERATE' : 'LOW'
  const wording = ratio > 1.5 ? 'elevated risk' : ratio > 1 ? 'slightly elevated' : 'low risk'
  return { level, because: `${wording}: ${ratio.toFixed(2)} times the baseline (riskutility cuts at 1 and 1.5)` }
}
