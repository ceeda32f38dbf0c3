import { groupRows, rowsByGroup } from '@scrim/kernels'
import { z } from 'zod'
import type { Context } from '../../measure.js'
import type { DistanceOptions, Side } from '../../neighbors/release-space.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { joinedCodes } from '../../stats/joined.js'
import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'
import type { Task } from '../../tasks/task.js'

/** Whom an attack is tried on. */
export const targetOptions = {
  attacks: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('how many people are attacked, in the release and outside it, drawn at random; everybody when not given'),
}

/** The columns that a distance can compare. */
export function comparableColumns(
  { variables, original }: Release,
  { distance }: Pick<DistanceOptions, 'distance'>,
): string[] {
  return variables.filter((name) => distance !== 'euclidean' || columnOf(original, name).kind !== 'categorical')
}

/** Places of the attacked records among those of a side, ascending. */
export function attackedRecords(side: Side, attacks: number | null, context: Context, purpose: string): Int32Array {
  const all = side.ids.length
  if (attacks === null || attacks >= all) return Int32Array.from({ length: all }, (_, record) => record)
  return sampleWithoutReplacement(context.random(purpose), all, attacks).sort()
}

/** What an attack needs to know of each person it is tried on, as two codes. */
export interface Targets {
  readonly first: Int32Array
  readonly second: Int32Array
}

/** Pairs handed out at once; fixed, so that nothing depends on the number of threads. */
const PAIRS_AT_ONCE = 2048

/**
 * Runs an attack, a task that gives `width` numbers per target, on several groups of people; the numbers come back person
 * by person. Equal people are attacked once, and those with the same first code one after the other.
 */
export async function attackAll<Shared>(
  { tasks, progress, signal }: Context,
  task: Task<Shared, Targets, Float64Array>,
  shared: Shared,
  groups: readonly Targets[],
  width = 1,
): Promise<Float64Array[]> {
  const { ids, first, second } = distinctPairs(
    joinedCodes(groups.map((group) => group.first)),
    joinedCodes(groups.map((group) => group.second)),
  )
  const { rows: sorted } = rowsByGroup(first, codes(first))
  const runs: Targets[] = []
  for (let from = 0; from < sorted.length; from += PAIRS_AT_ONCE) {
    const pairs = sorted.subarray(from, from + PAIRS_AT_ONCE)
    runs.push({ first: pairs.map((pair) => first[pair]), second: pairs.map((pair) => second[pair]) })
  }
  const outputs = await tasks.map(task, shared, runs, { progress, signal })
  const placeOf = new Int32Array(sorted.length)
  for (let place = 0; place < sorted.length; place++) placeOf[sorted[place]] = place
  let person = 0
  return groups.map((group) => {
    const scores = new Float64Array(group.first.length * width)
    for (let at = 0; at < scores.length; at += width) {
      const place = placeOf[ids[person++]]
      const from = (place % PAIRS_AT_ONCE) * width
      const output = outputs[Math.floor(place / PAIRS_AT_ONCE)]
      for (let k = 0; k < width; k++) scores[at + k] = output[from + k]
    }
    return scores
  })
}

function distinctPairs(first: Int32Array, second: Int32Array): Targets & { readonly ids: Int32Array } {
  const columns = [first, second].map((of) => ({ codes: of, cardinality: codes(of) }))
  const { ids, count } = groupRows(columns, first.length)
  const pairs = { ids, first: new Int32Array(count), second: new Int32Array(count) }
  for (let person = 0; person < ids.length; person++) {
    pairs.first[ids[person]] = first[person]
    pairs.second[ids[person]] = second[person]
  }
  return pairs
}

function codes(of: Int32Array): number {
  return of.reduce((most, code) => Math.max(most, code), -1) + 1
}
