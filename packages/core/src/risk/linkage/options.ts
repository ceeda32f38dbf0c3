import { z } from 'zod'
import { MISSING_MODES, SPANS } from './costs/key-costs.js'
import { KERNELS, STRATEGIES, WEIGHTINGS } from './matching/guesses.js'
import { MATCHINGS } from './matching/matching.js'
import { CLOSENESS } from './methods/agreement.js'
import { PARAMETERS } from './methods/fellegi-sunter.js'
import { PREDICTIVE_MODELS } from './methods/predictive.js'

export const METHODS = [
  'deterministic',
  'probabilistic',
  'pram',
  'predictive',
  'forest',
  'ranks',
  'mahalanobis',
  'embedding',
] as const
export type Method = (typeof METHODS)[number]

const rates = z.record(z.string(), z.number().gt(0).lt(1))

export const options = z.object({
  method: z
    .enum(['suite', ...METHODS])
    .default('suite')
    .describe(
      'how records are compared; suite: deterministic, ranks, probabilistic and deterministic one to one, the most successful of them being the value',
    ),
  matching: z
    .enum(MATCHINGS)
    .default('independent')
    .describe('everybody alone, everybody getting a record of their own, or that softened by entropy (transport)'),
  direction: z
    .enum(['forward', 'reverse'])
    .default('forward')
    .describe('for every person the release is searched, or for every released record the original'),
  truth: z
    .enum(['auto', 'row', 'identifier', 'none'])
    .default('auto')
    .describe('whose record is whose: row i of a perturbed release, the identifier, or nobody knows'),
  variables: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'what the intruder knows; the keys and numeric keys when not given, and all variables when there are none; of an attacker’s file those that it has',
    ),
  text: z.array(z.string()).default([]).describe('keys compared by how alike they are written (Jaro-Winkler): names'),
  hierarchies: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe(
      'per key what each level is part of (Graz: Austria, Austria: Europe): a level and what it is part of are at no distance',
    ),
  missing: z
    .enum(MISSING_MODES)
    .default('expected')
    .describe('a missing value counts as an average record would, is left out, agrees, or disagrees'),
  weights: z
    .union([z.literal('information'), z.record(z.string(), z.number().min(0))])
    .default({})
    .describe(
      'weights of keys, 1 where not given; information: log2 of 0.99 times the different values (deterministic, ranks)',
    ),
  span: z
    .enum(SPANS)
    .default('original')
    .describe('range that numbers are divided by: of the original, of both files, or of the middle 98 % (robust)'),
  blocking: z
    .array(z.string().min(1))
    .default([])
    .describe('only records that agree on these keys are compared; a+b: on both; several: on at least one of them'),
  strategy: z
    .enum(STRATEGIES)
    .default('nearest')
    .describe('whom the intruder names: the nearest, all up to a cost, the k nearest, or those that are both'),
  k: z.number().int().min(1).default(5).describe('how many nearest, for topk'),
  threshold: z
    .union([z.number(), z.object({ quantile: z.number().gt(0).lt(1) })])
    .default(0.1)
    .describe('cost up to which records are named, or the quantile of a person’s costs that it is'),
  weighting: z.enum(WEIGHTINGS).default('uniform').describe('how the intruder chooses among those named'),
  kappa: z.number().gt(0).nullable().default(null).describe('softmax: weights are exp(-kappa d); 2 / range if null'),
  bandwidth: z
    .number()
    .gt(0)
    .nullable()
    .default(null)
    .describe(
      'kernel: its width; if null the standard error of the person’s propensity (predictive by logit), or by Silverman’s rule',
    ),
  kernel: z.enum(KERNELS).default('gaussian').describe('kernel: its shape'),
  parameters: z
    .enum(PARAMETERS)
    .default('em')
    .describe('probabilistic: agreement rates by EM, from the truth (an insider), or as given'),
  m: rates.default({}).describe('probabilistic, given: agreement rate of each key among true pairs'),
  u: rates.default({}).describe('probabilistic, given: agreement rate of each key among others'),
  rule: z
    .enum(['posterior', 'best', 'threshold'])
    .default('posterior')
    .describe(
      'probabilistic: everybody by posterior, the best (as in the suite), or equally all with a log likelihood ratio from likelihood on',
    ),
  likelihood: z.number().default(0).describe('probabilistic: the log likelihood ratio of the threshold rule'),
  termFrequency: z.boolean().default(true).describe('probabilistic: to agree on a rare value counts more'),
  closeness: z
    .enum(CLOSENESS)
    .default('steps')
    .describe(
      'probabilistic: numbers agree when equal or in steps of 1/20, 1/5 and 1/2 standard deviation; when equal or within half of one; when equal; or within 1.4826 MAD',
    ),
  breaks: z
    .record(z.string(), z.array(z.number()).min(1))
    .default({})
    .describe('probabilistic: cut points of numeric keys, which then agree when in one class'),
  transitions: z
    .record(
      z.string(),
      z.object({
        levels: z.array(z.string()).min(1).readonly(),
        matrix: z.array(z.array(z.number().min(0).max(1)).readonly()).readonly(),
      }),
    )
    .default({})
    .describe('pram: transition matrix of each randomised key, rows original and columns released, as pram writes it'),
  model: z.enum(PREDICTIVE_MODELS).default('logit').describe('predictive: the model of propensities'),
  trees: z.number().int().min(10).default(500).describe('forest, predictive: how many trees'),
  learn: z
    .enum(['block', 'all'])
    .default('block')
    .describe(
      'forest, embedding: with one blocking rule from each block that is large enough, or from all records at once, as with several rules',
    ),
  robust: z.boolean().default(true).describe('mahalanobis: covariance by the minimum covariance determinant'),
  latent: z.number().int().min(1).nullable().default(null).describe('embedding: length of the code'),
  epochs: z.number().int().min(1).default(50).describe('embedding: passes through the data at most'),
  epsilon: z
    .number()
    .gt(0)
    .nullable()
    .default(null)
    .describe('transport: weight of the entropy; a twentieth of the median cost if null'),
  importance: z
    .enum(['none', 'leave-one-out', 'shapley'])
    .default('none')
    .describe('what each key adds to the value: without it, or on average over all sets of others (up to 10 keys)'),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe(
      'riskutility: missing values ignored, ranges of both files, rates from the truth without shrinkage or term frequency, numbers agreeing within 1.4826 MAD',
    ),
  sample: z
    .number()
    .int()
    .min(100)
    .nullable()
    .default(5000)
    .describe('how many people are looked for when there are more than 20,000, among all records; null: all'),
})

export type Options = z.output<typeof options>

/** What an option gives for a key, also for one called "constructor". */
export function givenFor<Value>(of: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined
}

/** The options of one attack, with what a definition sets. */
export type AttackOptions = Omit<Options, 'method'> & { readonly method: Method; readonly shrink: boolean }

export function attackOptions(chosen: Options, method: Method): AttackOptions {
  if (chosen.definition === 'scrim') return { ...chosen, method, shrink: true }
  return {
    ...chosen,
    method,
    shrink: false,
    missing: chosen.missing === 'expected' ? 'ignore' : chosen.missing,
    span: 'pooled',
    parameters: chosen.parameters === 'em' ? 'oracle' : chosen.parameters,
    termFrequency: false,
    closeness: Object.keys(chosen.breaks).length > 0 ? 'equal' : 'mad',
  }
}
