import { ascendingOrder, longFloat64, longInt32, pickRows } from '@scrim/kernels'
import { countUp } from '../random/sampling.js'
import { jointCodes, type Part, rowCount, rowsOfPart } from './classes.js'
import { byCodePoint } from './column.js'
import type { Release } from './release.js'

export interface CodesOfColumn {
  readonly name: string
  readonly numeric: boolean
  readonly cardinality: number
  readonly codes: Int32Array
}

/** Records as codes, and the rows of the file that they come from. */
export interface CodedTable {
  readonly columns: readonly CodesOfColumn[]
  readonly rows: Int32Array
}

/** The columns that the files share, by name; all rows, or those chosen. */
export function codedTable(
  release: Release,
  part: Part,
  choose: (columns: readonly CodesOfColumn[], rows: Int32Array) => Int32Array = (_, rows) => rows,
): CodedTable {
  const columns = release.variables.toSorted(byCodePoint).map((name): CodesOfColumn => {
    const { codes, cardinality, kind, ...joint } = jointCodes(release, name)
    return { name, numeric: kind !== 'categorical', cardinality, codes: rowsOfPart(release, joint, codes, part) }
  })
  const all = countUp(rowCount(release, part))
  const rows = choose(columns, all)
  if (rows.length === all.length) return { rows, columns }
  return { rows, columns: columns.map((column) => ({ ...column, codes: pickRows(column.codes, rows) })) }
}

/**
 * Tables with common columns written in one way, so that draws over their records are the same bits for any order of the
 * rows and any names of the levels. Codes are those that occur. Numbers are known by their rank, and a level by the
 * company it keeps: its signature is the sum, over the records that have it, of their signatures, a record's that of its
 * values, and each refines the other (colour refinement, Weisfeiler and Leman 1968). Levels that are alike after that are
 * told apart at will, column by column. Levels and records then go by signature.
 */
export function canonicalTables(tables: readonly CodedTable[]): CodedTable[] {
  const { ranked, signatures, orders } = signed(tables)
  const newCodes = ranked[0].columns.map(({ numeric }, j) =>
    numeric ? null : places(ascendingOrder(levelKeys(signatures[j]))),
  )
  return ranked.map(({ columns, rows }, t) => ({
    rows: pickRows(rows, orders[t]),
    columns: columns.map((column, j) => {
      const recoded = newCodes[j]
      const codes = pickRows(column.codes, orders[t])
      return { ...column, codes: recoded === null ? codes : recode(codes, recoded) }
    }),
  }))
}

/** The rows alone, in that order. */
export function canonicalRows(tables: readonly CodedTable[]): Int32Array[] {
  const { ranked, orders } = signed(tables)
  return ranked.map(({ rows }, t) => pickRows(rows, orders[t]))
}

/** What levels are known by, and in which order records come. */
function signed(tables: readonly CodedTable[]) {
  const ranked = withCodesThatOccur(tables)
  const signatures = firstSignatures(ranked)
  refineFully(ranked, signatures)
  breakTies(ranked, signatures)
  const orders = signaturesOfRecords(ranked, signatures).map((ofRecords) => ascendingOrder(keys(ofRecords)))
  return { ranked, signatures, orders }
}

/** Codes numbered anew, in their order, without those that no record has. */
function withCodesThatOccur(tables: readonly CodedTable[]): CodedTable[] {
  const numbers = tables[0].columns.map(({ cardinality }, j) => {
    const number = new Int32Array(cardinality).fill(-1)
    for (const { columns } of tables) {
      const { codes } = columns[j]
      for (let record = 0; record < codes.length; record++) if (codes[record] >= 0) number[codes[record]] = 0
    }
    let next = 0
    for (let code = 0; code < cardinality; code++) if (number[code] === 0) number[code] = next++
    return { number, cardinality: next }
  })
  return tables.map(({ columns, rows }) => ({
    rows,
    columns: columns.map((column, j) => {
      const { number, cardinality } = numbers[j]
      return cardinality === column.cardinality
        ? column
        : { ...column, cardinality, codes: recode(column.codes, number) }
    }),
  }))
}

function recode(codes: Int32Array, newCodes: Int32Array): Int32Array {
  const recoded = longInt32(codes.length)
  for (let record = 0; record < codes.length; record++)
    recoded[record] = codes[record] < 0 ? -1 : newCodes[codes[record]]
  return recoded
}

/** Two words that say what something is, where one would be the same by chance too often. */
interface Signatures {
  readonly first: Int32Array
  readonly second: Int32Array
}

