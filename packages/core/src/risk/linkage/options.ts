import { z } from 'zod'
import { choice, columnNames } from '../../option-kinds.js'
import { missingOption } from './costs/key-costs.js'
import { guessOptions, weightingOptions } from './matching/guesses.js'
import { matchingOptions } from './matching/matching.js'
import { embeddingOptions } from './methods/embedding.js'
import { agreementOptions, ratesOptions, ruleOptions } from './methods/fellegi-sunter.js'
import { spanOption, weightsOption } from './methods/gower.js'
import { mahalanobisOptions } from './methods/mahalanobis.js'
import { pramOptions } from './methods/pram.js'
import { predictiveOptions } from './methods/predictive.js'
import { learnOption, treesOption } from './methods/proximity.js'

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

const named = { ...guessOptions, ...weightingOptions }

/** How records are compared, each way with the options that it has beyond those of all. */
const METHOD_OPTIONS = {
  suite: { ...missingOption, ...weightsOption, ...spanOption, ...named, ...ratesOptions, ...agreementOptions },
  deterministic: { ...missingOption, ...weightsOption, ...spanOption, ...named },
  probabilistic: { ...missingOption, ...weightingOptions, ...ratesOptions, ...ruleOptions, ...agreementOptions },
  pram: { ...missingOption, ...pramOptions },
  predictive: { ...named, ...predictiveOptions, ...treesOption },
  forest: { ...named, ...treesOption, ...learnOption },
  ranks: { ...missingOption, ...weightsOption, ...named },
  mahalanobis: { ...missingOption, ...named, ...mahalanobisOptions },
  embedding: { ...named, ...learnOption, ...embeddingOptions },
} satisfies Record<Method | 'suite', object>

export const options = z.object({
  method: choice(['suite', ...METHODS], 'suite').describe(
    'how records are compared; suite: deterministic, ranks, probabilistic and deterministic one to one, the most successful of them being the value',
  ),
  matching: matchingOptions.matching,
  direction: choice(['forward', 'reverse'], 'forward').describe(
    'for every person the release is searched, or for every released record the original',
  ),
  truth: choice(['auto', 'row', 'identifier', 'none'], 'auto').describe(
    'whose record is whose: row i of a perturbed release, the identifier, or nobody knows',
  ),
  variables: columnNames(1).describe(
    'what the intruder knows; the keys and numeric keys when not given, and all variables when there are none; of an attacker’s file those that it has',
  ),
  text: z.array(z.string()).default([]).describe('keys compared by how alike they are written (Jaro-Winkler): names'),
  hierarchies: z
    .record(z.string(), z.record(z.string(), z.string()))
    .default({})
    .describe(
      'per key what each level is part of (Graz: Austria, Austria: Europe): a level and what it is part of are at no distance',
    ),
  ...missingOption,
  ...weightsOption,
  ...spanOption,
  blocking: z
    .array(z.string().min(1))
    .default([])
    .describe('only records that agree on these keys are compared; a+b: on both; several: on at least one of them'),
  ...guessOptions,
  ...weightingOptions,
  ...ratesOptions,
  ...ruleOptions,
  ...agreementOptions,
  ...pramOptions,
  ...predictiveOptions,
  ...treesOption,
  ...learnOption,
  ...mahalanobisOptions,
  ...embeddingOptions,
  epsilon: matchingOptions.epsilon,
  importance: choice(['none', 'leave-one-out', 'shapley'], 'none').describe(
    'what each key adds to the value: without it, or on average over all sets of others (up to 10 keys)',
  ),
  definition: choice(['scrim', 'riskutility'], 'scrim').describe(
    'riskutility: missing values ignored, labels equal or not, ranges of both files, rates from the truth without shrinkage or term frequency, numbers agreeing within 1.4826 MAD',
  ),
  sample: z
    .number()
    .int()
    .min(100)
    .nullable()
    .default(5000)
    .describe('how many people are looked for when there are more than 10,000, among all records; null: all'),
})

export type Options = z.output<typeof options>

/** Options that were set although the method does not have them, one sentence each. */
export function foreignOptions(chosen: Options): string[] {
  const defaults = new Map<string, unknown>(Object.entries(options.parse({})))
  const isSet = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(defaults.get(name))
  return Object.entries(chosen)
    .filter(isSet)
    .flatMap(([name]) => {
      const owners = Object.entries(METHOD_OPTIONS).flatMap(([method, own]) =>
        Object.hasOwn(own, name) ? [method] : [],
      )
      return owners.length === 0 || owners.includes(chosen.method)
        ? []
        : [`"${name}" is an option of the method ${owners.join(', ')}, not of ${chosen.method}`]
    })
}

/** What an option gives for a key, also for one called "constructor". */
export function givenFor<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
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
