import { UserError } from '../errors.js'
import { count, fixed } from '../print.js'
import { stream } from '../random/stream.js'
import type { AbortSignalLike } from '../tasks/task.js'
import type { AttackInput } from './attack-input.js'
import { abcLikelihoods } from './engines/abc.js'
import { classifierLikelihoods } from './engines/classifier.js'
import { dirichletLikelihoods } from './engines/dirichlet.js'
import type { CellBoxes, EngineName, Likelihoods, SimulationSettings, Worlds } from './engines/engine.js'
import { exactLikelihoods } from './engines/exact.js'
import { exactCart, type WorldLikelihood } from './engines/exact-cart.js'
import type { Generator } from './engines/generators.js'
import { effectiveDraws, mixtureLikelihoods } from './engines/mixture.js'
import { pathLikelihoods } from './engines/path.js'
import type { CartSettings } from './generator/cart-generator.js'
import { codeByLabels, type Records, recordLabel } from './generator/records.js'
import type { AttackerModel, PreparedGame } from './prepared-game.js'
import { type CollinearGuard, collinearGuard } from './target/collinear.js'
import { completionsOf } from './target/completions.js'
import { candidatesOf, type TargetResult, type TargetSource, targetResult, type WeightedLogs } from './target/target.js'

/** The game about one record, with what is to be said about it. */
export interface Played {
  readonly result: TargetResult
  readonly notes: readonly string[]
  readonly unreliable: string | null
}

/**
 * Plays the game about a row with any engine: every candidate's likelihood under everything that the attacker takes for
 * possible (options, records not known), then their mean. What several rows share is made once.
 */
export function player(
  game: PreparedGame,
  source: TargetSource,
  input: AttackInput,
  signal: AbortSignalLike | undefined,
): (row: number) => Promise<Played> {
  const { variables, models, sets } = game
  const completions = completionsOf(game, input.knownShare)
  const likelihoods = likelihoodsOf(game, input, signal)
  return async (row) => {
    const set = candidatesOf(source, row)
    const candidates = set.worlds.flatMap(({ records }) => records)
    const perWorld: WeightedLogs[] = []
    const notes: string[] = []
    let unreliable: string | null = null
    let boxes: CellBoxes | null = null
    for (const base of completions(row)) {
      for (const model of models) {
        const worlds = { variables, original: base.records, row: base.row, candidates, sets }
        const computed = await likelihoods(worlds, model)
        perWorld.push({ weight: model.weight * base.weight, logs: computed.logs })
        notes.push(...computed.notes)
        unreliable ??= computed.unreliable
        boxes ??= computed.boxes ?? null
      }
    }
    const result = { ...targetResult(source, row, set, perWorld, false), boxes }
    if (input.knownShare !== undefined) unreliable ??= tooFewEffective(result, perWorld, game.setsPerRelease)
    return { result, notes, unreliable }
  }
}

const LEAST_EFFECTIVE = 10

/** A mean over guesses of the unknown records is soon that of one or two; then there is no verdict. */
function tooFewEffective(
  { posteriors, candidates }: TargetResult,
  likelihoods: readonly WeightedLogs[],
  setsPerRelease: number,
): string | null {
  const least = posteriors.reduce((few, { map: [winner] }, release) => {
    if (winner === undefined) return few
    const at = candidates.worlds.slice(0, winner).reduce((sum, { records }) => sum + records.length, 0)
    const from = release * setsPerRelease
    const logs = likelihoods.map(({ logs: all }) =>
      all[at].subarray(from, from + setsPerRelease).reduce((sum, log) => sum + log, 0),
    )
    return Math.min(few, effectiveDraws(logs))
  }, Number.POSITIVE_INFINITY)
  return least < LEAST_EFFECTIVE
    ? `at least one release has only ${fixed(least, 1)} effective guesses of the unknown records in its most probable world`
    : null
}

const LEAST_SIMULATIONS = 200
const SIMULATIONS_PER_WORLD = 20
const ALPHA = 0.5
const ACCEPT = 0.01

/** The likelihoods of worlds: of plain trees by their own exact engine, else by the engine of the game. */
function likelihoodsOf(
  game: PreparedGame,
  input: AttackInput,
  signal: AbortSignalLike | undefined,
): (worlds: Worlds, model: AttackerModel) => Promise<Likelihoods> {
  const treeEngine = treeEngines(game, input.knownShare === undefined)
  const settingsOf = (worlds: number, generator: Generator): SimulationSettings => ({
    generator,
    made: null,
    simulations: input.simulations ?? Math.max(LEAST_SIMULATIONS, SIMULATIONS_PER_WORLD * worlds),
    alpha: input.alpha ?? ALPHA,
    accept: input.accept ?? ACCEPT,
    random: (purpose, index) => stream(game.seed, `attack/simulate/${purpose}`, index),
    seed: game.seed,
    signal,
  })
  return async (worlds, model) => {
    const { row, candidates } = worlds
    if (game.engine === 'exact' && model.cart !== null) {
      const { likelihood, isSuspicious } = treeEngine(worlds.original, model, model.cart)
      const inFull = candidates.filter((candidate) => isSuspicious(row, candidate))
      const full = await exactLikelihoods({ ...worlds, candidates: inFull }, settingsOf(inFull.length, model.full))
      const logs = candidates.map((candidate) =>
        inFull.includes(candidate) ? full.logs[inFull.indexOf(candidate)] : likelihood.of(row, candidate),
      )
      return { logs, notes: [], unreliable: null }
    }
    const settings = settingsOf(candidates.length, model.generator)
    const made = await setsMadeBefore(game, input, worlds)
    const withMade = made === null ? settings : { ...settings, made, simulations: made[0].length }
    return engineLikelihoods(game.engine, worlds, model, withMade)
  }
}

interface TreeEngine {
  readonly likelihood: WorldLikelihood
  readonly isSuspicious: CollinearGuard
}

/** One engine per model; kept only where all rows are played with the same original. */
function treeEngines(
  { variables, sets }: PreparedGame,
  keep: boolean,
): (base: Records, model: AttackerModel, cart: CartSettings) => TreeEngine {
  const known = new Map<AttackerModel, TreeEngine>()
  return (base, model, cart) => {
    const engine = known.get(model) ?? {
      likelihood: exactCart(variables, base, cart, sets),
      isSuspicious: collinearGuard(variables, base),
    }
    if (keep) known.set(model, engine)
    return engine
  }
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
