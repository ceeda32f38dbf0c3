import type { Table } from '../table/table.js'
import { fitSequential } from './sequential.js'
import { type SequentialOptions, sequentialOptions } from './sequential-options.js'
import type { FitHow, Streams, Synthesizer } from './synthesizer.js'

/**
 * Sequential synthesis by forests: the donors of a record are the original records that share a leaf with it in any of the
 * trees. `bag` tries all predictors at each node, `rf` some of them. Fitting draws random numbers, but the forest, once
 * grown, serves all syntheses.
 */
const rfOptions = sequentialOptions('rf')
const bagOptions = sequentialOptions('bag')

export const rfSynthesizer = {
  id: 'rf',
  title: 'Sequential random forests',
  options: rfOptions,
  fit: (data: Table, chosen: SequentialOptions, random: Streams, how?: FitHow) =>
    fitSequential(data, chosen, 'rf', random, how),
  fitsAnew: ({ proper }: SequentialOptions) => proper,
} satisfies Synthesizer<typeof rfOptions>

export const bagSynthesizer = {
  id: 'bag',
  title: 'Sequential bagged trees',
  options: bagOptions,
  fit: (data: Table, chosen: SequentialOptions, random: Streams, how?: FitHow) =>
    fitSequential(data, chosen, 'bag', random, how),
  fitsAnew: ({ proper }: SequentialOptions) => proper,
} satisfies Synthesizer<typeof bagOptions>
