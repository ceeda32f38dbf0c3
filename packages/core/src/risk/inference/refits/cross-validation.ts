import type { Controls, Look } from '../../../evidence/evidence.js'
import { errorOfMean } from '../../../evidence/looks.js'
import { valuesAt } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { stratifiedFolds } from '../../../random/sampling.js'
import { studentTCdf, studentTQuantile } from '../../../stats/distributions.js'
import { tInterval, wilson, within } from '../../../stats/intervals.js'
import { BOUND_LEVEL } from '../../../stats/levels.js'
import { median } from '../../../stats/quantile.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import type { Synthesizer } from '../../../synthesizers/synthesizer.js'
import { synthesizerBehind } from '../../../synthesizers/synthesizers.js'
import { remember } from '../../../table/classes.js'
import { type Generator, type Release, release } from '../../../table/release.js'
import { allRows, columnOf, selectRows, type Table } from '../../../table/table.js'
import { type Attack, attacksIn, scoredAt } from '../attack/attack.js'
import type { AttackOptions } from '../attack/attackers.js'
import { performanceOf } from '../attack/performance.js'
import { setScene } from '../attack/scene.js'
import type { Options } from '../rapid-cv.js'
import { chanceCorrected } from '../rates/chance.js'
import { chanceOf } from '../rates/chance-test.js'
import { type EvaluationOptions, flagsOf, rateOf } from '../rates/evaluation.js'
import { strataOf } from './cross-fitting.js'

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

export type CrossValidatedRapid = Awaited<ReturnType<typeof crossValidateRapid>>

type FoldFigures = ReturnType<typeof foldFigures>

export async function crossValidateRapid(
  original: Table,
  synthesizer: Synthesizer,
  task: CrossValidation,
  context: Context,
) {
  const { folds: k, options, target } = task
  const foldOf = stratifiedFolds(context.random('folds'), strataOf(columnOf(original, target)), k)
  const attackOf = (rows: Int32Array, purpose: string, piece: number) =>
    attackSynthesis(original, rows, synthesizer, task, purpose, at(context, piece, k + 1))
  const all = allRows(original)
  const perFold: FoldFigures[][] = []
  for (let fold = 0; fold < k; fold++) {
    const others = all.filter((row) => foldOf[row] !== fold)
    const attacks = await attackOf(others, `fold ${fold + 1}`, fold)
    const figures = attacks.map((attack) => foldFigures(attack, fold, foldOf, options))
    if (figures[0].records > 0) perFold.push(figures)
  }
  const inSample = await attackOf(all, 'all', k)
  const means = inSample.map((_, a) => mean(perFold.map((figures) => figures[a].rate)) ?? 0)
  const worst = means.indexOf(Math.max(...means))
  const folds = perFold.map((figures) => figures[worst])
  return {
    synthesizer: synthesizer.id,
    target: inSample[worst].members.predictions.kind,
    /** The attacker with the largest mean rate; all figures are of this one. */
    attacker: inSample[worst].attacker,
    attackers: inSample.map(({ attacker }, a) => ({ attacker, mean: means[a] })),
    ...overFolds(folds),
    /** A release of all records, scored on the same records; its gap is biased upward, folds being learned from fewer. */
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
  const random = (variable: string) => context.random(`synthesis/${purpose}/${variable}`)
  const known = selectRows({ ...original, columns }, rows)
  const fitted = await synthesizer.fit(known, synthesizer.options.parse(synthesizerOptions), random)
  const released = await fitted.sample(rows.length, random)
  const pair = release({ original, released, keys, target, weight, type: 'synthetic' })
  return attacksIn(setScene({ release: pair, part: 0, target }, options, context))
}

function foldFigures({ members: everybody }: Attack, fold: number, foldOf: Int32Array, options: EvaluationOptions) {
  const { atRisk } = flagsOf(everybody, options)
  const { rows, weights } = everybody
  const places = Int32Array.from(rows.keys())
  const outside = places.filter((place) => foldOf[rows[place]] === fold)
  const rateAt = (some: Int32Array) =>
    rateOf(
      Uint8Array.from(some, (place) => atRisk[place]),
      valuesAt(weights, some),
    )
  const outsiders = scoredAt(everybody, outside)
  return {
    fold: fold + 1,
    records: outside.length,
    rate: rateAt(outside),
    members: rateAt(places.filter((place) => foldOf[rows[place]] !== fold)),
    chance: chanceOf(outsiders, options).chance.mean,
    performance: performanceOf(outsiders.predictions),
  }
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
    /** t interval of the mean over folds, within [0, 1]; approximate. */
    interval: within(tInterval(rates), 0, 1),
    /** Mean over folds of the rate among the people in the data. */
    members: mean(folds.map(({ members }) => members)) ?? 0,
    /** All people, each scored when they were outsiders. */
    pooled: { rate: pooled, interval: wilson(pooled * records, records) },
    chance,
    corrected: chanceCorrected(pooled, chance),
    /** Members less outsiders of the same releases. */
    gap: { mean: mean(gaps) ?? 0, sd: standardDeviation(gaps), interval: within(tInterval(gaps), -1, 1) },
    performance: Object.fromEntries(
      Object.keys(folds[0].performance).map((name) => {
        const values = folds.flatMap(({ performance }) => performance[name] ?? [])
        const average = mean(values)
        return [name, average === null ? null : { mean: average, sd: standardDeviation(values) }]
      }),
    ),
  }
}

/** Members less outsiders over folds, by Student's t; folds share training records, so it is approximate. */
export function lookAtFolds(
  { members, mean, se: errorOfOthers, gap, folds }: CrossValidatedRapid,
  people: number,
  rest: Pick<Controls, 'nothing' | 'everything'>,
): Look[] {
  if (gap.sd === null) return []
  const df = folds.length - 1
  const se = errorOfMean(gap.sd ** 2 / folds.length, people)
  const half = studentTQuantile(BOUND_LEVEL, df) * se
  const effect = {
    value: gap.mean,
    se,
    lower: gap.mean - half,
    upper: gap.mean + half,
    p: studentTCdf(-gap.mean / se, df),
  }
  const what = 'people left out of the releases'
  return [
    {
      what: `against ${what}`,
      value: members,
      controls: { ...rest, fair: { value: mean, se: errorOfOthers, what, basis: 'cross-fitting' } },
      effect,
    },
  ]
}

/** The same for every released file, so it is computed once. */
export function crossValidation(
  release: Release,
  generator: Generator,
  target: string,
  chosen: AttackOptions & EvaluationOptions & Pick<Options, 'folds'>,
  context: Context,
): Promise<CrossValidatedRapid> {
  const synthesizer = synthesizerBehind(generator)
  return remember(release, `rapid-cv ${JSON.stringify([target, chosen, generator, context.seed])}`, () =>
    crossValidateRapid(
      release.original,
      synthesizer,
      {
        variables: release.variables,
        keys: [...release.keys, ...release.numericKeys],
        target,
        weight: release.weight ?? undefined,
        folds: chosen.folds,
        synthesizerOptions: generator.options,
        options: chosen,
      },
      context,
    ),
  )
}
