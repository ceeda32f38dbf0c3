import { z } from 'zod'
import { missingOption } from './missing-values.js'

/** The propensity models and their options, the same for all measures that rest on them. */
export const propensityOptions = {
  model: z
    .enum(['logit', 'cart', 'forest'])
    .default('logit')
    .describe('logit: logistic regression; cart: a classification tree; forest: out-of-bag scores of a random forest'),
  order: z
    .union([z.literal('auto'), z.literal(1), z.literal(2)])
    .default('auto')
    .describe(
      'logit: 1 for main effects, 2 for products of two variables as well; auto: 2 where that takes at most 400 coefficients and a tenth of the records',
    ),
  missing: missingOption,
  groups: z
    .int()
    .min(2)
    .max(100)
    .nullable()
    .default(null)
    .describe("numbers as classes at quantiles of both files, so many, as synthpop's ngroups; null: as they are"),
  kept: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe(
      'logit: columns released as they are, none when not given; coefficients of these alone do not count in what is expected',
    ),
  cp: z
    .number()
    .min(0)
    .default(0.001)
    .describe("cart: complexity; 0.001 as synthpop's utility.gen, 1e-8 as riskutility's pMSE"),
  minbucket: z.int().min(1).default(5).describe('cart: fewest records of a leaf'),
  trees: z.int().min(10).max(100_000).default(500).describe('forest: how many trees'),
  permutations: z
    .int()
    .min(1)
    .max(100_000)
    .default(20)
    .describe('cart and forest: how often labels are permuted to know what no difference gives'),
  pairs: z
    .boolean()
    .default(false)
    .describe(
      "several files of one synthesizer: also told from each other, two by two, as synthpop's resamp.method pairs; the ratios to that stand in details.pairs",
    ),
}
