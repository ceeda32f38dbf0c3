import { addPairSums, KERNEL_SCALES, type MixedRows, type PairFunction, type RowRange } from '@scrim/kernels'
import { sum } from '../../../stats/sums.js'
import type { Task, TaskProgress, TaskRunner } from '../../../tasks/task.js'
import type { MixedRecords } from './mixed-records.js'

/** Mean of a function of the distance over pairs of original records, of one of each file, and of released ones. */
export type PairMeans = {
  /** Over pairs of different records. */
  readonly within: readonly [number, number]
  readonly across: number
  /** Over all pairs, a record with itself included. */
  readonly withinAll: readonly [number, number]
}

interface Shared {
  readonly records: MixedRows
  readonly split: number
  readonly of: PairFunction
  readonly sigma: number
}

export const pairSumsTask: Task<Shared, RowRange, Float64Array> = {
  name: 'utility/pair sums',
  run({ records, split, of, sigma }, range) {
    const sums = new Float64Array(of === 'distance' ? 3 : 3 * KERNEL_SCALES)
    addPairSums(records, split, range, of, sigma, sums)
    return sums
  },
}

/** Records handed out at once. Fixed, so that sums do not depend on the number of threads. */
const RECORDS_AT_ONCE = 256

/** Exact, over all N² / 2 pairs, none of which is stored; for kernels at σ/2, σ and 2σ. */
export async function pairMeans(
  where: { readonly tasks: TaskRunner } & TaskProgress,
  records: MixedRecords,
  measured: PairFunction,
  sigma = 1,
): Promise<PairMeans[]> {
  const { split, rows, numbers, values, categories, codes, weights } = records
  const shared = { records: { rows, numbers, values, categories, codes, weights }, split, of: measured, sigma }
  const runs: RowRange[] = []
  for (let from = 0; from < rows; from += RECORDS_AT_ONCE)
    runs.push({ from, to: Math.min(rows, from + RECORDS_AT_ONCE) })
  const parts = await where.tasks.map(pairSumsTask, shared, runs, where)
  return meansOf(records, measured, parts)
}

/** The same on this thread, for few records. */
export function pairMeansNow(records: MixedRecords, measured: PairFunction, sigma = 1): PairMeans[] {
  return meansOf(records, measured, [
    pairSumsTask.run({ records, split: records.split, of: measured, sigma }, { from: 0, to: records.rows }),
  ])
}

function meansOf(
  { weights, split }: MixedRecords,
  measured: PairFunction,
  parts: readonly Float64Array[],
): PairMeans[] {
  const sides = [weights.subarray(0, split), weights.subarray(split)].map((side) => ({
    total: sum(side),
    squares: sum(side.map((weight) => weight * weight)),
  }))
  const [x, y] = sides
  const scales = measured === 'distance' ? 1 : KERNEL_SCALES
  /** The function at distance 0. */
  const own = measured === 'distance' ? 0 : 1
  return Array.from({ length: scales }, (_, scale) => {
    const [xx, xy, yy] = [0, 1, 2].map((place) => sum(parts.map((part) => part[3 * scale + place])))
    const within = (pairs: number, { total, squares }: (typeof sides)[number]) => {
      const different = total * total - squares
      return different > 0 ? (2 * pairs) / different : 0
    }
    const all = (pairs: number, { total, squares }: (typeof sides)[number]) =>
      (2 * pairs + own * squares) / (total * total)
    return {
      within: [within(xx, x), within(yy, y)] as const,
      across: xy / (x.total * y.total),
      withinAll: [all(xx, x), all(yy, y)] as const,
    }
  })
}

export function overAll({ across, withinAll: [x, y] }: PairMeans): number {
  return Math.max(0, x + y - 2 * across)
}

/** Over pairs of different records. */
export const unbiased = ({ across, within: [x, y] }: PairMeans) => x + y - 2 * across
