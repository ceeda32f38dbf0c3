import { groupRows } from '@scrim/kernels'
import { total } from '../../../stats/sums.js'
import { jointCodes } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import type { Matches } from '../counts/attack.js'
import { type Cells, keyLevelOfClass, perCell } from '../counts/cells.js'
import { claimsOf, isGuess, TAU_SLACK, tauPoint } from '../counts/claims.js'

/**
 * What one could have claimed without this release, everything leave-one-out on the original so that a person's own record
 * never speaks for itself. For the claim "record i has value g", with h = 1 if it does:
 *
 *   b1  from the target's margin alone        (d_g - h) / (N_d - 1)
 *   b2  from the best single key as well      max(b1, max_k (n_k(g) - h) / (n_k - 1)), n_k records sharing i's level of key k
 *   b3  from everybody else with the same key (d_gq - h) / (d_q - 1), b2 where nobody shares it
 *
 * excess = (1/N_d) sum over claims of (credit - b); kappa = sum (credit - b) / sum (1 - b). b2 does what the flags and manual
 * exclusions of common knowledge are meant to do, without anybody's judgement. Counts are unweighted; sums over records
 * are weighted where the original has weights.
 */
type Baseline = ReturnType<typeof baseline>

export type Baselines = { readonly claims: number; readonly b1: Baseline; readonly b2: Baseline; readonly b3: Baseline }

/** b1, b2 and b3 of the claim that a record of this cell's class has this cell's level; h = 1 if it does. */
export type Priors = (guess: number, h: 0 | 1) => readonly [number, number, number]

export function priorsOf(release: Release, cells: Cells): Priors {
  const perKey = cells.keys.names.map((key) => keyTargetCounts(release, cells, key))
  const n = cells.n
  const marginal = levelCounts(cells)
  return (guess, h) => {
    const b1 = n > 1 ? (marginal[cells.level[guess]] - h) / (n - 1) : 0
    let b2 = b1
    for (const { keyCount, pairCount, keyOfCell, pairOfCell } of perKey) {
      const nk = keyCount[keyOfCell[guess]]
      if (nk > 1) b2 = Math.max(b2, (pairCount[pairOfCell[guess]] - h) / (nk - 1))
    }
    const dq = cells.dClassCount[cells.classOf[guess]]
    return [b1, b2, dq > 1 ? (cells.dCount[guess] - h) / (dq - 1) : b2]
  }
}

/** Baselines of the claims made at `tau`. */
export function baselinesAt(release: Release, cells: Cells, tau = 1): Baselines {
  const claim = claimsOf(cells)
  const prior = priorsOf(release, cells)
  const claimed = new Float64Array(cells.classes)
  const gains = [0, 1, 2].map(() => new Float64Array(cells.classes))
  for (let guess = 0; guess < cells.s.length; guess++) {
    const q = cells.classOf[guess]
    if (cells.dClassCount[q] === 0 || !isGuess(cells, claim, guess) || claim.confidence[q] < tau - TAU_SLACK) continue
    const right = cells.d[guess] / claim.ties[q]
    const wrong = (cells.dClass[q] - cells.d[guess]) / claim.ties[q]
    claimed[q] += right + wrong
    const ifRight = right > 0 ? prior(guess, 1) : [0, 0, 0]
    const ifWrong = wrong > 0 ? prior(guess, 0) : [0, 0, 0]
    for (const [k, gain] of gains.entries()) gain[q] += right * (1 - ifRight[k]) - wrong * ifWrong[k]
  }
  const claims = total(claimed)
  const hits = tauPoint(cells, claim, tau).hits * cells.nd
  const [b1, b2, b3] = gains.map((gain) => baseline(cells, gain, claims, hits))
  return { claims, b1, b2, b3 }
}

function baseline(cells: Cells, gain: Float64Array, claims: number, hits: number) {
  const gained = total(gain)
  const prior = hits - gained
  const variance = clusteredVariance(cells, gain)
  return {
    /** Mean of b over the claims. */
    mean: claims > 0 ? prior / claims : null,
    excess: gained / cells.nd,
    /** Standard error of the excess, clustered by key class; null with a single class. */
    se: variance === null ? null : Math.sqrt(variance),
    kappa: claims - prior > 0 ? gained / (claims - prior) : null,
  }
}

/**
 * Variance of the mean over the truth's records of something whose sum over each class is given, with the (weighted) number of
 * records of each class that the mean is taken over: (g / (g - 1)) sum over classes of (class sum - class size * mean)^2 / N^2,
 * g the number of classes that have any; null if g < 2.
 */
export function clusteredVariance(
  cells: Cells,
  classSums: Float64Array,
  sizes: Float64Array = cells.dClass,
): number | null {
  const all = total(sizes)
  const mean = total(classSums) / all
  let groups = 0
  let squares = 0
  for (let q = 0; q < cells.classes; q++) {
    if (sizes[q] === 0) continue
    groups++
    squares += (classSums[q] - sizes[q] * mean) ** 2
  }
  return groups < 2 ? null : ((groups / (groups - 1)) * squares) / all ** 2
}

export function levelCounts(cells: Cells): Int32Array {
  const counts = new Int32Array(cells.target.levels.length)
  for (let cell = 0; cell < cells.dCount.length; cell++) counts[cells.level[cell]] += cells.dCount[cell]
  return counts
}

/** Records of the truth by level of one key, and by that level and the target, addressed by cell. */
function keyTargetCounts(release: Release, cells: Cells, key: string) {
  const joint = jointCodes(release, key)
  const levelOfClass = keyLevelOfClass(release, cells, joint)
  const keyOfCell = cells.classOf.map((q) => levelOfClass[q] + 1)
  const pairs = groupRows(
    [
      { codes: keyOfCell, cardinality: joint.cardinality + 1 },
      { codes: cells.level, cardinality: cells.target.levels.length },
    ],
    keyOfCell.length,
  )
  const keyCount = new Int32Array(joint.cardinality + 1)
  const pairCount = new Int32Array(pairs.count)
  for (let cell = 0; cell < keyOfCell.length; cell++) {
    keyCount[keyOfCell[cell]] += cells.dCount[cell]
    pairCount[pairs.ids[cell]] += cells.dCount[cell]
  }
  return { keyCount, pairCount, keyOfCell, pairOfCell: pairs.ids }
}

/**
 * Per cell of the truth: what everybody else's records say about its value, (d_tq - 1) / (d_q - 1), or the margin
 * (d_t - 1) / (N_d - 1) where nobody shares the key. For any other matching, `own` are the matches of the truth's records
 * among themselves, each of which finds itself unless it has no known key.
 */
export function leaveOneOut(
  cells: Cells,
  matches: Pick<Matches, 'records' | 'agreeing'> = { records: cells.dClassCount, agreeing: cells.dCount },
): Float64Array {
  const n = cells.n
  const marginal = levelCounts(cells)
  return perCell(cells, (cell) => {
    if (cells.dCount[cell] === 0) return 0
    const others = matches.records[cells.classOf[cell]] - 1
    if (others > 0) return (matches.agreeing[cell] - 1) / others
    return n > 1 ? (marginal[cells.level[cell]] - 1) / (n - 1) : 0
  })
}
