import { join, relative } from 'node:path'
import { cartSynthesizer, independentMarginals, perturb, type Result, synthesize, toCsv, UserError } from '@scrim/core'
import { type Arguments, wholeNumber } from '../arguments.js'
import { assessAll } from '../assessment.js'
import { writeCharts } from '../charts.js'
import { type Command, EXIT } from '../command.js'
import { type Candidate, comparisonReport, comparisonTable } from '../comparison.js'
import { demoPeople } from '../demo-data.js'
import { checkOutputs, writeOutput } from '../files.js'
import { hasFailed, measureOf } from '../findings.js'
import type { Io } from '../io.js'
import { type Progress, progressLine } from '../progress.js'
import { loadRelease, type Settings } from '../release-options.js'
import { wrap } from '../text-table.js'
import { allThreads, threads } from '../threads.js'

const PEOPLE = 2000
const KEYS = ['gender', 'age', 'education', 'income']
const TARGET = 'disease_status'

/** One in ten cells comes from somebody else: a file that looks protected and hardly is. */
const SWAPPED_SHARE = 0.1

export const demoCommand: Command = {
  name: 'demo',
  usage: '[--out DIR]',
  summary: 'Simulates people, releases them in three ways, assesses all and writes data, results, charts and a report.',
  flags: {
    out: { value: 'DIR', help: 'folder to write into (default scrim-demo)' },
    seed: { value: 'N', help: 'whole number that fixes all random numbers (default 1)' },
  },
  notes: [
    `${PEOPLE} people with gender, age in classes of five years, education, income in steps of 10,000 and a disease are released as a copy in which one cell in ten comes from somebody else, as a synthesis by sequential trees, and as data that have nothing but the right distribution of each column.`,
  ],
  examples: ['scrim demo', 'scrim demo --out /tmp/scrim-demo --seed 7'],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  if (args.positionals.length > 0)
    throw new UserError(`unexpected argument "${args.positionals[0]}"; the folder is named by --out`)
  const folder = args.text('out') ?? 'scrim-demo'
  const seed = wholeNumber('--seed', args.text('seed') ?? '1')
  checkOutputs({ folders: [folder] }, io)
  const progress = progressLine(io)
  progress.show('simulating')
  await writeData(folder, seed, io)
  const candidates = [
    await assessCandidate('perturbed', 'perturbed', folder, seed, io, progress),
    await assessCandidate('cart', 'synthetic', folder, seed, io, progress),
    await assessCandidate('independent', 'synthetic', folder, seed, io, progress),
  ]
  progress.clear()
  writeOutput(join(folder, 'report.md'), report(candidates, seed), io)
  io.out(screen(candidates, folder, io.columns))
  return candidates.some(({ results }) => results.some(hasFailed)) ? EXIT.failed : EXIT.ok
}

async function writeData(folder: string, seed: number, io: Io): Promise<void> {
  const { original, holdout } = demoPeople(PEOPLE, seed)
  const tables = {
    original,
    holdout,
    perturbed: perturb(original, { share: SWAPPED_SHARE, seed }),
    cart: await synthesize(cartSynthesizer, original, { seed }),
    independent: independentMarginals(original, { seed }),
  }
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
  const settings: Settings = {
    keys: KEYS,
    numericKeys: [],
    targets: [TARGET],
    holdout: join(folder, 'holdout.csv'),
    population: undefined,
    weight: undefined,
    household: undefined,
    type,
    groups: {},
    reading: {},
    seed,
    threads: allThreads(),
    config: {},
  }
  const { release } = await loadRelease(
    [join(folder, 'original.csv'), join(folder, `${name}.csv`)],
    settings,
    io,
    progress,
  )
  const charts = new Map<string, readonly string[]>()
  const tasks = threads(settings.threads)
  const results = await assessAll(release, {
    seed,
    progress,
    tasks,
    each: async (result: Result) => {
      const files = await writeCharts(measureOf(result.measure), result, join(folder, 'charts', name), io)
      charts.set(
        result.measure,
        files.map((file) => relative(folder, file).replaceAll('\\', '/')),
      )
    },
  }).finally(tasks.close)
  writeOutput(join(folder, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`, io)
  return { name, results, charts }
}

const STORY = [
  `${PEOPLE} simulated people. An attacker knows ${KEYS.join(', ')} of everybody (the keys) and wants to learn the ${TARGET.replace('_', ' ')} (the target).`,
  'perturbed: a copy in which one cell in ten comes from somebody else. cart: synthetic people, made variable by variable with trees grown on the original, as synthpop does by default. independent: every column drawn on its own, so that nothing but the totals is right.',
  'Each number is a share, higher is riskier. Compare it with what the original itself, people who are not in the data, or chance alone would give; three numbers there are for the three releases in turn.',
]

function screen(candidates: readonly Candidate[], folder: string, width: number): string {
  const command = `scrim assess ${join(folder, 'original.csv')} ${join(folder, 'cart.csv')} --holdout ${join(folder, 'holdout.csv')} --keys ${KEYS.join(',')} --target ${TARGET} --type synthetic`
  return [
    ...STORY.flatMap((line) => wrap(line, width)),
    '',
    comparisonTable(candidates, width),
    ...wrap(
      `Written to ${folder}: the data (original, holdout and the three releases, CSV), all results (JSON), charts (SVG) and ${join(folder, 'report.md')}.`,
      width,
    ),
    'The synthesis by trees in full:',
    `  ${command}`,
    '',
  ].join('\n')
}

function report(candidates: readonly Candidate[], seed: number): string {
  return comparisonReport('scrim demo', [...STORY, `Seed ${seed}.`], candidates)
}
