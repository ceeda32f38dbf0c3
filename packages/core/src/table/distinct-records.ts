import { groupRows, rowsByGroup } from '@scrim/kernels'
import type { Column } from './column.js'
import { codeJointly } from './joint.js'
import { selectRows, type Table, table } from './table.js'

/**
 * The table with each different record once, and how many records are like it. Rows are sorted by their values, column after
 * column, missing first, so that it is the same table whatever the order of the records and whoever has counted them before.
 */
export function distinctRecords(data: Table): Table {
  const columns = data.columns.map(withOneZero)
  const coded = columns.map((column) => codeJointly([column]))
  const { ids, count } = groupRows(coded, data.rows)
  const first = new Int32Array(count)
  const records = new Int32Array(count)
  for (let row = data.rows - 1; row >= 0; row--) {
    first[ids[row]] = row
    records[ids[row]] += data.times?.[row] ?? 1
  }
  let order = Int32Array.from(records.keys())
  for (const { codes, cardinality } of coded.toReversed()) {
    const { rows } = rowsByGroup(
      order.map((id) => codes[first[id]] + 1),
      cardinality + 1,
    )
    order = rows.map((place) => order[place])
  }
  const distinct = selectRows(
    table(data.name, columns),
    order.map((id) => first[id]),
  )
  return { ...distinct, times: order.map((id) => records[id]) }
}

/** -0 and 0 are equal, and which of them comes first is a matter of the order. */
function withOneZero(column: Column): Column {
  if (column.kind === 'categorical' || !column.values.some((value) => Object.is(value, -0))) return column
  return { ...column, values: column.values.map((value) => value + 0) }
}
