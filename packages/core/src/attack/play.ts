import { NotApplicable, UserError } from '../errors.js'
import type { Context } from '../measure.js'
import { parseOptions } from '../options.js'
import { sampleWithoutReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { quantiles } from '../stats/quantile.js'
import { mean } from '../stats/sums.js'
import { synthesizerBehind } from '../synthesizers/synthesizers.js'
import type { Generator, Release } from '../table/release.js'
import { columnOf, type Table, table } from '../table/table.js'
import { inline, throwIfAborted } from '../tasks/task.js'
import type { AttackHow, AttackInput } from './attack-input.js'
import { type AttackResult, attack } from './game.js'
import { type Played, player } from './player.js'
import type { PreparedGame } from './prepared-game.js'
import { engineOf } from './prepared-game.js'
import type { Options } from './strong-attack.js'
import { sweep } from './sweep.js'
import type { RiskSummary } from './target/posterior.js'
import type { TargetSource } from './target/target.js'

/** All targets: trees of which everything is known on many threads, anything else one after the other. */
export async function playAll(
  game: PreparedGame,
  input: AttackInput,
  rows: readonly number[],
  run: AttackHow,
): Promise<Played[]> {
  const { tasks = inline, progress, signal } = run
  const source = sourceOf(game, input, rows.length)
  const models = game.models.flatMap(({ weight, cart }) => (cart === null ? [] : [{ weight, cart }]))
  const isTreeGame = game.engine === 'exact' && input.knownShare === undefined && models.length === game.models.length
  const swept = isTreeGame ? await sweep({ ...source, models }, rows, input.refine ?? 'auto', tasks, run) : []
  const play = player(game, source, input, signal)
  const played: Played[] = []
  for (const [k, row] of rows.entries()) {
    throwIfAborted(signal)
    const result = swept[k] ?? null
    played.push(result === null ? await play(row) : { result, notes: [], unreliable: null })
    if (!isTreeGame) progress?.(k + 1, rows.length)
  }
  return played
}

/** Targets times releases whose posteriors are all kept. */
const MOST_POSTERIORS = 20_000

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

/** The exact game; what it cannot be played with is not applicable here. */
export async function play(
  release: Release,
  generator: Generator,
  { records, releases, replacements }: Options,
  context: Context,
): Promise<AttackResult> {
  const { seed, tasks, progress, signal } = context
  const synthesizer = synthesizerBehind(generator)
  const original = variablesOf(release, release.original)
  const people = sampleWithoutReplacement(
    stream(seed, 'strong-attack/people'),
    original.rows,
    Math.min(records, original.rows),
  )
  try {
    const parsed = parseOptions(synthesizer.id, synthesizer.options, generator.options)
    const engine = await engineOf({ original, seed }, synthesizer, parsed, original)
    if (engine !== 'exact')
      throw new NotApplicable(
        `the probability of a release of ${synthesizer.id} with these options is not known exactly`,
      )
    return await attack(
      {
        original,
        holdout: release.holdout === null ? undefined : variablesOf(release, release.holdout),
        record: Array.from(people.sort()),
        candidates: { kind: 'membership', replacements },
        synthesizer,
        options: generator.options,
        engine,
        releases,
        refine: 'all',
        seed,
      },
      { tasks, progress, signal },
    )
  } catch (error) {
    if (error instanceof UserError && !signal?.aborted) throw new NotApplicable(error.message)
    throw error
  }
}

function variablesOf({ variables }: Release, file: Table): Table {
  return table(
    file.name,
    variables.map((name) => columnOf(file, name)),
  )
}

/** Of the mean posterior over releases: quantiles over people, and shares of people for whom it is so large. */
export function summarised(posteriors: Float64Array) {
  const [q5, q25, q50, q75, q95] = quantiles(posteriors, [0.05, 0.25, 0.5, 0.75, 0.95]) ?? []
  const atLeast = (least: number) => posteriors.filter((posterior) => posterior >= least).length / posteriors.length
  return {
    quantiles: { q5, q25, q50, q75, q95 },
    atLeast75: atLeast(0.75),
    atLeast90: atLeast(0.9),
    atLeast99: atLeast(0.99),
  }
}

export function meanFactor(summaries: readonly RiskSummary[]): number | null {
  const factors = summaries.flatMap(({ meanLogBayesFactor }) => meanLogBayesFactor ?? [])
  return factors.length < summaries.length ? null : mean(factors)
}
