import { type Column, MISSING_CODE } from '../../table/column.js'
import { codeJointly, labelsOf } from '../../table/joint.js'
import { columnOf, type Table, table } from '../../table/table.js'

/**
 * Records as whole numbers: every variable has one code per value that occurs in the original or in a given release, and
 * one for missing if that occurs. Worlds that differ in a single record are then arrays that differ in a single place.
 */
export interface Variable {
  readonly name: string
  /** Numbers and dates have regression trees, levels classification trees. */
  readonly kind: 'numbers' | 'levels'
  readonly ordered: boolean
  /** Number of codes, missing included. A value without a code has this one: it is nowhere in the original. */
  readonly codes: number
  /** The code of missing, -1 where it does not occur. */
  readonly missing: number
  /** Numbers by code, ascending; missing counts as 0, a value without a code as NaN. Empty for levels. */
  readonly numbers: Float64Array
  readonly labels: readonly string[]
}

/** One array per variable. */
export interface Records {
  readonly codes: readonly Int32Array[]
  readonly rows: number
}

const MISSING_LABEL = '(missing)'

/** The variables of tables whose columns have been reconciled. */
export function variablesOf(names: readonly string[], tables: readonly Table[]): Variable[] {
  return names.map((name) => {
    const columns = tables.map((one) => columnOf(one, name))
    const joint = codeJointly(columns)
    const values = joint.cardinality
    const hasMissing = joint.codes.includes(MISSING_CODE)
    return {
      name,
      kind: joint.kind === 'categorical' ? 'levels' : 'numbers',
      ordered: joint.ordered,
      codes: hasMissing ? values + 1 : values,
      missing: hasMissing ? values : -1,
      numbers:
        joint.kind === 'categorical'
          ? new Float64Array(0)
          : Float64Array.from([...joint.numbers, ...(hasMissing ? [0] : []), Number.NaN]),
      labels: [...labelsOf(joint), ...(hasMissing ? [MISSING_LABEL] : [])],
    }
  })
}

/** The number of values of a variable without missing. */
export function valueCount({ codes, missing }: Variable): number {
  return missing < 0 ? codes : codes - 1
}

/** A table as codes; tables made from the original have its levels. */
export function codeRecords(variables: readonly Variable[], file: Table): Records {
  return { rows: file.rows, codes: variables.map((variable) => codeColumn(variable, columnOf(file, variable.name))) }
}

/** A table that has not been reconciled with the original: its levels are known by their names. */
export function codeByLabels(variables: readonly Variable[], file: Table): Records {
  const codes = variables.map((variable) => {
    const column = columnOf(file, variable.name)
    if (column.kind !== 'categorical' || variable.kind === 'numbers') return codeColumn(variable, column)
    const known = column.levels.map((level) => variable.labels.indexOf(level))
    const missing = variable.missing < 0 ? variable.codes : variable.missing
    return column.codes.map((code) =>
      code === MISSING_CODE ? missing : known[code] < 0 ? variable.codes : known[code],
    )
  })
  return { codes, rows: file.rows }
}

function codeColumn(variable: Variable, column: Column): Int32Array {
  const unknown = variable.codes
  const missing = variable.missing < 0 ? unknown : variable.missing
  if (column.kind === 'categorical') {
    const values = valueCount(variable)
    return column.codes.map((code) => (code === MISSING_CODE ? missing : code < values ? code : unknown))
  }
  const codeOf = new Map<number, number>()
  for (let code = 0; code < valueCount(variable); code++) codeOf.set(variable.numbers[code], code)
  return Int32Array.from(column.values, (value) => (Number.isNaN(value) ? missing : (codeOf.get(value) ?? unknown)))
}

export function recordAt({ codes }: Records, row: number): Int32Array {
  return Int32Array.from(codes, (column) => column[row])
}

export function recordsOf(rows: readonly Int32Array[], variables: number): Records {
  return {
    rows: rows.length,
    codes: Array.from({ length: variables }, (_, j) => Int32Array.from(rows, (row) => row[j])),
  }
}

export function selectRecords({ codes }: Records, rows: ArrayLike<number>): Records {
  return { rows: rows.length, codes: codes.map((column) => Int32Array.from(rows, (row) => column[row])) }
}

/** The records with that of `row` replaced. */
export function replaceRecord({ codes, rows }: Records, row: number, by: Int32Array): Records {
  return {
    rows,
    codes: codes.map((column, j) => {
      const copy = column.slice()
      copy[row] = by[j]
      return copy
    }),
  }
}

