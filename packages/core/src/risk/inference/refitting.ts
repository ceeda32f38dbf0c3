import type { Context, Subject } from '../../measure.js'
import { sampleWithoutReplacement, stratifiedFolds } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { normalCdf, studentTQuantile } from '../../stats/distributions.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { INTERVAL_ENDS, INTERVAL_LEVEL } from '../../stats/levels.js'
import { remember } from '../../table/classes.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type Attack, type AttackOptions, attackKey, fitAttacker, type Scene, type Scored, thinned } from './attack.js'
import { jackknifeVariance, sampledPlaces, scorePlaces, trainedOn } from './cross-fitting.js'
import { type FlagOptions, flagsOf } from './evaluation.js'

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
  { part, release, target }: Subject,
  { attacker, hyper }: Pick<Attack, 'attacker' | 'hyper'>,
  options: AttackOptions & FlagOptions,
  context: Context,
): Promise<number | null> {
  if (scene.trained < FIFTHS) return null
  const key = attackKey('without a fifth', [part, target, attacker, hyper], options, context)
  const scored = await remember(release, key, async () => {
    const random = stream(context.seed, `attack/${target}/fifths`)
    const fifthOf = stratifiedFolds(random, new Int32Array(scene.trained), FIFTHS)
    const places = Int32Array.from(fifthOf.keys())
    const people = scene.people('original')
    const sample = sampledPlaces(people.rows.length)
    const found: Scored[] = []
    for (let fifth = 0; fifth < FIFTHS; fifth++) {
      throwIfAborted(context.signal)
      const training = trainedOn(
        scene,
        places.filter((place) => fifthOf[place] !== fifth),
      )
      const name = `${target}/${attacker}/without fifth ${fifth + 1}`
      const { model } = await fitAttacker(training, attacker, thinned(attacker, hyper, FIFTHS), name, context)
      found.push(await scorePlaces(training, model, people, sample))
    }
    return found
  })
  return jackknifeVariance(scored.map((one) => flagsOf(one, options).rate))
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
export async function attackOfSize(
  scene: Scene,
  { part, release, target }: Subject,
  { attacker, hyper, members }: Pick<Attack, 'attacker' | 'hyper' | 'members'>,
  size: number,
  options: AttackOptions,
  context: Context,
): Promise<Scored> {
  if (scene.trained <= size) return members
  const key = attackKey('of a size', [part, target, attacker, hyper, size], options, context)
  return remember(release, key, async () => {
    const drawn = sampleWithoutReplacement(stream(context.seed, `attack/${target}/size`), scene.trained, size).sort()
    const training = trainedOn(scene, drawn)
    const { model } = await fitAttacker(training, attacker, hyper, `${target}/${attacker}/of a size`, context)
    const people = scene.people('original')
    return scorePlaces(training, model, people, Int32Array.from(people.rows.keys()))
  })
}
