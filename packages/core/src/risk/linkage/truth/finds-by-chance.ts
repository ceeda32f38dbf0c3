import { math } from '@scrim/kernels'
import { NotApplicable } from '../../../errors.js'
import { recordAtRandom, theOriginal } from '../../../evidence/controls.js'
import type { Finding } from '../../../measure.js'
import { type Interval, wilson } from '../../../stats/intervals.js'
import { BOUNDS_LEVEL, INTERVAL_LEVEL } from '../../../stats/levels.js'
import { standardDeviation } from '../../../stats/sums.js'
import type { Attack } from '../attack.js'
import { multiplicity } from './truth.js'

/**
 * How often so many finds come about when scores have nothing to do with who is who: the true records dealt out at random
 * among the candidates. With T = Σ r and weights of a person summing to 1 at most, k given people are all named with
 * probability 1 / (m (m - 1) ... (m - k + 1)) at most, so E C(T, k) <= C(n, k) / (m)_k, whatever the scores and ties, and
 *   P(T >= t) <= Π_{j < k} (n - j) / ((m - j) (t - j)), k the whole part of t.
 * Over several blocks with μ = Σ n_b / m_b people expected at most, E (1 + s)^T <= exp(μ s), so P(T >= t) <= exp(t - μ) (μ / t)^t.
 * Where a person has up to c records, or a record c persons, the true pairs are c sets of the first kind, and t / c is asked.
 */
export function chanceOfFinds(finds: number, people: number, records: number): number {
  let p = 1
  // Rounding must not cost a whole find its place.
  const whole = Math.floor(finds + 1e-9)
  for (let k = 0; k < whole && p > 0; k++) p *= Math.max(0, people - k) / Math.max(1, records - k) / (finds - k)
  return Math.min(1, p)
}

export function chanceOfFindsInBlocks(finds: number, expected: number): number {
  if (finds <= expected) return 1
  if (expected === 0) return 0
  return Math.min(1, math.exp(finds - expected + finds * math.log(expected / finds)))
}

export function pOfAttack({ files, truth, asked, linked, blocks }: Attack, finds: number): number {
  const copies = Math.max(1, multiplicity(truth))
  let people = 0
  let expected = 0
  for (let row = 0; row < files.query.ids.length; row++) {
    let inBlock = false
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++)
      if (!Number.isNaN(linked.pairCost[asked.place[k]])) inBlock = true
    if (!inBlock) continue
    people++
    expected += 1 / linked.candidates[files.query.ids[row]]
  }
  return blocks.length === 1 && blocks[0].searches === null
    ? chanceOfFinds(finds / copies, people, files.search.records)
    : chanceOfFindsInBlocks(finds / copies, expected)
}

/** Variance of Σ r over random one-to-one truths, for one block of n x n. */
export function varianceByChance({
  files,
  linked,
  blocks,
}: Pick<Attack, 'files' | 'linked' | 'blocks'>): number | null {
  const n = files.query.ids.length
  if (n < 2 || n !== files.search.records || blocks.length !== 1 || blocks[0].searches !== null) return null
  let byRow = 0
  let all = 0
  for (let a = 0; a < files.query.classes; a++) {
    byRow += files.query.counts[a] * (linked.weight[a] / n) ** 2
    all += files.query.counts[a] * linked.weight[a]
  }
  let byColumn = 0
  for (let c = 0; c < files.search.classes; c++) byColumn += files.search.counts[c] * (linked.received[c] / n) ** 2
  const mean = all / n ** 2
  return Math.max(0, (linked.squares - n * byRow - n * byColumn + n ** 2 * mean ** 2) / (n - 1))
}

/** How many people of those looked for were found, beside chance and the original itself. */
export interface Finds {
  readonly value: number
  readonly byChance: number
  readonly ofOriginal: number
  readonly p: number
  /** Finds among the people with the same keys, who have the same nearest records: from 0 to 1 each. Their sum is `found`. */
  readonly keys: Float64Array
  readonly found: number
  readonly lookedFor: number
  /** Records of one person at most. */
  readonly copies?: number
  /** People who are found or missed together. */
  readonly together?: number
  /** Attacks of which this was the most successful: the lower bound allows for the choice. */
  readonly tried?: number
}

/**
 * Sums over the G different keys are G numbers between 0 and 1, which vary no more than coin tosses: hence Wilson's bounds on G
 * of them.
 */
export function evidenceOfFinds({
  value,
  byChance,
  ofOriginal,
  p,
  keys,
  found,
  lookedFor,
  copies = 1,
  together = 1,
  tried = 1,
}: Finds): Pick<Finding, 'interval' | 'controls' | 'effect'> & { readonly value: number } {
  const bound = (level: number): Interval => {
    const interval = wilson(found / together, keys.length / together, level)
    if (interval === null) throw new NotApplicable('there is nobody to look for')
    const factor = (copies * keys.length) / lookedFor
    return { ...interval, lower: factor * interval.lower, upper: factor * interval.upper }
  }
  return {
    value,
    interval: bound(INTERVAL_LEVEL),
    controls: { ...recordAtRandom(byChance), everything: theOriginal(ofOriginal) },
    effect: {
      value: value - byChance,
      se: ((standardDeviation(keys) ?? 0) * copies * Math.sqrt(together * keys.length)) / lookedFor,
      lower: bound(1 - (1 - BOUNDS_LEVEL) / tried).lower - byChance,
      upper: bound(BOUNDS_LEVEL).upper - byChance,
      p,
    },
  }
}
