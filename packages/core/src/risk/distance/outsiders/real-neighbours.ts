import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import {
  type DistanceOptions,
  pooled,
  type ReleaseSpace,
  releaseSpace,
  type Side,
  spaceKey,
  toRows,
} from '../../../neighbors/release-space.js'
import type { Members } from '../../../neighbors/search.js'
import { type NearestCredit, nearestCredit, nearestDistances } from '../../../neighbors/tasks.js'
import { type Exchangeability, exchangeability } from '../../../stats/tests/exchangeability.js'
import { remember } from '../../../table/classes.js'

/** Training and holdout records together, as distinct rows with how often each side has them. */
export interface RealRecords extends Members {
  readonly inTraining: Int32Array
  readonly inHoldout: Int32Array
}

export function realRecords(space: ReleaseSpace, holdout: Side): RealRecords {
  const { inFirst, ...members } = pooled(space, space.training, holdout)
  return { ...members, inTraining: inFirst, inHoldout: members.records.map((records, k) => records - inFirst[k]) }
}

/** The holdout of a measure that needs one; `needs` has made sure of it. */
export function holdoutOf({ holdout }: ReleaseSpace): Side {
  if (holdout === null) throw new NotApplicable({ code: 'needs', needs: ['holdout'] })
  return holdout
}

/** Who is nearest to the released records, and how far they are from either side. */
export interface Comparison {
  readonly space: ReleaseSpace
  readonly holdout: Side
  readonly real: RealRecords
  readonly nearest: NearestCredit
  readonly toTraining: Float64Array
  readonly toHoldout: Float64Array
}

/** Searched once per release and way to compare, for all measures that look at it. */
export function besideOutsiders(subject: Subject, options: DistanceOptions, context: Context): Promise<Comparison> {
  const space = releaseSpace(subject, options)
  const holdout = holdoutOf(space)
  return remember(subject.release, `beside outsiders ${spaceKey(subject.part, options)}`, async () => {
    const real = realRecords(space, holdout)
    const nearest = await realNeighbours(context, space, real, space.released.ids)
    return { space, holdout, real, nearest, ...(await distancesToSides(context, space, holdout, nearest)) }
  })
}

/** For each released record the nearest real ones, ties shared; see `nearestCredit`. */
export function realNeighbours(
  context: Context,
  space: ReleaseSpace,
  real: RealRecords,
  queries: Int32Array,
): Promise<NearestCredit> {
  return nearestCredit(context, space, real, real.inTraining, queries)
}

/** Are the labels of the real records exchangeable, given the credit that released records gave them? */
export function labelTest(context: Context, real: RealRecords, credit: Float64Array): Exchangeability | null {
  return exchangeability({ credit, inTraining: real.inTraining, inHoldout: real.inHoldout }, context.random('labels'))
}

/** As `labelTest`, for releases all of whose records point at somebody. */
export function labelTestOfAll(context: Context, real: RealRecords, credit: Float64Array): Exchangeability {
  const test = labelTest(context, real, credit)
  if (test === null) throw new Error('a release without credit has no records')
  return test
}

/**
 * The share of training records among the nearest if the release were the original: nearest to a record are its equals, in
 * training and holdout.
 */
export function shareOfOriginal({ inTraining, records }: RealRecords): number {
  let training = 0
  let credit = 0
  for (let k = 0; k < inTraining.length; k++) {
    training += inTraining[k]
    credit += (inTraining[k] * inTraining[k]) / records[k]
  }
  return credit / training
}

/** What each original record was given beyond the mean over all real ones, on the rows of its file. */
export function creditBeyondMean(space: ReleaseSpace, real: RealRecords, credit: Float64Array): Float64Array {
  let total = 0
  let people = 0
  for (let k = 0; k < credit.length; k++) {
    total += credit[k] * real.records[k]
    people += real.records[k]
  }
  const { training } = space
  return toRows(
    training,
    creditOf(space, training, real, credit).map((own) => own - total / people),
  )
}

/** The credit of each record of a side. */
export function creditOf(space: ReleaseSpace, { ids }: Side, { points }: RealRecords, credit: Float64Array) {
  const byPoint = new Float64Array(space.count)
  for (let place = 0; place < points.length; place++) byPoint[points[place]] = credit[place]
  return Float64Array.from(ids, (point) => byPoint[point])
}

/**
 * Distance of each released record to the nearest training and the nearest holdout record. The nearer side is known
 * already, so only the other is searched; where both tie, both distances are the same to the last bit.
 */
async function distancesToSides(
  context: Context,
  space: ReleaseSpace,
  holdout: Side,
  { distance, markedShare }: NearestCredit,
): Promise<{ readonly toTraining: Float64Array; readonly toHoldout: Float64Array }> {
  const { ids } = space.released
  return {
    toTraining: await completed(space.training, (k) => markedShare[k] > 0),
    toHoldout: await completed(holdout, (k) => markedShare[k] < 1),
  }

  async function completed(side: Side, isKnown: (k: number) => boolean): Promise<Float64Array> {
    const searched = await nearestDistances(
      context,
      space,
      side,
      ids.filter((_, k) => !isKnown(k)),
    )
    let next = 0
    return distance.map((known, k) => (isKnown(k) ? known : searched[next++]))
  }
}
