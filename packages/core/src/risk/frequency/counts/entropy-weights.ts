import { math } from '@scrim/kernels'
import { jointCodes, rowsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'

/** ω = (1/H)/Σ(1/H) with H the entropy in the original; 0 for a constant variable. */
export function weighVariables(
  release: Release,
  originals: Int32Array,
  { bins, weightCap }: { readonly bins: number; readonly weightCap: number | null },
) {
  const entropies = release.variables.map((name) => entropyOf(release, name, originals, bins))
  const inverse = entropies.map((entropy) => (entropy > 0 ? 1 / entropy : 0))
  const total = inverse.reduce((a, b) => a + b, 0)
  const weights = total === 0 ? inverse.map(() => 1 / inverse.length) : inverse.map((value) => value / total)
  const capped = weightCap === null ? weights : cap(weights, weightCap / weights.length)
  return release.variables.map((variable, k) => ({ variable, weight: capped[k], entropy: entropies[k] }))
}

/** Weights cut at `most`, what is cut going to the others in proportion, until none is above or all are there. */
function cap(weights: readonly number[], most: number): number[] {
  const positive = weights.filter((weight) => weight > 0).length
  if (most * positive <= 1) return weights.map((weight) => (weight > 0 ? 1 / positive : 0))
  const fixed = new Set<number>()
  for (;;) {
    const free = weights.reduce((sum, weight, k) => sum + (fixed.has(k) ? 0 : weight), 0)
    const left = 1 - most * fixed.size
    const scaled = weights.map((weight, k) => (fixed.has(k) ? most : (weight * left) / free))
    const over = scaled.findIndex((weight, k) => !fixed.has(k) && weight > most)
    if (over < 0) return scaled
    for (const [k, weight] of scaled.entries()) if (weight > most) fixed.add(k)
  }
}

function entropyOf(release: Release, name: string, originals: Int32Array, bins: number): number {
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  const place = joint.kind === 'categorical' ? null : binOfEachNumber(joint.numbers, codes, originals, bins)
  const counts = new Float64Array(place === null ? joint.cardinality : bins)
  for (const row of originals) counts[place === null ? codes[row] : place[codes[row]]]++
  let entropy = 0
  for (const count of counts) {
    const share = count / originals.length
    if (share > 0) entropy -= share * math.log(share)
  }
  return entropy > 1e-12 ? entropy : 0
}

/** Bins reach this far beyond the smallest and largest value, as in riskutility. */
const WIDENED = 1e-10

/** Right-closed bins of equal width over the original's range, the ends a little widened. */
function binOfEachNumber(numbers: Float64Array, codes: Int32Array, originals: Int32Array, bins: number): Int32Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const row of originals) {
    low = Math.min(low, numbers[codes[row]])
    high = Math.max(high, numbers[codes[row]])
  }
  const start = low - WIDENED
  const width = (high + WIDENED - start) / bins
  return Int32Array.from(numbers, (value) =>
    low < high ? Math.max(0, Math.min(bins - 1, Math.ceil((value - start) / width) - 1)) : 0,
  )
}
