import { membersOf, type Search, search } from '../../../neighbors/search.js'
import { type Points, TIE } from '../../../neighbors/space.js'
import { sampleWithoutReplacement, shuffleFront } from '../../../random/sampling.js'
import { type Stream, stream } from '../../../random/stream.js'
import type { Task } from '../../../tasks/task.js'

/**
 * One comparison of equally many training, holdout and released records: adversarial accuracy of both real samples, and
 * what their difference would be if the labels training and holdout were dealt out at random. A permutation needs no new
 * search: it asks each record for its nearest one with a certain label, which is among the first few of a stored list.
 */
export interface SampleComparison {
  readonly training: AdversarialAccuracy
  readonly holdout: AdversarialAccuracy
  /** Holdout less training, under random labels. */
  readonly nullLosses: Float64Array
}

/** Mean of `left`, real records nearer to a real one than to a released one, and `right`, the same for released records. */
export type AdversarialAccuracy = {
  readonly left: number
  readonly right: number
  readonly accuracy: number
}

interface Shared {
  readonly points: Points
  /** Points of all records of each kind; `size` of each are drawn. */
  readonly training: Int32Array
  readonly holdout: Int32Array
  readonly released: Int32Array
  readonly size: number
  readonly permutations: number
  readonly seed: number
}

export const compareSamples: Task<Shared, number, SampleComparison> = {
  name: 'adversarial accuracy of equal samples',
  run({ points, size, permutations, seed, ...files }, repeat) {
    const random = stream(seed, 'nnaa/repeat', repeat)
    const real = new Int32Array(2 * size)
    real.set(draw(random, files.training, size))
    real.set(draw(random, files.holdout, size), size)
    const accuracies = comparison(points, real, draw(random, files.released, size))
    const order = Int32Array.from(real.keys())
    const { training, holdout } = accuracies(order.subarray(0, size))
    const nullLosses = new Float64Array(permutations)
    for (let round = 0; round < permutations; round++) {
      shuffleFront(random, order, size)
      const permuted = accuracies(order.subarray(0, size))
      nullLosses[round] = permuted.holdout.accuracy - permuted.training.accuracy
    }
    return { training, holdout, nullLosses }
  },
}

function draw(random: Stream, ids: Int32Array, size: number): Int32Array {
  return ids.length === size ? ids : sampleWithoutReplacement(random, ids.length, size).map((row) => ids[row])
}

/** A function of who is called a training record, `trained` holding places in `real`; all others are holdout. */
function comparison(points: Points, real: Int32Array, released: Int32Array) {
  const reals = membersOf(points, real)
  const synthetics = membersOf(points, released)
  const amongReleased = search(points, synthetics)
  const amongReal = search(points, reals)
  const placeOf = new Int32Array(points.count)
  for (let place = 0; place < reals.points.length; place++) placeOf[reals.points[place]] = place
  const placeOfRecord = real.map((point) => placeOf[point])
  const toReleased = Float64Array.from(reals.points, (point) => amongReleased.nearest(point, 1).kth)
  const withinReleased = Float64Array.from(synthetics.points, (point) => amongReleased.nearest(point, 1, true).kth)
  const fromReal = neighbourLists(amongReal, reals.points, placeOf)
  const fromReleased = neighbourLists(amongReal, synthetics.points, placeOf)
  const inTraining = new Int32Array(reals.points.length)
  const inHoldout = new Int32Array(reals.points.length)

  return (trained: Int32Array) => {
    inTraining.fill(0)
    for (let k = 0; k < trained.length; k++) inTraining[placeOfRecord[trained[k]]]++
    for (let place = 0; place < inHoldout.length; place++) inHoldout[place] = reals.records[place] - inTraining[place]
    return { training: accuracy(inTraining), holdout: accuracy(inHoldout) }
  }

  function accuracy(labelled: Int32Array): AdversarialAccuracy {
    let left = 0
    for (let place = 0; place < labelled.length; place++) {
      if (labelled[place] === 0) continue
      const toOwn = labelled[place] > 1 ? 0 : fromReal(place, labelled, place)
      left += labelled[place] * farther(toReleased[place], toOwn)
    }
    let right = 0
    for (let place = 0; place < withinReleased.length; place++)
      right += synthetics.records[place] * farther(fromReleased(place, labelled, -1), withinReleased[place])
    left /= real.length / 2
    right /= released.length
    return { left, right, accuracy: (left + right) / 2 }
  }
}

function farther(sum: number, than: number): number {
  return sum > than + TIE ? 1 : sum < than - TIE ? 0 : 0.5
}

/** Half of the real records have the label, so that one record in 2^16 has none among so many neighbours. */
const LIST_LENGTH = 16

/**
 * Sum of terms from the query at a place to the nearest point that holds a labelled record, `except` one point. Lists are
 * made longer where they turn out too short; some point always holds one.
 */
function neighbourLists(amongReal: Search, queries: Int32Array, placeOf: Int32Array) {
  const places = new Int32Array(queries.length * LIST_LENGTH).fill(-1)
  const sums = new Float64Array(queries.length * LIST_LENGTH)
  const longer = new Map<
    number,
    { readonly places: Int32Array; readonly sums: Float64Array; readonly length: number }
  >()
  for (let query = 0; query < queries.length; query++) {
    const found = amongReal.nearest(queries[query], LIST_LENGTH)
    for (let near = 0; near < Math.min(found.count, LIST_LENGTH); near++) {
      places[query * LIST_LENGTH + near] = placeOf[found.points[near]]
      sums[query * LIST_LENGTH + near] = found.sums[near]
    }
  }

  return (query: number, labelled: Int32Array, except: number): number => {
    const end = (query + 1) * LIST_LENGTH
    for (let at = query * LIST_LENGTH; at < end && places[at] >= 0; at++)
      if (labelled[places[at]] > 0 && places[at] !== except) return sums[at]
    for (let length = 4 * LIST_LENGTH; ; length *= 4) {
      const list = longList(query, length)
      for (let near = 0; near < list.places.length; near++)
        if (labelled[list.places[near]] > 0 && list.places[near] !== except) return list.sums[near]
    }
  }

  function longList(query: number, length: number) {
    const known = longer.get(query)
    if (known !== undefined && known.length >= length) return known
    const found = amongReal.nearest(queries[query], length)
    const list = {
      places: found.points.slice(0, found.count).map((point) => placeOf[point]),
      sums: found.sums.slice(0, found.count),
      length,
    }
    longer.set(query, list)
    return list
  }
}
