import { z } from 'zod'
import { NotApplicable, UserError, unknownName } from '../../errors.js'
import {
  type Classes,
  fitContext,
  type Learner,
  type Model,
  type Numbers,
  type Response,
} from '../../learners/learner.js'
import { findLearner, learners } from '../../learners/learners.js'
import { logistic } from '../../learners/logistic.js'
import type { Context, Subject } from '../../measure.js'
import { optionProblems, parseOptions } from '../../options.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { jointCodes, type Part, remember, rowsOfPart, tableOfPart, weightsOfPart } from '../../table/classes.js'
import { type Column, isMissing, stackColumns, takeRows } from '../../table/column.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import type { ClassPredictions } from './classes.js'

/**
 * The attack behind RAPID: a model of the target on the keys is fitted on the release alone and applied to real people.
 * Fitted once per release, target, attacker and seed; everything else derives from its predictions.
 */
export const attackOptions = {
  attackers: z
    .array(z.string())
    .min(1)
    .readonly()
    .default(['rf'])
    .describe(
      'models of the attacker: rf, rf-tuned, gbm, cart, logit, multinomial, l1, lm, prior, or strong for a suite of tuned ones; the headline is the worst',
    ),
  hyper: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('options of the models, by attacker: {"rf": {"trees": 200}}'),
  targetType: z
    .enum(['auto', 'classes', 'numbers'])
    .default('auto')
    .describe('auto: text is classes, numbers are numbers, numbers with two values are classes'),
  targetMissing: z
    .enum(['drop', 'level'])
    .default('drop')
    .describe('records with a missing target: left out, or a class of their own'),
  maxTrain: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('train on at most so many released records, drawn at random'),
}

export type Hyper = Readonly<Record<string, unknown>>

export interface AttackOptions {
  readonly attackers: readonly string[]
  readonly hyper: Readonly<Record<string, Hyper>>
  readonly targetType: 'auto' | 'classes' | 'numbers'
  readonly targetMissing: 'drop' | 'level'
  readonly maxTrain: number | null
}

interface NumberPredictions {
  readonly kind: 'numbers'
  readonly truth: Float64Array
  readonly predicted: Float64Array
}

export type Predictions = ClassPredictions | NumberPredictions

/** Real people whose target the attacker tries to infer. */
export interface Scored {
  /** Their rows in the original or in the holdout; people whose target is missing are not among them. */
  readonly rows: Int32Array
  readonly weights: Float64Array | null
  readonly predictions: Predictions
}

export interface Attack {
  readonly attacker: string
  /** Options of its model, as given. */
  readonly hyper: Hyper
  readonly title: string
  readonly members: Scored
  readonly outsiders: Scored | null
  readonly model: Model
}

/** What all attackers of a release have in common. */
export interface Scene {
  readonly keys: readonly string[]
  readonly response: Response
  readonly features: Table
  readonly weights: Float64Array | null
  /** Classes of the response, as codes of all classes; the attacker knows those of the release only. */
  readonly known: Int32Array
  readonly levels: readonly string[]
  readonly shares: Float64Array
  readonly warnings: readonly string[]
  readonly trained: number
  readonly droppedReleased: number
  readonly droppedOriginal: number
  people(part: 'original' | 'holdout'): {
    rows: Int32Array
    features: Table
    weights: Float64Array | null
    truth: Int32Array | Float64Array
  }
}

/** All attackers on a release, and the scene that they have in common. Where the target is constant there is nothing to infer. */
export async function attackRelease(
  subject: Subject,
  options: AttackOptions,
  context: Context,
): Promise<{ readonly scene: Scene; readonly found: readonly Attack[] }> {
  const { release, part, target } = subject
  const scene = setScene(release, part, target, options, context)
  if (scene.shares.includes(1)) throw new NotApplicable('the target is constant in the original')
  return { scene, found: await attacksIn(scene, subject, options, context) }
}

export async function attacks(
  release: Release,
  part: Part,
  target: string,
  options: AttackOptions,
  context: Context,
): Promise<readonly Attack[]> {
  const scene = setScene(release, part, target, options, context)
  return attacksIn(scene, { release, part, target }, options, context)
}

async function attacksIn(
  scene: Scene,
  subject: Subject,
  options: AttackOptions,
  context: Context,
): Promise<readonly Attack[]> {
  const found: Attack[] = []
  for (const { id, hyper } of attackersOf(options, scene.response.kind))
    found.push(await attack(scene, subject, id, hyper, options, context))
  return found
}

