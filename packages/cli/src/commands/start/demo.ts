import { join, relative } from 'node:path'
import {
  type Assessment,
  answerView,
  assessCase,
  assessmentMarkdown,
  hasFailed,
  isAlarm,
  jsonText,
  measures,
  parseCase,
  type ReleaseView,
  type Result,
  toCsv,
  UserError,
} from '@scrim/core'
import { demoFiles, DEMO_KEYS as KEYS, DEMO_TARGET as TARGET } from '@scrim/studies'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { loadCase } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { measureOf } from '../../options/measures.js'
import { SEED_FLAG } from '../../options/usual-flags.js'
import { writeCharts } from '../../printing/charts.js'
import { type Progress, progressLine } from '../../printing/progress.js'
import { reportHtml, reportView } from '../../printing/report.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { threads } from '../../threads.js'

const PEOPLE = 2000
/** Of fewer hardly any measure can say anything. */
const FEWEST = 100

export const demoCommand: Command = {
  usage: '[--out DIR] [--n N]',
  flags: {
    out: { group: 'writing', value: 'DIR', help: 'folder to write into (default scrim-demo)' },
    n: { value: 'N', help: `people (default ${PEOPLE}); fewer take less time, and show less` },
    seed: SEED_FLAG,
  },
  notes: [
    `People with gender, age in classes of five years, education, income in steps of 10,000 and a disease are released as a copy in which one cell in ten comes from somebody else, as a synthesis by sequential trees, and as data that have nothing but the right distribution of each column.`,
  ],
  examples: ['scrim demo', 'scrim demo --out /tmp/scrim-demo --seed 7'],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  if (args.positionals.length > 0)
    throw new UserError(`unexpected argument "${args.positionals[0]}"; the folder is named by --out`)
  const folder = args.text('out') ?? 'scrim-demo'
  const seed = wholeNumber('--seed', args.text('seed') ?? '1')
  const n = wholeNumber('--n', args.text('n') ?? String(PEOPLE))
  if (n < FEWEST) throw new UserError(`--n must be at least ${FEWEST}, but it is ${n}`)
  checkOutputs({ folders: [{ name: folder, endings: ['.csv', '.json', '.md'] }] }, io)
  const progress = progressLine(io)
  progress.show('simulating')
  await writeData(folder, n, seed, io)
  const candidates = [
    await assessCandidate('perturbed', 'perturbed', folder, seed, io, progress),
    await assessCandidate('cart', 'synthetic', folder, seed, io, progress),
    await assessCandidate('independent', 'synthetic', folder, seed, io, progress),
  ]
  progress.clear()
  writeOutput(join(folder, 'report.md'), report(candidates, n, seed), io)
  io.out(screen(candidates, folder, n, io.columns))
  return candidates.some(({ results }) => results.some(hasFailed)) ? EXIT.failed : EXIT.ok
}

async function writeData(folder: string, n: number, seed: number, io: Io): Promise<void> {
  const tables = await demoFiles(n, seed)
  for (const [name, table] of Object.entries(tables)) writeOutput(join(folder, `${name}.csv`), toCsv(table), io)
}

/** Reads the files just written, so that `scrim assess` on them gives the same numbers. */
async function assessCandidate(
  name: string,
  type: 'perturbed' | 'synthetic',
  folder: string,
  seed: number,
  io: Io,
  progress: Progress,
): Promise<Candidate> {
  const asked = parseCase({ keys: KEYS, target: [TARGET], holdout: join(folder, 'holdout.csv'), type, seed })
  const { opened, files } = await loadCase(
    [join(folder, 'original.csv'), join(folder, `${name}.csv`)],
    asked,
    io,
    progress,
  )
  const charts = new Map<string, readonly string[]>()
  const tasks = threads()
  const started = performance.now()
  const { assessment, results } = await assessCase(opened, {
    tasks,
    progress: (at) => progress.show(`${name}: ${at.index + 1} of ${at.of}: ${at.measure}`),
    finish: async (result) => {
      const drawn = await writeCharts(measureOf(result.measure), result, join(folder, 'charts', name), io)
      charts.set(
        result.measure,
        drawn.map((file) => relative(folder, file).replaceAll('\\', '/')),
      )
    },
  }).finally(tasks.close)
  writeOutput(join(folder, `${name}.json`), jsonText({ ...assessment, results }), io)
  const seconds = (performance.now() - started) / 1000
  const command = `scrim demo --n ${opened.release.original.rows} --seed ${seed}`
  const view = reportView(
    { assessment, results, files, seconds },
    'publishable',
    { command },
    {
      release: opened.release,
      top: 0,
    },
  )
  writeOutput(join(folder, `${name}.html`), await reportHtml(view, io), io)
  return { name, results, charts, assessment }
}

/** One way to release the same original, assessed; with the files of its charts by measure. */
interface Candidate {
  readonly name: string
  readonly results: readonly Result[]
  readonly charts: ReadonlyMap<string, readonly string[]>
  readonly assessment: Assessment
}

const story = (n: number) => [
  `${n} simulated people. An attacker knows ${KEYS.join(', ')} of everybody (the keys) and wants to learn the ${TARGET.replace('_', ' ')} (the target).`,
  'perturbed: a copy in which one cell in ten comes from somebody else. cart: synthetic people made with trees grown on the original, as synthpop does by default. independent: every column drawn on its own.',
]

function screen(candidates: readonly Candidate[], folder: string, n: number, width: number): string {
  const command = `scrim assess ${join(folder, 'original.csv')} ${join(folder, 'cart.csv')} --holdout ${join(folder, 'holdout.csv')} --keys ${KEYS.join(',')} --target ${TARGET} --type synthetic`
  const views = candidates.map(({ assessment }) => answerView(assessment).releases[0])
  return [
    ...story(n).flatMap((line) => wrap(line, width)),
    '',
    ...views.flatMap((view) => [
      `${view.level}: ${view.name}`,
      ...wrap(`${view.recommendation} ${view.sentence}`, width - 2).map((line) => `  ${line}`),
      '',
    ]),
    ...wrap(
      'Leakage by threat (0: no more than about other people; 100 %: the original itself; no number where it may be chance):',
      width,
    ),
    threatsTable(candidates, views, width),
    ...wrap(
      `Written to ${folder}: reports (HTML; all in report.md), data (CSV), answers and results (JSON), charts (SVG).`,
      width,
    ),
    'The synthesis by trees in full:',
    `  ${command}`,
    '',
  ].join('\n')
}

/** One row per threat, one column per release. */
function threatsTable(candidates: readonly Candidate[], views: readonly ReleaseView[], width: number): string {
  const columns = [{ title: 'threat', fold: true }, ...candidates.map(({ name }) => ({ title: name }))]
  const titles = [...new Set(views.flatMap(({ threats }) => threats.map(({ title }) => title)))]
  const rows = titles.map((title) => [
    title,
    ...views.map(({ threats }) => {
      const row = threats.find((one) => one.title === title)
      if (row === undefined) return '-'
      return isAlarm(row.level) ? `${row.level} ${row.leakage}` : row.level
    }),
  ])
  return textTable(columns, rows, width)
}

function report(candidates: readonly Candidate[], n: number, seed: number): string {
  return [
    '# scrim demo',
    ...story(n),
    `Seed ${seed}.`,
    ...candidates.flatMap(({ name, assessment, results, charts }) => [
      `## ${name}`,
      assessmentMarkdown(assessment, results, measures, charts),
    ]),
    '',
  ].join('\n\n')
}
