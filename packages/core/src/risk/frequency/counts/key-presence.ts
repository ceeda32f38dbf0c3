import { NotApplicable } from '../../../errors.js'
import { quantileSorted } from '../../../stats/quantile.js'
import { keyClasses, type Part, rowsOfPart, tableOfPart, weightsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import type { Options } from '../delta-presence.js'
import { countWhere, incompleteRows } from './frequencies.js'

/** For each key the share of the population that is in the release: δ-presence. */
export type KeyCounts = ReturnType<typeof countKeys>

/** Per row its key, -1 for a dropped one; per key the records, weighted (`perKey`) and as counted. */
export function countKeys(release: Release, part: Part, { missing, weighted }: Options) {
  const joint = keyClasses(release, release.keys)
  const incomplete = incompleteRows(release, part, release.keys)
  const rows = rowsOfPart(release, joint, joint.ids, part).map((key, row) =>
    missing === 'drop' && incomplete[row] === 1 ? -1 : key,
  )
  const dropped = countWhere(rows, (key) => key < 0)
  if (dropped === rows.length)
    throw new NotApplicable(`every record of ${tableOfPart(release, part).name} has a missing key`)
  const weights = weighted ? weightsOfPart(release, part) : null
  const perKey = new Float64Array(joint.count)
  const records = new Float64Array(joint.count)
  let total = 0
  for (let row = 0; row < rows.length; row++) {
    if (rows[row] < 0) continue
    const weight = weights === null ? 1 : weights[row]
    perKey[rows[row]] += weight
    records[rows[row]]++
    total += weight
  }
  return { rows, perKey, records, total, dropped }
}

export type Bounds = Pick<Options, 'deltaMin' | 'deltaMax'>

/** As a probability, so never above 1; bounds are strict. */
export function isAbove(ratio: number, { deltaMax }: Bounds): boolean {
  return deltaMax !== null && Math.min(1, ratio) > deltaMax
}

export function isBelow(ratio: number, { deltaMin }: Bounds): boolean {
  return deltaMin !== null && ratio < deltaMin
}

export function isViolation(ratio: number, bounds: Bounds): boolean {
  return isAbove(ratio, bounds) || isBelow(ratio, bounds)
}

export function summariseKeys(ratio: Float64Array, records: Float64Array) {
  const sorted = ratio.filter((_, key) => records[key] > 0).sort()
  const at = (share: number) => quantileSorted(sorted, share) ?? 0
  return {
    keys: sorted.length,
    lowest: at(0),
    p25: at(0.25),
    median: at(0.5),
    mean: sorted.reduce((a, b) => a + b, 0) / sorted.length,
    p75: at(0.75),
    highest: at(1),
    /** Keys that the release lacks, and keys that it has more often than the larger table. */
    absent: countWhere(sorted, (value) => value === 0),
    above1: countWhere(sorted, (value) => value > 1),
  }
}

/** Keys of the release that the larger table lacks, and their records. */
export function fabricatedKeys(base: Float64Array, released: Float64Array) {
  const records = released.filter((count, key) => count > 0 && base[key] === 0)
  return { keys: records.length, records: records.reduce((a, b) => a + b, 0) }
}

const HIGHEST_SHOWN = 30

export function highestKeys(ratio: Float64Array, records: Float64Array, inRelease: Float64Array) {
  const before = (a: number, b: number) => ratio[a] > ratio[b] || (ratio[a] === ratio[b] && records[a] > records[b])
  const kept: number[] = []
  for (let key = 0; key < ratio.length; key++) {
    if (records[key] === 0 || (kept.length === HIGHEST_SHOWN && !before(key, kept[HIGHEST_SHOWN - 1]))) continue
    const place = kept.findIndex((other) => before(key, other))
    kept.splice(place < 0 ? kept.length : place, 0, key)
    if (kept.length > HIGHEST_SHOWN) kept.pop()
  }
  return kept.map((key) => ({ ratio: ratio[key], original: records[key], released: inRelease[key] }))
}
