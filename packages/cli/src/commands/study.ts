import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Chart, count, parseTypes, readTable, UserError, unknownName } from '@scrim/core'
import {
  buyerBewareDesign,
  type Check,
  type Comparison,
  outputRiskDesign,
  rapidStudyDesign,
  type StudyFiles,
  studyBuyerBeware,
  studyOutputRisk,
  studyRapid,
} from '@scrim/studies'
import type { Command } from '../command.js'
import { EXIT } from '../exit.js'
import { csvText } from '../files/csv.js'
import { readFiles } from '../files/files.js'
import { checkOutputs, writeOutput } from '../files/outputs.js'
import type { Io } from '../io.js'
import { type Arguments, wholeNumber } from '../options/arguments.js'
import { writeDrawn } from '../printing/charts.js'
import { progressLine } from '../printing/progress.js'
import { textTable, wrap } from '../printing/text-table.js'
import { allThreads, threads } from '../threads.js'

const STUDIES = ['rapid', 'buyer-beware', 'output-risk'] as const
type StudyName = (typeof STUDIES)[number]

export const studyCommand: Command = {
  usage:
    'rapid|buyer-beware|output-risk [--quick] [--out DIR] [--files N] [--n N] [--released-dir DIR] [--sd2011 FILE]',
  actions: STUDIES,
  writesCsv: true,
  flags: {
    quick: { help: 'few files and few settings, for a first look; wider tolerances' },
    out: {
      group: 'writing',
      value: 'DIR',
      help: 'folder to write tables, charts and results into (default scrim-study-STUDY)',
    },
    files: {
      value: 'N',
      help: 'rapid: simulated files per setting (default as published: 20, 50 for attackers and attribution); output-risk: runs on all records (10)',
    },
    'released-dir': {
      value: 'DIR',
      help: 'rapid: take originals and releases from kappa-K-file-F-original.csv and kappa-K-file-F-released.csv in this folder',
    },
    n: { value: 'N', help: 'records, as published by default: rapid 1000 per file, output-risk 50,357' },
    trees: { value: 'N', help: 'rapid: trees of the forest (default 500, as published)' },
    sd2011: {
      value: 'FILE',
      help: 'buyer-beware: the survey SD2011 of synthpop as a file, for its tables on real data',
    },
    seed: { value: 'N', help: 'whole number that fixes all random numbers (default 1)' },
    threads: { value: 'N', help: 'threads for heavy work (default: one per core); no result depends on it' },
  },
  notes: [
    'rapid: health microdata are simulated, released by sequential trees and attacked: strength of the relations, thresholds, attackers, keys, who is at risk, and income as a continuous target. Each mean over files is shown beside the published one with the tolerance that sampling allows; fewer files widen it.',
    'buyer-beware: 1000 records of which one is unique are released by trees. How often does it reappear, what does an attacker learn who knows all others, what do repU and DiSCO say, what do minbucket and cp change, and which of the measures of scrim notice?',
    'output-risk: a logistic model of census-like records is released, and data are made that reproduce its 23 coefficients. What do they tell about the people behind it, and about others? The evolutionary algorithm of the paper on all records, halves and halves of a half, and random halves with an interval. 11 minutes of processor time at full size.',
    'With --released-dir the releases may come from any synthesizer; scrim simulate health --age figures makes originals.',
  ],
  examples: [
    'scrim study rapid --quick',
    'scrim study rapid --out results --seed 7',
    'scrim study rapid --files 5',
    'scrim study buyer-beware --sd2011 sd2011.csv',
    'scrim study output-risk --quick',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [name, ...rest] = args.positionals
  if (name === undefined) throw new UserError(`which study? usage: scrim study ${studyCommand.usage}`)
  const study = STUDIES.find((one) => one === name)
  if (study === undefined) throw new UserError(unknownName('study', name, STUDIES))
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"`)
  checkFlags(study, args)
  const folder = args.text('out') ?? `scrim-study-${study}`
  checkOutputs({ folders: [{ name: folder, endings: ['.csv', '.json', '.svg'] }] }, io)
  const found = await RUN[study](args, io)
  await writeStudy(study, found, folder, io)
  io.out(screen(found, folder, io.columns))
  return EXIT.ok
}

const FLAGS_OF: Readonly<Record<StudyName, readonly string[]>> = {
  rapid: ['files', 'released-dir', 'n', 'trees', 'threads'],
  'buyer-beware': ['sd2011'],
  'output-risk': ['files', 'n', 'threads'],
}

const RUN: Readonly<Record<StudyName, (args: Arguments, io: Io) => Promise<FoundStudy>>> = {
  rapid: runRapid,
  'buyer-beware': runBuyerBeware,
  'output-risk': runOutputRisk,
}

function checkFlags(study: StudyName, args: Arguments): void {
  const others = new Set(STUDIES.flatMap((one) => FLAGS_OF[one]).filter((flag) => !FLAGS_OF[study].includes(flag)))
  const problems = [...others].filter((flag) => args.has(flag)).map((flag) => `the study ${study} has no --${flag}`)
  if (problems.length > 0) throw new UserError(problems)
}

/** What all studies find. */
interface FoundStudy {
  readonly design: { readonly seed: number }
  readonly tables: readonly ComparedTable[]
  /** Figures that have nothing published to stand beside. */
  readonly figures?: readonly FigureTable[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

interface ComparedTable {
  readonly name: string
  readonly title: string
  readonly rows: readonly Comparison[]
}

interface FigureTable {
  readonly name: string
  readonly title: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

async function runRapid(args: Arguments, io: Io): Promise<FoundStudy> {
  const released = args.text('released-dir')
  const given = released === undefined ? undefined : releasedFiles(released, io)
  const design = rapidStudyDesign({
    seed: wholeNumber('--seed', args.text('seed') ?? '1'),
    quick: args.has('quick'),
    files: atLeast(args, 'files', 1),
    n: atLeast(args, 'n', 20),
    trees: atLeast(args, 'trees', 1),
  })
  const progress = progressLine(io)
  const tasks = threads(atLeast(args, 'threads', 1) ?? allThreads())
  const show = (done: number, total: number, what: string) => progress.show(`${done + 1} of ${total} attacks: ${what}`)
  const found = await studyRapid(design, { tasks, progress: show }, given).finally(tasks.close)
  progress.clear()
  if (found.tables.length === 0) throw new UserError(`${released} has no files of the settings of this study`)
  return found
}

async function runBuyerBeware(args: Arguments, io: Io): Promise<FoundStudy> {
  const design = buyerBewareDesign({
    seed: wholeNumber('--seed', args.text('seed') ?? '1'),
    quick: args.has('quick'),
  })
  const file = args.text('sd2011')
  const [read] = file === undefined ? [] : readFiles([file], io)
  const survey = read === undefined ? undefined : await readTable(read.name, read.bytes)
  const progress = progressLine(io)
  const show = (done: number, total: number, what: string) => progress.show(`${done + 1} of ${total}: ${what}`)
  const found = await studyBuyerBeware(design, { progress: show }, survey)
  progress.clear()
  return found
}

async function runOutputRisk(args: Arguments, io: Io): Promise<FoundStudy> {
  const design = outputRiskDesign({
    seed: wholeNumber('--seed', args.text('seed') ?? '1'),
    quick: args.has('quick'),
    n: atLeast(args, 'n', 400),
    runs: atLeast(args, 'files', 1),
  })
  const progress = progressLine(io)
  const tasks = threads(atLeast(args, 'threads', 1) ?? allThreads())
  const show = (done: number, total: number, what: string) => progress.show(`${done + 1} of ${total}: ${what}`)
  const found = await studyOutputRisk(design, { tasks, progress: show }).finally(tasks.close)
  progress.clear()
  return found
}

function atLeast(args: Arguments, flag: string, least: number): number | undefined {
  const text = args.text(flag)
  if (text === undefined) return undefined
  const value = wholeNumber(`--${flag}`, text)
  if (value < least) throw new UserError(`--${flag} must be at least ${least}, but it is ${value}`)
  return value
}

const TYPES = parseTypes('education=ordered:low<medium<high,gender=categorical,disease_status=categorical')

/** Pairs of files in a folder; a pair that is not there is skipped. */
function releasedFiles(folder: string, io: Io): StudyFiles {
  const path = resolve(io.cwd, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`there is no folder ${folder}`)
  const there = new Set(readdirSync(path))
  return async (kappa, file) => {
    const names = ['original', 'released'].map((part) => `kappa-${kappa}-file-${file}-${part}.csv`)
    if (!names.every((name) => there.has(name))) return undefined
    const read = readFiles(
      names.map((name) => join(folder, name)),
      io,
    )
    const [original, released] = await Promise.all(
      read.map(({ name, bytes }) => readTable(name, bytes, { types: TYPES })),
    )
    return { original, released }
  }
}

const HEADER = [
  'setting',
  'figure',
  'files',
  'observed',
  'sd',
  'published',
  'difference',
  'tolerance',
  'within',
] as const

async function writeStudy(
  study: StudyName,
  { design, tables, figures = [], checks, charts }: FoundStudy,
  folder: string,
  io: Io,
): Promise<void> {
  for (const { name, rows } of tables) {
    const cells = rows.map((row) => HEADER.map((column) => row[column]))
    writeOutput(join(folder, `${name}.csv`), csvText(HEADER, cells, io), io)
  }
  for (const { name, header, rows } of figures) writeOutput(join(folder, `${name}.csv`), csvText(header, rows, io), io)
  await writeDrawn(charts, folder, io)
  writeOutput(
    join(folder, 'study.json'),
    `${JSON.stringify({ study, design, tables, figures, checks }, null, 2)}\n`,
    io,
  )
}

function screen({ design, tables, figures = [], checks }: FoundStudy, folder: string, width: number): string {
  const judged = tables.flatMap(({ rows }) => rows).filter(({ within }) => within !== null)
  const good = judged.filter(({ within }) => within)
  const held = checks.filter(({ holds }) => holds)
  return [
    ...tables.flatMap((table) => [`${table.title}\n`, tableText(table, width)]),
    ...figures.flatMap((table) => [...wrap(table.title, width), '', figureText(table, width)]),
    checkText(checks, width),
    ...wrap(
      `${good.length} of ${count(judged.length, 'mean')} within tolerance, ${held.length} of ${count(checks.length, 'check')} hold. Seed ${design.seed}. Written to ${folder}: tables (CSV), charts (SVG) and study.json.`,
      width,
    ),
    '',
  ].join('\n')
}

function tableText({ rows }: ComparedTable, width: number): string {
  const columns = HEADER.map((title) => ({
    title,
    align: title === 'setting' || title === 'figure' ? ('left' as const) : ('right' as const),
  }))
  const number = (value: number | null, sign = false) =>
    value === null ? '-' : `${sign && value >= 0 ? '+' : ''}${value.toFixed(3)}`
  return textTable(
    columns,
    rows.map(({ setting, figure, files, observed, sd, published, difference, tolerance, within }) => [
      setting,
      figure,
      String(files),
      number(observed),
      number(sd),
      number(published),
      number(difference, true),
      number(tolerance),
      within === null ? '-' : within ? 'yes' : 'NO',
    ]),
    width,
  )
}

function figureText({ header, rows }: FigureTable, width: number): string {
  const columns = header.map((title, k) => ({
    title,
    align: rows.some((row) => typeof row[k] === 'number') ? ('right' as const) : ('left' as const),
  }))
  const cell = (value: string | number | null) => (typeof value === 'number' ? shortNumber(value) : (value ?? '-'))
  return textTable(
    columns,
    rows.map((row) => row.map(cell)),
    width,
  )
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1)
}

function checkText(checks: readonly Check[], width: number): string {
  if (checks.length === 0) return ''
  return textTable(
    [{ title: 'check' }, { title: 'holds' }],
    checks.map(({ what, holds }) => [what, holds ? 'yes' : 'NO']),
    width,
  )
}
