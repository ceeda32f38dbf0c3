import {
  type Assessment,
  assessCase,
  byTarget,
  carryOut,
  chooseMeasures,
  conclude,
  DEFAULT_SEED,
  type FileRow,
  type JsonObject,
  mapPoint,
  measures,
  type OpenedCase,
  openCase,
  parseCase,
  type Result,
  releasedFindings,
  runOf,
  type Table,
  type TaskRunner,
  toCsv,
} from '@scrim/core'
import { projectAfter } from '../project-after.js'
import { type ReadProject, readProject, type Tables, tablesOf } from './project.js'
import type {
  FinishedMeasure,
  MadeFile,
  Plan,
  Project,
  ReleaseSummary,
  RunProgress,
  RunSummary,
  ThresholdCurve,
} from './protocol.js'
import { sha256 } from './sha256.js'

/** A run as its worker keeps it: whatever is asked of it later is answered from here. */
export interface Run {
  readonly project: Project
  readonly plan: Plan | null
  readonly opened: OpenedCase
  /** As they were read, before an inspection left columns out. */
  readonly tables: Tables
  readonly files: readonly FileRow[]
  /** Files that the plan made. */
  readonly made: readonly MadeFile[]
  readonly assessment: Assessment
  readonly results: readonly Result[]
  readonly seconds: number
  readonly summary: RunSummary
}

const PROGRESS_EVERY = 100

export async function runProject(
  { project, why, plan }: { project: Project; why: boolean; plan: Plan | null },
  signal: { aborted: boolean },
  progress: (at: RunProgress) => void,
  tasks: TaskRunner,
): Promise<Run> {
  const read = await readProject(project)
  const subject = plan === null ? asRead(read) : await changed(read, project, plan)
  const opened = openCase((plan === null ? project : projectAfter(project, plan)).case, subject.tables)
  const { release } = opened
  const started = performance.now()
  const planned = chooseMeasures(release, runOf(opened.case))
  progress({ kind: 'plan', measures: planned.map(({ id, title, summary }) => ({ id, title, summary })) })
  const results: Result[] = []
  let last = 0
  const at = (measure: string, share: number) => {
    const now = performance.now()
    if (share > 0 && now - last < PROGRESS_EVERY) return
    last = now
    progress({ kind: 'at', measure, share })
  }
  try {
    const { assessment } = await assessCase(opened, {
      signal,
      tasks,
      records: true,
      progress: ({ measure, share }) => at(measure, share),
      finish: async (result) => {
        results.push(result)
        progress({ kind: 'result', result: finishedMeasure(result) })
        await messagesSeen()
      },
      ...(why ? { why: () => progress({ kind: 'note', text: 'Looking for the columns that carry each alarm' }) } : {}),
    })
    const usable = subject.usable === null ? null : await usefulness(subject.usable, project, { signal, tasks })
    return finish(assessment, usable)
  } catch (error) {
    // Stopped in the middle of a measure: what was finished before stands.
    if (!signal.aborted || results.length === 0) throw error
    return finish(conclude(release, results, measures), null)
  }

  function finish(assessment: Assessment, usable: Assessment | null): Run {
    const seconds = (performance.now() - started) / 1000
    const releases = assessment.releases.map((one, k) => releaseSummary(one, usable?.releases[k] ?? null))
    const summary = {
      finished: results.length,
      planned: planned.length,
      seconds,
      releases,
      curves: curvesOf(results),
    }
    return { ...subject, project, plan, opened, assessment, results, seconds, summary }
  }
}

