import { math } from '@scrim/kernels'
import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import {
  type DistanceOptions,
  pooled,
  type ReleaseSpace,
  releaseSpace,
  type Side,
} from '../../../neighbors/release-space.js'
import type { Members } from '../../../neighbors/search.js'
import { nearestDistances, recordsWithin } from '../../../neighbors/tasks.js'
import { sampleWithoutReplacement, someRows } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { joinedCodes } from '../../../stats/joined.js'
import { median } from '../../../stats/quantile.js'
import { aucArea } from '../../../stats/tests/auc.js'
import { householdCodes } from '../../../table/household-codes.js'
import type { Release } from '../../../table/release.js'

/**
 * All real records, training first, then holdout, and scores of them that treat both alike: distances are to the whole
 * release and to all other real records. So under exchangeable labels every score is exchangeable too, whatever the sizes.
 */
export interface RealRecords {
  readonly chosen: DistanceOptions
  readonly space: ReleaseSpace
  readonly training: Side
  readonly holdout: Side
  readonly members: number
  /** The point of each record. */
  readonly ids: Int32Array
  /** The household of each record; those of training and holdout differ. Null where nobody said who lives together. */
  readonly households: Int32Array | null
  readonly real: Members & { readonly inFirst: Int32Array }
}

export function realRecords(subject: Subject, options: DistanceOptions): RealRecords {
  const chosen = onlyDistances(options)
  const space = releaseSpace(subject, chosen)
  const { training, holdout } = space
  if (holdout === null) throw new NotApplicable({ code: 'needs', needs: ['holdout'] })
  return {
    chosen,
    space,
    training,
    holdout,
    members: training.ids.length,
    ids: joinedCodes([training.ids, holdout.ids]),
    households: householdsOf(subject.release, training, holdout),
    real: pooled(space, training, holdout),
  }
}

/** A holdout without the column is one of people who live alone. */
function householdsOf({ original, holdout, household }: Release, training: Side, outside: Side): Int32Array | null {
  if (household === null || holdout === null) return null
  const inTraining = householdCodes(original, household)
  const isKnown = holdout.columns.some(({ name }) => name === household)
  const inHoldout = isKnown ? householdCodes(holdout, household).ids : null
  return joinedCodes([
    training.rows.map((row) => inTraining.ids[row]),
    outside.rows.map((row) => inTraining.households + (inHoldout === null ? row : inHoldout[row])),
  ])
}

/** Some of the real records, compared with all of them. */
export interface LookedAt extends RealRecords {
  /** Where each of `ids` is among all real records, training first; the first `members` are training records. */
  readonly places: Int32Array
}

/** At most `sample` training and as many holdout records, drawn at random. */
export function lookAt(records: RealRecords, sample: number, seed: number): LookedAt {
  const [training, others] = placesLookedAt(records.members, records.holdout.ids.length, sample, seed)
  const places = joinedCodes([training, others.map((place) => records.members + place)])
  const { ids, households } = records
  return {
    ...records,
    members: training.length,
    ids: places.map((place) => ids[place]),
    households: households === null ? null : places.map((place) => households[place]),
    places,
  }
}

/** The places of those looked at among so many training records, and among so many of the holdout. */
export function placesLookedAt(training: number, holdout: number, sample: number, seed: number) {
  const some = (records: number, who: string) =>
    someRows(records, sample, () => stream(seed, `membership/looked at ${who}`))
  return [some(training, 'training'), some(holdout, 'holdout')] as const
}

/**
 * The AUC that no attack on these records exceeds, whatever it knows, as long as it tells people by their records: each is
 * ranked by the share of members among all who equal them (Neyman and Pearson 1933). 1 where no outsider equals a member.
 */
export function bestArea({ ids, members, space, real }: RealRecords): number {
  const shareOfMembers = new Float64Array(space.count)
  for (let k = 0; k < real.points.length; k++) shareOfMembers[real.points[k]] = real.inFirst[k] / real.records[k]
  return areaOfShares(
    Float64Array.from(ids, (point) => shareOfMembers[point]),
    members,
  )
}

/** The same of the share of members among all who equal each record, training records first. */
export function areaOfShares(shares: Float64Array, members: number): number {
  return aucArea(shares.subarray(0, members), shares.subarray(members))
}

function realCount({ training, holdout }: RealRecords): number {
  return training.ids.length + holdout.ids.length
}

/** Without a measure's other options, so that all measures share one space. */
function onlyDistances({ variables, distance, missing, scale, weights }: DistanceOptions): DistanceOptions {
  return { variables, distance, missing, scale, weights }
}

/** Distances to the k-th nearest released and other real record, for k from 1 to `most`: record by record. */
export interface Neighbourhood {
  readonly most: number
  readonly toRelease: Float64Array
  readonly toOthers: Float64Array
}

/** `most` is lowered to what there is. */
export async function neighbourhood(context: Context, records: RealRecords, most: number): Promise<Neighbourhood> {
  const { space, ids, real } = records
  const k = Math.min(most, realCount(records) - 1, space.released.ids.length)
  return {
    most: k,
    toRelease: settled(await nearestDistances(context, space, space.released, ids, { k })),
    toOthers: settled(await nearestDistances(context, space, real, ids, { k, leaveOneOut: true })),
  }
}

/** Equal numbers that were added up in another order are equal again, so that ranks do not depend on it. */
const GRID = 2 ** -36

export function settled(distances: Float64Array): Float64Array {
  return distances.map((distance) => Math.round(distance / GRID) * GRID)
}

/** The k-th of the distances of each record. */
export function kth(distances: Float64Array, { most }: Neighbourhood, k: number): Float64Array {
  const place = Math.min(k, most) - 1
  return Float64Array.from({ length: distances.length / most }, (_, record) => distances[record * most + place])
}

/** Keeps a copy's score finite. */
const NO_DISTANCE = 1e-9

/** log (d_k to other real records / d_k to the release): a ratio of two densities, each 1 / volume to the k-th neighbour. */
export function logRatios(near: Neighbourhood, k: number): Float64Array {
  const toOthers = kth(near.toOthers, near, k)
  return kth(near.toRelease, near, k).map((distance, record) =>
    math.log((toOthers[record] + NO_DISTANCE) / (distance + NO_DISTANCE)),
  )
}

/** (released records within the radius + 1) / (other real records within it + 1). */
export async function radiusRatios(context: Context, records: RealRecords, radius: number): Promise<Float64Array> {
  const { space, ids, real } = records
  const released = await recordsWithin(context, space, space.released, ids, radius)
  const others = await recordsWithin(context, space, real, ids, radius, true)
  return Float64Array.from(released, (count, record) => (count + 1) / (others[record] + 1))
}

/** More queries than this change the median by less than anybody would notice. */
const MOST_QUERIES = 1000

/** Median distance to the k-th other real record, k = ⌈√N⌉: wide enough to count, narrow enough to be local. */
export async function usualRadius(context: Context, { space, ids, real }: RealRecords): Promise<number> {
  const k = Math.min(Math.ceil(Math.sqrt(ids.length)), ids.length - 1)
  const queries =
    ids.length <= MOST_QUERIES
      ? ids
      : sampleWithoutReplacement(stream(context.seed, 'membership/radius'), ids.length, MOST_QUERIES).map(
          (record) => ids[record],
        )
  const distances = await nearestDistances(context, space, real, queries, { k, leaveOneOut: true })
  return median(Float64Array.from(queries, (_, query) => distances[query * k + k - 1])) ?? 0
}
