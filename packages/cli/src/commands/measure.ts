import {
  type AnyMeasure,
  byTarget,
  evidenceRow,
  evidenceRows,
  FIGURE_COLUMNS,
  figureRows,
  hasFailed,
  inUnit,
  literatureText,
  measures,
  originalFinding,
  parseOptions,
  type Result,
  releasedFindings,
  UserError,
  unknownName,
} from '@scrim/core'
import type { Arguments } from '../arguments.js'
import { chartsFolder, writeCharts } from '../charts.js'
import type { Command } from '../command.js'
import { csvText } from '../csv.js'
import { EXIT } from '../exit.js'
import { STANDARD } from '../files.js'
import { GENERATOR_FLAG, generatorOf, SYNTHESIZER } from '../generator.js'
import type { Io } from '../io.js'
import { unmetWithFlags } from '../measures.js'
import { checkOutputs } from '../outputs.js'
import { progressLine } from '../progress.js'
import { recordFiles, withoutRecords, writeRecords } from '../records.js'
import { inputsOf, loadRelease, RELEASE_FLAGS, readSettings, type Settings } from '../release-options.js'
import { measureOptions } from '../set-options.js'
import { textTable, wrap } from '../text-table.js'
import { threads } from '../threads.js'

export const measureCommand: Command = {
  name: 'measure',
  usage: 'ID ORIGINAL RELEASED... [options]',
  summary: 'Computes one measure of one or several releases of the same original.',
  flags: {
    ...RELEASE_FLAGS,
    synthesizer: GENERATOR_FLAG,
    json: { help: 'print the result as one JSON document and nothing else; fractions, not percent' },
    csv: { help: 'print the figures as CSV: measure,part,release,target,name,value' },
    records: {
      value: 'FILE',
      help: 'write one score per record as CSV; with several releases FILE-1.csv, FILE-2.csv, ...; - prints it',
    },
    charts: { value: 'DIR', help: 'write the charts as SVG into this folder' },
  },
  notes: [
    'Exit code 0: computed, or not applicable to these data, with the reason printed. 1: the measure failed. 2: something in the command or the files is wrong, such as a key variable that is not there.',
  ],
  examples: [
    'scrim measure k-anonymity original.csv released.csv --keys sex,age,region',
    'scrim measure k-anonymity original.csv released.csv --keys sex,age --group age=10 --set k=3 --json',
    'scrim measure disclosure original.csv syn1.csv syn2.csv --keys sex,age --target income --charts charts',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [id, ...files] = args.positionals
  const measure = findMeasure(id)
  requireFiles(files, 'scrim measure ID ORIGINAL RELEASED...')
  const settings = readSettings(args, io)
  const output = outputOf(args, settings)
  const { [measure.id]: options = {}, [SYNTHESIZER]: own = {} } = measureOptions(args, settings.config, {
    at: (path) => (path[0] === SYNTHESIZER && path.length > 1 ? path : [measure.id, ...path]),
    schema: (owner) => (owner === measure.id ? measure.options : undefined),
  })
  const generator = generatorOf(args, settings, own, io)
  parseOptions(measure.id, measure.options, options)
  checkOutputs(
    {
      files: output.records === undefined ? [] : recordFiles(output.records, files.length - 1),
      folders: output.charts === undefined ? [] : [chartsFolder(output.charts)],
      inputs: inputsOf({ ...args, positionals: files }, settings),
    },
    io,
  )

  const progress = progressLine(io)
  const { release } = await loadRelease(files, { ...settings, generator }, io, progress)
  const unmet = unmetWithFlags(measure, options, release)
  if (unmet !== undefined) throw new UserError(unmet)
  const tasks = threads(settings.threads)
  const how = {
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    records: output.records !== undefined,
    progress: (done: number, total: number) => progress.show(`${measure.id} ${done} of ${total}`),
    tasks,
  }
  const full = await measure.run(release, options, how).finally(tasks.close)
  const result = withoutRecords(full)
  const written = output.records === undefined ? [] : writeRecords(full, output.records, io)
  if (output.charts !== undefined) await writeCharts(measure, result, output.charts, io)
  progress.clear()
  const say = output.records === STANDARD ? io.err : io.out
  say(
    output.json
      ? `${JSON.stringify(result, null, 2)}\n`
      : output.csv
        ? csvText([...FIGURE_COLUMNS], figureRows(result))
        : description(measure, result, io.columns),
  )
  if (output.records !== undefined && written.length === 0 && result.status === 'ok') {
    throw new UserError(`--records: ${measure.id} has no scores of single records; ${output.records} was not written`)
  }
  return hasFailed(result) ? EXIT.failed : EXIT.ok
}

function findMeasure(id: string | undefined): AnyMeasure {
  const ids = measures.map((measure) => measure.id)
  if (id === undefined)
    throw new UserError('which measure? usage: scrim measure ID ORIGINAL RELEASED...; scrim measures lists them')
  const found = measures.find((measure) => measure.id === id)
  if (found === undefined) throw new UserError(unknownName('measure', id, ids))
  return found
}

export function requireFiles(files: readonly string[], usage: string): void {
  if (files.length === 0) throw new UserError(`no files given; usage: ${usage}`)
  if (files.length === 1) throw new UserError(`no released file given, only ${files[0]}; usage: ${usage}`)
}

function outputOf(args: Arguments, { config }: Settings) {
  if (args.has('json') && args.has('csv')) throw new UserError('choose one of --json and --csv')
  const byFlag = args.has('json') || args.has('csv')
  return {
    json: args.has('json') || (!byFlag && config.json === true),
    csv: args.has('csv') || (!byFlag && config.csv === true && config.json !== true),
    records: args.text('records') ?? config.records,
    charts: args.text('charts') ?? config.charts,
  }
}

function description(measure: AnyMeasure, result: Result, width: number): string {
  const several = result.releases.some((release) => release.targets !== undefined)
  const columns = [
    { title: 'table' },
    ...(several ? [{ title: 'target' }] : []),
    { title: 'value', align: 'right' as const },
    { title: 'interval', align: 'right' as const },
    { title: 'leakage', align: 'right' as const },
    { title: 'what it says', fold: true },
  ]
  const cells = (row: ReturnType<typeof evidenceRow>, label: string) => [
    label,
    ...(several ? [row.target ?? '-'] : []),
    row.value,
    row.interval,
    row.leakage,
    row.notAssessed === null ? row.sentence : `${row.sentence}; says nothing: ${row.notAssessed}`,
  ]
  const originals = targetsOf(result).flatMap((target) => originalFinding(result, target) ?? [])
  const rows = [
    ...originals.map((finding) => cells(evidenceRow(measure, result, finding), `${finding.name} (original)`)),
    ...evidenceRows(measure, result).map((row) => cells(row, row.release)),
    ...meanRow(measure, result, several),
  ]
  const lines = [
    `${measure.title}: ${measure.summary}`,
    '',
    textTable(columns, rows, width),
    ...remarks(measure, result).flatMap((remark) => wrap(remark, width)),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function targetsOf({ releases }: Result): readonly (string | null)[] {
  return [...new Set(releases.flatMap(byTarget).map((finding) => finding.target))]
}

function meanRow(measure: AnyMeasure, result: Result, several: boolean): readonly string[][] {
  if (result.releases.length < 2) return []
  const { count, min, max, worst } = result.details
  const text = (value: number | null) => (value === null ? '-' : inUnit(value, measure.unit))
  const { interval } = result
  return [
    [
      `mean of ${count}`,
      ...(several ? ['worst'] : []),
      text(result.value),
      interval === null ? '-' : `${text(interval.lower)} to ${text(interval.upper)}`,
      '-',
      min === null ? (result.reason ?? '') : `from ${text(min)} to ${text(max)}, worst ${worst}`,
    ],
  ]
}

function remarks(measure: AnyMeasure, result: Result): readonly string[] {
  const warnings = new Set([
    ...result.warnings,
    ...releasedFindings(result)
      .flatMap(byTarget)
      .flatMap((finding) => finding.warnings),
  ])
  const beside = evidenceRows(measure, result).flatMap((row) =>
    row.beside.length === 0
      ? []
      : [
          `beside ${row.value} (${[row.release, ...(row.target === null ? [] : [row.target])].join(', ')}): ${row.beside.join('; ')}`,
        ],
  )
  return [
    ...beside,
    ...[...warnings].map((warning) => `note: ${warning}`),
    ...literatureText(measure).map((cut) => `literature, ${cut}`),
  ]
}
