import { forest } from '../../../learners/forest.js'
import { fitContext } from '../../../learners/learner.js'
import type { Context } from '../../../measure.js'
import { choice, whole } from '../../../option-kinds.js'
import { selectRows } from '../../../table/table.js'
import { type Block, filesOfBlock, putBlock } from '../costs/blocks.js'
import { type Costs, keyCosts } from '../costs/costs.js'
import type { LinkedFiles } from '../costs/linked-files.js'
import { originProblem } from './predictive.js'

/**
 * Linkage by the proximity of a random forest (Breiman 2001) that learns which file a record is from: the share of trees in
 * which two records end in the same leaf; the cost is the share in which they do not. A distance that the data choose, but
 * the forest learns the file and not the person, so it says little where the files are alike. Records are compared within
 * blocks, and so may the forest be grown: one for each block with two records of either file, one of all records for the others.
 */
export const treesOption = {
  trees: whole(500, { min: 10 }).describe('forest, predictive: how many trees'),
}

export const learnOption = {
  learn: choice(['block', 'all'], 'block').describe(
    'forest, embedding: with one blocking rule from each block that is large enough, or from all records at once, as with several rules',
  ),
}

export interface ForestLinkage {
  readonly costs: Costs
  /** Over blocks the mean, weighted by records. */
  readonly importance: readonly { readonly name: string; readonly value: number }[]
}

const FEWEST = 2

/** `blocks` that do not overlap, to be learnt one by one; null to learn from all records at once. */
export async function proximityCosts(
  files: LinkedFiles,
  trees: number,
  original: 'query' | 'search',
  blocks: readonly Block[] | null,
  context: Pick<Context, 'seed' | 'tasks' | 'progress' | 'signal'>,
): Promise<ForestLinkage> {
  const grow = (of: LinkedFiles, purpose: string) => grown(of, trees, original, purpose, context)
  const parts = (blocks ?? []).map((block, k) => ({ block, k, own: filesOfBlock(files, block) }))
  const large = parts.filter(({ own }) => own.query.ids.length >= FEWEST && own.search.ids.length >= FEWEST)
  const all = blocks === null || large.length < parts.length ? await grow(files, 'record-linkage/forest') : null
  const query = all?.query ?? new Int32Array(files.query.classes * trees)
  const search = all?.search ?? new Int32Array(files.search.classes * trees)
  const importance = new Map(files.keys.map(({ name }) => [name, 0]))
  const records = large.reduce((sum, { own }) => sum + own.query.ids.length + own.search.ids.length, 0)
  for (const { block, k, own } of large) {
    const found = await grow(own, `record-linkage/forest/block ${k}`)
    putBlock(found.query, block.queries, trees, query)
    putBlock(found.search, block.searches, trees, search)
    const share = (own.query.ids.length + own.search.ids.length) / records
    for (const { name, value } of found.importance) importance.set(name, (importance.get(name) ?? 0) + share * value)
  }
  return {
    costs: { ...keyCosts([], files.search.classes), leaves: { trees, query, search } },
    importance:
      large.length === 0 ? (all?.importance ?? []) : Array.from(importance, ([name, value]) => ({ name, value })),
  }
}

/** Leaves of all records of both files in a forest that is grown on them. */
async function grown(
  files: LinkedFiles,
  trees: number,
  original: 'query' | 'search',
  purpose: string,
  context: Pick<Context, 'seed' | 'tasks' | 'progress' | 'signal'>,
) {
  const [features, response, weights] = originProblem(files, original)
  const model = await forest.fit(
    features,
    response,
    forest.options.parse({ trees }),
    fitContext(context, purpose, weights),
  )
  const n = files.query.classes
  const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, k) => from + k)
  return {
    query: model.leaves(selectRows(features, rows(0, n))),
    search: model.leaves(selectRows(features, rows(n, features.rows))),
    importance: model.importance,
  }
}
