import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { UserError, unknownName } from '../errors.js'
import { count } from '../print.js'
import { stream } from '../random/stream.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { type Synthesizer, synthesizerOptions } from '../synthesizers/synthesizer.js'
import { release } from '../table/release.js'
import { columnOf, findColumn, type Table, table } from '../table/table.js'
import { type AbortSignalLike, inline, type TaskRunner, throwIfAborted } from '../tasks/task.js'
import type { CandidateOptions, Prior } from './candidates.js'
import type { CartSettings } from './cart-generator.js'
import { type CollinearGuard, collinearGuard } from './collinear.js'
import { abcLikelihoods } from './engines/abc.js'
import { classifierLikelihoods } from './engines/classifier.js'
import { dirichletLikelihoods } from './engines/dirichlet.js'
import type { CellBoxes, EngineName, Likelihoods, SimulationSettings, Worlds } from './engines/engine.js'
import { exactLikelihoods } from './engines/exact.js'
import { exactCart, type WorldLikelihood } from './engines/exact-cart.js'
import { cartGenerator, type Generator, synthesizerGenerator } from './engines/generators.js'
import { effectiveDraws, mixtureLikelihoods } from './engines/mixture.js'
import { pathLikelihoods } from './engines/path.js'
import { type AttackVerdict, normalised, type RiskSummary } from './posterior.js'
import { postprocessed } from './postprocessing.js'
import {
  codeByLabels,
  codeRecords,
  donorShare,
  type Records,
  type ReleasedSets,
  recordLabel,
  releasedSets,
  type Variable,
  variablesOf,
} from './records.js'
import { type SeedAttack, seedAttack } from './seed-attack.js'
import { type Refinement, sweep } from './sweep.js'
import { candidatesOf, type TargetResult, type TargetSource, targetResult, type WeightedLogs } from './target.js'

/**
 * The strong-attacker game (Latner, Neunhoeffer and Drechsler 2025; Reiter, Wang and Zhang 2014): an attacker knows how the
 * release was made and every original record but one, and asks which record the last one must have been for the release to
 * look as it does. Worlds are the known records plus one candidate each; Bayes' theorem gives the probability of each.
 *
 * It bounds what the *generator* gives away about a record. Whoever knows less learns less; it is no forecast of a real
 * attack.
 */
export interface AttackInput {
  readonly original: Table
  /** The sets of one release; when there are none, releases are simulated from the original. */
  readonly released?: readonly Table[] | undefined
  readonly holdout?: Table | undefined
  /** Columns to play with, in the order of synthesis; all of the original when not given. */
  readonly variables?: readonly string[] | undefined
  readonly record?: RecordChoice | undefined
  readonly candidates?: CandidateOptions | undefined
  /** Records of the candidate kind `list`. */
  readonly list?: Table | undefined
  readonly prior?: Prior | undefined
  readonly synthesizer?: Synthesizer | undefined
  readonly options?: object | undefined
  /** An attacker who is not sure of the options: those that are possible, with weights. Instead of `options`. */
  readonly hypotheses?: readonly Hypothesis[] | undefined
  /** Sets of each world that another synthesizer made before, by the number of the candidate and its label; as many each. */
  readonly worldSets?: ((world: number, label: string) => Promise<readonly Table[]>) | undefined
  /** Options of `sdc`, which the sets go through before they are released: part of the generator. */
  readonly postprocessing?: object | undefined
  /** Keys of the postprocessing; all variables when not given. */
  readonly postprocessingKeys?: readonly string[] | undefined
  /** The seed of the synthesis, if it got out: the attacker makes the sets of every world again. One record, given sets. */
  readonly publishedSeed?: number | undefined
  /** An attacker who knows only this share of the other records, chosen at random, and guesses the rest. */
  readonly knownShare?: number | undefined
  readonly engine?: EngineName | undefined
  /** Simulated releases. */
  readonly releases?: number | undefined
  /** Sets per simulated release. */
  readonly m?: number | undefined
  /** Records per simulated set; as many as the original has when not given. */
  readonly rows?: number | undefined
  /** Simulated sets per world, for engines that simulate. */
  readonly simulations?: number | undefined
  readonly alpha?: number | undefined
  readonly accept?: number | undefined
  /** `all` plays every record of a sweep exactly, `some` screens first, `auto` only where playing all would take long. */
  readonly refine?: Refinement | undefined
  readonly seed?: number | undefined
}

