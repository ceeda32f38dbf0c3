import { math } from '@scrim/kernels'
import { z } from 'zod'
import { choice, real, whole } from '../../option-kinds.js'
import { stream } from '../../random/stream.js'
import { type AbortSignalLike, type Task, type TaskRunner, throwIfAborted } from '../../tasks/task.js'
import { climb } from './climb.js'
import { drawResponses } from './direct.js'
import { firstFront, firstPopulation, nextGeneration, type Population } from './evolve.js'
import { finish } from './finish.js'
import { drawStart, type PublicKnowledge } from './knowledge.js'
import type { Problem } from './problem.js'
import type { CodedVariable, Codes } from './records/coded-records.js'
import { type Aim, type Closeness, isConfirmed, type Ledger, ledgerOf } from './records/ledger.js'

/**
 * Makes data sets that reproduce published numbers, from these numbers and public knowledge alone. `direct` draws responses from
 * the published models and tables and repairs the rest, `hill` repairs the start data, `ea` evolves a population of them. Work goes
 * in rounds, each of which takes and gives back the whole state of a run, so that runs are spread over threads, watched, ended
 * early and taken up again without changing a bit.
 */
const ENGINES = ['direct', 'hill', 'ea'] as const

export const embedOptions = z.object({
  engine: choice(ENGINES, 'direct').describe('how embedded data are made: direct, hill or ea'),
  target: real(0, { min: 0 }).describe('error at which a search may end before every number is reproduced'),
  proposals: whole(2_000_000, { min: 0 }).describe('most changes that direct and hill try'),
  swaps: real(0.25, { min: 0, max: 1 }).describe('share of changes that exchange a value between two records'),
  temperature: real(1, { min: 0 }).describe('of the error, when a search is stuck; 0 for none'),
  population: whole(32, { min: 2 }).describe('data sets that ea keeps'),
  children: whole(32, { min: 1 }).describe('data sets that ea makes in a generation'),
  generations: whole(2000, { min: 1 }).describe('generations of ea'),
  crossover: real(0.8, { min: 0, max: 1 }).describe('probability that a child of ea has two parents'),
  recordShare: real(0.1, { min: 0, max: 1 }).describe('share of records that come from the second parent'),
  mutation: real(0.005, { min: 0, max: 1 }).describe('mutation rate of ea at first'),
  decay: real(3, { min: 1 }).describe('what the mutation rate is divided by after each phase'),
  phase: whole(250, { min: 1 }).describe('generations with the same mutation rate'),
  tournament: whole(32, { min: 1 }).describe('members among which the best becomes a parent'),
  selection: choice(['sum', 'nondominated'], 'sum').describe(
    'what ea keeps: the smallest sum of the errors of all outputs, or by non-dominated sorting (NSGA-II)',
  ),
  unit: choice(['cell', 'record'], 'cell').describe('what ea mutates'),
  numbers: choice(['start', 'step', 'quantile'], 'start').describe('where mutated numbers come from in ea'),
})

type EmbedOptions = z.output<typeof embedOptions>

/** One data set to make. */
export interface EmbedJob {
  readonly rows: number
  readonly aims: readonly Aim[]
  readonly knowledge: PublicKnowledge
  readonly seed: number
  /** Names the run's random numbers. */
  readonly run: string
  /** Keep data sets on the way, at errors that fall by the same factor each. */
  readonly snapshots: boolean
}

type Ending = 'reproduced' | 'target' | 'no progress' | 'limit'

export interface EmbedState {
  readonly round: number
  /** Proposals or generations so far. */
  readonly steps: number
  readonly codes: Codes
  /** Of `ea` only. */
  readonly population: Population | null
  readonly closeness: Closeness
  readonly history: readonly { readonly steps: number; readonly error: number; readonly mae: number }[]
  readonly snapshots: readonly Snapshot[]
  /** Of `ea` with `nondominated`: errors of each output, of those data sets that no other dominates. */
  readonly front?: readonly (readonly number[])[]
  /** Rounds in a row without progress. */
  readonly stuck: number
  /** The last round gained less than half of the error: the next one is heated. */
  readonly slow: boolean
  readonly ended: Ending | null
}

interface Snapshot {
  readonly mae: number
  readonly codes: Codes
}

export interface EmbedShared {
  readonly variables: readonly CodedVariable[]
  readonly options: EmbedOptions
}

interface EmbedItem {
  readonly job: EmbedJob
  readonly state: EmbedState | null
}

export const embedTask: Task<EmbedShared, EmbedItem, EmbedState> = {
  name: 'output/embed',
  run: (shared, { job, state }) => nextRound(shared, job, state ?? firstState(shared, job)),
}

export interface EmbedControl {
  readonly tasks: TaskRunner
  readonly signal?: AbortSignalLike | undefined
  /** Called after every round. */
  readonly watch?: ((states: readonly EmbedState[]) => void) | undefined
  /** Where runs were left. */
  readonly states?: readonly EmbedState[] | undefined
  /** True when time is up: runs end as they are after the round. */
  readonly isTimeUp?: (() => boolean) | undefined
}

