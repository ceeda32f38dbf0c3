import { measures, UserError, unknownName } from '@scrim/core'
import { COMMON_FLAGS, parseArguments } from './arguments.js'
import { Interrupted } from './assessment.js'
import { type Command, helpText } from './command.js'
import { anonymiseCommand } from './commands/anonymise.js'
import { assessCommand } from './commands/assess.js'
import { attackCommand } from './commands/attack.js'
import { checkCommand } from './commands/check.js'
import { demoCommand } from './commands/demo.js'
import { measureCommand } from './commands/measure.js'
import { measuresCommand } from './commands/measures.js'
import { simulateCommand } from './commands/simulate.js'
import { studyCommand } from './commands/study.js'
import { synthesizeCommand } from './commands/synthesize.js'
import { EXIT } from './exit.js'
import { type Io, processIo } from './io.js'
import { measureHelp } from './measure-help.js'
import { version } from './version.js'

const COMMANDS: readonly Command[] = [
  measuresCommand,
  measureCommand,
  assessCommand,
  checkCommand,
  attackCommand,
  simulateCommand,
  synthesizeCommand,
  anonymiseCommand,
  studyCommand,
  demoCommand,
]

/** Runs the command line and returns its exit code: 0 done, 1 something failed, 2 a mistake in what was given, 3 a policy is broken, 130 interrupted. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    return report(error, argv.includes('--debug'), io)
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv
  if (first === undefined) {
    io.err(overview())
    return EXIT.userError
  }
  if (first === '--version' || first === '-v') return print(`${version()}\n`, io)
  if (first === '--help' || first === '-h') return print(overview(), io)
  if (first === 'help') return print(helpOn(rest), io)
  if (first.startsWith('-'))
    throw new UserError(`${unknownName('option', first, ['--help', '--version'])}; usage: scrim COMMAND ...`)
  const command = findCommand(first)
  if (rest.includes('--help') || rest.includes('-h')) return print(helpText(command), io)
  const args = parseArguments(rest, { ...command.flags, ...COMMON_FLAGS })
  return command.run(args, { ...io, force: args.has('force') })
}

function print(text: string, io: Io): number {
  io.out(text)
  return EXIT.ok
}

function findCommand(name: string): Command {
  const found = commandCalled(name)
  if (found !== undefined) return found
  throw new UserError(unknownName('command', name, [...COMMANDS.map((command) => command.name), 'help']))
}

function commandCalled(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name || command.aliases?.includes(name))
}

function helpOn([topic]: readonly string[]): string {
  if (topic === undefined) return overview()
  const measure = measures.find(({ id }) => id === topic)
  if (measure !== undefined) return measureHelp(measure)
  const command = commandCalled(topic)
  if (command !== undefined) return helpText(command)
  throw new UserError(
    unknownName('command or measure', topic, [...COMMANDS.map(({ name }) => name), ...measures.map(({ id }) => id)]),
  )
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    'scrim measures disclosure risk and data utility of anonymised and synthetic microdata.',
    '',
    'usage: scrim COMMAND ...',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    `  ${'help'.padEnd(width)}  Shows the options of a command or of a measure: scrim help assess, scrim help k-anonymity.`,
    '',
    'A first result: scrim demo',
    'With your files: scrim assess original.csv released.csv --keys sex,age --target income',
    'Nothing leaves this machine. --version prints the version.',
    '',
  ].join('\n')
}

/** Mistakes of the user are told one per line; anything else is a mistake of ours. */
function report(error: unknown, debug: boolean, io: Io): number {
  if (error instanceof UserError) {
    for (const problem of error.problems) io.err(`scrim: ${problem}\n`)
    return EXIT.userError
  }
  if (error instanceof Interrupted) {
    io.err(`scrim: ${error.message}\n`)
    return EXIT.interrupted
  }
  const message = error instanceof Error ? error.message : String(error)
  io.err(`scrim: ${message}\nscrim: this is a bug in scrim; run again with --debug and report what it prints\n`)
  if (debug && error instanceof Error) io.err(`${error.stack ?? ''}\n`)
  return EXIT.failed
}
