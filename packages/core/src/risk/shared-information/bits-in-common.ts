import { countIds } from '@scrim/kernels'
import type { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import type { Context, Subject } from '../../measure.js'
import {
  type BitSpace,
  bitSpace,
  bitsInColumn,
  poolOf,
  type RecordColumn,
  spaceOfCodes,
} from '../../neighbors/in-bits/bits.js'
import type { Where } from '../../neighbors/tasks.js'
import { columnNames, whole } from '../../option-kinds.js'
import { rowsLookedAt } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { remember, tableOfPart } from '../../table/classes.js'
import { scanFor } from '../../table/release.js'
import type { Table } from '../../table/table.js'
import { type AroundInBits, aroundInBits, type TwoSides } from './around-in-bits.js'
import { type BitsInBulk, bitsInBulk } from './bulk.js'
import { queriesPerReplicate, type ScannedShape, type ShapeControl, shapeControls } from './shape-control.js'
import { type BitsInTail, bitsInTail } from './tail.js'

/** How records are compared, in one place for the measures of bulk and tail. */
export const bitsOptions = {
  variables: columnNames().describe('columns to compare; all that original and release share when not given'),
  sample: whole(2500, { min: 100 }).describe(
    'how many original records are looked at when there are more than 10,000; they are compared with all',
  ),
}

export type BitsOptions = { readonly [name in keyof typeof bitsOptions]: z.output<(typeof bitsOptions)[name]> }

/**
 * Bits that released records have in common with people of the original, beyond what other people have: in bulk and in the
 * tail.
 */
export interface BitsInCommon {
  readonly around: AroundInBits
  /** One for each charge. */
  readonly bulk: readonly BitsInBulk[]
  readonly tail: BitsInTail
  /** Bits that each of the people looked at has in common with a copy of their own record. */
  readonly ownBits: Float64Array
  /** Whether the files are samples, and who is near was found among all records. */
  readonly isScanned: boolean
}

export interface BitsInCommonInput {
  /** The tables share these columns and their levels, as those of a release do. */
  readonly original: Table
  readonly released: Table
  readonly variables: readonly string[]
  /** What a category that differs is charged, in bits. */
  readonly charges?: readonly number[]
  /** How many originals are looked at when there are more than 10,000, or which rows. */
  readonly sample?: number
  readonly rows?: Int32Array
  readonly seed: number
}

/** None sees partial copies best, more sees near-copies better. */
export const CHARGES = [0, 1, 4]
const SAMPLE = 5000

/**
 * Of files that need not be in memory the records that have most in common with the people looked at, and counts of the values of all
 * records: whatever is worked out on these is that of all.
 */
export interface ScannedBits {
  /** Of the originals near them, then of the released records. */
  readonly columns: readonly RecordColumn[]
  /** The numbers of both in their files, ascending. */
  readonly numbers: readonly [originals: Int32Array, released: Int32Array]
  /** How many records the files have. */
  readonly records: readonly [originals: number, released: number]
  /** Of each column how many records have a code below: of both files together. */
  readonly below: readonly Int32Array[]
  readonly shape: ScannedShape
}

/** What a look is about: the same for all measures, and for scans of all records. */
export function bitsKey(part: Subject['part'], { variables, sample }: BitsOptions, seed: number): string {
  return `bits in common ${JSON.stringify([part, variables, sample, seed])}`
}

/** The rows of the original that are looked at. */
export function peopleLookedAt(originals: number, sample: number, seed: number): Int32Array {
  return rowsLookedAt(originals, sample, () => stream(seed, 'shared-information/rows'))
}

/** Computed once for all measures that look at it. */
export function bitsOf({ release, part }: Subject, options: BitsOptions, context: Context): Promise<BitsInCommon> {
  const variables = [...new Set(options.variables ?? release.variables)]
  const released = tableOfPart(release, part)
  if (variables.length === 0) throw new NotApplicable('there is no column to compare records by')
  if (release.original.rows < 2) throw new NotApplicable('one original record alone has no others to compare with')
  const key = bitsKey(part, options, context.seed)
  return remember(release, key, () =>
    bitsInCommon(
      {
        original: release.original,
        released,
        variables,
        sample: options.sample,
        seed: context.seed,
      },
      context,
      scanFor<ScannedBits>(release, key),
    ),
  )
}

/** At least two originals and one column. */
export async function bitsInCommon(input: BitsInCommonInput, where: Where, scan?: ScannedBits): Promise<BitsInCommon> {
  const { original, variables, seed } = input
  const sides = scan === undefined ? sidesOf(bitSpace([original, input.released], variables)) : scannedSides(scan)
  const { columns, points, originals, released } = sides
  const rows = input.rows ?? peopleLookedAt(originals.length, input.sample ?? SAMPLE, seed)
  const charges = input.charges ?? CHARGES
  const around = await aroundInBits(sides, rows, charges, seed, where)
  const queries = queriesPerReplicate(rows.length)
  const sizes = { originals: originals.length, released: released.length }
  const shapes = await once(original, [columns.map(({ name }) => name), sizes, charges, queries, seed], () =>
    shapeControls({ original: originalsOf(sides, scan), ...sizes, charges, queries, seed, scan: scan?.shape }, where),
  )
  const pool = countIds(originals, points)
  for (const [point, records] of countIds(released, points).entries()) pool[point] += records
  return {
    around,
    bulk: around.nearest.map((nearest, k) => bitsInBulk(around, nearest, shapes[k])),
    tail: bitsInTail(around),
    ownBits: ownBits(sides, pool, around.points),
    isScanned: scan !== undefined,
  }
}

function sidesOf({ columns, points, ids: [originals, released] }: BitSpace): TwoSides {
  return { columns, points, originals, released }
}

function scannedSides({ columns, numbers, records, below }: ScannedBits): TwoSides {
  const space = spaceOfCodes(
    columns,
    numbers.map((rows) => rows.length),
  )
  const [originals, released] = space.ids.map((ids, file) => {
    const points = new Int32Array(records[file]).fill(-1)
    for (let at = 0; at < ids.length; at++) points[numbers[file][at]] = ids[at]
    return points
  })
  return { columns: space.columns, points: space.points, originals, released, below }
}

/** Record by record; of a scan those that were named. */
function originalsOf({ columns, originals }: TwoSides, scan: ScannedBits | undefined): readonly RecordColumn[] {
  return scan === undefined
    ? columns.map((column) => ({ ...column, codes: originals.map((point) => column.codes[point]) }))
    : scan.columns.map((column) => ({ ...column, codes: column.codes.slice(0, scan.numbers[0].length) }))
}

function ownBits({ columns, below }: TwoSides, records: Int32Array, points: Int32Array): Float64Array {
  const pool = poolOf(columns, records, below)
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
  const controls = known.get(original) ?? new Map<string, Promise<ShapeControl[]>>()
  known.set(original, controls)
  const key = JSON.stringify(dependsOn)
  const control = controls.get(key) ?? compute()
  controls.set(key, control)
  control.catch(() => controls.delete(key))
  return control
}
