import { codeJointly } from '../table/joint.js'
import { columnOf, type Table } from '../table/table.js'
import { type Partition, refine, type Scratch, scratchFor, wholePartition } from './partition.js'

/**
 * How well sets of columns tell records apart. With n records in groups of equal values of sizes f_g
 *   unique      = #{g: f_g = 1} / n: the share of people whom the set singles out
 *   distinction = #groups / n: the share of different values among the records
 *   separation  = 1 - sum_g f_g (f_g - 1) / (n (n - 1)): the share of pairs of records that it tells apart
 * (distinction and separation: Motwani and Xu 2007, Efficient algorithms for masking and finding quasi-identifiers). A missing value counts
 * as a value. All are facts about this file: who is unique in a sample need not be so in the population.
 */
export interface ColumnSet {
  readonly columns: readonly string[]
  readonly unique: number
  readonly distinction: number
  readonly separation: number
}

export interface Uniqueness {
  /** The columns that sets are made of. */
  readonly columns: readonly string[]
  /** The largest size of which every set was counted. */
  readonly largest: number
  readonly sets: readonly ColumnSet[]
  /**
   * What each column adds: the mean growth of the unique share when it joins a set, over all sets without it that are
   * smaller than `largest`; the empty set is one of them.
   */
  readonly added: ReadonlyMap<string, number>
}

export interface UniquenessOptions {
  /** Largest set of columns; as large as `records` allow unless given. */
  readonly largest?: number | undefined
  /** Most records that are looked at, all sets together. */
  readonly records?: number
}

/** Seconds, not minutes. */
const RECORDS = 3e8
const LARGEST = 4
/** Sets are known by the bits of their columns. */
const MOST_COLUMNS = 30

/** Every set of the columns named up to a size, in the order of the columns. */
export function uniquenessOf(table: Table, names: readonly string[], options: UniquenessOptions = {}): Uniqueness {
  const { rows } = table
  const columns = names.slice(0, MOST_COLUMNS)
  const coded = columns.map((name) => codeJointly([columnOf(table, name)]))
  const largest = Math.min(
    columns.length,
    options.largest ?? affordable(columns.length, rows, options.records ?? RECORDS),
  )
  const scratch = scratchFor(coded.reduce((most, { cardinality }) => Math.max(most, cardinality), 0))
  const uniqueOf = new Map<number, number>([[0, rows === 1 ? 1 : 0]])
  const sets: ColumnSet[] = []
  const visit = (from: number, bits: number, members: readonly number[], partition: Partition) => {
    for (let next = from; next < coded.length; next++) {
      const refined = refine(partition, coded[next].codes, scratch)
      const [inside, mask] = [[...members, next], bits | (1 << next)]
      const set = counted(
        refined,
        rows,
        inside.map((member) => columns[member]),
      )
      uniqueOf.set(mask, set.unique)
      sets.push(set)
      if (inside.length < largest) visit(next + 1, mask, inside, refined)
    }
  }
  if (rows > 0 && largest > 0) visit(0, 0, [], wholePartition(rows))
  return { columns, largest, sets, added: addedBy(columns, uniqueOf, largest) }
}

function affordable(columns: number, rows: number, records: number): number {
  let [size, sets, ofSize] = [0, 0, 1]
  while (size < LARGEST) {
    ofSize = (ofSize * (columns - size)) / (size + 1)
    if (size > 0 && (sets + ofSize) * rows > records) break
    sets += ofSize
    size++
  }
  return size
}

function counted({ rows: left, starts }: Partition, rows: number, columns: readonly string[]): ColumnSet {
  let pairs = 0
  for (let group = 0; group + 1 < starts.length; group++) {
    const size = starts[group + 1] - starts[group]
    pairs += size * (size - 1)
  }
  const unique = rows - left.length
  return {
    columns,
    unique: unique / rows,
    distinction: (unique + starts.length - 1) / rows,
    separation: rows < 2 ? 0 : 1 - pairs / (rows * (rows - 1)),
  }
}

function addedBy(columns: readonly string[], uniqueOf: ReadonlyMap<number, number>, largest: number) {
  const sums = new Float64Array(columns.length)
  const counts = new Float64Array(columns.length)
  for (const [mask, unique] of uniqueOf) {
    for (let k = 0; k < columns.length; k++) {
      if ((mask & (1 << k)) === 0) continue
      sums[k] += unique - (uniqueOf.get(mask & ~(1 << k)) ?? 0)
      counts[k]++
    }
  }
  return new Map(columns.map((column, k) => [column, largest === 0 || counts[k] === 0 ? 0 : sums[k] / counts[k]]))
}

/** Sets by which at least this share of people is unique, and none of whose parts does that; smallest first, then most unique. */
export function minimalSets({ sets }: Pick<Uniqueness, 'sets'>, share: number): readonly ColumnSet[] {
  const enough = sets.filter(({ unique }) => unique >= share).sort(byUse)
  const minimal: ColumnSet[] = []
  for (const set of enough) {
    const isCovered = minimal.some(({ columns }) => columns.every((column) => set.columns.includes(column)))
    if (!isCovered) minimal.push(set)
  }
  return minimal
}

function byUse(a: ColumnSet, b: ColumnSet): number {
  return a.columns.length - b.columns.length || b.unique - a.unique || b.separation - a.separation
}

/** The sets of each size that single out most people. */
export function bestSets({ sets }: Pick<Uniqueness, 'sets'>, size: number, most: number): readonly ColumnSet[] {
  return sets
    .filter(({ columns }) => columns.length === size)
    .sort(byUse)
    .slice(0, most)
}

/** The set that these columns are. */
export function countSet(table: Table, columns: readonly string[]): ColumnSet {
  const coded = columns.map((name) => codeJointly([columnOf(table, name)]))
  const scratch: Scratch = scratchFor(coded.reduce((most, { cardinality }) => Math.max(most, cardinality), 0))
  const partition = coded.reduce((so, { codes }) => refine(so, codes, scratch), wholePartition(table.rows))
  return counted(partition, table.rows, columns)
}
