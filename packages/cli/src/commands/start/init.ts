import {
  columnNames,
  type Suggestion,
  suggestedRoles,
  suggestRoles,
  type Table,
  UserError,
  unknownNames,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { fileExists } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import { type Arguments, commaList } from '../../options/arguments.js'
import { READING_FLAGS } from '../../options/case-flags.js'
import { DEFAULT_CONFIG, readCase } from '../../options/config.js'
import { besideConfig, identifiersText } from '../../printing/key-suggestions.js'
import { wrap } from '../../printing/text-table.js'
import { readOriginal } from './keys.js'

export const initCommand: Command = {
  usage: 'ORIGINAL [RELEASED...] [--yes] [-o scrim.json]',
  flags: {
    yes: { help: 'take all suggestions and ask nothing; every guess is marked in the file' },
    out: { group: 'writing', value: 'FILE', short: 'o', help: `file to write (default ${DEFAULT_CONFIG})` },
    ...READING_FLAGS,
  },
  notes: [
    'What you answer is taken as confirmed. What --yes takes stands under "guesses" with its reason, and assess says so until you delete that field.',
    'scrim assess (also utility, compare, check, measure) without files runs on those that the config names.',
  ],
  examples: ['scrim init survey.csv synthetic.csv', 'scrim init survey.csv --yes -o survey.json'],
  run,
}

type Ask = NonNullable<Io['ask']>

async function run(args: Arguments, io: Io): Promise<number> {
  const [original, ...released] = args.positionals
  if (original === undefined) throw new UserError(`no file given; usage: scrim init ${initCommand.usage}`)
  const { ask } = io
  if (!args.has('yes') && ask === undefined)
    throw new UserError('there is no terminal to ask on; --yes takes the suggestions')
  const file = args.text('out') ?? DEFAULT_CONFIG
  checkOutputs({ files: [file], inputs: inputsOf(args, readCase(args, io)) }, io)
  const missing = released.filter((name) => !fileExists(name, io))
  if (missing.length > 0) throw new UserError(missing.map((name) => `there is no file ${name}`))
  const table = await readOriginal(original, args, io)
  const suggestion = suggestRoles(table)
  const roles =
    args.has('yes') || ask === undefined
      ? { released, ...suggestedRoles(suggestion) }
      : await askedRoles(suggestion, table, released, ask, io)
  const files = {
    original: besideConfig(original, file),
    released: roles.released.map((one) => besideConfig(one, file)),
  }
  const { released: __, ...settings } = {
    ...roles,
    ...('holdout' in roles && roles.holdout !== undefined ? { holdout: besideConfig(roles.holdout, file) } : {}),
  }
  writeOutput(file, `${JSON.stringify({ ...files, ...settings, ...readingOf(args) }, null, 2)}\n`, io)
  io.out(
    nextText(
      file,
      roles.released.length > 0,
      'guesses' in roles ? Object.keys(roles.guesses ?? {}).length : 0,
      io.columns,
    ),
  )
  return EXIT.ok
}

async function askedRoles(suggestion: Suggestion, table: Table, released: readonly string[], ask: Ask, io: Io) {
  const guess = suggestedRoles(suggestion)
  const names = columnNames(table)
  if (suggestion.identifiers.length > 0) io.err(`${identifiersText(suggestion, io.columns)}\n`)
  io.err(`Enter takes what stands in brackets, - takes nothing.\n`)
  const columns = (question: string, suggested: readonly string[]) => {
    const problems = (answer: readonly string[]) => unknownNames('column', answer, names)
    return answered(ask, io, question, suggested, problems)
  }
  const one = async (question: string, suggested: string | undefined) =>
    (await columns(question, suggested === undefined ? [] : [suggested])).at(0)
  const keys = await columns('Keys: what may somebody outside know about a person?', guess.keys)
  const target = await columns('Targets: what would they like to learn?', guess.target)
  const weight = await one('Column with sampling weights?', guess.weight)
  const household = await one('Column that says who lives together?', guess.household)
  const missing = (answer: readonly string[]) =>
    answer.filter((name) => !fileExists(name, io)).map((name) => `there is no file ${name}`)
  const files =
    released.length > 0 ? released : await answered(ask, io, 'Released files, with commas between them?', [], missing)
  const type = await answered(ask, io, `How was it made: ${TYPES.join(' or ')}?`, [], (answer) =>
    unknownNames('type', answer, TYPES),
  )
  const holdout = await answered(ask, io, 'File with other people of the same population (holdout)?', [], missing)
  return {
    released: files,
    keys,
    target,
    ...(type.length === 0 ? {} : { type: type[0] }),
    ...(holdout.length === 0 ? {} : { holdout: holdout[0] }),
    ...(weight === undefined ? {} : { weight }),
    ...(household === undefined ? {} : { household }),
  }
}

/** What somebody who made a release knows; without an answer the files may show it. */
const TYPES: readonly string[] = ['synthetic', 'perturbed']
const NOTHING = '-'
const TRIES = 5

/** A list of names; asks again as long as something is wrong with it. */
async function answered(
  ask: Ask,
  io: Io,
  question: string,
  suggested: readonly string[],
  problemsWith: (answer: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const text = (await ask(`${question} [${suggested.join(',')}] `)).trim()
    if (text === '') return suggested
    const answer = text === NOTHING ? [] : commaList([text])
    const problems = problemsWith(answer)
    if (problems.length === 0) return answer
    io.err(problems.map((problem) => `${problem}\n`).join(''))
  }
  throw new UserError(`no usable answer to "${question}"`)
}

/** How the files are read is part of what they are. */
function readingOf(args: Arguments): Readonly<Record<string, string | boolean>> {
  const flags = Object.entries(READING_FLAGS).filter(([flag]) => args.has(flag))
  return Object.fromEntries(
    flags.map(([flag, { value }]) => [flag, value === undefined ? true : args.texts(flag).join(',')]),
  )
}

function nextText(file: string, hasReleased: boolean, guesses: number, width: number): string {
  const config = file === DEFAULT_CONFIG ? '' : ` --config ${file}`
  const command = hasReleased ? `scrim assess${config}` : `scrim assess ORIGINAL RELEASED${config}`
  const marked =
    guesses === 0
      ? ''
      : ` ${guesses} guesses in it are marked under "guesses": confirm or change them, then delete that field.`
  return `${[...wrap(`Written to ${file}.${marked}`, width), `Next: ${command}`].join('\n')}\n`
}
