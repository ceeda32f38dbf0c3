import { type Assessment, answerView, byReason, UserError } from '@scrim/core'
import type { Command } from '../../command.js'
import { STANDARD } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { readCase, withFiles } from '../../options/config.js'
import { measureOf } from '../../options/measures.js'
import { utilityText } from '../../printing/answer.js'
import { chartsFolder, writeCharts } from '../../printing/charts.js'
import { ASSESS_FLAGS, assessRelease, exitCode, jsonOf } from './assessing.js'
import { requireFiles } from './measure.js'

export const utilityCommand: Command = {
  usage: 'ORIGINAL RELEASED... [options]',
  flags: {
    ...ASSESS_FLAGS,
    profile: {
      value: 'NAME',
      values: ['standard', 'full'],
      help: 'standard (the measures that are scored) or full (default: all)',
    },
    json: { group: 'writing', value: 'FILE', help: 'write the answer and all results as JSON; - prints it' },
    charts: { group: 'writing', value: 'DIR', help: 'write the charts of all measures as SVG into this folder' },
  },
  notes: [
    'honest: what a random sample of the original gives that is as large as the release. place: 0 % for a file that keeps nothing of what is measured, 100 % for an honest sample. sample: the random subsample of the original that would be as far off. p: of being two samples of one population.',
    'The score is the smaller of two means of places: of the measures of relations, and of those of single columns.',
  ],
  examples: [
    'scrim utility original.csv released.csv',
    'scrim utility original.csv released.csv --target income --charts charts',
    'scrim utility original.csv released.csv --measures pmse,tables --set tables.ways=3',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = withFiles(typed, io)
  requireFiles(args.positionals, 'scrim utility ORIGINAL RELEASED...')
  if (args.text('profile') === 'quick')
    throw new UserError('--profile quick has no measure of utility; choose standard or full')
  const asked = readCase(args, io)
  const json = args.text('json')
  const charts = args.text('charts')
  const inputs = inputsOf(args, asked)
  checkOutputs(
    { files: json === undefined ? [] : [json], folders: charts === undefined ? [] : [chartsFolder(charts)], inputs },
    io,
  )
  const assessed = await assessRelease(args, io, { side: 'utility', usually: 'full' })
  if (json !== undefined) writeOutput(json, jsonOf(assessed), io)
  if (json !== STANDARD)
    io.out(
      utilityText(
        answerView(assessed.assessment),
        notComputed(assessed.assessment),
        charts === undefined && io.face === 'shell' ? NEXT_STEPS : [],
        io.columns,
      ) + writtenText([json, charts], io),
    )
  if (charts !== undefined)
    for (const result of assessed.results) await writeCharts(measureOf(result.measure), result, charts, io)
  return exitCode(assessed)
}

/** "tstr, mqs: needs a target", ...: measures with the same reason together. */
function notComputed({ notRun }: Assessment): readonly string[] {
  return byReason(notRun, ({ reason }) => reason).map(
    ({ reason, items }) => `${items.map(({ measure }) => measure).join(', ')}: ${reason}`,
  )
}

const NEXT_STEPS = ['--charts DIR: pictures of all measures; scrim help MEASURE: what one is']
