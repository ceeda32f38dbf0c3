import { z } from 'zod'
import { barChart, lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { flag, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { permutation, sampleWithoutReplacement } from '../../random/sampling.js'
import { quantiles } from '../../stats/quantile.js'
import { mean, weightedMean } from '../../stats/sums.js'
import { type Column, dateLabel, MISSING_CODE, takeRows } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { selectRows, type Table, table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type Attack, attackRelease, predictionsOf, type Scored, scoredAt } from './attack.js'
import { attackOptions, attackProblems } from './attackers.js'
import { type Predictions, trueClassProbabilities } from './classes.js'
import { flagOptions, flagsOf, RAPID, tauProblems, worstAttack } from './evaluation.js'
import { logLoss } from './performance.js'
import type { Scene } from './scene.js'

/**
 * What each key is worth to the attacker: how far RAPID falls when the key is taken from him by permuting it among the real
 * people, the model kept (Breiman 2001; Fisher, Rudin and Dominici 2019):
 *
 *   drop_j = RAPID - mean over permutations of RAPID with column j permuted
 *
 * A key with few values needs no drawing: the mean over all permutations is the sum over its values v of share(v) times RAPID
 * when everybody has v. Beside it the model's own importance, the dependence of predictions and risk on each key's value and,
 * on request, RAPID of attackers who know one key only or all but one.
 * Keys that can stand in for each other share their importance, and permuting makes people who do not exist.
 */
const options = z.object({
  ...attackOptions,
  ...flagOptions,
  draws: whole(5, { min: 1 }).describe('permutations of a key that has more than 30 values'),
  maxRecords: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(10_000)
    .describe('look at this many people at most, drawn at random; null for all'),
  retrain: flag(false).describe('also train attackers who know each key alone, and all keys but one: two fits per key'),
})

type Options = z.output<typeof options>

type KeyImportance = {
  readonly key: string
  readonly drop: number
  /** Rise of the mean -log probability of the true class; null for numbers. */
  readonly logLossRise: number | null
  /** Rise of the mean absolute error; null for classes. */
  readonly errorRise: number | null
  /** The permutations drawn, or null when the mean over all of them was had without drawing. */
  readonly draws: number | null
  /** How the model itself rates the key, the largest being 1; not comparable between learners. */
  readonly model: number | null
}

type Dependence = {
  readonly key: string
  readonly kind: 'numeric' | 'date' | 'categorical'
  readonly points: readonly DependencePoint[]
}

/** What the attacker would say if everybody had this value. */
type DependencePoint = {
  readonly value: number | string
  /** Mean probability of each class; null for numbers. */
  readonly probabilities: Readonly<Record<string, number>> | null
  /** Mean predicted number; null for classes. */
  readonly predicted: number | null
  /** Mean probability of the true class; null for numbers. */
  readonly trueClass: number | null
  readonly atRisk: number
}

export const rapidImportance = measure({
  id: 'rapid-importance',
  version: 1,
  title: 'RAPID: importance of keys',
  summary: 'largest fall of RAPID when one key is permuted among people',
  ...RAPID,
  role: 'diagnoses',
  unit: 'difference',
  blindTo: 'keys that stand in for each other, and people who do not exist, whom permuting makes',
  profile: 'full',
  options,
  check: (release, chosen) => [...attackProblems(release, chosen), ...tauProblems(chosen)],
  compute,
  thresholds: { literature: [] },
  sentence: ({ details: { keys, rate } }) =>
    keys.length === 0
      ? 'no key varies in the release, so the attacker uses none'
      : `without ${keys[0].key} the share of people at risk falls from ${percent(rate)} to ${percent(rate - keys[0].drop)}`,
  tables: ({ details }) => [
    findingTable('keys', 'What the attacker loses without a key', details.keys, [
      [column.text('key'), ({ key }) => key],
      [column.share('at risk less'), ({ drop }) => drop],
      [column.number('log loss more'), ({ logLossRise }) => logLossRise],
      [column.number('error more'), ({ errorRise }) => errorRise],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      { name: 'importance', title: `Fall of RAPID without a key: ${name}`, x: 'key permuted', y: 'share of records' },
      details.keys.map(({ key, drop }) => ({ label: key, value: drop })),
    ),
    ...(details.subsets === null
      ? []
      : [
          barChart(
            {
              name: 'subsets',
              title: `RAPID with one key, and with all but one: ${name}`,
              x: 'alone (grey), left out (blue)',
              y: 'share of records',
            },
            details.subsets.flatMap(({ key, alone, without }) => [
              { label: key, value: alone, series: 'original' as const },
              ...(without === null ? [] : [{ label: key, value: without, series: 'release' as const }]),
            ]),
            [{ value: details.rate, label: 'all keys' }],
          ),
        ]),
    ...details.dependence.map((one, k) => dependenceChart(one, `dependence-${k + 1}`, name)),
  ],
})

/** Lines over a number, with the probabilities of the classes; bars over levels. */
function dependenceChart({ key, kind, points }: Dependence, file: string, name: string) {
  const labels = { name: file, title: `If everybody had the same ${key}: ${name}`, x: key }
  if (kind !== 'numeric')
    return barChart(
      { ...labels, y: 'share at risk' },
      points.map(({ value, atRisk }) => ({ label: String(value), value: atRisk })),
    )
  return lineChart(
    { ...labels, y: 'share, probability' },
    points.flatMap(({ value, probabilities, atRisk }) =>
      typeof value !== 'number'
        ? []
        : [
            { x: value, y: atRisk, series: 'at risk' },
            ...Object.entries(probabilities ?? {}).map(([level, y]) => ({ x: value, y, series: `P(${level})` })),
          ],
    ),
  )
}

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { scene, attacks } = await attackRelease(subject, chosen, context)
  const { attack } = worstAttack(attacks, chosen)
  const people = chosenPeople(scene, attack.members, chosen, context)
  const replay = replayOf(scene, attack, people, chosen)
  const own = replay.figures(people.predictions)
  const keys: KeyImportance[] = []
  const dependence: Dependence[] = []
  for (const [k, key] of scene.keys.entries()) {
    throwIfAborted(context.signal)
    const substituted = await substitutions(k, people, replay, context)
    const without = substituted.mean ?? (await permutedFigures(k, people, replay, chosen, context))
    keys.push({ key, ...fall(own, without), draws: substituted.mean === null ? chosen.draws : null, model: null })
    dependence.push({ key, kind: people.features.columns[k].kind, points: substituted.points })
    context.progress(k + 1, scene.keys.length)
  }
  const byModel = modelImportance(attack)
  const ranked = keys
    .map((one) => ({ ...one, model: byModel.get(one.key) ?? null }))
    .sort((a, b) => b.drop - a.drop || (b.logLossRise ?? b.errorRise ?? 0) - (a.logLossRise ?? a.errorRise ?? 0))
  return {
    value: Math.max(0, ranked[0]?.drop ?? 0),
    interval: null,
    details: {
      target: people.predictions.kind,
      attacker: attack.attacker,
      /** People looked at. */
      records: people.rows.length,
      rate: own.rate,
      logLoss: own.logLoss,
      meanError: own.meanError,
      /** Largest drop first. */
      keys: ranked,
      subsets: chosen.retrain ? await keySubsets(subject, scene, attack, chosen, context) : null,
      dependence,
    },
    warnings: [
      ...scene.warnings,
      ...(people.rows.length < attack.members.rows.length
        ? [`looked at ${people.rows.length} of ${attack.members.rows.length} people, drawn at random`]
        : []),
    ],
  }
}

interface People extends Scored {
  readonly features: Table
}

/** Everybody, or a random sample of people. */
function chosenPeople(scene: Scene, members: Scored, { maxRecords }: Options, context: Context): People {
  const { features } = scene.people('original')
  const n = members.rows.length
  if (maxRecords === null || n <= maxRecords) return { ...members, features }
  const drawn = sampleWithoutReplacement(context.random('people'), n, maxRecords).sort()
  return { ...scoredAt(members, drawn), features: selectRows(features, drawn) }
}

interface Figures {
  readonly rate: number
  readonly logLoss: number | null
  readonly meanError: number | null
}

interface Replay {
  figures(predictions: Predictions): Figures
  /** What the attacker says about the people after a key has changed. */
  predict(key: number, column: Column): Promise<Predictions>
}

function replayOf(scene: Scene, { model }: Attack, people: People, chosen: Options): Replay {
  const { features, weights, rows, predictions: own } = people
  return {
    figures: (predictions) => ({
      rate: flagsOf({ rows, weights, predictions }, chosen).rate,
      logLoss: predictions.kind === 'classes' ? logLoss(trueClassProbabilities(predictions)) : null,
      meanError:
        predictions.kind === 'numbers'
          ? mean(predictions.truth.map((y, row) => Math.abs(y - predictions.predicted[row])))
          : null,
    }),
    predict: (key, column) => {
      const columns = features.columns.map((one, k) => (k === key ? column : one))
      return predictionsOf(scene, model, table(features.name, columns), own.truth)
    },
  }
}

function fall(own: Figures, without: Figures) {
  const rise = (after: number | null, before: number | null) =>
    after === null || before === null ? null : after - before
  return {
    drop: own.rate - without.rate,
    logLossRise: rise(without.logLoss, own.logLoss),
    errorRise: rise(without.meanError, own.meanError),
  }
}

const MOST_VALUES = 30
const GRID = 20

/**
 * Predictions when everybody has the same value of a key: for all of its values if they are few, which also gives the mean over
 * all permutations; otherwise for 20 quantiles, from 2.5 % to 97.5 % so that nobody's extreme value is shown, or the 30 most common levels.
 */
async function substitutions(
  key: number,
  people: People,
  replay: Replay,
  context: Context,
): Promise<{ points: DependencePoint[]; mean: Figures | null }> {
  const column = people.features.columns[key]
  const { values, shares } = valuesOf(column)
  const isFew = values.length <= MOST_VALUES
  const grid = isFew ? values : gridOf(column, values, shares)
  const points: DependencePoint[] = []
  const figures: Figures[] = []
  for (const value of grid) {
    throwIfAborted(context.signal)
    const predictions = await replay.predict(key, constantColumn(column, value, people.rows.length))
    const found = replay.figures(predictions)
    figures.push(found)
    points.push(pointOf(column, value, predictions, found, people.weights))
  }
  return { points, mean: isFew ? averageOf(figures, shares) : null }
}

/** Distinct values in order, missing (NaN or -1) the last, and the share of people who have each. */
function valuesOf(column: Column): { values: number[]; shares: number[] } {
  const counts = new Map<number, number>()
  const all = column.kind === 'categorical' ? column.codes : column.values
  for (const value of all) counts.set(value, (counts.get(value) ?? 0) + 1)
  const isAbsent = (value: number) => Number.isNaN(value) || (column.kind === 'categorical' && value === MISSING_CODE)
  const values = [...counts.keys()].sort((a, b) => Number(isAbsent(a)) - Number(isAbsent(b)) || a - b)
  return { values, shares: values.map((value) => (counts.get(value) ?? 0) / all.length) }
}

function gridOf(column: Column, values: readonly number[], shares: readonly number[]): readonly number[] {
  if (column.kind === 'categorical') {
    const common = values
      .map((value, k) => ({ value, share: shares[k] }))
      .sort((a, b) => b.share - a.share || a.value - b.value)
      .slice(0, MOST_VALUES)
    return common.map(({ value }) => value).sort((a, b) => a - b)
  }
  const present = column.values.filter((value) => !Number.isNaN(value))
  const probabilities = Array.from({ length: GRID }, (_, k) => (k + 0.5) / GRID)
  return [...new Set(quantiles(present, probabilities) ?? [])]
}

function constantColumn(column: Column, value: number, rows: number): Column {
  return column.kind === 'categorical'
    ? { ...column, codes: new Int32Array(rows).fill(value) }
    : { ...column, values: new Float64Array(rows).fill(value) }
}

function pointOf(
  column: Column,
  value: number,
  predictions: Predictions,
  { rate }: Figures,
  weights: Float64Array | null,
): DependencePoint {
  const average = (values: Float64Array) => (weights === null ? mean(values) : weightedMean(values, weights)) ?? 0
  const label = labelOf(column, value)
  if (predictions.kind === 'numbers')
    return {
      value: label,
      probabilities: null,
      predicted: average(predictions.predicted),
      trueClass: null,
      atRisk: rate,
    }
  const { levels, probabilities, truth } = predictions
  const ofClass = (k: number) => average(Float64Array.from(truth, (_, row) => probabilities[row * levels.length + k]))
  return {
    value: label,
    probabilities: Object.fromEntries(levels.map((level, k) => [level, ofClass(k)])),
    predicted: null,
    trueClass: average(trueClassProbabilities(predictions)),
    atRisk: rate,
  }
}

function labelOf(column: Column, value: number): number | string {
  if (Number.isNaN(value) || (column.kind === 'categorical' && value === MISSING_CODE)) return '(missing)'
  if (column.kind === 'categorical') return column.levels[value]
  return column.kind === 'date' ? dateLabel(value, column.unit) : value
}

function averageOf(figures: readonly Figures[], shares: readonly number[]): Figures {
  const average = (pick: (one: Figures) => number | null) =>
    figures.some((one) => pick(one) === null)
      ? null
      : figures.reduce((sum, one, k) => sum + shares[k] * (pick(one) ?? 0), 0)
  return {
    rate: average(({ rate }) => rate) ?? 0,
    logLoss: average((one) => one.logLoss),
    meanError: average((one) => one.meanError),
  }
}

async function permutedFigures(
  key: number,
  people: People,
  replay: Replay,
  { draws }: Options,
  context: Context,
): Promise<Figures> {
  const column = people.features.columns[key]
  const figures: Figures[] = []
  for (let draw = 0; draw < draws; draw++) {
    throwIfAborted(context.signal)
    const order = permutation(context.random(`permutation/${column.name}`, draw), people.rows.length)
    figures.push(replay.figures(await replay.predict(key, takeRows(column, order))))
  }
  return averageOf(
    figures,
    figures.map(() => 1 / draws),
  )
}

function modelImportance({ model }: Attack): ReadonlyMap<string, number> {
  const largest = Math.max(0, ...model.importance.map(({ value }) => value))
  return new Map(model.importance.map(({ name, value }) => [name, largest > 0 ? value / largest : 0]))
}

/** RAPID of the same attacker with one key, and with all keys but one. */
async function keySubsets(
  { release, part, target }: Subject,
  { keys }: Scene,
  { attacker }: Attack,
  chosen: Options,
  context: Context,
) {
  const rateWith = async (known: readonly string[]) => {
    const narrow: Release = {
      ...release,
      keys: release.keys.filter((key) => known.includes(key)),
      numericKeys: release.numericKeys.filter((key) => known.includes(key)),
    }
    const subject = { release: narrow, part, target }
    const { attacks } = await attackRelease(subject, { ...chosen, attackers: [attacker] }, context)
    return flagsOf(attacks[0].members, chosen).rate
  }
  const found: { key: string; alone: number; without: number | null }[] = []
  for (const key of keys) {
    throwIfAborted(context.signal)
    const others = keys.filter((other) => other !== key)
    found.push({ key, alone: await rateWith([key]), without: others.length === 0 ? null : await rateWith(others) })
  }
  return found
}
