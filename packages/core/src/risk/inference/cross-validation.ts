import type { Context } from '../../measure.js'
import { stratifiedFolds } from '../../random/sampling.js'
import { type Interval, tInterval, wilson } from '../../stats/intervals.js'
import { median } from '../../stats/quantile.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import type { Synthesizer } from '../../synthesizers/synthesizer.js'
import { type Release, release } from '../../table/release.js'
import { columnOf, selectRows, type Table, table } from '../../table/table.js'
import { type Attack, type AttackOptions, attacks, type Predictions, type Scored } from './attack.js'
import { chanceCorrected } from './chance.js'
import { strataOf } from './cross-fitting.js'
import { chanceOf, type EvaluationOptions, type Flags, flagsOf, rateOf } from './evaluation.js'
import { type Performance, performanceOf } from './performance.js'

/**
 * Cross-validation of a synthesizer by RAPID: for each fold a release is made of the other folds, an attacker learns from
 * it, and everybody is scored. People of the fold are outsiders of that release, all others its members:
 *
 *   rate  share at risk among outsiders: what the release tells about people whether or not they are in the data
 *   gap   share among members less share among outsiders: what it tells because they are in it
 *
 * Both under the same model and with the class shares of the whole original. Folds are stratified by class, or by fifths
 * of a number; their sizes differ by at most one. They share training records, so intervals over folds are approximate.
 */
export interface CrossValidation {
  /** Columns of the original that are synthesized; all when not given. */
  readonly variables?: readonly string[] | undefined
  readonly keys: readonly string[]
  readonly target: string
  readonly weight?: string | undefined
  readonly folds: number
  /** Options of the synthesizer. */
  readonly synthesizerOptions?: object | undefined
  readonly options: AttackOptions & EvaluationOptions
}

export type CrossValidatedRapid = {
  readonly synthesizer: string
  readonly target: Predictions['kind']
  /** The attacker with the largest mean rate; all figures are of this one. */
  readonly attacker: string
  readonly attackers: readonly { readonly attacker: string; readonly mean: number }[]
  readonly mean: number
  readonly sd: number | null
  readonly se: number | null
  readonly median: number
  readonly min: number
  readonly max: number
  /** t interval of the mean over folds, within [0, 1]; approximate. */
  readonly interval: Interval | null
  /** All people, each scored when they were outsiders. */
  readonly pooled: { readonly rate: number; readonly interval: Interval | null }
  /** Mean over folds of the rate among the people in the data. */
  readonly members: number
  readonly chance: number
  readonly corrected: number | null
  /** A release of all records, scored on the same records; its gap is biased upward, folds being learned from fewer. */
  readonly inSample: { readonly rate: number; readonly gap: number }
  /** Members less outsiders of the same releases. */
  readonly gap: { readonly mean: number; readonly sd: number | null; readonly interval: Interval | null }
  readonly performance: Readonly<Record<string, { readonly mean: number; readonly sd: number | null } | null>>
  readonly folds: readonly FoldFigures[]
}

type FoldFigures = {
  readonly fold: number
  readonly records: number
  readonly rate: number
  readonly members: number
  readonly chance: number
  readonly performance: Performance
}

export async function crossValidateRapid(
  original: Table,
  synthesizer: Synthesizer,
  given: CrossValidation,
  context: Context,
): Promise<CrossValidatedRapid> {
  const { folds: k, options, target } = given
  const foldOf = stratifiedFolds(context.random('folds'), strataOf(columnOf(original, target)), k)
  const perFold: FoldFigures[][] = []
  for (let fold = 0; fold < k; fold++) {
    const others = Int32Array.from(foldOf.keys()).filter((row) => foldOf[row] !== fold)
    const found = await attackSynthesis(
      original,
      others,
      synthesizer,
      given,
      `fold ${fold + 1}`,
      at(context, fold, k + 1),
    )
    const figures = found.map((attack) => foldFigures(attack, fold, foldOf, options))
    if (figures[0].records > 0) perFold.push(figures)
  }
  const all = Int32Array.from(foldOf.keys())
  const inSample = await attackSynthesis(original, all, synthesizer, given, 'all', at(context, k, k + 1))

  const means = inSample.map((_, a) => mean(perFold.map((figures) => figures[a].rate)) ?? 0)
  const worst = means.indexOf(Math.max(...means))
  const folds = perFold.map((figures) => figures[worst])
  return {
    synthesizer: synthesizer.id,
    target: inSample[worst].members.predictions.kind,
    attacker: inSample[worst].attacker,
    attackers: inSample.map(({ attacker }, a) => ({ attacker, mean: means[a] })),
    ...overFolds(folds),
    inSample: compared(flagsOf(inSample[worst].members, options).rate, means[worst]),
    folds,
  }
}

export function compared(rate: number, crossValidated: number): { rate: number; gap: number } {
  return { rate, gap: rate - crossValidated }
}

