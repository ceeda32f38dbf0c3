import { basename } from 'node:path'
import { readingIn, type SuggestOptions, suggestionCharts, suggestRoles, type Table, UserError } from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { readFiles } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import type { Io } from '../../io.js'
import { type Arguments, realNumber, wholeNumber } from '../../options/arguments.js'
import { CONFIG_FLAGS, READING_FLAGS } from '../../options/case-flags.js'
import { readCase } from '../../options/config.js'
import { chartsFolder, writeDrawn } from '../../printing/charts.js'
import { configText, suggestionText } from '../../printing/key-suggestions.js'
import { progressLine } from '../../printing/progress.js'

export const keysCommand: Command = {
  usage: 'ORIGINAL [--write scrim.json] [options]',
  flags: {
    write: {
      group: 'writing',
      value: 'FILE',
      help: 'write the suggestions as a config file to start from, every guess marked',
    },
    json: { group: 'writing', prints: true, help: 'everything as JSON on stdout' },
    charts: { group: 'writing', value: 'DIR', help: 'write the charts as SVG into this folder' },
    'single-out': {
      value: 'SHARE',
      help: 'list the smallest sets of columns on which at least this share of people is unique (default 0.5)',
    },
    largest: {
      value: 'N',
      help: 'largest set of columns that is tried (default: 4, less where there is much to count)',
    },
    ...READING_FLAGS,
    ...CONFIG_FLAGS,
  },
  notes: [
    'Everything is a guess: a key is what somebody outside may know about a person, and no table tells that. Say yes or no to each before you rely on it.',
    'A missing value counts as a value. Unique in this file need not be unique in the population.',
  ],
  examples: ['scrim keys survey.csv', 'scrim keys survey.csv --write scrim.json', 'scrim keys survey.csv --json'],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [file, ...rest] = args.positionals
  if (file === undefined) throw new UserError(`no file given; usage: scrim keys ${keysCommand.usage}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; keys looks at the original alone`)
  const [write, charts] = [args.text('write'), args.text('charts')]
  const options = optionsOf(args)
  const asked = readCase(args, io)
  const folders = charts === undefined ? [] : [chartsFolder(charts)]
  checkOutputs({ files: write === undefined ? [] : [write], folders, inputs: inputsOf(args, asked) }, io)
  const suggestion = suggestRoles(await readOriginal(file, args, io), options)
  if (write !== undefined) writeOutput(write, configText(suggestion, file, write), io)
  if (charts !== undefined) await writeDrawn(suggestionCharts(suggestion), charts, io)
  if (args.has('json')) io.data(`${JSON.stringify(suggestion, null, 2)}\n`)
  else io.out(suggestionText(suggestion, file, io.face, io.columns))
  return EXIT.ok
}

function optionsOf(args: Arguments): SuggestOptions {
  const [share, largest] = [args.text('single-out'), args.text('largest')]
  const options = {
    ...(share === undefined ? {} : { share: realNumber('--single-out', share) }),
    ...(largest === undefined ? {} : { largest: wholeNumber('--largest', largest) }),
  }
  if (options.share !== undefined && !(options.share > 0 && options.share <= 1))
    throw new UserError(`--single-out must be above 0 and at most 1, but it is ${options.share}`)
  if (options.largest !== undefined && options.largest < 1)
    throw new UserError(`--largest must be at least 1, but it is ${options.largest}`)
  return options
}

export async function readOriginal(file: string, args: Arguments, io: Io): Promise<Table> {
  const reading = readingIn(readCase(args, io))
  const progress = progressLine(io)
  progress.show(`reading ${file}`)
  const [bytes] = readFiles([file], io, reading.maxSize)
  const reader = tableReader()
  const table = await reader.read(bytes, reading).finally(reader.close)
  progress.clear()
  if (table.rows === 0) throw new UserError(`${file} has no records`)
  return { ...table, name: basename(file) }
}
