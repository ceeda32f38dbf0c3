import type { SampledTables } from '../../case/with-counts.js'
import { codedFrom1, countsBelow, type RecordColumn } from '../../neighbors/in-bits/bits.js'
import { type AskedPool, bitCoder, type ValuedColumn } from '../../neighbors/scan/bit-scan.js'
import type { Where } from '../../neighbors/tasks.js'
import { joinedCodes } from '../../stats/joined.js'
import {
  holdsNumbers,
  plainValues,
  type Scanned,
  type StoredTable,
  TooManyCombinations,
} from '../../stored/stored-table.js'
import { codeJointly } from '../../table/joint.js'
import { reconcile } from '../../table/reconcile.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import { comparedOtherwise, noNumbers } from '../distance/others/scanned-neighbours.js'
import { type BitsOptions, CHARGES, peopleLookedAt, type ScannedBits } from './bits-in-common.js'
import { nearestNeeded } from './draws.js'
import { drawnBelow, queriesPerReplicate, rowsCompared } from './shape-control.js'

/**
 * Where tables are samples of larger ones: who among all records of both has most in common with the people that `bitsInCommon` looks
 * at and with those of its shape control, in bits that are counted over all records; or, in words, why it cannot be had.
 */
export async function scannedBits(
  release: Release,
  tables: SampledTables,
  part: number,
  options: BitsOptions,
  seed: number,
  most: number,
  where: Where,
): Promise<ScannedBits | string> {
  const names = [...new Set(options.variables ?? release.variables)]
  const odd = comparedOtherwise(names, [
    [release.original, tables.original],
    [release.released[part], tables.released[part]],
  ])
  if (odd !== undefined) return odd
  const files = [tables.original.stored, tables.released[part].stored] as const
  const columns: CountedColumn[] = []
  for (const name of names) {
    const counted = columns.reduce((sum, { values }) => sum + values.length, 0)
    const column = await countedColumn(name, files, most - counted)
    if (typeof column === 'string') return column
    columns.push(column)
  }
  const [originals, released] = files.map(({ schema }) => schema.rows)
  const people = peopleLookedAt(originals, options.sample, seed)
  const queries = queriesPerReplicate(people.length)
  const below = columns.map(({ ofOriginal }) => ofOriginal)
  const ofBoth = columns.map((column) => column.ofBoth)
  const replicates = await drawnBelow({ names, below, released, seed }, where.tasks)
  const compared = replicates.map((_, replicate) => rowsCompared(originals, queries, seed, replicate))
  const codesOf = await codesOfRows(files[0], columns, [people, ...compared])
  const asked = columns.map(({ isNumber, values }, j) => ({ name: names[j], isNumber, values }))
  const needed = nearestNeeded(originals, released, people.length)
  const near: Scanned[] = []
  for (const [file, stored] of files.entries()) {
    // One more among the originals, since everybody is one of them.
    const beside = file === 0 ? 1 : 0
    const looks = (k: number) => CHARGES.map((charge) => ({ charge, k: beside + (charge === 0 ? k : 1) }))
    const ofPeople: AskedPool = { below: ofBoth, queries: codesOf(people), looks: looks(needed[file]) }
    const ofShape = compared.map(
      (rows, replicate): AskedPool => ({ below: replicates[replicate], queries: codesOf(rows), looks: looks(1) }),
    )
    near.push(
      await stored.scan({ columns: asked, pools: file === 0 ? [ofPeople, ...ofShape] : [ofPeople] }, most, where),
    )
  }
  const numbers = [near[0].numbers, near[1].numbers] as const
  return {
    columns: columns.map((column) =>
      codedRecords(
        column,
        near.map(({ records }) => records),
      ),
    ),
    numbers,
    records: [originals, released],
    below: ofBoth,
    shape: { numbers: numbers[0], below, replicates },
  }
}

interface CountedColumn extends ValuedColumn {
  readonly numbers: Float64Array | null
  /** How many records have a code below. */
  readonly ofOriginal: Int32Array
  readonly ofBoth: Int32Array
}

async function countedColumn(
  name: string,
  files: readonly StoredTable[],
  most: number,
): Promise<CountedColumn | string> {
  const counts: Table[] = []
  for (const file of files) {
    try {
      counts.push(await file.counts([name], most))
    } catch (error) {
      if (!(error instanceof TooManyCombinations)) throw error
      return `"${name}" has more values than memory has room to count`
    }
  }
  const alike = reconcile(
    counts.map((counted) => columnOf(counted, name)),
    files.map((file) => file.name),
  )
  if (typeof alike === 'string') return alike
  const joint = codeJointly(alike)
  const isText = joint.kind === 'categorical'
  if (isText ? files.some((file) => holdsNumbers(file, name)) : !joint.numbers.every(Number.isFinite))
    return noNumbers(name)
  const { codes, cardinality, numbers } = codedFrom1(joint)
  const times = counts.map((counted) => Int32Array.from(counted.times ?? new Int32Array(counted.rows).fill(1)))
  return {
    name,
    isNumber: numbers !== null,
    values: numbers === null ? joint.levels : [...joint.numbers],
    numbers,
    ofOriginal: countsBelow(codes, cardinality, times[0]),
    ofBoth: countsBelow(codes, cardinality, joinedCodes(times)),
  }
}

/** Of some rows of the original the codes of all columns, row by row. */
async function codesOfRows(original: StoredTable, columns: readonly CountedColumn[], asked: readonly Int32Array[]) {
  const rows = Int32Array.from(new Set(asked.flatMap((some) => [...some]))).sort()
  const found = await original.rows(
    rows,
    columns.map(({ name }) => name),
  )
  const codes = columns.map((column) => codedRecords(column, [found]).codes)
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]))
  return (some: Int32Array) => Array.from(some, (row) => codes.map((column) => column[placeOf.get(row) ?? -1]))
}

/** Of the records of some tables, one table after the other. */
function codedRecords(column: CountedColumn, tables: readonly Table[]): RecordColumn {
  const { name, numbers, values } = column
  const parts = tables.map((table) => ({ rows: table.rows, columns: [plainValues(columnOf(table, name))] }))
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const codes = Int32Array.from(bitCoder({ columns: [column] })(0, parts, rows))
  return { name, numbers, cardinality: values.length + 1, codes }
}
