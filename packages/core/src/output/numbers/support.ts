import type { Table } from '../../table/table.js'
import { type Cell, cellName, type Output, variablesOf } from '../description/description.js'
import { modelDesign } from '../rules/models.js'
import { isListed, withMargins } from './crossed.js'
import { recordsOf } from './records.js'

/** How many records stand behind an element of an output. */
export interface Support {
  readonly element: string
  /** The levels of a cell or group; null for a term. */
  readonly cell: Cell | null
  readonly records: number
}

/**
 * Records behind every cell, group or 0/1 term that is printed (of a term the smaller of those with and without it); behind all of
 * it where there is nothing smaller.
 */
export function supportOf(output: Output, data: Table): Support[] {
  switch (output.kind) {
    case 'table': {
      const rows = recordsOf(output, data, output.var === undefined ? output.by : [...output.by, output.var])
      return withMargins(output.by, data, rows, output.totals)
        .filter(({ cell }) => !isListed(cell, output.suppressed))
        .map(({ cell, rows: members }) => ({ element: cellName(output.by, cell), cell, records: members.length }))
    }
    case 'summary': {
      const rows = recordsOf(output, data, [...output.by, output.var])
      return withMargins(output.by, data, rows, false).map(({ cell, rows: members }) => ({
        element: output.by.length === 0 ? output.var : cellName(output.by, cell),
        cell,
        records: members.length,
      }))
    }
    case 'regression': {
      const { terms, rows } = modelDesign(output, data)
      return [
        { element: 'all', cell: null, records: rows.length },
        ...terms.flatMap(({ name, values, records }) =>
          records > 0 && values.every((value) => value === 0 || value === 1)
            ? [{ element: name, cell: null, records: Math.min(records, rows.length - records) }]
            : [],
        ),
      ]
    }
    case 'correlation':
      return [{ element: 'all', cell: null, records: recordsOf(output, data, variablesOf(output)).length }]
  }
}
