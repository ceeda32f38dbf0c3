import { math } from '@scrim/kernels'
import { type Interval, normalInterval } from '../../../stats/intervals.js'
import type { Options } from '../rapid-attribution.js'
import type { KeyLevels } from './key-levels.js'
import { type Estimate, type Patterns, productModel, type RiskModel } from './risk-model.js'

/** What each key, its levels and their pairs add to the odds of being at risk. */
export type KeyEffect = ReturnType<typeof keyEffect>

export type Coefficient = ReturnType<typeof coefficientOf>

export type LevelEffect = Coefficient & {
  readonly key: string
  readonly level: string
  readonly records: number
  /** Share at risk; null for fewer than 10 records. */
  readonly rate: number | null
  /** Share at risk if everybody had this level. */
  readonly adjustedRate: number
  /** Average marginal effect, a proportion: adjusted rate less that of the reference. */
  readonly effect: number
  readonly effectInterval: Interval | null
}

export type InteractionEffect = Coefficient & {
  readonly keys: readonly [string, string]
  readonly levels: readonly [string, string]
  readonly records: number
}

const SMALLEST_GROUP = 10

export function levelEffects(
  { key, labels }: KeyLevels,
  k: number,
  patterns: Patterns,
  model: RiskModel,
): LevelEffect[] {
  const { records, rates } = ratesByLevel(patterns, k, labels.length)
  return labels.map((level, place) => {
    const { rate, effect, standardError } = model.margins[k][place]
    return {
      key,
      level,
      records: records[place],
      rate: records[place] < SMALLEST_GROUP ? null : rates[place],
      ...coefficientOf(model.levels[k][place]),
      adjustedRate: rate,
      effect,
      effectInterval: standardError === null ? null : normalInterval(effect, standardError),
    }
  })
}

function ratesByLevel({ codes, records, atRisk, safe }: Patterns, k: number, levels: number) {
  const counts = new Float64Array(levels)
  const hits = new Float64Array(levels)
  const totals = new Float64Array(levels)
  for (let id = 0; id < records.length; id++) {
    const level = codes[k][id]
    counts[level] += records[id]
    hits[level] += atRisk[id]
    totals[level] += atRisk[id] + safe[id]
  }
  return { records: counts, rates: hits.map((hit, level) => (totals[level] > 0 ? hit / totals[level] : 0)) }
}

/** Levels of fewer than 10 records do not speak for a key, unless it has no others. */
export function keyEffect({ key, labels }: KeyLevels, k: number, patterns: Patterns, model: RiskModel) {
  const { records } = ratesByLevel(patterns, k, labels.length)
  const common = Array.from(labels.keys()).filter((level) => records[level] >= SMALLEST_GROUP)
  const levels = (common.length > 1 ? common : Array.from(labels.keys())).sort(
    (a, b) => model.margins[k][b].rate - model.margins[k][a].rate || a - b,
  )
  const riskiest = levels[0]
  const safest = levels[levels.length - 1]
  return {
    key,
    levels: labels.length,
    /** Largest less smallest adjusted rate. */
    spread: model.margins[k][riskiest].rate - model.margins[k][safest].rate,
    riskiest: labels[riskiest],
    safest: labels[safest],
    /** Wald test that all coefficients of the key are 0; null where it cannot be had. */
    chiSquared: model.tests[k]?.chiSquared ?? null,
    p: model.tests[k]?.p ?? null,
  }
}

export function interactionEffects(
  keys: readonly KeyLevels[],
  patterns: Patterns,
  chosen: Options,
): readonly InteractionEffect[] | null {
  const products = productModel(keys, patterns, chosen)
  if (products === null) return null
  return products.map((product) => {
    const [j, k] = product.keys
    const [a, b] = product.levels
    return {
      keys: [keys[j].key, keys[k].key] as const,
      levels: [keys[j].labels[a], keys[k].labels[b]] as const,
      records: product.records,
      ...coefficientOf(product),
    }
  })
}

function coefficientOf({ estimate, standardError }: Estimate) {
  const oddsRatio = estimate === null ? null : math.exp(estimate)
  return {
    coefficient: estimate,
    standardError,
    interval: estimate === null || standardError === null ? null : normalInterval(estimate, standardError),
    oddsRatio: oddsRatio !== null && Number.isFinite(oddsRatio) ? oddsRatio : null,
  }
}
