import {
  type Assessment,
  assess,
  assessmentJson,
  byTarget,
  chooseMeasures,
  conclude,
  hasFailed,
  measures,
  PROFILES,
  type Profile,
  type Release,
  type Result,
  releasedFindings,
  UserError,
  unknownName,
  withColumnShares,
  withoutRecords,
} from '@scrim/core'
import { type Arguments, commaList, type Flags } from './arguments.js'
import { EXIT } from './exit.js'
import { GENERATOR_FLAG, generatorOf, SYNTHESIZER } from './generator.js'
import { Interrupted } from './interrupted.js'
import type { Io } from './io.js'
import { progressLine, timeLeft } from './progress.js'
import { type InputFile, loadRelease, RELEASE_FLAGS, readSettings, type Settings } from './release-options.js'
import { runStore } from './run-store.js'
import { measureOptions } from './set-options.js'
import { threads } from './threads.js'
import { version } from './version.js'

/** The flags of every command that assesses a release. */
export const ASSESS_FLAGS: Flags = {
  ...RELEASE_FLAGS,
  profile: {
    value: 'NAME',
    help: 'quick (the measures that decide), standard (default) or full (all)',
  },
  measures: { value: 'a,b', repeat: true, help: 'run these measures only, instead of a profile' },
  synthesizer: GENERATOR_FLAG,
  resume: { help: 'go on with a run of the same files that was interrupted; finished measures are not run again' },
}

export interface Assessed {
  readonly release: Release
  readonly files: readonly InputFile[]
  readonly settings: Settings
  readonly results: readonly Result[]
  readonly assessment: Assessment
  /** How long the measures took. */
  readonly seconds: number
}

interface AssessHow {
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
}

/**
 * Reads the files, runs the measures and concludes. Each result is kept on disk as soon as it is there, so that nothing is
 * lost when the run is interrupted; what is kept goes when the run is done.
 */
export async function assessRelease(
  args: Arguments,
  io: Io,
  { also, side, usually, records = false, why = false }: AssessHow = {},
): Promise<Assessed> {
  const settings = readSettings(args, io)
  const { options, generator } = optionsOf(args, settings, io)
  const profile = profileOf(args, settings) ?? usually
  const progress = progressLine(io)
  const loaded = await loadRelease(args.positionals, { ...settings, generator }, io, progress)
  const { release, files } = loaded
  const chosen = chosenMeasures(args, settings)
  const how = {
    profile,
    also,
    side,
    options,
    seed: settings.seed,
    records,
    ...(chosen === undefined ? {} : { measures: chosen }),
  }
  const planned = chooseMeasures(release, how)
  const store = runStore(io, { files, settings: describing(settings), options, generator })
  const kept = records ? planned.filter(({ role }) => role !== 'decides') : planned
  const finished = args.has('resume') ? store.read(kept, settings.seed) : new Map<string, Result>()
  if (args.has('resume') && finished.size === 0 && io.terminal) io.err('scrim: there is no interrupted run to resume\n')

  const signal = io.interruption()
  const tasks = threads(settings.threads)
  const left = timeLeft()
  const results: Result[] = []
  const started = performance.now()
  let assessment: Assessment
  try {
    for await (const result of assess(release, {
      ...how,
      finished,
      signal,
      tasks,
      progress: ({ measure, index, of, share }) =>
        progress.show(
          `${index + 1} of ${of}: ${measure}${share > 0 ? ` ${Math.round(100 * share)} %` : ''}${left((index + share) / of)}`,
        ),
    })) {
      results.push(result)
      if (!hasFailed(result) && !finished.has(result.measure)) store.add(withoutRecords(result))
    }
    if (signal.aborted) throw new UserError('cancelled')
    assessment = conclude(release, results, measures)
    if (why)
      assessment = await withColumnShares(assessment, release, results, measures, {
        tasks,
        signal,
        options,
        progress: (threat, done, of) => progress.show(`${threat} without a column: ${done + 1} of ${of}`),
      })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Interrupted(`${results.length} of ${planned.length} measures`)
  } finally {
    progress.clear()
    await tasks.close()
  }
  if (!results.some(hasFailed)) store.remove()
  const seconds = (performance.now() - started) / 1000
  return { release, files, settings: loaded.settings, results, assessment, seconds }
}

export function jsonOf({ files, settings, results, assessment }: Assessed): string {
  const { weight = null, household = null, groups } = settings
  return assessmentJson({ version: version(), files, weight, household, groups }, assessment, results)
}

/** 1 when a measure failed, 2 when none had anything to say about any release, and 0 otherwise. */
export function exitCode({ results }: Pick<Assessed, 'results'>): number {
  if (results.some(hasFailed)) return EXIT.failed
  const findings = results.flatMap(releasedFindings).flatMap(byTarget)
  const saysSomething = findings.some(({ status, notAssessed = null }) => status === 'ok' && notAssessed === null)
  return saysSomething ? EXIT.ok : EXIT.userError
}

function chosenMeasures(args: Arguments, { config }: Settings): readonly string[] | undefined {
  if (args.has('measures')) return commaList(args.texts('measures'))
  return typeof config.measures === 'string' ? commaList([config.measures]) : config.measures
}

function profileOf(args: Arguments, { config }: Settings): Profile | undefined {
  const named = args.text('profile') ?? config.profile
  if (named === undefined) return undefined
  const found = PROFILES.find((profile) => profile === named)
  if (found === undefined) throw new UserError(unknownName('profile', named, PROFILES))
  return found
}

/** Options of measures by their id, and those of the synthesizer under its own name. */
export function optionsOf(args: Arguments, settings: Settings, io: Io) {
  const { [SYNTHESIZER]: own = {}, ...options } = measureOptions(args, settings.config, {
    at: (path) => {
      if (path.length < 2)
        throw new UserError(`--set ${path[0]}: say of which measure, for example --set k-anonymity.k=3`)
      return path
    },
    schema: (owner) => measures.find(({ id }) => id === owner)?.options,
  })
  return { options, generator: generatorOf(args, settings, own, io) }
}

/** What besides the files changes a number. */
function describing({ threads: _, config: __, ...settings }: Settings) {
  return settings
}
