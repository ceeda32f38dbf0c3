import { groupRows, pickRows, rowsByGroup } from '@scrim/kernels'
import type { Context } from '../../measure.js'
import { type DistanceOptions, type ReleaseSpace, type Side, toRows } from '../../neighbors/release-space.js'
import { doneElsewhere, type Where } from '../../neighbors/tasks.js'
import { whole } from '../../option-kinds.js'
import { count, grouped } from '../../print.js'
import { countUp, sampleWithoutReplacement, someRows } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { joinedCodes } from '../../stats/joined.js'
import { type CodedTable, canonicalRows, codedTable } from '../../table/canonical-tables.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'
import type { Task } from '../../tasks/task.js'

/** Enough for a rate that is known to half a percent, and for a second of work. */
const MOST_ATTACKED = 5000

/** Whom an attack is tried on. */
export const targetOptions = {
  attacks: whole(null, { above: 0 }).describe(
    `how many people are attacked, in the release and outside it, drawn at random; ${grouped(MOST_ATTACKED)} when not given, or everybody if they are fewer`,
  ),
}

/** The columns that a distance can compare. */
export function comparableColumns(
  { variables, original }: Release,
  { distance }: Pick<DistanceOptions, 'distance'>,
): string[] {
  return variables.filter((name) => distance !== 'euclidean' || columnOf(original, name).kind !== 'categorical')
}

/** The people who are attacked. */
export async function victims(
  release: Release,
  { training, holdout }: Pick<ReleaseSpace, 'training' | 'holdout'>,
  attacks: number | null,
  context: Context,
) {
  const files = [training, ...(holdout === null ? [] : [holdout])]
  const [inside, outside = null] = await attackedPlaces(release, files, attacks, context.random, context)
  const attacked = [inside, ...(outside === null ? [] : [outside])].map(({ length }) => length)
  return {
    /** Their places among the records that take part, ascending. */
    inside,
    outside,
    warnings: attackedWarning(
      attacked,
      files.map(({ ids }) => ids.length),
    ),
  }
}

/** Of an original, and of a holdout, those who are attacked: places among the records that take part, ascending. */
export async function attackedPlaces(
  release: Release,
  files: readonly Pick<Side, 'rows' | 'fileRows'>[],
  attacks: number | null,
  random: Context['random'],
  where: Where,
): Promise<readonly Int32Array[]> {
  const isByNumber = isDrawnByNumber(files.map(({ fileRows }) => fileRows))
  const inOrder = async (file: number) => (isByNumber ? undefined : (await peopleInOrder(release, where))[file])
  return Promise.all(
    files.map((side, file) =>
      drawn(
        side,
        attacks ?? MOST_ATTACKED,
        () => random(file === 0 ? 'targets' : 'controls'),
        () => inOrder(file),
      ),
    ),
  )
}

/** That some of all people are attacked, in the release and outside it. */
export function attackedWarning(attacked: readonly number[], people: readonly number[]): string[] {
  const parts = attacked.flatMap((some, k) =>
    some < people[k]
      ? [`${grouped(some)} of ${count(people[k], 'person', 'people')} ${k === 0 ? 'in the release' : 'outside it'}`]
      : [],
  )
  return parts.length === 0 ? [] : [`attacked are ${parts.join(' and ')}, drawn at random`]
}

/** Records of an original and a holdout. */
const ORDERED_UP_TO = 20_000

/**
 * Whether people are drawn by their numbers, from an original and a holdout of these sizes: to put very many into an order of their own
 * takes longer than to attack some of them, and cannot be done where they are not in memory.
 */
function isDrawnByNumber(sizes: readonly number[]): boolean {
  return sizes.reduce((sum, records) => sum + records, 0) > ORDERED_UP_TO
}

/** Whether it takes an order of all people to say who is attacked. */
export function isOrderNeeded(sizes: readonly number[], attacks: number | null): boolean {
  return !isDrawnByNumber(sizes) && sizes.some((records) => records > (attacks ?? MOST_ATTACKED))
}

/** At most so many records of a side, drawn from the rows of its file in an order, or as they stand. */
async function drawn(
  { rows, fileRows }: Pick<Side, 'rows' | 'fileRows'>,
  most: number,
  random: () => Stream,
  inOrder: () => Promise<Int32Array | undefined>,
): Promise<Int32Array> {
  if (most >= rows.length) return countUp(rows.length)
  const order = await inOrder()
  if (order === undefined) return someRows(rows.length, most, random)
  const recordOf = new Int32Array(fileRows).fill(-1)
  for (let record = 0; record < rows.length; record++) recordOf[rows[record]] = record
  const records = pickRows(recordOf, order).filter((record) => record >= 0)
  return sampleWithoutReplacement(random(), records.length, most)
    .map((place) => records[place])
    .sort()
}

/** Scores of the people attacked, on the rows of their file; NaN for the others. */
export function onRows(side: Side, people: Int32Array, scores: Float64Array): Float64Array {
  return toRows({ rows: people.map((record) => side.rows[record]), fileRows: side.fileRows }, scores)
}

/** Rows of the original and the holdout in an order that does not depend on how they are written, so that the same people are drawn. */
function peopleInOrder(release: Release, where: Where): Promise<readonly Int32Array[]> {
  return remember(release, 'people in canonical order', async () => {
    const parts = release.holdout === null ? (['original'] as const) : (['original', 'holdout'] as const)
    const tables = parts.map((of) => codedTable(release, of))
    const records = tables.reduce((sum, { rows }) => sum + rows.length, 0)
    return doneElsewhere(where, orderTask, tables, records)
  })
}

export const orderTask: Task<readonly CodedTable[], string, Int32Array[]> = {
  name: 'records in canonical order',
  run: canonicalRows,
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
  const { ids, count: distinct } = groupRows(columns, first.length)
  const pairs = { ids, first: new Int32Array(distinct), second: new Int32Array(distinct) }
  for (let person = 0; person < ids.length; person++) {
    pairs.first[ids[person]] = first[person]
    pairs.second[ids[person]] = second[person]
  }
  return pairs
}

function codes(values: Int32Array): number {
  return values.reduce((most, code) => Math.max(most, code), -1) + 1
}
