import type { z } from 'zod'
import { forest } from '../../../learners/forest.js'
import { fitContext } from '../../../learners/learner.js'
import { logistic } from '../../../learners/logistic.js'
import type { Context } from '../../../measure.js'
import { choice } from '../../../option-kinds.js'
import { joined } from '../../../stats/joined.js'
import { stackColumns } from '../../../table/column.js'
import { selectRows, type Table, table } from '../../../table/table.js'
import { keyCosts } from '../costs/costs.js'
import type { LinkedFiles, Side } from '../costs/linked-files.js'

/**
 * Linkage by propensity: a model says of each record how probable it is that it comes from the original rather than from
 * the release, given its keys, and records of like propensity are linked, d = |e(x) - e(a)|. One number per record, so it is
 * coarse, and it says the less the better the release is: for a release like the original all propensities are one half. A logistic
 * propensity sees the means of the keys only: a release that keeps them exactly (rank swapping, microaggregation) solves its
 * equations with slopes of 0, so that nobody is found beyond chance however weak the protection is. A forest sees more than means,
 * but learns by heart which file a record of numbers is from: the original's get propensities near 1, their released twins near 0,
 * however near they are, so that it links by categories only.
 * Its error is known where the model is logistic, e (1 - e) √(z' V z) by the delta method: the width of a kernel.
 */
export const predictiveOptions = {
  model: choice(['logit', 'forest'], 'logit').describe('predictive: the model of propensities'),
}

export async function predictiveCosts(
  files: LinkedFiles,
  model: z.output<typeof predictiveOptions.model>,
  trees: number,
  original: 'query' | 'search',
  context: Pick<Context, 'seed' | 'tasks' | 'progress' | 'signal'>,
) {
  const [features, response, weights] = originProblem(files, original)
  const fitting = fitContext(context, 'record-linkage/propensity', weights)
  const fitted =
    model === 'logit'
      ? await logistic.fit(features, response, logistic.options.parse({}), fitting)
      : await forest.fit(features, response, forest.options.parse({ trees }), fitting)
  const probabilities = await fitted.predictProbabilities(features)
  const n = files.query.classes
  const errors = 'predictorErrors' in fitted ? (fitted.predictorErrors?.(features) ?? null) : null
  const [query, search] = [new Float64Array(n), new Float64Array(files.search.classes)]
  for (let k = 0; k < n; k++) query[k] = probabilities[2 * k + 1]
  for (let k = 0; k < search.length; k++) search[k] = probabilities[2 * (n + k) + 1]
  const widths = errors && query.map((e, k) => Math.max(Number.EPSILON, e * (1 - e) * errors[k]))
  const none = { missingQuery: 0, missingSearch: new Float64Array(n) }
  const cost = {
    kind: 'number' as const,
    query,
    search,
    scale: 1,
    cap: Number.POSITIVE_INFINITY,
    complete: true,
    ...none,
  }
  return {
    costs: { ...keyCosts([cost], search.length), widths },
    query,
    search,
    importance: fitted.importance,
  }
}

/** Classes of both files as rows, with the file they are from (1: the original) and their numbers of records. */
export function originProblem(files: LinkedFiles, original: 'query' | 'search') {
  const { query, search } = files
  const parts = [classRows(query, files), classRows(search, files)]
  const features = table(
    'both files',
    parts[0].columns.map((column, v) => stackColumns([column, parts[1].columns[v]])),
  )
  const isOriginal = original === 'query' ? [1, 0] : [0, 1]
  const codes = new Int32Array(query.classes + search.classes).fill(isOriginal[1])
  codes.fill(isOriginal[0], 0, query.classes)
  const response = { kind: 'classes' as const, codes, levels: ['released', 'original'] }
  return [features, response, joined([Float64Array.from(query.counts), Float64Array.from(search.counts)])] as const
}

/** One row per class; ordered levels as numbers. */
function classRows({ table: of, first }: Side, { keys }: LinkedFiles): Table {
  const names = new Set(keys.map(({ name }) => name))
  const chosen = table(
    of.name,
    of.columns.filter(({ name }) => names.has(name)),
  )
  const rows = selectRows(chosen, first)
  return table(
    rows.name,
    rows.columns.map((column) =>
      column.kind === 'categorical' && column.ordered
        ? {
            kind: 'numeric' as const,
            name: column.name,
            values: Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : code + 1)),
          }
        : column,
    ),
  )
}
