import { NotApplicable } from '../../../errors.js'
import type { Model } from '../../../learners/learner.js'
import { predictionsAt, valuesAt } from '../../../learners/predictions.js'
import type { Context, Subject } from '../../../measure.js'
import { selectRows, type Table } from '../../../table/table.js'
import { type Attacker, type AttackOptions, attackersOf, fitAttacker, predictedBy } from './attackers.js'
import type { Predictions } from './classes.js'
import { NO_MODEL, scoreFromFile } from './given-predictions.js'
import { onceIn, type People, type Scene, setScene } from './scene.js'

/**
 * The attack behind RAPID: a model of the target on the keys is fitted on the release alone and applied to real people.
 * Fitted once per release, target, attacker and seed; everything else derives from its predictions.
 */
export interface Attack extends Attacker {
  readonly members: Scored
  readonly outsiders: Scored | null
  readonly model: Model
  /** Whether the predictions were made elsewhere: then the attacker can be asked about nobody else. */
  readonly isFixed: boolean
}

/** Real people whose target the attacker tries to infer. */
export interface Scored {
  /** Their rows in the original or in the holdout; people whose target is missing are not among them. */
  readonly rows: Int32Array
  readonly weights: Float64Array | null
  readonly predictions: Predictions
}

/** All attackers on a release, and the scene that they have in common. Where the target is constant there is nothing to infer. */
export async function attackRelease(
  subject: Subject,
  options: AttackOptions,
  context: Context,
): Promise<{ readonly scene: Scene; readonly attacks: readonly Attack[] }> {
  const scene = setScene(subject, options, context)
  if (scene.shares.includes(1)) throw new NotApplicable('the target is constant in the original')
  return { scene, attacks: await attacksIn(scene) }
}

export async function attacksIn(scene: Scene): Promise<readonly Attack[]> {
  const { release, part, target, context, options } = scene
  const attacks: Attack[] = []
  for (const attacker of attackersOf(options, scene.response.kind)) {
    const predicted = predictedBy(attacker.attacker, release)
    if (predicted !== undefined) {
      const members = scoreFromFile(scene, predicted, scene.people('original'))
      attacks.push({ ...attacker, members, outsiders: null, model: NO_MODEL, isFixed: true })
      continue
    }
    const made = onceIn(scene, 'attack', [part, attacker], async () => {
      const model = await fitAttacker(scene, attacker, `${target}/${attacker.attacker}`, context)
      const members = await scorePeople(scene, model, scene.people('original'))
      const outsiders = release.holdout === null ? null : await scorePeople(scene, model, scene.people('holdout'))
      return { ...attacker, members, outsiders, model, isFixed: false }
    })
    attacks.push(await made)
  }
  return attacks
}

/** What a model says about people, or about those at some places. */
export async function scorePeople(scene: Scene, model: Model, people: People, places?: Int32Array): Promise<Scored> {
  if (places !== undefined) return scorePeople(scene, model, peopleAt(people, places))
  const { rows, features, weights, truth } = people
  return { rows, weights, predictions: await predictionsOf(scene, model, features, truth) }
}

/** What the model says about some features; classes that it does not know have probability 0. */
export async function predictionsOf(
  { levels, shares, known }: Scene,
  model: Model,
  features: Table,
  truth: People['truth'],
): Promise<Predictions> {
  if (truth instanceof Float64Array) return { kind: 'numbers', truth, predicted: await model.predict(features) }
  const said = await model.predictProbabilities(features)
  const probabilities = new Float64Array(truth.length * levels.length)
  for (let row = 0; row < truth.length; row++) {
    for (let k = 0; k < known.length; k++) probabilities[row * levels.length + known[k]] = said[row * known.length + k]
  }
  return { kind: 'classes', levels, truth, probabilities, shares }
}

function peopleAt({ rows, features, weights, truth }: People, places: Int32Array): People {
  return {
    rows: places.map((place) => rows[place]),
    features: selectRows(features, places),
    weights: valuesAt(weights, places),
    truth: truth instanceof Float64Array ? valuesAt(truth, places) : places.map((place) => truth[place]),
  }
}

/** Some of the people scored. */
export function scoredAt({ rows, weights, predictions }: Scored, places: Int32Array): Scored {
  return {
    rows: places.map((place) => rows[place]),
    weights: valuesAt(weights, places),
    predictions: predictionsAt(predictions, places),
  }
}
