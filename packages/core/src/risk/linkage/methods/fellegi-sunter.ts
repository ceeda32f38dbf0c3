import { math } from '@scrim/kernels'
import { z } from 'zod'
import type { Context } from '../../../measure.js'
import { choice, flag, real } from '../../../option-kinds.js'
import { sum } from '../../../stats/sums.js'
import type { Task } from '../../../tasks/task.js'
import { type Block, runsOfBlocks } from '../costs/blocks.js'
import { type Costs, costsByKey, fillCosts, keyCosts, within } from '../costs/costs.js'
import type { MissingMode } from '../costs/key-costs.js'
import type { LinkedFiles } from '../costs/linked-files.js'
import type { Truth } from '../truth/truth.js'
import { type Agreement, agreementOf, CLOSENESS, levelsOf, patternCosts } from './agreement.js'
import { type EmFit, emFit, type Patterns } from './em.js'

/**
 * Probabilistic linkage (Fellegi and Sunter 1969): a pair scores Λ = Σ_v ln(m_v / u_v) by the level to which each key agrees,
 * m among true pairs and u among others. On exact agreement on a value t, u is the share of the search file that has t
 * (term frequency, Winkler 1989): to share a rare value says more. The attacker's weights are the posterior
 * exp Λ / Σ exp Λ over the candidates, or equal ones above a threshold of Λ.
 *   em      m by EM on the counts of all patterns, u from all pairs: what an intruder can do
 *   oracle  m and u from the true pairs: the worst case, an insider's
 *   given   m and u of every key, as given
 */
const rates = z.record(z.string(), z.number().gt(0).lt(1))

export const ratesOptions = {
  parameters: choice(['em', 'oracle', 'given'], 'em').describe(
    'probabilistic: agreement rates by EM, from the truth (an insider), or as given',
  ),
  m: rates.default({}).describe('probabilistic, given: agreement rate of each key among true pairs'),
  u: rates.default({}).describe('probabilistic, given: agreement rate of each key among others'),
}

export const agreementOptions = {
  termFrequency: flag(true).describe('probabilistic: to agree on a rare value counts more'),
  closeness: choice(CLOSENESS, 'steps').describe(
    'probabilistic: numbers agree when equal or in steps of 1/20, 1/5 and 1/2 standard deviation; when equal or within half of one; when equal; or within 1.4826 MAD',
  ),
  breaks: z
    .record(z.string(), z.array(z.number()).min(1))
    .default({})
    .describe('probabilistic: cut points of numeric keys, which then agree when in one class'),
}

/** Whom the attacker then names; in the suite always the best. */
export const ruleOptions = {
  rule: choice(['posterior', 'best', 'threshold'], 'posterior').describe(
    'probabilistic: everybody by posterior, the best (as in the suite), or equally all with a log likelihood ratio from likelihood on',
  ),
  likelihood: real(0).describe('probabilistic: the log likelihood ratio of the threshold rule'),
}

const chosen = z.object({ ...ratesOptions, ...agreementOptions })

export interface FellegiSunterOptions extends Readonly<z.output<typeof chosen>> {
  readonly missing: MissingMode
  /** Rates are shrunk by half a pair per level; riskutility instead puts 0 to 0.01 and 1 to 0.99. */
  readonly shrink: boolean
  readonly original: 'query' | 'search'
}

export interface FellegiSunter {
  readonly costs: Costs
  /** Per key and level, the best level first. */
  readonly m: readonly (readonly number[])[]
  readonly u: readonly (readonly number[])[]
  readonly em: Pick<EmFit, 'iterations' | 'converged'> | null
}

export async function fellegiSunter(
  files: LinkedFiles,
  truth: Truth,
  blocks: readonly Block[],
  options: FellegiSunterOptions,
  context: Pick<Context, 'tasks' | 'signal'>,
): Promise<FellegiSunter> {
  const agreements = files.keys.map((key) =>
    agreementOf(
      key,
      files,
      options.closeness,
      options.original,
      Object.hasOwn(options.breaks, key.name) ? options.breaks[key.name] : undefined,
    ),
  )
  const patterns = await countPatterns(files, agreements, blocks, context)
  const pairs = sum(patterns.counts)
  const people = Math.min(files.query.records, files.search.records)
  const lambda = Math.min(0.5, pairs === 0 ? 0.5 : people / pairs)
  const { m, u, em } =
    options.parameters === 'given'
      ? { ...givenRates(files, agreements, options), em: null }
      : options.parameters === 'oracle'
        ? { ...oracleRates(files, agreements, patterns, truth, options.shrink), em: null }
        : emRates(agreements, patterns, lambda)
  return { costs: weighted(files, agreements, m, u, options), m, u, em }
}

function weighted(
  { search }: LinkedFiles,
  agreements: readonly Agreement[],
  m: readonly (readonly number[])[],
  u: readonly (readonly number[])[],
  { missing, termFrequency }: FellegiSunterOptions,
): Costs {
  const keys = agreements.map(({ costs, levels, shares }, v) => {
    const byLevel = m[v].map((match, level) => -math.log(match / u[v][level]))
    const missingCost = missing === 'match' ? byLevel[0] : missing === 'mismatch' ? byLevel[levels - 1] : 0
    const exact = termFrequency ? shares.map((share) => -math.log(m[v][0] / share)) : undefined
    return costs(byLevel, missingCost, exact)
  })
  return keyCosts(keys, search.classes)
}

