import type { Table } from '../table/table.js'
import { fitSequential } from './sequential.js'
import { type SequentialOptions, sequentialOptions } from './sequential-options.js'
import type { FitHow, Streams, Synthesizer } from './synthesizer.js'

/**
 * Sequential synthesis by conditional inference trees (see `conditional-tree.ts`): a node is split only where a test finds
 * that a predictor matters, so there are fewer, larger leaves than with `cart`, and no preference for predictors with many
 * values.
 */
const options = sequentialOptions('ctree')

export const ctreeSynthesizer = {
  id: 'ctree',
  title: 'Sequential conditional inference trees',
  options,
  fit: (data: Table, chosen: SequentialOptions, random: Streams, how?: FitHow) =>
    fitSequential(data, chosen, 'ctree', random, how),
  fitsAnew: ({ proper }: SequentialOptions) => proper,
} satisfies Synthesizer<typeof options>
