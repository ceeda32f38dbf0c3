import { type AnyMeasure, DEFAULT_SEED, needsFor, type Result } from '../measure.js'
import { measureTask } from '../measure-task.js'
import { measures } from '../measures.js'
import type { Where } from '../neighbors/tasks.js'
import { usedHoldout } from '../neighbors/used-holdout.js'
import { parseOptions } from '../options.js'
import type { Reason } from '../reason.js'
import { codesToSend } from '../table/classes.js'
import { columnCounts, type Release, sendable } from '../table/release.js'
import type { AssessOptions } from './assess.js'

/**
 * The measures of utility are many, hardly one can be cut into tasks, and they need nothing that measures of risk found. So on
 * several threads each is one task, and so is a measure of risk that cannot be cut: workers are at them whenever the other
 * measures, which go on here and cut their work themselves, leave them idle. A worker holds two while there is nothing else, so that
 * it need not wait for a thread that is busy. What takes longest goes first: measures of risk, then those of utility from the last of
 * the list on.
 *
 * Per id the result, or undefined where it did not come about, since a worker died. Then it is made here.
 */
export function startElsewhere(
  chosen: readonly AnyMeasure[],
  release: Release,
  run: AssessOptions,
): ReadonlyMap<string, Promise<Result | undefined>> {
  const { finished, options = {}, seed = DEFAULT_SEED, signal, tasks } = run
  if (tasks === undefined || tasks.threads < 2) return new Map()
  const ids = chosen
    .filter((measure) => isTask(measure, release, run) && !finished?.has(measure.id))
    .toSorted(
      (a, b) => Number(a.role === 'utility') - Number(b.role === 'utility') || chosen.indexOf(b) - chosen.indexOf(a),
    )
    .map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const settle: ((result: Result | undefined) => void)[] = []
  const results = ids.map(() => new Promise<Result | undefined>((resolve) => settle.push(resolve)))
  usedByPart(release, ids, { tasks, signal })
    .then((used) =>
      tasks.map(
        measureTask,
        { release: sendable(release), codes: codesToSend(release), counts: columnCounts(release), used, options, seed },
        ids,
        { signal, ahead: 2, beside: true, output: (k, result) => settle[k](result as Result) },
      ),
    )
    .catch(() => {})
    .finally(() => {
      for (const resolve of settle) resolve(undefined)
    })
  return new Map(ids.map((id, k) => [id, results[k]]))
}

/** Rules hold functions, which no thread can be sent; nor can it tell what is added about each record. */
function isTask(measure: AnyMeasure, release: Release, { options = {}, records, added }: AssessOptions): boolean {
  if (!measures.includes(measure)) return false
  if (measure.role !== 'utility' && (!measure.alone?.(release) || records === true || added !== undefined)) return false
  const given = options[measure.id] ?? {}
  return !needsFor(measure, parseOptions(measure.id, measure.options, given), release).includes('rules')
}

/** Asked here once; each worker would have to build what it is asked with. */
async function usedByPart(
  release: Release,
  ids: readonly string[],
  where: Where,
): Promise<readonly (Reason | null)[] | null> {
  const isAsked = measures.some(({ id, role }) => role !== 'utility' && ids.includes(id))
  if (!isAsked || release.holdout === null) return null
  return Promise.all(release.released.map((_, part) => usedHoldout(release, part, where)))
}
