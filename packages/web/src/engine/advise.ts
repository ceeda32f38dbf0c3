import {
  adviceOf,
  type Change,
  confirmed,
  DEFAULT_SEED,
  laboratory,
  type OpenedCase,
  openCase,
  parseCase,
  planText,
  proposals,
  runOf,
  type SearchOptions,
  search,
  type TaskRunner,
  type Tried,
} from '@scrim/core'
import { problemsOf } from '../problems.js'
import { readProject, type Tables, tablesOf } from './project.js'
import type { AdviceFound, AdviseQuestion, Estimate, Project, RunProgress } from './protocol.js'

type Laboratory = Awaited<ReturnType<typeof laboratory>>

/** What changes would do to one release, by the measures that decide: tried one by one, or searched for a plan. */
export interface Adviser {
  readonly lab: Laboratory
  readonly seed: number
}

type Signal = { readonly aborted: boolean }

export async function openAdviser(
  { project, release }: AdviseQuestion,
  signal: Signal,
  tasks: TaskRunner,
): Promise<Adviser> {
  const plain = tablesOf(await readProject(project))
  const { original, holdout, population } = plain
  const released = plain.released[release]
  const opened = alone(project, plain, release)
  const { types, seed = DEFAULT_SEED } = parseCase(project.case)
  const lab = await laboratory(
    { opened, files: { original, released, holdout, population, types } },
    { options: runOf(opened.case).options, signal, tasks, seed },
  )
  return { lab, seed }
}

/** One release as it is assessed when it is changed: its type is decided without the others. */
export function alone(project: Project, tables: Tables, release: number): OpenedCase {
  const { attackerColumns: _, ...said } = project.case
  return openCase(said, { ...tables, released: [tables.released[release]], attacker: undefined, rules: undefined })
}

/** Every option alone, and the release as it is first; each as soon as it is known. */
export async function estimates(
  { lab, seed }: Adviser,
  signal: Signal,
  progress: (at: RunProgress) => void,
): Promise<null> {
  const { opened, files } = lab.input
  const plans = [[], ...proposals(opened.release, files).map((change) => [change])]
  for (const [done, plan] of plans.entries()) {
    if (signal.aborted) break
    progress({ kind: 'search', what: planText(plan), done, total: plans.length })
    const estimate = await lab
      .try(plan, { making: seed, measuring: seed })
      .then(estimateOf, (error) => failed(plan, error))
    if (!signal.aborted) progress({ kind: 'estimate', estimate })
  }
  return null
}

const MOST_TRIALS = 40

/** The plan that brings the best verdict for what it costs; made anew and measured again before it is recommended. */
export async function advise(
  { lab, seed }: Adviser,
  signal: Signal,
  progress: (at: RunProgress) => void,
): Promise<AdviceFound | null> {
  const found: Tried[] = []
  const how = (making: number): SearchOptions => ({
    signal,
    trials: MOST_TRIALS,
    seeds: { making, measuring: making },
    trying: (what, done) => progress({ kind: 'search', what, done, total: MOST_TRIALS }),
  })
  for await (const tried of search(lab, how(seed))) {
    found.push(tried)
    progress({ kind: 'estimate', estimate: estimateOf(tried.trial) })
  }
  if (signal.aborted) return null
  progress({ kind: 'search', what: 'measuring the best again', done: MOST_TRIALS, total: MOST_TRIALS })
  const { recommended } = await confirmed(adviceOf(found), lab, how(seed + 1))
  if (recommended === null) return { plan: null, level: null, tried: found.length }
  return { plan: recommended.tried.trial.plan, level: recommended.level, tried: found.length }
}

function failed(plan: readonly Change[], error: unknown): Estimate {
  return { what: planText(plan), problem: problemsOf(error)[0], level: 'NOT ASSESSED', leakage: null, utility: null }
}

function estimateOf({ plan, assessment, utility }: Awaited<ReturnType<Laboratory['try']>>): Estimate {
  return {
    what: planText(plan),
    level: assessment.verdict.level,
    leakage: assessment.threats[0]?.leakage ?? null,
    utility: utility.score,
  }
}
