import {
  type Contents,
  type Generator,
  type Grouping,
  LevelsDiffer,
  type PrepareInput,
  parseGroupings,
  parseTypes,
  prepareRelease,
  type ReadOptions,
  type Release,
  type ReleaseType,
  type RulesText,
  type Table,
  type Types,
  UserError,
  unknownName,
} from '@scrim/core'
import { type Arguments, commaList, type Flags, wholeNumber } from './arguments.js'
import { type Config, loadConfig } from './config.js'
import { type FileBytes, readFiles, STANDARD, withoutCommonFolder } from './files.js'
import { heldRoles, heldTables, missingRoles, type ReadFile, remarksOn } from './held-tables.js'
import type { Io } from './io.js'
import type { Progress } from './progress.js'
import { type TableReader, tableReader } from './reader.js'
import { typeOf } from './release-type.js'
import { allThreads } from './threads.js'

/** The flags that say how files are read. */
export const READING_FLAGS: Flags = {
  types: {
    value: 'a=TYPE,...',
    repeat: true,
    help: 'numeric, categorical, date or ordered:low<mid<high instead of what is inferred',
  },
  'missing-tokens': {
    value: 'x,y',
    repeat: true,
    help: 'what means missing, besides the empty cell (default NA,NaN,NULL,null,N/A)',
  },
  object: {
    value: 'a,b',
    repeat: true,
    help: 'R, SAS: the objects or data sets of a file to take, by name; the original first, where it holds several',
  },
  sheet: {
    value: 'a,b',
    repeat: true,
    help: 'Excel: the sheets to take, by name or number (default: the first); the original first, where there are several',
  },
  labels: {
    value: 'KIND',
    help: 'SPSS, Stata, SAS, R: values become their labels (levels, the default) or stay codes',
  },
  'keep-missing-codes': { help: 'SPSS, Stata, SAS, R: values that mean missing are levels, not missing' },
  delimiter: { value: 'C', help: 'CSV delimiter: one character, or "tab" (default: found in the file)' },
  encoding: { value: 'E', help: 'utf-8 or latin1 (default: found in the file)' },
  decimal: { value: 'C', help: 'decimal mark of numbers: . or ,' },
}

/** The flags that say what the files are and what their columns are for; shared by all commands that look at a release. */
export const RELEASE_FLAGS: Flags = {
  keys: { value: 'a,b', repeat: true, help: 'key variables: what an attacker may know about a person' },
  target: { value: 't[,u]', repeat: true, help: 'sensitive variables: what an attacker wants to learn' },
  'numeric-keys': { value: 'a,b', repeat: true, help: 'continuous variables that an attacker may know about' },
  holdout: { value: 'FILE', help: 'records of the same population that were not used to make the release' },
  population: { value: 'FILE', help: 'the population, or a register of it, with the key columns' },
  attacker: { value: 'FILE', help: 'what an attacker holds: a file on people, to be linked with the release' },
  'attacker-columns': {
    value: 'theirs=ours,...',
    repeat: true,
    help: 'columns of the attacker’s file that the original calls otherwise',
  },
  identifier: { value: 'id', help: 'column that says who is who in several files: the truth about a linkage' },
  rules: { value: 'FILE', help: 'edit rules that records must keep, one per line: age < 15 => marital = "SINGLE"' },
  weight: { value: 'w', help: 'column with sampling weights' },
  household: { value: 'h', help: 'column that says who lives together' },
  type: { value: 'KIND', help: 'synthetic, perturbed (row i derives from row i of the original) or unknown' },
  'match-levels': {
    help: 'values that differ in writing (case, accents, number format), name or unit only are the same',
  },
  'no-match-levels': { help: 'such values are different' },
  group: {
    value: 'a=10,b=equal:5',
    repeat: true,
    help: 'group numeric columns into classes, by quantiles or in the style named',
  },
  codes: { value: 'a=-8|-9', repeat: true, help: 'numbers of a grouped column that are codes, classes of their own' },
  ...READING_FLAGS,
  set: {
    value: 'option=value',
    repeat: true,
    help: 'option of a measure; a dotted path reaches inside, the value is JSON or text',
  },
  seed: { value: 'N', help: 'whole number that fixes all random numbers (default 1)' },
  threads: { value: 'N', help: 'threads for heavy work (default: one per core); no result depends on it' },
  config: { value: 'FILE', help: 'file with what the flags say (default: scrim.json, if there is one)' },
}

