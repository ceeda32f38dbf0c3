import { UserError } from './errors.js'
import type { JsonObject } from './json.js'
import { type AnyMeasure, DEFAULT_SEED, noFindings, type Result, type RunOptions } from './measure.js'
import { measures } from './measures.js'
import { rememberUsedHoldout } from './neighbors/used-holdout.js'
import type { Reason } from './reason.js'
import { keepCodes } from './table/classes.js'
import type { JointColumn } from './table/joint.js'
import { type Counts, keepCounts, type Release } from './table/release.js'
import type { AsyncTask } from './tasks/task.js'

/** A measure that cannot be computed on these data is not applicable, one that breaks is failed; only a cancelled one throws. */
export async function resultOf(
  measure: AnyMeasure,
  release: Release,
  options: object,
  run: RunOptions,
): Promise<Result> {
  try {
    return await measure.run(release, options, run)
  } catch (error) {
    if (run.signal?.aborted) throw error
    const { id, version, orientation } = measure
    const seed = run.seed ?? DEFAULT_SEED
    const message = error instanceof Error ? error.message : String(error)
    const head = { measure: id, version, orientation, seed, options: options as JsonObject, warnings: [] }
    return error instanceof UserError
      ? { ...head, ...noFindings('not applicable', { code: 'data', text: message }) }
      : { ...head, ...noFindings('failed', { code: 'failed', message }) }
  }
}

interface Shared {
  readonly release: Release
  readonly codes: readonly JointColumn[]
  /** What was counted in all records, where these are samples. */
  readonly counts: Counts['byColumns']
  /** Per release whether the holdout was used for it, where that is known. */
  readonly used: readonly (Reason | null)[] | null
  readonly options: Readonly<Record<string, object>>
  readonly seed: number
}

/** A measure of the registry, by its id, as one task. */
export const measureTask: AsyncTask<Shared, string, Result> = {
  name: 'measure',
  async run({ release, codes, counts, used, options, seed }, id) {
    keepCodes(release, codes)
    if (counts !== undefined) keepCounts(release, { byColumns: counts })
    for (const [part, reason] of (used ?? []).entries()) rememberUsedHoldout(release, part, Promise.resolve(reason))
    const measure = measures.find((one) => one.id === id)
    if (measure === undefined) throw new Error(`no measure ${id}`)
    return resultOf(measure, release, options[id] ?? {}, { seed })
  },
}
