import {
  type Assessment,
  assess,
  chooseMeasures,
  conclude,
  measures,
  PROFILES,
  type Profile,
  type Result,
  UserError,
  unknownName,
} from '@scrim/core'
import type { Arguments } from './arguments.js'
import type { Io } from './io.js'
import { progressLine } from './progress.js'
import { type InputFile, loadRelease, measureOptions, readSettings } from './release-options.js'
import { threads } from './threads.js'

/** What a check needs of a run. */
export interface Assessed {
  readonly assessment: Assessment
  readonly results: readonly Result[]
  readonly files: readonly InputFile[]
}

/** Runs the measures of the profile and those named in `also`, and concludes. */
export async function assessRelease(
  args: Arguments,
  io: Io,
  { also = [] }: { readonly also?: readonly string[] } = {},
): Promise<Assessed> {
  const profile = profileOf(args)
  const settings = readSettings(args, io)
  const options = measureOptions(args, settings.config, measurePath)
  const progress = progressLine(io)
  const { release, files } = await loadRelease(args.positionals, settings, io, progress)
  const chosen = [...chooseMeasures(release, { profile }).map(({ id }) => id), ...also]
  const tasks = threads(settings.threads)
  const results: Result[] = []
  try {
    const how = { measures: chosen, options, seed: settings.seed, tasks }
    const show = ({ measure, index, of }: { measure: string; index: number; of: number }) =>
      progress.show(`${index + 1} of ${of}: ${measure}`)
    for await (const result of assess(release, { ...how, progress: show })) results.push(result)
  } finally {
    await tasks.close()
  }
  progress.clear()
  return { assessment: conclude(release, results, measures), results, files }
}

function profileOf(args: Arguments): Profile | undefined {
  const name = args.text('profile')
  if (name === undefined) return undefined
  const found = PROFILES.find((profile) => profile === name)
  if (found === undefined) throw new UserError(unknownName('profile', name, PROFILES))
  return found
}

function measurePath(path: string[]): string[] {
  if (path.length < 2) throw new UserError(`--set ${path[0]}: say of which measure, for example --set k-anonymity.k=3`)
  return path
}
