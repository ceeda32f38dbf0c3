import { normalEffect } from '../../evidence/effects.js'
import type { Controls, Look } from '../../evidence/evidence.js'
import { errorOfMean, peopleConcerned } from '../../evidence/looks.js'
import type { Classes, Model, Response } from '../../learners/learner.js'
import type { Context } from '../../measure.js'
import { sampleWithoutReplacement, stratifiedFolds } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { quantiles } from '../../stats/quantile.js'
import { remember } from '../../table/classes.js'
import { type Column, takeRows } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import {
  type AttackOptions,
  attackKey,
  fitAttacker,
  type Hyper,
  type Predictions,
  predictionsOf,
  recode,
  type Scene,
  type Scored,
  setScene,
} from './attack.js'
import { type FlagOptions, type Flags, flagsOf } from './evaluation.js'

/**
 * What the same attacker reaches without the release, on the same people: trained on the original itself, predicting it
 * (`inSample`, no protection at all), and cross-fitted, trained on all folds of the original but one and predicting that one
 * (`crossFitted`, what other people's records tell). Folds are stratified by class, or by fifths of a number. Both are the
 * same for every release of an original, so they are made once.
 */
export interface Attacker {
  readonly attacker: string
  readonly hyper: Hyper
}

export function inSample(
  release: Release,
  target: string,
  { attacker, hyper }: Attacker,
  options: AttackOptions,
  context: Context,
): Promise<Scored> {
  return remember(release, attackKey('in sample', [target, attacker, hyper], options, context), async () => {
    const scene = originalScene(release, target, options, context)
    const { rows, features, weights, truth } = scene.people('original')
    const everybody = Int32Array.from(rows.keys())
    const training = trainedOn(scene, limited(everybody, options, context))
    const { model } = await fitAttacker(training, attacker, hyper, `${target}/${attacker}/in sample`, context)
    return { rows, weights, predictions: await predictionsOf(training, model, features, truth) }
  })
}

export interface CrossFitted {
  /** Everybody, each predicted by the attacker who did not train on their fold. */
  readonly everybody: Scored
  /** Some of them, predicted by the attacker of each fold. */
  readonly byFold: readonly Scored[]
}

const MOST_SAMPLED = 2000

/**
 * Null where there are fewer people than folds. Each model learns from no more than `size` records, so that it knows no more
 * than one of a smaller release can.
 */
export function crossFitted(
  release: Release,
  target: string,
  { attacker, hyper }: Attacker,
  options: AttackOptions & { readonly crossFit: number },
  context: Context,
  size: number | null = options.maxTrain,
): Promise<CrossFitted | null> {
  const key = attackKey('cross-fitted', [target, attacker, hyper, options.crossFit, size], options, context)
  return remember(release, key, async () => {
    const scene = originalScene(release, target, options, context)
    const people = scene.people('original')
    const { rows, weights } = people
    if (rows.length < options.crossFit) return null
    const strata = strataOf(takeRows(columnOf(release.original, target), rows))
    const foldOf = stratifiedFolds(stream(context.seed, `attack/${target}/folds`), strata, options.crossFit)
    const places = Int32Array.from(rows.keys())
    const sample = sampledPlaces(places.length)
    const pool = poolOf(places.length, size, options.crossFit, context)
    const folds: FoldPredictions[] = []
    const byFold: Scored[] = []
    for (let fold = 0; fold < options.crossFit; fold++) {
      throwIfAborted(context.signal)
      const inside = places.filter((place) => foldOf[place] === fold)
      const training = trainedOn(
        scene,
        pool.filter((place) => foldOf[place] !== fold),
      )
      const name = `${target}/${attacker}/fold ${fold + 1}`
      const { model } = await fitAttacker(training, attacker, hyper, name, context)
      folds.push({ places: inside, predictions: (await scorePlaces(training, model, people, inside)).predictions })
      byFold.push(await scorePlaces(training, model, people, sample))
    }
    return { everybody: { rows, weights, predictions: inPlace(folds, rows.length) }, byFold }
  })
}

/** How many records the models of `crossFitted` learn from when nothing limits them. */
export function crossFittedSize(people: number, folds: number): number {
  return people - Math.ceil(people / folds)
}

/** The people to learn from: so many that each model, without its fold, has about `size` of them. The folds of a pool are a jackknife. */
function poolOf(people: number, size: number | null, folds: number, { seed }: Context): Int32Array {
  const wanted = size === null ? people : Math.max(folds, Math.round((size * folds) / (folds - 1)))
  return wanted >= people
    ? Int32Array.from({ length: people }, (_, place) => place)
    : sampleWithoutReplacement(stream(seed, 'attack/pool'), people, wanted).sort()
}

/** Some people, evenly spread, on whom to see how models differ. */
export function sampledPlaces(people: number): Int32Array {
  const step = Math.ceil(people / MOST_SAMPLED)
  return Int32Array.from({ length: Math.ceil(people / step) }, (_, k) => k * step)
}

/**
 * The share at risk less that under cross-fitting, both attackers having learned from equally many records. Its variance has three
 * parts: of the difference between the two flags of a person; of the cross-fitted rate over training samples, V = ((K - 1) / K)
 * Σ (ρ_k - mean ρ)² by leaving each of K folds out (Quenouille 1956; Tukey 1958); and of the rate over releases, in the same way.
 */
