import {
  count,
  type EmbeddedOutputs,
  embedOutputs,
  embedOutputsOptions,
  fixed,
  jsonOf,
  jsonText,
  parseNamed,
  parseRequest,
  stream,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { readFiles, STANDARD } from '../../files/files.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import { checkTableFile, TABLE_FILE, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { CONFIG_FLAGS, RELEASE_FLAGS } from '../../options/case-flags.js'
import { readCase } from '../../options/config.js'
import { measureOptions } from '../../options/set-options.js'
import { progressLine } from '../../printing/progress.js'
import { textTable } from '../../printing/text-table.js'
import { threads } from '../../threads.js'
import { version } from '../../version.js'
import { secondsOf } from './output-risk.js'

const USAGE = 'scrim embed REQUEST -o FILE'

export const embedCommand: Command = {
  usage: 'REQUEST -o FILE [--seconds N] [--seed N]',
  flags: {
    out: { group: 'writing', value: 'FILE', short: 'o', help: TABLE_FILE },
    json: { group: 'writing', value: 'FILE', help: 'write which numbers are not reproduced as JSON' },
    seconds: { value: 'N', help: 'time for the search (default 120); what is not reproduced by then is reported' },
    set: { value: 'option=value', repeat: true, help: 'option of the search, such as engine=ea or proposals=500000' },
    seed: RELEASE_FLAGS.seed,
    threads: RELEASE_FLAGS.threads,
    ...CONFIG_FLAGS,
  },
  notes: [
    'REQUEST is a JSON file as of scrim outputs check, with the printed numbers of every output ("values"), the number of records ("n"), and every variable in "variables": levels of a category, smallest and largest value of a number.',
    'Every record is marked in the column scrim_record: these are not people. docs/output-risk.md shows a request.',
  ],
  examples: ['scrim embed request.json -o made.csv', 'scrim embed request.json -o made.csv --set engine=ea --seed 2'],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [file, ...rest] = args.positionals
  if (file === undefined) throw new UserError(`no request given; usage: ${USAGE}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; usage: ${USAGE}`)
  const out = args.text('out')
  if (out === undefined) throw new UserError('-o is missing: the file to write, or - for stdout')
  checkTableFile(out)
  const json = args.text('json')
  const files = json === undefined ? [out] : [out, json]
  checkOutputs({ files, inputs: [file] }, io)
  const said = readCase(args, io)
  const options = measureOptions(args, said, { at: (path) => ['embed', ...path], schema: () => embedOutputsOptions })
  const chosen = parseNamed('--set', 'option', embedOutputsOptions, options?.embed ?? {})
  const seconds = secondsOf(args)
  const [asked] = readFiles([file], io, said.maxSize)
  const request = parseRequest(file, jsonOf(file, new TextDecoder().decode(asked.bytes)))

  const { seed = 1 } = said
  const progress = progressLine(io)
  const tasks = threads(said.threads)
  const start = performance.now()
  try {
    const made = await embedOutputs(
      request,
      chosen,
      { seed, random: (purpose, k) => stream(seed, purpose, k), progress: () => {}, signal: undefined, tasks },
      {
        isTimeUp: () => performance.now() - start > 1000 * seconds,
        watch: ([{ closeness }]) => progress.show(`mean error ${closeness.mae.toPrecision(2)}`),
      },
    )
    progress.clear()
    writeTable(out, made.records, io)
    if (json !== undefined) writeOutput(json, embeddedJson(made), io)
    const print = files.includes(STANDARD) ? io.err : io.out
    print(embeddedText(made, io.columns) + writtenText(files, io))
    return EXIT.ok
  } finally {
    progress.clear()
    await tasks.close()
  }
}

function embeddedJson({ records, numbers, off, ended, notes }: EmbeddedOutputs): string {
  const listed = off.map(({ output, element, statistic, published, mean }) => {
    return { output, element, statistic, printed: published, here: mean }
  })
  return jsonText({
    scrim: version(),
    records: records.rows,
    numbers,
    reproduced: numbers - off.length,
    off: listed,
    ended,
    notes,
  })
}

/** Numbers that are off are shown up to here. */
const SHOWN = 20

function embeddedText({ records, numbers, off, notes }: EmbeddedOutputs, width: number): string {
  const rows = off.map(({ output, element, statistic, published, decimals, mean }) => [
    output,
    `${element} ${statistic}`,
    fixed(published, decimals),
    mean === null ? 'undefined' : fixed(mean, decimals),
  ])
  const columns = [
    { title: 'output' },
    { title: 'number', fold: true },
    { title: 'printed', align: 'right' },
    { title: 'here', align: 'right' },
  ] as const
  return [
    `${count(records.rows, 'simulated record')} reproduce ${numbers - off.length} of ${count(numbers, 'printed number')}.\n`,
    rows.length === 0 ? '' : `\n${textTable(columns, rows.slice(0, SHOWN), width)}`,
    rows.length > SHOWN ? `... and ${rows.length - SHOWN} more\n` : '',
    ...notes.map((note) => `${note}.\n`),
  ].join('')
}
