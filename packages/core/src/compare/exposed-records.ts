import type { ThreatAssessment } from '../assess/assessment.js'
import type { AddedTo } from '../measure.js'
import { meanRanks } from '../stats/samples/ranks.js'
import { valueAt } from '../table/column.js'
import type { Release } from '../table/release.js'
import { columnOf } from '../table/table.js'
import type { ExposedRecord } from './comparison.js'
import { scoresOf } from './risk-draws.js'

const SHOWN = 10

/**
 * The people about whom most is added, by the mean over threats of their percentile; with what each threat adds. They are
 * persons: for those only who may see the original.
 */
export function exposedRecords(
  release: Release,
  threats: readonly ThreatAssessment[],
  added: readonly AddedTo[],
): readonly ExposedRecord[] {
  const scored = threats.flatMap((threat) => {
    const scores = scoresOf(threat, added)
    if (scores === undefined) return []
    const ranks = meanRanks(Float64Array.from(scores))
    const known = ranks.reduce((count, rank) => (Number.isNaN(rank) ? count : count + 1), 0)
    return [{ threat: threat.threat, scores, percentile: ranks.map((rank) => (rank - 0.5) / known) }]
  })
  if (scored.length === 0) return []
  const overall = Float64Array.from({ length: release.original.rows }, (_, row) => {
    const percentiles = scored.map(({ percentile }) => percentile[row]).filter((one) => !Number.isNaN(one))
    return percentiles.length === 0 ? -1 : percentiles.reduce((sum, one) => sum + one, 0) / percentiles.length
  })
  const order = Int32Array.from(overall, (_, row) => row).sort((a, b) => overall[b] - overall[a] || a - b)
  const keys = release.keys.map((name) => columnOf(release.original, name))
  return Array.from(order.subarray(0, SHOWN), (row) => ({
    row: row + 1,
    keys: keys.map((column) => String(valueAt(column, row) ?? '')),
    by: scored.flatMap(({ threat, scores, percentile }) =>
      Number.isNaN(scores[row]) ? [] : [{ threat, added: scores[row], percentile: percentile[row] }],
    ),
  }))
}
