import { groupRows } from '@scrim/kernels'
import { jointCodes, rowsOfPart } from '../../table/classes.js'
import { binNumbers } from '../../table/grouping.js'
import type { Release } from '../../table/release.js'
import { type TableUtility, tableUtility } from './table-utility.js'

/**
 * All one-, two- or three-way tables of a release beside those of the original (synthpop's utility.tables). Numbers are
 * cut into classes of about equal size, at quantiles of the original and all releases together; missing is a class. Each
 * variable is coded once, so that t tables cost O((n + m) t).
 */
export interface CrossTable {
  readonly variables: readonly string[]
  readonly utility: TableUtility
}

export interface CrossTablesOptions {
  readonly variables: readonly string[]
  /** How many variables a table has. */
  readonly ways: number
  /** Classes of a numeric variable. */
  readonly groups?: number
}

const GROUPS = 5

/** @param k which of the released tables */
export function crossTables(
  release: Release,
  k: number,
  { variables, ways, groups = GROUPS }: CrossTablesOptions,
): CrossTable[] {
  const coded = new Map(variables.map((name) => [name, classesOf(release, k, name, groups)]))
  return subsets(variables, ways).map((names) => {
    const columns = names.flatMap((name) => coded.get(name) ?? [])
    return { variables: names, utility: cellUtility(columns, release.original.rows, release.released[k].rows) }
  })
}

interface Classes {
  /** The original, then the release. */
  readonly codes: Int32Array
  readonly cardinality: number
}

function classesOf(release: Release, k: number, name: string, groups: number): Classes {
  const joint = jointCodes(release, name)
  const { kind, numbers } = joint
  const original = rowsOfPart(release, joint, joint.codes, 'original')
  const released = rowsOfPart(release, joint, joint.codes, k)
  const codes = new Int32Array(original.length + released.length)
  codes.set(original)
  codes.set(released, original.length)
  if (kind === 'categorical') return { codes, cardinality: joint.cardinality }
  const counts = new Float64Array(numbers.length)
  for (const part of [original, rowsOfPart(release, joint, joint.codes, 'all')])
    for (const code of part) if (code >= 0) counts[code]++
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'synthpop', n: groups })
  return { codes: codes.map((code) => (code < 0 ? -1 : bins[code])), cardinality: labels.length }
}

function cellUtility(columns: readonly Classes[], originals: number, releases: number): TableUtility {
  const { ids, count } = groupRows(columns, originals + releases)
  const original = new Int32Array(count)
  const released = new Int32Array(count)
  for (let row = 0; row < originals; row++) original[ids[row]]++
  for (let row = originals; row < ids.length; row++) released[ids[row]]++
  return tableUtility(original, released)
}

/** All subsets of a size, in the order of the names. */
function subsets(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]]
  return names.flatMap((name, k) => subsets(names.slice(k + 1), size - 1).map((rest) => [name, ...rest]))
}