export interface Settings {
  readonly keys: readonly string[]
  readonly numericKeys: readonly string[]
  readonly targets: readonly string[]
  readonly holdout: string | undefined
  readonly population: string | undefined
  readonly attacker: string | undefined
  readonly attackerColumns: Readonly<Record<string, string>>
  readonly identifier: string | undefined
  readonly rules: string | undefined
  readonly weight: string | undefined
  readonly household: string | undefined
  readonly type: ReleaseType | undefined
  readonly matchLevels: boolean | undefined
  readonly generator?: Generator | undefined
  readonly groups: Readonly<Record<string, Grouping>>
  readonly reading: ReadOptions
  readonly seed: number | undefined
  readonly threads: number
  readonly config: Config
}

const RELEASE_TYPES = ['synthetic', 'perturbed', 'unknown'] as const
const ENCODINGS = ['utf-8', 'latin1'] as const
const DECIMAL_MARKS = ['.', ','] as const
const LABELS = ['levels', 'codes'] as const

/** What config file and flags say together; a flag wins over the file. */
export function readSettings(args: Arguments, io: Io): Settings {
  const config = loadConfig(args, io)
  const list = (flag: string, field: string | readonly string[] | undefined) =>
    args.has(flag) ? commaList(args.texts(flag)) : typeof field === 'string' ? commaList([field]) : (field ?? [])
  const text = (flag: string, field: string | undefined) => args.text(flag) ?? field
  const tokens = list('missing-tokens', config.missingTokens)
  const delimiter = text('delimiter', config.delimiter)
  const seed = args.text('seed')
  return {
    keys: list('keys', config.keys),
    numericKeys: list('numeric-keys', config.numericKeys),
    targets: list('target', config.target),
    holdout: text('holdout', config.holdout),
    population: text('population', config.population),
    attacker: text('attacker', config.attacker),
    attackerColumns: columnMap(args, config),
    identifier: text('identifier', config.identifier),
    rules: text('rules', config.rules),
    weight: text('weight', config.weight),
    household: text('household', config.household),
    type: oneOf('type', text('type', config.type), RELEASE_TYPES),
    matchLevels: levelsChoice(args, config),
    groups: groupsOf(args, config),
    reading: {
      types: typesOf(args, config),
      missing: tokens.length === 0 ? undefined : tokens,
      object: list('object', config.object),
      sheet: list('sheet', config.sheet),
      delimiter: delimiter === 'tab' ? '\t' : delimiter,
      encoding: oneOf('encoding', text('encoding', config.encoding), ENCODINGS),
      decimal: oneOf('decimal mark', text('decimal', config.decimal), DECIMAL_MARKS),
      labels: oneOf('choice of labels', text('labels', config.labels), LABELS),
      keepMissingCodes: args.has('keep-missing-codes') || config.keepMissingCodes,
    },
    seed: seed === undefined ? config.seed : wholeNumber('--seed', seed),
    threads: threadCount(args.text('threads'), config.threads),
    config,
  }
}

function levelsChoice(args: Arguments, config: Config): boolean | undefined {
  const [yes, no] = [args.has('match-levels'), args.has('no-match-levels')]
  if (yes && no) throw new UserError('choose one of --match-levels and --no-match-levels')
  return yes ? true : no ? false : config.matchLevels
}

