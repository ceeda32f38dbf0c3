import { countIds } from '@scrim/kernels'
import type { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import type { Context, Subject } from '../../measure.js'
import type { Where } from '../../neighbors/tasks.js'
import { columnNames, whole } from '../../option-kinds.js'
import { rowsLookedAt } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { remember, tableOfPart } from '../../table/classes.js'
import type { Table } from '../../table/table.js'
import { type AroundInBits, aroundInBits } from './around-in-bits.js'
import { type BitSpace, bitSpace, bitsInColumn, poolOf } from '../../neighbors/in-bits/bits.js'
import { type BitsInBulk, bitsInBulk } from './bulk.js'
import { queriesPerReplicate, type ShapeControl, shapeControls } from './shape-control.js'
import { type BitsInTail, bitsInTail } from './tail.js'

/** How records are compared, in one place for the measures of bulk and tail. */
export const bitsOptions = {
  variables: columnNames().describe('columns to compare; all that original and release share when not given'),
  sample: whole(2500, { min: 100 }).describe(
    'how many original records are looked at when there are more than 20,000; they are compared with all',
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

/** None sees partial copies best, more sees near-copies better. */
const CHARGES = [0, 1, 4]
const SAMPLE = 5000

/** Computed once for all measures that look at it. */
export function bitsOf({ release, part }: Subject, options: BitsOptions, context: Context): Promise<BitsInCommon> {
  const variables = [...new Set(options.variables ?? release.variables)]
  const released = tableOfPart(release, part)
  if (variables.length === 0) throw new NotApplicable('there is no column to compare records by')
  if (release.original.rows < 2) throw new NotApplicable('one original record alone has no others to compare with')
  const key = JSON.stringify([part, variables, options.sample, context.seed])
  return remember(release, `bits in common ${key}`, () =>
    bitsInCommon(
      {
        original: release.original,
        released,
        variables,
        sample: options.sample,
        seed: context.seed,
      },
      context,
    ),
  )
}

/** At least two originals and one column. */
export async function bitsInCommon(input: BitsInCommonInput, where: Where): Promise<BitsInCommon> {
  const { original, variables, seed } = input
  const space = bitSpace([original, input.released], variables)
  const rows =
    input.rows ?? rowsLookedAt(original.rows, input.sample ?? SAMPLE, () => stream(seed, 'shared-information/rows'))
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
  const pool = countIds(originals, points)
  for (const point of released) pool[point]++
  return {
    around,
    bulk: around.nearest.map((nearest, k) => bitsInBulk(around, nearest, shapes[k])),
    tail: bitsInTail(around),
    ownBits: ownBits(space, pool, around.points),
  }
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
  const controls = known.get(original) ?? new Map<string, Promise<ShapeControl[]>>()
  known.set(original, controls)
  const key = JSON.stringify(dependsOn)
  const control = controls.get(key) ?? compute()
  controls.set(key, control)
  control.catch(() => controls.delete(key))
  return control
}