/** All jobs to their end. */
export async function embed(
  shared: EmbedShared,
  jobs: readonly EmbedJob[],
  { tasks, signal, watch, states: left, isTimeUp }: EmbedControl,
): Promise<EmbedState[]> {
  const states: (EmbedState | null)[] = jobs.map((_, k) => left?.[k] ?? null)
  for (;;) {
    throwIfAborted(signal)
    const open = jobs.flatMap((_, k) => ((states[k]?.ended ?? null) === null ? [k] : []))
    if (open.length === 0) return states.flatMap((state) => state ?? [])
    const items = open.map((k) => ({ job: jobs[k], state: states[k] }))
    const done = await tasks.map(embedTask, shared, items, { signal })
    const isOver = isTimeUp?.() ?? false
    done.forEach((state, i) => {
      states[open[i]] = isOver && state.ended === null ? { ...state, ended: 'limit' } : state
    })
    watch?.(states.flatMap((state) => state ?? []))
  }
}

/** Data before any search: from public knowledge, and for `direct` with responses drawn from the models. */
function firstState({ variables, options }: EmbedShared, job: EmbedJob): EmbedState {
  const ledger = ledgerOf(job.aims, variables.length)
  const begin = (member: number) => startCodes({ variables, options }, job, member)
  const members = Array.from({ length: options.engine === 'ea' ? options.population : 0 }, (_, k) => begin(k))
  const population = members.length === 0 ? null : firstPopulation(ledger, members, options.selection)
  const codes = population?.codes[0] ?? begin(0)
  const closeness = ledger.closeness(ledger.sumsOf(codes))
  return {
    round: 0,
    steps: 0,
    codes,
    population,
    closeness,
    history: [{ steps: 0, error: closeness.error, mae: closeness.mae }],
    snapshots: withSnapshot([], job, closeness, codes),
    stuck: 0,
    slow: false,
    ended: endOf(closeness, options, job, codes),
  }
}

function startCodes({ variables, options }: EmbedShared, job: EmbedJob, member: number): Codes {
  const random = stream(job.seed, `${job.run}/start`, member)
  const codes = drawStart(variables, job.knowledge, job.rows, random)
  if (options.engine === 'direct') {
    const known = new Set(job.knowledge.groups.flatMap((group) => group.variables))
    drawResponses(job.aims, variables, job.knowledge.start, known, codes, random)
  }
  return codes
}

/** One snapshot more where the error has fallen far enough since the last one. */
function withSnapshot(snapshots: Snapshot[], job: EmbedJob, { mae }: Closeness, codes: Codes): Snapshot[] {
  const last = snapshots.at(-1)?.mae ?? Number.POSITIVE_INFINITY
  if (job.snapshots && mae <= last * SNAPSHOT_FACTOR) snapshots.push({ mae, codes: codes.slice() })
  return snapshots
}

/** Reproduced is what a fit reproduces; a step from the published numbers may think so too early. */
function endOf({ error, fidelity }: Closeness, { target }: EmbedOptions, job: EmbedJob, codes: Codes): Ending | null {
  if (fidelity === 1 && isConfirmed(job.aims, codes.length / Math.max(1, job.rows), codes)) return 'reproduced'
  return error < target ? 'target' : null
}

function nextRound(shared: EmbedShared, job: EmbedJob, state: EmbedState): EmbedState {
  if (state.ended !== null) return state
  return shared.options.engine === 'ea' ? evolveRound(shared, job, state) : climbRound(shared, job, state)
}

const CHECKPOINT = 10_000
const CHECKPOINTS = 8
/** Proposals between two looks, where snapshots are wanted. */
const OFTEN = 250
const CHECKPOINTS_TO_PRINT = 24
/** Less than this in a round is no progress. */
const PROGRESS = 0.01
const HALF = 0.5
/** From this fidelity on the printed digits are the goal. */
const MOSTLY = 0.4
/** Rounds without progress before a search gives up. */
const MOST_STUCK = 8
/** Snapshots are taken at every fifth of a power of ten. */
const SNAPSHOT_FACTOR = math.pow(10, -0.2)

/** Few records are soon there; a look costs as much as a few proposals. Divides the checkpoint. */
function everyFor(rows: number): number {
  return rows <= 500 ? 500 : rows <= 5000 ? 2000 : CHECKPOINT
}

