import type { ThreatAssessment } from '../assess/assessment.js'
import type { AddedTo } from '../measure.js'
import { sampleWithReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { normalQuantile } from '../stats/distributions.js'
import { BOUND_Z } from '../stats/levels.js'
import { standardDeviation } from '../stats/sums.js'
import { keyClasses, rowsOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'

/**
 * How the leakage of each threat would vary with the people: a bootstrap over key cells, the same for every candidate,
 *   L_b = L + s d_b / sd(d),   d_b = Σ_g w_bg S_g / n,
 * S_g being the sum over cell g of what is added about its people, less the mean, and w_bg how often draw b has the cell.
 * The direction comes from the records, so that two candidates that betray the same people move together; the size s is
 * the standard error that the measure states, which allows for more than people (the release is drawn too). Where a
 * measure has no score per person, L_b = L + s z_b with the same z_b for all candidates.
 *
 * Blind to the skewness of bounds of small shares: draws are symmetric before they are cut off at 0.
 */
export interface CellDraws {
  readonly draws: number
  /** The cell of each original row, numbered by first appearance: the same whatever is released. */
  readonly cellOf: Int32Array
  readonly cells: number
  /** How often draw b has cell g, at b * cells + g. */
  readonly times: Uint16Array
  readonly seed: number
}

export function cellDraws(release: Release, draws: number, seed: number): CellDraws {
  const { cellOf, cells } = originalCells(release)
  const times = new Uint16Array(draws * cells)
  for (let b = 0; b < draws; b++)
    for (const cell of sampleWithReplacement(stream(seed, 'compare/cells', b), cells, cells)) times[b * cells + cell]++
  return { draws, cellOf, cells, times, seed }
}

/** Without keys every record is a cell. */
function originalCells(release: Release): { cellOf: Int32Array; cells: number } {
  const { rows } = release.original
  if (release.keys.length === 0) return { cellOf: Int32Array.from({ length: rows }, (_, row) => row), cells: rows }
  const classes = keyClasses(release, release.keys)
  const seen = new Map<number, number>()
  const cellOf = Int32Array.from(rowsOfPart(release, classes, classes.ids, 'original'), (group) => {
    const known = seen.get(group) ?? seen.size
    seen.set(group, known)
    return known
  })
  return { cellOf, cells: seen.size }
}

/** The draws of one threat's leakage; null where it was not assessed. */
export function leakageDraws(
  threat: ThreatAssessment,
  added: readonly AddedTo[],
  cells: CellDraws,
): Float64Array | null {
  const { leakage, interval, decidedBy } = threat
  if (leakage === null || interval === null) return null
  const se = (interval.upper - interval.lower) / (2 * BOUND_Z)
  const scores = scoresOf(threat, added)
  const moved = scores === undefined ? null : deviations(scores, cells)
  const spread = moved === null ? 0 : (standardDeviation(moved) ?? 0)
  return Float64Array.from({ length: cells.draws }, (_, b) => {
    if (se === 0) return leakage
    const z =
      moved === null || spread === 0
        ? normalQuantile(stream(cells.seed, `compare/${decidedBy}`, b).openUniform())
        : moved[b] / spread
    return leakage + se * z
  })
}

/** What was added about each record by the measure that decided the threat. */
export function scoresOf(
  { decidedBy, target }: Pick<ThreatAssessment, 'decidedBy' | 'target'>,
  added: readonly AddedTo[],
): ArrayLike<number> | undefined {
  return added.find((one) => one.measure === decidedBy && one.target === target)?.scores
}

function deviations(scores: ArrayLike<number>, { draws, cellOf, cells, times }: CellDraws): Float64Array {
  let people = 0
  let total = 0
  for (let row = 0; row < scores.length; row++) {
    if (Number.isNaN(scores[row])) continue
    people++
    total += scores[row]
  }
  const sums = new Float64Array(cells)
  for (let row = 0; row < scores.length; row++)
    if (!Number.isNaN(scores[row])) sums[cellOf[row]] += scores[row] - total / people
  return Float64Array.from({ length: draws }, (_, b) => {
    let moved = 0
    for (let cell = 0; cell < cells; cell++) moved += times[b * cells + cell] * sums[cell]
    return moved / people
  })
}