/** The rarest combination, the last row, a row (from 0), rows, all rows that are unique, or all. */
export type RecordChoice = 'rarest' | 'last' | 'uniques' | 'all' | number | readonly number[]

export interface Hypothesis {
  readonly options: object
  readonly weight: number
}

export interface AttackHow {
  /** Threads for a sweep over many records; no result depends on them. */
  readonly tasks?: TaskRunner | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export type { TargetResult } from './target.js'

export interface AttackResult {
  readonly synthesizer: string
  readonly engine: EngineName
  readonly attacker: string
  readonly records: number
  readonly variables: readonly string[]
  readonly given: boolean
  readonly releases: number
  readonly setsPerRelease: number
  readonly targets: readonly TargetResult[]
  /** The riskiest target. */
  readonly worst: TargetResult | null
  /** Normalised risk of the worst target, and the mean over records. */
  readonly risk: number | null
  readonly meanRisk: number | null
  /** Share of the attacked records whose mean posterior is one half or more. */
  readonly shareAtLeastHalf: number | null
  /** How many records rest on the screen. */
  readonly screen: ScreenCounts
  readonly verdict: AttackVerdict | null
  /** Worlds of the first target that the published seed reproduces; null where none was published. */
  readonly seedAttack: SeedAttack | null
  /** Share of released numbers whose exact value is that of one single original record. */
  readonly supportLeak: number | null
  readonly notes: readonly string[]
  /** What charts draw from. */
  readonly game: PreparedGame
}

interface ScreenCounts {
  /** Records that were played as the engine says. */
  readonly exact: number
  /** Records that rest on the screen, and those of them with a mean posterior of one half or more. */
  readonly records: number
  readonly atLeastHalf: number
}

/** Everything that the game about any record needs. */
export interface PreparedGame {
  /** With the columns and levels of all. */
  readonly tables: { readonly original: Table; readonly released: readonly Table[] }
  readonly variables: readonly Variable[]
  readonly original: Records
  readonly holdout: Records | null
  readonly list: Records | null
  readonly sets: ReleasedSets
  readonly setsPerRelease: number
  readonly releases: number
  readonly given: boolean
  readonly synthesizer: Synthesizer
  /** One, or several for an attacker who is not sure. */
  readonly models: readonly AttackerModel[]
  readonly engine: EngineName
  readonly seed: number
}

interface AttackerModel {
  readonly weight: number
  /** Trees with nothing but the usual settings have a faster exact engine. */
  readonly cart: CartSettings | null
  /** What engines simulate with. */
  readonly generator: Generator
  /** The synthesizer itself, with all that it may do. */
  readonly full: Generator
}

interface FastEngine {
  readonly likelihood: WorldLikelihood
  readonly isSuspicious: CollinearGuard
}

const RELEASES = 200
const LEAST_SIMULATIONS = 200
const SIMULATIONS_PER_WORLD = 20
const ALPHA = 0.5
const ACCEPT = 0.01
/** Draws of the records that a weaker attacker does not know. */
const COMPLETIONS = 20
const DEFAULT_SEED = 1
/** Targets times releases whose posteriors are all kept. */
const MOST_POSTERIORS = 20_000

export async function attack(input: AttackInput, how: AttackHow = {}): Promise<AttackResult> {
  const game = await prepareGame(input)
  const rows = targetRows(game, input.record ?? 'rarest')
  if (input.worldSets !== undefined && rows.length > 1)
    throw new UserError('sets of the worlds are about one record; choose one')
  const source = sourceOf(game, input, rows.length)
  const played = await playAll(game, source, input, rows, how)
  const targets = played.map(({ result }, k) => ({ ...result, frequency: rows[k].frequency }))
  const notes = new Set(played.flatMap((one) => one.notes))
  const unreliable = played.reduce<string | null>((first, one) => first ?? one.unreliable, null)
  if (unreliable !== null) notes.add(`no verdict: ${unreliable}`)
  const worst = worstOf(targets)
  if (targets.some(({ posteriors }) => posteriors.some(({ modelRejected }) => modelRejected)))
    notes.add('some releases are impossible in every world: the attacker assumes another generator than the one used')
  const screen = screenOf(targets)
  if (screen.records > 0) notes.add(screenNote(screen))
  return {
    synthesizer: game.synthesizer.id,
    engine: game.engine,
    attacker: attackerText(game, input),
    records: game.original.rows,
    variables: game.variables.map(({ name }) => name),
    given: game.given,
    releases: game.releases,
    setsPerRelease: game.setsPerRelease,
    targets,
    worst,
    risk: worst?.summary?.risk ?? null,
    meanRisk: shareOf(targets, ({ risk }) => risk),
    shareAtLeastHalf: shareOf(targets, ({ meanPosterior }) => (meanPosterior >= HALF ? 1 : 0)),
    screen,
    verdict: unreliable === null ? (worst?.summary?.verdict ?? null) : null,
    seedAttack: await attackBySeed(game, targets, input),
    supportLeak: donorShare(game.variables, game.original, game.sets),
    notes: [...notes],
    game,
  }
}

async function attackBySeed(
  { tables, given, variables, synthesizer }: PreparedGame,
  targets: readonly TargetResult[],
  { publishedSeed: seed, options, hypotheses, postprocessing }: AttackInput,
): Promise<SeedAttack | null> {
  if (seed === undefined) return null
  if (postprocessing !== undefined)
    throw new UserError('the attack by a published seed is about sets as they were made, without postprocessing')
  if (!given) throw new UserError('a published seed tells something only about a release that is given')
  if (targets.length !== 1) throw new UserError('the attack by a published seed is about one record; choose one')
  if (hypotheses !== undefined) throw new UserError('the attack by a published seed needs the options of the synthesis')
  const [{ row, candidates }] = targets
  const { original, released } = tables
  return seedAttack({ variables, original, row, candidates, released, synthesizer, options, seed })
}

const HALF = 0.5

/** Mean over the records of the targets that have a summary. */
function shareOf(targets: readonly TargetResult[], value: (summary: RiskSummary) => number): number | null {
  let records = 0
  let sum = 0
  for (const { summary, frequency } of targets) {
    if (summary === null) continue
    records += frequency
    sum += frequency * value(summary)
  }
  return records === 0 ? null : sum / records
}

function screenOf(targets: readonly TargetResult[]): ScreenCounts {
  const count = (wanted: (target: TargetResult) => boolean) =>
    targets.reduce((sum, target) => sum + (wanted(target) ? target.frequency : 0), 0)
  return {
    exact: count(({ screened }) => !screened),
    records: count(({ screened }) => screened),
    atLeastHalf: count(({ screened, summary }) => screened && (summary?.meanPosterior ?? 0) >= HALF),
  }
}

function screenNote({ exact, records, atLeastHalf }: ScreenCounts): string {
  return `${count(records, 'record')} rest on the screen, which keeps the trees as they are and clears nobody (${count(atLeastHalf, 'record')} of one half or more among them); ${count(exact, 'record')} were played exactly. Refine all for the rest`
}

function sourceOf(
  game: PreparedGame,
  { candidates = {}, prior = 'uniform' }: AttackInput,
  targets: number,
): TargetSource {
  const { variables, original, holdout, list, sets, setsPerRelease, releases, seed } = game
  return {
    variables,
    original,
    holdout,
    list,
    sets,
    setsPerRelease,
    releases,
    seed,
    candidateOptions: candidates,
    prior,
    keepAll: targets * releases <= MOST_POSTERIORS,
  }
}

/** All targets: trees of which everything is known on many threads, anything else one after the other. */
async function playAll(
  game: PreparedGame,
  source: TargetSource,
  input: AttackInput,
  rows: readonly TargetRow[],
  how: AttackHow,
): Promise<Played[]> {
  const { tasks = inline, progress, signal } = how
  const trees = game.models.flatMap(({ weight, cart }) => (cart === null ? [] : [{ weight, cart }]))
  const isTreeGame = game.engine === 'exact' && input.knownShare === undefined && trees.length === game.models.length
  const swept = isTreeGame
    ? await sweep(
        { ...source, models: trees },
        rows.map(({ row }) => row),
        input.refine ?? 'auto',
        tasks,
        { progress, signal },
      )
    : []
  const play = player(game, source, input, how)
  const played: Played[] = []
  for (const [k, { row }] of rows.entries()) {
    throwIfAborted(signal)
    const result = swept[k] ?? null
    played.push(result === null ? await play(row) : { result, notes: [], unreliable: null })
    if (!isTreeGame) progress?.(k + 1, rows.length)
  }
  return played
}

function worstOf(targets: readonly TargetResult[]): TargetResult | null {
  const judged = targets.filter(({ summary }) => summary !== null)
  const risk = ({ summary }: TargetResult) => summary?.risk ?? 0
  return judged.reduce<TargetResult | null>(
    (worst, one) => (worst === null || risk(one) > risk(worst) ? one : worst),
    null,
  )
}

function attackerText({ models, synthesizer }: PreparedGame, { knownShare }: AttackInput): string {
  const records =
    knownShare === undefined ? 'every other record' : `${Math.round(100 * knownShare)} % of the other records`
  const options = models.length === 1 ? 'its options' : `that its options are one of ${models.length} sets of them`
  return `knows ${records}, the synthesizer ${synthesizer.id} and ${options}`
}

/** Codes the tables, and simulates releases if none are given. */
export async function prepareGame(input: AttackInput): Promise<PreparedGame> {
  const { seed = DEFAULT_SEED, m = 1, releases = RELEASES } = input
  const synthesizer = synthesizerOf(input)
  if (input.original.rows < 2)
    throw new UserError(`${input.original.name} has fewer than two records: nothing to know, nothing to guess`)
  requireAtLeast('the number of releases', releases, 1)
  requireAtLeast('the number of sets per release', m, 1)
  const names = input.variables ?? input.original.columns.map(({ name }) => name)
  const tables = reconciled(input, names)
  const options = input.hypotheses ?? [{ options: input.options ?? {}, weight: 1 }]
  const parsed = options.map((hypothesis) => ({
    ...hypothesis,
    chosen: synthesizerOptions(synthesizer, hypothesis.options),
  }))
  const given = tables.released.length > 0
  if (input.worldSets !== undefined && !given)
    throw new UserError('sets of the worlds were given; give the released sets, too')
  const sets = given
    ? tables.released
    : await simulatedSets(tables.original, synthesizer, parsed[0].chosen, releases * m, input)
  const variables = variablesOf(names, [tables.original, ...(given ? tables.released : []), ...tables.others])
  const weights = normalised(options.map(({ weight }) => weight))
  const models = parsed.map(({ options: chosenBy, chosen }, k): AttackerModel => {
    const cart = plainCart(synthesizer, chosenBy)
    const full = synthesizerGenerator(variables, synthesizer, chosen, tables.original)
    return { weight: weights[k], cart, full, generator: cart === null ? full : cartGenerator(variables, cart) }
  })
  const coded = (one: Table | undefined) => (one === undefined ? null : codeRecords(variables, one))
  return {
    tables,
    variables,
    original: codeRecords(variables, tables.original),
    holdout: coded(tables.holdout),
    list: coded(tables.list),
    sets: releasedSets(
      variables,
      sets.map((one) => codeRecords(variables, one)),
    ),
    setsPerRelease: given ? tables.released.length : m,
    releases: given ? 1 : releases,
    given,
    synthesizer,
    models,
    engine: await engineOf(input, synthesizer, parsed[0].chosen, tables.original),
    seed,
  }
}

const madeElsewhere: Synthesizer = {
  id: 'given sets',
  title: 'Sets made before',
  options: z.object({}),
  fit() {
    throw new UserError(
      'sets of the worlds were given, so there is nothing to simulate with; use dm, mix, abc or classifier',
    )
  },
}

function synthesizerOf({ synthesizer = cartSynthesizer, ...input }: AttackInput): Synthesizer {
  if (input.worldSets !== undefined) return madeElsewhere
  const { postprocessing, postprocessingKeys = input.variables ?? [], rows } = input
  return postprocessing === undefined
    ? synthesizer
    : postprocessed(synthesizer, postprocessing, postprocessingKeys, rows)
}

/** What was asked for; else the best that the synthesizer allows. */
async function engineOf(
  { engine, postprocessing, worldSets, seed = DEFAULT_SEED }: AttackInput,
  synthesizer: Synthesizer,
  options: Record<string, unknown>,
  original: Table,
): Promise<EngineName> {
  const isExact = engine === 'exact' || engine === 'path'
  if (isExact && postprocessing !== undefined)
    throw new UserError(
      `the engine ${engine} knows no probability of records after postprocessing, which looks at the original; use dm`,
    )
  if (isExact && worldSets !== undefined)
    throw new UserError(`the engine ${engine} needs a synthesizer, and sets of the worlds were given; use dm`)
  if (engine !== undefined) return engine
  if (postprocessing !== undefined || worldSets !== undefined) return 'dm'
  if (synthesizer.id === cartSynthesizer.id) return 'exact'
  const fitted = await synthesizer.fit(original, options, (purpose) => stream(seed, `attack/engine/${purpose}`))
  if (fitted.logProbOfSet !== undefined) return 'exact'
  if (synthesizer.fitsAnew?.(options)) return 'mix'
  return fitted.logProb === undefined ? 'dm' : 'exact'
}

function requireAtLeast(what: string, value: number, least: number): void {
  if (!(Number.isSafeInteger(value) && value >= least))
    throw new UserError(`${what} must be at least ${least}, but it is ${value}`)
}

interface Reconciled {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
  readonly list: Table | undefined
  readonly others: readonly Table[]
}

/** The wanted columns of all tables, with the same types and levels. */
function reconciled({ original, released = [], holdout, list }: AttackInput, names: readonly string[]): Reconciled {
  const all = [
    original,
    ...released,
    ...(holdout === undefined ? [] : [holdout]),
    ...(list === undefined ? [] : [list]),
  ]
  const known = original.columns.map(({ name }) => name)
  const problems = names.filter((name) => !known.includes(name)).map((name) => unknownName('variable', name, known))
  if (problems.length > 0) throw new UserError(problems)
  const lacking = all.flatMap((one) =>
    names.filter((name) => findColumn(one, name) === undefined).map((name) => `${one.name} has no column "${name}"`),
  )
  if (lacking.length > 0) throw new UserError(lacking)
  const only = all.map((one) =>
    table(
      one.name,
      names.map((name) => columnOf(one, name)),
    ),
  )
  if (only.length === 1) return { original: only[0], released: [], holdout: undefined, list: undefined, others: [] }
  const matched = release({ original: only[0], released: only.slice(1) })
  const [sets, rest] = [matched.released.slice(0, released.length), matched.released.slice(released.length)]
  return {
    original: matched.original,
    released: sets,
    holdout: holdout === undefined ? undefined : rest[0],
    list: list === undefined ? undefined : rest[holdout === undefined ? 0 : 1],
    others: rest,
  }
}

async function simulatedSets(
  original: Table,
  synthesizer: Synthesizer,
  options: Record<string, unknown>,
  sets: number,
  { rows = original.rows, seed = DEFAULT_SEED }: AttackInput,
): Promise<Table[]> {
  const streams = (set: number) => (purpose: string) => stream(seed, `attack/release/${purpose}`, set)
  const first = await synthesizer.fit(original, options, streams(0))
  const made: Table[] = []
  for (let set = 0; set < sets; set++) {
    const fitted =
      synthesizer.fitsAnew?.(options) && set > 0 ? await synthesizer.fit(original, options, streams(set)) : first
    made.push(await fitted.sample(rows, streams(set)))
  }
  return made
}

const PLAIN_CART = ['minbucket', 'cp', 'collapse']

/** The settings of trees, if nothing but these was asked for. */
function plainCart(synthesizer: Synthesizer, given: object): CartSettings | null {
  if (synthesizer.id !== 'cart' || Object.keys(given).some((name) => !PLAIN_CART.includes(name))) return null
  const { minbucket, cp, collapse } = cartSynthesizer.options.parse(given)
  return { minbucket, cp, collapse }
}

interface TargetRow {
  readonly row: number
  readonly frequency: number
}

/** The rows to attack, each distinct record once; with the number of equal ones. */
function targetRows({ variables, original }: PreparedGame, choice: RecordChoice): TargetRow[] {
  const { ids, count: classes } = groupRows(
    variables.map(({ codes }, j) => ({ codes: original.codes[j], cardinality: codes })),
    original.rows,
  )
  const frequency = new Int32Array(classes)
  const first = new Int32Array(classes).fill(-1)
  ids.forEach((id, row) => {
    frequency[id]++
    if (first[id] < 0) first[id] = row
  })
  const at = (row: number) => {
    if (!(Number.isInteger(row) && row >= 0 && row < original.rows))
      throw new UserError(`there is no record ${row + 1}; the original has ${count(original.rows, 'record')}`)
    return { row, frequency: frequency[ids[row]] }
  }
  const all = Array.from(first, at)
  switch (choice) {
    case 'rarest':
      return [all.reduce((rarest, one) => (one.frequency < rarest.frequency ? one : rarest))]
    case 'last':
      return [at(original.rows - 1)]
    case 'all':
      return all
    case 'uniques': {
      const uniques = all.filter((one) => one.frequency === 1)
      if (uniques.length === 0) throw new UserError('no record of the original is unique')
      return uniques
    }
    default:
      return typeof choice === 'number' ? [at(choice)] : choice.map(at)
  }
}

interface Played {
  readonly result: TargetResult
  readonly notes: readonly string[]
  readonly unreliable: string | null
}

/** Plays the game about a row; what several rows share is made once. */
function player(
  game: PreparedGame,
  source: TargetSource,
  input: AttackInput,
  how: AttackHow,
): (row: number) => Promise<Played> {
  const { variables, seed, models } = game
  const completions = completionsOf(game, input)
  const fast = new Map<Records, Map<AttackerModel, FastEngine>>()
  const fastEngine = (base: Records, model: AttackerModel, cart: CartSettings): FastEngine => {
    const known = fast.get(base) ?? new Map<AttackerModel, FastEngine>()
    if (input.knownShare === undefined) fast.set(base, known)
    const engine = known.get(model) ?? {
      likelihood: exactCart(variables, base, cart, game.sets),
      isSuspicious: collinearGuard(variables, base),
    }
    known.set(model, engine)
    return engine
  }
  const likelihoods = async (worlds: Worlds, model: AttackerModel): Promise<Likelihoods> => {
    if (game.engine === 'exact' && model.cart !== null) {
      const { likelihood, isSuspicious } = fastEngine(worlds.original, model, model.cart)
      const inFull = worlds.candidates.filter((candidate) => isSuspicious(worlds.row, candidate))
      const full = await exactLikelihoods({ ...worlds, candidates: inFull }, settingsOf(inFull.length, model.full))
      const logs = worlds.candidates.map((candidate) =>
        inFull.includes(candidate) ? full.logs[inFull.indexOf(candidate)] : likelihood.of(worlds.row, candidate),
      )
      return { logs, notes: [], unreliable: null }
    }
    const settings = settingsOf(worlds.candidates.length, model.generator)
    const made = await setsMadeBefore(game, input, worlds)
    return engineLikelihoods(
      game.engine,
      worlds,
      model,
      made === null ? settings : { ...settings, made, simulations: made[0].length },
    )
  }
  const settingsOf = (worlds: number, generator: Generator): SimulationSettings => ({
    generator,
    made: null,
    simulations: input.simulations ?? Math.max(LEAST_SIMULATIONS, SIMULATIONS_PER_WORLD * worlds),
    alpha: input.alpha ?? ALPHA,
    accept: input.accept ?? ACCEPT,
    random: (purpose, index) => stream(seed, `attack/simulate/${purpose}`, index),
    seed,
    signal: how.signal,
  })
  return async (row) => {
    const set = candidatesOf(source, row)
    const candidates = set.worlds.flatMap(({ records }) => records)
    const found: WeightedLogs[] = []
    const notes: string[] = []
    let unreliable: string | null = null
    let boxes: CellBoxes | null = null
    for (const base of completions(row)) {
      for (const model of models) {
        const computed = await likelihoods(
          { variables, original: base.records, row: base.row, candidates, sets: game.sets },
          model,
        )
        found.push({ weight: model.weight * base.weight, logs: computed.logs })
        notes.push(...computed.notes)
        unreliable ??= computed.unreliable
        boxes ??= computed.boxes ?? null
      }
    }
    const result = { ...targetResult(source, row, set, found, false), boxes }
    if (input.knownShare !== undefined) unreliable ??= tooFewEffective(result, found, game.setsPerRelease)
    return { result, notes, unreliable }
  }
}

const LEAST_EFFECTIVE = 10

/** A mean over guesses of the unknown records is soon that of one or two; then there is no verdict. */
function tooFewEffective(
  { posteriors, candidates }: TargetResult,
  found: readonly WeightedLogs[],
  setsPerRelease: number,
): string | null {
  const least = posteriors.reduce((few, { map: [winner] }, release) => {
    if (winner === undefined) return few
    const at = candidates.worlds.slice(0, winner).reduce((sum, { records }) => sum + records.length, 0)
    const from = release * setsPerRelease
    const logs = found.map(({ logs: all }) =>
      all[at].subarray(from, from + setsPerRelease).reduce((sum, log) => sum + log, 0),
    )
    return Math.min(few, effectiveDraws(logs))
  }, Number.POSITIVE_INFINITY)
  return least < LEAST_EFFECTIVE
    ? `at least one release has only ${least.toFixed(1)} effective guesses of the unknown records in its most probable world`
    : null
}

/** The sets that were given for each world of the only target. */
async function setsMadeBefore(
  { variables }: PreparedGame,
  { worldSets }: AttackInput,
  { candidates }: Worlds,
): Promise<Records[][] | null> {
  if (worldSets === undefined) return null
  const made: Records[][] = []
  for (const [k, candidate] of candidates.entries()) {
    const sets = await worldSets(k, recordLabel(variables, candidate))
    made.push(sets.map((one) => codeByLabels(variables, one)))
    if (made[k].length !== made[0].length || made[k].length === 0)
      throw new UserError(`world ${k + 1} has ${count(made[k].length, 'set')}, world 1 has ${made[0].length}`)
  }
  return made
}

function engineLikelihoods(
  engine: EngineName,
  worlds: Worlds,
  model: AttackerModel,
  settings: SimulationSettings,
): Promise<Likelihoods> | Likelihoods {
  switch (engine) {
    case 'exact':
      return exactLikelihoods(worlds, settings)
    case 'path':
      if (model.cart === null) throw new UserError('the engine path is for the synthesizer cart with its plain options')
      return pathLikelihoods(worlds, model.cart)
    case 'dm':
      return dirichletLikelihoods(worlds, settings)
    case 'mix':
      return mixtureLikelihoods(worlds, settings)
    case 'abc':
      return abcLikelihoods(worlds, settings)
    case 'classifier':
      return classifierLikelihoods(worlds, settings)
  }
}

interface Completion {
  readonly records: Records
  readonly row: number
  readonly weight: number
}

/** The original records as the attacker takes them to be: as they are, or with guesses for those not known. */
function completionsOf(game: PreparedGame, { knownShare }: AttackInput): (row: number) => readonly Completion[] {
  const { original, holdout, seed } = game
  if (knownShare === undefined) return (row) => [{ records: original, row, weight: 1 }]
  if (!(knownShare >= 0 && knownShare <= 1))
    throw new UserError(`the known share lies between 0 and 1, but it is ${knownShare}`)
  return (row) =>
    Array.from({ length: COMPLETIONS }, (_, h) => {
      // Who is known does not change from draw to draw; who stands in for the others does.
      const whoIsKnown = stream(seed, 'attack/known', row)
      const guess = stream(seed, `attack/completion/${h}`, row)
      const codes = original.codes.map((column) => column.slice())
      const from = holdout ?? original
      for (let other = 0; other < original.rows; other++) {
        const known = whoIsKnown.uniform() < knownShare || other === row
        const drawn = guess.below(holdout === null ? from.rows - 1 : from.rows)
        if (known) continue
        const stand = holdout === null && drawn >= row ? drawn + 1 : drawn
        for (let j = 0; j < codes.length; j++) codes[j][other] = from.codes[j][stand]
      }
      return { records: { codes, rows: original.rows }, row, weight: 1 / COMPLETIONS }
    })
}
