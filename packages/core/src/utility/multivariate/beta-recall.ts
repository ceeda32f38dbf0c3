import { z } from 'zod'
import { whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { supportChart, supportTable } from './alpha-precision.js'
import { freshPair } from './axes/fresh-pair.js'
import { integrated, recallCurve } from './axes/support.js'

/**
 * Is all of the original covered? An original record is covered when a released one lies within the distance of its k-th
 * nearest other original; R_β is the share of those covered by the β-support of the release, its β most central records, over
 * the share that a new sample of the same size would cover, 1 - (n / (n + m))^k. The headline is 1 - Σ |R_β - β| / Σ β over β = 0.05, ..., 1
 * (Alaa et al. 2022; they take k = 1 and do not divide, so that a perfect release has about one half). Gower's distance.
 * Looks at 1,000 random records of each file. Blind to how often what is covered occurs.
 */
const options = z.object({
  ...utilityOptions,
  k: whole(5, { min: 1, max: 100 }).describe('which nearest original sets the radius'),
})

export const betaRecall = utilityMeasure({
  id: 'beta-recall',
  title: 'Beta-recall',
  summary: 'whether released records cover all of the original',
  orientation: 'utility',
  nothing: 'independent',
  mostRows: 1000,
  stochastic: true,
  unit: 'share',
  blindTo: 'how often what is covered occurs',
  options,
  statistic: async (pair, { k }, context) => {
    const fresh = freshPair(pair)
    const curve = fresh === null ? null : await recallCurve(fresh, k, context)
    return curve === null ? null : integrated(curve)
  },
  compute: async (pair, { k }, context) => {
    const curve = (await recallCurve(pair, k, context)) ?? []
    /** `covered`: the share of the originals that are covered, over that of a new sample. */
    const details = { curve, covered: curve.length === 0 ? 0 : curve[curve.length - 1].share }
    return curve.length === 0
      ? { value: null, reason: 'it takes two original records and a column that varies', details }
      : { value: integrated(curve), details }
  },
  citations: ['alaa2022'],
  sentence: ({ value, details: { covered } }) =>
    `released records cover ${percent(covered, 0)} of what a new sample would cover of the original: recall ${percent(value ?? 0, 0)}`,
  tables: ({ details: { curve } }) => [
    supportTable('Originals that the typical part of the release covers', 'originals covered', curve),
  ],
  charts: ({ details: { curve } }, { name }) => [
    supportChart('beta-recall', `Beta-recall: ${name}`, curve, 'share of originals covered by it'),
  ],
})
