import type { Context } from '../../../measure.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { permutationPValue } from '../../../stats/tests/tests.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../pmse.js'
import { stackTables } from './propensity.js'
import { meanSquare, nullsOf } from './propensity-statistics.js'
import { forestScores, permutedCartPmse, splitFrom, treeFeatures } from './tree-scores.js'

/** What pMSE is expected to be where nothing is wrong: by theory for the logit, by permuted labels for trees. */

export function logitNulls(pmse: number, df: number, originals: number, released: number) {
  const { conditional, twoSample, pairs, z } = nullsOf(pmse, df, originals, released)
  return { nulls: { conditional, twoSample, pairs: { ...pairs, p: null } }, z }
}

/** What permuted labels give is the two-sample null; its mean times 1 - c stands for the conditional one, as for the logit. */
export function treeNulls(pmse: number, permuted: readonly number[], c: number) {
  const expected = mean(permuted) ?? 0
  const sd = standardDeviation(permuted) ?? 0
  const ratio = (to: number) => (to > 0 ? pmse / to : null)
  const conditional = expected * (1 - c)
  return {
    nulls: {
      conditional: { expected: conditional, ratio: ratio(conditional), p: null },
      twoSample: { expected, ratio: ratio(expected), p: permutationPValue(pmse, permuted) },
      pairs: null,
    },
    z: sd > 0 ? (pmse - expected) / sd : null,
  }
}

export async function permutedPmse(pair: Pair, chosen: Options, context: Context): Promise<number[]> {
  const { original, released, variables } = pair
  const features = treeFeatures(stackTables(original, released, variables))
  const { cp, minbucket, permutations } = chosen
  if (chosen.model === 'cart')
    return permutedCartPmse(
      features,
      original.rows,
      { cp, minbucket, minsplit: splitFrom(minbucket) },
      permutations,
      context,
    )
  const c = 1 - original.rows / features.rows
  const permuted: number[] = []
  for (let k = 0; k < permutations; k++) {
    permuted.push(meanSquare((await forestScores(features, original.rows, chosen.trees, context, k)).scores, c))
    context.progress(k + 1, permutations)
  }
  return permuted
}
