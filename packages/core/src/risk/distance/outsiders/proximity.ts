import { rowsByGroup } from '@scrim/kernels'
import type { ForestModel } from '../../../learners/forest.js'
import { total } from '../../../stats/sums.js'
import { selectRows, type Table } from '../../../table/table.js'
import { type AbortSignalLike, throwIfAborted } from '../../../tasks/task.js'

/**
 * Proximities of a forest: the share of trees in which two records end in the same leaf (Breiman 2001). For each released
 * record, who of the real ones is the most proximate? Real records are bucketed by leaf, tree after tree; a released one
 * counts the members of its leaves. O(released · trees · records per leaf) time and O(real · trees) memory: no matrix.
 */
interface ProximityOf {
  readonly model: ForestModel
  /** Distinct real records, with how many records each stands for and how many of them are training records. */
  readonly real: Table
  readonly records: Int32Array
  readonly inTraining: Int32Array
  /** Distinct released records, with how many records each stands for. */
  readonly released: Table
  readonly times: Int32Array
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignalLike | undefined
}

export interface Proximities {
  /** Per distinct real record: the credit of each one of its records, as in `exchangeability`. */
  readonly credit: Float64Array
  /** Per distinct released record: greatest and mean proximity to training and holdout records. */
  readonly greatestToTraining: Float64Array
  readonly greatestToHoldout: Float64Array
  readonly meanToTraining: Float64Array
  readonly meanToHoldout: Float64Array
}

/** Records whose leaves are looked up at once. */
const BLOCK = 2048

export function proximities({
  model,
  real,
  records,
  inTraining,
  released,
  times,
  progress,
  signal,
}: ProximityOf): Proximities {
  const trees = model.trees.length
  const buckets = bucketByLeaf(model, real)
  const inHoldout = records.map((count, row) => count - inTraining[row])
  const [nT, nH] = [total(inTraining), total(inHoldout)]
  const credit = new Float64Array(real.rows)
  const found = {
    greatestToTraining: new Float64Array(released.rows),
    greatestToHoldout: new Float64Array(released.rows),
    meanToTraining: new Float64Array(released.rows),
    meanToHoldout: new Float64Array(released.rows),
  }
  const shared = new Int32Array(real.rows)
  const touched = new Int32Array(real.rows)
  let farFromAll = 0
  for (let from = 0; from < released.rows; from += BLOCK) {
    throwIfAborted(signal)
    const to = Math.min(released.rows, from + BLOCK)
    const leaves = model.leaves(rowRange(released, from, to))
    for (let row = from; row < to; row++) {
      const count = countShared(
        buckets,
        leaves.subarray((row - from) * trees, (row - from + 1) * trees),
        shared,
        touched,
      )
      point(row, count)
    }
    progress(to, released.rows)
  }
  if (farFromAll > 0) for (let row = 0; row < real.rows; row++) credit[row] += farFromAll / (nT + nH)
  return { credit, ...found }

  /** Gives the credit of a released record to the most proximate ones, and forgets what was counted. */
  function point(row: number, count: number): void {
    let [most, toTraining, toHoldout, sumT, sumH, tied] = [0, 0, 0, 0, 0, 0]
    for (let k = 0; k < count; k++) {
      const other = touched[k]
      const trees = shared[other]
      if (trees > most) [most, tied] = [trees, 0]
      if (trees === most) tied += records[other]
      if (inTraining[other] > 0 && trees > toTraining) toTraining = trees
      if (inHoldout[other] > 0 && trees > toHoldout) toHoldout = trees
      sumT += trees * inTraining[other]
      sumH += trees * inHoldout[other]
    }
    for (let k = 0; k < count; k++) {
      if (shared[touched[k]] === most) credit[touched[k]] += times[row] / tied
      shared[touched[k]] = 0
    }
    if (count === 0) farFromAll += times[row]
    found.greatestToTraining[row] = toTraining / trees
    found.greatestToHoldout[row] = toHoldout / trees
    found.meanToTraining[row] = sumT / (nT * trees)
    found.meanToHoldout[row] = sumH / (nH * trees)
  }
}

interface Buckets {
  readonly rows: number
  /** Tree after tree: rows sorted by leaf, and where the rows of each leaf begin. */
  readonly byLeaf: Int32Array
  readonly starts: readonly Int32Array[]
}

function bucketByLeaf(model: ForestModel, records: Table): Buckets {
  const trees = model.trees.length
  const byLeaf = new Int32Array(trees * records.rows)
  for (let from = 0; from < records.rows; from += BLOCK) {
    const to = Math.min(records.rows, from + BLOCK)
    const leaves = model.leaves(rowRange(records, from, to))
    for (let row = from; row < to; row++)
      for (let t = 0; t < trees; t++) byLeaf[t * records.rows + row] = leaves[(row - from) * trees + t]
  }
  const starts = model.trees.map(({ split }, t) => {
    const leafOf = byLeaf.subarray(t * records.rows, (t + 1) * records.rows)
    // A binary tree of k nodes has (k + 1) / 2 leaves.
    const { rows, start } = rowsByGroup(leafOf.slice(), (split.length + 1) / 2)
    leafOf.set(rows)
    return start
  })
  return { rows: records.rows, byLeaf, starts }
}

/** Hot: adds 1 to `shared` for each real record in each of the leaves, lists those touched, and returns how many. */
function countShared(
  { rows, byLeaf, starts }: Buckets,
  leaves: Int32Array,
  shared: Int32Array,
  touched: Int32Array,
): number {
  let count = 0
  for (let t = 0; t < leaves.length; t++) {
    const start = starts[t]
    const end = t * rows + start[leaves[t] + 1]
    for (let at = t * rows + start[leaves[t]]; at < end; at++) {
      const other = byLeaf[at]
      if (shared[other]++ === 0) touched[count++] = other
    }
  }
  return count
}

function rowRange(table: Table, from: number, to: number): Table {
  return selectRows(
    table,
    Int32Array.from({ length: to - from }, (_, k) => from + k),
  )
}
