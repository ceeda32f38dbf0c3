import { z } from 'zod'
import { UserError, unknownName } from '../../../errors.js'
import { fitContext, type Learner, type Model, type Response } from '../../../learners/learner.js'
import { findLearner, learners } from '../../../learners/learners.js'
import { logistic } from '../../../learners/logistic.js'
import type { Context } from '../../../measure.js'
import { choice, whole } from '../../../option-kinds.js'
import { optionProblems, parseOptions } from '../../../options.js'
import { jointCodes } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import type { Table } from '../../../table/table.js'

/** Who attacks: models of the target on the keys, by the name of their learner. */
export const attackOptions = {
  attackers: z
    .array(z.string())
    .min(1)
    .readonly()
    .default(['rf'])
    .describe(
      'models of the attacker: rf, rf-tuned, gbm, cart, logit, multinomial, l1, lm, knn, svm, prior, or strong for a suite of tuned ones; command:"..." and file:NAME for one of your own; the headline is the worst',
    ),
  hyper: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('options of the models, by attacker: {"rf": {"trees": 200}}'),
  targetType: choice(['auto', 'classes', 'numbers'], 'auto').describe(
    'auto: text is classes, numbers are numbers, numbers with two values are classes',
  ),
  targetMissing: choice(['drop', 'level'], 'drop').describe(
    'records with a missing target: left out, or a class of their own',
  ),
  maxTrain: whole(null, { min: 1 }).describe('train on at most so many released records, drawn at random'),
}

const allOptions = z.object(attackOptions)
export type AttackOptions = Readonly<z.output<typeof allOptions>> & {
  /** Records of the holdout that the attacker has besides the release; the rest of the holdout are the people outside. */
  readonly publicRecords?: number
}

export interface Attacker {
  readonly attacker: string
  /** Options of its model, as given. */
  readonly hyper: Readonly<Record<string, unknown>>
}

const BINARY = 2

/** The attackers asked for; `strong` is a suite in which no member is weak by its settings. */
export function attackersOf({ attackers, hyper }: AttackOptions, response: Response['kind']): readonly Attacker[] {
  const strong: Readonly<Record<string, object>> = {
    'rf-tuned': {},
    gbm: { rounds: 500, earlyStopping: 20 },
    cart: {},
    [response === 'classes' ? 'multinomial' : 'lm']: {},
  }
  const ids = new Set(attackers.flatMap((id) => (id === 'strong' ? Object.keys(strong) : [id])))
  const asStrong = attackers.includes('strong')
  return [...ids].map((id) => ({ attacker: id, hyper: { ...(asStrong ? strong[id] : {}), ...hyper[id] } }))
}

export function isClasses(release: Release, target: string, { targetType }: AttackOptions): boolean {
  if (targetType !== 'auto') return targetType === 'classes'
  const { kind, cardinality } = jointCodes(release, target)
  return kind === 'categorical' || (kind === 'numeric' && cardinality <= BINARY)
}

/** What is wrong with the attackers, or with the targets as they are to be taken. */
export function attackProblems(release: Release, options: AttackOptions): string[] {
  const ids = learners.map(({ id }) => id)
  const strangers = Object.keys(options.hyper).filter((id) => !ids.includes(id))
  const problems = release.targets.flatMap((target) => {
    const { kind, cardinality } = jointCodes(release, target)
    if (kind === 'categorical' && options.targetType === 'numbers')
      return [`targetType: ${target} is text, which cannot be taken as numbers`]
    const response = isClasses(release, target, options) ? 'classes' : 'numbers'
    return attackersOf(options, response).flatMap((attacker) =>
      attackerProblems(attacker, response, cardinality > BINARY, release),
    )
  })
  return [...strangers.map((id) => `hyper: ${unknownName('attacker', id, ids)}`), ...new Set(problems)]
}

function attackerProblems(
  { attacker, hyper }: Attacker,
  response: Response['kind'],
  several: boolean,
  release: Pick<Release, 'ownAttackers'>,
) {
  if (predictedBy(attacker, release) !== undefined) return []
  const learner = learnerFor(attacker, several, release)
  const ids = learners.map(({ id }) => id)
  if (learner === undefined) return [`attackers: ${unknownName('attacker', attacker, ids)}`]
  if (!learner.responses.includes(response))
    return [`the attacker ${attacker} cannot predict ${response}; the target is ${response}`]
  return optionProblems(`hyper.${attacker}`, optionsOf(learner, attacker), hyper)
}

/** `logit` with more than two classes is multinomial. */
function learnerFor(id: string, several: boolean, { ownAttackers }: Pick<Release, 'ownAttackers'>) {
  const own = ownAttackers?.[id]
  if (own !== undefined && 'fit' in own) return own as Learner<z.ZodObject>
  return findLearner(id === 'logit' && several ? 'multinomial' : id)
}

/** What somebody predicted for every record of the original, where the attacker is a file of it. */
export function predictedBy(id: string, { ownAttackers }: Pick<Release, 'ownAttackers'>): Table | undefined {
  const own = ownAttackers?.[id]
  return own !== undefined && 'columns' in own ? (own as Table) : undefined
}

/** What a logistic regression takes for two classes is no mistake where there are more. */
function optionsOf(learner: Learner<z.ZodObject>, id: string): z.ZodObject {
  return learner.id === id ? learner.options : learner.options.extend(logistic.options.shape)
}

export interface Training {
  readonly release: Pick<Release, 'ownAttackers'>
  readonly features: Table
  readonly response: Response
  readonly weights: Float64Array | null
}

/** Fits an attacker; its random numbers depend on `name` and the seed, not on the measure that asks first. */
export async function fitAttacker(
  { features, response, weights, release }: Training,
  attacker: Attacker,
  name: string,
  context: Context,
): Promise<Model> {
  const { attacker: id, hyper } = attacker
  const several = response.kind === 'classes' && response.levels.length > BINARY
  const problems = attackerProblems(attacker, response.kind, several, release)
  const learner = learnerFor(id, several, release)
  if (learner === undefined || problems.length > 0) throw new UserError(problems)
  const chosen = parseOptions(`hyper.${id}`, optionsOf(learner, id), hyper)
  const how = { ...fitContext(context, `attack/${name}`, weights), outOfBag: false }
  return learner.fit(features, response, chosen, how)
}

/** The attacker with fewer trees, where it has any. */
export function thinned({ attacker, hyper }: Attacker, by: number): Attacker {
  const options = findLearner(attacker)?.options ?? z.object()
  const counts = ['trees', 'tuningTrees'].filter((name) => name in options.shape)
  if (counts.length === 0) return { attacker, hyper }
  const chosen: Attacker['hyper'] = parseOptions(`hyper.${attacker}`, options, hyper)
  const fewer = counts.map((name) => [name, Math.ceil(Number(chosen[name]) / by)])
  return { attacker, hyper: { ...hyper, ...Object.fromEntries(fewer) } }
}
