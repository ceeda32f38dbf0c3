import { rowsByGroup } from '@scrim/kernels'
import { oncePer } from '../../../once.js'

/** Share of trees in which two records are in different leaves; `trees` leaf numbers per record. */
export interface LeafCost {
  readonly trees: number
  readonly query: Int32Array
  readonly search: Int32Array
}

/** Per tree, the records of the search file by leaf: those that share one are counted instead of compared with all. */
interface LeafLists {
  readonly start: readonly Int32Array[]
  readonly rows: readonly Int32Array[]
}

const listsOf = oncePer(({ trees, query, search }: LeafCost): LeafLists => {
  const n = search.length / trees
  let most = 0
  for (const leaf of search) most = Math.max(most, leaf)
  for (const leaf of query) most = Math.max(most, leaf)
  const byTree = Array.from({ length: trees }, (_, t) => {
    const ids = new Int32Array(n)
    for (let j = 0; j < n; j++) ids[j] = search[j * trees + t]
    return rowsByGroup(ids, most + 1)
  })
  return { start: byTree.map(({ start }) => start), rows: byTree.map(({ rows }) => rows) }
})

export function addLeaves(leaves: LeafCost, query: number, out: Float64Array, n: number): void {
  const { trees, query: ours } = leaves
  const { start, rows } = listsOf(leaves)
  const shared = new Int32Array(n)
  for (let t = 0; t < trees; t++) {
    const leaf = ours[query * trees + t]
    const [list, to] = [rows[t], start[t][leaf + 1]]
    for (let k = start[t][leaf]; k < to; k++) shared[list[k]]++
  }
  for (let j = 0; j < n; j++) out[j] += (trees - shared[j]) / trees
}