function givenRates(files: LinkedFiles, agreements: readonly Agreement[], { m, u }: FellegiSunterOptions) {
  const rates = (rates: Readonly<Record<string, number>>) =>
    files.keys.map(({ name }, v) => {
      const levels = agreements[v].levels
      const agree = Math.min(0.999999, Math.max(0.000001, rates[name]))
      return Array.from({ length: levels }, (_, level) => (level === 0 ? agree : (1 - agree) / (levels - 1)))
    })
  return { m: rates(m), u: rates(u) }
}

/** Rates among the true pairs, and among all pairs but these. */
function oracleRates(
  files: LinkedFiles,
  agreements: readonly Agreement[],
  patterns: Patterns,
  truth: Truth,
  shrink: boolean,
) {
  const all = levelCounts(agreements, patterns)
  const costs = patternCosts(agreements, files.search.classes)
  const matched = agreements.map(({ levels }) => new Array<number>(levels).fill(0))
  for (let row = 0; row + 1 < truth.start.length; row++)
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++) {
      const number = sum(costsByKey(costs, files.query.ids[row], files.search.ids[truth.rows[k]]))
      for (const [v, level] of levelsOf(number, agreements).entries()) if (level >= 0) matched[v][level]++
    }
  const others = all.map((counts, v) => counts.map((count, level) => Math.max(0, count - matched[v][level])))
  return { m: matched.map((counts) => ratesOf(counts, shrink)), u: others.map((counts) => ratesOf(counts, shrink)) }
}

function ratesOf(counts: readonly number[], shrink: boolean): number[] {
  const total = sum(counts)
  if (shrink) return counts.map((count) => (count + 0.5) / (total + 0.5 * counts.length))
  const clamp = (rate: number) => (rate <= 0 ? 0.01 : rate >= 1 ? 0.99 : rate)
  return counts.map((count) => (total === 0 ? 0.01 : clamp(count / total)))
}

/** Where EM starts: most matches agree on every key; of several levels each is half as frequent as the better one. */
const START_AGREE = 0.9

function startingRates(levels: number): number[] {
  if (levels === 2) return [START_AGREE, 1 - START_AGREE]
  const shares = Array.from({ length: levels }, (_, level) => math.pow(0.5, level))
  const total = sum(shares)
  return shares.map((share) => share / total)
}

function emRates(agreements: readonly Agreement[], patterns: Patterns, lambda: number) {
  const u = levelCounts(agreements, patterns).map((counts) => ratesOf(counts, true))
  const m = agreements.map(({ levels }) => startingRates(levels))
  const { m: fitted, ...em } = emFit(patterns, { m, u, lambda })
  return { m: fitted, u, em }
}

function levelCounts(agreements: readonly Agreement[], { counts, levels }: Patterns): number[][] {
  const sums = agreements.map((one) => new Array<number>(one.levels).fill(0))
  for (const [g, pattern] of levels.entries())
    for (const [v, level] of pattern.entries()) if (level >= 0) sums[v][level] += counts[g]
  return sums
}

/** How many pairs of records show each pattern of agreement, over all candidates; the pairs themselves are never held. */
async function countPatterns(
  files: LinkedFiles,
  agreements: readonly Agreement[],
  blocks: readonly Block[],
  context: Pick<Context, 'tasks' | 'signal'>,
): Promise<Patterns> {
  const costs = patternCosts(agreements, files.search.classes)
  const runs = runsOfBlocks(blocks, files).map((pieces) =>
    pieces.map((piece) => ({ ...piece, queryCounts: Int32Array.from(piece.queries, (a) => files.query.counts[a]) })),
  )
  const kinds = agreements.reduce((product, { levels }) => product * (levels + 1), 1)
  const shared = { costs, counts: files.search.counts, kinds }
  const outputs = await context.tasks.map(patternsTask, shared, runs, { signal: context.signal })
  const totals = new Map<number, number>()
  for (const { patterns, counts } of outputs)
    for (let g = 0; g < patterns.length; g++) totals.set(patterns[g], (totals.get(patterns[g]) ?? 0) + counts[g])
  const numbers = [...totals.keys()].sort((a, b) => a - b)
  return {
    counts: Float64Array.from(numbers, (number) => totals.get(number) ?? 0),
    levels: numbers.map((number) => levelsOf(number, agreements)),
  }
}

/** Up to so many different patterns are counted in an array. */
const MOST_COUNTED = 2 ** 22

interface PatternRun extends Block {
  readonly queryCounts: Int32Array
}

export const patternsTask: Task<
  { readonly costs: Costs; readonly counts: Int32Array; readonly kinds: number },
  readonly PatternRun[],
  { readonly patterns: Float64Array; readonly counts: Float64Array }
> = {
  name: 'patterns of agreement',
  run({ costs: all, counts: allCounts, kinds }, runs) {
    const counted = new Float64Array(Math.min(kinds, MOST_COUNTED))
    const many = new Map<number, number>()
    for (const { queries, queryCounts, searches } of runs) {
      const { costs, counts: records } = within(all, allCounts, searches)
      const out = new Float64Array(costs.searches)
      for (let k = 0; k < queries.length; k++) {
        fillCosts(costs, queries[k], out)
        const people = queryCounts[k]
        for (let j = 0; j < out.length; j++) {
          const pattern = out[j]
          if (pattern < counted.length) counted[pattern] += people * records[j]
          else many.set(pattern, (many.get(pattern) ?? 0) + people * records[j])
        }
      }
    }
    const few: number[] = []
    for (let pattern = 0; pattern < counted.length; pattern++) if (counted[pattern] > 0) few.push(pattern)
    return {
      patterns: Float64Array.from([...few, ...many.keys()]),
      counts: Float64Array.from([...few.map((pattern) => counted[pattern]), ...many.values()]),
    }
  },
}