/** What is wrong with the attackers, or with the targets as they are to be taken. */
export function attackProblems(release: Release, options: AttackOptions): string[] {
  const ids = learners.map(({ id }) => id)
  const strangers = Object.keys(options.hyper).filter((id) => !ids.includes(id))
  const problems = release.targets.flatMap((target) => {
    const { kind, cardinality } = jointCodes(release, target)
    if (kind === 'categorical' && options.targetType === 'numbers')
      return [`targetType: ${target} is text, which cannot be taken as numbers`]
    const response = isClasses(release, target, options.targetType) ? 'classes' : 'numbers'
    return attackersOf(options, response).flatMap(({ id, hyper }) =>
      attackerProblems(id, hyper, response, cardinality > BINARY),
    )
  })
  return [...strangers.map((id) => `hyper: ${unknownName('attacker', id, ids)}`), ...new Set(problems)]
}

/** The attackers asked for; `strong` is a suite in which no member is weak by its settings. */
function attackersOf({ attackers, hyper }: AttackOptions, response: Response['kind']) {
  const strong: Readonly<Record<string, object>> = {
    'rf-tuned': {},
    gbm: { rounds: 500, earlyStopping: 20 },
    cart: {},
    [response === 'classes' ? 'multinomial' : 'lm']: {},
  }
  const ids = new Set(attackers.flatMap((id) => (id === 'strong' ? Object.keys(strong) : [id])))
  const asStrong = attackers.includes('strong')
  return [...ids].map((id) => ({ id, hyper: { ...(asStrong ? strong[id] : {}), ...hyper[id] } }))
}

/** One attacker's attack, fitted at most once per release. */
function attack(
  scene: Scene,
  { release, part, target }: Subject,
  id: string,
  hyper: Hyper,
  options: AttackOptions,
  context: Context,
): Promise<Attack> {
  return remember(release, attackKey('attack', [part, target, id, hyper], options, context), async () => {
    const { model, title } = await fitAttacker(scene, id, hyper, `${target}/${id}`, context)
    const members = await score(scene, model, 'original')
    const outsiders = release.holdout === null ? null : await score(scene, model, 'holdout')
    return { attacker: id, hyper, title, members, outsiders, model }
  })
}

/** Names everything that an attack depends on. */
export function attackKey(
  what: string,
  of: readonly unknown[],
  { targetType, targetMissing, maxTrain }: AttackOptions,
  { seed }: Context,
): string {
  return `${what} ${JSON.stringify([...of, targetType, targetMissing, maxTrain, seed])}`
}

/** Fits an attacker; its random numbers depend on `name` and the seed, not on the measure that asks first. */
export async function fitAttacker(
  { features, response, weights }: Pick<Scene, 'features' | 'response' | 'weights'>,
  id: string,
  hyper: Hyper,
  name: string,
  context: Context,
): Promise<{ readonly model: Model; readonly title: string }> {
  const several = response.kind === 'classes' && response.levels.length > BINARY
  const problems = attackerProblems(id, hyper, response.kind, several)
  const learner = learnerFor(id, several)
  if (learner === undefined || problems.length > 0) throw new UserError(problems)
  const chosen = parseOptions(`hyper.${id}`, optionsOf(learner, id), hyper)
  const how = { ...fitContext(context, `attack/${name}`, weights), outOfBag: false }
  const model = await learner.fit(features, response, chosen, how)
  return { model, title: learner.title }
}

/** The options of an attacker with fewer trees, where it has any. */
export function thinned(id: string, hyper: Hyper, by: number): Hyper {
  const learner = findLearner(id)
  const counts = ['trees', 'tuningTrees'].filter((name) => learner !== undefined && name in learner.options.shape)
  const chosen: Hyper =
    counts.length === 0 ? {} : parseOptions(`hyper.${id}`, findLearner(id)?.options ?? z.object(), hyper)
  return { ...hyper, ...Object.fromEntries(counts.map((name) => [name, Math.ceil(Number(chosen[name]) / by)])) }
}

/** `logit` with more than two classes is multinomial. */
function learnerFor(id: string, several: boolean) {
  return findLearner(id === 'logit' && several ? 'multinomial' : id)
}

function attackerProblems(id: string, hyper: Hyper, response: Response['kind'], several: boolean): readonly string[] {
  const learner = learnerFor(id, several)
  if (learner === undefined) {
    const ids = learners.map((one) => one.id)
    return [`attackers: ${unknownName('attacker', id, ids)}`]
  }
  if (!learner.responses.includes(response))
    return [`the attacker ${id} cannot predict ${response}; the target is ${response}`]
  return optionProblems(`hyper.${id}`, optionsOf(learner, id), hyper)
}