/** A record for people: `1111` where every value is one character, else values with commas. */
export function recordLabel(variables: readonly Variable[], record: Int32Array): string {
  const labels = variables.map((variable, j) => variable.labels[record[j]] ?? '(other)')
  return labels.join(labels.every((label) => label.length === 1) ? '' : ', ')
}

/** Numbers each record by its values, the same for equal ones, over as many calls as needed. */
export interface CellBook {
  readonly idOf: (records: Records, row: number) => number
  /** Distinct records so far, in the order of their numbers. */
  readonly cells: Int32Array[]
}

/** So many cells at most are addressed directly; beyond, values are looked up one by one. */
const DIRECT_CELLS = 1 << 20

export function cellBook(variables: readonly Variable[]): CellBook {
  const cells: Int32Array[] = []
  const size = variables.reduce((product, { codes }) => product * (codes + 1), 1)
  const add = (records: Records, row: number) => cells.push(recordAt(records, row)) - 1
  if (size <= DIRECT_CELLS) {
    const known = new Int32Array(size).fill(-1)
    const idOf = (records: Records, row: number) => {
      let at = 0
      for (let j = 0; j < variables.length; j++) at = at * (variables[j].codes + 1) + records.codes[j][row]
      if (known[at] < 0) known[at] = add(records, row)
      return known[at]
    }
    return { idOf, cells }
  }
  const prefixes = prefixBook(variables.length)
  const numbers = new Map<number, number>()
  const idOf = (records: Records, row: number) => {
    let prefix = 0
    for (let j = 0; j < variables.length; j++) prefix = prefixes(j, prefix, records.codes[j][row])
    const known = numbers.get(prefix)
    if (known !== undefined) return known
    const id = add(records, row)
    numbers.set(prefix, id)
    return id
  }
  return { idOf, cells }
}

const CODE_RANGE = 2 ** 26

/** Numbers beginnings of records: the number of one value more after a numbered beginning (0 is the empty one). */
export function prefixBook(variables: number): (j: number, prefix: number, code: number) => number {
  const books = Array.from({ length: variables }, () => new Map<number, number>())
  return (j, prefix, code) => {
    const key = prefix * CODE_RANGE + code
    const known = books[j].get(key)
    if (known !== undefined) return known
    const id = books[j].size
    books[j].set(key, id)
    return id
  }
}

/** Which sets have each distinct record, and how often. */
export interface ReleasedEntries {
  readonly sets: number
  /** The entries of distinct record u are at `start[u]` to `start[u + 1] - 1`. */
  readonly start: Int32Array
  readonly set: Int32Array
  readonly count: Float64Array
}

/** Released sets, each distinct record once. */
export interface ReleasedSets extends ReleasedEntries {
  /** Records by set. */
  readonly sizes: Float64Array
  readonly distinct: Records
}

export function releasedSets(variables: readonly Variable[], tables: readonly Records[]): ReleasedSets {
  const book = cellBook(variables)
  const entries: { id: number; set: number; count: number }[] = []
  for (const [set, records] of tables.entries()) {
    const counts = new Map<number, number>()
    for (let row = 0; row < records.rows; row++) {
      const id = book.idOf(records, row)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const [id, count] of counts) entries.push({ id, set, count })
  }
  entries.sort((a, b) => a.id - b.id || a.set - b.set)
  const start = new Int32Array(book.cells.length + 1)
  for (const { id } of entries) start[id + 1]++
  for (let u = 0; u < book.cells.length; u++) start[u + 1] += start[u]
  return {
    sets: tables.length,
    sizes: Float64Array.from(tables, ({ rows }) => rows),
    distinct: recordsOf(book.cells, variables.length),
    start,
    set: Int32Array.from(entries, ({ set }) => set),
    count: Float64Array.from(entries, ({ count }) => count),
  }
}

/** The same sets with the first variable only, with the first two, and so on: records with the same beginning are one. */
export function beginnings(sets: ReleasedSets): ReleasedSets[] {
  const { distinct } = sets
  const books = prefixBook(distinct.codes.length)
  const ids = new Int32Array(distinct.rows)
  return distinct.codes.map((codes, j) => {
    const first: number[] = []
    for (let u = 0; u < distinct.rows; u++) {
      ids[u] = books(j, ids[u], codes[u])
      if (ids[u] === first.length) first.push(u)
    }
    return {
      ...addedUp(sets, ids, first.length),
      sizes: sets.sizes,
      distinct: selectRecords({ codes: distinct.codes.slice(0, j + 1), rows: distinct.rows }, first),
    }
  })
}

