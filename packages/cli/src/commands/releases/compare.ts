import {
  AUDIENCES,
  type Comparison,
  type ComparisonView,
  chooseMeasures,
  compare,
  comparisonMarkdown,
  comparisonView,
  documentJson,
  hasFailed,
  INTERVAL_LEVEL,
  jsonText,
  measures,
  percent,
  runOf,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { STANDARD } from '../../files/files.js'
import { type InputFile, inputsOf, loadCandidates } from '../../files/load-case.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import { type Arguments, commaList, wholeNumber } from '../../options/arguments.js'
import { audienceOf, isAllPublishable } from '../../options/audience.js'
import { RELEASE_FLAGS } from '../../options/case-flags.js'
import { commandLine } from '../../options/command-line.js'
import { configSaid, readCase, withFiles } from '../../options/config.js'
import { measureIds } from '../../options/measures.js'
import { withMeasureOptions } from '../../options/set-options.js'
import { list } from '../../printing/answer.js'
import { progressLine, timeLeft } from '../../printing/progress.js'
import { comparisonReport, provenanceOf } from '../../printing/report.js'
import { isReproduction, MODE_FLAG, reproduceMap } from '../../printing/riskutility.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { threads } from '../../threads.js'
import { version } from '../../version.js'
import { requireFiles } from './measure.js'

export const compareCommand: Command = {
  usage: 'ORIGINAL A B C... [options]',
  flags: {
    ...RELEASE_FLAGS,
    measures: {
      value: 'a,b',
      repeat: true,
      values: measureIds,
      help: 'run these measures too; the map rests on those that decide and those that are scored',
    },
    ...MODE_FLAG,
    svg: { group: 'writing', value: 'FILE', help: 'with --mode riskutility: draw its map' },
    draws: { value: 'N', help: 'draws behind intervals and dominance (default 300)' },
    json: { group: 'writing', value: 'FILE', help: 'write the comparison and all results as JSON; - prints it' },
    html: {
      group: 'writing',
      value: 'FILE',
      help: 'write the map and all displays as a report: one HTML file without script or network',
    },
    markdown: { group: 'writing', value: 'FILE', help: 'write the tables as Markdown; - prints it' },
    audience: {
      group: 'writing',
      value: 'NAME',
      values: AUDIENCES,
      help: 'of report and Markdown: publishable (default: no small counts, no records) or internal (everything); JSON is exact unless publishable is said here',
    },
  },
  notes: [
    'Leakage is that of the worst threat: 0 % what other people give away too, 100 % the original itself. Utility: 0 % keeps nothing, 100 % an honest sample. Both scales are absolute, and every candidate is assessed alone: a further one moves no other.',
    'dom. (dominated): share of draws in which another candidate is no worse in both and better in one.',
    'Exit code 0: compared, whatever the answer. 1: a measure failed. 2: something in the command or the files is wrong.',
  ],
  examples: [
    'scrim compare original.csv a.csv b.csv c.csv --keys sex,age,region --target income',
    'scrim compare original.csv syn1.csv syn2.csv --keys sex,age --target income --html map.html',
    'scrim compare original.csv a.csv b.csv --keys sex,age --holdout others.csv --json -',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = withFiles(typed, io)
  requireFiles(args.positionals, 'scrim compare ORIGINAL A B C...')
  if (isReproduction(args)) return await reproduceMap(args, io)
  if (args.has('svg')) throw new UserError('--svg draws the map of --mode riskutility; --html has that of scrim')
  const quiet = { ...io, terminal: false }
  const asked = withMeasureOptions(args, readCase(args, quiet))
  const [json, html, markdown] = ['json', 'html', 'markdown'].map((flag) => args.text(flag))
  const files = [json, html, markdown].filter((file) => file !== undefined)
  const audience = audienceOf(args)
  checkOutputs({ files, inputs: inputsOf(args, asked) }, io)
  const progress = progressLine(io)
  const left = timeLeft()
  const { base, releases, files: read } = await loadCandidates(args.positionals, asked, quiet, progress)
  const also = commaList(args.texts('measures'))
  chooseMeasures(base, { measures: also })
  const tasks = threads(asked.threads)
  const started = performance.now()
  const compared = await compare(base, releases, {
    ...runOf(asked),
    measures: also,
    draws: drawsOf(args),
    records: audience === 'internal',
    signal: io.interruption(),
    tasks,
    progress: ({ name, index, of, share }) => {
      const done = (index + share) / of
      progress.show(`${index + 1} of ${of}: ${name} ${Math.round(100 * share)} %${left(done)}`, done)
    },
  }).finally(async () => {
    progress.clear()
    await tasks.close()
  })
  const seconds = (performance.now() - started) / 1000
  const { comparison, results } = compared
  const provenance = provenanceOf(read, seconds, {
    command: commandLine('compare', args, audience),
    config: configSaid(args, io),
  })
  const view = comparisonView(comparison, results, measures, provenance, audience)
  if (json !== undefined)
    writeOutput(
      json,
      isAllPublishable(args) ? documentJson(version(), view) : comparisonJson(comparison, results, read),
      io,
    )
  if (html !== undefined) writeOutput(html, await comparisonReport(view, io), io)
  if (markdown !== undefined) writeOutput(markdown, comparisonMarkdown(view), io)
  const shown = comparisonView(comparison, results, measures, provenance, 'internal')
  if (!files.includes(STANDARD))
    io.out(screen(shown, files.length > 0 || io.face !== 'shell', io.columns) + writtenText(files, io))
  return results.flat().some(hasFailed) ? EXIT.failed : EXIT.ok
}

function drawsOf(args: Arguments): number | undefined {
  const text = args.text('draws')
  if (text === undefined) return undefined
  const draws = wholeNumber('--draws', text)
  if (draws < 20 || draws > 10_000) throw new UserError(`--draws must be between 20 and 10000, but it is ${draws}`)
  return draws
}

/** Everything behind the displays; aggregates only, no records. */
function comparisonJson(comparison: Comparison, results: readonly unknown[], files: readonly InputFile[]): string {
  const candidates = comparison.candidates.map(({ exposed: _, ...candidate }) => candidate)
  return jsonText({ scrim: version(), files, ...comparison, candidates, results })
}

function screen(view: ComparisonView, isShown: boolean, width: number): string {
  const columns = [
    { title: 'release', fold: true },
    { title: 'answer' },
    { title: 'leakage', align: 'right' as const },
    { title: 'utility', align: 'right' as const },
    { title: 'front' },
    { title: 'dom.', align: 'right' as const },
  ]
  const rows = view.candidates.map((row) => [
    row.name,
    row.level,
    withInterval(row.leakage, row.leakageBounds),
    withInterval(row.utility, row.utilityBounds),
    FRONT[row.front] ?? row.front,
    row.dominated.replace(' ', ''),
  ])
  const parts = [
    wrap(view.subject.replaceAll(' · ', '; '), width).join('\n'),
    wrap(view.headline.join(' '), width).join('\n'),
    textTable(columns, rows, width).trimEnd(),
    list(
      'Leakage is the largest of all threats',
      view.candidates.map(({ name, threat }) => `${name}: ${threat}`),
      width,
    ),
    wrap(
      `Leakage and utility in percent, with ${percent(INTERVAL_LEVEL, 0)} intervals; dom.: share of draws in which another is no worse in both and better in one. Anchors: ${view.anchors
        .map(({ name, risk, utility }) => `${name} (leakage ${percentOf(risk)}, utility ${percentOf(utility)})`)
        .join(', ')}.`,
      width,
    ).join('\n'),
    list(
      'Not tested',
      view.untested.map(({ threats, reason, of }) => `${threats}${of === null ? '' : ` (${of})`}: ${reason}`),
      width,
    ),
    list(
      'Do threats flag the same people? (Spearman over people)',
      (view.agreement?.rows ?? []).map(([candidate, threats, spearman]) => `${candidate}, ${threats}: ${spearman}`),
      width,
    ),
    list('Notes', view.notes, width),
    list('Next', isShown ? [] : ['--html FILE: the map and all displays; scrim assess: why, for one of them'], width),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const FRONT: Readonly<Record<string, string>> = { 'on the front': 'yes', undecided: 'maybe', dominated: 'no' }

/** "26 13..40" */
function withInterval(value: string, bounds: string): string {
  return [value, bounds.replace(' to ', '..')].join(' ').replaceAll(' %', '')
}

const percentOf = (value: number) => `${Math.round(100 * value)} %`
