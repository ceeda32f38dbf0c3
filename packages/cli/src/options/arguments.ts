import { parseArgs } from 'node:util'
import { nearestName, UserError } from '@scrim/core'

/** Headings of the help, in its order. */
export const FLAG_GROUPS = {
  roles: 'files and columns',
  options: 'options',
  reading: 'reading files',
  running: 'running',
  writing: 'output',
  common: 'every command',
}
export type FlagGroup = keyof typeof FLAG_GROUPS

/** A flag of a command: `--name VALUE`, or `--name` alone when it has no `value`. */
interface Flag {
  /** How the value is called in the help; a flag without one is a switch. */
  readonly value?: string
  readonly short?: string
  /** May be given more than once. */
  readonly repeat?: boolean
  /** A switch that prints to standard output: a `-` behind it says so once more. */
  readonly prints?: boolean
  /** Few people need it: short help leaves it out. */
  readonly isRare?: boolean
  /** Its heading in the help; `options` where it is left out. */
  readonly group?: FlagGroup
  /** What the value may be, or each part of a list, for shells that complete it. */
  readonly values?: readonly string[]
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

export interface Arguments {
  /** As they were typed. */
  readonly words: readonly string[]
  readonly positionals: readonly string[]
  readonly has: (flag: string) => boolean
  readonly text: (flag: string) => string | undefined
  /** The values of a flag that may be repeated, in order. */
  readonly texts: (flag: string) => readonly string[]
}

export function grouped(group: FlagGroup, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }]))
}

/** Every command that writes files understands this. */
export const WRITING_FLAGS: Flags = grouped('writing', {
  force: { help: 'overwrite files that scrim did not write' },
})

/** Every command that writes CSV understands this. */
export const CSV_FLAGS: Flags = grouped('writing', {
  'safe-csv': {
    help: 'put an apostrophe before text in written CSV that a spreadsheet would take for a formula (it begins with = + - or @)',
  },
})

/** Every command understands these. */
export const COMMON_FLAGS: Flags = grouped('common', {
  help: { short: 'h', help: 'this text' },
  'help-all': { help: 'the same with every option' },
  debug: { help: 'show the stack trace of an unexpected error' },
})

/** Reads the arguments of a command; everything that is wrong with them is reported at once. */
export function parseArguments(argv: readonly string[], flags: Flags): Arguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {
        type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
        ...(flag.short === undefined ? {} : { short: flag.short }),
      },
    ]),
  )
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const texts = new Map<string, string[]>()
  const positionals: string[] = []
  const problems: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      const before = tokens[at - 1]
      const saysWhere = token.value === '-' && before?.kind === 'option' && flags[before.name]?.prints === true
      if (!saysWhere) positionals.push(token.value)
    }
    if (token.kind !== 'option') continue
    const values = texts.get(token.name) ?? []
    const problem = flagProblem(token, flags, values.length > 0)
    if (problem === undefined) texts.set(token.name, [...values, token.value ?? ''])
    else problems.push(problem)
  }
  if (problems.length > 0) throw new UserError(problems)
  return {
    words: argv,
    positionals,
    has: (flag) => texts.has(flag),
    text: (flag) => texts.get(flag)?.[0],
    texts: (flag) => texts.get(flag) ?? [],
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function flagProblem(
  { name, rawName, value, inlineValue }: OptionToken,
  flags: Flags,
  again: boolean,
): string | undefined {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined) return unknownFlag(rawName, flags)
  if (flag.value === undefined) return value === undefined ? undefined : `${rawName} takes no value, found "${value}"`
  const swallowed = value?.startsWith('--') === true && inlineValue !== true
  if (value === undefined || value === '' || swallowed) return `${rawName} needs a value: ${rawName} ${flag.value}`
  return again && flag.repeat !== true ? `${rawName} is given more than once` : undefined
}

function unknownFlag(rawName: string, flags: Flags): string {
  const name = rawName.replace(/^-+/, '')
  // One letter is near to everything.
  const near = name.length < 2 ? undefined : nearestName(name, Object.keys(flags))
  if (near !== undefined) return `unknown option ${rawName}; did you mean --${near}?`
  return `unknown option ${rawName}; see --help${'set' in flags ? `, and --set ${name}=... for an option of a measure` : ''}`
}

/** A number given to a flag. */
export function wholeNumber(flag: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value))
    throw new UserError(`${flag} must be a whole number, found "${text}"`)
  return value
}

export function realNumber(flag: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new UserError(`${flag} must be a number, found "${text}"`)
  return value
}

/** `a,b` as a list; column names may have spaces inside but not around them. */
export function commaList(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',').map((part) => part.trim())).filter((part) => part !== '')
}
