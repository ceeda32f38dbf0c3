import { type Placed, utilityScore } from '../assess/usefulness.js'
import type { Control } from '../evidence/evidence.js'
import type { AnyMeasure, Context, ReleaseFinding, Result } from '../measure.js'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { normalQuantile } from '../stats/distributions.js'
import { mean } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { type AbortSignalLike, inline, type TaskRunner, throwIfAborted } from '../tasks/task.js'
import { type Pair, pairOf, pairOfRows } from '../utility/pair.js'
import type { AnyUtilityMeasure } from '../utility/utility-measure.js'
import { fingerprint } from './fingerprint.js'

/**
 * How the place of each measure of utility would vary with the people and with the records that were released: the
 * delete-a-group jackknife over ten groups of original rows, the same for every candidate, and over ten groups of
 * released rows (Shao and Tu 1995, "The jackknife and bootstrap", section 2.3), each turned into draws by normal multipliers,
 *   v_b = v + √((G - 1) / G) Σ_g e_bg (v_(g) - mean v),
 * and placed between anchors that vary by their own standard error. Leaving rows out makes no ties and shifts all groups
 * alike, where resampling rows would show copies to the measures. Row i of a perturbed release is left out with row i of
 * the original. Of large files some thousand rows are looked at, and the deviations shrunk accordingly.
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

const GROUPS = 10
const MOST_ROWS = 3000

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
  how: DrawHow,
): Promise<UtilityDraws> {
  const left = leftOut(release, how.seed)
  const scored = results.flatMap((result) => placedBy(result, registry))
  const places: PlaceDraws[] = []
  for (const [k, one] of scored.entries()) {
    places.push(await placeDraws(release, one, left, how))
    how.progress?.((k + 1) / scored.length)
  }
  const rows = (b: number): readonly Placed[] => places.map((one) => ({ ...one, place: one.draws[b] }))
  const isKnown = utilityScore(places).score !== null
  const score = isKnown ? Float64Array.from({ length: how.draws }, (_, b) => utilityScore(rows(b)).score ?? 0) : null
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

/** Which rows each group leaves, and by how much a deviation on these rows is larger than one on all. */
interface LeftOut {
  readonly name: string
  readonly shrink: number
  readonly multipliers: (b: number) => ReturnType<typeof stream>
  pairs(pair: Pair): readonly Pair[]
}

function leftOut(release: Release, seed: number): readonly LeftOut[] {
  const original = groupsOf(release.original.rows, seed, 'original')
  const name = `release ${fingerprint(release.released[0])}`
  const isPaired = release.type === 'perturbed' && release.released[0].rows === release.original.rows
  const released = isPaired ? original : groupsOf(release.released[0].rows, seed, name)
  const without = (rows: readonly Int32Array[], left: number) => joined(rows.filter((_, g) => g !== left))
  const [everyOriginal, everyReleased] = [joined(original.rows), joined(released.rows)]
  const ofOriginal: LeftOut = {
    ...original,
    name: 'original',
    multipliers: (b) => stream(seed, 'compare/original groups', b),
    pairs: (pair) =>
      original.rows.map((_, g) =>
        pairOfRows(pair, without(original.rows, g), isPaired ? without(released.rows, g) : everyReleased),
      ),
  }
  if (isPaired) return [ofOriginal]
  const ofReleased: LeftOut = {
    ...released,
    name,
    multipliers: (b) => stream(seed, `compare/${name} groups`, b),
    pairs: (pair) => released.rows.map((_, g) => pairOfRows(pair, everyOriginal, without(released.rows, g))),
  }
  return [ofOriginal, ofReleased]
}

/** At most some thousand rows at random, dealt into groups. */
function groupsOf(rows: number, seed: number, name: string): { rows: readonly Int32Array[]; shrink: number } {
  const order = permutation(stream(seed, `compare/rows of ${name}`), rows).subarray(0, MOST_ROWS)
  const groups = Math.min(GROUPS, order.length)
  return {
    rows: Array.from({ length: groups }, (_, g) => order.filter((_, k) => k % groups === g).sort()),
    shrink: Math.sqrt(order.length / rows),
  }
}

function joined(groups: readonly Int32Array[]): Int32Array {
  return Int32Array.from(groups.flatMap((rows) => [...rows])).sort()
}

async function placeDraws(
  release: Release,
  { measure, finding, scale, value, place, honest, nothing }: Scored,
  left: readonly LeftOut[],
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
  for (const { pairs, shrink, multipliers } of left) {
    const values: number[] = []
    for (const one of pairs(pair)) {
      throwIfAborted(signal)
      const found = await measure.valueFor(one, options[measure.id] ?? {}, context)
      if (found !== null) values.push(found)
    }
    const centre = mean(values)
    if (centre === null) continue
    const scaled = values.map((found) => shrink * Math.sqrt((values.length - 1) / values.length) * (found - centre))
    for (let b = 0; b < draws; b++) {
      const random = multipliers(b)
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
