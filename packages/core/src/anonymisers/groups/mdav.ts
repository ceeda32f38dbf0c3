import { throwIfAborted } from '../../tasks/task.js'
import type { AnonymiserContext } from '../method/anonymiser.js'
import type { Points } from './points.js'

/**
 * Maximum distance to average vector (Domingo-Ferrer and Torra 2005). While 3k records or more are left: r is the one
 * farthest from their centroid; r and its k - 1 nearest are a group; then q, the one farthest from r, and its k - 1 nearest.
 * Of fewer than 3k but 2k or more, one group around the farthest; what remains is the last group. Among equal distances
 * the first record wins; a missing value takes no part in the distance. Takes n²/k distances.
 */
export function groupByMdav(
  points: Points,
  k: number,
  context: Pick<AnonymiserContext, 'progress' | 'signal'>,
): Int32Array[] {
  const left = remaining(points)
  const groups: Int32Array[] = []
  while (left.count >= 2 * k) {
    throwIfAborted(context.signal)
    context.progress(points.rows.length - left.count, points.rows.length)
    const last = left.count < 3 * k
    moveToCentroid(left)
    moveTo(left, farthest(left))
    groups.push(takeNearest(left, k))
    if (last) break
    // The point is still r.
    moveTo(left, farthest(left))
    groups.push(takeNearest(left, k))
  }
  groups.push(takeNearest(left, left.count))
  return groups
}

/** Records not yet in a group, their values side by side in the order of the rows, and the point that distances are taken from. */
interface Remaining {
  count: number
  readonly width: number
  readonly rows: Int32Array
  readonly values: Float64Array
  readonly distances: Float64Array
  readonly point: Float64Array
}

function remaining({ rows, width, values }: Points): Remaining {
  return {
    count: rows.length,
    width,
    rows: rows.slice(),
    values: values.slice(),
    distances: new Float64Array(rows.length),
    point: new Float64Array(width),
  }
}

/** Squared distance of every record left to the point; hot, n²/k of them in all. */
function measureDistances({ count, width, values, distances, point }: Remaining): void {
  for (let i = 0, at = 0; i < count; i++) {
    let total = 0
    for (let j = 0; j < width; j++, at++) {
      const difference = values[at] - point[j]
      if (!Number.isNaN(difference)) total += difference * difference
    }
    distances[i] = total
  }
}

function moveToCentroid({ count, width, values, point }: Remaining): void {
  for (let j = 0; j < width; j++) {
    let total = 0
    let n = 0
    for (let i = 0, at = j; i < count; i++, at += width) {
      const value = values[at]
      if (!Number.isNaN(value)) {
        total += value
        n++
      }
    }
    point[j] = n === 0 ? Number.NaN : total / n
  }
}

function moveTo({ width, values, point }: Remaining, place: number): void {
  for (let j = 0; j < width; j++) point[j] = values[place * width + j]
}

function farthest(left: Remaining): number {
  measureDistances(left)
  let best = 0
  for (let i = 1; i < left.count; i++) if (left.distances[i] > left.distances[best]) best = i
  return best
}

/** The rows of the `size` records nearest to the point, which are then no longer left. */
function takeNearest(left: Remaining, size: number): Int32Array {
  measureDistances(left)
  const places = nearestPlaces(left, size).sort()
  const taken = places.map((place) => left.rows[place])
  const { width, rows, values } = left
  let to = places[0]
  for (let p = 0; p < size; p++) {
    const from = places[p] + 1
    const until = p + 1 < size ? places[p + 1] : left.count
    values.copyWithin(to * width, from * width, until * width)
    rows.copyWithin(to, from, until)
    to += until - from
  }
  left.count -= size
  return taken
}

function nearestPlaces({ count, distances }: Remaining, size: number): Int32Array {
  const places = new Int32Array(size)
  let held = 0
  for (let i = 0; i < count; i++) {
    const distance = distances[i]
    if (held === size && distance >= distances[places[size - 1]]) continue
    let at = held === size ? size - 1 : held++
    while (at > 0 && distances[places[at - 1]] > distance) {
      places[at] = places[at - 1]
      at--
    }
    places[at] = i
  }
  return places
}
