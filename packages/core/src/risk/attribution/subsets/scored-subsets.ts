import { errorOfMean } from '../../../evidence/looks.js'
import { groupByKeys, type Part } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { type Cells, countCells } from '../counts/cells.js'
import { claimsOf, TAU_SLACK, type TauPoint, tauPoint } from '../counts/claims.js'
import type { PreparedTarget } from '../counts/target.js'
import { marginalShare } from '../figures/holdout.js'
import type { Errors, Options } from '../tcap-synthetic.js'
import { meanOf } from './key-subsets.js'

/** Hot in a sweep: one pass over the cells. */
export function scoreOf(cells: Cells, tau: number) {
  let kept = 0
  let matched = 0
  let sum = 0
  for (let cell = 0; cell < cells.s.length; cell++) {
    const s = cells.s[cell]
    const q = cells.classOf[cell]
    if (s === 0 || s < (tau - TAU_SLACK) * cells.sClass[q]) continue
    kept += s
    if (cells.dClassCount[q] === 0) continue
    matched += s
    sum += (s * cells.d[cell]) / cells.dClass[q]
  }
  return {
    /** Released records kept, as a share of the release, and how many of these are in the truth. */
    kept,
    coverage: kept / cells.ns,
    matchRate: kept > 0 ? matched / kept : null,
    /** Null where nothing is kept, or nothing kept is matched. */
    undefined: matched > 0 ? sum / matched : null,
    zero: kept > 0 ? sum / kept : null,
  }
}

type Score = ReturnType<typeof scoreOf>

/** Both conventions against the original, and the chosen one against the holdout. */
export function scoreSubset(
  release: Release,
  part: Part,
  keys: readonly string[],
  target: PreparedTarget,
  { tau, nonMatches }: Options,
  errors: Errors | null,
) {
  const classes = groupByKeys(release, keys)
  const original = countCells(release, 'original', part, classes, target)
  const score = scoreOf(original, tau)
  const scored = { keys, undefined: score.undefined, zero: score.zero }
  if (errors === null) return { ...scored, holdout: null }
  const held = countCells(release, 'holdout', part, classes, target)
  const outside = scoreOf(held, tau)
  if (score[nonMatches] !== null && outside[nonMatches] !== null) {
    errors.original.add(influences(original, tau, score, nonMatches), original)
    errors.holdout.add(influences(held, tau, outside, nonMatches), held)
  }
  return { ...scored, holdout: outside[nonMatches] }
}

/** Standard error of a mean over key sets: how much it would change without each person. */
export function jackknifeOver({ cellOfTruth: people }: Cells) {
  const sums = new Float64Array(people.length)
  let sets = 0
  return {
    add(influence: Float64Array, { cellOfTruth }: Cells) {
      for (let row = 0; row < sums.length; row++) sums[row] += influence[cellOfTruth[row]]
      sets++
    },
    error: () =>
      errorOfMean(
        sums.reduce((sum, change) => sum + (change / sets) ** 2, 0),
        sums.length,
      ),
  }
}

export type Jackknife = ReturnType<typeof jackknifeOver>

/** Per cell: by how much the score falls without one of its records. Where nobody else has the keys, the class goes too. */
function influences(cells: Cells, tau: number, score: Score, nonMatches: Options['nonMatches']): Float64Array {
  const { start, s, sClass, d, dCount, dClass, dClassCount } = cells
  const mean = score[nonMatches] ?? 0
  const scored = nonMatches === 'zero' ? score.kept : score.kept * (score.matchRate ?? 0)
  const falls = new Float64Array(s.length)
  for (let q = 0; q < cells.classes; q++) {
    if (dClassCount[q] === 0) continue
    const isKept = (cell: number) => s[cell] > 0 && s[cell] >= (tau - TAU_SLACK) * sClass[q]
    let kept = 0
    let right = 0
    for (let cell = start[q]; cell < start[q + 1]; cell++) {
      if (!isKept(cell)) continue
      kept += s[cell]
      right += (s[cell] * d[cell]) / dClass[q]
    }
    for (let cell = start[q]; cell < start[q + 1]; cell++) {
      if (dCount[cell] === 0) continue
      const weight = d[cell] / dCount[cell]
      falls[cell] =
        dClassCount[q] === 1
          ? (right - (nonMatches === 'zero' ? 0 : mean * kept)) / scored
          : (((isKept(cell) ? s[cell] : 0) - right) * weight) / (dClass[q] - weight) / scored
    }
  }
  return falls
}

/** Original less holdout: all keys, the mean over the key sets that both have, and people claimed rightly. */
export function marginalOf(
  cells: Cells,
  held: Cells,
  subsets: readonly ReturnType<typeof scoreSubset>[],
  allKeys: number | null,
  persons: TauPoint,
  { tau, nonMatches }: Options,
) {
  const contrast = (original: number | null, holdout: number | null) =>
    original === null || holdout === null ? null : { original, holdout, difference: original - holdout }
  const both = subsets.filter((subset) => subset[nonMatches] !== null && subset.holdout !== null)
  const sweep = contrast(meanOf(both.map((subset) => subset[nonMatches])), meanOf(both.map(({ holdout }) => holdout)))
  const heldPersons = tauPoint(held, claimsOf(held), tau)
  return {
    allKeys: contrast(allKeys, scoreOf(held, tau)[nonMatches]),
    sweep: sweep === null ? null : { ...sweep, keySets: both.length },
    persons: marginalShare(persons.hits, cells.n, heldPersons.hits, held.n),
  }
}
