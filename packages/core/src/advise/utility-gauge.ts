import { type AssessOptions, assess, chooseMeasures } from '../assess/assess.js'
import type { UtilityScale } from '../evidence/usefulness.js'
import type { AnyMeasure } from '../measure.js'
import { stream } from '../random/stream.js'
import { studentTQuantile } from '../stats/distributions.js'
import { BOUND_LEVEL } from '../stats/levels.js'
import { mean } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { selectRows, type Table } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { pairOf } from '../utility/pair.js'
import type { AnyUtilityMeasure } from '../utility/utility-measure.js'

/**
 * The utility score of many candidates of one release, fast. What an honest sample and a file that keeps nothing give is
 * found once, for the release as it is; a candidate then costs one value per measure, and its score is the one of `assess`:
 *   place = (value - nothing) / (honest - nothing), U = min(mean place of relations, mean place of columns)
 * How much U, and a difference between two candidates, varies with the people: the delete-a-group jackknife over five groups
 * of rows of both files, the same rows for all candidates, so that differences are paired (Kott 2001, "The delete-a-group
 * jackknife"). The two controls are taken as known. A candidate with fewer records is held against the honest sample of
 * the release as it is.
 */
export interface UtilityGauge {
  readonly of: (usable: Release) => Promise<GaugedUtility>
}

export interface GaugedUtility {
  readonly score: number | null
  readonly relations: number | null
  readonly columns: number | null
  /** The score without each group of rows. */
  readonly without: readonly (number | null)[]
}

export interface Difference {
  readonly value: number
  /** One-sided 95 % bounds; null where they cannot be had. */
  readonly lower: number | null
  readonly upper: number | null
}

const GROUPS = 5

interface Gauge {
  readonly measure: AnyUtilityMeasure
  readonly target: string
  readonly honest: number
  readonly nothing: number
}

export async function utilityGauge(release: Release, how: AssessOptions): Promise<UtilityGauge> {
  const wanted = { ...how, side: 'utility', profile: 'standard' } as const
  const chosen = chooseMeasures(release, wanted).filter(isScored)
  const gauges: Gauge[] = []
  for await (const result of assess(release, { ...wanted, measures: chosen.map(({ id }) => id) })) {
    const measure = chosen.find(({ id }) => id === result.measure)
    const [found] = result.releases
    for (const { controls, utility, target } of found?.targets ?? (found === undefined ? [] : [found]))
      if (measure !== undefined && utility?.place != null && controls?.honest && controls.nothing)
        gauges.push({ measure, target: target ?? '', honest: controls.honest.value, nothing: controls.nothing.value })
  }
  const seed = how.seed ?? 1
  return {
    of: async (usable) => {
      const whole = await scoreOf(gauges, usable, seed, how)
      const without: (number | null)[] = []
      for (let group = 0; group < GROUPS; group++)
        without.push((await scoreOf(gauges, withoutGroup(usable, group), seed, how)).score)
      return { ...whole, without }
    },
  }
}

/** Of the second less the first, by the same deletions. */
export function utilityDifference(before: GaugedUtility, after: GaugedUtility): Difference | null {
  if (before.score === null || after.score === null) return null
  const value = after.score - before.score
  const deleted = after.without.flatMap((score, k) => {
    const own = before.without[k]
    return score === null || own === null ? [] : [score - own]
  })
  if (deleted.length < GROUPS) return { value, lower: null, upper: null }
  const centre = mean(deleted) ?? 0
  const squares = deleted.reduce((sum, one) => sum + (one - centre) ** 2, 0)
  const reach = studentTQuantile(BOUND_LEVEL, GROUPS - 1) * Math.sqrt(((GROUPS - 1) / GROUPS) * squares)
  return { value, lower: value - reach, upper: value + reach }
}

function isScored(measure: AnyMeasure): measure is AnyUtilityMeasure {
  return 'valueFor' in measure && 'scale' in measure && measure.scale !== null
}

/** As `assess` scores it: measures count equally, however many targets they have. */
async function scoreOf(
  gauges: readonly Gauge[],
  usable: Release,
  seed: number,
  { tasks = inline, signal, options = {} }: AssessOptions,
): Promise<Omit<GaugedUtility, 'without'>> {
  const places: { id: string; scale: UtilityScale; place: number }[] = []
  for (const { measure, target, honest, nothing } of gauges) {
    const { id, scale } = measure
    const random = (purpose: string, index?: number) => stream(seed, `${id}/${purpose}`, index)
    const context = { seed, random, progress: () => {}, signal, tasks }
    const value = await measure.valueFor(pairOf({ release: usable, part: 0, target }), options[id] ?? {}, context)
    if (value === null) continue
    places.push({ id, scale, place: Math.min(1, Math.max(0, (value - nothing) / (honest - nothing))) })
  }
  const side = (of: UtilityScale) => {
    const own = places.filter(({ scale }) => scale === of)
    const ids = [...new Set(own.map(({ id }) => id))]
    return mean(ids.flatMap((id) => mean(own.filter((one) => one.id === id).map(({ place }) => place)) ?? []))
  }
  const [relations, columns] = [side('joint'), side('marginal')]
  const scores = [relations, columns].flatMap((score) => score ?? [])
  return { relations, columns, score: scores.length === 0 ? null : Math.min(...scores) }
}

function withoutGroup(release: Release, group: number): Release {
  const rest = (of: Table) =>
    selectRows(
      of,
      Int32Array.from({ length: of.rows }, (_, row) => row).filter((row) => row % GROUPS !== group),
    )
  return { ...release, original: rest(release.original), released: release.released.map(rest) }
}
