import { inline, type Task, type TaskProgress, type TaskRunner } from '../tasks/task.js'
import type { CartSettings } from './cart-generator.js'
import { type CollinearGuard, collinearGuard } from './collinear.js'
import { exactCart, type WorldLikelihood } from './engines/exact-cart.js'
import { candidatesOf, type TargetResult, type TargetSource, targetResult } from './target.js'

/**
 * The exact game about many records of trees, on as many threads as there are. Where all worlds would take too long, every
 * record is screened first with the trees of the original as they are; the 5 % most at risk are then played exactly, and
 * with them every record on whose way, or on that of one of its candidates, one record more or less decides about a split:
 * there the structure itself may tell (a split that only one world has), which the screen does not see.
 */
export interface TreeGame extends TargetSource {
  readonly models: readonly { readonly weight: number; readonly cart: CartSettings }[]
}

export type Refinement = 'auto' | 'all' | 'some'

const MOST_AT_RISK = 0.05
/** Worlds times records times variables that are played exactly without a screen. */
const MOST_EXACT = 3e8
/** Below this the threads would take longer to get ready than one takes for all. */
const LEAST_FOR_THREADS = 2e7
const ROWS_PER_ITEM = 8

/** The game about each row; null where a world may have copied columns, which the engine for trees does not know. */
export async function sweep(
  game: TreeGame,
  rows: readonly number[],
  refine: Refinement,
  tasks: TaskRunner,
  how: TaskProgress,
): Promise<(TargetResult | null)[]> {
  if (refine === 'all' || (refine === 'auto' && sizeOf(game, rows) <= MOST_EXACT))
    return playExactly(game, rows, tasks, how)
  const engines = enginesOf(game)
  const screened = rows.map((row) => playRecord(game, engines, row, 'frozen'))
  const chosen = rows.map((row, k) => screened[k] === null || isNearThreshold(game, engines, row))
  for (const k of mostAtRisk(screened)) chosen[k] = true
  const exact = await playExactly(
    game,
    rows.filter((_, k) => chosen[k]),
    tasks,
    how,
  )
  let next = 0
  return screened.map((one, k) => (chosen[k] ? exact[next++] : one))
}

function sizeOf(game: TreeGame, rows: readonly number[]): number {
  if (rows.length === 0) return 0
  const worlds = candidatesOf(game, rows[0]).worlds.reduce((sum, { records }) => sum + records.length, 0)
  return rows.length * worlds * game.models.length * game.original.rows * game.variables.length
}

function mostAtRisk(screened: readonly (TargetResult | null)[]): number[] {
  const risk = (k: number) => screened[k]?.summary?.meanPosterior ?? 0
  const order = screened.map((_, k) => k).sort((a, b) => risk(b) - risk(a) || a - b)
  return order.slice(0, Math.ceil(MOST_AT_RISK * order.length))
}

async function playExactly(
  game: TreeGame,
  rows: readonly number[],
  tasks: TaskRunner,
  { progress, signal }: TaskProgress,
): Promise<(TargetResult | null)[]> {
  const items = Array.from({ length: Math.ceil(rows.length / ROWS_PER_ITEM) }, (_, k) =>
    rows.slice(k * ROWS_PER_ITEM, (k + 1) * ROWS_PER_ITEM),
  )
  const runner = sizeOf(game, rows) < LEAST_FOR_THREADS ? inline : tasks
  const played = await runner.map(playRecords, game, items, {
    progress: (done) => progress?.(Math.min(rows.length, done * ROWS_PER_ITEM), rows.length),
    signal,
  })
  return played.flat()
}

/** What all records of a game share is made once per thread. */
const known = new WeakMap<TreeGame, Engines>()

interface Engines {
  readonly likelihoods: readonly WorldLikelihood[]
  readonly isSuspicious: CollinearGuard
}

function enginesOf(game: TreeGame): Engines {
  const { variables, original, models, sets } = game
  const engines = known.get(game) ?? {
    likelihoods: models.map(({ cart }) => exactCart(variables, original, cart, sets)),
    isSuspicious: collinearGuard(variables, original),
  }
  known.set(game, engines)
  return engines
}

export const playRecords: Task<TreeGame, readonly number[], (TargetResult | null)[]> = {
  name: 'attack/play-records',
  run(game, rows) {
    const engines = enginesOf(game)
    return rows.map((row) => playRecord(game, engines, row, 'of'))
  },
}

function playRecord(game: TreeGame, engines: Engines, row: number, engine: 'of' | 'frozen'): TargetResult | null {
  const set = candidatesOf(game, row)
  const candidates = set.worlds.flatMap(({ records }) => records)
  if (candidates.some((candidate) => engines.isSuspicious(row, candidate))) return null
  const found = game.models.map(({ weight }, k) => ({
    weight,
    logs: candidates.map((candidate) => engines.likelihoods[k][engine](row, candidate)),
  }))
  return targetResult(game, row, set, found, engine === 'frozen')
}

function isNearThreshold(game: TreeGame, { likelihoods }: Engines, row: number): boolean {
  const candidates = candidatesOf(game, row).worlds.flatMap(({ records }) => records)
  return candidates.some((candidate) => likelihoods.some((one) => one.isNearThreshold(candidate)))
}
