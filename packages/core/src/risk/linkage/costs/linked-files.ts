import { type Groups, groupRows } from '@scrim/kernels'
import { jointColumns } from '../../../table/coded-records.js'
import { isNumber, overlap, rangeOf } from '../../../table/interval-labels.js'
import { recordsIn, type Table } from '../../../table/table.js'

/**
 * Two files that are linked on keys: for every record of the `query` file the `search` file is searched. All that a linkage
 * does depends on the key values only, so records with the same values are held once, as a class with its number of records.
 */
export interface LinkedFiles {
  readonly query: Side
  readonly search: Side
  readonly keys: readonly Key[]
}

export interface Side {
  readonly table: Table
  /** Class of each row. */
  readonly ids: Int32Array
  /** Records per class, and of all. */
  readonly counts: Int32Array
  readonly records: number
  readonly classes: number
  /** The first row of each class. */
  readonly first: Int32Array
}

/** A key with its values as codes that mean the same on both sides, one per class, -1 for missing. */
export interface Key {
  readonly name: string
  readonly kind: KeyKind
  readonly query: Int32Array
  readonly search: Int32Array
  readonly cardinality: number
  /** Behind each code: the number, or the place of an ordered level; empty for other keys. */
  readonly numbers: Float64Array
  /** Behind each code: the label; empty for numbers. */
  readonly levels: readonly string[]
  /** Behind each code, where levels are parts of coarser ones: the labels above it, and classes of numbers that overlap. */
  readonly above: readonly ReadonlySet<string>[]
}

/**
 * `text`: names and the like, compared by how alike they are written. `hierarchy`: levels and coarser ones that they are part of.
 * `classes`: the same of numbers and classes of numbers, by their labels. How far apart two classes are counts only in `ordinal`
 * keys, whose order is declared: "18-29" and "30-39" may be a gap of 1 apart, and are still two different answers.
 */
type KeyKind = 'number' | 'ordinal' | 'nominal' | 'text' | 'classes' | 'hierarchy'

/** Whether values of the key lie some way apart. */
export const hasDistances = ({ kind }: Key): boolean => kind === 'number' || kind === 'ordinal'

export const hasMissing = ({ query, search }: Key): boolean => query.includes(-1) || search.includes(-1)

/** What is known of keys beyond their values. */
export interface KeyKnowledge {
  readonly text?: readonly string[]
  /** Per key: what each level is part of, the next coarser level. */
  readonly hierarchies?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** riskutility takes every label for itself. */
  readonly definition?: 'scrim' | 'riskutility'
}

/** How local suppression is written; no value. */
const SUPPRESSED = '*'

/** The tables must have been reconciled. */
export function linkedFiles(
  query: Table,
  search: Table,
  names: readonly string[],
  { text = [], hierarchies = {}, definition = 'scrim' }: KeyKnowledge = {},
): LinkedFiles {
  const joint = jointColumns([query, search], names)
  const grouped = (from: number, rows: number) =>
    groupRows(
      joint.map(({ codes, cardinality }) => ({ codes: codes.subarray(from, from + rows), cardinality })),
      rows,
    )
  const sides = [sideOf(query, grouped(0, query.rows)), sideOf(search, grouped(query.rows, search.rows))] as const
  const keys = joint.map((column, v): Key => {
    const { name, levels, cardinality } = column
    const [inQuery, inSearch] = sides.map(({ first }, k) => {
      const codes = column.codes.subarray(k === 0 ? 0 : query.rows)
      return Int32Array.from(first, (row) => (levels[codes[row]] === SUPPRESSED ? -1 : codes[row]))
    })
    const classes =
      column.kind === 'categorical' && !column.ordered && definition === 'scrim' ? overlappingClasses(levels) : null
    const parents = column.kind === 'categorical' && Object.hasOwn(hierarchies, name) ? hierarchies[name] : null
    const kind = text.includes(names[v])
      ? 'text'
      : column.kind !== 'categorical'
        ? 'number'
        : column.ordered
          ? 'ordinal'
          : parents !== null
            ? 'hierarchy'
            : classes === null
              ? 'nominal'
              : 'classes'
    const numbers = kind === 'ordinal' ? Float64Array.from(levels, (_, code) => code) : column.numbers
    const above = parents === null ? (classes ?? []) : levels.map((level) => levelsAbove(level, parents))
    return { name, kind, query: inQuery, search: inSearch, cardinality, numbers, levels, above }
  })
  return { query: sides[0], search: sides[1], keys }
}

/** Per label the classes of numbers that overlap with it; null unless all labels are numbers or such classes and some overlap. */
function overlappingClasses(levels: readonly string[]): readonly ReadonlySet<string>[] | null {
  const ranges = levels.flatMap((level) => (level === SUPPRESSED ? [] : [{ level, range: rangeOf(level) }]))
  const known = ranges.flatMap(({ level, range }) => (range === null ? [] : [{ level, range }]))
  if (known.length < ranges.length) return null
  const above = new Map(levels.map((level) => [level, new Set<string>()]))
  const classes = known.filter(({ range }) => !isNumber(range))
  for (const { level, range } of known)
    for (const other of classes)
      if (other.level !== level && overlap(range, other.range)) above.get(level)?.add(other.level)
  const sets = [...above.values()]
  return sets.some(({ size }) => size > 0) ? sets : null
}

/** Also where a level is its own ancestor by mistake, this ends. */
function levelsAbove(level: string, parents: Readonly<Record<string, string>>): ReadonlySet<string> {
  const above = new Set<string>()
  for (let at = level; Object.hasOwn(parents, at) && !above.has(parents[at]); at = parents[at]) above.add(parents[at])
  return above
}

/** Whether one level is the other, or part of it. */
export function areRelated({ levels, above }: Key, a: number, b: number): boolean {
  return a === b || above[a].has(levels[b]) || above[b].has(levels[a])
}

export function sideOf(table: Table, { ids, count }: Groups): Side {
  const first = new Int32Array(count).fill(-1)
  const counts = new Int32Array(count)
  for (let row = 0; row < ids.length; row++) {
    if (first[ids[row]] < 0) first[ids[row]] = row
    counts[ids[row]] += table.times?.[row] ?? 1
  }
  return { table, ids, counts, records: recordsIn(table), classes: count, first }
}

/** How many records of a side have each code of a key; missing ones are not counted. */
export function codeCounts({ cardinality, ...key }: Key, files: LinkedFiles, side: 'query' | 'search'): Float64Array {
  const counts = new Float64Array(cardinality)
  const codes = key[side]
  const records = files[side].counts
  for (let k = 0; k < codes.length; k++) if (codes[k] >= 0) counts[codes[k]] += records[k]
  return counts
}
