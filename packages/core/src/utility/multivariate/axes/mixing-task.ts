import { type Searched, searchOf } from '../../../neighbors/tasks.js'
import type { Task } from '../../../tasks/task.js'

/** Neighbours of each record from its own file, as a task for any thread. */
interface Shared extends Searched {
  /** How many records of each point belong to the original. */
  readonly originals: Int32Array
  readonly k: number
}

/** Per query, a point: the share of the other file among the neighbours of an original there, then of a released record. */
export const mixingTask: Task<Shared, Int32Array, Float64Array> = {
  name: 'utility/mixing',
  run(shared, queries) {
    const { points, members, originals, k } = shared
    const { nearest } = searchOf(shared)
    const records = new Int32Array(points.count)
    members.points.forEach((point, place) => {
      records[point] = members.records[place]
    })
    const shares = new Float64Array(2 * queries.length)
    queries.forEach((query, at) => {
      const found = nearest(query, k, true)
      // Of the records at its own place the query itself is none of its neighbours.
      let [others, originalOthers, own] = [0, 0, 0]
      for (let place = 0; place < found.count; place++) {
        const point = found.points[place]
        if (point === query) own = 1
        others += records[point]
        originalOthers += originals[point]
      }
      others -= own
      shares[2 * at] = others > 0 ? (others - (originalOthers - own)) / others : Number.NaN
      shares[2 * at + 1] = others > 0 ? originalOthers / others : Number.NaN
    })
    return shares
  },
}
