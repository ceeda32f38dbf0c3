import { inline, throwIfAborted } from '../tasks/task.js'
import type { AttackHow, AttackInput } from './attack-input.js'
import { type Played, player } from './player.js'
import type { PreparedGame } from './prepared-game.js'
import { sweep } from './sweep.js'
import type { TargetSource } from './target.js'

/** All targets: trees of which everything is known on many threads, anything else one after the other. */
export async function playAll(
  game: PreparedGame,
  input: AttackInput,
  rows: readonly number[],
  how: AttackHow,
): Promise<Played[]> {
  const { tasks = inline, progress, signal } = how
  const source = sourceOf(game, input, rows.length)
  const models = game.models.flatMap(({ weight, cart }) => (cart === null ? [] : [{ weight, cart }]))
  const isTreeGame = game.engine === 'exact' && input.knownShare === undefined && models.length === game.models.length
  const swept = isTreeGame ? await sweep({ ...source, models }, rows, input.refine ?? 'auto', tasks, how) : []
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
