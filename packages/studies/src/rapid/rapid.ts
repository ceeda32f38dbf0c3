import {
  type AbortSignalLike,
  type Chart,
  cartSynthesizer,
  synthesize,
  type Table,
  type TaskRunner,
  throwIfAborted,
} from '@scrim/core'
import type { Check } from '../comparison.js'
import { simulateHealth } from '../health.js'
import { attackFile, fileSeed, jobsOf, type Outcome } from './attacks.js'
import { studyCharts } from './charts.js'
import { CONTINUOUS, DEPENDENCY } from './published.js'
import { type FigureTable, type StudyTable, spreadFigures, studyChecks, studyTables } from './tables.js'

/**
 * The four simulations of the RAPID paper (section 5, appendix A) and two tables of its authors' code: files of health
 * microdata are simulated, released by sequential trees and attacked.
 *
 *   dependency   rate and accuracy of the forest by strength of the relations kappa (Figure 5a)
 *   thresholds   rate by threshold tau (Figure 5b), from the same fits
 *   attribution  who is at risk, by level of gender, age and education (Figure 6)
 *   attackers    forest, boosting and a tree at kappa = 10 (Table 1)
 *   keys         the forest with one key alone, and without it
 *   continuous   income instead of the disease
 *
 * An attack is a job: a file, some keys, a target, an attacker. Jobs that several tables need run once.
 */
export interface RapidStudyDesign {
  readonly seed: number
  /** Records per file. */
  readonly n: number
  readonly trees: number
  readonly kappas: readonly number[]
  readonly continuousKappas: readonly number[]
  readonly files: Readonly<Record<'dependency' | 'attribution' | 'attackers' | 'keys' | 'continuous', number>>
}

const RECORDS = 1000
const TREES = 500
const QUICK_FILES = { dependency: 3, attribution: 3, attackers: 3, keys: 2, continuous: 2 }
const FULL_FILES = { dependency: 20, attribution: 50, attackers: 50, keys: 20, continuous: 5 }

export interface RapidStudyInput {
  readonly seed: number
  /** Few files and few strengths of the relations: minutes become seconds. */
  readonly quick?: boolean | undefined
  /** Files per setting, the same for all tables. */
  readonly files?: number | undefined
  readonly kappas?: readonly number[] | undefined
  readonly n?: number | undefined
  readonly trees?: number | undefined
}

export function rapidStudyDesign(input: RapidStudyInput): RapidStudyDesign {
  const { seed, quick = false, files, n = RECORDS, trees = TREES } = input
  const usual = quick ? QUICK_FILES : FULL_FILES
  const all = (count: number) => ({
    dependency: count,
    attribution: count,
    attackers: count,
    keys: count,
    continuous: count,
  })
  return {
    seed,
    n,
    trees,
    kappas: input.kappas ?? (quick ? [0, 1, 5, 10, 50] : DEPENDENCY.map(({ kappa }) => kappa)),
    continuousKappas: quick ? [0, 10] : CONTINUOUS.map(({ kappa }) => kappa),
    files: files === undefined ? usual : all(files),
  }
}

/** An original and its release. */
export interface StudyPair {
  readonly original: Table
  readonly released: Table
}

/** Where files come from; undefined where there is none. Files count from 1. */
export type StudyFiles = (kappa: number, file: number) => Promise<StudyPair | undefined>

export interface RapidStudy {
  readonly design: RapidStudyDesign
  readonly tables: readonly StudyTable[]
  readonly figures: readonly FigureTable[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface StudyHow {
  readonly tasks?: TaskRunner | undefined
  readonly progress?: ((done: number, total: number, what: string) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export async function studyRapid(
  design: RapidStudyDesign,
  run: StudyHow = {},
  files: StudyFiles = simulatedFiles(design),
): Promise<RapidStudy> {
  const jobs = jobsOf(design)
  const outcomes: Outcome[] = []
  let last: { kappa: number; file: number; pair: StudyPair | undefined } | undefined
  for (const [k, job] of jobs.entries()) {
    throwIfAborted(run.signal)
    run.progress?.(k, jobs.length, `kappa ${job.kappa}, file ${job.file}, ${job.attacker}`)
    if (last?.kappa !== job.kappa || last.file !== job.file)
      last = { kappa: job.kappa, file: job.file, pair: await files(job.kappa, job.file) }
    if (last.pair !== undefined) outcomes.push(await attackFile(job, last.pair, design, run))
  }
  const found = { design, outcomes }
  return {
    design,
    tables: studyTables(found),
    figures: spreadFigures(found),
    checks: studyChecks(found),
    charts: studyCharts(found),
  }
}

/** Simulated as behind the published figures, released by trees in the order of the columns. */
export function simulatedFiles({ seed, n }: Pick<RapidStudyDesign, 'seed' | 'n'>): StudyFiles {
  return async (kappa, file) => {
    const own = fileSeed(seed, kappa, file)
    const original = simulateHealth({ n, kappa, seed: own, age: 'figures' })
    return { original, released: await synthesize(cartSynthesizer, original, { seed: own }) }
  }
}
