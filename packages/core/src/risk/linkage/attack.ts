import type { Context } from '../../measure.js'
import { mean } from '../../stats/sums.js'
import { type Block, blocksOf } from './costs/blocks.js'
import type { Costs } from './costs/costs.js'
import type { LinkedFiles } from './costs/linked-files.js'
import type { GuessRule } from './matching/guesses.js'
import { type Linked, link } from './matching/link.js'
import { type Matched, matchAll } from './matching/matching.js'
import { embeddingCosts } from './methods/embedding.js'
import { fellegiSunter } from './methods/fellegi-sunter.js'
import { gowerCosts, informationWeights } from './methods/gower.js'
import { mahalanobisCosts } from './methods/mahalanobis.js'
import { expectedPramRisk, pramCosts } from './methods/pram.js'
import { predictiveCosts } from './methods/predictive.js'
import { proximityCosts } from './methods/proximity.js'
import { rankCosts } from './methods/ranks.js'
import { type AttackOptions, givenFor, type Method } from './options.js'
import { type Asked, askedOf, type Truth } from './truth/truth.js'

/** One linkage of two files: what a pair costs by a method, whom the intruder then names, and how that compares with the truth. */
export interface Attack {
  readonly files: LinkedFiles
  readonly truth: Truth
  readonly asked: Asked
  readonly blocks: readonly Block[]
  readonly costs: Costs
  readonly linked: Linked
  readonly matched: Matched | null
  readonly about: About
}

/** What a method says of itself: rates of agreement, transitions, importance; JSON-safe. */
export type About = {
  readonly rates?: readonly {
    readonly key: string
    readonly m: readonly number[]
    readonly u: readonly number[]
  }[]
  readonly em?: { readonly iterations: number; readonly converged: boolean } | null
  readonly importance?: readonly { readonly name: string; readonly value: number }[]
  /** pram: on average over the randomisation of the own record, and of all records. */
  readonly expectedRisk?: number | null
  readonly expectedRiskOfAll?: number | null
  readonly embedding?: {
    readonly latent: number
    readonly networks: number
    readonly epochs: number
    readonly loss: number
  }
}

export async function attack(
  files: LinkedFiles,
  truth: Truth,
  options: AttackOptions,
  original: 'query' | 'search',
  context: Context,
): Promise<Attack> {
  const blocks = blocksOf(files, blockingRules(options.blocking))
  const asked = askedOf(files, truth)
  const { costs, about } = await costsOf(files, truth, blocks, options, original, context)
  const linked = await link(files, costs, guessRule(options), asked, blocks, context)
  const { matching: mode, epsilon } = options
  const matched =
    mode === 'independent' ? null : await matchAll(files, costs, asked, blocks, { mode, epsilon }, context)
  const weights = matched === null ? linked : { ...linked, ...pick(matched) }
  return { files, truth, asked, blocks, costs, linked: weights, matched, about }
}

function pick({ pairWeight, received, squares, weight, guessed }: Matched) {
  return { pairWeight, received, squares, weight, guessed }
}

/** "a+b" means agreement on a and on b. */
export function blockingRules(blocking: readonly string[]): readonly (readonly string[])[] {
  return blocking.map((rule) => rule.split('+').map((name) => name.trim()))
}

export function guessRule({
  method,
  rule,
  likelihood,
  strategy,
  k,
  threshold,
  weighting,
  kappa,
  bandwidth,
  kernel,
}: AttackOptions): GuessRule {
  const plain = { k, threshold, weighting, kappa, bandwidth, kernel }
  if (method === 'pram' || (method === 'probabilistic' && rule === 'posterior'))
    return { ...plain, strategy: 'posterior' }
  if (method === 'probabilistic' && rule === 'best') return { ...plain, strategy: 'nearest' }
  if (method === 'probabilistic') return { ...plain, strategy: 'threshold', threshold: -likelihood, kappa: kappa ?? 1 }
  return { ...plain, strategy }
}

export async function costsOf(
  files: LinkedFiles,
  truth: Truth,
  blocks: readonly Block[],
  options: AttackOptions,
  original: 'query' | 'search',
  context: Context,
): Promise<{ readonly costs: Costs; readonly about: About }> {
  const { missing, trees } = options
  const builders: Record<Method, () => Promise<{ readonly costs: Costs; readonly about: About }>> = {
    deterministic: async () => ({
      costs: gowerCosts(files, {
        weights: keyWeights(files, options, original),
        missing,
        span: options.span,
        original,
      }),
      about: {},
    }),
    ranks: async () => ({ costs: rankCosts(files, keyWeights(files, options, original), missing), about: {} }),
    probabilistic: async () => {
      const { costs, m, u, em } = await fellegiSunter(files, truth, blocks, { ...options, original }, context)
      return { costs, about: { rates: files.keys.map(({ name }, v) => ({ key: name, m: m[v], u: u[v] })), em } }
    },
    pram: async () => {
      const costs = pramCosts(files, options.transitions, missing, original)
      return { costs, about: expectedMeans(files, truth, options, original, context) }
    },
    predictive: async () => {
      const { costs, importance } = await predictiveCosts(files, options.model, trees, original, context)
      return { costs, about: { importance } }
    },
    forest: async () => {
      const { costs, importance } = await proximityCosts(files, trees, original, learntIn(blocks, options), context)
      return { costs, about: { importance } }
    },
    mahalanobis: async () => ({
      costs: mahalanobisCosts(files, { robust: options.robust, missing, original, random: context.random('starts') }),
      about: {},
    }),
    embedding: async () => {
      const { costs, ...embedding } = embeddingCosts(
        files,
        { ...options, original },
        learntIn(blocks, options),
        context.random,
      )
      return { costs, about: { embedding } }
    },
  }
  return builders[options.method]()
}

/** The blocks that are learnt one by one; null where records are not blocked, or by rules whose blocks overlap. */
function learntIn(blocks: readonly Block[], { learn, blocking }: AttackOptions): readonly Block[] | null {
  return learn === 'block' && blocking.length === 1 ? blocks : null
}

function keyWeights(files: LinkedFiles, { weights }: AttackOptions, original: 'query' | 'search'): readonly number[] {
  if (weights === 'information') return informationWeights(files, original)
  return files.keys.map(({ name }) => givenFor(weights, name) ?? 1)
}

/** Over the randomisation, where row i is row i and candidates agree on all keys of one rule. */
function expectedMeans(
  files: LinkedFiles,
  { start, rows }: Truth,
  { transitions, missing, blocking }: AttackOptions,
  original: 'query' | 'search',
  context: Context,
): Pick<About, 'expectedRisk' | 'expectedRiskOfAll'> {
  const inPlace =
    files.query.ids.length === files.search.ids.length && rows.every((row, k) => row === k && start[k] === k)
  if (!inPlace || original !== 'query' || blocking.length > 1) return { expectedRisk: null, expectedRiskOfAll: null }
  const known = { transitions, missing, blocking: blockingRules(blocking).flat() }
  const { own, all } = expectedPramRisk(files, known, context.random('outcomes'))
  return { expectedRisk: meanOfKnown(own), expectedRiskOfAll: meanOfKnown(all) }
}

function meanOfKnown(values: Float64Array): number | null {
  return mean(values.filter((value) => !Number.isNaN(value)))
}
