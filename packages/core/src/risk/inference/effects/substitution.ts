import type { Context } from '../../../measure.js'
import { permutation } from '../../../random/sampling.js'
import { quantiles } from '../../../stats/quantile.js'
import { mean, weightedMean } from '../../../stats/sums.js'
import { type Column, dateLabel, MISSING_CODE, takeRows } from '../../../table/column.js'
import { type Table, table } from '../../../table/table.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type Attack, predictionsOf, type Scored } from '../attack/attack.js'
import { type Predictions, trueClassProbabilities } from '../attack/classes.js'
import { logLoss } from '../attack/performance.js'
import type { Scene } from '../attack/scene.js'
import type { Options } from '../rapid-importance.js'
import { flagsOf } from '../rates/evaluation.js'

/** What an attacker would say if people had other values of one key. */
export type KeyImportance = {
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

export type Dependence = {
  readonly key: string
  readonly kind: 'numeric' | 'date' | 'categorical'
  readonly points: readonly DependencePoint[]
}

/** What the attacker would say if everybody had this value. */
type DependencePoint = ReturnType<typeof pointOf>

export interface People extends Scored {
  readonly features: Table
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

export function replayOf(scene: Scene, { model }: Attack, people: People, chosen: Options): Replay {
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

export function fall(intact: Figures, without: Figures) {
  const rise = (after: number | null, before: number | null) =>
    after === null || before === null ? null : after - before
  return {
    drop: intact.rate - without.rate,
    logLossRise: rise(without.logLoss, intact.logLoss),
    errorRise: rise(without.meanError, intact.meanError),
  }
}

const MOST_VALUES = 30

const GRID = 20

/**
 * Predictions when everybody has the same value of a key: for all of its values if they are few, which also gives the mean over
 * all permutations; otherwise for 20 quantiles, from 2.5 % to 97.5 % so that nobody's extreme value is shown, or the 30 most common levels.
 */
export async function substitutions(
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
) {
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
    /** Mean probability of each class; null for numbers. */
    probabilities: Object.fromEntries(levels.map((level, k) => [level, ofClass(k)])),
    /** Mean predicted number; null for classes. */
    predicted: null,
    /** Mean probability of the true class; null for numbers. */
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

export async function permutedFigures(
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