export function lookAtCrossFitted(
  { weights }: Scored,
  own: Flags,
  overReleases: number | null,
  { everybody, byFold }: CrossFitted,
  options: FlagOptions,
  rest: Pick<Controls, 'nothing' | 'everything'>,
): Look {
  const others = flagsOf(everybody, options)
  const n = own.atRisk.length
  const training = jackknifeVariance(byFold.map((scored) => flagsOf(scored, options).rate))
  const difference = own.rate - others.rate
  const paired = pairedVariance(own.atRisk, others.atRisk, weights, difference)
  const effect = normalEffect(difference, errorOfMean(paired + training + (overReleases ?? training), n))
  return {
    what: 'against the same attacker trained on other people',
    value: own.rate,
    controls: {
      ...rest,
      fair: {
        value: others.rate,
        se: Math.sqrt(training),
        what: 'the same attacker trained on other people',
        basis: 'cross-fitting',
      },
    },
    effect,
    people: peopleConcerned(n, effect),
  }
}

export function jackknifeVariance(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  return ((rates.length - 1) / rates.length) * rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0)
}

function pairedVariance(own: Uint8Array, others: Uint8Array, weights: Float64Array | null, mean: number): number {
  let squares = 0
  let total = 0
  for (let k = 0; k < own.length; k++) {
    const weight = weights === null ? 1 : weights[k]
    squares += (weight * (own[k] - others[k] - mean)) ** 2
    total += weight
  }
  return squares / total ** 2
}

/** The original in the role of the release; how much of it is used to train is said by who calls. */
function originalScene(release: Release, target: string, options: AttackOptions, context: Context): Scene {
  return setScene(release, 'original', target, { ...options, maxTrain: null }, context)
}

/** As many records as the attacker may train on, drawn at random. */
function limited(places: Int32Array, { maxTrain }: AttackOptions, { seed }: Context): Int32Array {
  if (maxTrain === null || maxTrain >= places.length) return places
  const drawn = sampleWithoutReplacement(stream(seed, 'attack/train', 1), places.length, maxTrain).sort()
  return drawn.map((k) => places[k])
}

/** The scene with some of its training records; a class that none of them has is unknown to the attacker. */
export function trainedOn(scene: Scene, places: Int32Array): Scene {
  const { response, features, weights, known } = scene
  const columns = features.columns.map((column) => takeRows(column, places))
  const some = {
    ...scene,
    features: { ...features, columns, rows: places.length },
    weights: weights === null ? null : Float64Array.from(places, (place) => weights[place]),
    trained: places.length,
  }
  if (response.kind === 'numbers')
    return {
      ...some,
      response: { kind: 'numbers', values: Float64Array.from(places, (place) => response.values[place]) },
    }
  const codes = places.map((place) => response.codes[place])
  const present = Int32Array.from(new Set(codes)).sort()
  const classes: Classes = {
    kind: 'classes',
    codes: recode(codes, present),
    levels: Array.from(present, (code) => response.levels[code]),
  }
  return { ...some, response: classes satisfies Response, known: present.map((code) => known[code]) }
}

interface FoldPredictions {
  readonly places: Int32Array
  readonly predictions: Predictions
}

export async function scorePlaces(
  training: Scene,
  model: Model,
  { rows, features, weights, truth }: ReturnType<Scene['people']>,
  places: Int32Array,
): Promise<Scored> {
  const columns = features.columns.map((column) => takeRows(column, places))
  const own =
    truth instanceof Float64Array
      ? Float64Array.from(places, (place) => truth[place])
      : places.map((place) => truth[place])
  return {
    rows: places.map((place) => rows[place]),
    weights: weights === null ? null : Float64Array.from(places, (place) => weights[place]),
    predictions: await predictionsOf(training, model, { ...features, columns, rows: places.length }, own),
  }
}

/** The predictions of all folds, in the order of the people. */
function inPlace(folds: readonly FoldPredictions[], people: number): Predictions {
  const [{ predictions: first }] = folds
  if (first.kind === 'numbers') {
    const truth = new Float64Array(people)
    const predicted = new Float64Array(people)
    for (const { places, predictions } of folds) {
      if (predictions.kind !== 'numbers') continue
      places.forEach((place, k) => {
        truth[place] = predictions.truth[k]
        predicted[place] = predictions.predicted[k]
      })
    }
    return { kind: 'numbers', truth, predicted }
  }
  const width = first.levels.length
  const truth = new Int32Array(people)
  const probabilities = new Float64Array(people * width)
  for (const { places, predictions } of folds) {
    if (predictions.kind !== 'classes') continue
    places.forEach((place, k) => {
      truth[place] = predictions.truth[k]
      probabilities.set(predictions.probabilities.subarray(k * width, (k + 1) * width), place * width)
    })
  }
  return { ...first, truth, probabilities }
}

const QUANTILE_GROUPS = 5

/** Classes as they are; numbers in fifths; missing is a stratum of its own. */
export function strataOf(column: Column): Int32Array {
  if (column.kind === 'categorical') return column.codes
  const observed = column.values.filter((value) => !Number.isNaN(value))
  const shares = Array.from({ length: QUANTILE_GROUPS - 1 }, (_, j) => (j + 1) / QUANTILE_GROUPS)
  const cuts = quantiles(observed, shares) ?? []
  return Int32Array.from(column.values, (value) =>
    Number.isNaN(value) ? -1 : cuts.reduce((group, cut) => group + (value > cut ? 1 : 0), 0),
  )
}
