import type { Table } from '../table/table.js'
import { fitSequential } from './sequential.js'
import { type SequentialOptions, sequentialOptions } from './sequential-options.js'
import type { FitHow, Streams, Synthesizer } from './synthesizer.js'

/**
 * Sequential synthesis by trees (Reiter 2005; the default of synthpop, Nowok, Raab and Dibben 2016): see `sequential.ts`.
 * A tree of each variable on all variables before it is grown on the original; a synthetic record goes down it with the
 * values it has so far and takes the value of one of the original records in its leaf, each equally likely. So every
 * synthetic value is somebody's, unless numbers are smoothed.
 *
 * Numbers and dates have regression trees, levels classification trees; a 0/1 column declared numeric is another
 * generator than the same column as levels, because a classification tree keeps only splits that change its prediction
 * (`collapse`).
 */
const options = sequentialOptions('cart')

export const cartSynthesizer = {
  id: 'cart',
  title: 'Sequential trees',
  options,
  fit: (data: Table, chosen: SequentialOptions, random: Streams, how?: FitHow) =>
    fitSequential(data, chosen, 'cart', random, how),
  fitsAnew: ({ proper }: SequentialOptions) => proper,
} satisfies Synthesizer<typeof options>
