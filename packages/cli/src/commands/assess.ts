import { DEFAULT_SEED, type Release, type Result, UserError } from '@scrim/core'
import { type Arguments, commaList } from '../arguments.js'
import { assessAll, assessmentText, subjectText } from '../assessment.js'
import { writeCharts } from '../charts.js'
import { type Command, EXIT } from '../command.js'
import { checkOutputs, writeOutput } from '../files.js'
import { hasFailed, measureOf } from '../findings.js'
import type { Io } from '../io.js'
import { progressLine } from '../progress.js'
import {
  type InputFile,
  loadRelease,
  measureOptions,
  RELEASE_FLAGS,
  readSettings,
  type Settings,
} from '../release-options.js'
import { wrap } from '../text-table.js'
import { threads } from '../threads.js'
import { version } from '../version.js'
import { requireFiles } from './measure.js'

export const assessCommand: Command = {
  name: 'assess',
  usage: 'ORIGINAL RELEASED... [options]',
  summary: 'Runs every measure that applies and prints what was found, worst first, and what was not assessed.',
  flags: {
    ...RELEASE_FLAGS,
    measures: { value: 'a,b', repeat: true, help: 'run these measures only (default: all)' },
    json: { value: 'FILE', help: 'write all results, with the hashes of the files, as JSON' },
    charts: { value: 'DIR', help: 'write the charts of all measures as SVG into this folder' },
  },
  notes: [
    'Options of a measure are set with the id of the measure before the option: --set k-anonymity.k=3.',
    'A measure that needs something that was not given (a holdout, a weight) is listed as not assessed; a measure that fails does not stop the others, and the exit code is then 1.',
  ],
  examples: [
    'scrim assess original.csv released.csv --keys sex,age,region --target income',
    'scrim assess original.csv syn1.csv syn2.csv syn3.csv --keys sex,age --target income,health --type synthetic --json result.json',
    'scrim assess original.csv released.csv --keys sex,age --group age=10 --measures k-anonymity --set k-anonymity.k=3',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  requireFiles(args.positionals, 'scrim assess ORIGINAL RELEASED...')
  const settings = readSettings(args, io)
  const { json, charts } = outputOf(args, settings)
  const options = measureOptions(args, settings.config, measurePath)
  checkOutputs({ files: json === undefined ? [] : [json], folders: charts === undefined ? [] : [charts] }, io)

  const progress = progressLine(io)
  const { release, files } = await loadRelease(args.positionals, settings, io, progress)
  const measures = chosenMeasures(args, settings)
  const tasks = threads(settings.threads)
  const results = await assessAll(release, {
    options,
    seed: settings.seed,
    progress,
    tasks,
    ...(measures === undefined ? {} : { measures }),
    each: async (result) => {
      if (charts !== undefined) await writeCharts(measureOf(result.measure), result, charts, io)
    },
  }).finally(tasks.close)
  progress.clear()
  if (json !== undefined)
    writeOutput(json, `${JSON.stringify(assessmentJson(release, files, settings, results), null, 2)}\n`, io)
  io.out(`${wrap(subjectText(release), io.columns).join('\n')}\n\n${assessmentText(release, results, io.columns)}`)
  return results.some(hasFailed) ? EXIT.failed : EXIT.ok
}

function outputOf(args: Arguments, { config }: Settings) {
  return {
    json: args.text('json') ?? (typeof config.json === 'string' ? config.json : undefined),
    charts: args.text('charts') ?? config.charts,
  }
}

function chosenMeasures(args: Arguments, { config }: Settings): readonly string[] | undefined {
  if (args.has('measures')) return commaList(args.texts('measures'))
  return typeof config.measures === 'string' ? commaList([config.measures]) : config.measures
}

function measurePath(path: string[]): string[] {
  if (path.length < 2) throw new UserError(`--set ${path[0]}: say of which measure, for example --set k-anonymity.k=3`)
  return path
}

/** Everything that is needed to check or repeat the run; aggregates only, no records. */
function assessmentJson(release: Release, files: readonly InputFile[], settings: Settings, results: readonly Result[]) {
  const { keys, numericKeys, targets, weight, household, type, warnings } = release
  return {
    scrim: version(),
    files,
    keys,
    numericKeys,
    targets,
    weight,
    household,
    type,
    groups: settings.groups,
    seed: settings.seed ?? DEFAULT_SEED,
    warnings,
    results,
  }
}
