import {
  type Answer,
  type AnyMeasure,
  assessCase,
  assessmentJson,
  byTarget,
  checkMemory,
  chooseMeasures,
  groupingsIn,
  hasFailed,
  type OpenedCase,
  type Profile,
  type Result,
  releasedFindings,
  runOf,
  withoutRecords,
} from '@scrim/core'
import { allowedMemory } from '../../allowed-memory.js'
import { EXIT } from '../../exit.js'
import { type InputFile, loadLargeCase } from '../../files/load-case.js'
import { type RunStore, runId, runStore } from '../../files/run-store.js'
import { Interrupted } from '../../interrupted.js'
import type { Io } from '../../io.js'
import type { Arguments, Flags } from '../../options/arguments.js'
import { flagFor, PRIVACY_FLAGS, RELEASE_FLAGS, SYNTHESIZER_FLAG } from '../../options/case-flags.js'
import { type Asked, readCase } from '../../options/config.js'
import { measureIds } from '../../options/measures.js'
import { withMeasureOptions } from '../../options/set-options.js'
import { type Progress, progressLine, timeLeft } from '../../printing/progress.js'
import { threads } from '../../threads.js'
import { version } from '../../version.js'

/** The flags of every command that assesses a release. */
export const ASSESS_FLAGS: Flags = {
  ...RELEASE_FLAGS,
  profile: flagFor('profile'),
  measures: { ...flagFor('measures'), values: measureIds },
  synthesizer: SYNTHESIZER_FLAG,
  ...PRIVACY_FLAGS,
  resume: { help: 'go on with a run of the same files that was interrupted; finished measures are not run again' },
}

export interface Assessed extends OpenedCase, Answer {
  readonly files: readonly InputFile[]
  /** How long the measures took. */
  readonly seconds: number
}

export interface AssessHow {
  /** Measures that run in any case, by id. */
  readonly also?: readonly string[]
  /** Only measures of risk, or only those of utility. */
  readonly side?: 'risk' | 'utility' | undefined
  /** Where neither a profile nor measures are named. */
  readonly usually?: Profile
  /** Keep one score per record of the measures that decide; never on disk. */
  readonly records?: boolean
  /** Find the columns that carry each alarm. */
  readonly why?: boolean
  /** Results that others have made of this run; refuses those of another. */
  readonly finished?: (run: PlannedRun) => ReadonlyMap<string, Result>
}

/** What is to be run, and what names it: everything that its numbers depend on. */
interface PlannedRun {
  readonly id: string
  readonly planned: readonly AnyMeasure[]
}

interface OpenedRun extends PlannedRun {
  readonly opened: OpenedCase
  readonly files: readonly InputFile[]
  readonly store: RunStore
}

/** Reads the files and says what is to be run. */
export async function openRun(
  args: Arguments,
  asked: Asked,
  io: Io,
  progress: Progress,
  also?: readonly string[],
  /** Which of the measures run here. */
  mine = (planned: readonly AnyMeasure[]): readonly string[] => planned.map(({ id }) => id),
): Promise<OpenedRun> {
  const plannedFor = (opened: OpenedCase) => chooseMeasures(opened.release, { ...runOf(opened.case), also })
  const idsHere = (opened: OpenedCase) => mine(plannedFor(opened))
  const { opened, files } = await loadLargeCase(args.positionals, asked, io, progress, idsHere)
  const description = { files, case: describing(asked) }
  return {
    opened,
    files,
    planned: plannedFor(opened),
    store: runStore(io, description),
    id: runId(description),
  }
}

/**
 * Reads the files, runs the measures and concludes. Each result is kept on disk as soon as it is there, so that nothing is
 * lost when the run is interrupted; what is kept goes when the run is done.
 */
export async function assessRelease(
  args: Arguments,
  io: Io,
  { also, side, usually, records = false, why = false, finished: made }: AssessHow = {},
): Promise<Assessed> {
  const said = withMeasureOptions(args, readCase(args, io))
  const asked = { ...said, side: side ?? said.side, profile: said.profile ?? usually }
  const progress = progressLine(io)
  const { opened, files, planned, store, id } = await openRun(args, asked, io, progress, also)
  const looked = files.map(({ rows, sampled, columns }) => ({ rows: sampled ?? rows, columns }))
  const size = checkMemory(looked, allowedMemory(asked))
  if (size !== null) io.err(`scrim: ${size}\n`)
  const kept = records ? planned.filter(({ role }) => role !== 'decides') : planned
  const finished =
    made?.({ id, planned }) ?? (args.has('resume') ? store.read(kept, asked.seed) : new Map<string, Result>())
  if (args.has('resume') && finished.size === 0 && io.terminal) io.err('scrim: there is no interrupted run to resume\n')

  const signal = io.interruption()
  const tasks = threads(asked.threads)
  const left = timeLeft()
  const started = performance.now()
  let done = 0
  try {
    const answer = await assessCase(opened, {
      also,
      records,
      finished,
      signal,
      tasks,
      progress: ({ measure, index, of, share }) =>
        progress.show(
          `${index + 1} of ${of}: ${measure}${share > 0 ? ` ${Math.round(100 * share)} %` : ''}${left((index + share) / of)}`,
          (index + share) / of,
        ),
      finish: (result) => {
        done++
        if (!hasFailed(result) && !finished.has(result.measure)) store.add(withoutRecords(result))
      },
      ...(why
        ? { why: (threat, column, of) => progress.show(`${threat} without a column: ${column + 1} of ${of}`) }
        : {}),
    })
    if (!answer.results.some(hasFailed)) store.remove()
    return { ...opened, ...answer, files, seconds: (performance.now() - started) / 1000 }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Interrupted(`${done} of ${planned.length} measures`)
  } finally {
    progress.clear()
    await tasks.close()
  }
}

export function jsonOf({ files, case: asked, results, assessment }: Assessed): string {
  const { weight = null, household = null } = asked
  return assessmentJson(
    { version: version(), files, weight, household, groups: groupingsIn(asked) },
    assessment,
    results,
  )
}

/** 1 when a measure failed, 2 when none had anything to say about any release, and 0 otherwise. */
export function exitCode({ results }: Pick<Assessed, 'results'>): number {
  if (results.some(hasFailed)) return EXIT.failed
  const findings = results.flatMap(releasedFindings).flatMap(byTarget)
  const saysSomething = findings.some(({ status, notAssessed = null }) => status === 'ok' && notAssessed === null)
  return saysSomething ? EXIT.ok : EXIT.userError
}

/** What besides the files changes a number. */
function describing(asked: Asked) {
  const { threads, engine, memory, json, csv, records, charts, ...said } = asked
  return said
}
