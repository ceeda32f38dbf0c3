import { groupRows } from '@scrim/kernels'
import { UserError, unknownName } from '../errors.js'
import { count } from '../print.js'
import { stream } from '../random/stream.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { type Synthesizer, synthesizerOptions } from '../synthesizers/synthesizer.js'
import { release } from '../table/release.js'
import { columnOf, findColumn, type Table, table } from '../table/table.js'
import { type AbortSignalLike, throwIfAborted } from '../tasks/task.js'
import { type CandidateOptions, type CandidateSet, candidateSet, type Prior, priorOf } from './candidates.js'
import type { CartSettings } from './cart-generator.js'
import { type CollinearGuard, collinearGuard } from './collinear.js'
import { abcLikelihoods } from './engines/abc.js'
import { classifierLikelihoods } from './engines/classifier.js'
import { dirichletLikelihoods } from './engines/dirichlet.js'
import type { EngineName, Likelihoods, SimulationSettings, Worlds } from './engines/engine.js'
import { exactLikelihoods } from './engines/exact.js'
import { exactCart, type WorldLikelihood } from './engines/exact-cart.js'
import { cartGenerator, type Generator, synthesizerGenerator } from './engines/generators.js'
import { mixtureLikelihoods } from './engines/mixture.js'
import { pathLikelihoods } from './engines/path.js'
import {
  type AttackVerdict,
  logMeanExp,
  normalised,
  type Posterior,
  posterior,
  type RiskSummary,
  summariseRisk,
} from './posterior.js'
import {
  codeRecords,
  donorShare,
  type Records,
  type ReleasedSets,
  recordAt,
  recordLabel,
  releasedSets,
  type Variable,
  variablesOf,
} from './records.js'

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
  readonly seed?: number | undefined
}

/** The rarest combination, the last row, a row (from 0), rows, all rows that are unique, or all. */
export type RecordChoice = 'rarest' | 'last' | 'uniques' | 'all' | number | readonly number[]

export interface Hypothesis {
  readonly options: object
  readonly weight: number
}

export interface AttackHow {
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

/** The game about one record (or about several equal ones). */
export interface TargetResult {
  /** From 0; the first of equal ones. */
  readonly row: number
  readonly label: string
  /** Original records that are equal to it, itself included. */
  readonly frequency: number
  readonly candidates: CandidateSet
  readonly prior: readonly number[]
  /** By release: what the attacker believes after all its sets. */
  readonly posteriors: readonly Posterior[]
  /** Of the first release: what the attacker believes after its first set, its first two, and so on. */
  readonly overSets: readonly Posterior[]
  /** Null when the truth is not among the candidates, or every release contradicts the attacker's model. */
  readonly summary: RiskSummary | null
}

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
  readonly verdict: AttackVerdict | null
  /** Share of released numbers whose exact value is that of one single original record. */
  readonly supportLeak: number | null
  readonly notes: readonly string[]
  /** What charts draw from. */
  readonly game: PreparedGame
}

