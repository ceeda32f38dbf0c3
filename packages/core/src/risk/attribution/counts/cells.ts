import { groupRows, rowsByGroup } from '@scrim/kernels'
import { joinedCodes } from '../../../stats/joined.js'
import { total } from '../../../stats/sums.js'
import {
  countRecords,
  type JointCodes,
  type KeyClasses,
  keyClasses,
  type Part,
  remember,
  rowsOfPart,
  timesOfPart,
  weightsOfPart,
} from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import type { PreparedTarget } from './target.js'

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
  /** Sizes: N_d (weighted), the records of the truth as counted, and N_s. */
  readonly nd: number
  readonly n: number
  readonly ns: number
  /** Cell of each row of the truth and of the release; rows are records, or stand for several where those were counted. */
  readonly cellOfTruth: Int32Array
  readonly cellOfReleased: Int32Array
  /** How many records each of these rows stands for; null where it is one each. */
  readonly timesOfTruth: Int32Array | null
  readonly timesOfReleased: Int32Array | null
  readonly target: PreparedTarget
  readonly keys: KeyClasses
}

/** Counted once per release, keys and target; `truth` is the original or the holdout. */
export function cellsOf(
  release: Release,
  truth: Part,
  part: Part,
  target: PreparedTarget,
  keys: readonly string[] = release.keys,
): Cells {
  return remember(release, `cells ${JSON.stringify([truth, part, keys, target.id])}`, () =>
    countCells(release, truth, part, keyClasses(release, keys), target),
  )
}

/** As `cellsOf` for any classes, forgotten after use. */
export function countCells(release: Release, truth: Part, part: Part, keys: KeyClasses, target: PreparedTarget): Cells {
  const classIds = [truth, part].map((file) => rowsOfPart(release, keys, keys.ids, file))
  const levels = [truth, part].map((file) => rowsOfPart(release, target.rows, target.codes, file))
  const classOfRow = joinedCodes(classIds)
  const levelOfRow = joinedCodes(levels)
  const grouped = groupRows(
    [
      { codes: classOfRow, cardinality: keys.count },
      { codes: levelOfRow, cardinality: target.levels.length },
    ],
    classOfRow.length,
  )
  const classOfGroup = new Int32Array(grouped.count)
  const levelOfGroup = new Int32Array(grouped.count)
  for (let row = 0; row < classOfRow.length; row++) {
    classOfGroup[grouped.ids[row]] = classOfRow[row]
    levelOfGroup[grouped.ids[row]] = levelOfRow[row]
  }
  // Cells ordered by class, then by level, so that sums run in an order that no row order can change.
  const byLevel = rowsByGroup(levelOfGroup, target.levels.length).rows
  const byClass = rowsByGroup(
    byLevel.map((group) => classOfGroup[group]),
    keys.count,
  )
  const order = byClass.rows.map((place) => byLevel[place])
  const place = new Int32Array(order.length)
  for (let cell = 0; cell < order.length; cell++) place[order[cell]] = cell
  const cellOf = grouped.ids.map((group) => place[group])
  const cellOfTruth = cellOf.subarray(0, classIds[0].length)
  const cellOfReleased = cellOf.subarray(classIds[0].length)
  const classOf = order.map((group) => classOfGroup[group])
  const level = order.map((group) => levelOfGroup[group])
  const weights = weightsOfPart(release, truth)
  const dCount = countRecords(release, truth, cellOfTruth, order.length)
  const d = weights === null ? Float64Array.from(dCount) : addUp(cellOfTruth, weights, new Float64Array(order.length))
  const s = countRecords(release, part, cellOfReleased, order.length)
  return {
    classes: keys.count,
    start: byClass.start,
    level,
    classOf,
    d,
    dCount,
    s,
    dClass: addUp(classOf, d, new Float64Array(keys.count)),
    dClassCount: addUp(classOf, dCount, new Int32Array(keys.count)),
    sClass: addUp(classOf, s, new Int32Array(keys.count)),
    dLevel: addUp(level, d, new Float64Array(target.levels.length)),
    sLevel: addUp(level, s, new Int32Array(target.levels.length)),
    nd: total(d),
    n: total(dCount),
    ns: total(s),
    cellOfTruth,
    cellOfReleased,
    timesOfTruth: timesOfPart(release, truth),
    timesOfReleased: timesOfPart(release, part),
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

function addUp<Sums extends Int32Array | Float64Array>(ids: Int32Array, values: ArrayLike<number>, sums: Sums): Sums {
  for (let k = 0; k < ids.length; k++) sums[ids[k]] += values[k]
  return sums
}

/** Sum over each class of something per cell, each record of the truth counting by its weight. */
export function classSums(cells: Cells, perCell: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(cells.classes)
  for (let cell = 0; cell < cells.d.length; cell++)
    if (cells.d[cell] > 0) sums[cells.classOf[cell]] += cells.d[cell] * perCell[cell]
  return sums
}

/** Mean over the records of the truth of something per cell. */
export function meanOver(cells: Cells, perCell: ArrayLike<number>): number {
  let all = 0
  for (let cell = 0; cell < cells.d.length; cell++) all += cells.d[cell] * perCell[cell]
  return all / cells.nd
}

/** Hot: `Float64Array.from` with a function takes ten times as long. */
export function perCell({ d }: Cells, ofCell: (cell: number) => number): Float64Array {
  const values = new Float64Array(d.length)
  for (let cell = 0; cell < values.length; cell++) values[cell] = ofCell(cell)
  return values
}

/** Something per cell as one number per record of the truth. */
export function perRecord({ cellOfTruth }: Cells, ofCell: (cell: number) => number): Float64Array {
  const values = new Float64Array(cellOfTruth.length)
  for (let row = 0; row < values.length; row++) values[row] = ofCell(cellOfTruth[row])
  return values
}

/** Sum of squared target shares of the truth: a guess drawn from its margin is right so often (synthpop: baseCAPd). */
export function marginAgreement({ dLevel, nd }: Cells): number {
  return dLevel.reduce((sum, count) => sum + (count / nd) ** 2, 0)
}

/** Per cell the share of its level among the released records of its class, 0 where the release has none. */
export function capOfCells(cells: Cells): Float64Array {
  const { s, sClass, classOf } = cells
  return perCell(cells, (cell) => (s[cell] === 0 ? 0 : s[cell] / sClass[classOf[cell]]))
}
