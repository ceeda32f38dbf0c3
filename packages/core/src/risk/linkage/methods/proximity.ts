import { forest } from '../../../learners/forest.js'
import { fitContext } from '../../../learners/learner.js'
import type { Context } from '../../../measure.js'
import { selectRows } from '../../../table/table.js'
import type { Costs } from '../costs.js'
import type { LinkedFiles } from '../linked-files.js'
import { originProblem } from './predictive.js'

/**
 * Linkage by the proximity of a random forest (Breiman 2001) that learns which file a record is from: the share of trees in
 * which two records end in the same leaf; the cost is the share in which they do not. A distance that the data choose, but
 * the forest learns the file and not the person, so it says little where the files are alike.
 */
export interface ForestLinkage {
  readonly costs: Costs
  readonly importance: readonly { readonly name: string; readonly value: number }[]
}

export async function proximityCosts(
  files: LinkedFiles,
  trees: number,
  original: 'query' | 'search',
  context: Pick<Context, 'seed' | 'tasks' | 'progress' | 'signal'>,
): Promise<ForestLinkage> {
  const [features, response, weights] = originProblem(files, original)
  const fitting = fitContext(context, 'record-linkage/forest', weights)
  const model = await forest.fit(features, response, forest.options.parse({ trees }), fitting)
  const n = files.query.classes
  const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, k) => from + k)
  const query = model.leaves(selectRows(features, rows(0, n)))
  const search = model.leaves(selectRows(features, rows(n, features.rows)))
  return {
    costs: {
      keys: [],
      divideBy: null,
      round: null,
      leaves: { trees, query, search },
      searches: files.search.classes,
    },
    importance: model.importance,
  }
}
