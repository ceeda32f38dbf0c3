import { math } from '@scrim/kernels'
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
export function chanceOfFinds(found: number, people: number, records: number): number {
  let p = 1
  // Rounding must not cost a whole find its place.
  const whole = Math.floor(found + 1e-9)
  for (let k = 0; k < whole && p > 0; k++) p *= Math.max(0, people - k) / Math.max(1, records - k) / (found - k)
  return Math.min(1, p)
}

export function chanceOfFindsInBlocks(found: number, expected: number): number {
  if (found <= expected) return 1
  if (expected === 0) return 0
  return Math.min(1, math.exp(found - expected + found * math.log(expected / found)))
}

export function pOfAttack({ files, truth, asked, linked, blocks }: Attack, found: number): number {
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
    ? chanceOfFinds(found / copies, people, files.search.ids.length)
    : chanceOfFindsInBlocks(found / copies, expected)
}

/** Variance of Σ r over random one-to-one truths, for one block of n x n. */
export function varianceByChance({
  files,
  linked,
  blocks,
}: Pick<Attack, 'files' | 'linked' | 'blocks'>): number | null {
  const n = files.query.ids.length
  if (n < 2 || n !== files.search.ids.length || blocks.length !== 1 || blocks[0].searches !== null) return null
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
