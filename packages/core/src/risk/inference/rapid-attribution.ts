import { z } from 'zod'
import { barChart, intervalChart } from '../../chart/chart.js'
import { NotApplicable, unknownName } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { choice, flag } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { sum } from '../../stats/sums.js'
import type { Release } from '../../table/release.js'
import { attackRelease } from './attack/attack.js'
import { attackOptions, attackProblems } from './attack/attackers.js'
import {
  type Coefficient,
  type InteractionEffect,
  interactionEffects,
  type KeyEffect,
  keyEffect,
  type LevelEffect,
  levelEffects,
} from './effects/key-effects.js'
import { levelsForRegression, mostBins } from './effects/key-levels.js'
import { patternsOf, riskModel } from './effects/risk-model.js'
import { flagOptions, RAPID, tauProblems, worstAttack } from './rates/evaluation.js'
import { effectiveSize } from './rates/rate-intervals.js'

/**
 * Which keys put people at risk of inference? A logistic regression of the at-risk flag of RAPID on the keys as factors:
 *
 *   logit P(at risk) = a + sum over keys of b(level),   sum coding: the b of a key sum to 0; treatment: the first is 0
 *
 * with odds ratios exp(b) and, by level, the adjusted rate (everybody given that level, the other keys as they are) and its
 * difference to the mean over levels or to the first level: the average marginal effect, which stays put where a level is
 * always or never at risk and b does not. The headline is the largest spread of adjusted rates within a key.
 * Firth's penalty (1993) keeps b finite under such separation. An association with being at risk, not a cause of it: keys that
 * go together share their effect.
 */
const options = z.object({
  ...attackOptions,
  ...flagOptions,
  coding: choice(['sum', 'treatment'], 'sum').describe(
    'coefficients against the mean of the levels, or against the first level',
  ),
  penalty: choice(['firth', 'ridge', 'none'], 'firth').describe(
    'keeps coefficients finite where a level separates; ridge: 0.01 on standardised columns',
  ),
  interactions: flag(false).describe('also fit all products of two keys and show those'),
  breaks: z
    .record(z.string(), z.array(z.number()).min(2).readonly())
    .default({})
    .describe('classes of numeric keys, {"age": [18, 35, 55, 90]}; otherwise 2 to 4 quantile classes'),
})

export type Options = z.output<typeof options>

type Details = {
  readonly attacker: string
  readonly records: number
  readonly atRisk: number
  readonly rate: number
  readonly coding: 'sum' | 'treatment'
  readonly penalty: 'firth' | 'ridge' | 'none'
  readonly fit: {
    readonly intercept: number | null
    readonly interceptError: number | null
    readonly iterations: number
    readonly converged: boolean
  } | null
  readonly keys: readonly KeyEffect[]
  readonly levels: readonly LevelEffect[]
  readonly interactions: readonly InteractionEffect[] | null
  readonly leftOut: readonly string[]
}

const MOST_SHOWN = 15

export const rapidAttribution = measure({
  id: 'rapid-attribution',
  title: 'RAPID: attribution to keys',
  summary: 'largest difference in risk of inference between two levels of a key, the other keys held',
  ...RAPID,
  role: 'diagnoses',
  unit: 'difference',
  blindTo: 'causes: keys that go together share their effect',
  options,
  check: (release, chosen) => [
    ...attackProblems(release, chosen),
    ...tauProblems(chosen),
    ...breakProblems(release, chosen),
  ],
  compute,
  sentence: ({ details: { keys } }) => {
    const [{ key, riskiest, safest, spread }] = keys
    return `${key} goes with the risk of inference most: ${riskiest} is ${fixed(100 * spread, 1)} points above ${safest}, the other keys held`
  },
  tables: ({ details }) => [
    findingTable('levels', 'Who is at risk, by level of a key', details.levels, [
      [column.text('key'), ({ key }) => key],
      [column.text('level'), ({ level }) => level],
      [column.count('records'), ({ records }) => records],
      [column.share('at risk'), ({ rate }) => rate],
      [column.share('adjusted'), ({ adjustedRate }) => adjustedRate],
      [column.number('odds ratio'), ({ oddsRatio }) => oddsRatio],
    ]),
    findingTable('keys', 'Which keys matter', details.keys, [
      [column.text('key'), ({ key }) => key],
      [column.text('riskiest'), ({ riskiest }) => riskiest],
      [column.text('safest'), ({ safest }) => safest],
      [column.share('spread'), ({ spread }) => spread],
      [column.number('chi-squared'), ({ chiSquared }) => chiSquared],
      [column.p('p'), ({ p }) => p],
    ]),
  ],
  charts: ({ details }, { name }) => [
    intervalChart(
      { name: 'coefficients', title: `Who is at risk: ${name}`, x: 'coefficient (log odds)', y: '' },
      topEstimates(details.levels, ({ key, level }) => `${key}: ${level}`),
    ),
    barChart(
      { name: 'rates', title: `Share at risk by level: ${name}`, x: '', y: 'share of records' },
      details.levels.map(({ key, level, rate }) => ({ label: `${key}: ${level}`, value: rate })),
      [{ value: details.rate, label: 'all' }],
    ),
    ...(details.interactions === null
      ? []
      : [
          intervalChart(
            { name: 'interactions', title: `Products of keys: ${name}`, x: 'coefficient (log odds)', y: '' },
            topEstimates(details.interactions, ({ keys, levels }) =>
              keys.map((key, k) => `${key}: ${levels[k]}`).join(' × '),
            ),
          ),
        ]),
  ],
})

