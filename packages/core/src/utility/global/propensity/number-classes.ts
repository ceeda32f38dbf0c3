import { countIds } from '@scrim/kernels'
import type { Column } from '../../../table/column.js'
import { binNumbers } from '../../../table/grouping.js'
import { codeJointly } from '../../../table/joint.js'
import { columnOf, type Table, table } from '../../../table/table.js'
import { type Pair, withTables } from '../../pair.js'

/** The pair with its numbers as classes of about equal size, cut at quantiles of both files together; null: as they are. */
export function inClasses(pair: Pair, groups: number | null): Pair {
  if (groups === null) return pair
  const { original, released, variables } = pair
  const classes = new Map<string, readonly [Column, Column]>()
  for (const name of variables) {
    const [x, y] = [columnOf(original, name), columnOf(released, name)]
    if (x.kind === 'categorical') continue
    const { codes, numbers } = codeJointly([x, y])
    if (numbers.length === 0) continue
    const counts = Float64Array.from(countIds(codes, numbers.length))
    const { bins, labels } = binNumbers({ numbers, counts }, { style: 'synthpop', n: groups })
    const column = (part: Int32Array): Column => ({
      kind: 'categorical',
      name,
      codes: part.map((code) => (code < 0 ? code : bins[code])),
      levels: labels,
      ordered: true,
    })
    classes.set(name, [column(codes.slice(0, original.rows)), column(codes.slice(original.rows))])
  }
  const classed = (file: Table, k: 0 | 1) =>
    table(
      file.name,
      file.columns.map((column) => classes.get(column.name)?.[k] ?? column),
    )
  return withTables(pair, classed(original, 0), classed(released, 1))
}