/** Lets a message in that says to stop: results alone would never let the queue of messages have its turn. */
function messagesSeen(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

interface Subject {
  readonly tables: Tables
  readonly files: readonly FileRow[]
  readonly made: readonly MadeFile[]
  /** A changed release on the scale of the plain original, beside which it is useful or not. */
  readonly usable: Tables | null
}

function asRead(read: ReadProject): Subject {
  const row = (role: FileRow['role'], { table, sha256 }: ReadProject['original']): FileRow => ({
    role,
    name: table.name,
    rows: table.rows,
    columns: table.columns.length,
    sha256,
  })
  const files = [
    row('original', read.original),
    ...read.releases.map((one) => row('release', one)),
    ...(read.holdout === null ? [] : [row('holdout', read.holdout)]),
    ...(read.population === null ? [] : [row('population', read.population)]),
    ...(read.attacker === null ? [] : [row('attacker', read.attacker)]),
  ]
  return { tables: tablesOf(read), files, made: [], usable: null }
}

/**
 * A copy of one release with the plan carried out; the original and the people outside are recoded alike, as an attacker
 * would recode what they know, and so is a population. An attacker's own file and edit rules are about values as they were, and
 * left out. What was made is what its CSV file gives when it is read again.
 */
async function changed(read: ReadProject, project: Project, { release: index, changes }: Plan): Promise<Subject> {
  const plain = tablesOf(read)
  const { keys, numericKeys, weight = null, household = null, types, seed = DEFAULT_SEED } = parseCase(project.case)
  const before = {
    original: plain.original,
    released: plain.released[index],
    holdout: plain.holdout,
    population: plain.population,
    types,
  }
  const candidate = await carryOut(changes, before, {
    seed,
    roles: { keys, numericKeys, weight, household },
  })
  const { original, released, holdout, population } = candidate.files
  const made: MadeFile[] = []
  const files: FileRow[] = []
  const take = (role: MadeFile['role'], was: Table, now: Table, sha: string): Table => {
    const isMade = was !== now
    const table = isMade ? { ...now, name: madeName(was.name, role) } : now
    const content = isMade ? new TextEncoder().encode(toCsv(table)) : null
    if (content !== null) made.push({ role, name: table.name, content: new Blob([content]) })
    const hash = content === null ? sha : sha256(content)
    files.push({ role, name: table.name, rows: table.rows, columns: table.columns.length, sha256: hash })
    return table
  }
  const others = (role: 'holdout' | 'population', now: Table | undefined) => {
    const was = before[role]
    return was === undefined || now === undefined ? undefined : take(role, was, now, read[role]?.sha256 ?? '')
  }
  const tables = {
    original: take('original', before.original, original, read.original.sha256),
    released: [take('release', before.released, released, read.releases[index].sha256)],
    holdout: others('holdout', holdout),
    population: others('population', population),
    attacker: undefined,
    rules: undefined,
    notes: plain.notes,
  }
  return {
    tables,
    files,
    made,
    usable: { ...plain, released: [candidate.usable], attacker: undefined },
  }
}

function madeName(name: string, role: MadeFile['role']): string {
  const stem = name.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '')
  return `${stem}-${role === 'release' ? 'changed' : 'recoded'}.csv`
}

/** Utility of a changed release beside the plain original, whatever profile risk is measured by: a change has a price. */
async function usefulness(
  tables: Tables,
  project: Project,
  how: { readonly signal: { aborted: boolean }; readonly tasks: TaskRunner },
): Promise<Assessment | null> {
  const { measures: _, profile = 'standard', ...said } = project.case
  const asked = { ...said, profile: profile === 'full' ? profile : 'standard', side: 'utility' } as const
  const opened = openCase({ ...asked, attackerColumns: {} }, tables)
  if (!chooseMeasures(opened.release, runOf(opened.case)).some(({ role }) => role === 'utility')) return null
  return (await assessCase(opened, how)).assessment
}

function releaseSummary(
  release: Assessment['releases'][number],
  usable: Assessment['releases'][number] | null,
): ReleaseSummary {
  const utility = usable?.utility ?? release.utility
  return {
    name: release.name,
    level: release.verdict.level,
    recommendation: release.verdict.recommendation,
    sentence: release.verdict.sentence,
    point: mapPoint({ ...release, utility }),
    utility: utility === null ? null : { level: utility.level, score: utility.score },
    threats: release.threats.map(({ threat, target, level, leakage, interval }) => ({
      threat,
      target,
      level,
      leakage,
      interval,
    })),
  }
}

function finishedMeasure(result: Result): FinishedMeasure {
  const measure = measures.find(({ id }) => id === result.measure)
  return {
    id: result.measure,
    decides: measure?.role === 'decides',
    found: result.releases.flatMap((release) =>
      byTarget(release).flatMap(({ status, sentence, target }) =>
        status === 'ok'
          ? [{ release: release.name, sentence: release.targets === undefined ? sentence : `${target}: ${sentence}` }]
          : [],
      ),
    ),
  }
}

/** The curves over tau and epsilon that the measures have computed anyway. */
function curvesOf(results: readonly Result[]): readonly ThresholdCurve[] {
  return results.flatMap((result) => {
    if (result.measure !== 'attribution' && result.measure !== 'rapid') return []
    const { measure } = result
    return releasedFindings(result).flatMap((finding, release) =>
      finding === result.pooled
        ? []
        : byTarget(finding).flatMap(({ details, target }) =>
            details === null ? [] : [{ release, target, ...curveIn(measure, details) }],
          ),
    )
  })
}

type Row = Readonly<Record<string, number | null>>

function curveIn(
  measure: 'attribution' | 'rapid',
  details: JsonObject,
): Pick<ThresholdCurve, 'measure' | 'threshold' | 'chosen' | 'points'> {
  // The details of these two measures, as their declarations have them.
  const rows = (name: string) => details[name] as unknown as readonly Row[]
  if (measure === 'attribution') {
    return {
      measure,
      threshold: 'tau',
      chosen: Number((details.chosen as unknown as Row).tau),
      points: rows('tau').map(({ tau, coverage, hits, precision }) => ({
        at: Number(tau),
        values: { claimed: coverage, right: hits, 'right of those claimed': precision },
      })),
    }
  }
  return {
    measure,
    threshold: details.target === 'classes' ? 'tau' : 'epsilon',
    chosen: Number(details.threshold),
    points: rows('curve').map(({ threshold, rate, chance }) => ({
      at: Number(threshold),
      values: { 'at risk': rate, 'by chance': chance },
    })),
  }
}
