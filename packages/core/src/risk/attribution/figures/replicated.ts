import type { Controls, Look } from '../../../evidence/evidence.js'
import { binomialCdf } from '../../../stats/distributions.js'
import { newcombe } from '../../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../../stats/levels.js'
import { mean, total, weightedMean } from '../../../stats/sums.js'
import { clusterRobustVariance } from '../../../stats/tests/tests.js'
import {
  jointCodes,
  keyClasses,
  type Part,
  recordCount,
  rowsOfPart,
  timesOfPart,
  weightsOfPart,
} from '../../../table/classes.js'
import type { Cells } from '../counts/cells.js'
import type { Compared } from '../repu.js'
import { effectivePeople } from './gains.js'

/** Mixed pairs against pairs within a file, both as shares of the original; the original itself has UiO of the first, none of the other. */
export function lookAtPairs(
  { cells }: Compared,
  repU: number,
  UiO: number,
  ends: Pick<Controls, 'nothing' | 'everything'>,
): Look {
  const { mixed, inOriginal, inReleased } = pairsOf(cells)
  const { n } = cells
  const within = inOriginal + inReleased
  const all = n + cells.ns
  const bounds = newcombe(mixed, all, within, all, BOUNDS_LEVEL) ?? { lower: -1, upper: 1 }
  const effect = {
    value: (mixed - within) / n,
    se: Math.sqrt(Math.max(1, mixed + within)) / n,
    lower: (bounds.lower * all) / n,
    upper: (bounds.upper * all) / n,
    p: mixed + within === 0 ? 1 : binomialCdf(within, mixed + within, 0.5),
    ceiling: UiO,
  }
  const fair = {
    value: repU - effect.value,
    se: Math.sqrt(within) / n,
    what: 'pairs within the files',
    basis: 'leave-one-out',
  } as const
  return {
    what: 'against pairs within the files',
    value: repU,
    controls: { ...ends, fair },
    effect,
  }
}

/** What columns drawn independently would give: the sum over keys of the original of something that depends on their π. */
export function independentColumns(
  { release, variables, cells, classOfRow }: Compared,
  counts: (q: number) => boolean,
  figure: (p: number, q: number) => number,
) {
  const times = timesOfPart(release, 'original')
  const columns = variables.map((name) => {
    const joint = jointCodes(release, name)
    const codes = rowsOfPart(release, joint, joint.codes, 'original')
    const shares = new Float64Array(joint.cardinality + 1)
    for (const [row, code] of codes.entries()) shares[code + 1] += (times?.[row] ?? 1) / cells.n
    return { codes, shares }
  })
  const seen = new Uint8Array(cells.classes)
  let value = 0
  for (let row = 0; row < classOfRow.length; row++) {
    const q = classOfRow[row]
    if (seen[q] === 1 || !counts(q)) continue
    seen[q] = 1
    value += figure(
      columns.reduce((p, { codes, shares }) => p * shares[codes[row] + 1], 1),
      q,
    )
  }
  return { value, se: null, what: 'every column drawn on its own' }
}

export type Replicated = ReturnType<typeof outsidersReplicated>

/** Outsiders whose keys no original and exactly one released record has: what a unique member is, for any size of the holdout. */
export function outsidersReplicated({ release, variables, cells }: Compared) {
  const part: Part = 'holdout'
  const classes = keyClasses(release, variables)
  const ids = rowsOfPart(release, classes, classes.ids, part)
  const times = timesOfPart(release, part)
  const weights = weightsOfPart(release, part) ?? Float64Array.from(ids, (_, row) => times?.[row] ?? 1)
  const records = recordCount(release, part)
  const isReplicated = (q: number) => cells.dClassCount[q] === 0 && cells.sClass[q] === 1
  return {
    records,
    repU: total(weights.filter((_, row) => isReplicated(ids[row]))) / total(weights),
    people: independentPeople(
      { ids, times, classes: classes.count },
      isReplicated,
      effectivePeople(release, part, records),
    ),
  }
}

/**
 * Whether a key is found once in the release is settled for all who have it: people with the same keys are replicated
 * together, and vary as fewer independent ones would, by the variance clustered by key class. Never more than `most`.
 */
export function independentPeople(
  { ids, times, classes }: { readonly ids: Int32Array; readonly times: Int32Array | null; readonly classes: number },
  isHit: (q: number) => boolean,
  most: number,
): number {
  const hits = Float64Array.from(ids, (q) => (isHit(q) ? 1 : 0))
  const share = (times === null ? mean(hits) : weightedMean(hits, times)) ?? 0
  const variance = clusterRobustVariance(hits, ids, classes, times) ?? 0
  return variance > 0 ? Math.min(most, (share * (1 - share)) / variance) : most
}

/** Key classes of two records in all: one in each file, or both in the same one. */
export function pairsOf({ dClassCount, sClass }: Cells) {
  const pairs = { mixed: 0, inOriginal: 0, inReleased: 0 }
  for (let q = 0; q < dClassCount.length; q++) {
    if (dClassCount[q] + sClass[q] !== 2) continue
    if (dClassCount[q] === 1) pairs.mixed++
    else if (dClassCount[q] === 2) pairs.inOriginal++
    else pairs.inReleased++
  }
  return pairs
}

const RISKUTILITY_PASSES_BELOW = 0.01

/** Released records that equal an original one, or a unique original one; a released record counts as often as it occurs. */
export function identicalRecords({ dClassCount, sClass, ns }: Cells) {
  let any = 0
  let unique = 0
  let copied = 0
  let uniques = 0
  for (let q = 0; q < dClassCount.length; q++) {
    if (dClassCount[q] > 0) any += sClass[q]
    if (dClassCount[q] !== 1) continue
    uniques++
    unique += sClass[q]
    if (sClass[q] > 0) copied++
  }
  return {
    toAny: { count: any, share: any / ns },
    toUnique: { count: unique, share: unique / ns },
    /** Unique original records that stand in the release at least once. */
    uniquesCopied: copied,
    uniquesCopiedShare: uniques > 0 ? copied / uniques : null,
    passesRiskutility: unique / ns < RISKUTILITY_PASSES_BELOW,
  }
}
