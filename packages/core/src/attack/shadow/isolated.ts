import { membersOf } from '../../neighbors/search.js'
import { space } from '../../neighbors/space.js'
import { nearestDistances, type Where } from '../../neighbors/tasks.js'
import { mean } from '../../stats/sums.js'
import { columnNames, type Table } from '../../table/table.js'

/** As Meeus, Guepin, Creţu and de Montjoye (2023) choose vulnerable records, with scrim's distance in place of theirs. */
const NEIGHBOURS = 5

/** Rows of the records with the largest mean Gower distance to their five nearest others; of equal ones the first. */
export async function mostIsolated(people: Table, count: number, where: Where): Promise<Int32Array> {
  const points = space([people], columnNames(people), [0])
  const [ids] = points.ids
  const k = Math.min(NEIGHBOURS, people.rows - 1)
  const distances = await nearestDistances(where, points, membersOf(points, ids), ids, { k, leaveOneOut: true })
  const isolation = Float64Array.from(ids, (_, row) => mean(distances.subarray(row * k, (row + 1) * k)) ?? 0)
  return Int32Array.from(isolation.keys())
    .sort((a, b) => isolation[b] - isolation[a] || a - b)
    .slice(0, count)
}