/** Progress of one piece of work out of several equal ones. */
function at(context: Context, piece: number, pieces: number): Context {
  return { ...context, progress: (done, total) => context.progress(piece * total + done, pieces * total) }
}

/** A release made of some records of the original, attacked; everybody in the original is scored. */
async function attackSynthesis(
  original: Table,
  rows: Int32Array,
  synthesizer: Synthesizer,
  { variables, keys, target, weight, synthesizerOptions = {}, options }: CrossValidation,
  purpose: string,
  context: Context,
): Promise<readonly Attack[]> {
  const columns = variables === undefined ? original.columns : variables.map((name) => columnOf(original, name))
  const known = selectRows(table(original.name, columns), rows)
  const random = (variable: string) => context.random(`synthesis/${purpose}/${variable}`)
  const fitted = await synthesizer.fit(known, synthesizer.options.parse(synthesizerOptions), random)
  const released = await fitted.sample(rows.length, random)
  const pair: Release = release({ original, released, keys, target, weight, type: 'synthetic' })
  return attacks(pair, 0, target, options, context)
}

function foldFigures(
  { members: everybody }: Attack,
  fold: number,
  foldOf: Int32Array,
  options: EvaluationOptions,
): FoldFigures {
  const flags = flagsOf(everybody, options)
  const outsiders = subset(everybody, flags, (row) => foldOf[row] === fold)
  const members = subset(everybody, flags, (row) => foldOf[row] !== fold)
  return {
    fold: fold + 1,
    records: outsiders.atRisk.length,
    rate: rateOf(outsiders.atRisk, outsiders.scored.weights),
    members: rateOf(members.atRisk, members.scored.weights),
    chance: chanceOf(outsiders.scored, options).chance.mean,
    performance: performanceOf(outsiders.scored.predictions),
  }
}

/** Some of the people scored, with their flags. */
function subset(
  { rows, weights, predictions }: Scored,
  { atRisk }: Flags,
  isIn: (row: number) => boolean,
): { scored: Scored; atRisk: Uint8Array } {
  const places = Int32Array.from(rows.keys()).filter((place) => isIn(rows[place]))
  const scored: Scored = {
    rows: places.map((place) => rows[place]),
    weights: weights === null ? null : Float64Array.from(places, (place) => weights[place]),
    predictions: takePredictions(predictions, places),
  }
  return { scored, atRisk: Uint8Array.from(places, (place) => atRisk[place]) }
}

function takePredictions(predictions: Predictions, places: Int32Array): Predictions {
  if (predictions.kind === 'numbers') {
    const { truth, predicted } = predictions
    return {
      kind: 'numbers',
      truth: Float64Array.from(places, (place) => truth[place]),
      predicted: Float64Array.from(places, (place) => predicted[place]),
    }
  }
  const width = predictions.levels.length
  const probabilities = new Float64Array(places.length * width)
  places.forEach((place, k) => {
    probabilities.set(predictions.probabilities.subarray(place * width, (place + 1) * width), k * width)
  })
  return { ...predictions, truth: places.map((place) => predictions.truth[place]), probabilities }
}

function overFolds(folds: readonly FoldFigures[]) {
  const rates = folds.map(({ rate }) => rate)
  const gaps = folds.map(({ members, rate }) => members - rate)
  const records = folds.reduce((sum, fold) => sum + fold.records, 0)
  const pooled = folds.reduce((sum, fold) => sum + fold.records * fold.rate, 0) / records
  const chance = folds.reduce((sum, fold) => sum + fold.records * fold.chance, 0) / records
  const sd = standardDeviation(rates)
  return {
    mean: mean(rates) ?? 0,
    sd,
    se: sd === null ? null : sd / Math.sqrt(rates.length),
    median: median(rates) ?? 0,
    min: Math.min(...rates),
    max: Math.max(...rates),
    interval: clamped(tInterval(rates), 0, 1),
    members: mean(folds.map(({ members }) => members)) ?? 0,
    pooled: { rate: pooled, interval: wilson(pooled * records, records) },
    chance,
    corrected: chanceCorrected(pooled, chance),
    gap: { mean: mean(gaps) ?? 0, sd: standardDeviation(gaps), interval: clamped(tInterval(gaps), -1, 1) },
    performance: Object.fromEntries(
      Object.keys(folds[0].performance).map((name) => {
        const found = folds.flatMap(({ performance }) => performance[name] ?? [])
        const average = mean(found)
        return [name, average === null ? null : { mean: average, sd: standardDeviation(found) }]
      }),
    ),
  }
}

function clamped(interval: Interval | null, lowest: number, highest: number): Interval | null {
  if (interval === null) return null
  return { ...interval, lower: Math.max(lowest, interval.lower), upper: Math.min(highest, interval.upper) }
}
