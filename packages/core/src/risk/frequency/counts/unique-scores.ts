import { countIds } from '@scrim/kernels'
import { choose } from '../../../stats/special.js'
import { sum } from '../../../stats/sums.js'
import { jointCodes } from '../../../table/classes.js'
import { labelsOf } from '../../../table/joint.js'
import { bitCount, type KeyFile, keysOf, type Uniques } from './minimal-uniques.js'

/** What minimal uniques add up to: for each record, each key and its levels, and each set of keys. */

/** By size k of a minimal unique, what it adds to the score; index 0 is unused. */
export function sizeWeights(score: 'elliot' | 'halving' | 'ihsn', m: number, maxMsu: number): Float64Array {
  const weights = new Float64Array(maxMsu + 1)
  for (let k = 1; k <= maxMsu; k++) {
    if (score === 'halving') weights[k] = 2 ** (1 - k)
    else if (score === 'ihsn') weights[k] = (2 ** (m - k) - 1) / choose(m, k)
    else {
      weights[k] = 1
      for (let j = k; j < maxMsu; j++) weights[k] *= m - j
    }
  }
  return weights
}

type Tally = ReturnType<typeof tallyUniques>

/** The minimal uniques of one record stand together, as the search gives them. */
export function tallyUniques({ rows, codes, cardinalities }: KeyFile, uniques: Uniques, weights: Float64Array) {
  const scores = new Float64Array(rows.length)
  const msusBySize = new Float64Array(weights.length)
  const recordsBySize = new Float64Array(weights.length)
  const lastOfSize = new Int32Array(weights.length).fill(-1)
  /** By key and code (0 for missing): the part of the total score that involves the key. */
  const byLevel = cardinalities.map((cardinality) => new Float64Array(cardinality + 1))
  const byKeySet = new Map<number, number>()
  for (let msu = 0; msu < uniques.rows.length; msu++) {
    const row = uniques.rows[msu]
    const mask = uniques.masks[msu]
    const size = bitCount(mask)
    const weight = weights[size]
    scores[row] += weight
    msusBySize[size]++
    if (lastOfSize[size] !== row) recordsBySize[size]++
    lastOfSize[size] = row
    for (let left = mask; left !== 0; left &= left - 1) {
      const v = 31 - Math.clz32(left & -left)
      byLevel[v][codes[v][row] + 1] += weight
    }
    byKeySet.set(mask, (byKeySet.get(mask) ?? 0) + 1)
  }
  return { scores, msus: countIds(uniques.rows, rows.length), msusBySize, recordsBySize, byLevel, byKeySet }
}

/** A level is named only when this many records have it; rarer ones are pooled, since they point at persons. */
const NAMED_LEVEL_RECORDS = 10
const MOST_LEVELS_NAMED = 10

/** Of each key the share of the score, and of that what falls on records with each level. Shares of keys sum to more than 1. */
export function contributionsOf({ release, keys, codes, times }: KeyFile, { byLevel }: Tally, total: number) {
  return keys.map((key, v) => {
    const own = sum(byLevel[v])
    if (own === 0) return { key, share: 0, levels: [], otherLevels: 0 }
    const labels = labelsOf(jointCodes(release, key))
    const holders = new Int32Array(labels.length + 1)
    for (let row = 0; row < codes[v].length; row++) holders[codes[v][row] + 1] += times?.[row] ?? 1
    const levels = Array.from(labels, (level, code) => ({ level, code, share: byLevel[v][code + 1] / own }))
      .filter(({ code, share }) => share > 0 && holders[code + 1] >= NAMED_LEVEL_RECORDS)
      .sort((a, b) => b.share - a.share || a.code - b.code)
      .slice(0, MOST_LEVELS_NAMED)
      .map(({ level, share }) => ({ level, share }))
    return {
      key,
      share: own / total,
      levels,
      otherLevels: Math.max(0, 1 - levels.reduce((named, { share }) => named + share, 0)),
    }
  })
}

const MOST_KEY_SETS_LISTED = 50

export function largestKeySets(keys: readonly string[], byKeySet: ReadonlyMap<number, number>) {
  return [...byKeySet]
    .sort(([maskA, a], [maskB, b]) => b - a || maskA - maskB)
    .slice(0, MOST_KEY_SETS_LISTED)
    .map(([mask, msus]) => ({ keys: keysOf(keys, mask), msus }))
}

/** Scores along the rows of the table, NaN for a dropped record. */
export function recordScores(file: KeyFile, uniques: Uniques, tally: Tally, dis: Float64Array, weights: Float64Array) {
  const along = (values: ArrayLike<number>) => {
    const all = new Float64Array(file.own.f.length).fill(Number.NaN)
    for (let k = 0; k < file.rows.length; k++) all[file.rows[k]] = values[k]
    return all
  }
  const ofSize = Array.from(tally.msusBySize, () => new Float64Array(file.rows.length))
  const ofKey = file.keys.map(() => new Float64Array(file.rows.length))
  for (let msu = 0; msu < uniques.rows.length; msu++) {
    const row = uniques.rows[msu]
    const size = bitCount(uniques.masks[msu])
    ofSize[size][row]++
    for (let v = 0; v < ofKey.length; v++) if ((uniques.masks[msu] & (1 << v)) !== 0) ofKey[v][row] += weights[size]
  }
  for (const shares of ofKey)
    for (let row = 0; row < shares.length; row++) if (shares[row] > 0) shares[row] /= tally.scores[row]
  return {
    score: along(tally.scores),
    dis: along(dis),
    msus: along(tally.msus),
    ...Object.fromEntries(
      ofSize.flatMap((counts, size) => (tally.msusBySize[size] > 0 ? [[`msusOfSize${size}`, along(counts)]] : [])),
    ),
    ...Object.fromEntries(ofKey.map((shares, v) => [`contribution ${file.keys[v]}`, along(shares)])),
  }
}
