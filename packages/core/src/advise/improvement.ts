import type { ReleaseAssessment, ThreatAssessment } from '../assess/assessment.js'
import { byLevel, isAlarm, type Level, LIMITS, levelAfter, worstFirst } from '../assess/judge.js'
import type { Threat } from '../evidence/threats.js'
import type { Difference } from './utility-gauge.js'

/**
 * How a changed release stands beside the release as it is. What can no longer be seen has not become better (`levelAfter`): a
 * threat that cannot be assessed any more keeps its level and leakage. So no change earns anything by making a measure blind.
 *
 *   severity = max over threats of leakage / high limit: HIGH begins at about 1
 *   burden   = the sum of the same, so that a step against one of several threats counts too
 */
export interface Improvement {
  readonly level: Level
  readonly severity: number
  readonly burden: number
  /** The threat that comes first in `assess`. */
  readonly worst: Pick<ThreatChange, 'threat' | 'target' | 'leakage'> | null
  readonly threats: readonly ThreatChange[]
}

interface ThreatChange {
  readonly threat: Threat
  readonly target: string | null
  readonly before: Level
  readonly level: Level
  readonly leakage: number | null
  /** Whether it could be seen as before. */
  readonly seen: boolean
  /** Of the leakage; bounds as if the two were measured on different people, which is wider than they are. */
  readonly change: Difference | null
}

export function improvementOf(before: ReleaseAssessment, now: ReleaseAssessment): Improvement {
  const threats = now.threats.flatMap((threat) =>
    threatChange(
      before.threats.find((one) => sameQuestion(one, threat)),
      threat,
    ),
  )
  const weights = threats.map(({ threat, leakage }) => Math.min(1, Math.max(0, leakage ?? 0)) / LIMITS[threat].high)
  const [worst] = [...threats].sort(worstFirst)
  const worstLevel = worst?.level ?? 'NOT ASSESSED'
  const level =
    byLevel(now.verdict, { level: worstLevel }) < 0 && isAlarm(now.verdict.level) ? now.verdict.level : worstLevel
  return {
    level,
    severity: Math.max(0, ...weights),
    burden: weights.reduce((sum, weight) => sum + weight, 0),
    worst: worst === undefined ? null : { threat: worst.threat, target: worst.target, leakage: worst.leakage },
    threats,
  }
}

const sameQuestion = (a: ThreatAssessment, b: ThreatAssessment) => a.threat === b.threat && a.target === b.target

function threatChange(before: ThreatAssessment | undefined, now: ThreatAssessment): ThreatChange[] {
  const { threat, target } = now
  const was = before?.level ?? 'NOT ASSESSED'
  const level = levelAfter(was, now.level)
  if (now.level === 'NOT ASSESSED') {
    if (before === undefined || was === 'NOT ASSESSED') return []
    return [{ threat, target, before: was, level, leakage: before.leakage, seen: false, change: null }]
  }
  const change = before === undefined ? null : leakageChange(before, now)
  return [{ threat, target, before: was, level, leakage: now.leakage, seen: true, change }]
}

/** Distances from an estimate to its bounds add up in squares. */
function leakageChange(before: ThreatAssessment, now: ThreatAssessment): Difference | null {
  if (before.leakage === null || now.leakage === null) return null
  const value = now.leakage - before.leakage
  if (before.interval === null || now.interval === null) return { value, lower: null, upper: null }
  return {
    value,
    lower: value - Math.hypot(now.leakage - now.interval.lower, before.interval.upper - before.leakage),
    upper: value + Math.hypot(now.interval.upper - now.leakage, before.leakage - before.interval.lower),
  }
}
