import type { Convention } from '../../../risk/attribution/counts/attack.js'
import { pooledTarget } from './pooled-target.js'

/**
 * riskutility 0.2.0 drops records with a missing key or target, knows no weights, and groups a target at the quantiles of both
 * files (dcap, tcap) or not at all (weap, disco).
 */
export const RISKUTILITY: Convention = {
  dropsMissing: true,
  knowsWeights: false,
  targetOf: (release, part, name, groups) => pooledTarget(release, part, name, groups, 'riskutility'),
}

export const RISKUTILITY_UNGROUPED: Convention = {
  ...RISKUTILITY,
  targetOf: (release, part, name, groups) =>
    pooledTarget(release, part, name, groups === 'auto' ? 'none' : groups, 'riskutility'),
}

/** What riskutility prints about the ratio of a figure to its baseline; it cuts at 1 and 1.5. */
export function riskutilityWording(ratio: number | null) {
  if (ratio === null) return { says: 'undefined' }
  return { says: ratio > 1.5 ? 'elevated risk' : ratio > 1 ? 'slightly elevated' : 'low risk' }
}
