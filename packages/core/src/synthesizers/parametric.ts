import type { Table } from '../table/table.js'
import { PARAMETRIC } from './methods.js'
import { fitSequential } from './sequential.js'
import { type SequentialOptions, sequentialOptions } from './sequential-options.js'
import type { FitHow, Streams, Synthesizer } from './synthesizer.js'

/**
 * Sequential synthesis by regression models: normal regression of ranks for numbers, logistic for two levels, ordered
 * logistic for ordered and multinomial for other levels. Blind to interactions and to anything that is not a straight line
 * on the scale of the model: what trees would find, these data do not have.
 */
const options = sequentialOptions(PARAMETRIC)

export const parametricSynthesizer = {
  id: PARAMETRIC,
  title: 'Sequential regressions',
  options,
  fit: (data: Table, chosen: SequentialOptions, random: Streams, how?: FitHow) =>
    fitSequential(data, chosen, PARAMETRIC, random, how),
  fitsAnew: ({ proper }: SequentialOptions) => proper,
} satisfies Synthesizer<typeof options>