function climbRound({ variables, options }: EmbedShared, job: EmbedJob, state: EmbedState): EmbedState {
  const ledger = ledgerOf(job.aims, variables.length)
  const problem: Problem = { variables, start: job.knowledge.start, rows: job.rows }
  const codes = state.codes.slice()
  const history = [...state.history]
  const snapshots = [...state.snapshots]
  const goal = state.slow && state.closeness.fidelity >= MOSTLY ? 'printed' : 'near'
  const round = goal === 'printed' ? CHECKPOINT * CHECKPOINTS_TO_PRINT : everyFor(job.rows) * CHECKPOINTS
  const left = options.proposals - state.steps
  const reached: { ending: Ending | null } = { ending: null }
  const finished = state.slow ? finishing(problem, ledger, job, state, codes, left) : { isNearer: false, steps: 0 }
  const { isNearer } = finished
  if (isNearer) reached.ending = endOf(ledger.closeness(ledger.sumsOf(codes)), options, job, codes)
  const made = isNearer
    ? 0
    : climb(problem, ledger, codes, stream(job.seed, `${job.run}/climb`, state.round), {
        goal,
        proposals: Math.max(0, Math.min(round, left - finished.steps)),
        swaps: options.swaps,
        temperature: state.slow ? options.temperature : 0,
        every: job.snapshots ? OFTEN : everyFor(job.rows),
        watch(now, steps) {
          reached.ending = endOf(now, options, job, codes)
          if (steps % CHECKPOINT === 0 || reached.ending !== null)
            history.push({ steps: state.steps + steps, error: now.error, mae: now.mae })
          withSnapshot(snapshots, job, now, codes)
          return reached.ending !== null
        },
      })
  const now = ledger.closeness(ledger.sumsOf(codes))
  const [after, before] =
    goal === 'printed' || isNearer ? [now.excess, state.closeness.excess] : [now.error, state.closeness.error]
  const isBetter = after < before
  const gained = after < (1 - PROGRESS) * before
  const stuck = gained ? 0 : state.stuck + 1
  const steps = state.steps + finished.steps + made
  const ended: Ending | null =
    reached.ending ??
    (stuck >= MOST_STUCK || (made === 0 && !isNearer) ? 'no progress' : steps >= options.proposals ? 'limit' : null)
  return {
    round: state.round + 1,
    steps,
    codes: isBetter || ended === 'reproduced' ? codes : state.codes,
    population: null,
    closeness: isBetter || ended === 'reproduced' ? now : state.closeness,
    history,
    snapshots,
    stuck,
    slow: goal === 'printed' || isNearer || now.error > HALF * state.closeness.error,
    ended,
  }
}

/** Without success, in a row. */
const MOST_FAILURES = 6
const MOST_FINISHES = 24

/** Proposals that take about as long. */
const STEPS_OF_FINISH = 10_000

/** Many changes at once, again and again; where that helps it goes on in the next round, and nothing is heated. */
function finishing(
  problem: Problem,
  ledger: Ledger,
  job: EmbedJob,
  state: EmbedState,
  codes: Codes,
  proposals: number,
): { readonly isNearer: boolean; readonly steps: number } {
  const random = stream(job.seed, `${job.run}/finish`, state.round)
  const excess = () => ledger.closeness(ledger.sumsOf(codes)).excess
  const before = excess()
  const most = Math.min(MOST_FINISHES, Math.floor(proposals / STEPS_OF_FINISH))
  let tries = 0
  for (let failures = 0; tries < most && failures < MOST_FAILURES && excess() > 0; tries++)
    failures = finish(problem, ledger, codes, random) ? 0 : failures + 1
  return { isNearer: excess() < (1 - PROGRESS) * before, steps: tries * STEPS_OF_FINISH }
}

const GENERATIONS = 50

function evolveRound({ variables, options }: EmbedShared, job: EmbedJob, state: EmbedState): EmbedState {
  const ledger = ledgerOf(job.aims, variables.length)
  const problem: Problem = { variables, start: job.knowledge.start, rows: job.rows }
  if (state.population === null) throw new Error('a population is missing')
  // Buffers are used again and again: those of the state stay as they are.
  let population: Population = {
    ...state.population,
    codes: state.population.codes.map((codes) => codes.slice()),
    sums: state.population.sums.map((sums) => sums.slice()),
  }
  const history = [...state.history]
  const snapshots = [...state.snapshots]
  const spare: { codes: Codes; sums: Float64Array }[] = []
  let { closeness } = state
  let ended: Ending | null = null
  for (let k = 0; k < GENERATIONS && ended === null; k++) {
    const random = stream(job.seed, `${job.run}/generation`, population.generation)
    population = nextGeneration(problem, ledger, population, options, random, spare)
    closeness = ledger.closeness(population.sums[0])
    ended =
      endOf(closeness, options, job, population.codes[0]) ??
      (population.generation >= options.generations ? 'limit' : null)
    withSnapshot(snapshots, job, closeness, population.codes[0])
  }
  history.push({ steps: population.generation, error: closeness.error, mae: closeness.mae })
  return {
    round: state.round + 1,
    steps: population.generation,
    codes: population.codes[0],
    population: ended === null ? population : null,
    closeness,
    history,
    snapshots,
    ...(options.selection === 'nondominated' ? { front: firstFront(population) } : {}),
    stuck: 0,
    slow: false,
    ended,
  }
}
