import { sampleWithoutReplacement, stratifiedFolds } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { normalCdf, studentTQuantile } from '../../../stats/distributions.js'
import { type Interval, wilson } from '../../../stats/intervals.js'
import { INTERVAL_ENDS, INTERVAL_LEVEL } from '../../../stats/levels.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type Attack, type Scored, scorePeople } from '../attack/attack.js'
import { type Attacker, fitAttacker, thinned } from '../attack/attackers.js'
import { onceIn, type Scene, trainedOn } from '../attack/scene.js'
import { type FlagOptions, flagsOf } from '../rates/evaluation.js'
import { jackknifeVariance, sampledPlaces } from './cross-fitting.js'

/**
 * Another release, made in the same way, would have taught the attacker another model. How much the rate varies with it is told
 * by leaving each fifth of the released records out in turn (jackknife; Quenouille 1956, Tukey 1958): with ρ_k the rate on the
 * same people under the model without fifth k, V = (4/5) Σ (ρ_k - mean ρ)². Forests have a fifth of their trees here, which
 * costs one more fit in all and makes V a little too large. The attacker's random numbers vary between the five too.
 */
const FIFTHS = 5

/** V, or null where there are fewer released records than fifths. */
export async function varianceOverReleases(
  scene: Scene,
  { attacker, hyper }: Attacker,
  options: FlagOptions,
): Promise<number | null> {
  const { part, target, context, features } = scene
  if (features.rows < FIFTHS) return null
  const scored = await onceIn(scene, 'without a fifth', [part, attacker, hyper], async () => {
    const random = stream(context.seed, `attack/${target}/fifths`)
    const fifthOf = stratifiedFolds(random, new Int32Array(features.rows), FIFTHS)
    const places = Int32Array.from(fifthOf.keys())
    const people = scene.people('original')
    const all: Scored[] = []
    for (let fifth = 0; fifth < FIFTHS; fifth++) {
      throwIfAborted(context.signal)
      const others = places.filter((place) => fifthOf[place] !== fifth)
      const training = trainedOn(scene, others)
      const name = `${target}/${attacker}/without fifth ${fifth + 1}`
      const model = await fitAttacker(training, thinned({ attacker, hyper }, FIFTHS), name, context)
      all.push(await scorePeople(training, model, people, sampledPlaces(people.rows.length)))
    }
    return all
  })
  return jackknifeVariance(scored.map((people) => flagsOf(people, options).rate))
}

/**
 * An interval for the rate when people, release and the attacker's randomness all vary: the variance is p (1 - p) / n + V. Wilson's
 * form with the number of people that have this variance, and Student's quantile with Satterthwaite's (1946) degrees of
 * freedom, since V is known from five rates only.
 */
export function intervalOverReleases(rate: number, people: number, variance: number): Interval | null {
  const smoothed = (rate * people + 1) / (people + 2)
  const ofPeople = (smoothed * (1 - smoothed)) / people
  const total = ofPeople + variance
  const df = variance > 0 ? (total / variance) ** 2 * (FIFTHS - 1) : Number.POSITIVE_INFINITY
  const worth = (people * ofPeople) / total
  const level = 2 * normalCdf(studentTQuantile(INTERVAL_ENDS[1], df)) - 1
  const interval = wilson(Math.min(worth, rate * worth), worth, level)
  return interval === null ? null : { ...interval, level: INTERVAL_LEVEL, method: 'wilson, over people and releases' }
}

/** The attack by a model of as many released records as the control learns from; itself where the release has no more. */
export async function attackOfSize(scene: Scene, { attacker, hyper, members }: Attack, size: number): Promise<Scored> {
  const { part, target, context, features } = scene
  if (features.rows <= size) return members
  return onceIn(scene, 'of a size', [part, attacker, hyper, size], async () => {
    const random = stream(context.seed, `attack/${target}/size`)
    const training = trainedOn(scene, sampleWithoutReplacement(random, features.rows, size).sort())
    const model = await fitAttacker(training, { attacker, hyper }, `${target}/${attacker}/of a size`, context)
    return scorePeople(training, model, scene.people('original'))
  })
}
