import { count, EngineFailure, inOneLine, terminalText, UserError, unknownName } from '@scrim/core'
import { flagsOf, helpText, WIDEST } from './command.js'
import { COMMAND_GROUPS, COMMANDS, commandCalled, type ListedCommand } from './commands.js'
import { EXIT } from './exit.js'
import { withArguments } from './faces.js'
import { Interrupted } from './interrupted.js'
import { type Io, processIo } from './io.js'
import { parseArguments } from './options/arguments.js'
import { withColor } from './printing/color.js'
import { wrap } from './printing/text-table.js'
import { version } from './version.js'

/** Runs the command line and returns its exit code: 0 done, 1 something failed, 2 a mistake in what was given, 3 a policy is broken, 130 interrupted. */
export async function main(argv: readonly string[], outside: Io = processIo()): Promise<number> {
  const io = forTerminals(outside)
  try {
    return await dispatch(argv, io)
  } catch (error) {
    return report(error, argv.includes('--debug'), io)
  }
}

/** Nothing that a file is called or holds becomes a command to the terminal; colours come after that. */
function forTerminals(io: Io): Io {
  const { ask } = io
  return {
    ...io,
    out: (text) => io.out(withColor(terminalText(text), io)),
    err: (text) => io.err(terminalText(text)),
    status: (line) => io.status(terminalText(line)),
    ask: ask && ((question) => ask(terminalText(question))),
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv
  if (first === undefined) {
    io.err(overview(io))
    return EXIT.userError
  }
  if (first === '--version' || first === '-v') return print(`${version()}\n`, io)
  if (first === '--help' || first === '-h') return print(overview(io), io)
  if (first === 'help') return print(await helpOn(rest, io), io)
  if (first.startsWith('-'))
    throw new UserError(`${unknownName('option', first, ['--help', '--version'])}; usage: scrim COMMAND ...`)
  const listed = findCommand(first)
  const command = await listed.load()
  if (rest.includes('--help-all')) return print(helpText(listed.name, listed.summary, command, io.columns, true), io)
  if (rest.includes('--help') || rest.includes('-h'))
    return print(helpText(listed.name, listed.summary, command, io.columns), io)
  const args = parseArguments(rest, flagsOf(command))
  return command.run(args, { ...io, force: args.has('force'), safeCsv: args.has('safe-csv') })
}

function print(text: string, io: Io): number {
  io.out(text)
  return EXIT.ok
}

function findCommand(name: string): ListedCommand {
  const command = commandCalled(name)
  if (command !== undefined) return command
  throw new UserError(unknownName('command', name, [...COMMANDS.map((command) => command.name), 'help']))
}

async function helpOn([topic]: readonly string[], io: Io): Promise<string> {
  if (topic === undefined) return overview(io)
  const command = commandCalled(topic)
  if (command !== undefined) return helpText(command.name, command.summary, await command.load(), io.columns)
  const [{ helpOnMeasure }, { measureIds }] = await Promise.all([
    import('./printing/measure-help.js'),
    import('./options/measures.js'),
  ])
  const help = helpOnMeasure(topic, Math.min(io.columns, WIDEST))
  if (help !== undefined) return help
  throw new UserError(unknownName('command or measure', topic, [...COMMANDS.map(({ name }) => name), ...measureIds]))
}

function overview({ columns }: Io): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 4
  const line = (name: string, summary: string) =>
    wrap(summary, Math.min(columns, WIDEST) - width).map((part, k) => (k === 0 ? `  ${name}` : '').padEnd(width) + part)
  return [
    'scrim: disclosure risk and data utility of anonymised and synthetic microdata.',
    '',
    'usage: scrim COMMAND ...',
    ...Object.entries(COMMAND_GROUPS).flatMap(([group, title]) => [
      '',
      `${title}:`,
      ...COMMANDS.filter((command) => command.group === group).flatMap(({ name, summary }) => line(name, summary)),
    ]),
    ...line('help', 'Shows the options of a command or of a measure: scrim help assess, scrim help dcap.'),
    '',
    'A first result:   scrim demo',
    'With your files:  scrim assess original.csv released.csv --keys sex,age',
    'Nothing leaves this machine. --version prints the version.',
    '',
  ].join('\n')
}

/** More would push the first ones off the screen. */
const MOST_PROBLEMS = 40

/** Mistakes of the user are told one per line; anything else is a mistake of ours. */
function report(error: unknown, debug: boolean, io: Io): number {
  if (error instanceof UserError) {
    for (const problem of error.problems.slice(0, MOST_PROBLEMS))
      io.err(`scrim: ${inOneLine(withArguments(problem, io.face))}\n`)
    const more = error.problems.length - MOST_PROBLEMS
    if (more > 0) io.err(`scrim: and ${count(more, 'more problem')}\n`)
    return EXIT.userError
  }
  if (error instanceof EngineFailure) {
    io.err(`scrim: ${inOneLine(error.message)}\n`)
    return EXIT.failed
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
