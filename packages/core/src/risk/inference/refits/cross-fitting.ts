import { normalEffect } from '../../../evidence/effects.js'
import type { Controls, Look } from '../../../evidence/evidence.js'
import { errorOfMean } from '../../../evidence/looks.js'
import { assembled } from '../../../learners/predictions.js'
import { sampleWithoutReplacement, stratifiedFolds } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { quantiles } from '../../../stats/quantile.js'
import { type Column, takeRows } from '../../../table/column.js'
import { columnOf } from '../../../table/table.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type Scored, scorePeople } from '../attack/attack.js'
import { type Attacker, fitAttacker } from '../attack/attackers.js'
import { drawn, onceIn, type Scene, setScene, trainedOn } from '../attack/scene.js'
import { type FlagOptions, type Flags, flagsOf } from '../rates/evaluation.js'

/**
 * What the same attacker reaches without the release, on the same people: trained on the original itself, predicting it
 * (`inSample`, no protection at all), and cross-fitted, trained on all folds of the original but one and predicting that one
 * (`crossFitted`, what other people's records tell). Folds are stratified by class, or by fifths of a number. Both are the
 * same for every release of an original, so they are made once.
 */
export function inSample(scene: Scene, { attacker, hyper }: Attacker): Promise<Scored> {
  const { target, options, context } = scene
  return onceIn(scene, 'in sample', [attacker, hyper], async () => {
    const original = originalScene(scene)
    const people = original.people('original')
    const open = Int32Array.from(
      { length: original.features.rows - people.rows.length },
      (_, k) => people.rows.length + k,
    )
    const members = drawn(Int32Array.from(people.rows.keys()), options.maxTrain, context, 1)
    const training = trainedOn(original, Int32Array.from([...members, ...open]))
    const name = `${target}/${attacker}/in sample`
    return scorePeople(training, await fitAttacker(training, { attacker, hyper }, name, context), people)
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
  scene: Scene,
  { attacker, hyper }: Attacker,
  folds: number,
  size: number | null = scene.options.maxTrain,
): Promise<CrossFitted | null> {
  const { release, target, context } = scene
  return onceIn(scene, 'cross-fitted', [attacker, hyper, folds, size], async () => {
    const original = originalScene(scene)
    const people = original.people('original')
    const { rows, weights } = people
    if (rows.length < folds) return null
    const strata = strataOf(takeRows(columnOf(release.original, target), rows))
    const foldOf = stratifiedFolds(stream(context.seed, `attack/${target}/folds`), strata, folds)
    const places = Int32Array.from(rows.keys())
    const sample = sampledPlaces(places.length)
    const pool = poolOf(scene, places.length, size, folds)
    const parts: { places: Int32Array; predictions: Scored['predictions'] }[] = []
    const byFold: Scored[] = []
    for (let fold = 0; fold < folds; fold++) {
      throwIfAborted(context.signal)
      const inside = places.filter((place) => foldOf[place] === fold)
      const others = pool.filter((place) => foldOf[place] !== fold)
      const training = trainedOn(original, others)
      const model = await fitAttacker(training, { attacker, hyper }, `${target}/${attacker}/fold ${fold + 1}`, context)
      const { predictions } = await scorePeople(training, model, people, inside)
      parts.push({ places: inside, predictions })
      byFold.push(await scorePeople(training, model, people, sample))
    }
    return { everybody: { rows, weights, predictions: assembled(parts) }, byFold }
  })
}

/** How many records the models of `crossFitted` learn from when nothing limits them. */
export function crossFittedSize(people: number, folds: number): number {
  return people - Math.ceil(people / folds)
}

/** The people to learn from: so many that each model, without its fold, has about `size` of them. The folds of a pool are a jackknife. */
function poolOf({ context }: Scene, people: number, size: number | null, folds: number): Int32Array {
  const wanted = size === null ? people : Math.max(folds, Math.round((size * folds) / (folds - 1)))
  return wanted >= people
    ? Int32Array.from({ length: people }, (_, place) => place)
    : sampleWithoutReplacement(stream(context.seed, 'attack/pool'), people, wanted).sort()
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
  flags: Flags,
  overReleases: number | null,
  { everybody, byFold }: CrossFitted,
  options: FlagOptions,
  rest: Pick<Controls, 'nothing' | 'everything'>,
): Look {
  const others = flagsOf(everybody, options)
  const n = flags.atRisk.length
  const training = jackknifeVariance(byFold.map((scored) => flagsOf(scored, options).rate))
  const difference = flags.rate - others.rate
  const paired = pairedVariance(flags.atRisk, others.atRisk, weights, difference)
  const effect = normalEffect(difference, errorOfMean(paired + training + (overReleases ?? training), n))
  return {
    what: 'against the same attacker trained on other people',
    value: flags.rate,
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
  }
}

export function jackknifeVariance(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  return ((rates.length - 1) / rates.length) * rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0)
}

function pairedVariance(flags: Uint8Array, others: Uint8Array, weights: Float64Array | null, mean: number): number {
  let squares = 0
  let total = 0
  for (let k = 0; k < flags.length; k++) {
    const weight = weights === null ? 1 : weights[k]
    squares += (weight * (flags[k] - others[k] - mean)) ** 2
    total += weight
  }
  return squares / total ** 2
}

/** The original in the role of the release; how much of it is used to train is said by who calls. */
function originalScene({ release, target, options, context }: Scene): Scene {
  return setScene({ release, part: 'original', target }, { ...options, maxTrain: null }, context)
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
