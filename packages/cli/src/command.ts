import type { Io } from './io.js'
import { type Arguments, COMMON_FLAGS, CSV_FLAGS, FLAG_GROUPS, type Flags, WRITING_FLAGS } from './options/arguments.js'
import { wrap } from './printing/text-table.js'

/** One subcommand: what it understands, what it does. `run` returns the exit code. */
export interface Command {
  /** What follows the name in a usage line. */
  readonly usage: string
  /** What its first word may be, where that is no file. */
  readonly actions?: readonly string[]
  readonly flags: Flags
  /** False where it can replace no file. */
  readonly writes?: false
  /** Whether it writes CSV. */
  readonly writesCsv?: true
  /** Paragraphs after the flags. */
  readonly notes: readonly string[]
  readonly examples: readonly string[]
  readonly run: (args: Arguments, io: Io) => Promise<number>
}

/** Its own flags, and those of every command like it. */
export function flagsOf({ flags, writes, writesCsv }: Command): Flags {
  return {
    ...flags,
    ...(writes === false ? {} : WRITING_FLAGS),
    ...(writesCsv === true ? CSV_FLAGS : {}),
    ...COMMON_FLAGS,
  }
}

/** What there is to know of a command that is called `name`; with every option where `all` are asked for. */
export function helpText(name: string, summary: string, command: Command, columns: number, all = false): string {
  const width = Math.min(columns, WIDEST)
  const every = Object.entries(flagsOf(command))
  const shown = every.filter(([, { isRare }]) => all || isRare !== true)
  const groups = Object.entries(FLAG_GROUPS).flatMap(([group, title]) => {
    const flags = shown.filter(([, flag]) => (flag.group ?? 'options') === group)
    return flags.length === 0 ? [] : ['', `${title}:`, ...flags.map((flag) => flagText(flag, width))]
  })
  const rest = every.length - shown.length
  return [
    wrap(`usage: scrim ${name} ${command.usage}`.trimEnd(), width - 4).join('\n    '),
    '',
    ...wrap(summary, width),
    ...groups,
    ...(rest === 0 ? [] : ['', `${rest} more, on columns, reading files and running: scrim ${name} --help-all`]),
    ...command.notes.flatMap((note) => ['', ...wrap(note, width)]),
    '',
    'examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function flagText([flag, { short, value, help }]: [string, Flags[string]], width: number): string {
  const left = `  ${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`
  return hanging(left, help, width)
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
