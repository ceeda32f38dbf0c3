import type { Stream } from '../../../random/stream.js'
import { chiSquaredUpper } from '../../../stats/distributions.js'
import { recordsOf } from '../../../stats/repeated.js'
import {
  bridgeDraws,
  effectiveSize,
  largestGap,
  mergeSamples,
  smirnovP,
  tieEnds,
  wasserstein,
} from '../../../stats/samples/two-samples.js'
import { mean, total, variance } from '../../../stats/sums.js'
import { permutationPValue } from '../../../stats/tests/tests.js'
import { pearson } from '../../tables/table-tests.js'
import type { LevelPair, NumberPair } from './columns.js'

/** Draws of what chance would give; p below what they resolve comes from a gamma distribution with their mean and variance. */
const DRAWS = 499
const ENOUGH_BEYOND = 10

/** Of W₁ if both files were samples of one population. */
export function wassersteinP(pair: NumberPair, random: Stream): number | null {
  const merged = mergeSamples(pair.x, pair.y)
  if (merged === null || merged.z.length < 2) return null
  return tailP(wasserstein(merged), bridgeDraws(merged, random, DRAWS).w)
}

/** Of D: exact for few values, else Kolmogorov's limit, and where values repeat the draws, for which it is too cautious. */
export function smirnovTest(pair: NumberPair, random: Stream): number | null {
  const merged = mergeSamples(pair.x, pair.y)
  if (merged === null || merged.z.length < 2) return null
  const { d } = largestGap(merged)
  const [m, n] = [effectiveSize(pair.x), effectiveSize(pair.y)]
  const isExact = m * n < 10_000
  const limit = smirnovP({ d, m, n }, isExact ? tieEnds(pair.x, pair.y) : undefined)
  const repeats = merged.z.length < 0.9 * (recordsOf(pair.x) + recordsOf(pair.y))
  return isExact || !repeats ? limit : Math.min(limit, tailP(d, bridgeDraws(merged, random, DRAWS).d))
}

export function tailP(observed: number, draws: Float64Array): number {
  const p = permutationPValue(observed, draws)
  const [centre, spread] = [mean(draws) ?? 0, variance(draws) ?? 0]
  if (p * (1 + draws.length) > ENOUGH_BEYOND || !(spread > 0)) return p
  return Math.min(p, chiSquaredUpper((2 * observed * centre) / spread, (2 * centre * centre) / spread))
}

const LEAST_EXPECTED = 5

/**
 * Pearson's X² of two rows of counts, Σ (o - e)² / e, and its p-value; categories of which fewer than 5 are expected in the
 * smaller file are taken together. Weighted counts are brought to the effective sizes. Null with a single category.
 */
export function homogeneity({ original, released, n1, n2 }: LevelPair) {
  const [total1, total2] = [total(original), total(released)]
  if (!(total1 > 0) || !(total2 > 0)) return null
  const [o, s] = [original.map((count) => (count * n1) / total1), released.map((count) => (count * n2) / total2)]
  const share = Math.min(n1, n2) / (n1 + n2)
  const cells: [number, number][] = []
  let rest: [number, number] = [0, 0]
  for (let k = 0; k < o.length; k++) {
    if ((o[k] + s[k]) * share < LEAST_EXPECTED) rest = [rest[0] + o[k], rest[1] + s[k]]
    else cells.push([o[k], s[k]])
  }
  if (rest[0] + rest[1] > 0) cells.push(rest)
  const df = cells.length - 1
  if (df < 1) return null
  const x2 = pearson(
    Float64Array.from(cells, ([a]) => a),
    Float64Array.from(cells, ([, b]) => b),
  )
  return { x2, df, p: chiSquaredUpper(x2, df) }
}
