import { type Placed, utilityScore } from '../assess/usefulness.js'
import type { Control } from '../evidence/evidence.js'
import type { AnyMeasure, Context, ReleaseFinding, Result } from '../measure.js'
import { stream } from '../random/stream.js'
import { normalQuantile } from '../stats/distributions.js'
import type { Release } from '../table/release.js'
import type { Table } from '../table/table.js'
import { type AbortSignalLike, inline, type TaskRunner, throwIfAborted } from '../tasks/task.js'
import { deviations, groupsLeftOut, type LeftOut } from '../utility/left-out.js'
import { pairOf } from '../utility/pair.js'
import type { AnyUtilityMeasure } from '../utility/utility-measure.js'

/**
 * How the place of each measure of utility would vary with the people and with the records that were released: the
 * delete-a-group jackknife (`utility/left-out.ts`) over groups of original rows, the same for every candidate, and over groups
 * of released rows, each turned into draws by normal multipliers,
 *   v_b = v + √((G - 1) / G) Σ_g e_bg (v_(g) - mean v),
 * and placed between anchors that vary by their own standard error.
 *
 * A statistic that is quadratic where the release is perfect (pMSE) has draws that are somewhat too wide there.
 */
export interface UtilityDraws {
  /** One row per measure and target of the two scores, with one place per draw. */
  readonly places: readonly PlaceDraws[]
  /** U in each draw; null where it is not known. */
  readonly score: Float64Array | null
}

interface PlaceDraws {
  readonly measure: string
  readonly target: string | null
  readonly scale: 'joint' | 'marginal'
  readonly place: number
  readonly draws: Float64Array
}

export interface DrawHow {
  readonly draws: number
  readonly seed: number
  readonly options?: Readonly<Record<string, object>> | undefined
  readonly tasks?: TaskRunner | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly progress?: ((share: number) => void) | undefined
}

export async function utilityDraws(
  release: Release,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  run: DrawHow,
): Promise<UtilityDraws> {
  const name = `release ${fingerprint(release.released[0])}`
  const { original, released } = groupsLeftOut(release, run.seed, name)
  const left = [{ groups: original, of: 'original' }, ...(released === null ? [] : [{ groups: released, of: name }])]
  const scored = results.flatMap((result) => placedBy(result, registry))
  const places: PlaceDraws[] = []
  for (const [k, one] of scored.entries()) {
    places.push(await placeDraws(release, one, left, run))
    run.progress?.((k + 1) / scored.length)
  }
  const rows = (b: number): readonly Placed[] => places.map((one) => ({ ...one, place: one.draws[b] }))
  const isKnown = utilityScore(places).score !== null
  const score = isKnown ? Float64Array.from({ length: run.draws }, (_, b) => utilityScore(rows(b)).score ?? 0) : null
  return { places, score }
}

interface Scored {
  readonly measure: AnyUtilityMeasure
  readonly finding: ReleaseFinding
  readonly scale: 'joint' | 'marginal'
  readonly value: number
  readonly place: number
  readonly honest: Control
  readonly nothing: Control
}

function placedBy({ measure: id, releases }: Result, registry: readonly AnyMeasure[]): Scored[] {
  const measure = registry.find((one) => one.id === id)
  const [release] = releases
  if (measure === undefined || release === undefined || !isUtility(measure)) return []
  return (release.targets ?? [release]).flatMap((finding) => {
    const { value, utility, controls } = finding
    const place = utility?.place ?? null
    const scale = utility?.scale ?? null
    const { honest, nothing } = controls ?? {}
    if (value === null || place === null || scale === null || honest === undefined || nothing === undefined) return []
    return [{ measure, finding, scale, value, place, honest, nothing }]
  })
}

export function isUtility(measure: AnyMeasure): measure is AnyUtilityMeasure {
  return measure.role === 'utility' && 'valueFor' in measure
}

async function placeDraws(
  release: Release,
  { measure, finding, scale, value, place, honest, nothing }: Scored,
  left: readonly { readonly groups: LeftOut; readonly of: string }[],
  { draws, seed, options = {}, tasks = inline, signal }: DrawHow,
): Promise<PlaceDraws> {
  const pair = pairOf({ release, part: 0, target: finding.target ?? '' })
  const context: Context = {
    seed,
    random: (purpose, index) => stream(seed, `compare/${measure.id}/${purpose}`, index),
    progress: () => {},
    signal,
    tasks,
  }
  const moved = new Float64Array(draws)
  for (const { groups, of } of left) {
    const values: number[] = []
    for (const without of groups.pairs(pair)) {
      throwIfAborted(signal)
      const value = await measure.valueFor(without, options[measure.id] ?? {}, context)
      if (value !== null) values.push(value)
    }
    const scaled = deviations(values, groups.shrink)
    for (let b = 0; b < draws; b++) {
      const random = stream(seed, `compare/${of} groups`, b)
      for (const deviation of scaled) moved[b] += normalQuantile(random.openUniform()) * deviation
    }
  }
  const drawn = Float64Array.from(moved, (deviation, b) => {
    const random = stream(seed, `compare/anchors of ${measure.id}`, b)
    const at = ({ value: centre, se }: Control) => centre + (se ?? 0) * normalQuantile(random.openUniform())
    const [bottom, top] = [at(nothing), at(honest)]
    return top === bottom ? place : (value + deviation - bottom) / (top - bottom)
  })
  return { measure: measure.id, target: finding.target, scale, place, draws: drawn }
}

/**
 * A short name for what a table holds (FNV-1a over names and values), so that the random numbers of a candidate depend on it
 * alone, not on its place among others; two equal files draw the same numbers and tie in every draw.
 */
function fingerprint({ columns, rows }: Table): string {
  let hash = 0x811c9dc5
  const add = (word: number) => {
    hash = Math.imul(hash ^ word, 0x01000193)
  }
  const addText = (text: string) => {
    for (let k = 0; k < text.length; k++) add(text.charCodeAt(k))
  }
  add(rows)
  for (const column of columns) {
    addText(column.name)
    if (column.kind === 'categorical') {
      for (const level of column.levels) addText(level)
      for (const code of column.codes) add(code)
    } else for (const word of new Uint32Array(column.values.slice().buffer)) add(word)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
