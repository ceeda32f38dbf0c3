import { z } from 'zod'
import { choice, columnNames, flag, real, whole } from '../../../option-kinds.js'
import { missingOption } from './missing-values.js'

/** The propensity models and their options, the same for all measures that rest on them. */
export const propensityOptions = {
  model: choice(['logit', 'cart', 'forest'], 'logit').describe(
    'logit: logistic regression; cart: a classification tree; forest: out-of-bag scores of a random forest',
  ),
  order: z
    .union([z.literal('auto'), z.literal(1), z.literal(2)])
    .default('auto')
    .describe(
      'logit: 1 for main effects, 2 for products of two variables as well; auto: 2 where that takes at most 400 coefficients and a tenth of the records',
    ),
  missing: missingOption,
  groups: whole(null, { min: 2, max: 100 }).describe(
    "numbers as classes at quantiles of both files, so many, as synthpop's ngroups; null: as they are",
  ),
  kept: columnNames().describe(
    'logit: columns released as they are, none when not given; coefficients of these alone do not count in what is expected',
  ),
  cp: real(0.001, { min: 0 }).describe("cart: complexity; 0.001 as synthpop's utility.gen, 1e-8 as riskutility's pMSE"),
  minbucket: whole(5, { min: 1 }).describe('cart: fewest records of a leaf'),
  trees: whole(500, { min: 10, max: 100_000 }).describe('forest: how many trees'),
  permutations: whole(20, { min: 1, max: 100_000 }).describe(
    'cart and forest: how often labels are permuted to know what no difference gives',
  ),
  densities: flag(false).describe(
    "also densities of the scores of both files, as riskutility's propscore: Kullback-Leibler divergence and density ratio, in details.densities",
  ),
  pairs: flag(false).describe(
    "several files of one synthesizer: also told from each other, two by two, as synthpop's resamp.method pairs; the ratios to that stand in details.pairs",
  ),
}
