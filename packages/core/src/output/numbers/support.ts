import { z } from 'zod'
import type { Table } from '../../table/table.js'
import { type Output, variablesOf } from '../description/description.js'
import { elementSchema } from '../description/value.js'
import { printedCells } from './crossed.js'
import { modelDesign } from './design.js'
import { recordsOf } from './records.js'

export const supportSchema = z.object({
  element: elementSchema,
  cell: z.record(z.string(), z.string()).nullable(),
  records: z.int(),
})

/** How many records stand behind an element of an output; the cell is null for a term. */
export type Support = Readonly<z.output<typeof supportSchema>>

/**
 * Records behind every cell, group or 0/1 term that is printed (of a term the smaller of those with and without it); behind all of
 * it where there is nothing smaller.
 */
export function supportOf(output: Output, data: Table): Support[] {
  if (output.kind === 'table' || output.kind === 'summary')
    return printedCells(output, data).cells.map(({ element, cell, rows }) => ({ element, cell, records: rows.length }))
  const whole = (records: number) => ({ element: 'all', cell: null, records })
  if (output.kind === 'correlation') return [whole(recordsOf(output, data, variablesOf(output)).length)]
  const { terms, rows } = modelDesign(output, data)
  const dummies = terms.filter(
    ({ values, records }) => records > 0 && values.every((value) => value === 0 || value === 1),
  )
  return [
    whole(rows.length),
    ...dummies.map(({ name, records }) => ({
      element: name,
      cell: null,
      records: Math.min(records, rows.length - records),
    })),
  ]
}
