/**
 * Collects the k nearest of the records it is shown, with all that tie with the k-th. Few are kept sorted as they come; of
 * many a heap keeps those that are needed, the farthest on top, and they are sorted once at the end, so that a record costs
 * O(log k) and not O(k). Both give the same points in the same order: by sum, equal sums as they came.
 */
export interface KBest {
  /** Forgets everything. */
  start(k: number): void
  /** Shows a point that stands for some records and returns the k-th smallest sum so far, infinite before there are k. */
  add(point: number, sum: number, records: number): number
  finish(): Found
}

export interface Found {
  readonly count: number
  readonly points: Int32Array
  /** Sums of terms, ascending; see `distanceOf`. */
  readonly sums: Float64Array
  /** The k-th smallest sum; infinite when there are fewer than k records. */
  readonly kth: number
}

/** Up to so many a sorted list is the faster one. */
export const SORTED_UP_TO = 32

export function sortedList(tie: number): KBest {
  let points = new Int32Array(2 * SORTED_UP_TO)
  let sums = new Float64Array(points.length)
  let copies = new Int32Array(points.length)
  let count = 0
  let wanted = 1
  let kth = Number.POSITIVE_INFINITY

  return {
    start(k) {
      wanted = k
      count = 0
      kth = Number.POSITIVE_INFINITY
    },
    add(point, sum, records) {
      if (count === points.length) {
        points = longer(points, new Int32Array(2 * count))
        sums = longer(sums, new Float64Array(2 * count))
        copies = longer(copies, new Int32Array(2 * count))
      }
      let at = count++
      for (; at > 0 && sums[at - 1] > sum; at--) {
        sums[at] = sums[at - 1]
        points[at] = points[at - 1]
        copies[at] = copies[at - 1]
      }
      sums[at] = sum
      points[at] = point
      copies[at] = records
      let within = 0
      for (let place = 0; place < count; place++) {
        within += copies[place]
        if (within < wanted) continue
        kth = sums[place]
        while (sums[count - 1] > kth + tie) count--
        break
      }
      return kth
    },
    finish: () => ({ count, points, sums, kth }),
  }
}

export function heap(tie: number): KBest {
  // Of every point shown: what it is, in the order of coming. The heap holds places in these.
  let points = new Int32Array(4 * SORTED_UP_TO)
  let sums = new Float64Array(points.length)
  let copies = new Int32Array(points.length)
  let shown = 0
  let places = new Int32Array(points.length)
  let size = 0
  let within = 0
  // Places that were pushed out of the heap and may still tie with the k-th.
  let beyond = new Int32Array(points.length)
  let pushedOut = 0
  let wanted = 1
  let kth = Number.POSITIVE_INFINITY
  let sortedPoints = new Int32Array(points.length)
  let sortedSums = new Float64Array(points.length)

  return {
    start(k) {
      wanted = k
      shown = size = within = pushedOut = 0
      kth = Number.POSITIVE_INFINITY
    },
    add(point, sum, records) {
      if (shown === points.length) grow()
      points[shown] = point
      sums[shown] = sum
      copies[shown] = records
      within += records
      push(shown++)
      while (within - copies[places[0]] >= wanted) {
        within -= copies[places[0]]
        beyond[pushedOut++] = pop()
      }
      if (within >= wanted) kth = sums[places[0]]
      return kth
    },
    finish() {
      for (let k = 0; k < pushedOut; k++) if (sums[beyond[k]] <= kth + tie) push(beyond[k])
      const count = size
      while (size > 0) {
        const place = pop()
        sortedPoints[size] = points[place]
        sortedSums[size] = sums[place]
      }
      return { count, points: sortedPoints, sums: sortedSums, kth }
    },
  }

  function grow(): void {
    const length = 2 * shown
    points = longer(points, new Int32Array(length))
    sums = longer(sums, new Float64Array(length))
    copies = longer(copies, new Int32Array(length))
    places = longer(places, new Int32Array(length))
    beyond = longer(beyond, new Int32Array(length))
    sortedPoints = new Int32Array(length)
    sortedSums = new Float64Array(length)
  }

  /** Whether one shown at place a is to leave before one at place b: farther, or as far and later. */
  function before(a: number, b: number): boolean {
    return sums[a] > sums[b] || (sums[a] === sums[b] && a > b)
  }

  function push(place: number): void {
    let at = size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(place, places[parent])) break
      places[at] = places[parent]
      at = parent
    }
    places[at] = place
  }

  function pop(): number {
    const top = places[0]
    const last = places[--size]
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && before(places[child + 1], places[child])) child++
      if (!before(places[child], last)) break
      places[at] = places[child]
      at = child
    }
    places[at] = last
    return top
  }
}

function longer<T extends Int32Array | Float64Array>(values: T, to: T): T {
  to.set(values)
  return to
}
