import { type AnyMeasure, DEFAULT_SEED, needsFor, type Result } from '../measure.js'
import { measureTask } from '../measure-task.js'
import { measures } from '../measures.js'
import { parseOptions } from '../options.js'
import type { Release } from '../table/release.js'
import type { AssessOptions } from './assess.js'

/**
 * The measures of utility are many, hardly one can be cut into tasks, and they need nothing that measures of risk found. So on
 * several threads each is one task: workers are at them whenever the measures of risk, which go on here and cut their
 * work themselves, leave them idle. A worker holds two, so that it need not wait for a thread that is busy. The last of the list
 * look at the most, and go first.
 *
 * Per id the result, or undefined where it did not come about: another job that failed ends all workers. Then it is made here.
 */
export function startElsewhere(
  chosen: readonly AnyMeasure[],
  release: Release,
  { finished, options = {}, seed = DEFAULT_SEED, signal, tasks }: AssessOptions,
): ReadonlyMap<string, Promise<Result | undefined>> {
  const ids = chosen
    .filter((measure) => isTask(measure, release, options[measure.id] ?? {}) && !finished?.has(measure.id))
    .map(({ id }) => id)
    .reverse()
  if (tasks === undefined || tasks.threads < 2 || ids.length < 2) return new Map()
  const settle: ((result: Result | undefined) => void)[] = []
  const results = ids.map(() => new Promise<Result | undefined>((resolve) => settle.push(resolve)))
  tasks
    .map(measureTask, { release: sendable(release), options, seed }, ids, {
      signal,
      ahead: 2,
      output: (k, result) => settle[k](result as Result),
    })
    .catch(() => {})
    .finally(() => {
      for (const resolve of settle) resolve(undefined)
    })
  return new Map(ids.map((id, k) => [id, results[k]]))
}

/** Rules hold functions, which no thread can be sent. */
function isTask(measure: AnyMeasure, release: Release, given: object): boolean {
  if (measure.role !== 'utility' || !measures.includes(measure)) return false
  return !needsFor(measure, parseOptions(measure.id, measure.options, given), release).includes('rules')
}

function sendable(release: Release): Release {
  return { ...release, rules: [], generator: null }
}
