import { countIds, type NarrowCodes, narrowCodes } from '@scrim/kernels'
import type { Where } from '../../neighbors/tasks.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import type { Task } from '../../tasks/task.js'
import { type BitSpace, type RecordColumn, spaceOfCodes } from '../../neighbors/in-bits/bits.js'
import { bitSearch } from '../../neighbors/in-bits/nearest-in-bits.js'

/**
 * A release of another shape than the original can be the one with more in common without any copying. The control is a
 * release that knows the marginals only: each column of the original resampled independently, as many records as the
 * release has. Mean share of originals whose most similar record is one of these, over replicates, for each charge.
 */
export interface ShapeControl {
  readonly charge: number
  readonly closer: number
  /** Between replicates. */
  readonly standardDeviation: number
  readonly replicates: number
}

export interface ShapeInput {
  /** Columns of the original, record by record. */
  readonly original: readonly RecordColumn[]
  readonly originals: number
  readonly released: number
  readonly charges: readonly number[]
  /** How many originals each replicate is compared with; all together are about as many as the release is. */
  readonly queries: number
  readonly seed: number
}

const REPLICATES = 20
const FEWEST_QUERIES = 250

/** As many comparisons for all replicates together as for the release, but enough of them. */
export function queriesPerReplicate(looked: number): number {
  return Math.min(looked, Math.max(FEWEST_QUERIES, Math.ceil(looked / REPLICATES)))
}

export async function shapeControls(input: ShapeInput, where: Where): Promise<ShapeControl[]> {
  const sorted = input.original.map((column) => ({
    ...column,
    sorted: narrowCodes(column.codes, column.cardinality).sort(),
  }))
  const replicates = Array.from({ length: REPLICATES }, (_, replicate) => replicate)
  const runs = await where.tasks.map(shapeControlTask, { ...input, original: sorted }, replicates, where)
  return input.charges.map((charge, k) => {
    const closer = runs.map((run) => run[k])
    return {
      charge,
      closer: mean(closer) ?? 0,
      standardDeviation: standardDeviation(closer) ?? 0,
      replicates: REPLICATES,
    }
  })
}

interface Shared extends ShapeInput {
  /** Codes in order too: what is drawn does not depend on the order of the records. */
  readonly original: readonly (RecordColumn & { readonly sorted: NarrowCodes })[]
}

/** With so many times as many possible records as there are, hardly two are equal, and to find those takes longer than to search them. */
const HARDLY_EQUAL = 1000

/** Equal records as one point, or each by itself: what is counted is the same. */
function pointsOfRecords(columns: readonly RecordColumn[], originals: number, released: number): BitSpace {
  const rows = originals + released
  if (columns.reduce((product, { cardinality }) => product * cardinality, 1) < HARDLY_EQUAL * rows)
    return spaceOfCodes(columns, [originals, released])
  const ids = new Int32Array(rows)
  for (let row = 0; row < rows; row++) ids[row] = row
  return {
    columns: columns.map((column) => ({ ...column, codes: narrowCodes(column.codes, column.cardinality) })),
    points: rows,
    ids: [ids.subarray(0, originals), ids.subarray(originals)],
  }
}

export const shapeControlTask: Task<Shared, number, Float64Array> = {
  name: 'shared-information/shape',
  run({ original, originals, released, charges, queries, seed }, replicate) {
    const columns = original.map(({ sorted, ...column }) => {
      const random = stream(seed, `shared-information/shape ${column.name}`, replicate)
      const codes = new Int32Array(originals + released)
      codes.set(column.codes)
      for (let row = originals; row < codes.length; row++) codes[row] = sorted[random.below(originals)]
      return { ...column, codes }
    })
    const space = pointsOfRecords(columns, originals, released)
    const search = bitSearch({
      columns: space.columns,
      originals: countIds(space.ids[0], space.points),
      released: countIds(space.ids[1], space.points),
      draws: null,
    })
    const closer = new Float64Array(charges.length)
    const random = stream(seed, 'shared-information/shape', replicate)
    for (const row of sampleWithoutReplacement(random, originals, queries)) {
      search.ask(space.ids[0][row])
      for (let k = 0; k < charges.length; k++) {
        const { releasedRecords, records } = search.ties(charges[k])
        closer[k] += releasedRecords / records / queries
      }
    }
    return closer
  },
}
