import type { ThreatAssessment } from '../assess/assessment.js'
import type { Threat } from '../evidence/threats.js'
import type { AddedTo } from '../measure.js'
import { studentTQuantile } from '../stats/distributions.js'
import { INTERVAL_ENDS } from '../stats/levels.js'
import { rankCorrelation } from '../stats/samples/ranks.js'
import { mean, variance } from '../stats/sums.js'
import { scoresOf } from './risk-draws.js'

/**
 * Do the measures say the same? Over the people of one candidate: Spearman's correlation of what two threats add about each
 * person, so whether they flag the same people; it rests on all records. Over candidates: Spearman's matrix of the scores, and
 * Cronbach's (1951) alpha of a block, α = k / (k - 1) (1 - Σ var_k / var(Σ)), with a jackknife interval; from eight
 * candidates on only, since with fewer any of these is noise.
 */
export const FEWEST_CANDIDATES = 8

export interface RecordAgreement {
  readonly a: ThreatName
  readonly b: ThreatName
  /** Null where one of the two says the same of everybody. */
  readonly spearman: number | null
  readonly records: number
}

interface ThreatName {
  readonly threat: Threat
  readonly target: string | null
}

export function recordAgreement(threats: readonly ThreatAssessment[], added: readonly AddedTo[]): RecordAgreement[] {
  const scored = threats.flatMap((threat) => {
    const scores = scoresOf(threat, added)
    return scores === undefined ? [] : [{ name: { threat: threat.threat, target: threat.target }, scores }]
  })
  return scored.flatMap((a, k) =>
    scored.slice(k + 1).map((b) => {
      const known = Array.from({ length: a.scores.length }, (_, row) => row).filter(
        (row) => !Number.isNaN(a.scores[row]) && !Number.isNaN(b.scores[row]),
      )
      const [x, y] = [a, b].map(({ scores }) => Float64Array.from(known, (row) => scores[row]))
      return { a: a.name, b: b.name, spearman: rankCorrelation(x, y), records: known.length }
    }),
  )
}

export interface Alpha {
  readonly value: number
  readonly lower: number
  readonly upper: number
}

/** Rows are candidates, columns the measures of a block. Null where it is not defined. */
export function cronbachAlpha(rows: readonly (readonly number[])[]): Alpha | null {
  const value = alphaOf(rows)
  const left = rows.map((_, k) => alphaOf(rows.filter((_, j) => j !== k)))
  const known = left.flatMap((one) => one ?? [])
  if (value === null || known.length < rows.length || rows.length < 3) return null
  const n = rows.length
  const centre = mean(known) ?? value
  const se = Math.sqrt(((n - 1) / n) * known.reduce((sum, one) => sum + (one - centre) ** 2, 0))
  const t = studentTQuantile(INTERVAL_ENDS[1], n - 1)
  return { value, lower: value - t * se, upper: value + t * se }
}

export function alphaOf(rows: readonly (readonly number[])[]): number | null {
  const k = rows[0]?.length ?? 0
  if (rows.length < 2 || k < 2) return null
  const total = variance(rows.map((row) => row.reduce((sum, one) => sum + one, 0)))
  if (total === null || total === 0) return null
  const parts = Array.from({ length: k }, (_, j) => variance(rows.map((row) => row[j])) ?? 0)
  return (k / (k - 1)) * (1 - parts.reduce((sum, one) => sum + one, 0) / total)
}
