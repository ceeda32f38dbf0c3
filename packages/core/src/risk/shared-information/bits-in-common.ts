import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import type { Table } from '../../table/table.js'
import { type AroundInBits, aroundInBits, recordsAt, type Where } from './around-in-bits.js'
import { type BitSpace, bitSpace, bitsInColumn, poolOf } from './bits.js'
import { type BitsInBulk, bitsInBulk } from './bulk.js'
import { type ExposedRecord, exposedRecords } from './exposed-records.js'
import { queriesPerReplicate, type ShapeControl, shapeControls } from './shape-control.js'
import { type BitsInTail, bitsInTail } from './tail.js'

/**
 * Bits that released records have in common with people of the original, beyond what other people have: in bulk, in the
 * tail, and by person.
 */
export interface BitsInCommon {
  readonly around: AroundInBits
  /** One for each charge. */
  readonly bulk: readonly BitsInBulk[]
  readonly tail: BitsInTail
  /** Bits that each of the people looked at has in common with a copy of their own record. */
  readonly ownBits: Float64Array
  /** The most exposed people. */
  exposed(count: number): ExposedRecord[]
}

export interface BitsInCommonInput {
  /** The tables share these columns and their levels, as those of a release do. */
  readonly original: Table
  readonly released: Table
  readonly variables: readonly string[]
  /** What a category that differs is charged, in bits. */
  readonly charges?: readonly number[]
  /** How many originals are looked at when there are more than 20,000, or which rows. */
  readonly sample?: number
  readonly rows?: Int32Array
  readonly seed: number
}

const CHARGES = [0, 1, 4]
const SAMPLE = 5000
const SAMPLE_ABOVE = 20_000

/** At least two originals and one column. */
export async function bitsInCommon(input: BitsInCommonInput, where: Where): Promise<BitsInCommon> {
  const { original, variables, seed } = input
  const space = bitSpace([original, input.released], variables)
  const rows = input.rows ?? lookedAt(original.rows, input.sample ?? SAMPLE, seed)
  const charges = input.charges ?? CHARGES
  const { columns, points } = space
  const [originals, released] = space.ids
  const around = await aroundInBits({ columns, points, originals, released }, rows, charges, seed, where)
  const queries = queriesPerReplicate(rows.length)
  const shapes = await once(original, [columns.map(({ name }) => name), released.length, charges, queries, seed], () =>
    shapeControls(
      {
        original: columns.map((column) => ({ ...column, codes: originals.map((point) => column.codes[point]) })),
        originals: originals.length,
        released: released.length,
        charges,
        queries,
        seed,
      },
      where,
    ),
  )
  const pool = recordsAt(points, originals)
  for (const point of released) pool[point]++
  return {
    around,
    bulk: around.nearest.map((nearest, k) => bitsInBulk(around, nearest, shapes[k])),
    tail: bitsInTail(around),
    ownBits: ownBits(space, pool, around.points),
    exposed: (count) => exposedRecords(space, pool, around, count),
  }
}

function lookedAt(rows: number, sample: number, seed: number): Int32Array {
  return rows > SAMPLE_ABOVE && sample < rows
    ? sampleWithoutReplacement(stream(seed, 'shared-information/rows'), rows, sample).sort()
    : Int32Array.from({ length: rows }, (_, row) => row)
}

function ownBits({ columns }: BitSpace, records: Int32Array, points: Int32Array): Float64Array {
  const pool = poolOf(columns, records)
  return Float64Array.from(points, (point) =>
    columns.reduce((sum, { codes }, j) => sum + bitsInColumn(pool, j, codes[point], codes[point]), 0),
  )
}

const known = new WeakMap<Table, Map<string, Promise<ShapeControl[]>>>()

/** The control of an original is the same for all releases of one size. What fails is forgotten. */
function once(
  original: Table,
  dependsOn: readonly unknown[],
  compute: () => Promise<ShapeControl[]>,
): Promise<ShapeControl[]> {
  const of = known.get(original) ?? new Map<string, Promise<ShapeControl[]>>()
  known.set(original, of)
  const key = JSON.stringify(dependsOn)
  const found = of.get(key) ?? compute()
  of.set(key, found)
  found.catch(() => of.delete(key))
  return found
}
