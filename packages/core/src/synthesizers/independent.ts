import { sampleWithReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { type Column, takeRows } from '../table/column.js'
import { type Table, table } from '../table/table.js'

export interface IndependentOptions {
  /** Records to draw; as many as the table has when not given. */
  readonly rows?: number | undefined
  readonly seed: number
}

/**
 * A release that tells the marginals and nothing else: every column is drawn with replacement from its own values,
 * missing included, independently of the others. It is what someone knows who has seen the one-way tables only, so it
 * is the *nothing* control of an attack, and the least useful data that still have the right columns.
 * Each column has its own random numbers, so their order in the table does not matter.
 */
export function independentMarginals(of: Table, { rows = of.rows, seed }: IndependentOptions): Table {
  return table(
    `${of.name} (independent)`,
    of.columns.map((column) => resample(column, of.rows, rows, seed)),
  )
}

function resample(column: Column, from: number, rows: number, seed: number): Column {
  const random = stream(seed, `independent-marginals/${column.name}`)
  return takeRows(column, sampleWithReplacement(random, from, rows))
}
