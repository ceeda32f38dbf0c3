import type { Profile } from '../case/case.js'
import { UserError, unknownName } from '../errors.js'
import {
  type AddedTo,
  type AnyMeasure,
  checkOptions,
  DEFAULT_SEED,
  needsFor,
  type Result,
  unmetNeeds,
} from '../measure.js'
import { resultOf } from '../measure-task.js'
import { measures } from '../measures.js'
import { parseOptions } from '../options.js'
import type { Release } from '../table/release.js'
import { type AbortSignalLike, inline, type TaskRunner } from '../tasks/task.js'
import { foundElsewhere } from '../views/views.js'
import { startElsewhere } from './elsewhere.js'
import { isSeenThroughViews, throughViews } from './through-views.js'

export interface AssessOptions {
  readonly profile?: Profile | undefined
  /** The measures to run, by id, instead of a profile. */
  readonly measures?: readonly string[] | undefined
  /** Only measures of risk, or only those of utility; both when not given. */
  readonly side?: 'risk' | 'utility' | undefined
  /** Measures that run in any case, by id, besides those of the profile or the list. */
  readonly also?: readonly string[] | undefined
  /** Results of an earlier run of the same release, which are taken as they are. */
  readonly finished?: ReadonlyMap<string, Result> | undefined
  /** Options per measure id. */
  readonly options?: Readonly<Record<string, object>> | undefined
  readonly seed?: number | undefined
  /** Keep one score per record in the results of the measures that decide. */
  readonly records?: boolean | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly tasks?: TaskRunner | undefined
  readonly progress?: ((at: AssessProgress) => void) | undefined
  /** Is told what each release adds about each original record, which no result holds. */
  readonly added?: ((about: AddedTo) => void) | undefined
  /** Where the measures are looked up; scrim's own list when not given. */
  readonly registry?: readonly AnyMeasure[] | undefined
}

interface AssessProgress {
  readonly measure: string
  /** Place of the measure in the run, from 0, and how many there are. */
  readonly index: number
  readonly of: number
  /** How far the measure is, from 0 to 1. */
  readonly share: number
}

/**
 * Runs measure after measure on a release and gives each result as soon as it is there. Names and options are checked
 * before the first one starts; after that nothing stops the run but its signal: a measure that cannot be computed on
 * these data is not applicable, one that breaks is failed with its reason, and the others go on.
 */
export async function* assess(release: Release, run: AssessOptions = {}): AsyncGenerator<Result, void, undefined> {
  const chosen = chooseMeasures(release, run)
  checkAllOptions(release, chosen, run)
  const { seed = DEFAULT_SEED, signal, tasks = inline, finished } = run
  if (chosen.some((measure) => isSeenThroughViews(measure) && !finished?.has(measure.id)))
    foundElsewhere(release, { seed, signal, tasks })
  const elsewhere = startElsewhere(chosen, release, run)
  for (const [index, measure] of chosen.entries()) {
    if (run.signal?.aborted) return
    const at = (share: number) => run.progress?.({ measure: measure.id, index, of: chosen.length, share })
    at(0)
    yield run.finished?.get(measure.id) ?? (await ask(measure, release, run, at, elsewhere.get(measure.id)))
  }
}

async function ask(
  measure: AnyMeasure,
  release: Release,
  { options, seed, records, signal, tasks, added }: AssessOptions,
  at: (share: number) => void,
  elsewhere: Promise<Result | undefined> | undefined,
): Promise<Result> {
  const chosen = options?.[measure.id] ?? {}
  const run = {
    progress: (done: number, total: number) => at(total > 0 ? done / total : 0),
    records: records === true && measure.role === 'decides',
    ...(seed === undefined ? {} : { seed }),
    ...(signal === undefined ? {} : { signal }),
    ...(tasks === undefined ? {} : { tasks }),
    ...(added === undefined ? {} : { added }),
  }
  const asItIs = (await elsewhere) ?? (await resultOf(measure, release, chosen, run))
  return throughViews(asItIs, measure, release, chosen, run)
}

/** The measures that a run of these options computes, in the order of the registry. */
export function chooseMeasures(
  release: Release,
  { measures: ids, also = [], side, profile = 'standard', registry = measures }: AssessOptions,
): readonly AnyMeasure[] {
  checkIds([...(ids ?? []), ...also], registry)
  return registry.filter((measure) => {
    if (also.includes(measure.id)) return true
    if (ids !== undefined) return ids.includes(measure.id)
    if (side !== undefined && (measure.role === 'utility') !== (side === 'utility')) return false
    if (measure.role === 'decides') return true
    if (profile === 'quick') return false
    if (measure.about === 'generator') return release.generator !== null
    return profile === 'full' || measure.profile !== 'full'
  })
}

/** Also options of measures that do not run are checked: a slip there is still a slip. */
function checkAllOptions(
  release: Release,
  chosen: readonly AnyMeasure[],
  { options = {}, registry = measures }: AssessOptions,
): void {
  checkIds(Object.keys(options), registry)
  const problems: string[] = []
  for (const measure of registry) {
    try {
      const parsed = parseOptions(measure.id, measure.options, options[measure.id] ?? {})
      const needs = needsFor(measure, parsed, release)
      if (chosen.includes(measure) && unmetNeeds({ needs }, release) === undefined)
        checkOptions(measure, release, parsed)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new UserError(problems)
}

function checkIds(ids: readonly string[], registry: readonly AnyMeasure[]): void {
  const known = registry.map((measure) => measure.id)
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length > 0) throw new UserError(unknown.map((id) => unknownName('measure', id, known)))
}
