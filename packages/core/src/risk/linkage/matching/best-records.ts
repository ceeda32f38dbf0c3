import { groupRows, rowsByGroup } from '@scrim/kernels'
import { jointColumns } from '../../../table/coded-records.js'
import type { Table } from '../../../table/table.js'
import type { Options } from '../match-risk.js'

/** The records that fit a person best over several releases. */
interface Matches {
  /** I_t / c_t, and c_t; 0 where nothing matches. */
  readonly risk: Float64Array
  readonly best: Float64Array
  /** Number of the person's keys, and how many different ones there are. */
  readonly ids: Int32Array
  readonly distinct: number
}

/** Per different key: the probabilities of all records over the releases. Each release is grouped by what must be equal. */
export function matches(
  original: Table,
  released: readonly Table[],
  names: readonly string[],
  within: Options['within'],
): Matches {
  const n = original.rows
  const tables = [original, ...released]
  const columns = jointColumns(tables, names)
  const whole = groupRows(
    columns.map(({ codes, cardinality }) => ({ codes: codes.subarray(0, n), cardinality })),
    n,
  )
  const near = columns.filter(({ name }) => Object.hasOwn(within, name))
  const exact = groupRows(
    columns.filter(({ name }) => !Object.hasOwn(within, name)),
    n * tables.length,
  )
  const lists = released.map((_, l) => rowsByGroup(exact.ids.subarray((l + 1) * n, (l + 2) * n), exact.count))
  const people = rowsByGroup(whole.ids, whole.count)
  const [risk, best] = [new Float64Array(n), new Float64Array(n)]
  const probability = new Float64Array(n)
  for (let key = 0; key < whole.count; key++) {
    const those = people.rows.subarray(people.start[key], people.start[key + 1])
    const id = exact.ids[those[0]]
    const touched: number[] = []
    for (const [l, { start, rows }] of lists.entries()) {
      const matched = Array.from(rows.subarray(start[id], start[id + 1])).filter((row) =>
        near.every(({ codes, numbers, name }) =>
          isNear(numbers, codes[those[0]], codes[(l + 1) * n + row], within[name]),
        ),
      )
      for (const row of matched) {
        if (probability[row] === 0) touched.push(row)
        probability[row] += 1 / matched.length / released.length
      }
    }
    let most = 0
    for (const row of touched) most = Math.max(most, probability[row])
    const isBest = (row: number) => most > 0 && probability[row] >= most - 1e-12
    let records = 0
    for (const row of touched) if (isBest(row)) records++
    for (const row of those) {
      best[row] = records
      risk[row] = isBest(row) ? 1 / records : 0
    }
    for (const row of touched) probability[row] = 0
  }
  return { risk, best, ids: whole.ids, distinct: whole.count }
}

/** Missing matches missing. */
function isNear(numbers: Float64Array, a: number, b: number, within: number): boolean {
  return a === b || (a >= 0 && b >= 0 && Math.abs(numbers[a] - numbers[b]) <= within)
}
