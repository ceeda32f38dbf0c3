/**
 * The leaf of each row in a tree whose splits are `<=` alone. What is computed is told by its twin in `src/trees/descent.ts`; both give the
 * same nodes. A node is 16 bytes: where its column is in a row, its left child, and the largest value that goes left. A leaf is its own left
 * child, and everything goes left there.
 */
const AT_ONCE = 16

/** Hot. `nodes` are 0 at first. Rows at once, so that one need not wait for what another loads, and a multiple of as many. */
export function descend(tree: usize, values: usize, bytesPerRow: usize, rows: i32, nodes: usize): void {
  const end = nodes + ((rows as usize) << 2)
  for (let from = nodes; from < end; from += AT_ONCE << 2) {
    let row = values
    let moved = 1
    while (moved) {
      moved = 0
      row = values
      for (let place = from; place < from + (AT_ONCE << 2); place += 4) {
        const node = load<i32>(place)
        const at = tree + ((node as usize) << 4)
        const goesRight = load<f64>(row + load<i32>(at)) <= load<f64>(at + 8) ? 0 : 1
        const next = load<i32>(at + 4) + goesRight
        store<i32>(place, next)
        moved |= next ^ node
        row += bytesPerRow
      }
    }
    values = row
  }
}