/** What a logistic regression takes for two classes is no mistake where there are more. */
function optionsOf(learner: Learner<z.ZodObject>, id: string): z.ZodObject {
  return learner.id === id ? learner.options : learner.options.extend(logistic.options.shape)
}

async function score(scene: Scene, model: Model, part: 'original' | 'holdout'): Promise<Scored> {
  const { rows, features, weights, truth } = scene.people(part)
  return { rows, weights, predictions: await predictionsOf(scene, model, features, truth) }
}

/** What the model says about some people; classes that it does not know have probability 0. */
export async function predictionsOf(
  scene: Scene,
  model: Model,
  features: Table,
  truth: Int32Array | Float64Array,
): Promise<Predictions> {
  if (truth instanceof Float64Array) return { kind: 'numbers', truth, predicted: await model.predict(features) }
  const { levels, shares, known } = scene
  const own = await model.predictProbabilities(features)
  const probabilities = new Float64Array(truth.length * levels.length)
  for (let row = 0; row < truth.length; row++) {
    for (let k = 0; k < known.length; k++) probabilities[row * levels.length + known[k]] = own[row * known.length + k]
  }
  return { kind: 'classes', levels, truth, probabilities, shares }
}

/** The predictions for some of the people. */
export function predictionsOfRows(of: Predictions, rows: Int32Array): Predictions {
  if (of.kind === 'numbers')
    return {
      ...of,
      truth: Float64Array.from(rows, (row) => of.truth[row]),
      predicted: Float64Array.from(rows, (row) => of.predicted[row]),
    }
  const width = of.levels.length
  return {
    ...of,
    truth: rows.map((row) => of.truth[row]),
    probabilities: Float64Array.from(
      { length: rows.length * width },
      (_, cell) => of.probabilities[rows[Math.floor(cell / width)] * width + (cell % width)],
    ),
  }
}

export function setScene(
  release: Release,
  part: Part,
  target: string,
  options: AttackOptions,
  context: Context,
): Scene {
  const keys = usefulKeys(release, part)
  const asClasses = isClasses(release, target, options.targetType)
  requireFewClasses(release, target, asClasses)
  const level = asClasses && options.targetMissing === 'level'
  const trainable = rowsWithTarget(release, part, target, level)
  if (trainable.length === 0)
    throw new NotApplicable('no usable records: the target is missing in every released record')
  const sampled = options.maxTrain !== null && options.maxTrain < trainable.length
  const rows = sampled
    ? sampleWithoutReplacement(stream(context.seed, 'attack/train'), trainable.length, options.maxTrain ?? 0)
        .sort()
        .map((k) => trainable[k])
    : trainable
  const truth = targetReader(release, target, asClasses)
  const scored = {
    original: rowsWithTarget(release, 'original', target, level),
    holdout: release.holdout === null ? new Int32Array() : rowsWithTarget(release, 'holdout', target, level),
  }
  if (scored.original.length === 0)
    throw new NotApplicable('no usable records: the target is missing in every original record')
  const codes = asClasses ? truth.codes(part, rows) : new Int32Array()
  const known = Int32Array.from(new Set(codes)).sort()
  const response: Response = asClasses
    ? ({
        kind: 'classes',
        codes: recode(codes, known),
        levels: Array.from(known, (code) => truth.levels[code]),
      } satisfies Classes)
    : ({ kind: 'numbers', values: truth.values(part, rows) } satisfies Numbers)
  const originalWeights = weightsOfPart(release, 'original')
  return {
    keys,
    response,
    features: featuresOf(release, part, keys, rows),
    weights: pick(weightsOfPart(release, part), rows),
    known,
    levels: truth.levels,
    shares: asClasses
      ? sharesOf(truth.codes('original', scored.original), pick(originalWeights, scored.original), truth.levels.length)
      : new Float64Array(),
    warnings: sceneWarnings(release, target, keys, options, asClasses),
    trained: rows.length,
    droppedReleased: releasedRows(release, part) - trainable.length,
    droppedOriginal: release.original.rows - scored.original.length,
    people: (of) => ({
      rows: scored[of],
      features: featuresOf(release, of, keys, scored[of]),
      weights: pick(weightsOfPart(release, of), scored[of]),
      truth: asClasses ? truth.codes(of, scored[of]) : truth.values(of, scored[of]),
    }),
  }
}

/** Keys that vary in the release; an attacker learns nothing from the others. */
function usefulKeys(release: Release, part: Part): readonly string[] {
  return [...release.keys, ...release.numericKeys].filter((name) => {
    const joint = jointCodes(release, name)
    const codes = rowsOfPart(release, joint, joint.codes, part)
    return codes.some((code) => code !== codes[0])
  })
}

