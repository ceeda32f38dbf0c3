import {
  type AnyMeasure,
  type BySize,
  byId,
  byTarget,
  citationsOf,
  type EvidenceRow,
  evidenceRow,
  evidenceRows,
  FIGURE_COLUMNS,
  figureRows,
  hasFailed,
  inUnit,
  jsonText,
  LOOKS,
  literatureText,
  lookRows,
  mayHoldSeveral,
  meansByTarget,
  measureBySize,
  measures,
  noScaleText,
  originalFinding,
  parseOptions,
  type Result,
  releasedFindings,
  tablesOf,
  throughViews,
  UserError,
  withoutRecords,
  withTargetsFor,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { csvText } from '../../files/csv.js'
import { STANDARD } from '../../files/files.js'
import { inputsOf, loadCase, loadLargeCase } from '../../files/load-case.js'
import { checkOutputs } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { RELEASE_FLAGS, SYNTHESIZER_FLAG } from '../../options/case-flags.js'
import { type Asked, readCase, withFiles } from '../../options/config.js'
import { measureIds, unmetText } from '../../options/measures.js'
import { SYNTHESIZER, withMeasureOptions } from '../../options/set-options.js'
import { chartsFolder, writeCharts, writeDrawn } from '../../printing/charts.js'
import { findingTablesText, tablesFolder, writeTable, writeTables } from '../../printing/finding-tables.js'
import { inspectedLinks } from '../../printing/inspect-link.js'
import { progressLine } from '../../printing/progress.js'
import { recordFiles, recordTables, recordWishes, scoresByGroup, writeRecords } from '../../printing/records.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { threads } from '../../threads.js'

export const measureCommand: Command = {
  usage: 'ID ORIGINAL RELEASED... [options]',
  actions: measureIds,
  writesCsv: true,
  flags: {
    ...RELEASE_FLAGS,
    synthesizer: SYNTHESIZER_FLAG,
    json: {
      group: 'writing',
      prints: true,
      help: 'print the result as one JSON document and nothing else; fractions, not percent',
    },
    csv: { group: 'writing', prints: true, help: 'print the figures as CSV: measure,part,release,target,name,value' },
    records: {
      group: 'writing',
      value: 'FILE',
      help: 'write one score per record as CSV; with several releases FILE-1.csv, FILE-2.csv, ...; - prints it',
    },
    top: { group: 'writing', value: 'N', help: '--records: the N riskiest records only, riskiest first' },
    merge: { group: 'writing', help: '--records: with the columns of the file that the records are of' },
    by: {
      value: 'a',
      help: 'print the scores of records by the values of this column; groups below 5 records are left out',
    },
    inspect: {
      value: 'ROW',
      help: 'record-linkage: show this person with the records that fit best, and why; for internal use only',
    },
    charts: { group: 'writing', value: 'DIR', help: 'write the charts as SVG into this folder' },
    sizes: {
      value: 'N,N,...',
      help: 'the measure of random parts of the release, of these sizes, as a table; with --charts as a picture',
    },
    repeats: { value: 'N', help: '--sizes: so many parts of each size (default 10)' },
    tables: {
      group: 'writing',
      value: 'DIR',
      help: 'write the tables as CSV into this folder; fractions, not percent',
    },
  },
  notes: [
    'Exit code 0: computed. 1: the measure failed. 2: something in the command or the files is wrong, such as a key variable that is not there, or the measure has no meaning on these data, with the reason printed.',
  ],
  examples: [
    'scrim measure k-anonymity original.csv released.csv --keys sex,age,region',
    'scrim measure k-anonymity original.csv released.csv --keys sex,age --group age=10 --set k=3 --json',
    'scrim measure disclosure original.csv syn1.csv syn2.csv --keys sex,age --target income --charts charts',
    'scrim measure disclosure original.csv syn.csv --keys sex,age --target income --sizes 500,1000,5000 --charts charts',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = withFiles(typed, io, 1)
  const [id, ...files] = args.positionals
  const measure = findMeasure(id)
  requireFiles(files, 'scrim measure ID ORIGINAL RELEASED...')
  const asked = withMeasureOptions(args, readCase(args, io), {
    at: (path) => (path.length > 1 && [SYNTHESIZER, measure.id].includes(path[0]) ? path : [measure.id, ...path]),
    schema: (owner) => (owner === measure.id ? measure.options : undefined),
  })
  const output = outputOf(args, asked)
  const options = asked.options[measure.id] ?? {}
  parseOptions(measure.id, measure.options, options)
  checkOutputs(
    {
      files: output.records === undefined ? [] : recordFiles(output.records, files.length - 1),
      folders: [
        ...(output.charts === undefined ? [] : [chartsFolder(output.charts)]),
        ...(output.tables === undefined ? [] : [tablesFolder(output.tables)]),
      ],
      inputs: inputsOf({ ...args, positionals: files }, asked),
    },
    io,
  )

  const wanted = recordWishes(args)
  const progress = progressLine(io)
  const row = args.text('inspect')
  const sizes = args.text('sizes')
  const isOfRecords = output.records !== undefined || args.has('by') || row !== undefined || sizes !== undefined
  const { opened } = isOfRecords
    ? await loadCase(files, asked, io, progress)
    : await loadLargeCase(files, asked, io, progress, () => [measure.id])
  const release = withTargetsFor(measure, opened.release)
  const unmet = unmetText(measure, options, release, io.face)
  if (unmet !== undefined) throw new UserError(unmet)
  if (row !== undefined) {
    progress.clear()
    io.out(await inspectedLinks(measure.id, release, options, row, asked.seed, io.columns))
    return EXIT.ok
  }
  const tasks = threads(asked.threads)
  const runOptions = {
    ...(asked.seed === undefined ? {} : { seed: asked.seed }),
    records: output.records !== undefined || args.has('by'),
    progress: (done: number, total: number) => progress.show(`${measure.id} ${done} of ${total}`, done / total),
    tasks,
  }
  if (sizes !== undefined && output.csv)
    throw new UserError('--sizes gives tables: write them as CSV with --tables DIR')
  if (sizes !== undefined) {
    const bySize = await measureBySize(
      measure,
      release,
      options,
      numbersIn(sizes),
      repeatsIn(args),
      runOptions,
    ).finally(tasks.close)
    progress.clear()
    return reportBySize(measure, bySize, output, io)
  }
  const full = await measure
    .run(release, options, runOptions)
    .then((result) => throughViews(result, measure, release, options, runOptions))
    .finally(tasks.close)
  const result = withoutRecords(full)
  const written =
    output.records === undefined
      ? []
      : writeRecords(measure, full, recordTables(measure, release), { ...wanted, file: output.records }, io)
  if (output.charts !== undefined) await writeCharts(measure, result, output.charts, io)
  if (output.tables !== undefined) writeTables(measure, result, output.tables, io)
  progress.clear()
  const isStdoutTaken = output.records === STANDARD
  if (output.json) (isStdoutTaken ? io.err : io.data)(jsonText(document(measure, result)))
  else if (output.csv) (isStdoutTaken ? io.err : io.data)(csvText([...FIGURE_COLUMNS], figureRows(result), io))
  else {
    const byGroup =
      wanted.by === undefined ? '' : scoresByGroup(full, recordTables(measure, release), wanted.by, io.columns)
    ;(isStdoutTaken ? io.err : io.out)(description(measure, result, io.columns) + byGroup)
  }
  if (output.records !== undefined && written.length === 0 && result.status === 'ok') {
    throw new UserError(`--records: ${measure.id} has no scores of single records; ${output.records} was not written`)
  }
  if (hasFailed(result)) return EXIT.failed
  return result.status === 'ok' ? EXIT.ok : EXIT.userError
}

const USUAL_REPEATS = 10

function numbersIn(text: string): readonly number[] {
  return text.split(',').map((size) => wholeNumber('--sizes', size.trim()))
}

function repeatsIn(args: Arguments): number {
  const repeats = wholeNumber('--repeats', args.text('repeats') ?? String(USUAL_REPEATS))
  if (repeats < 1) throw new UserError(`--repeats must be at least 1, but it is ${repeats}`)
  return repeats
}

async function reportBySize(
  { id, title }: AnyMeasure,
  { tables, charts }: BySize,
  output: ReturnType<typeof outputOf>,
  io: Io,
): Promise<number> {
  if (output.charts !== undefined) await writeDrawn(charts, output.charts, io)
  for (const table of output.tables === undefined ? [] : tables) writeTable(id, table, output.tables ?? '', io)
  if (output.json) io.data(jsonText({ measure: id, title, tables }))
  else io.out(findingTablesText(tables, io.columns, Number.POSITIVE_INFINITY))
  return EXIT.ok
}

function findMeasure(id: string | undefined): AnyMeasure {
  if (id === undefined)
    throw new UserError('which measure? usage: scrim measure ID ORIGINAL RELEASED...; scrim measures lists them')
  return byId('measure', id, measures)
}

export function requireFiles(files: readonly string[], usage: string): void {
  if (files.length === 0) throw new UserError(`no files given; usage: ${usage}`)
  if (files.length === 1 && !mayHoldSeveral(files[0]))
    throw new UserError(`no released file given, only ${files[0]}; usage: ${usage}`)
}

function outputOf(args: Arguments, asked: Asked) {
  if (args.has('json') && args.has('csv')) throw new UserError('choose one of --json and --csv')
  const byFlag = args.has('json') || args.has('csv')
  return {
    json: args.has('json') || (!byFlag && asked.json === true),
    csv: args.has('csv') || (!byFlag && asked.csv === true && asked.json !== true),
    records: args.text('records') ?? asked.records,
    charts: args.text('charts') ?? asked.charts,
    tables: args.text('tables'),
  }
}

/** Figures in one table, then what they say, then what they stand beside, once. */
function description(measure: AnyMeasure, result: Result, width: number): string {
  const several = result.releases.some((release) => release.targets !== undefined)
  const originals = targetsOf(result).flatMap((target) => {
    const finding = originalFinding(result, target)
    return finding === null ? [] : [evidenceRow(measure, result, finding)]
  })
  const released = evidenceRows(measure, result)
  const rows = [
    ...originals.map((row) => ({ ...row, release: `${row.release} (original)`, original: NONE, itsFair: NONE })),
    ...released,
    ...meanRows(measure, result),
  ]
  const right = { align: 'right' as const }
  const columns = [
    { title: 'table', fold: true },
    ...(several ? [{ title: 'target' }] : []),
    { title: 'leakage', ...right },
    { title: 'value', ...right },
    { title: 'interval', ...right, spare: true },
    { title: 'fair', ...right },
    { title: 'honest', ...right },
    { title: 'original', ...right },
    { title: 'its fair', ...right },
    { title: 'nothing', ...right, spare: true },
    { title: 'place', ...right },
  ]
  const cells = rows.map((row) => [
    row.release,
    ...(several ? [row.target ?? NONE] : []),
    row.leakage,
    row.value,
    row.interval,
    row.fair,
    row.honest,
    row.original,
    row.itsFair,
    row.nothing,
    row.place,
  ])
  // What nobody has a figure for is no column.
  const kept = columns.flatMap(({ title }, j) =>
    ['table', 'target', 'value'].includes(title) || cells.some((row) => row[j] !== NONE) ? [j] : [],
  )
  const lines = [
    ...wrap(`${measure.title}: ${measure.summary}`, width),
    '',
    textTable(
      kept.map((j) => columns[j]),
      cells.map((row) => kept.map((j) => row[j])),
      width,
    ),
    ...looksText(measure, result, several, width),
    ...[findingTablesText(tablesOf(measure, result), width)].filter((text) => text !== ''),
    ...[...originals, ...released].flatMap((row) => wrap(saying(row), width)),
    ...remarks(measure, result, released).flatMap((remark) => wrap(remark, width)),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** Where a measure looks several times: each look as `assess` judges it, with what its leakage is worked out from. */
function looksText(measure: AnyMeasure, result: Result, several: boolean, width: number): readonly string[] {
  const rows = lookRows(measure, result)
  if (rows.length <= result.releases.flatMap(byTarget).length) return []
  const isOne = result.releases.length === 1
  const right = { align: 'right' as const }
  return [
    ...wrap(`${LOOKS}:`, width),
    '',
    textTable(
      [
        { title: 'look', fold: true },
        ...(isOne ? [] : [{ title: 'table', fold: true }]),
        ...(several ? [{ title: 'target' }] : []),
        { title: 'leakage', ...right },
        { title: 'value', ...right },
        { title: 'fair', ...right },
        { title: 'original', ...right },
        { title: 'its fair', ...right },
      ],
      rows.map((row) => [
        row.look,
        ...(isOne ? [] : [row.release]),
        ...(several ? [row.target ?? NONE] : []),
        row.leakage,
        row.value,
        row.fair,
        row.original,
        row.itsFair,
      ]),
      width,
    ),
    ...(noScaleText(rows) === '' ? [] : [...wrap(noScaleText(rows), width), '']),
  ]
}

const NONE = '-'

function saying({ release, target, sentence, notAssessed }: EvidenceRow): string {
  const who = target === null ? release : `${release}, ${target}`
  return `${who}: ${sentence}${notAssessed === null || notAssessed === sentence ? '' : `; says nothing: ${notAssessed}`}`
}

/** A result with what is needed to read it without scrim. */
function document(measure: AnyMeasure, result: Result) {
  const { title, summary, family, threat = null, role, unit } = measure
  const citations = citationsOf(measure).map(({ key, text, doi }) => ({ key, text, doi }))
  return {
    schemaVersion: 2,
    title,
    summary,
    family,
    threat,
    role,
    unit,
    citations,
    ...result,
    means: meansByTarget(result),
    tables: tablesOf(measure, result),
  }
}

function targetsOf({ releases }: Result): readonly (string | null)[] {
  return [...new Set(releases.flatMap(byTarget).map((finding) => finding.target))]
}

type Cells = Pick<
  EvidenceRow,
  | 'release'
  | 'target'
  | 'leakage'
  | 'value'
  | 'fair'
  | 'honest'
  | 'original'
  | 'itsFair'
  | 'interval'
  | 'nothing'
  | 'place'
>

/** One mean per target: over targets it would mean nothing. */
function meanRows(measure: AnyMeasure, result: Result): readonly Cells[] {
  const text = (value: number | null) => (value === null ? NONE : inUnit(value, measure.unit))
  return meansByTarget(result).map(({ target, releases, mean, interval, worst }) => ({
    release: `mean of ${releases}${worst === null ? '' : `, worst ${worst}`}`,
    target,
    leakage: NONE,
    value: text(mean),
    fair: NONE,
    honest: NONE,
    original: NONE,
    itsFair: NONE,
    interval: interval === null ? NONE : `${text(interval.lower)} to ${text(interval.upper)}`,
    nothing: NONE,
    place: NONE,
  }))
}

function remarks(measure: AnyMeasure, result: Result, released: readonly EvidenceRow[]): readonly string[] {
  const warnings = new Set([
    ...result.warnings,
    ...releasedFindings(result)
      .flatMap(byTarget)
      .flatMap((finding) => finding.warnings),
  ])
  const beside =
    measure.role === 'utility'
      ? released.flatMap((row) =>
          row.value === NONE ? [] : [`beside ${row.value} (${row.release}): ${row.beside.join('; ')}`],
        )
      : [...new Set(released.flatMap((row) => row.meanings))]
  return [
    ...beside,
    ...[...warnings].map((warning) => `note: ${warning}`),
    ...literatureText(measure).map((cut) => `literature, ${cut}`),
  ]
}