function columnMap(args: Arguments, { attackerColumns = {} }: Config): Readonly<Record<string, string>> {
  const given = args.has('attacker-columns') ? args.texts('attacker-columns') : attackerColumns
  if (typeof given === 'object' && !Array.isArray(given)) return given as Readonly<Record<string, string>>
  const pairs = commaList(typeof given === 'string' ? [given] : (given as readonly string[]))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1 || at === pair.length - 1)
        throw new UserError(`--attacker-columns takes theirs=ours, but there is "${pair}"`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

function threadCount(flag: string | undefined, field: number | undefined): number {
  const count = flag === undefined ? (field ?? allThreads()) : wholeNumber('--threads', flag)
  if (count < 1) throw new UserError(`--threads must be at least 1, but it is ${count}`)
  return count
}

function oneOf<Choice extends string>(
  what: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined
  const found = choices.find((choice) => choice === text)
  if (found === undefined) throw new UserError(unknownName(what, text, choices))
  return found
}

function typesOf(args: Arguments, { types }: Config): Types | undefined {
  if (args.has('types')) return parseTypes(args.texts('types').join(','))
  if (types === undefined) return undefined
  if (typeof types === 'string') return parseTypes(types)
  return Object.fromEntries(
    Object.entries(types).map(([column, spec]) => [
      column,
      typeof spec === 'string' ? parseTypes(`${column}=${spec}`)[column] : spec,
    ]),
  )
}

/** --group on the command line replaces the grouping of the file as a whole, codes included. */
function groupsOf(args: Arguments, config: Config): Readonly<Record<string, Grouping>> {
  const byFlag = args.has('group')
  const group = byFlag ? args.texts('group').join(',') : flagText(config.group)
  const codes = args.has('codes') ? args.texts('codes').join(',') : byFlag ? '' : flagText(config.codes)
  return parseGroupings(group, codes)
}

function flagText(value: Config['group'] | Config['codes']): string {
  if (value === undefined || typeof value === 'string') return value ?? ''
  return Object.entries(value)
    .map(([column, each]) => `${column}=${Array.isArray(each) ? each.join('|') : each}`)
    .join(',')
}

/** The files that a command reads. */
export function inputsOf(args: Arguments, { holdout, population, attacker, rules }: Settings): readonly string[] {
  return [...args.positionals, args.text('config'), holdout, population, attacker, rules].flatMap((file) => file ?? [])
}

/** A file that went into a run, to be told apart later from a newer one of the same name. */
export interface InputFile {
  readonly role: 'original' | 'release' | 'holdout' | 'population' | 'attacker'
  readonly name: string
  readonly rows: number
  readonly columns: number
  readonly sha256: string
}

export interface LoadedRelease {
  readonly release: Release
  readonly files: readonly InputFile[]
  /** As they were read, in the order of `files`. */
  readonly tables: readonly Table[]
  /** With the roles that the files know. */
  readonly settings: Settings
}

/** Reads all files and builds the release; what is wrong with any of the files is told together. */
export async function loadRelease(
  names: readonly string[],
  settings: Settings,
  io: Io,
  progress: Progress,
): Promise<LoadedRelease> {
  const { tables, roles, rules, files, known } = await loadTables(names, settings, io, progress)
  return { release: await builtRelease(tables, roles, known, rules, io), files, tables, settings: known }
}

export interface LoadedCandidates {
  /** The original released as itself. */
  readonly base: Release
  /** Each release alone, as if there were no other. */
  readonly releases: readonly Release[]
  readonly files: readonly InputFile[]
}

/** As `loadRelease`, each release for itself, so that none depends on what else is compared. */
export async function loadCandidates(
  names: readonly string[],
  settings: Settings,
  io: Io,
  progress: Progress,
): Promise<LoadedCandidates> {
  const { tables, roles, rules, files, known } = await loadTables(names, settings, io, progress)
  const [original, ...rest] = tables.map((table, k) => ({ table, role: roles[k] }))
  const others = rest.filter(({ role }) => role.role !== 'release')
  const built = (released: Table, own: KnownSettings) => {
    const parts = [original, { table: released, role: { role: 'release' as const } }, ...others]
    return builtRelease(
      parts.map(({ table }) => table),
      parts.map(({ role }) => role),
      own,
      rules,
      io,
    )
  }
  const releases: Release[] = []
  const problems: string[] = []
  for (const { table, role } of rest) {
    if (role.role !== 'release') continue
    try {
      releases.push(await built(table, known))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems.filter((problem) => !problems.includes(problem)))
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  const base = await built(original.table, { ...known, type: 'synthetic', matchLevels: false })
  return { base, releases, files }
}

interface LoadedTables {
  readonly tables: readonly Table[]
  readonly roles: readonly { readonly role: InputFile['role'] }[]
  readonly rules: RulesText | undefined
  readonly files: readonly InputFile[]
  readonly known: KnownSettings
}

/** Settings with what the files say themselves. */
type KnownSettings = Settings & { readonly remarks: readonly string[] }

async function loadTables(
  names: readonly string[],
  settings: Settings,
  io: Io,
  progress: Progress,
): Promise<LoadedTables> {
  const roles: { name: string; role: InputFile['role'] }[] = names.map((name, k) => ({
    name,
    role: k === 0 ? 'original' : 'release',
  }))
  if (settings.holdout !== undefined) roles.push({ name: settings.holdout, role: 'holdout' })
  if (settings.population !== undefined) roles.push({ name: settings.population, role: 'population' })
  if (settings.attacker !== undefined) roles.push({ name: settings.attacker, role: 'attacker' })
  const files = readFiles(
    roles.map(({ name }) => name),
    io,
  )
  const rules = settings.rules === undefined ? undefined : rulesText(settings.rules, io)
  const shorts = withoutCommonFolder(roles.map(({ name }) => (name === STANDARD ? 'standard input' : name)))
  const problems: string[] = []
  const read: ReadFile[] = []
  const reader = tableReader()
  for (const [k, file] of files.entries()) {
    progress.show(`reading ${file.name}`)
    const { role } = roles[k]
    const contents = await readOne(reader, file, readingOf(role, settings), problems)
    if (contents !== undefined) read.push({ role, name: file.name, short: shorts[k], sha256: file.sha256, contents })
  }
  await reader.close()
  if (problems.length > 0) throw new UserError(problems)
  const held = heldTables(read)
  const found = heldRoles(read)
  return {
    tables: held.map(({ table }) => table),
    roles: held,
    rules,
    files: held.map(({ role, name, sha256, table }) => ({
      role,
      name,
      rows: table.rows,
      columns: table.columns.length,
      sha256,
    })),
    known: { ...settings, ...missingRoles(settings, found), remarks: remarksOn(settings, found, read) },
  }
}

function rulesText(name: string, io: Io): RulesText {
  const [{ bytes }] = readFiles([name], io)
  return { name, text: new TextDecoder().decode(bytes) }
}

/** The release of these tables, with what an inspection of them tells. */
async function builtRelease(
  tables: readonly Table[],
  roles: readonly { role: InputFile['role'] }[],
  settings: KnownSettings,
  rules: RulesText | undefined,
  io: Io,
): Promise<Release> {
  const first = (role: InputFile['role']) => tables.find((_, k) => roles[k].role === role)
  const { keys, numericKeys, targets, weight, household, identifier, groups, generator } = settings
  const built = prepared({
    original: tables[0],
    released: tables.filter((_, k) => roles[k].role === 'release'),
    holdout: first('holdout'),
    population: first('population'),
    attacker: first('attacker'),
    attackerColumns: settings.attackerColumns,
    keys,
    numericKeys,
    target: targets,
    weight,
    household,
    identifier,
    type: settings.type,
    matchLevels: settings.matchLevels,
    generator,
    groups,
    rules,
  })
  const about = await typeOf(built, settings.type, io)
  return { ...built, ...about, warnings: [...settings.remarks, ...guessNotes(settings), ...about.warnings] }
}

/** Roles that nobody has confirmed yet. */
function guessNotes({ keys, targets, weight, household, config: { guesses = {} } }: Settings): readonly string[] {
  const guessed = [...keys, ...targets, weight ?? '', household ?? ''].filter((column) =>
    Object.hasOwn(guesses, column),
  )
  return guessed.length === 0
    ? []
    : [
        `the roles of ${guessed.join(', ')} were guessed: confirm or change them in the config, then delete its field "guesses"`,
      ]
}

function prepared(input: PrepareInput): Release {
  try {
    return prepareRelease(input)
  } catch (error) {
    if (!(error instanceof LevelsDiffer)) throw error
    throw new UserError([
      ...error.problems,
      'are these the same values? --match-levels says yes, --no-match-levels says no',
    ])
  }
}

/** A population has the keys only, so types declared for other columns are not for it; an attacker has names of their own. */
function readingOf(role: InputFile['role'], { reading, keys, attackerColumns }: Settings): ReadOptions {
  const { types } = reading
  if ((role !== 'population' && role !== 'attacker') || types === undefined) return reading
  const declared = (column: string) => (Object.hasOwn(types, column) ? types[column] : undefined)
  const named =
    role === 'population'
      ? keys.map((column) => [column, declared(column)] as const)
      : Object.entries(attackerColumns).map(([theirs, ours]) => [theirs, declared(ours)] as const)
  return {
    ...reading,
    types: Object.fromEntries(named.flatMap(([column, type]) => (type === undefined ? [] : [[column, type]]))),
  }
}

async function readOne(
  reader: TableReader,
  file: FileBytes,
  reading: ReadOptions,
  problems: string[],
): Promise<Contents | undefined> {
  try {
    return await reader.contents(file, reading)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
