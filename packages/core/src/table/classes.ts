import { countIds, type Groups, groupRows } from '@scrim/kernels'
import type { Column } from './column.js'
import { codeJointly, type JointColumn, keepJointly } from './joint.js'
import type { Release } from './release.js'
import { columnOf, findColumn, recordsIn, type Table } from './table.js'

/** A table of the release: the original, the i-th released one, all released ones together, the holdout or the population. */
export type Part = 'original' | 'holdout' | 'population' | 'all' | number

/** What a measure looks at: one part of a release and, where the measure needs a target, one target. */
export interface Subject {
  readonly release: Release
  readonly part: Part
  readonly target: string
}

export function tableOfPart(release: Release, part: Part): Table {
  const file = typeof part === 'number' ? release.released[part] : part === 'all' ? undefined : release[part]
  if (file === null || file === undefined) throw new Error(`the release has no single table for ${part}`)
  return file
}

export function rowCount(release: Release, part: Part): number {
  if (part === 'all') return release.released.reduce((sum, one) => sum + one.rows, 0)
  return tableOfPart(release, part).rows
}

/** How many records each row of a part stands for, or null where it is one each. */
export function timesOfPart(release: Release, part: Part): Int32Array | null {
  if (part !== 'all') return tableOfPart(release, part).times ?? null
  if (release.released.every(({ times }) => times === undefined)) return null
  const all = new Int32Array(rowCount(release, 'all')).fill(1)
  let at = 0
  for (const { rows, times } of release.released) {
    if (times !== undefined) all.set(times, at)
    at += rows
  }
  return all
}

/** How many records a part has; `rowCount` of them are different where equal ones were counted. */
export function recordCount(release: Release, part: Part): number {
  if (part === 'all') return release.released.reduce((sum, one) => sum + recordsIn(one), 0)
  return recordsIn(tableOfPart(release, part))
}

/** Records by the id of their row. */
export function countRecords(release: Release, part: Part, ids: Int32Array, count: number): Int32Array {
  return recordsById(ids, count, timesOfPart(release, part))
}

/** The same of rows that stand for so many records each; one each where it is null. Rows with a negative id are left out. */
export function recordsById(ids: Int32Array, count: number, times: Int32Array | null): Int32Array {
  if (times === null) return countIds(ids, count)
  const records = new Int32Array(count)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) records[ids[row]] += times[row]
  return records
}

/** The weights of a part as numbers, of all records that a row stands for; null when it has none. */
export function weightsOfPart(release: Release, part: Part): Float64Array | null {
  const column =
    release.weight === null || part === 'all' ? undefined : findColumn(tableOfPart(release, part), release.weight)
  if (column?.kind !== 'numeric') return null
  const times = timesOfPart(release, part)
  return times === null ? column.values : column.values.map((weight, row) => weight * times[row])
}

/** All parts that have every one of `names`, in the order in which joint arrays hold their rows. */
function partsWith(release: Release, names: readonly string[]): Part[] {
  const parts: Part[] = ['original', ...release.released.keys()]
  if (release.holdout !== null) parts.push('holdout')
  if (release.population !== null) parts.push('population')
  return parts.filter((part) => names.every((name) => findColumn(tableOfPart(release, part), name) !== undefined))
}

/** An array over the rows of several parts, one part after the other. */
export interface JointRows {
  readonly start: ReadonlyMap<Part, number>
  readonly rows: number
}

/** The stretch of a joint array that belongs to one part; released tables lie side by side, so `all` is one stretch too. */
export function rowsOfPart(release: Release, joint: JointRows, array: Int32Array, part: Part): Int32Array {
  const start = joint.start.get(part === 'all' ? 0 : part)
  if (start === undefined) throw new Error(`${part} lacks one of the columns`)
  return array.subarray(start, start + rowCount(release, part))
}

export type JointCodes = JointColumn & JointRows

/** The column coded over all parts that have it; computed once per release. */
export function jointCodes(release: Release, name: string): JointCodes {
  return remember(release, `codes ${JSON.stringify(name)}`, () => {
    const joint = jointRows(release, [name])
    return { ...codeJointly(columnsOf(release, name, joint)), ...joint }
  })
}

/** The codes of all columns, to go with a release to another thread: what was coded here need not be coded there. */
export function codesToSend(release: Release): readonly JointColumn[] {
  return release.variables.map((name) => codeJointly(columnsOf(release, name)))
}

export function keepCodes(release: Release, codes: readonly JointColumn[]): void {
  for (const joint of codes) keepJointly(columnsOf(release, joint.name), joint)
}

function columnsOf(release: Release, name: string, { start } = jointRows(release, [name])): readonly Column[] {
  return [...start.keys()].map((part) => columnOf(tableOfPart(release, part), name))
}

/**
 * Equivalence classes: rows with the same values on all of `names`, numbered over all parts together, so that a class has
 * the same id in the original and in every release. Missing is one more value here; measures that read it otherwise say so.
 */
export interface KeyClasses extends Groups, JointRows {
  readonly names: readonly string[]
}

export function keyClasses(release: Release, names: readonly string[]): KeyClasses {
  return remember(release, `classes ${JSON.stringify(names)}`, () => groupByKeys(release, names))
}

/** As `keyClasses`, but forgotten after use: for sweeps over many key sets. */
export function groupByKeys(release: Release, names: readonly string[]): KeyClasses {
  const joint = jointRows(release, names)
  const columns = names.map((name) => {
    const column = jointCodes(release, name)
    return { codes: restrict(release, column.codes, column, joint), cardinality: column.cardinality }
  })
  return { ...groupRows(columns, joint.rows), ...joint, names }
}

/** A joint array over more parts, cut down to the parts of `to`. */
function restrict(release: Release, codes: Int32Array, from: JointRows, to: JointRows): Int32Array {
  if (from.rows === to.rows) return codes
  const cut = new Int32Array(to.rows)
  for (const [part, at] of to.start) cut.set(rowsOfPart(release, from, codes, part), at)
  return cut
}

function jointRows(release: Release, names: readonly string[]): JointRows {
  const start = new Map<Part, number>()
  let rows = 0
  for (const part of partsWith(release, names)) {
    start.set(part, rows)
    rows += tableOfPart(release, part).rows
  }
  return { start, rows }
}

const memory = new WeakMap<object, Map<string, unknown>>()

/** Computes something once per release, or per table; `key` must name all else that it depends on. What fails is forgotten. */
export function remember<T>(subject: object, key: string, compute: () => T): T {
  const known = memory.get(subject) ?? new Map<string, unknown>()
  memory.set(subject, known)
  if (!known.has(key)) {
    const computed = compute()
    known.set(key, computed)
    if (computed instanceof Promise) computed.catch(() => known.delete(key))
  }
  return known.get(key) as T
}
