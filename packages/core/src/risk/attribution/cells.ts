import { groupRows } from '@scrim/kernels'
import {
  type JointCodes,
  type KeyClasses,
  keyClasses,
  type Part,
  remember,
  rowsOfPart,
  weightsOfPart,
} from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type PreparedTarget, prepareTarget, type TargetGroups } from './target.js'

/**
 * The two sparse count tables behind every attribution measure: how many records of the truth (d) and of the release (s)
 * have key class q and target level t. Only combinations that occur are held, so a target with thousands of levels costs
 * what it has records. A missing target is a level of its own, the last one.
 *
 * Cells are sorted by class: those of class q are `start[q] .. start[q + 1] - 1`.
 */
export interface Cells {
  readonly classes: number
  readonly start: Int32Array
  /** Target level and class of each cell. */
  readonly level: Int32Array
  readonly classOf: Int32Array
  /** Records of the truth; `d` weighted, `dCount` as counted. */
  readonly d: Float64Array
  readonly dCount: Int32Array
  readonly s: Int32Array
  /** Sums over a class. */
  readonly dClass: Float64Array
  readonly dClassCount: Int32Array
  readonly sClass: Int32Array
  /** Sums over a level. */
  readonly dLevel: Float64Array
  readonly sLevel: Int32Array
  /** Sizes: N_d (weighted) and N_s. */
  readonly nd: number
  readonly ns: number
  /** Cell of each row of the truth and of the release. */
  readonly cellOfTruth: Int32Array
  readonly cellOfReleased: Int32Array
  readonly target: PreparedTarget
  readonly keys: KeyClasses
}

/** The cells of a release's key classes and one target; `truth` is the original or the holdout. */
export function cellsOf(release: Release, truth: Part, part: Part, targetName: string, groups: TargetGroups): Cells {
  const key = `cells ${JSON.stringify([truth, part, targetName, groups])}`
  return remember(release, key, () =>
    countCells(release, truth, part, keyClasses(release, release.keys), prepareTarget(release, targetName, groups)),
  )
}

/** As `cellsOf` for any classes, forgotten after use. */
export function countCells(release: Release, truth: Part, part: Part, keys: KeyClasses, target: PreparedTarget): Cells {
  const classIds = [truth, part].map((of) => rowsOfPart(release, keys, keys.ids, of))
  const levels = [truth, part].map((of) => rowsOfPart(release, target.rows, target.codes, of))
  const truthRows = classIds[0].length
  const rows = truthRows + classIds[1].length
  const grouped = groupRows(
    [
      { codes: joined(classIds, rows), cardinality: keys.count },
      { codes: joined(levels, rows), cardinality: target.levels.length },
    ],
    rows,
  )
  const raw = { class: new Int32Array(grouped.count), level: new Int32Array(grouped.count) }
  for (const [side, offset] of [0, truthRows].entries()) {
    for (let row = 0; row < classIds[side].length; row++) {
      const cell = grouped.ids[offset + row]
      raw.class[cell] = classIds[side][row]
      raw.level[cell] = levels[side][row]
    }
  }
  const { start, order } = sortByClass(raw.class, raw.level, keys.count)
  const place = new Int32Array(order.length)
  for (let k = 0; k < order.length; k++) place[order[k]] = k
  const cellOf = grouped.ids.map((id) => place[id])
  const cellOfTruth = cellOf.subarray(0, truthRows)
  const cellOfReleased = cellOf.subarray(truthRows)
  const classOf = order.map((id) => raw.class[id])
  const level = order.map((id) => raw.level[id])
  const weights = weightsOfPart(release, truth)
  const dCount = tally(cellOfTruth, order.length)
  const d = weights === null ? Float64Array.from(dCount) : sumOver(cellOfTruth, weights, order.length)
  const s = tally(cellOfReleased, order.length)
  const levelCount = target.levels.length
  return {
    classes: keys.count,
    start,
    level,
    classOf,
    d,
    dCount,
    s,
    dClass: sumOver(classOf, d, keys.count),
    dClassCount: tallyOver(classOf, dCount, keys.count),
    sClass: tallyOver(classOf, s, keys.count),
    dLevel: sumOver(level, d, levelCount),
    sLevel: tallyOver(level, s, levelCount),
    nd: d.reduce((sum, count) => sum + count, 0),
    ns: cellOfReleased.length,
    cellOfTruth,
    cellOfReleased,
    target,
    keys,
  }
}

/** Is the class of this cell homogeneous, with this cell's level, in the release (ps = 1) or in the truth (pd = 1)? */
export function isWholeClassInRelease({ s, sClass, classOf }: Cells, cell: number): boolean {
  return s[cell] > 0 && s[cell] === sClass[classOf[cell]]
}

export function isWholeClassInTruth({ dCount, dClassCount, classOf }: Cells, cell: number): boolean {
  return dCount[cell] > 0 && dCount[cell] === dClassCount[classOf[cell]]
}

/** Per class: does the release show one single target value? */
export function homogeneousInRelease(cells: Cells): Uint8Array {
  const flags = new Uint8Array(cells.classes)
  for (let cell = 0; cell < cells.s.length; cell++)
    if (isWholeClassInRelease(cells, cell)) flags[cells.classOf[cell]] = 1
  return flags
}

/** The level of key `name` in each class, -1 where it is missing. */
export function keyLevelOfClass(release: Release, { keys }: Cells, joint: JointCodes): Int32Array {
  const levels = new Int32Array(keys.count).fill(-1)
  for (const part of keys.start.keys()) {
    const ids = rowsOfPart(release, keys, keys.ids, part)
    const codes = rowsOfPart(release, joint, joint.codes, part)
    for (let row = 0; row < ids.length; row++) levels[ids[row]] = codes[row]
  }
  return levels
}

function joined([first, second]: readonly Int32Array[], rows: number): Int32Array {
  const both = new Int32Array(rows)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Cells ordered by class, then by level, so that sums run in an order that no row order can change. */
function sortByClass(
  classOf: Int32Array,
  level: Int32Array,
  classes: number,
): { start: Int32Array; order: Int32Array } {
  const levels = level.reduce((most, one) => Math.max(most, one), -1) + 1
  const byLevel = countingSort(
    Int32Array.from(level, (_, k) => k),
    level,
    levels,
  )
  const order = countingSort(byLevel, classOf, classes)
  const start = new Int32Array(classes + 1)
  for (const q of classOf) start[q + 1]++
  for (let q = 0; q < classes; q++) start[q + 1] += start[q]
  return { start, order }
}

/** Sorts `items` by `keyOf[item]`, keeping the order of equal ones. */
function countingSort(items: Int32Array, keyOf: Int32Array, keys: number): Int32Array {
  const next = new Int32Array(keys + 1)
  for (const item of items) next[keyOf[item] + 1]++
  for (let key = 0; key < keys; key++) next[key + 1] += next[key]
  const sorted = new Int32Array(items.length)
  for (const item of items) sorted[next[keyOf[item]]++] = item
  return sorted
}

function tally(ids: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(count)
  for (const id of ids) counts[id]++
  return counts
}

function tallyOver(ids: Int32Array, values: Int32Array, count: number): Int32Array {
  const sums = new Int32Array(count)
  for (let k = 0; k < ids.length; k++) sums[ids[k]] += values[k]
  return sums
}

function sumOver(ids: Int32Array, values: Float64Array, count: number): Float64Array {
  const sums = new Float64Array(count)
  for (let k = 0; k < ids.length; k++) sums[ids[k]] += values[k]
  return sums
}
