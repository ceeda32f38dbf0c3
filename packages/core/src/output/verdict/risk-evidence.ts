import { fixed, percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import type { MarginalVerdict } from '../risk/marginal.js'
import type { OutputRisk } from '../risk/risk.js'
import type { TargetRisk } from '../risk/target-risk.js'
import type { OutputRiskEvidence } from './check-schema.js'
import type { RiskLevel } from './verdict.js'

const LEVELS: Readonly<Record<MarginalVerdict, RiskLevel>> = {
  high: 'high',
  elevated: 'elevated',
  inconclusive: 'inconclusive',
  'no marginal risk detected': 'none',
  'not assessed': 'not assessed',
}
const ORDER: readonly RiskLevel[] = ['not assessed', 'none', 'inconclusive', 'elevated', 'high']

/** The measured risk as the verdicts need it: that of the target about which most is revealed. */
export function riskEvidence({ targets, label }: OutputRisk): OutputRiskEvidence {
  const worst = targets.reduce<TargetRisk | null>((a, b) => (a === null || severity(b) > severity(a) ? b : a), null)
  if (worst === null)
    return { level: 'not assessed', sentence: 'The risk was not measured: there is nothing to be found out.' }
  return { level: LEVELS[worst.verdict], sentence: `${sentenceOf(worst)}${label === null ? '' : ` (${label})`}.` }
}

/** Nothing could be measured; the rules decide alone. */
export function noEvidence(reason: string): OutputRiskEvidence {
  return { level: 'not assessed', sentence: `The risk was not measured: ${reason}.` }
}

function severity({ verdict, success }: TargetRisk): number {
  return ORDER.indexOf(LEVELS[verdict]) + Math.max(0, Math.min(0.99, success.value ?? 0))
}

/** In points, with its sign. */
const signed = (share: number) => `${share < 0 ? '−' : '+'}${fixed(Math.abs(100 * share), 2)}`

function sentenceOf({ target, success, verdict }: TargetRisk): string {
  const { value, interval } = success
  if (value === null)
    return `Whether the outputs reveal more about the ${target} of people in the data than of others was not assessed`
  const bounds =
    interval === null
      ? ''
      : ` (${percent(INTERVAL_LEVEL, 0)} interval ${signed(interval.lower)} to ${signed(interval.upper)})`
  const points = `${fixed(Math.abs(100 * value), 2)} points ${value < 0 ? 'less' : 'more'} often`
  const more = `${target} is guessed right ${points} for people in the data than for others${bounds}`
  return verdict === 'no marginal risk detected'
    ? `No marginal risk was found: ${more}`
    : `Marginal risk ${verdict}: ${more}`
}