/** The largest in size, ordered by value. */
function topEstimates<Effect extends Coefficient>(effects: readonly Effect[], labelOf: (effect: Effect) => string) {
  return effects
    .flatMap((effect) =>
      effect.coefficient === null
        ? []
        : [
            {
              label: labelOf(effect),
              value: effect.coefficient,
              lower: effect.interval?.lower ?? null,
              upper: effect.interval?.upper ?? null,
            },
          ],
    )
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, MOST_SHOWN)
    .sort((a, b) => b.value - a.value)
}

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release } = subject
  const { scene, attacks } = await attackRelease(subject, chosen, context)
  const { attack, flags } = worstAttack(attacks, chosen)
  const { rows, weights } = attack.members
  const atRisk = flags.atRisk.reduce((sum, flag) => sum + flag, 0)
  const most = mostBins(atRisk, rows.length - atRisk)
  const coded = scene.keys.map((key) => levelsForRegression(release, key, rows, most, breaksOf(chosen, key)))
  const keys = coded.filter(({ labels }) => labels.length > 1)
  const leftOut = coded.filter(({ labels }) => labels.length < 2).map(({ key }) => key)
  const blank = {
    attacker: attack.attacker,
    records: rows.length,
    atRisk,
    rate: flags.rate,
    coding: chosen.coding,
    penalty: chosen.penalty,
    leftOut,
  }
  const reason =
    atRisk === 0
      ? 'nobody is at risk, so there is nothing to attribute'
      : atRisk === rows.length
        ? 'everybody is at risk, so there is nothing to attribute'
        : keys.length === 0
          ? 'no key varies among the people'
          : null
  if (reason !== null) {
    const details = { ...blank, fit: null, keys: [], levels: [], interactions: null }
    return { value: null, reason, interval: null, details, warnings: scene.warnings }
  }
  const patterns = patternsOf(keys, flags.atRisk, scaledWeights(weights))
  const model = riskModel(keys, patterns, chosen)
  if (model === null) throw new NotApplicable('the keys have too many combinations for a regression; group them')
  const levels = keys.flatMap((key, k) => levelEffects(key, k, patterns, model))
  const byKey = keys.map((key, k) => keyEffect(key, k, patterns, model)).sort((a, b) => b.spread - a.spread)
  const products = chosen.interactions ? interactionEffects(keys, patterns, chosen) : null
  return {
    value: byKey[0].spread,
    interval: null,
    details: {
      ...blank,
      fit: {
        intercept: model.intercept.estimate,
        interceptError: model.intercept.standardError,
        iterations: model.iterations,
        converged: model.converged,
      },
      keys: byKey,
      levels,
      interactions: products,
    },
    warnings: [
      ...scene.warnings,
      ...(model.converged ? [] : ['the regression did not settle: a level may separate; use penalty=firth']),
      ...(leftOut.length > 0 ? [`the same for everybody and left out: ${leftOut.join(', ')}`] : []),
      ...(chosen.interactions && products === null ? ['too many combinations of levels to fit products of keys'] : []),
    ],
  }
}

function breakProblems({ keys, numericKeys }: Release, { breaks }: Options): string[] {
  const all = [...keys, ...numericKeys]
  return Object.keys(breaks)
    .filter((name) => !all.includes(name))
    .map((name) => `breaks: ${unknownName('key', name, all)}`)
}

function breaksOf({ breaks }: Options, key: string): readonly number[] | undefined {
  return Object.hasOwn(breaks, key) ? breaks[key] : undefined
}

/** Weights that sum to the number of equally weighted people that they are worth, so that standard errors are honest. */
function scaledWeights(weights: Float64Array | null): Float64Array | null {
  if (weights === null) return null
  const scale = effectiveSize(weights.length, weights) / sum(weights)
  return weights.map((weight) => weight * scale)
}
