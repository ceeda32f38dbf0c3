import {
  AUDIENCES,
  answerView,
  documentJson,
  findingsByThreat,
  inOneLine,
  MOST_EXPOSED,
  nextSteps,
  overviewChart,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { stepText } from '../../faces.js'
import { STANDARD } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import { type Arguments, wholeNumber } from '../../options/arguments.js'
import { audienceOf, isAllPublishable } from '../../options/audience.js'
import { commandLine } from '../../options/command-line.js'
import { type Asked, configSaid, readCase, withFiles } from '../../options/config.js'
import { guessedRoles, measureOf } from '../../options/measures.js'
import { answerText, findingsText, list, utilityTable } from '../../printing/answer.js'
import { chartsFolder, INDEX, writeCharts, writeDrawn, writeIndex } from '../../printing/charts.js'
import { reportHtml, reportMarkdown, reportView, viewCharts } from '../../printing/report.js'
import { isReproduction, MODE_FLAG, reproduceReport } from '../../printing/riskutility.js'
import { version } from '../../version.js'
import { ASSESS_FLAGS, type Assessed, type AssessHow, assessRelease, exitCode, jsonOf } from './assessing.js'
import { requireFiles } from './measure.js'

export const assessCommand: Command = {
  usage: 'ORIGINAL RELEASED... [options]',
  flags: {
    ...ASSESS_FLAGS,
    'risk-only': { help: 'leave utility out' },
    why: {
      help: 'find the columns that carry each alarm: its measure is run again without each column (attribute inference: always)',
    },
    full: { group: 'writing', help: 'print every measure below the answer' },
    json: {
      group: 'writing',
      value: 'FILE',
      help: 'write the answer and all results, with the hashes of the files, as JSON; - prints it',
    },
    html: {
      group: 'writing',
      value: 'FILE',
      help: 'write the answer as a report: one HTML file without script or network',
    },
    markdown: { group: 'writing', value: 'FILE', help: 'write the same as Markdown' },
    audience: {
      group: 'writing',
      value: 'NAME',
      values: AUDIENCES,
      help: 'of report and Markdown: publishable (default: no small counts, no pictures of single measures) or internal (everything, and the most exposed records one by one); JSON and charts are exact unless publishable is said here',
    },
    top: {
      group: 'writing',
      value: 'N',
      help: `records per threat in a report for internal readers (default ${MOST_EXPOSED})`,
    },
    charts: { group: 'writing', value: 'DIR', help: 'write the charts of all measures as SVG into this folder' },
    ...MODE_FLAG,
  },
  notes: [
    'One measure decides each threat, or two where neither sees all that the other sees, on what the release reveals about the people in it beyond what it, or other people’s records, reveal about anybody (leakage). Other measures support or contradict the decision and never vote.',
    'Utility is scored beside the risk and never enters the verdict: scrim utility shows all its measures.',
    'Options of a measure are set with the id of the measure before the option: --set k-anonymity.k=3.',
    'Exit code 0: assessed, whatever the verdict (scrim check is the gate). 1: a measure failed. 2: something in the command or the files is wrong, or nothing could be assessed. 130: interrupted; --resume goes on.',
  ],
  examples: [
    'scrim assess original.csv released.csv --keys sex,age,region --target income',
    'scrim assess original.csv syn1.csv syn2.csv --keys sex,age --target income --holdout others.csv --type synthetic',
    'scrim assess original.csv released.csv --keys sex,age --target income --profile quick --json -',
    'scrim assess original.csv syn.rds --keys sex,age --target income',
    'scrim assess sdc.rds',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = withFiles(typed, io)
  requireFiles(args.positionals, 'scrim assess ORIGINAL RELEASED...')
  if (isReproduction(args)) return await reproduceReport(args, io)
  return showAnswer('assess', args, io)
}

/** Assesses, and writes and prints the answer; what is finished already is not run again. */
export async function showAnswer(
  command: string,
  args: Arguments,
  io: Io,
  run: Pick<AssessHow, 'finished'> = {},
): Promise<number> {
  const asked = readCase(args, io)
  const { json, html, markdown, charts } = outputOf(args, asked)
  const audience = audienceOf(args)
  const inputs = inputsOf(args, asked)
  const files = [json, html, markdown].filter((file) => file !== undefined)
  const outputs =
    charts === undefined ? { files, inputs } : { files, folders: [{ ...chartsFolder(charts), files: [INDEX] }], inputs }
  checkOutputs(outputs, io)
  const isInternal = audience === 'internal'
  const top = topOf(args)
  const assessed = await assessRelease(args, io, {
    ...run,
    why: args.has('why'),
    records: isInternal && (html !== undefined || markdown !== undefined),
    side: args.has('risk-only') ? 'risk' : undefined,
  })
  const shown = { release: assessed.release, top }
  const typed = { command: commandLine(command, args, audience), config: configSaid(args, io) }
  const view = reportView(assessed, audience, typed, shown)
  const isAllDiscreet = isAllPublishable(args)
  if (json !== undefined) writeOutput(json, isAllDiscreet ? documentJson(version(), view) : jsonOf(assessed), io)
  if (html !== undefined) writeOutput(html, await reportHtml(view, io), io)
  if (markdown !== undefined) writeOutput(markdown, reportMarkdown(assessed, view, isInternal ? shown : null), io)
  if (!files.includes(STANDARD)) io.out(screen(assessed, args, io) + writtenText([...files, charts], io))
  if (charts !== undefined && isAllDiscreet) writeIndex(await writeDrawn(viewCharts(view), charts, io), charts, io)
  if (charts !== undefined && !isAllDiscreet) {
    const drawn = [...(await writeDrawn([overviewChart(assessed.assessment)], charts, io))]
    for (const result of assessed.results)
      drawn.push(...(await writeCharts(measureOf(result.measure), result, charts, io, assessed.assessment)))
    writeIndex(drawn, charts, io)
  }
  return exitCode(assessed)
}

function screen(assessed: Assessed, args: Arguments, io: Io): string {
  const { assessment, results } = assessed
  const view = answerView(assessment)
  const answer = answerText(view, stepTexts(assessed, args, io), io.columns)
  if (!args.has('full')) return answer
  const remarks = assessment.remarks.map(({ measure, text }) => `${measure}: ${text}`)
  return [
    answer,
    ...view.releases.flatMap(({ name, utility }, index) => [
      inOneLine(`Every measure of ${name}`),
      '',
      findingsText(findingsByThreat(assessment, index, results, measureOf), io.columns),
      '',
      ...(utility === null ? [] : [utilityTable(utility, io.columns)]),
    ]),
    ...(remarks.length === 0 ? [] : [list('Remarks', remarks, io.columns), '']),
  ].join('\n')
}

/** What the user may do now, but for what this run was asked to do already. */
function stepTexts({ assessment, release }: Assessed, args: Arguments, { face }: Io): readonly string[] {
  return nextSteps(assessment, guessedRoles(release))
    .filter(
      ({ code }) => !(code === 'find-columns' && args.has('why')) && !(code === 'show-measures' && args.has('full')),
    )
    .map((step) => stepText(step, face))
}

function outputOf(args: Arguments, asked: Asked) {
  return {
    json: args.text('json') ?? (typeof asked.json === 'string' ? asked.json : undefined),
    html: args.text('html'),
    markdown: args.text('markdown'),
    charts: args.text('charts') ?? asked.charts,
  }
}

function topOf(args: Arguments): number {
  const top = wholeNumber('--top', args.text('top') ?? String(MOST_EXPOSED))
  if (top < 1) throw new UserError(`--top must be at least 1, but it is ${top}`)
  if (args.has('top') && audienceOf(args) !== 'internal')
    throw new UserError('--top has no effect without --audience internal: other readers see no records')
  return top
}
