import type { Table } from '../../table/table.js'
import { PARAMETRIC } from '../methods/methods.js'
import type { FitHow, Streams, Synthesizer } from '../synthesizer.js'
import { type SequentialOptions, sequentialOptions } from './options.js'
import { fitSequential } from './sequential.js'

/** Sequential synthesis (see `sequential.ts`) by this method where none is named. */
function sequential(id: string, title: string) {
  const options = sequentialOptions(id)
  return {
    id,
    title,
    options,
    fit: (data: Table, chosen: SequentialOptions, random: Streams, run?: FitHow) =>
      fitSequential(data, chosen, id, random, run),
    fitsAnew: ({ proper }: SequentialOptions) => proper,
  } satisfies Synthesizer<typeof options>
}

/**
 * By trees (Reiter 2005; the default of synthpop, Nowok, Raab and Dibben 2016). A tree of each variable on all variables
 * before it is grown on the original; a synthetic record goes down it with the values it has so far and takes the value of
 * one of the original records in its leaf, each equally likely. So every synthetic value is somebody's, unless numbers are
 * smoothed.
 *
 * Numbers and dates have regression trees, levels classification trees; a 0/1 column declared numeric is another
 * generator than the same column as levels, because a classification tree keeps only splits that change its prediction
 * (`collapse`).
 */
export const cartSynthesizer = sequential('cart', 'Sequential trees')

/**
 * By conditional inference trees (see `conditional-tree.ts`): a node is split only where a test finds that a predictor
 * matters, so there are fewer, larger leaves than with `cart`, and no preference for predictors with many values.
 */
export const ctreeSynthesizer = sequential('ctree', 'Sequential conditional inference trees')

/**
 * By regression models: normal regression of ranks for numbers, logistic for two levels, ordered logistic for ordered and
 * multinomial for other levels. Blind to interactions and to anything that is not a straight line on the scale of the
 * model: what trees would find, these data do not have.
 */
export const parametricSynthesizer = sequential(PARAMETRIC, 'Sequential regressions')

/**
 * By forests: the donors of a record are the original records that share a leaf with it in any of the trees. `bag` tries
 * all predictors at each node, `rf` some of them. Fitting draws random numbers, but the forest, once grown, serves all
 * syntheses.
 */
export const rfSynthesizer = sequential('rf', 'Sequential random forests')
export const bagSynthesizer = sequential('bag', 'Sequential bagged trees')
