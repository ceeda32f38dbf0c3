import { isMissing, valueAt } from '../../../table/column.js'
import { columnOf, type Table } from '../../../table/table.js'
import type { LinkedFiles } from '../costs/linked-files.js'

/** Which records of the search file are of the same person, for each record of the query file: none, one or several. */
export interface Truth {
  /** The records of query row i are `rows` from start[i] up to start[i + 1]. */
  readonly start: Int32Array
  readonly rows: Int32Array
}

/** Row i of one file is row i of the other. */
export function sameRows(n: number): Truth {
  return { start: Int32Array.from({ length: n + 1 }, (_, i) => i), rows: Int32Array.from({ length: n }, (_, i) => i) }
}

/** Rows with the same value in the identifier; missing is nobody's. */
export function sameIdentifier(query: Table, search: Table, name: string): Truth {
  const own = columnOf(search, name)
  const rowsOf = new Map<string, number[]>()
  for (let row = 0; row < search.rows; row++) {
    if (isMissing(own, row)) continue
    const value = String(valueAt(own, row))
    const known = rowsOf.get(value)
    if (known === undefined) rowsOf.set(value, [row])
    else known.push(row)
  }
  const asked = columnOf(query, name)
  return truthFrom(query.rows, (row) => (isMissing(asked, row) ? [] : (rowsOf.get(String(valueAt(asked, row))) ?? [])))
}

/** Nobody's record is known. */
export function noTruth(n: number): Truth {
  return { start: new Int32Array(n + 1), rows: new Int32Array(0) }
}

/** First to second, then second to third. */
export function composed(first: Truth, second: Truth): Truth {
  return truthFrom(first.start.length - 1, (row) => {
    const found = new Set<number>()
    for (let k = first.start[row]; k < first.start[row + 1]; k++)
      for (let l = second.start[first.rows[k]]; l < second.start[first.rows[k] + 1]; l++) found.add(second.rows[l])
    return [...found]
  })
}

/** The same pairs, asked from the other file. */
export function reversed(truth: Truth, searchRows: number): Truth {
  const owners: number[][] = Array.from({ length: searchRows }, () => [])
  for (let row = 0; row + 1 < truth.start.length; row++)
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++) owners[truth.rows[k]].push(row)
  return truthFrom(searchRows, (row) => owners[row])
}

/** Of these query rows only, in their order. */
export function truthOfRows(truth: Truth, rows: Int32Array): Truth {
  return truthFrom(rows.length, (k) => Array.from(truth.rows.subarray(truth.start[rows[k]], truth.start[rows[k] + 1])))
}

function truthFrom(n: number, rowsOf: (row: number) => readonly number[]): Truth {
  const start = new Int32Array(n + 1)
  const rows: number[] = []
  for (let row = 0; row < n; row++) {
    for (const one of rowsOf(row)) rows.push(one)
    start[row + 1] = rows.length
  }
  return { start, rows: Int32Array.from(rows) }
}

/** Records of the query file whose person has none in the search file. */
export function withoutTruth({ start }: Truth): number {
  let count = 0
  for (let row = 0; row + 1 < start.length; row++) if (start[row] === start[row + 1]) count++
  return count
}

/** How often a record takes part in true pairs at most, on either side: 1 where one person is one record in both files. */
export function multiplicity({ start, rows }: Truth): number {
  let most = 0
  for (let row = 0; row + 1 < start.length; row++) most = Math.max(most, start[row + 1] - start[row])
  const times = new Map<number, number>()
  for (const row of rows) {
    const count = (times.get(row) ?? 0) + 1
    times.set(row, count)
    most = Math.max(most, count)
  }
  return most
}

/** What is asked of the linkage: the pairs of classes that hold a true pair, each once. */
export interface Asked {
  /** Per query class: its pairs are from start[a] up to start[a + 1]. */
  readonly start: Int32Array
  /** Class of the search file. */
  readonly search: Int32Array
  /** The pair of each entry of the truth. */
  readonly place: Int32Array
}

export function askedOf({ query, search }: LinkedFiles, truth: Truth): Asked {
  const wanted: Map<number, number>[] = Array.from({ length: query.classes }, () => new Map())
  for (let row = 0; row < query.ids.length; row++)
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++) {
      const mine = wanted[query.ids[row]]
      const theirs = search.ids[truth.rows[k]]
      if (!mine.has(theirs)) mine.set(theirs, mine.size)
    }
  const start = new Int32Array(query.classes + 1)
  for (let a = 0; a < query.classes; a++) start[a + 1] = start[a] + wanted[a].size
  const place = new Int32Array(truth.rows.length)
  for (let row = 0; row < query.ids.length; row++)
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++) {
      const a = query.ids[row]
      place[k] = start[a] + (wanted[a].get(search.ids[truth.rows[k]]) ?? 0)
    }
  return { start, search: Int32Array.from(wanted.flatMap((pairs) => [...pairs.keys()])), place }
}
