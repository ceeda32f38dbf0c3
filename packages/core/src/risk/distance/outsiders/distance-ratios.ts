import type { Context } from '../../../measure.js'
import type { ReleaseSpace, Side } from '../../../neighbors/release-space.js'
import { type Members, membersOf } from '../../../neighbors/search.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import { joinedCodes } from '../../../stats/joined.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type NeighbourLists, PARTS_AT_ONCE } from './neighbour-lists.js'

/**
 * Ratios of the nearest to the second-nearest distance of released records, among as many training as holdout records:
 * as the labels are, and as they would be if dealt out at random. All from lists of neighbours that are made once.
 */
export interface Sides {
  readonly lists: NeighbourLists
  /** How many points the space has. */
  readonly points: number
  readonly released: Looked
  readonly training: Side
  readonly holdout: Side
  /** Records of each side that are compared. */
  readonly size: number
}

/** The ratios of all released records among some real ones: how many there are, are suspicious, and lie in each bin. */
export interface Ratios {
  total: number
  suspicious: number
  readonly bins: Float64Array
}

export interface BothRatios {
  readonly training: Ratios
  readonly holdout: Ratios
}

/** A ratio below this is called suspicious (riskutility). */
export const SUSPICIOUS = 0.1

/** Ratios enter the AUC to this precision, which saves sorting them for every labelling. */
export const BINS = 4000

function noRatios(): Ratios {
  return { total: 0, suspicious: 0, bins: new Float64Array(BINS + 1) }
}

/** Adds the ratios among each of some parts of the real records to what belongs to the part. */
function addRatios(to: readonly Ratios[], sides: Sides, parts: readonly Int32Array[]): void {
  const { lists, released } = sides
  const ratios = new Float64Array(PARTS_AT_ONCE)
  for (let from = 0; from < parts.length; from += PARTS_AT_ONCE) {
    const some = to.slice(from, from + PARTS_AT_ONCE)
    const partsOf = membership(sides.points, parts.slice(from, from + PARTS_AT_ONCE))
    for (let query = 0; query < released.records.length; query++) {
      lists.ratios(query, partsOf, some.length, ratios)
      for (let part = 0; part < some.length; part++) add(some[part], ratios[part], released.records[query])
    }
  }
}

function add(to: Ratios, ratio: number, records: number): void {
  if (Number.isNaN(ratio)) return
  to.total += records
  if (ratio < SUSPICIOUS) to.suspicious += records
  to.bins[Math.floor(ratio * BINS)] += records
}

/** Which of up to 32 parts each point is in, bit by bit. */
function membership(points: number, parts: readonly Int32Array[]): Int32Array {
  const partsOf = new Int32Array(points)
  for (const [part, ids] of parts.entries()) for (let k = 0; k < ids.length; k++) partsOf[ids[k]] |= 1 << part
  return partsOf
}

export function suspiciousShare({ suspicious, total }: Ratios): number {
  return total > 0 ? suspicious / total : 0
}

/** P(r_H > r_T) + P(r_H = r_T) / 2. */
export function areaOf({ training, holdout }: BothRatios): number {
  if (training.total === 0 || holdout.total === 0) return 0.5
  let area = 0
  let above = holdout.total
  for (let bin = 0; bin <= BINS; bin++) {
    above -= holdout.bins[bin]
    area += training.bins[bin] * (above + holdout.bins[bin] / 2)
  }
  return area / (training.total * holdout.total)
}

/** The smaller side whole, and draws of the same size from the larger. */
export function equalSizes(context: Context, sides: Sides, repeats: number): BothRatios {
  const { training, holdout, size } = sides
  const found = { training: noRatios(), holdout: noRatios() }
  const draws = training.ids.length === holdout.ids.length ? 1 : repeats
  for (let draw = 0; draw < draws; draw++) {
    throwIfAborted(context.signal)
    const part = ({ ids }: Side) =>
      ids.length === size ? ids : pick(ids, sampleWithoutReplacement(context.random('sizes', draw), ids.length, size))
    addRatios([found.training, found.holdout], sides, [part(training), part(holdout)])
  }
  return found
}

export interface Statistics {
  readonly difference: Float64Array
  readonly advantage: Float64Array
}

/** Each has two parts. */
const ROUNDS_AT_ONCE = PARTS_AT_ONCE / 2

/** Both statistics when the labels are dealt out anew among all real records, the same number to each side. */
export function randomLabels(context: Context, sides: Sides, permutations: number): Statistics {
  const { training, holdout, size } = sides
  const all = joinedCodes([training.ids, holdout.ids])
  const difference = new Float64Array(permutations)
  const advantage = new Float64Array(permutations)
  for (let from = 0; from < permutations; from += ROUNDS_AT_ONCE) {
    throwIfAborted(context.signal)
    const rounds = Math.min(ROUNDS_AT_ONCE, permutations - from)
    const parts = Array.from({ length: rounds }, (_, k) => {
      const drawn = pick(all, sampleWithoutReplacement(context.random('labels', from + k), all.length, 2 * size))
      return [drawn.subarray(0, size), drawn.subarray(size)]
    }).flat()
    const found = parts.map(noRatios)
    addRatios(found, sides, parts)
    for (let k = 0; k < rounds; k++) {
      const both = { training: found[2 * k], holdout: found[2 * k + 1] }
      difference[from + k] = suspiciousShare(both.training) - suspiciousShare(both.holdout)
      advantage[from + k] = 2 * areaOf(both) - 1
    }
    context.progress(from + rounds, permutations)
  }
  return { difference, advantage }
}

function pick(ids: Int32Array, rows: Int32Array): Int32Array {
  return rows.map((row) => ids[row])
}

/** Listed neighbours that memory has room for: 400 MB. A small holdout beside many originals takes long lists. */
export const MOST_LISTED = 2 ** 25

interface Looked extends Members {
  readonly count: number
}

/** All released records, or a sample of `most`, which leaves every share unbiased and the test exact. */
export function lookedAt(context: Context, space: ReleaseSpace, most: number): Looked {
  const { released } = space
  const { ids } = released
  if (released.points.length <= most) return { ...released, count: ids.length }
  const drawn = pick(ids, sampleWithoutReplacement(context.random('released'), ids.length, Math.max(1, most)))
  return { ...membersOf(space, drawn), count: drawn.length }
}

/** Per training record: released records with a ratio below the cut whose nearest training record it is. */
export function suspiciousAt({ lists, points, released: { records }, training: { ids } }: Sides): Float64Array {
  const trained = membership(points, [ids])
  const ratio = new Float64Array(1)
  const at = new Float64Array(points)
  for (let query = 0; query < records.length; query++) {
    lists.ratios(query, trained, 1, ratio)
    if (ratio[0] < SUSPICIOUS) at[lists.nearest(query, trained)] += records[query]
  }
  return Float64Array.from(ids, (point) => at[point])
}