/** A model gives every person a probability of every class: with more classes than this it takes too much, and means little. */
const MOST_CLASSES = 1000

function requireFewClasses(release: Release, target: string, asClasses: boolean): void {
  const { cardinality } = jointCodes(release, target)
  if (!asClasses || cardinality <= MOST_CLASSES) return
  throw new NotApplicable(
    `the target "${target}" has ${cardinality.toLocaleString('en-US')} different values, more than the ${MOST_CLASSES.toLocaleString('en-US')} that a model is asked to tell apart; group them`,
  )
}

const BINARY = 2

function isClasses(release: Release, target: string, type: AttackOptions['targetType']): boolean {
  if (type !== 'auto') return type === 'classes'
  const joint = jointCodes(release, target)
  return joint.kind === 'categorical' || (joint.kind === 'numeric' && joint.cardinality <= BINARY)
}

function sceneWarnings(
  release: Release,
  target: string,
  keys: readonly string[],
  options: AttackOptions,
  asClasses: boolean,
): string[] {
  const constant = [...release.keys, ...release.numericKeys].filter((name) => !keys.includes(name))
  const joint = jointCodes(release, target)
  return [
    ...(constant.length > 0 ? [`constant in the release and left out: ${constant.join(', ')}`] : []),
    ...(asClasses && joint.kind === 'numeric' && options.targetType === 'auto'
      ? [`${target} has two values and is taken as classes`]
      : []),
  ]
}

function releasedRows(release: Release, part: Part): number {
  const joint = jointCodes(release, [...release.keys, ...release.numericKeys][0])
  return rowsOfPart(release, joint, joint.codes, part).length
}

function rowsWithTarget(release: Release, part: Part, target: string, level: boolean): Int32Array {
  const joint = jointCodes(release, target)
  const codes = rowsOfPart(release, joint, joint.codes, part)
  return Int32Array.from(codes.keys()).filter((row) => level || codes[row] >= 0)
}

/** Reads the target of chosen rows as class codes over all tables, or as numbers. */
function targetReader(release: Release, target: string, asClasses: boolean) {
  const joint = jointCodes(release, target)
  const labels = asClasses ? labelsOf(joint) : []
  const codesOf = (part: Part) => rowsOfPart(release, joint, joint.codes, part)
  return {
    levels: [...labels, '(missing)'].slice(0, labels.length + (joint.codes.includes(-1) && asClasses ? 1 : 0)),
    codes: (part: Part, rows: Int32Array) => {
      const codes = codesOf(part)
      return rows.map((row) => (codes[row] < 0 ? labels.length : codes[row]))
    },
    values: (part: Part, rows: Int32Array) => {
      const codes = codesOf(part)
      return Float64Array.from(rows, (row) => joint.numbers[codes[row]])
    },
  }
}

/** Codes as places in a list of codes. */
export function recode(codes: Int32Array, known: Int32Array): Int32Array {
  const place = new Map(Array.from(known, (code, k) => [code, k]))
  return codes.map((code) => place.get(code) ?? 0)
}

function sharesOf(codes: Int32Array, weights: Float64Array | null, levels: number): Float64Array {
  const sums = new Float64Array(levels)
  let total = 0
  for (let row = 0; row < codes.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    sums[codes[row]] += weight
    total += weight
  }
  return sums.map((sum) => sum / total)
}

function pick(values: Float64Array | null, rows: Int32Array): Float64Array | null {
  return values === null ? null : Float64Array.from(rows, (row) => values[row])
}

function featuresOf(release: Release, part: Part, keys: readonly string[], rows: Int32Array): Table {
  const columns = keys.map((name) => takeRows(columnOfPart(release, part, name), rows))
  return { name: 'keys', columns, rows: rows.length }
}

/** A column of a part; all releases together are one column below the other. */
function columnOfPart(release: Release, part: Part, name: string): Column {
  if (part === 'all') return stackColumns(release.released.map((one) => columnOf(one, name)))
  return columnOf(tableOfPart(release, part), name)
}

/** Share of people who have a key value that no released record has. */
export function unseenShare(scene: Scene, part: 'original' | 'holdout'): number {
  const { features, rows } = scene.people(part)
  const unseen = new Uint8Array(rows.length)
  for (const [k, column] of features.columns.entries()) {
    const trained = scene.features.columns[k]
    if (column.kind !== 'categorical' || trained.kind !== 'categorical') continue
    const seen = new Set(trained.codes)
    for (let row = 0; row < rows.length; row++)
      if (!isMissing(column, row) && !seen.has(column.codes[row])) unseen[row] = 1
  }
  return rows.length === 0 ? 0 : unseen.reduce((sum, flag) => sum + flag, 0) / rows.length
}
