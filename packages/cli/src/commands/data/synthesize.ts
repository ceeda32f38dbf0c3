import { randomInt } from 'node:crypto'
import {
  count,
  findSynthesizer,
  type Json,
  type JsonObject,
  optionsOf,
  parseNamed,
  percent,
  readingIn,
  type SynthesisSets,
  type Synthesizer,
  synthesizers,
  synthesizeSets,
  UserError,
  withCodebookOf,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { COMMAND_PREFIX, externalSynthesizer, FOLDER_PREFIX } from '../../files/external-synthesizer.js'
import { readFiles, STANDARD } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import { checkColumnNames, checkTableFile, TABLE_FILE, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { CONFIG_FLAGS, READING_FLAGS, RELEASE_FLAGS } from '../../options/case-flags.js'
import { readCase } from '../../options/config.js'
import { measureOptions } from '../../options/set-options.js'
import { DRAWN_SEED_FLAG, METHOD_OPTION_FLAG, REPORT_FLAG } from '../../options/usual-flags.js'
import { progressLine } from '../../printing/progress.js'
import { recordFiles as numberedFiles } from '../../printing/records.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { threads } from '../../threads.js'

const { threads: threadsFlag } = RELEASE_FLAGS

export const synthesizeCommand: Command = {
  usage: 'ORIGINAL -o FILE [--method cart] [--m 5] [--n N] [--set option=value]...',
  writesCsv: true,
  flags: {
    out: {
      group: 'writing',
      value: 'FILE',
      short: 'o',
      help: `${TABLE_FILE}; FILE-1.csv, FILE-2.csv, ... for several`,
    },
    method: {
      value: 'NAME',
      values: synthesizers.map(({ id }) => id),
      help: `${synthesizers.map(({ id }) => id).join(', ')} (default cart); or ${COMMAND_PREFIX}"..." or ${FOLDER_PREFIX}DIR`,
    },
    list: { help: 'show all methods, and the options of the one that --method names' },
    m: { value: 'N', help: 'number of syntheses (default 1)' },
    n: { value: 'N', help: 'records of each (default: as many as the original has)' },
    set: METHOD_OPTION_FLAG,
    seed: DRAWN_SEED_FLAG,
    report: REPORT_FLAG,
    ...READING_FLAGS,
    threads: threadsFlag,
    ...CONFIG_FLAGS,
  },
  notes: [
    `${COMMAND_PREFIX}"Rscript my.R {in} {out} {n} {seed}" runs a program for each synthesis: it reads the CSV file {in} and writes the CSV file {out} with {n} records. ${FOLDER_PREFIX}DIR takes files that are there already.`,
    'The report is for you: it has the seed, and who knows the seed and all records but one can try candidates for the last one until the release comes out. The seed is never written into a released file.',
    'docs/synthesizers.md has all options of all methods.',
  ],
  examples: [
    'scrim synthesize survey.csv -o synthetic.csv',
    'scrim synthesize survey.csv -o synthetic.csv --m 5 --set minbucket=10 --set smoothing=density --report how.json',
    `scrim synthesize survey.csv -o synthetic.csv --set method.income=normrank --set 'contNa.income=[-8]'`,
    `scrim synthesize survey.csv -o synthetic.csv --set 'rules.marital={"when": "age < 18", "value": "SINGLE"}'`,
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  if (args.has('list')) {
    io.out(methodList(findSynthesizer(args.text('method') ?? 'cart'), io.columns))
    return EXIT.ok
  }
  const [original, ...rest] = args.positionals
  if (original === undefined) throw new UserError(`no file given; usage: scrim synthesize ${synthesizeCommand.usage}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; the file to write is named by -o`)
  const out = args.text('out')
  if (out === undefined) throw new UserError('-o is missing: the file to write, or - for stdout')
  const sets = positive('--m', args.text('m') ?? '1')
  if (out === STANDARD && sets > 1) throw new UserError('-o - takes one synthesis; name a file for several')
  const method = args.text('method') ?? 'cart'
  const synthesizer = externalSynthesizer(method, io) ?? findSynthesizer(method)
  checkTableFile(out)
  const asked = readCase(args, io)
  const options =
    measureOptions(args, asked, {
      at: (path) => [synthesizer.id, ...path],
      schema: () => synthesizer.options,
    })[synthesizer.id] ?? {}
  parseNamed(synthesizer.id, 'option', synthesizer.options, options)
  const outputs = numberedFiles(out, sets)
  const reportFile = args.text('report')
  checkOutputs(
    {
      files: reportFile === undefined ? outputs : [...outputs, reportFile],
      inputs: inputsOf({ ...args, positionals: [original] }, asked),
    },
    io,
  )

  const progress = progressLine(io)
  progress.show(`reading ${original}`)
  const [file] = readFiles([original], io, asked.maxSize)
  const reader = tableReader()
  const data = await reader.read(file, readingIn(asked)).finally(reader.close)
  checkColumnNames(out, data)
  const records = args.text('n')
  const rows = records === undefined ? data.rows : positive('--n', records)
  const seed = asked.seed ?? randomInt(LARGEST_RANDOM_SEED)
  const tasks = threads(asked.threads)
  const made = await synthesizeSets(synthesizer, data, {
    sets,
    rows,
    seed,
    options,
    tasks,
    progress: (done, total) => progress.show(`learned ${done} of ${total} variables`, done / total),
  }).finally(tasks.close)
  for (const [k, table] of made.sets.entries()) {
    progress.show(`writing ${k + 1} of ${sets}`)
    writeTable(outputs[k], withCodebookOf(data, table), io)
  }
  progress.clear()
  const files = out === STANDARD ? [] : outputs
  const report: Report = { original, synthesizer, options, rows, seed, files, ...made }
  if (reportFile !== undefined) writeOutput(reportFile, reportText(report, reportFile, io.columns), io)
  else if (out !== STANDARD) io.out(screen(report, io.columns))
  return EXIT.ok
}

function methodList(chosen: Synthesizer, width: number): string {
  const options = optionsOf(chosen).map((option) => [option.name, JSON.stringify(option.default), option.description])
  return [
    textTable(
      [{ title: 'method' }, { title: 'what it is' }],
      synthesizers.map(({ id, title }) => [id, title]),
      width,
    ),
    options.length === 0
      ? `${chosen.id} has no options.\n`
      : `Options of ${chosen.id}\n\n${textTable([{ title: 'option' }, { title: 'default' }, { title: 'meaning', fold: true }], options, width)}`,
  ].join('\n')
}

const LARGEST_RANDOM_SEED = 2 ** 47

function positive(flag: string, text: string): number {
  const value = wholeNumber(flag, text)
  if (value < 1) throw new UserError(`${flag} must be at least 1, but it is ${value}`)
  return value
}

interface Report extends SynthesisSets {
  readonly original: string
  readonly synthesizer: Synthesizer
  readonly options: object
  readonly rows: number
  readonly seed: number
  readonly files: readonly string[]
}

function reportText(report: Report, file: string, width: number): string {
  if (!file.endsWith('.json')) return screen(report, width)
  const { original, synthesizer, options, rows, seed, files, description, supportLeak } = report
  const told = {
    original,
    method: synthesizer.id,
    options,
    rows,
    seed,
    files,
    ...description,
    supportLeak: supportLeak(),
  }
  return `${JSON.stringify(told, null, 2)}\n`
}

const NONE = '-'

function screen(report: Report, width: number): string {
  const { original, synthesizer, sets, rows, seed, files, description, supportLeak } = report
  const variables = list(description.variables)
  const written = files.length === 0 ? 'written to stdout' : `written to ${files.join(', ')}`
  return [
    ...wrap(
      `${synthesizer.title}: ${count(sets.length, 'synthesis', 'syntheses')} of ${count(rows, 'record')} from ${original}, ${written}`,
      width,
    ),
    '',
    ...(variables.length === 0 ? [] : [variableTable(variables, width)]),
    ...list(description.warnings).flatMap((warning) => wrap(`note: ${warning}`, width)),
    ...wrap(supportText(supportLeak()), width),
    ...wrap(`Seed ${seed}: keep it to yourself, it is in no file but this report.`, width),
    '',
  ].join('\n')
}

function supportText({ share, variables }: ReturnType<SynthesisSets['supportLeak']>): string {
  if (share === null) return "No numbers are released, so none is a single record's."
  const each = variables
    .filter((one) => one.share !== null && one.share > 0)
    .map((one) => `${one.variable} ${percent(one.share ?? 0)}`)
  const detail = each.length === 0 ? '' : ` (${each.join(', ')})`
  return `Support leak: ${percent(share)} of the released numbers are exactly those of one original record alone${detail}.`
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function variableTable(variables: readonly Json[], width: number): string {
  const number = (value: Json | undefined) => (typeof value === 'number' ? String(value) : NONE)
  const objects = variables.filter(isObject)
  const hasStrata = objects.some(({ stratum }) => stratum !== undefined)
  const rows = objects.map((row) => [
    ...(hasStrata ? [String(row.stratum)] : []),
    `${row.variable}${row.part === 'special' ? ' (special value?)' : ''}`,
    `${row.method}${typeof row.smoothing === 'string' ? `, smoothed (${row.smoothing})` : ''}`,
    number(row.predictors),
    number(row.donors),
    row.leaves === 0 ? NONE : number(row.leaves),
    typeof row.smallestLeaf === 'number' ? `${row.smallestLeaf} to ${row.largestLeaf}` : NONE,
  ])
  return textTable(
    [
      ...(hasStrata ? [{ title: 'stratum', fold: true }] : []),
      { title: 'variable' },
      { title: 'made by', fold: true },
      { title: 'predictors', align: 'right' },
      { title: 'donors', align: 'right' },
      { title: 'leaves', align: 'right' },
      { title: 'per leaf', align: 'right' },
    ],
    rows,
    width,
  )
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
