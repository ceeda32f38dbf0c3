import { UserError } from '../errors.js'
import { count } from '../print.js'
import type { AttackHow, AttackInput } from './attack-input.js'
import type { EngineName } from './engines/engine.js'
import { donorShare } from './generator/records.js'
import { playAll } from './play.js'
import { type PreparedGame, prepareGame } from './prepared-game.js'
import { type SeedAttack, seedAttack } from './seed-attack.js'
import type { AttackVerdict, RiskSummary } from './target/posterior.js'
import type { TargetResult } from './target/target.js'
import { targetRows } from './target/target-rows.js'

export type { AttackHow, AttackInput } from './attack-input.js'
export type { TargetResult } from './target/target.js'
export type { RecordChoice } from './target/target-rows.js'

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

/**
 * The strong-attacker game (Latner, Neunhoeffer and Drechsler 2025; Reiter, Wang and Zhang 2014): an attacker knows how the
 * release was made and every original record but one, and asks which record the last one must have been for the release to
 * look as it does. Worlds are the known records plus one candidate each; Bayes' theorem gives the probability of each.
 *
 * It bounds what the *generator* gives away about a record. Whoever knows less learns less; it is no forecast of a real
 * attack.
 */
export async function attack(input: AttackInput, run: AttackHow = {}): Promise<AttackResult> {
  const game = await prepareGame(input)
  const rows = targetRows(game, input.record ?? 'rarest')
  if (input.worldSets !== undefined && rows.length > 1)
    throw new UserError('sets of the worlds are about one record; choose one')
  const played = await playAll(
    game,
    input,
    rows.map(({ row }) => row),
    run,
  )
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
