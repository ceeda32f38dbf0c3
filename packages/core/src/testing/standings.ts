import type { Described } from '../assess/policy.js'
import type { Figure, ReleaseStanding, Standing, ThreatStanding } from '../assess/standing.js'
import type { Threat } from '../evidence/threats.js'

/** Small standings to hold policies against. */
export const TODAY = '2026-06-15'

export const MEASURES: readonly Described[] = [
  { id: 'attribution', unit: 'share', orientation: 'risk', role: 'decides', threat: 'attribute' },
  { id: 'k-anonymity', unit: 'share', orientation: 'risk', role: 'structure', threat: 'identity' },
  { id: 'suda', unit: 'score', range: [0, Number.POSITIVE_INFINITY], orientation: 'risk', role: 'structure' },
  { id: 'pmse', unit: 'score', orientation: 'utility', role: 'supports' },
]

export function threat(
  name: Threat,
  level: ThreatStanding['level'],
  leakage: number | null = null,
  upper: number | null = leakage === null ? null : leakage + 0.05,
  target: string | null = null,
): ThreatStanding {
  return {
    threat: name,
    target,
    level,
    leakage,
    upper,
    reason: level === 'NOT ASSESSED' ? { code: 'nothing-compared' } : null,
  }
}

export function figure(measure: string, value: number | null, half = 0, target: string | null = null): Figure {
  return {
    measure,
    target,
    value,
    interval: half === 0 || value === null ? null : { lower: value - half, upper: value + half },
    reason: value === null ? { code: 'needs', needs: ['keys'] } : null,
  }
}

const WORST_FIRST = ['HIGH', 'MODERATE', 'INCONCLUSIVE', 'LOW', 'NOT ASSESSED'] as const

export function released(
  name: string,
  threats: readonly ThreatStanding[],
  measures: readonly Figure[] = [],
): ReleaseStanding {
  const level = WORST_FIRST.find((one) => threats.some((each) => each.level === one)) ?? 'NOT ASSESSED'
  return { name, level, threats: [...threats], measures: [...measures] }
}

export function standing(...releases: readonly ReleaseStanding[]): Standing {
  return {
    kind: 'scrim baseline',
    schemaVersion: 1,
    seed: 1,
    original: { name: 'original.csv', records: 100 },
    holdout: null,
    keys: ['sex', 'age'],
    numericKeys: [],
    targets: ['income'],
    type: 'synthetic',
    releases: [...releases],
    failed: [],
  }
}
