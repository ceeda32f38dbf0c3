import { type Arguments, COMMON_FLAGS, type Flags } from './arguments.js'
import type { Io } from './io.js'
import { wrap } from './text-table.js'

/** One subcommand: what it is called, what it understands, what it does. `run` returns the exit code. */
export interface Command {
  readonly name: string
  /** Other spellings of the name. */
  readonly aliases?: readonly string[]
  /** What follows the name in a usage line. */
  readonly usage: string
  readonly summary: string
  readonly flags: Flags
  /** Paragraphs after the flags. */
  readonly notes: readonly string[]
  readonly examples: readonly string[]
  readonly run: (args: Arguments, io: Io) => Promise<number>
}

export function helpText(command: Command): string {
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS }).map(([name, flag]) => {
    const left = `  ${flag.short === undefined ? '' : `-${flag.short}, `}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`
    return hanging(left, flag.help)
  })
  return [
    `usage: scrim ${command.name} ${command.usage}`.trimEnd(),
    '',
    command.summary,
    '',
    'options:',
    ...flags,
    ...command.notes.flatMap((note) => ['', ...wrap(note, HELP_WIDTH)]),
    '',
    'examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

const HELP_WIDTH = 100
const HELP_INDENT = 34

function hanging(left: string, text: string): string {
  const lines = wrap(text, HELP_WIDTH - HELP_INDENT)
  const indent = ' '.repeat(HELP_INDENT)
  const body = lines.join(`\n${indent}`)
  return left.length < HELP_INDENT - 1 ? left.padEnd(HELP_INDENT) + body : `${left}\n${indent}${body}`
}
