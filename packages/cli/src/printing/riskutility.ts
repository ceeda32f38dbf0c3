import {
  fixed,
  type Release,
  RISKUTILITY_MEASURES,
  RISKUTILITY_ROWS,
  RISKUTILITY_VERSIONS,
  type RiskutilityMap,
  type RiskutilityReport,
  type RiskutilityVersion,
  riskutilityChart,
  riskutilityMap,
  riskutilityReport,
  significant,
  type TaskRunner,
  UserError,
  unknownName,
  unknownNames,
} from '@scrim/core'
import { EXIT } from '../exit.js'
import { STANDARD } from '../files/files.js'
import { inputsOf, loadCandidates } from '../files/load-case.js'
import { checkOutputs, writeOutput } from '../files/outputs.js'
import type { Io } from '../io.js'
import { type Arguments, commaList, type Flags } from '../options/arguments.js'
import { readCase } from '../options/config.js'
import { threads } from '../threads.js'
import { version } from '../version.js'
import { drawnCharts } from './charts.js'
import { progressLine } from './progress.js'
import { textTable, wrap } from './text-table.js'

/** What the R package riskutility prints, for those who must reproduce it; it answers nothing here. */
const MODE = 'riskutility'
const MODES: Readonly<Record<string, RiskutilityVersion>> = {
  [MODE]: '0.1.0',
  ...Object.fromEntries(RISKUTILITY_VERSIONS.map((version) => [`${MODE}-${version}`, version])),
}

export const MODE_FLAG: Flags = {
  mode: {
    value: 'NAME',
    values: Object.keys(MODES),
    help: 'riskutility (or riskutility-0.2.0): the numbers of that R package, defects included, instead of an answer',
  },
}

/** Whether another mode than scrim's own is asked for. */
export function isReproduction(args: Arguments): boolean {
  const mode = args.text('mode')
  if (mode === undefined) return false
  if (MODES[mode] === undefined) throw new UserError(unknownName('mode', mode, Object.keys(MODES)))
  return true
}

/** `disclosure_report` of each release. */
export async function reproduceReport(args: Arguments, io: Io): Promise<number> {
  const asked = commaList(args.texts('measures'))
  const problems = unknownNames('measure', asked, RISKUTILITY_ROWS)
  if (problems.length > 0) throw new UserError(problems)
  const compute = asked.length === 0 ? undefined : asked
  return await reproducing(args, io, async ({ releases, runOptions, write }) => {
    const reports: RiskutilityReport[] = []
    for (const release of releases) reports.push(await riskutilityReport(release, { ...runOptions, compute }))
    write({ reports }, reports.map((report) => reportText(report, io.columns)).join('\n'))
  })
}

/** `rumap` of all releases; `--svg` draws it. */
export async function reproduceMap(args: Arguments, io: Io): Promise<number> {
  const measures = commaList(args.texts('measures'))
  const problems = unknownNames('measure', measures, RISKUTILITY_MEASURES)
  if (problems.length > 0) throw new UserError(problems)
  return await reproducing(args, io, async ({ releases, runOptions, write }) => {
    const map = await riskutilityMap(releases, { ...runOptions, measures })
    const svg = args.text('svg')
    write({ map }, mapText(map, io.columns))
    if (svg === undefined) return
    for (const drawn of (await drawnCharts([riskutilityChart(map)], io)).values()) writeOutput(svg, drawn, io)
  })
}

interface Reproduction {
  readonly releases: readonly Release[]
  readonly runOptions: {
    readonly version: RiskutilityVersion
    readonly seed: number | undefined
    readonly tasks: TaskRunner
  }
  write(found: object, text: string): void
}

const REFUSED = ['html', 'markdown', 'charts', 'full', 'profile', 'draws', 'audience']

async function reproducing(
  args: Arguments,
  io: Io,
  work: (reproduction: Reproduction) => Promise<void>,
): Promise<number> {
  const quiet = { ...io, terminal: false }
  const asked = readCase(args, quiet)
  const refused = REFUSED.filter((flag) => args.has(flag))
  if (refused.length > 0)
    throw new UserError(`--mode ${MODE} has no ${refused.map((flag) => `--${flag}`).join(', ')}; it has --json`)
  if (asked.keys.length === 0 || asked.target.length !== 1)
    throw new UserError(`--mode ${MODE} needs --keys and one --target`)
  const json = args.text('json')
  const outputs = [json, args.text('svg')].filter((file) => file !== undefined)
  checkOutputs({ files: outputs, inputs: inputsOf(args, asked) }, io)
  const mode = args.text('mode') ?? MODE
  const progress = progressLine(io)
  const { releases, files } = await loadCandidates(args.positionals, asked, quiet, progress)
  const tasks = threads(asked.threads)
  const write = (report: object, text: string) => {
    progress.clear()
    const whole = { scrim: version(), mode, files, ...report }
    if (json !== undefined) writeOutput(json, `${JSON.stringify(whole, null, 2)}\n`, io)
    if (!outputs.includes(STANDARD)) io.out(text)
  }
  try {
    await work({ releases, runOptions: { version: MODES[mode], seed: asked.seed, tasks }, write })
  } finally {
    progress.clear()
    await tasks.close()
  }
  return EXIT.ok
}

function reportText(
  { name, rows, passed, warnings, errors, counted, overall, left }: RiskutilityReport,
  width: number,
) {
  const columns = [
    { title: 'metric' },
    { title: 'value', align: 'right' as const },
    { title: 'reference' },
    { title: 'ratio', align: 'right' as const },
    { title: 'status' },
  ]
  const cells = rows.map(({ metric, value, reference, ratio, status }) => [
    metric,
    digits(value),
    reference,
    digits(ratio),
    status,
  ])
  const counts = `${passed} of ${counted} passed, ${warnings} warnings, ${errors} errors. Overall: ${overall}. ${CAUTION}`
  return [
    name,
    '',
    textTable(columns, cells, width).trimEnd(),
    '',
    ...wrap(counts, width),
    ...left.flatMap((reason) => wrap(`not computed: ${reason}`, width)),
    '',
  ].join('\n')
}

function mapText({ measures, candidates, alpha, left }: RiskutilityMap, width: number): string {
  const columns = [
    { title: 'release', fold: true },
    ...measures.map(({ id }) => ({ title: id, align: 'right' as const })),
    { title: 'risk', align: 'right' as const },
    { title: 'utility', align: 'right' as const },
    { title: '' },
  ]
  const cells = candidates.map(({ name, scaled, risk, utility, pareto }) => [
    name,
    ...scaled.map((value) => (value === null ? '-' : fixed(value, 4))),
    fixed(risk, 4),
    fixed(utility, 4),
    pareto ? '*' : '',
  ])
  const alphaText = (side: string, value: number | null) =>
    value === null ? [] : [`Cronbach's alpha of ${side}: ${fixed(value, 3)}.`]
  const notes = [
    'Measures are scaled from the least to the greatest of these candidates; * is not dominated.',
    ...alphaText('risk', alpha.risk),
    ...alphaText('utility', alpha.utility),
    CAUTION,
  ].join(' ')
  return [
    textTable(columns, cells, width).trimEnd(),
    '',
    ...wrap(notes, width),
    ...left.flatMap((reason) => wrap(`not computed: ${reason}`, width)),
    '',
  ].join('\n')
}

const CAUTION =
  'These are the numbers of riskutility, with its known defects; without --mode there is an answer that does not have them.'

function digits(value: number | null): string {
  return value === null ? '-' : String(significant(value, 4))
}
