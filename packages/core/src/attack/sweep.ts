import { count } from '../print.js'
import { inline, type Task, type TaskProgress, type TaskRunner } from '../tasks/task.js'
import { exactCart, type WorldLikelihood } from './engines/exact-cart.js'
import type { CartSettings } from './generator/cart-generator.js'
import { type CollinearGuard, collinearGuard } from './target/collinear.js'
import { candidatesOf, type TargetResult, type TargetSource, targetResult } from './target/target.js'

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

/** The game about each row; null where a world may have copied columns, which the engine for trees does not know. */
export async function sweep(
  game: TreeGame,
  rows: readonly number[],
  refine: Refinement,
  tasks: TaskRunner,
  run: SweepHow,
): Promise<(TargetResult | null)[]> {
  const work = sweepWork(game, rows)
  const runner = work.seconds < LEAST_FOR_THREADS ? inline : tasks
  if (work.seconds > LEAST_TO_ANNOUNCE) run.announce?.(workText(work, rows.length, runner.threads))
  if (refine === 'all' || (refine === 'auto' && work.size <= MOST_EXACT)) {
    const played = await playRows(game, rows, 'of', runner, run)
    return played.map(({ result }) => result)
  }
  const screened = await playRows(game, rows, 'frozen', runner, run)
  const chosen = screened.map(({ result, isNearThreshold }) => result === null || isNearThreshold)
  for (const k of mostAtRisk(screened)) chosen[k] = true
  const exact = await playRows(
    game,
    rows.filter((_, k) => chosen[k]),
    'of',
    runner,
    run,
  )
  let next = 0
  return screened.map(({ result }, k) => (chosen[k] ? exact[next++].result : result))
}

interface SweepHow extends TaskProgress {
  readonly announce?: ((text: string) => void) | undefined
}

function mostAtRisk(screened: readonly PlayedRow[]): number[] {
  const risk = (k: number) => screened[k].result?.summary?.meanPosterior ?? 0
  const order = screened.map((_, k) => k).sort((a, b) => risk(b) - risk(a) || a - b)
  return order.slice(0, Math.ceil(MOST_AT_RISK * order.length))
}

const ROWS_PER_ITEM = 8

async function playRows(
  game: TreeGame,
  rows: readonly number[],
  engine: 'of' | 'frozen',
  runner: TaskRunner,
  { progress, signal }: TaskProgress,
): Promise<PlayedRow[]> {
  const items = Array.from({ length: Math.ceil(rows.length / ROWS_PER_ITEM) }, (_, k) => ({
    engine,
    rows: rows.slice(k * ROWS_PER_ITEM, (k + 1) * ROWS_PER_ITEM),
  }))
  const played = await runner.map(playRecords, game, items, {
    progress: (done) => progress?.(Math.min(rows.length, done * ROWS_PER_ITEM), rows.length),
    signal,
  })
  return played.flat()
}

interface PlayItem {
  /** The engine for all worlds, or the screen. */
  readonly engine: 'of' | 'frozen'
  readonly rows: readonly number[]
}

interface PlayedRow {
  readonly result: TargetResult | null
  readonly isNearThreshold: boolean
}

export const playRecords: Task<TreeGame, PlayItem, PlayedRow[]> = {
  name: 'attack/play-records',
  run(game, { engine, rows }) {
    const engines = enginesOf(game)
    return rows.map((row) => playRecord(game, engines, row, engine))
  },
}

function playRecord(game: TreeGame, engines: Engines, row: number, engine: 'of' | 'frozen'): PlayedRow {
  const set = candidatesOf(game, row)
  const candidates = set.worlds.flatMap(({ records }) => records)
  const isNear = (candidate: Int32Array) => engines.likelihoods.some((one) => one.isNearThreshold(candidate))
  const isNearThreshold = engine === 'frozen' && candidates.some(isNear)
  if (candidates.some((candidate) => engines.isSuspicious(row, candidate))) return { result: null, isNearThreshold }
  const weighted = game.models.map(({ weight }, k) => ({
    weight,
    logs: candidates.map((candidate) => engines.likelihoods[k][engine](row, candidate)),
  }))
  return { result: targetResult(game, row, set, weighted, engine === 'frozen'), isNearThreshold }
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

/** Below so many seconds the threads would take longer to get ready than one takes for all. */
const LEAST_FOR_THREADS = 0.5
const LEAST_TO_ANNOUNCE = 60
/** What a sweep took on one core in 2026: trees by record and variable, and scores by released set, of each world. */
const SECONDS_PER_CELL = 5e-8
const SECONDS_PER_SET = 8e-6

interface SweepWork {
  readonly worlds: number
  /** Worlds times records times variables. */
  readonly size: number
  /** Of one core, roughly, if all worlds are played exactly. */
  readonly seconds: number
}

/** As many worlds for each row as the first one has. */
function sweepWork(game: TreeGame, rows: readonly number[]): SweepWork {
  if (rows.length === 0) return { worlds: 0, size: 0, seconds: 0 }
  const ofFirst = candidatesOf(game, rows[0]).worlds.reduce((sum, { records }) => sum + records.length, 0)
  const worlds = rows.length * ofFirst * game.models.length
  const size = worlds * game.original.rows * game.variables.length
  return { worlds, size, seconds: size * SECONDS_PER_CELL + worlds * game.sets.sets * SECONDS_PER_SET }
}

function workText({ worlds, seconds }: SweepWork, records: number, threads: number): string {
  const minutes = Math.max(1, Math.round(seconds / threads / 60))
  return `${worlds} worlds of ${count(records, 'record')} to play: up to about ${count(minutes, 'minute')} on ${count(threads, 'thread')}; fewer candidates or releases take less`
}
