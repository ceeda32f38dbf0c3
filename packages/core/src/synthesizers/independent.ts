import { z } from 'zod'
import { sampleWithReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { takeRows } from '../table/column.js'
import { columnNames, type Table, table } from '../table/table.js'
import type { FittedSynthesizer, Synthesizer } from './synthesizer.js'

/**
 * A release that tells the marginals and nothing else: every column is drawn with replacement from its own values,
 * missing included, independently of the others. It is what someone knows who has seen the one-way tables only, so it
 * is the *nothing* control of an attack, and the least useful data that still have the right columns.
 * Each column has its own random numbers, so their order in the table does not matter.
 */
export const independent = {
  id: 'independent',
  title: 'Independent marginals',
  options: z.object({}),
  fit: (data: Table): FittedSynthesizer => ({
    sample: (rows, random) =>
      table(
        `${data.name} (independent)`,
        data.columns.map((column) => takeRows(column, sampleWithReplacement(random(column.name), data.rows, rows))),
      ),
    describe: () => ({ variables: columnNames(data) }),
  }),
} satisfies Synthesizer

export interface IndependentOptions {
  /** Records to draw; as many as the table has when not given. */
  readonly rows?: number | undefined
  readonly seed: number
}

export function independentMarginals(of: Table, { rows = of.rows, seed }: IndependentOptions): Table {
  return independent.fit(of).sample(rows, (column) => stream(seed, `independent-marginals/${column}`))
}
