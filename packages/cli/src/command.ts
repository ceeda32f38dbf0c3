import type { Io } from './io.js'
import { type Arguments, COMMON_FLAGS, type Flags } from './options/arguments.js'
import { wrap } from './printing/text-table.js'

/** One subcommand: what it understands, what it does. `run` returns the exit code. */
export interface Command {
  /** What follows the name in a usage line. */
  readonly usage: string
  readonly flags: Flags
  /** Paragraphs after the flags. */
  readonly notes: readonly string[]
  readonly examples: readonly string[]
  readonly run: (args: Arguments, io: Io) => Promise<number>
}

/** All about a command that is called `name`. */
export function helpText(name: string, summary: string, command: Command, columns: number): string {
  const width = Math.min(columns, WIDEST)
  const flags = Object.entries({ ...command.flags, ...COMMON_FLAGS }).map(([name, flag]) => {
    const left = `  ${flag.short === undefined ? '' : `-${flag.short}, `}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`
    return hanging(left, flag.help, width)
  })
  return [
    wrap(`usage: scrim ${name} ${command.usage}`.trimEnd(), width - 4).join('\n    '),
    '',
    ...wrap(summary, width),
    '',
    'options:',
    ...flags,
    ...command.notes.flatMap((note) => ['', ...wrap(note, width)]),
    '',
    'examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

/** Longer lines are hard to read. */
export const WIDEST = 100
const HELP_INDENT = 34

function hanging(left: string, text: string, width: number): string {
  const lines = wrap(text, width - HELP_INDENT)
  const indent = ' '.repeat(HELP_INDENT)
  const body = lines.join(`\n${indent}`)
  return left.length < HELP_INDENT - 1 ? left.padEnd(HELP_INDENT) + body : `${left}\n${indent}${body}`
}
