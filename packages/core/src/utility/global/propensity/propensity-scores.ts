import type { Context } from '../../../measure.js'
import type { Pair } from '../../pair.js'
import { fewerLevelsWarning, logisticPropensity, type PropensityOptions, stackTables } from './propensity.js'
import { cartScores, forestScores, splitFrom, treeFeatures } from './tree-scores.js'

interface PropensityModelOptions extends Pick<PropensityOptions, 'order' | 'kept'> {
  readonly model: 'logit' | 'cart' | 'forest'
  readonly cp: number
  readonly minbucket: number
  readonly minsplit?: number
  /** For a forest. */
  readonly trees?: number
}

/** Scores of all records by a propensity model, the original ones first, and what the model tells of itself. */
export async function propensityScores(
  pair: Pair,
  { model, order, kept = null, cp, minbucket, minsplit = splitFrom(minbucket), trees = 500 }: PropensityModelOptions,
  context: Context,
) {
  const { original, released, variables } = pair
  const originals = original.rows
  if (model === 'logit') {
    const found = logisticPropensity(original, released, { variables, order, kept })
    return { ...found, leaves: null, warnings: fewerLevelsWarning(found) }
  }
  const features = treeFeatures(stackTables(original, released, variables))
  const { scores, leaves, importance } =
    model === 'cart'
      ? cartScores(features, originals, { cp, minbucket, minsplit })
      : await forestScores(features, originals, trees, context)
  return {
    scores,
    originals,
    df: null,
    order: null,
    leaves: model === 'cart' ? leaves : null,
    converged: true,
    warnings: [],
    columns: () => importance,
  }
}
