import { type Interval, wilson } from '../../../stats/intervals.js'
import { jointCodes, rowsOfPart } from '../../../table/classes.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { quantileClasses } from './key-levels.js'

/** Share at risk within a level of a key; groups with few records are not shown. */
export type GroupRate = {
  readonly key: string
  readonly level: string
  readonly records: number
  readonly rate: number
  readonly interval: Interval | null
  /** Rate over the overall rate; null when nobody is at risk. */
  readonly ratio: number | null
}

const SMALLEST_GROUP = 10
const MOST_LEVELS = 30
const QUARTERS = 4

/** Rates by level of each column, the riskiest first; numbers in quarters. */
export function groupRates(
  release: Release,
  rows: Int32Array,
  atRisk: Uint8Array,
  columns: readonly string[],
): GroupRate[] {
  const overall = rows.length === 0 ? 0 : atRisk.reduce((sum, flag) => sum + flag, 0) / rows.length
  return columns.flatMap((key) => {
    const { codes, labels } = levelsOf(release, key)
    const counts = new Float64Array(labels.length)
    const hits = new Float64Array(labels.length)
    for (let k = 0; k < rows.length; k++) {
      counts[codes[rows[k]]]++
      hits[codes[rows[k]]] += atRisk[k]
    }
    const found = labels.flatMap((level, k) => {
      if (counts[k] < SMALLEST_GROUP) return []
      const rate = hits[k] / counts[k]
      return [
        {
          key,
          level,
          records: counts[k],
          rate,
          interval: wilson(hits[k], counts[k]),
          ratio: overall > 0 ? rate / overall : null,
        },
      ]
    })
    return found.sort((a, b) => b.rate - a.rate).slice(0, MOST_LEVELS)
  })
}

/** Levels of a column of the original, numbers in quarters, missing the last. */
function levelsOf(release: Release, name: string): { codes: Int32Array; labels: readonly string[] } {
  const joint = jointCodes(release, name)
  const own = rowsOfPart(release, joint, joint.codes, 'original')
  const classes = joint.kind === 'categorical' ? null : quantileClasses(joint, own, QUARTERS)
  const labels = classes?.labels ?? labelsOf(joint)
  const codes = own.map((code) => (code < 0 ? labels.length : (classes?.bins[code] ?? code)))
  return { codes, labels: [...labels, '(missing)'] }
}
