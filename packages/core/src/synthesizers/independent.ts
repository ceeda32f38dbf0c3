import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { sampleWithReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { takeRows } from '../table/column.js'
import { findColumn, type Table, table } from '../table/table.js'
import { codingOf, encode } from './methods/coding.js'
import { numbersOf } from './methods/method.js'
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
    describe: () => ({
      variables: data.columns.map(({ name }) => ({
        variable: name,
        part: 'value',
        method: 'sample of all values',
        donors: data.rows,
      })),
      warnings: [],
    }),
    logProb: (records) => logProbability(data, records),
  }),
} satisfies Synthesizer

/** The sum of the logarithms of the shares that the values have in their columns. */
function logProbability(data: Table, records: Table): Float64Array {
  const total = new Float64Array(records.rows)
  for (const original of data.columns) {
    const column = findColumn(records, original.name)
    if (column === undefined) throw new UserError(`${records.name} has no column "${original.name}"`)
    const coding = codingOf(original, { specials: [], mostClasses: data.rows, missing: false })
    const counts = new Map<number, number>()
    for (const code of numbersOf(encode(coding, original)[0])) counts.set(code, (counts.get(code) ?? 0) + 1)
    numbersOf(encode(coding, column)[0]).forEach((code, row) => {
      total[row] += math.log((counts.get(code) ?? 0) / data.rows)
    })
  }
  return total
}

export interface IndependentOptions {
  /** Records to draw; as many as the table has when not given. */
  readonly rows?: number | undefined
  readonly seed: number
}

export function independentMarginals(file: Table, { rows = file.rows, seed }: IndependentOptions): Table {
  return independent.fit(file).sample(rows, (column) => stream(seed, `independent-marginals/${column}`))
}
