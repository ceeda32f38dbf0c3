import { type AssessOptions, assess, chooseMeasures } from '../assess/assess.js'
import { type Placed, utilityScore } from '../assess/usefulness.js'
import { type AnyMeasure, DEFAULT_SEED } from '../measure.js'
import { stream } from '../random/stream.js'
import { studentTQuantile } from '../stats/distributions.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import { sum } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { inline } from '../tasks/task.js'
import { deviations, groupsLeftOut } from '../utility/left-out.js'
import { pairOf } from '../utility/pair.js'
import type { AnyUtilityMeasure } from '../utility/utility-measure.js'

/**
 * The utility score of many candidates of one release, fast. What an honest sample and a file that keeps nothing give is
 * found once, for the release as it is; a candidate then costs one value per measure, and its score is that of `assess`.
 * How much U, and a difference between two candidates, varies with the people: the delete-a-group jackknife over rows of both
 * files at once (`utility/left-out.ts`), the same rows for all candidates, so that differences are paired. The two controls are
 * taken as known. A candidate with fewer records is held against the honest sample of the release as it is.
 */
export interface UtilityGauge {
  readonly of: (usable: Release) => Promise<GaugedUtility>
}

export interface GaugedUtility {
  readonly score: number | null
  readonly relations: number | null
  readonly columns: number | null
  /** The score without each group of rows, and what a deviation of it counts. */
  readonly without: readonly (number | null)[]
  readonly shrink: number
}

export interface Difference {
  readonly value: number
  /** One-sided 95 % bounds; null where they cannot be had. */
  readonly lower: number | null
  readonly upper: number | null
}

interface Gauge {
  readonly measure: AnyUtilityMeasure
  readonly target: string
  readonly honest: number
  readonly nothing: number
}

export async function utilityGauge(release: Release, run: AssessOptions): Promise<UtilityGauge> {
  const wanted = { ...run, side: 'utility', profile: 'standard' } as const
  const chosen = chooseMeasures(release, wanted).filter(isScored)
  const gauges: Gauge[] = []
  for await (const result of assess(release, { ...wanted, measures: chosen.map(({ id }) => id) })) {
    const measure = chosen.find(({ id }) => id === result.measure)
    const [found] = result.releases
    for (const { controls, utility, target } of found?.targets ?? (found === undefined ? [] : [found]))
      if (measure !== undefined && utility?.place != null && controls?.honest && controls.nothing)
        gauges.push({ measure, target: target ?? '', honest: controls.honest.value, nothing: controls.nothing.value })
  }
  return { of: (usable) => scoreOf(gauges, usable, run.seed ?? DEFAULT_SEED, run) }
}

/** Of the second less the first, by the same deletions. */
export function utilityDifference(before: GaugedUtility, after: GaugedUtility): Difference | null {
  if (before.score === null || after.score === null) return null
  const value = after.score - before.score
  const deleted = after.without.flatMap((score, k) => {
    const first = before.without[k] ?? null
    return score === null || first === null ? [] : [score - first]
  })
  if (deleted.length < Math.max(2, after.without.length)) return { value, lower: null, upper: null }
  const variance = sum(deviations(deleted, after.shrink).map((deviation) => deviation ** 2))
  const reach = studentTQuantile(BOUND_LEVEL, deleted.length - 1) * Math.sqrt(variance)
  return { value, lower: value - reach, upper: value + reach }
}

function isScored(measure: AnyMeasure): measure is AnyUtilityMeasure {
  return 'valueFor' in measure && 'scale' in measure && measure.scale !== null
}

async function scoreOf(
  gauges: readonly Gauge[],
  usable: Release,
  seed: number,
  { tasks = inline, signal, options = {} }: AssessOptions,
): Promise<GaugedUtility> {
  const { both } = groupsLeftOut(usable, seed, 'release')
  const places: Placed[][] = []
  for (const { measure, target, honest, nothing } of gauges) {
    const { id, scale } = measure
    const random = (purpose: string, index?: number) => stream(seed, `${id}/${purpose}`, index)
    const context = { seed, random, progress: () => {}, signal, tasks }
    const whole = pairOf({ release: usable, part: 0, target })
    for (const [k, pair] of [whole, ...both.pairs(whole)].entries()) {
      const value = await measure.valueFor(pair, options[id] ?? {}, context)
      places[k] ??= []
      if (value !== null) places[k].push({ measure: id, scale, place: (value - nothing) / (honest - nothing) })
    }
  }
  const [score = utilityScore([]), ...without] = places.map(utilityScore)
  return { ...score, without: without.map((group) => group.score), shrink: both.shrink }
}
