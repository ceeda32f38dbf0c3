import type { RealRecords } from '../outsiders/real-neighbours.js'

/** How often rows of the original stand in the release, as they are. */
export function compareRows(inTraining: Int32Array, inReleased: Int32Array) {
  const found = { identical: 0, identicalToUnique: 0, copied: 0, uniques: 0, pairs: 0, copiedUniques: 0 }
  for (let point = 0; point < inTraining.length; point++) {
    const [originals, released] = [inTraining[point], inReleased[point]]
    if (originals === 0) continue
    found.identical += released
    if (released > 0) found.copied += originals
    if (originals === 2) found.pairs++
    if (originals > 1) continue
    found.uniques++
    found.identicalToUnique += released
    if (released > 0) found.copiedUniques++
  }
  return found
}

/** Of 1 - N_1 / n, `pairs` being N_2. */
export function coverageVariance(share: number, pairs: number, n: number): number {
  return (share * (1 - share) + (2 * pairs) / n) / n
}

/** What each real record gets from the released records that equal it. */
export function creditOfEqual({ points, records }: RealRecords, inReleased: Int32Array): Float64Array {
  return Float64Array.from(points, (point, k) => inReleased[point] / records[k])
}

export const MOST_SHOWN = 10

export function matchCounts(inTraining: Int32Array, inReleased: Int32Array) {
  const byOriginals = new Float64Array(MOST_SHOWN + 1)
  let [matches, identical, max] = [0, 0, 0]
  for (let point = 0; point < inTraining.length; point++) {
    const [originals, released] = [inTraining[point], inReleased[point]]
    if (originals === 0 || released === 0) continue
    byOriginals[Math.min(originals, MOST_SHOWN)] += released
    matches += originals * released
    identical += released
    max = Math.max(max, originals)
  }
  const shown = Math.max(1, Math.min(max, MOST_SHOWN))
  return {
    mean: identical > 0 ? matches / identical : null,
    max,
    distribution: Array.from({ length: shown }, (_, k) => ({ originals: k + 1, released: byOriginals[k + 1] })),
  }
}
