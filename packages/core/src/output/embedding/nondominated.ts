/**
 * Non-dominated sorting (NSGA-II: Deb, Pratap, Agarwal and Meyarivan 2002, IEEE Transactions on Evolutionary Computation 6). A member
 * dominates another if none of its errors is larger and one is smaller. The first front are those that nobody dominates, the second
 * those that only the first dominates, and so on. Within a front those with the most room around them come first.
 */
export function frontsOf(objectives: readonly Float64Array[]): number[][] {
  const left = new Set(objectives.keys())
  const fronts: number[][] = []
  while (left.size > 0) {
    const rest = [...left]
    const front = rest.filter((a) => !rest.some((b) => dominates(objectives[b], objectives[a])))
    for (const member of front) left.delete(member)
    fronts.push(front)
  }
  return fronts
}

/** Members from the best to the worst: by front, then by crowding; of equals the one that was there first. */
export function crowdedOrder(objectives: readonly Float64Array[]): number[] {
  return frontsOf(objectives).flatMap((front) => {
    const room = crowding(front, objectives)
    return front
      .map((member, k) => ({ member, room: room[k] }))
      .sort((a, b) => (a.room === b.room ? a.member - b.member : b.room - a.room))
      .map(({ member }) => member)
  })
}

function dominates(a: Float64Array, b: Float64Array): boolean {
  let isSmaller = false
  for (let k = 0; k < a.length; k++) {
    if (a[k] > b[k]) return false
    if (a[k] < b[k]) isSmaller = true
  }
  return isSmaller
}

/** Distance between the neighbours of each member in every error, as a share of the range; the ends have room without limit. */
function crowding(front: readonly number[], objectives: readonly Float64Array[]): Float64Array {
  const room = new Float64Array(front.length)
  const errors = front.length === 0 ? 0 : objectives[front[0]].length
  for (let k = 0; k < errors; k++) {
    const errorOf = (place: number) => objectives[front[place]][k]
    const order = Array.from(front.keys()).sort((a, b) => errorOf(a) - errorOf(b) || a - b)
    const last = order.length - 1
    const range = errorOf(order[last]) - errorOf(order[0])
    room[order[0]] = Number.POSITIVE_INFINITY
    room[order[last]] = Number.POSITIVE_INFINITY
    if (!(range > 0)) continue
    for (let i = 1; i < last; i++) room[order[i]] += (errorOf(order[i + 1]) - errorOf(order[i - 1])) / range
  }
  return room
}
