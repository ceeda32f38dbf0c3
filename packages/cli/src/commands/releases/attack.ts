import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type AttackInput,
  type AttackResult,
  attack,
  attackCharts,
  attackReport,
  CANDIDATE_KINDS,
  count,
  ENGINES,
  findSynthesizer,
  fixed,
  knownName,
  PRIORS,
  parseTypes,
  percent,
  type RecordChoice,
  readTable,
  synthesizers,
  type Table,
  type TargetResult,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { csvText } from '../../files/csv.js'
import { COMMAND_PREFIX, externalSynthesizer, FOLDER_PREFIX, typeOf } from '../../files/external-synthesizer.js'
import { readFiles } from '../../files/files.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import type { Io } from '../../io.js'
import { type Arguments, commaList, realNumber, wholeNumber } from '../../options/arguments.js'
import { RELEASE_FLAGS } from '../../options/case-flags.js'
import { SEED_FLAG } from '../../options/usual-flags.js'
import { writeDrawn } from '../../printing/charts.js'
import { progressLine } from '../../printing/progress.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { allThreads, threads } from '../../threads.js'

const RECORD_WORDS = ['rarest', 'last', 'uniques', 'all'] as const
const REFINEMENTS = ['auto', 'all', 'some'] as const

export const attackCommand: Command = {
  usage: 'ORIGINAL [--released FILE]... [--record last|N|uniques|all] [--synthesizer cart] [options]',
  writesCsv: true,
  flags: {
    released: {
      value: 'FILE',
      repeat: true,
      help: 'a set of the release, as often as it has sets; simulated if none is given',
    },
    record: { value: 'WHICH', values: RECORD_WORDS, help: 'rarest (default), last, a number from 1, uniques, or all' },
    synthesizer: {
      value: 'ID',
      values: synthesizers.map(({ id }) => id),
      help: `what the attacker takes the release to be made by: ${synthesizers.map(({ id }) => id).join(', ')} (default cart), or ${COMMAND_PREFIX}"..." as in synthesize`,
    },
    worlds: {
      value: 'DIR',
      help: 'sets that another synthesizer made of each world: DIR/world=K/set=1.csv, ...; K is the number of the candidate from 1, or its label',
    },
    set: {
      value: 'option=value',
      repeat: true,
      help: 'option of the synthesizer, such as minbucket=20; the value is JSON or text',
    },
    variables: { value: 'a,b', repeat: true, help: 'columns to play with, in the order of synthesis (default: all)' },
    types: {
      value: 'a=TYPE,...',
      repeat: true,
      help: 'numeric, categorical, date or ordered:low<mid<high instead of what is inferred',
    },
    candidates: {
      value: 'KIND',
      values: CANDIDATE_KINDS,
      help: 'what the record may be: cells, attribute (needs --target), neighbours, membership, or a CSV file of records (default: what fits the data)',
    },
    target: { value: 't', help: 'candidates attribute: the variable that the attacker wants to learn' },
    holdout: { value: 'FILE', help: 'records that were not used: who may stand in for others' },
    prior: {
      value: 'P',
      values: PRIORS,
      help: 'uniform (default), population (by frequency among the known records), or a CSV file with a column of one weight per candidate',
    },
    engine: { value: 'E', values: ENGINES, help: `how likelihoods are found: ${ENGINES.join(', ')} (default exact)` },
    refine: {
      value: 'R',
      values: REFINEMENTS,
      help: 'all: play every record of a sweep exactly; some: screen first, then play the riskiest; auto (default): screen where playing all would take long',
    },
    postprocess: {
      value: 'option=value',
      repeat: true,
      help: 'the sets go through sdc before they are released, with this option, such as remove=replicated',
    },
    'seed-attack': { value: 'S', help: 'the seed of the synthesis got out: which candidates reproduce the release?' },
    known: { value: 'SHARE', help: 'a weaker attacker: share of the other records that is known (default 1)' },
    releases: { value: 'N', help: 'simulated releases (default 200)' },
    m: { value: 'N', help: 'sets per simulated release (default 1)' },
    simulations: { value: 'N', help: 'simulated sets per world, for the engines that simulate' },
    seed: SEED_FLAG,
    threads: RELEASE_FLAGS.threads,
    json: { group: 'writing', prints: true, help: 'print the result as one JSON document and nothing else' },
    out: {
      group: 'writing',
      value: 'DIR',
      help: 'folder to write the result (JSON), the records (CSV) and charts (SVG) into',
    },
  },
  notes: [
    'Everything that is printed or written tells about single records of the original: keep it as safe as the original itself.',
    'The result bounds what the synthesizer gives away. Whoever knows less learns less; it is not a forecast of a real attack.',
  ],
  examples: [
    'scrim attack original.csv --record last',
    'scrim attack original.csv --released syn1.csv --released syn2.csv --record 17 --json',
    'scrim attack original.csv --record uniques --candidates attribute --target income --set minbucket=20 --out attack',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [file, ...rest] = args.positionals
  if (file === undefined) throw new UserError(`no file given; usage: scrim attack ${attackCommand.usage}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; a released file is named by --released`)
  if (args.has('json') && args.has('out')) throw new UserError('choose one of --json and --out')
  const folder = args.text('out')
  if (folder !== undefined) checkOutputs({ folders: [{ name: folder, endings: ['.csv', '.json', '.svg'] }] }, io)
  const engine = args.has('engine') ? knownName('engine', args.text('engine') ?? '', ENGINES) : undefined
  const wanted = args.text('candidates')
  const listFile = wanted !== undefined && isFileName(wanted) ? wanted : undefined
  const kind =
    wanted === undefined
      ? undefined
      : listFile === undefined
        ? knownName('candidates', wanted, CANDIDATE_KINDS)
        : 'list'
  const prior = args.text('prior') ?? 'uniform'
  const priorFile = isFileName(prior) ? prior : undefined
  const name = args.text('synthesizer') ?? 'cart'
  if (name.startsWith(FOLDER_PREFIX))
    throw new UserError('sets of the worlds that are there already are named by --worlds')
  const settings = {
    record: recordOf(args.text('record') ?? 'rarest'),
    synthesizer: externalSynthesizer(name, io) ?? findSynthesizer(name),
    options: assignments(args, 'set'),
    postprocessing: args.has('postprocess') ? assignments(args, 'postprocess') : undefined,
    publishedSeed: number(args, 'seed-attack'),
    refine: knownName('refine', args.text('refine') ?? 'auto', REFINEMENTS),
    candidates: { kind, sensitive: args.text('target') },
    engine,
    knownShare: args.has('known') ? realNumber('--known', args.text('known') ?? '') : undefined,
    releases: number(args, 'releases'),
    m: number(args, 'm'),
    simulations: number(args, 'simulations'),
    seed: number(args, 'seed'),
    variables: args.has('variables') ? commaList(args.texts('variables')) : undefined,
  }
  const released = args.texts('released')
  const holdout = args.text('holdout')
  const types = args.has('types') ? parseTypes(args.texts('types').join(',')) : undefined
  const tableOf = async (path: string) => {
    const [file] = readFiles([path], io)
    const reader = tableReader()
    return reader.read(file, { types }).finally(reader.close)
  }
  const optional = async (path: string | undefined) => (path === undefined ? undefined : tableOf(path))
  const input: AttackInput = {
    ...settings,
    original: await tableOf(file),
    released: await Promise.all(released.map(tableOf)),
    holdout: await optional(holdout),
    list: await optional(listFile),
    prior: priorFile === undefined ? knownName('prior', prior, PRIORS) : weightsOf(priorFile, io),
  }
  const worlds = args.text('worlds')
  const worldSets = worlds === undefined ? undefined : worldFolder(worlds, input.original, io)
  const tasks = threads(args.has('threads') ? wholeNumber('--threads', args.text('threads') ?? '') : allThreads())
  const progress = progressLine(io)
  const result = await attack(
    { ...input, worldSets },
    {
      tasks,
      progress: (done, total) => progress.show(`${done} of ${total} records`),
      announce: (text) => (io.terminal ? io.err(`${text}\n`) : undefined),
    },
  ).finally(tasks.close)
  progress.clear()
  if (args.has('json')) io.data(`${JSON.stringify(attackReport(result), null, 2)}\n`)
  else {
    if (folder !== undefined) await writeAttack(result, folder, io)
    io.out(screen(result, folder, io.columns))
  }
  return EXIT.ok
}

function recordOf(text: string): RecordChoice {
  if (/^[a-z]/i.test(text)) return knownName('record', text, RECORD_WORDS)
  const row = wholeNumber('--record', text)
  if (row < 1) throw new UserError(`--record counts from 1, but it is ${row}`)
  return row - 1
}

function number(args: Arguments, flag: string): number | undefined {
  const text = args.text(flag)
  return text === undefined ? undefined : wholeNumber(`--${flag}`, text)
}

function isFileName(text: string): boolean {
  return /[./\\]/.test(text)
}

/** The numbers of a file with one column, below its name if it has one. */
function weightsOf(path: string, io: Io): number[] {
  const [{ bytes }] = readFiles([path], io)
  const lines = new TextDecoder().decode(bytes).trim().split(/\r?\n/)
  const hasName = Number.isNaN(Number(lines[0]))
  return lines.slice(hasName ? 1 : 0).map((line) => realNumber(`a weight of ${path}`, line))
}

/** The sets in `world=K/` of a folder, in the order of their numbers, read with the types of the original. */
function worldFolder(folder: string, original: Table, io: Io): (world: number, label: string) => Promise<Table[]> {
  const types = Object.fromEntries(original.columns.map((column) => [column.name, typeOf(column)]))
  return async (world, label) => {
    const ofWorld = [String(world + 1), label]
      .map((id) => join(folder, `world=${id}`))
      .find((path) => statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory())
    if (ofWorld === undefined) throw new UserError(`${folder} has neither world=${world + 1} nor world=${label}`)
    const files = readdirSync(resolve(io.cwd, ofWorld))
      .filter((file) => /^set=.+\.csv(\.gz)?$/i.test(file))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const read = readFiles(
      files.map((file) => join(ofWorld, file)),
      io,
    )
    return Promise.all(read.map(({ name, bytes }) => readTable(name, bytes, { types })))
  }
}

function assignments(args: Arguments, flag: string): Record<string, unknown> {
  return Object.fromEntries(
    args.texts(flag).map((text) => {
      const equals = text.indexOf('=')
      if (equals <= 0) throw new UserError(`--${flag} expects option=value, found "${text}"`)
      return [text.slice(0, equals).trim(), jsonOrText(text.slice(equals + 1))]
    }),
  )
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function writeAttack(result: AttackResult, folder: string, io: Io): Promise<void> {
  writeOutput(join(folder, 'attack.json'), `${JSON.stringify(attackReport(result), null, 2)}\n`, io)
  writeOutput(join(folder, 'records.csv'), recordsCsv(result, io), io)
  await writeDrawn(attackCharts(result), folder, io)
}

const RECORD_COLUMNS = [
  'record',
  'values',
  'frequency',
  'likelihoods',
  'candidates',
  'prior',
  'meanPosterior',
  'atLeastHalf',
  'atLeast99',
  'mapIsTruth',
  'informationGainBits',
  'risk',
  'verdict',
  'meanLogBayesFactor',
  'populationPrior',
  'populationMeanPosterior',
]

function recordsCsv({ targets }: AttackResult, io: Io): string {
  return csvText(
    RECORD_COLUMNS,
    targets.map(({ row, label, frequency, screened, candidates, summary, populationSummary }) => [
      row + 1,
      label,
      frequency,
      screened ? 'screen' : 'engine',
      candidates.worlds.length,
      summary?.prior ?? null,
      summary?.meanPosterior ?? null,
      summary?.atLeastHalf.share ?? null,
      summary?.atLeast99.share ?? null,
      summary?.mapIsTruth.share ?? null,
      summary?.meanInformationGainBits ?? null,
      summary?.risk ?? null,
      summary?.verdict ?? null,
      summary?.meanLogBayesFactor ?? null,
      populationSummary?.prior ?? null,
      populationSummary?.meanPosterior ?? null,
    ]),
    io,
  )
}

const SHOWN = 20

function screen(result: AttackResult, folder: string | undefined, width: number): string {
  const { targets, given, releases, setsPerRelease } = result
  const sets = `${given ? 'the given release' : count(releases, 'simulated release')} of ${count(setsPerRelease, 'set')}`
  const worst = [...targets].sort((a, b) => (b.summary?.risk ?? 0) - (a.summary?.risk ?? 0)).slice(0, SHOWN)
  return [
    ...wrap(
      `The attacker ${result.attacker}. Engine ${result.engine}, ${sets}, ${count(targets.length, 'different record')} attacked.`,
      width,
    ),
    '',
    recordTable(worst, width),
    ...(targets.length > SHOWN ? [`the ${SHOWN} most at risk of ${targets.length}\n`] : []),
    ...(targets.length === 1 ? [candidateTable(targets[0], width)] : []),
    ...wrap(verdictText(result), width),
    ...otherPriorText(result).flatMap((line) => wrap(line, width)),
    ...supportText(result).flatMap((line) => wrap(line, width)),
    ...seedText(result).flatMap((line) => wrap(line, width)),
    ...result.notes.flatMap((note) => wrap(`note: ${note}`, width)),
    ...(folder === undefined
      ? []
      : wrap(
          `Written to ${folder}: attack.json, records.csv and charts (SVG). Keep them as safe as the original.`,
          width,
        )),
    '',
  ].join('\n')
}

function recordTable(targets: readonly TargetResult[], width: number): string {
  const right = { align: 'right' as const }
  return textTable(
    [
      { title: 'record' },
      { title: 'values', fold: true },
      { title: 'equal', ...right },
      { title: 'candidates', ...right },
      { title: 'prior', ...right },
      { title: 'mean posterior', ...right },
      { title: 'P(>= 0.5)', ...right },
      { title: 'P(>= 0.99)', ...right },
      { title: 'verdict' },
    ],
    targets.map(({ row, label, frequency, screened, candidates, summary }) => [
      String(row + 1),
      label,
      String(frequency),
      String(candidates.worlds.length),
      summary === null ? '-' : fixed(summary.prior, 4),
      summary === null ? '-' : fixed(summary.meanPosterior, 4),
      summary === null ? '-' : percent(summary.atLeastHalf.share),
      summary === null ? '-' : percent(summary.atLeast99.share),
      `${summary?.verdict ?? '-'}${screened ? ' (screen)' : ''}`,
    ]),
    width,
  )
}

const CANDIDATES_SHOWN = 16

function candidateTable({ candidates, prior, posteriors }: TargetResult, width: number): string {
  const [first] = posteriors
  if (first.modelRejected) return 'No candidate could have led to this release.\n'
  const order = candidates.worlds.map((_, k) => k).sort((a, b) => first.probabilities[b] - first.probabilities[a])
  const shown = order.slice(0, CANDIDATES_SHOWN)
  return textTable(
    [
      { title: 'candidate', fold: true },
      { title: 'prior', align: 'right' },
      { title: 'posterior', align: 'right' },
      { title: '' },
    ],
    shown.map((k) => [
      candidates.worlds[k].label,
      fixed(prior[k], 4),
      first.logLikelihoods[k] === Number.NEGATIVE_INFINITY ? 'impossible' : fixed(first.probabilities[k], 4),
      k === candidates.truth ? 'the truth' : '',
    ]),
    width,
  )
}

/** The uniform prior is a choice: what the other one gives, and what needs neither. */
function otherPriorText({ worst }: AttackResult): string[] {
  const other = worst?.populationSummary
  if (worst == null || worst.summary === null || other == null) return []
  const factor = worst.summary.meanLogBayesFactor
  const told = factor === null ? 'is infinite after some releases' : `is ${fixed(factor, 2)} on average`
  return [
    `Under the prior by frequency it goes from ${percent(other.prior)} to ${percent(other.meanPosterior)}; the log Bayes factor of the truth, which needs neither prior, ${told}.`,
  ]
}

function supportText({ supportLeak }: AttackResult): string[] {
  if (supportLeak === null) return []
  return [`${percent(supportLeak)} of the released numbers are the exact value of one single original record.`]
}

function seedText({ seedAttack, targets }: AttackResult): string[] {
  if (seedAttack === null) return []
  const { worlds, truth } = targets[0].candidates
  const named = seedAttack.reproducing.map((world) => `${worlds[world].label}${world === truth ? ' (the truth)' : ''}`)
  const which =
    named.length === 0 ? '; it is not the seed of this release, or its options are others' : `: ${named.join('; ')}`
  return [
    `With the seed, ${named.length} of ${count(worlds.length, 'candidate')} reproduce the release exactly${which}.`,
  ]
}

function verdictText({ verdict, worst, risk, shareAtLeastHalf }: AttackResult): string {
  if (verdict === null || worst?.summary === null || worst === null) return 'No verdict.'
  const many =
    shareAtLeastHalf === null || shareAtLeastHalf === 0
      ? ''
      : ` ${percent(shareAtLeastHalf)} of the attacked records have a mean posterior of one half or more.`
  return `Verdict: ${verdict}. Record ${worst.row + 1} goes from ${percent(worst.summary.prior)} to ${percent(worst.summary.meanPosterior)} on average (normalised risk ${fixed(risk ?? 0, 3)}); it is known with 99 % certainty after ${percent(worst.summary.atLeast99.share)} of releases.${many}`
}
