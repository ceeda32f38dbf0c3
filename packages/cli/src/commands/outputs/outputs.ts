import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  ACRO_RESULTS,
  type AcroFile,
  type Appetite,
  type Asked,
  acroFiles,
  appetiteSchema,
  askedByFile,
  askedByFolder,
  checkRequest,
  type EarlierOutput,
  type FileRow,
  findColumn,
  jsonOf,
  outputRiskCharts,
  outputRiskOptions,
  outputRiskView,
  outputsMarkdown,
  outputsView,
  PRESETS,
  type Preset,
  parseEarlier,
  parseNamed,
  readingIn,
  type Table,
  USUAL_SECONDS,
  UserError,
  unknownName,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { type FileBytes, fileExists, readFiles, STANDARD } from '../../files/files.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import { searchStore } from '../../files/search-store.js'
import { checkTableFile, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import type { Arguments, Flags } from '../../options/arguments.js'
import { CONFIG_FLAGS, RELEASE_FLAGS } from '../../options/case-flags.js'
import { commandLine } from '../../options/command-line.js'
import { readCase } from '../../options/config.js'
import { measureOptions } from '../../options/set-options.js'
import { checkedText } from '../../printing/checked-text.js'
import { outputsReport, provenanceOf } from '../../printing/report.js'
import { wrap } from '../../printing/text-table.js'
import { version } from '../../version.js'
import { makeRequest } from './output-request.js'
import { measuredCheck, secondsOf } from './output-risk.js'

const {
  types,
  'max-size': maxSize,
  'missing-tokens': missingTokens,
  delimiter,
  encoding,
  decimal,
  seed,
  threads,
} = RELEASE_FLAGS
const READING_FLAGS: Flags = {
  types,
  'max-size': maxSize,
  'missing-tokens': missingTokens,
  delimiter,
  encoding,
  decimal,
}

const USAGE = 'scrim outputs check REQUEST --data FILE, or scrim outputs request MODEL.rds'

const ACTIONS = ['check', 'request']

export const outputsCommand: Command = {
  usage: 'check REQUEST --data FILE | request MODEL.rds [-o FILE] | request --from-r | --from-stata | --from-python',
  actions: ACTIONS,
  writesCsv: true,
  flags: {
    data: { value: 'FILE', help: 'the confidential data that the outputs were made from' },
    history: { value: 'DIR', help: 'folder of earlier results (--json) of this command: what was released before' },
    holdout: { value: 'FILE', help: 'people who are not in the data, to compare with; else the data are split' },
    'rules-only': { help: 'do not measure what the outputs reveal about people' },
    preset: {
      value: 'NAME',
      values: Object.keys(PRESETS),
      help: `limits of the rules: ${Object.keys(PRESETS).join(' or ')} (default acro)`,
    },
    limit: {
      value: 'name=value',
      repeat: true,
      help: `another limit than that of the preset: ${Object.keys(appetiteSchema.shape).join(', ')}`,
    },
    seconds: {
      value: 'N',
      help: `time for the searches of the measured risk (default ${USUAL_SECONDS}); what is not found by then is reported`,
    },
    resume: { help: 'go on with searches of the same check that was interrupted' },
    set: { value: 'option=value', repeat: true, help: 'option of the measured risk, such as splits=4 or engine=ea' },
    'embed-out': {
      group: 'writing',
      value: 'FILE',
      help: 'write simulated records that give the same outputs, the first of the searches, with a column that says so; what an outsider could make of the outputs',
    },
    json: {
      group: 'writing',
      value: 'FILE',
      help: 'write everything as JSON, to be put into the history; - prints it',
    },
    html: {
      group: 'writing',
      value: 'FILE',
      help: 'write a report for the checker: one HTML file without script or network',
    },
    markdown: { group: 'writing', value: 'FILE', help: 'write it as Markdown; - prints it' },
    acro: { group: 'writing', value: 'DIR', help: 'write a results folder of ACRO, which SACRO-Viewer shows' },
    output: {
      group: 'writing',
      value: 'FILE',
      short: 'o',
      help: 'of request: where the request goes (default: it is printed)',
    },
    'from-r': { help: 'of request: print what to run in R, so that a model there becomes a request' },
    'from-stata': { help: 'of request: the same for Stata' },
    'from-python': { help: 'of request: the same for Python (statsmodels)' },
    ...READING_FLAGS,
    seed,
    threads,
    ...CONFIG_FLAGS,
  },
  notes: [
    'REQUEST is a JSON file (docs/outputs.md shows one, docs/schema/request.schema.json is its schema), the same as a long CSV file, or a results folder of ACRO.',
    'Report, Markdown and JSON have exact numbers of small cells: they are for the checker, not for release.',
    'Exit code 0: nothing is refused. 3: the set is refused. 2: something in the request, the files or the command is wrong. 130: interrupted; --resume goes on.',
  ],
  examples: [
    'scrim outputs check request.json --data survey.csv',
    'scrim outputs check request.json --data survey.csv --history released/ --html check.html --json released/new.json',
    'scrim outputs check request.json --data survey.csv --preset essnet --limit threshold=5',
    'scrim outputs request model.rds -o request.json',
    'scrim outputs request --from-python',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [action, requestFile, ...rest] = args.positionals
  if (action === 'request') return makeRequest(args, io)
  if (action !== 'check') {
    const what = action === undefined ? 'nothing to do' : unknownName('action', action, ACTIONS)
    throw new UserError(`${what}; usage: ${USAGE}`)
  }
  const dataFile = args.text('data')
  if (requestFile === undefined) throw new UserError(`no request given; usage: ${USAGE}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; usage: ${USAGE}`)
  if (dataFile === undefined)
    throw new UserError(`--data is missing: the data that the outputs were made from; usage: ${USAGE}`)
  const said = readCase(args, io)
  const [json, html, markdown] = ['json', 'html', 'markdown'].map((flag) => args.text(flag))
  const embedOut = args.text('embed-out')
  if (embedOut !== undefined && args.has('rules-only'))
    throw new UserError('--embed-out has no effect with --rules-only: nothing is embedded')
  if (embedOut !== undefined) checkTableFile(embedOut)
  const files = [json, html, markdown, embedOut].filter((file) => file !== undefined)
  const acro = args.text('acro')
  const folders = acro === undefined ? [] : [{ name: acro, endings: ['.json', '.csv'] }]
  const asFile = isFolder(requestFile, io) ? join(requestFile, ACRO_RESULTS) : requestFile
  const holdout = args.texts('holdout')
  checkOutputs({ files, folders, inputs: [asFile, dataFile, ...holdout] }, io)
  const preset = presetOf(args)
  const appetite = limitsOf(args, preset)
  const earlier = historyOf(args, io)
  const options = measureOptions(args, said, {
    at: (path) => ['output-risk', ...path],
    schema: () => outputRiskOptions,
  })['output-risk']
  parseNamed('--set', 'option', outputRiskOptions, options ?? {})

  const started = performance.now()
  const [asked, original, outside] = readFiles([asFile, dataFile, ...holdout], io, said.maxSize)
  const reader = tableReader()
  const reading = readingIn(said)
  const data = await reader.read(original, reading)
  const { request, unread } = askedFor(requestFile, asked, data, io)
  const people = outside === undefined ? undefined : await reader.read(outside, reading)
  await reader.close()
  const kept = () =>
    searchStore(
      io,
      {
        files: [asked, original, outside].map((file) => file?.sha256),
        request,
        earlier,
        options,
        reading,
        seed: said.seed,
      },
      args.has('resume'),
    )
  const byRules = checkRequest(request, data, { preset, appetite, earlier, unread }).check
  const made: Table[] = []
  const { check, risk } = args.has('rules-only')
    ? { check: byRules, risk: null }
    : await measuredCheck(
        byRules,
        {
          request,
          data,
          people,
          earlier,
          options,
          seconds: secondsOf(args),
          kept: kept(),
          embedded: (records) => made.push(records),
        },
        said,
        io,
      )
  const seconds = (performance.now() - started) / 1000

  const provenance = provenanceOf(
    [
      inputFile('data', original, data),
      ...(outside === undefined || people === undefined ? [] : [inputFile('holdout', outside, people)]),
      { role: 'request', name: requestFile, rows: request.outputs.length, columns: 0, sha256: asked.sha256 },
    ],
    seconds,
    { command: commandLine('outputs', args, 'internal') },
  )
  const view = outputsView(
    check,
    provenance,
    said.seed ?? 1,
    risk === null ? null : outputRiskView(risk, outputRiskCharts(risk)),
  )
  if (json !== undefined)
    writeOutput(
      json,
      `${JSON.stringify({ scrim: version(), ...check, outputRisk: risk, files: provenance.files }, null, 2)}\n`,
      io,
    )
  if (embedOut !== undefined && made.length > 0) writeTable(embedOut, made[0], io)
  if (html !== undefined) writeOutput(html, await outputsReport(view, io), io)
  if (markdown !== undefined) writeOutput(markdown, outputsMarkdown(view), io)
  if (acro !== undefined) writeAcro(acro, acroFiles(check, new Date().toISOString()), io)
  const written = files.filter((file) => file !== embedOut || made.length > 0)
  const unwritten =
    written.length === files.length
      ? ''
      : `${embedOut} was not written: the risk was not measured, so nothing is embedded.\n`
  const carried = embedOut === undefined ? '' : carriedText(embedOut, made[0], data, io.columns)
  if (!files.includes(STANDARD))
    io.out(checkedText(view, io.face, io.columns) + unwritten + carried + writtenText(written, io))
  return check.verdict === 'refuse' ? EXIT.gate : EXIT.ok
}

/** More different values of a number than this tell people apart. */
const FINE = 100

/** Where each variable alone is taken for public, simulated records have the very values of people: that is said with the file. */
function carriedText(file: string, made: Table | undefined, data: Table, width: number): string {
  const names = (made?.columns ?? []).flatMap((simulated) => {
    const column = findColumn(data, simulated.name)
    if (column === undefined || column.kind === 'categorical' || simulated.kind === 'categorical') return []
    const values = new Set(column.values)
    const carried = simulated.values.filter((value) => values.has(value)).length
    return values.size > FINE && 2 * carried > simulated.values.length ? [simulated.name] : []
  })
  if (names.length === 0) return ''
  const said = `${file} has values of ${names.join(', ')} that stand in the data, since each variable alone is taken for public. It is as confidential as these are; with "knowledge": "none" in the request numbers are drawn from their range.`
  return `${wrap(said, width).join('\n')}\n`
}

/** What is asked for: JSON, the long form as CSV, or a results folder of ACRO. */
function askedFor(name: string, file: FileBytes, data: Table, io: Io): Asked {
  return isFolder(name, io)
    ? askedByFolder(name, (one) => textOf(join(name, one), io), data)
    : askedByFile(name, new TextDecoder().decode(file.bytes), data)
}

function isFolder(name: string, io: Io): boolean {
  return statSync(resolve(io.cwd, name), { throwIfNoEntry: false })?.isDirectory() === true
}

function textOf(name: string, io: Io): string | null {
  return fileExists(name, io) ? new TextDecoder().decode(readFiles([name], io)[0].bytes) : null
}

/** The files, and for each what the viewer compares it with. */
function writeAcro(folder: string, files: readonly AcroFile[], io: Io): void {
  for (const { name, text } of files) {
    writeOutput(join(folder, name), text, io)
    writeOutput(join(folder, 'checksums', `${name}.txt`), createHash('sha256').update(text).digest('hex'), io)
  }
}

function inputFile(role: string, { name, sha256 }: FileBytes, { rows, columns }: Table): FileRow {
  return { role, name, rows, columns: columns.length, sha256 }
}

function presetOf(args: Arguments): Preset {
  const named = args.text('preset') ?? 'acro'
  const names = Object.keys(PRESETS) as Preset[]
  const known = names.find((name) => name === named)
  if (known === undefined) throw new UserError(`--preset: ${unknownName('preset', named, names)}`)
  return known
}

/** `--limit threshold=5`; values are JSON, null switches a rule off. */
function limitsOf(args: Arguments, preset: Preset): Appetite {
  const limits = args.texts('limit').map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UserError(`--limit needs a name and a value, such as threshold=5, found "${text}"`)
    return [text.slice(0, at).trim(), jsonOrText(text.slice(at + 1))] as const
  })
  return parseNamed('--limit', 'limit', appetiteSchema, { ...PRESETS[preset], ...Object.fromEntries(limits) })
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Everything that earlier checks in a folder let out. */
function historyOf(args: Arguments, io: Io): EarlierOutput[] {
  const folder = args.text('history')
  if (folder === undefined) return []
  const path = resolve(io.cwd, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`--history: there is no folder ${folder}`)
  const names = readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
  return readFiles(
    names.map((name) => join(folder, name)),
    io,
  ).flatMap((file, k) => parseEarlier(names[k], jsonOf(file.name, new TextDecoder().decode(file.bytes))))
}