/** By column and code, missing being the first. */
type CodeSignatures = readonly Signatures[]

function firstSignatures(tables: readonly CodedTable[]): CodeSignatures {
  return tables[0].columns.map(({ numeric, cardinality }) => {
    const seeded = (seed: number) =>
      Int32Array.from({ length: cardinality + 1 }, (_, k) => (k === 0 ? ~seed : numeric ? mixed(k - 1, seed) : seed))
    return { first: seeded(1), second: seeded(2) }
  })
}

/** By table and record. */
function signaturesOfRecords(tables: readonly CodedTable[], ofCodes: CodeSignatures): readonly Signatures[] {
  const weighed = ofCodes.map(({ first, second }, j) => ({
    first: first.map((signature) => mixed(signature, j)),
    second: second.map((signature) => mixed(signature, j)),
  }))
  return tables.map(({ columns, rows }, t) => {
    const sums = { first: longInt32(rows.length), second: longInt32(rows.length) }
    for (const [j, { codes }] of columns.entries()) addSignatures(codes, weighed[j], sums)
    for (const words of [sums.first, sums.second])
      for (let record = 0; record < words.length; record++) words[record] = mixed(words[record], t)
    return sums
  })
}

/** Hot: both words in one walk over the codes. */
function addSignatures(codes: Int32Array, { first, second }: Signatures, sums: Signatures): void {
  for (let record = 0; record < codes.length; record++) {
    const place = codes[record] + 1
    sums.first[record] += first[place]
    sums.second[record] += second[place]
  }
}

/** New signatures for levels from those of the records that have them; numbers, and what is missing, keep theirs. */
function refine(tables: readonly CodedTable[], ofCodes: CodeSignatures): void {
  const ofRecords = signaturesOfRecords(tables, ofCodes)
  for (const [j, { numeric }] of tables[0].columns.entries()) {
    if (numeric) continue
    const { first, second } = ofCodes[j]
    const missing = [first[0], second[0]]
    first.fill(0)
    second.fill(0)
    for (const [t, { columns }] of tables.entries()) addByCode(columns[j].codes, ofRecords[t], ofCodes[j])
    first[0] = missing[0]
    second[0] = missing[1]
  }
}

/** Hot, as above. */
function addByCode(codes: Int32Array, ofRecords: Signatures, { first, second }: Signatures): void {
  for (let record = 0; record < codes.length; record++) {
    const place = codes[record] + 1
    first[place] += ofRecords.first[record]
    second[place] += ofRecords.second[record]
  }
}

/** Until another round tells no more levels apart. */
function refineFully(tables: readonly CodedTable[], signatures: CodeSignatures): void {
  const nominal = tables[0].columns.flatMap(({ numeric }, j) => (numeric ? [] : [j]))
  const levels = nominal.reduce((sum, j) => sum + tables[0].columns[j].cardinality, 0)
  let distinct = 0
  for (;;) {
    refine(tables, signatures)
    const now = nominal.reduce((sum, j) => sum + new Set(levelKeys(signatures[j])).size, 0)
    if (now === distinct || now === levels) return
    distinct = now
  }
}

function breakTies(tables: readonly CodedTable[], signatures: CodeSignatures): void {
  for (const [j, { numeric, cardinality }] of tables[0].columns.entries()) {
    const key = numeric ? null : levelKeys(signatures[j])
    if (key === null || new Set(key).size === cardinality) continue
    const place = places(ascendingOrder(key))
    for (const own of [signatures[j].first, signatures[j].second])
      for (let code = 0; code < cardinality; code++) own[code + 1] = mixed(own[code + 1], place[code])
    refine(tables, signatures)
  }
}

function levelKeys({ first, second }: Signatures): Float64Array {
  return keys({ first: first.subarray(1), second: second.subarray(1) })
}

/** A good mixture of two words: the finalizer of MurmurHash3 (Appleby 2011). */
export function mixed(a: number, b: number): number {
  let hash = a ^ Math.imul(b + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const TWO_21 = 2 ** 21

/** Two words as one number to sort by. */
function keys({ first, second }: Signatures): Float64Array {
  const key = longFloat64(first.length)
  for (let k = 0; k < key.length; k++) key[k] = (first[k] >>> 0) * TWO_21 + (second[k] >>> 11)
  return key
}

/** Where each code comes in an order of codes. */
function places(order: Int32Array): Int32Array {
  const place = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) place[order[at]] = at
  return place
}
