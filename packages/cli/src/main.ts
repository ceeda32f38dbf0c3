import { UserError, unknownName } from '@scrim/core'
import { COMMON_FLAGS, parseArguments } from './arguments.js'
import { helpText } from './command.js'
import { COMMANDS, commandCalled, type ListedCommand } from './commands.js'
import { EXIT } from './exit.js'
import { Interrupted } from './interrupted.js'
import { type Io, processIo } from './io.js'
import { version } from './version.js'

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
  if (first === 'help') return print(await helpOn(rest), io)
  if (first.startsWith('-'))
    throw new UserError(`${unknownName('option', first, ['--help', '--version'])}; usage: scrim COMMAND ...`)
  const command = await findCommand(first).load()
  if (rest.includes('--help') || rest.includes('-h')) return print(helpText(command), io)
  const args = parseArguments(rest, { ...command.flags, ...COMMON_FLAGS })
  return command.run(args, { ...io, force: args.has('force') })
}

function print(text: string, io: Io): number {
  io.out(text)
  return EXIT.ok
}

function findCommand(name: string): ListedCommand {
  const found = commandCalled(name)
  if (found !== undefined) return found
  throw new UserError(unknownName('command', name, [...COMMANDS.map((command) => command.name), 'help']))
}

async function helpOn([topic]: readonly string[]): Promise<string> {
  if (topic === undefined) return overview()
  const command = commandCalled(topic)
  if (command !== undefined) return helpText(await command.load())
  const { helpOnMeasure, measureIds } = await import('./measure-help.js')
  const help = helpOnMeasure(topic)
  if (help !== undefined) return help
  throw new UserError(unknownName('command or measure', topic, [...COMMANDS.map(({ name }) => name), ...measureIds]))
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
