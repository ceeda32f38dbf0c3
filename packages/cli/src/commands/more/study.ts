import { readdirSync, statSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { type Chart, count, fixed, knownName, parseTypes, readTable, stackColumns, table, UserError } from '@scrim/core'
import {
  buyerBewareDesign,
  type Check,
  type Comparison,
  demoPeople,
  membershipDesign,
  type OwnGenerator,
  outputRiskDesign,
  type PlayedSetting,
  PUBLIC_DATA,
  rapidStudyDesign,
  type StudiedData,
  type StudyFigure,
  type StudyFiles,
  studyBuyerBeware,
  studyMembership,
  studyOutputRisk,
  studyRapid,
} from '@scrim/studies'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { csvText } from '../../files/csv.js'
import { COMMAND_PREFIX, externalSynthesizer } from '../../files/external-synthesizer.js'
import { readFiles } from '../../files/files.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { lineStore } from '../../files/run-store.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { SEED_FLAG } from '../../options/usual-flags.js'
import { writeDrawn } from '../../printing/charts.js'
import { progressLine } from '../../printing/progress.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { allThreads, threads } from '../../threads.js'

const STUDIES = ['rapid', 'buyer-beware', 'output-risk', 'membership'] as const
type StudyName = (typeof STUDIES)[number]

export const studyCommand: Command = {
  usage:
    'rapid|buyer-beware|output-risk|membership [--quick] [--out DIR] [--files N] [--n N] [--released-dir DIR] [--sd2011 FILE]',
  actions: STUDIES,
  writesCsv: true,
  flags: {
    quick: { help: 'few files and few settings, for a first look; wider tolerances' },
    strict: { help: 'exit code 3 where a check does not hold' },
    out: {
      group: 'writing',
      value: 'DIR',
      help: 'folder to write tables, charts and results into (default scrim-study-STUDY)',
    },
    files: {
      value: 'N',
      help: 'rapid: simulated files per setting (default as published: 20, 50 for attackers and attribution); output-risk: runs on all records (10); membership: releases that are attacked once (5)',
    },
    'released-dir': {
      value: 'DIR',
      help: 'rapid: take originals and releases from kappa-K-file-F-original.csv and kappa-K-file-F-released.csv in this folder',
    },
    n: {
      value: 'N',
      help: 'records, as published by default: rapid 1000 per file, output-risk 50,357; membership: of a release (1000)',
    },
    trees: { value: 'N', help: 'rapid: trees of the forest (default 500, as published)' },
    sd2011: {
      value: 'FILE',
      help: 'buyer-beware, membership: the survey SD2011 of synthpop as a file',
    },
    adult: { value: 'FILE', help: 'membership: the census file Adult, with a line of column names' },
    census2k: { value: 'FILE', help: 'membership: the census sample census2k' },
    data: { value: 'FILE', repeat: true, help: 'membership: any other file, with all its columns' },
    method: {
      value: `${COMMAND_PREFIX}"..."`,
      repeat: true,
      help: 'membership: a generator of your own beside the built-in ones, as in synthesize',
    },
    people: {
      value: 'N',
      help: 'membership: how many of the most isolated people, and how many at random, are left out (10)',
    },
    shadows: {
      value: 'N',
      help: 'membership: releases with and without each of them that train a shadow model; as many test it (250). 0: no shadow models',
    },
    seed: SEED_FLAG,
    threads: { value: 'N', help: 'threads for heavy work (default: one per core); no result depends on it' },
  },
  notes: [
    'rapid: health microdata are simulated, released by sequential trees and attacked: strength of the relations, thresholds, attackers, keys, who is at risk, and income as a continuous target. Each mean over files is shown beside the published one with the tolerance that sampling allows; fewer files widen it.',
    'buyer-beware: 1000 records of which one is unique are released by trees. How often does it reappear, what does an attacker learn who knows all others, what do repU and DiSCO say, what do minbucket and cp change, and which of the measures of scrim notice?',
    'output-risk: a logistic model of census-like records is released, and data are made that reproduce its 23 coefficients. What do they tell about the people behind it, and about others? The evolutionary algorithm of the paper on all records, halves and halves of a half, and random halves with an interval. 11 minutes of processor time at full size.',
    'membership: who was in a release? Shared information and memorisation, nearest records, DOMIAS and a classifier on single releases, and shadow models that learn from hundreds of releases with and without a person; eleven generators, three of them differentially private. Without files of yours the people of the demo; at full size 7 to 20 minutes of processor time for each data set. What is finished is kept: the same command goes on where it was stopped.',
    'With --released-dir the releases may come from any synthesizer; scrim simulate health --age figures makes originals.',
  ],
  examples: [
    'scrim study rapid --quick',
    'scrim study rapid --out results --seed 7',
    'scrim study rapid --files 5',
    'scrim study buyer-beware --sd2011 sd2011.csv',
    'scrim study output-risk --quick',
    'scrim study membership --quick',
    'scrim study membership --adult adult.csv --sd2011 sd2011.csv --out membership',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [name, ...rest] = args.positionals
  if (name === undefined) throw new UserError(`which study? usage: scrim study ${studyCommand.usage}`)
  const study = knownName('study', name, STUDIES)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"`)
  checkFlags(study, args)
  const folder = args.text('out') ?? `scrim-study-${study}`
  checkOutputs({ folders: [{ name: folder, endings: ['.csv', '.json', '.svg'] }] }, io)
  const result = await RUN[study](args, io)
  await writeStudy(study, result, folder, io)
  io.out(screen(result, folder, io.columns))
  return args.has('strict') && result.checks.some(({ holds }) => !holds) ? EXIT.gate : EXIT.ok
}

const FLAGS_OF: Readonly<Record<StudyName, readonly string[]>> = {
  rapid: ['files', 'released-dir', 'n', 'trees', 'threads'],
  'buyer-beware': ['sd2011'],
  'output-risk': ['files', 'n', 'threads'],
  membership: ['files', 'n', 'threads', 'sd2011', 'adult', 'census2k', 'data', 'method', 'people', 'shadows'],
}

const RUN: Readonly<Record<StudyName, (args: Arguments, io: Io) => Promise<FoundStudy>>> = {
  rapid: runRapid,
  'buyer-beware': runBuyerBeware,
  'output-risk': runOutputRisk,
  membership: runMembership,
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
  readonly figures?: readonly StudyFigure[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

interface ComparedTable {
  readonly name: string
  readonly title: string
  readonly rows: readonly Comparison[]
}

async function runRapid(args: Arguments, io: Io): Promise<FoundStudy> {
  const released = args.text('released-dir')
  const files = released === undefined ? undefined : releasedFiles(released, io)
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
  const results = await studyRapid(design, { tasks, progress: show }, files).finally(tasks.close)
  progress.clear()
  if (results.tables.length === 0) throw new UserError(`${released} has no files of the settings of this study`)
  return results
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
  const results = await studyBuyerBeware(design, { progress: show }, survey)
  progress.clear()
  return results
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
  const results = await studyOutputRisk(design, { tasks, progress: show }).finally(tasks.close)
  progress.clear()
  return results
}

/** Fewer teach a shadow model nothing. */
const LEAST_SHADOWS = 10
/** People of the demo, as many as a full study has in and out of its releases. */
const DEMO_PEOPLE = 1000

async function runMembership(args: Arguments, io: Io): Promise<FoundStudy> {
  const shadows = atLeast(args, 'shadows', 0)
  if (shadows !== undefined && shadows > 0 && shadows < LEAST_SHADOWS)
    throw new UserError(`--shadows must be 0 or at least ${LEAST_SHADOWS}, but it is ${shadows}`)
  const design = membershipDesign({
    seed: wholeNumber('--seed', args.text('seed') ?? '1'),
    quick: args.has('quick'),
    n: atLeast(args, 'n', 20),
    releases: atLeast(args, 'files', 1),
    people: atLeast(args, 'people', 1),
    shadows,
    tests: shadows,
  })
  const generators = args.texts('method').map((method): OwnGenerator => {
    const synthesizer = method.startsWith(COMMAND_PREFIX) ? externalSynthesizer(method, io) : undefined
    if (synthesizer === undefined) throw new UserError(`--method takes ${COMMAND_PREFIX}"...", found "${method}"`)
    return { name: method, synthesizer }
  })
  const data = await membershipData(args, design.seed, io)
  const store = lineStore<PlayedSetting>(io, {
    study: 'membership',
    design,
    data,
    own: generators.map(({ name }) => name),
  })
  const before = store.read()
  const progress = progressLine(io)
  const tasks = threads(atLeast(args, 'threads', 1) ?? allThreads())
  const results = await studyMembership(design, data, generators, {
    tasks,
    before,
    played: store.add,
    progress: (done, total, what) => progress.show(`${done} of ${total}: ${what}`, done / total),
  }).finally(tasks.close)
  progress.clear()
  store.remove()
  return results
}

async function membershipData(args: Arguments, seed: number, io: Io): Promise<StudiedData[]> {
  const known = Object.entries(PUBLIC_DATA).flatMap(([name, isWanted]) => {
    const path = args.text(name)
    return path === undefined ? [] : [{ name, path, isWanted }]
  })
  const others = args.texts('data').map((path) => ({
    name: parse(path).name.replaceAll(/[^\w-]+/g, '-'),
    path,
    isWanted: () => true,
  }))
  const studied: StudiedData[] = []
  for (const { name, path, isWanted } of [...known, ...others]) {
    if (studied.some((one) => one.name === name)) throw new UserError(`two files are called ${name}`)
    const [file] = readFiles([path], io)
    const read = await readTable(file.name, file.bytes)
    const columns = read.columns.filter((column) => isWanted(column.name))
    if (columns.length < 2) throw new UserError(`${path} has fewer than two columns of ${name}`)
    studied.push({ name, people: table(name, columns) })
  }
  if (studied.length > 0) return studied
  const { original, holdout } = demoPeople(DEMO_PEOPLE, seed)
  const columns = original.columns.map((column, j) => stackColumns([column, holdout.columns[j]]))
  return [{ name: 'demo', people: table('demo', columns) }]
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
  'apart',
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
    ...figures
      .filter(({ isLong, rows }) => isLong !== true && rows.length > 0)
      .flatMap((figure) => [...wrap(figure.title, width), '', figureText(figure, width)]),
    checkText(checks, width),
    ...wrap(
      `${judged.length === 0 ? '' : `${good.length} of ${count(judged.length, 'mean')} within tolerance, `}${held.length} of ${count(checks.length, 'check')} ${checks.length === 1 ? 'holds' : 'hold'}. Seed ${design.seed}. Written to ${folder}: tables (CSV), charts (SVG) and study.json.`,
      width,
    ),
    '',
  ].join('\n')
}

function tableText({ rows }: ComparedTable, width: number): string {
  // Beside a table of published numbers no empty column stands for those that were computed apart, and the other way round.
  const shown = HEADER.filter((title) => !isSource(title) || rows.some((row) => row[title] !== null))
  const columns = shown.map((title) => ({
    title,
    align: title === 'setting' || title === 'figure' ? ('left' as const) : ('right' as const),
  }))
  const number = (value: number | null, sign = false) =>
    value === null ? '-' : `${sign && value >= 0 ? '+' : ''}${fixed(value, 3)}`
  return textTable(
    columns,
    rows.map((row) =>
      shown.map((title) => {
        if (title === 'setting' || title === 'figure') return row[title]
        if (title === 'files') return String(row.files)
        if (title === 'within') return row.within === null ? '-' : row.within ? 'yes' : 'NO'
        return number(row[title], title === 'difference')
      }),
    ),
    width,
  )
}

/** Where a known number comes from: the paper, or other programs. */
function isSource(title: (typeof HEADER)[number]): title is 'published' | 'apart' {
  return title === 'published' || title === 'apart'
}

function figureText({ header, rows }: StudyFigure, width: number): string {
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
  return Number.isInteger(value) ? String(value) : fixed(value, Math.abs(value) < 10 ? 3 : 1)
}

function checkText(checks: readonly Check[], width: number): string {
  if (checks.length === 0) return ''
  return textTable(
    [{ title: 'check' }, { title: 'holds' }],
    checks.map(({ what, holds }) => [what, holds ? 'yes' : 'NO']),
    width,
  )
}