/** Everything that the game about any record needs. */
export interface PreparedGame {
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

export async function attack(input: AttackInput, how: AttackHow = {}): Promise<AttackResult> {
  const game = await prepareGame(input)
  const rows = targetRows(game, input.record ?? 'rarest')
  const play = player(game, input, how)
  const notes = new Set<string>()
  const targets: TargetResult[] = []
  let unreliable: string | null = null
  for (const [k, target] of rows.entries()) {
    throwIfAborted(how.signal)
    const played = await play(target.row)
    targets.push({ ...played.result, frequency: target.frequency })
    for (const note of played.notes) notes.add(note)
    unreliable ??= played.unreliable
    how.progress?.(k + 1, rows.length)
  }
  if (unreliable !== null) notes.add(`no verdict: ${unreliable}`)
  const summaries = targets.flatMap(({ summary, frequency }) => (summary === null ? [] : [{ summary, frequency }]))
  const worst = worstOf(targets)
  if (targets.some(({ posteriors }) => posteriors.some(({ modelRejected }) => modelRejected)))
    notes.add('some releases are impossible in every world: the attacker assumes another generator than the one used')
  const records = summaries.reduce((sum, { frequency }) => sum + frequency, 0)
  const share = (value: (summary: RiskSummary) => number) =>
    records === 0
      ? null
      : summaries.reduce((sum, { summary, frequency }) => sum + frequency * value(summary), 0) / records
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
    meanRisk: share(({ risk }) => risk),
    shareAtLeastHalf: share(({ meanPosterior }) => (meanPosterior >= 0.5 ? 1 : 0)),
    verdict: unreliable === null ? (worst?.summary?.verdict ?? null) : null,
    supportLeak: donorShare(game.variables, game.original, game.sets),
    notes: [...notes],
    game,
  }
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
  const { synthesizer = cartSynthesizer, seed = DEFAULT_SEED, m = 1, releases = RELEASES } = input
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
    engine: input.engine ?? 'exact',
    seed,
  }
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
function player(game: PreparedGame, input: AttackInput, how: AttackHow): (row: number) => Promise<Played> {
  const { variables, original, seed, models } = game
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
    return engineLikelihoods(game.engine, worlds, model, settingsOf(worlds.candidates.length, model.generator))
  }
  const settingsOf = (worlds: number, generator: Generator): SimulationSettings => ({
    generator,
    simulations: input.simulations ?? Math.max(LEAST_SIMULATIONS, SIMULATIONS_PER_WORLD * worlds),
    alpha: input.alpha ?? ALPHA,
    accept: input.accept ?? ACCEPT,
    random: (purpose, index) => stream(seed, `attack/simulate/${purpose}`, index),
    seed,
    signal: how.signal,
  })
  return async (row) => {
    const set = candidateSet(
      { variables, original, holdout: game.holdout, list: game.list },
      row,
      input.candidates ?? {},
      stream(seed, 'attack/candidates', row),
    )
    const prior = priorOf(input.prior ?? 'uniform', set, original, row)
    const candidates = set.worlds.flatMap(({ records }) => records)
    const found: { weight: number; logs: readonly Float64Array[] }[] = []
    const notes: string[] = []
    let unreliable: string | null = null
    for (const base of completions(row)) {
      for (const model of models) {
        const computed = await likelihoods(
          { variables, original: base.records, row: base.row, candidates, sets: game.sets },
          model,
        )
        found.push({ weight: model.weight * base.weight, logs: computed.logs })
        notes.push(...computed.notes)
        unreliable ??= computed.unreliable
      }
    }
    const worldLogs = (from: number, to: number) => worldLikelihoods(set, found, from, to)
    const posteriorOf = (from: number, to: number) => posterior(worldLogs(from, to), prior, set.truth)
    const m = game.setsPerRelease
    const posteriors = Array.from({ length: game.releases }, (_, r) => posteriorOf(r * m, (r + 1) * m))
    const result: TargetResult = {
      row,
      label: recordLabel(variables, recordAt(original, row)),
      frequency: 1,
      candidates: set,
      prior,
      posteriors,
      overSets: Array.from({ length: m }, (_, s) => posteriorOf(0, s + 1)),
      summary: set.truth === null ? null : summariseRisk(posteriors, prior[set.truth]),
    }
    return { result, notes, unreliable }
  }
}

/**
 * Log likelihood of the sets `from` to `to` - 1 together in each world. What an attacker is unsure of (options, other
 * records, who replaced a member) is the same for all sets of a release, so sets are added up before the mean is taken.
 */
function worldLikelihoods(
  { worlds }: CandidateSet,
  found: readonly { weight: number; logs: readonly Float64Array[] }[],
  from: number,
  to: number,
): number[] {
  const together = (log: Float64Array) => {
    let sum = 0
    for (let s = from; s < to; s++) sum += log[s]
    return sum
  }
  let at = 0
  return worlds.map(({ records }) => {
    const own = records.map((_, k) => at + k)
    at += records.length
    const logs = found.flatMap(({ logs: all }) => own.map((k) => together(all[k])))
    const weights = found.flatMap(({ weight }) => own.map(() => weight / records.length))
    return logs.length === 1 ? logs[0] : logMeanExp(logs, weights)
  })
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