/** The entries of records that are one, those with the same id. */
function addedUp(sets: ReleasedEntries, ids: Int32Array, distinct: number): ReleasedEntries {
  const members = Array.from({ length: distinct }, (): number[] => [])
  for (let u = 0; u < ids.length; u++) members[ids[u]].push(u)
  const start = new Int32Array(distinct + 1)
  const set: number[] = []
  const count: number[] = []
  const counts = new Float64Array(sets.sets)
  for (const [id, own] of members.entries()) {
    const from = set.length
    for (const u of own) {
      for (let k = sets.start[u]; k < sets.start[u + 1]; k++) {
        if (counts[sets.set[k]] === 0) set.push(sets.set[k])
        counts[sets.set[k]] += sets.count[k]
      }
    }
    for (let k = from; k < set.length; k++) {
      count.push(counts[set[k]])
      counts[set[k]] = 0
    }
    start[id + 1] = set.length
  }
  return { sets: sets.sets, start, set: Int32Array.from(set), count: Float64Array.from(count) }
}

/** The entries of some distinct records, numbered anew. */
export function selectReleased({ sets, start, set, count }: ReleasedEntries, records: Int32Array): ReleasedEntries {
  const from = new Int32Array(records.length + 1)
  for (const [k, u] of records.entries()) from[k + 1] = from[k] + start[u + 1] - start[u]
  const [ownSet, ownCount] = [new Int32Array(from[records.length]), new Float64Array(from[records.length])]
  for (const [k, u] of records.entries()) {
    ownSet.set(set.subarray(start[u], start[u + 1]), from[k])
    ownCount.set(count.subarray(start[u], start[u + 1]), from[k])
  }
  return { sets, start: from, set: ownSet, count: ownCount }
}

/** Log likelihood of each set, from the log probability of each distinct record. */
export function sumOverSets({ sets, start, set, count }: ReleasedSets, logProb: Float64Array): Float64Array {
  const sums = new Float64Array(sets)
  for (let u = 0; u < logProb.length; u++) {
    for (let k = start[u]; k < start[u + 1]; k++) sums[set[k]] += count[k] * logProb[u]
  }
  return sums
}

/** How often each distinct record occurs in one set. */
export function countsOfSet({ start, set, count }: ReleasedSets, wanted: number): Float64Array {
  const counts = new Float64Array(start.length - 1)
  for (let u = 0; u < counts.length; u++) {
    for (let k = start[u]; k < start[u + 1]; k++) if (set[k] === wanted) counts[u] += count[k]
  }
  return counts
}

/** The records of one set, equal ones side by side. */
export function recordsOfSet(sets: ReleasedSets, wanted: number): Records {
  const rows: number[] = []
  countsOfSet(sets, wanted).forEach((count, u) => {
    for (let k = 0; k < count; k++) rows.push(u)
  })
  return selectRecords(sets.distinct, rows)
}

/** Records as a table again, with the columns of `like`. */
export function tableOfRecords(variables: readonly Variable[], records: Records, like: Table): Table {
  const columns = variables.map((variable, j): Column => {
    const column = columnOf(like, variable.name)
    const codes = records.codes[j]
    if (column.kind === 'categorical')
      return { ...column, codes: codes.map((code) => (code === variable.missing ? MISSING_CODE : code)) }
    const values = Float64Array.from(codes, (code) => (code === variable.missing ? Number.NaN : variable.numbers[code]))
    return { ...column, values }
  })
  return table(like.name, columns)
}

/** Share of the released numbers whose exact value one original record alone has; null without numbers. */
export function donorShare(
  variables: readonly Variable[],
  original: Records,
  { distinct, start, count }: ReleasedSets,
): number | null {
  let once = 0
  let all = 0
  for (const [j, variable] of variables.entries()) {
    if (variable.kind !== 'numbers') continue
    const frequency = new Int32Array(variable.codes + 1)
    for (const code of original.codes[j]) frequency[code]++
    for (let u = 0; u < distinct.rows; u++) {
      const code = distinct.codes[j][u]
      if (code === variable.missing) continue
      let copies = 0
      for (let k = start[u]; k < start[u + 1]; k++) copies += count[k]
      all += copies
      if (frequency[code] === 1) once += copies
    }
  }
  return all === 0 ? null : once / all
}
