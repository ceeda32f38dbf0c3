import {
  type CaseTables,
  type FileRole,
  type OpenedCase,
  OpenQuestions,
  openCase,
  questionText,
  type ReadOptions,
  type Release,
  type ReleaseType,
  type RulesText,
  readingIn,
  type Table,
  UserError,
  withReleaseType,
} from '@scrim/core'
import { answeringText } from '../faces.js'
import type { Io } from '../io.js'
import type { Arguments } from '../options/arguments.js'
import type { Asked } from '../options/config.js'
import type { Progress } from '../printing/progress.js'
import { externalAttackers } from './external-attacker.js'
import { externalSynthesizer } from './external-synthesizer.js'
import { readFiles, withoutCommonFolder } from './files.js'
import { heldRoles, heldTables, missingRoles, type ReadFile, remarksOn } from './held-tables.js'
import { openSources, type Source, type SourceContents } from './sources.js'

/** The files that a command reads. */
export function inputsOf(args: Arguments, { holdout, population, attacker, rules }: Asked): readonly string[] {
  return [...args.positionals, args.text('config'), holdout, population, attacker, rules].flatMap((file) => file ?? [])
}

/** A file that went into a run, to be told apart later from a newer one of the same name. */
export interface InputFile {
  readonly role: FileRole
  readonly name: string
  readonly rows: number
  readonly columns: number
  readonly sha256: string
}

export interface LoadedCase {
  readonly opened: OpenedCase
  readonly files: readonly InputFile[]
  /** As they were read, in the order of `files`. */
  readonly tables: readonly Table[]
}

/** Reads all files of a Case and opens it; what is wrong with any of the files is told together. */
export async function loadCase(
  names: readonly string[],
  asked: Asked,
  io: Io,
  progress: Progress,
): Promise<LoadedCase> {
  const { held, files, known, rules, notes } = await loadTables(names, asked, io, progress)
  const tables = {
    ...tablesIn(held, released(held)),
    rules,
    notes,
    synthesizer: ownSynthesizer(asked, io),
    attackers: await externalAttackers(asked.options, io),
  }
  progress.show('comparing the files: identifiers, copies, names of columns and levels')
  const opened = await withAskedType(opening(known, tables, io), io)
  return { opened, files, tables: held.map(({ table }) => table) }
}

export interface LoadedCandidates {
  /** The original released as itself. */
  readonly base: Release
  /** Each release alone, as if there were no other. */
  readonly releases: readonly Release[]
  readonly files: readonly InputFile[]
}

/** As `loadCase`, each release for itself, so that none depends on what else is compared. */
export async function loadCandidates(
  names: readonly string[],
  asked: Asked,
  io: Io,
  progress: Progress,
): Promise<LoadedCandidates> {
  const { held, files, known, rules, notes } = await loadTables(names, asked, io, progress)
  const alone = (table: Table) => ({ ...tablesIn(held, [table]), rules, notes })
  const releases: Release[] = []
  const problems: string[] = []
  for (const table of released(held)) {
    try {
      releases.push((await withAskedType(opening(known, alone(table), io), io)).release)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems.filter((problem) => !problems.includes(problem)))
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  const base = openCase({ ...known, type: 'synthetic', matchLevels: false }, alone(held[0].table)).release
  return { base, releases, files }
}

type Held = ReturnType<typeof heldTables>

interface LoadedTables {
  readonly held: Held
  readonly files: readonly InputFile[]
  /** The Case with the roles that the files know. */
  readonly known: OpenedCase['case']
  readonly rules: RulesText | undefined
  readonly notes: readonly string[]
}

async function loadTables(names: readonly string[], asked: Asked, io: Io, progress: Progress): Promise<LoadedTables> {
  const roles: { name: string; role: FileRole }[] = names.map((name, k) => ({
    name,
    role: k === 0 ? 'original' : 'release',
  }))
  for (const role of ['holdout', 'population', 'attacker'] as const) {
    const name = asked[role]
    if (name !== undefined) roles.push({ name, role })
  }
  const rules = asked.rules === undefined ? undefined : rulesText(asked.rules, io)
  const shorts = withoutCommonFolder(
    roles.map(({ name }) => name),
    io,
  )
  const problems: string[] = []
  const read: ReadFile[] = []
  const { sources, close } = await openSources(
    roles.map(({ name }) => name),
    asked,
    io,
  )
  for (const [k, { name, bytes }] of sources.entries())
    if (io.terminal && roles[k].role === 'release' && bytes !== undefined && bytes === sources[0].bytes)
      io.err(`scrim: ${name} is ${sources[0].name} itself, byte for byte\n`)
  try {
    progress.show(`reading ${sources.map(({ name }) => name).join(', ')}`)
    const found = await Promise.all(sources.map((source, k) => readOne(source, readingIn(asked, roles[k].role))))
    for (const [k, { name }] of sources.entries()) {
      const contents = found[k]
      if ('problems' in contents) problems.push(...contents.problems)
      else read.push({ role: roles[k].role, name, short: shorts[k], ...contents })
    }
  } finally {
    await close()
  }
  if (problems.length > 0) throw new UserError(problems)
  const held = heldTables(read)
  const found = heldRoles(read)
  const { json: _, csv: __, records: ___, charts: ____, ...said } = asked
  return {
    held,
    rules,
    files: held.map(({ role, name, sha256, table }) => ({
      role,
      name,
      rows: table.rows,
      columns: table.columns.length,
      sha256,
    })),
    known: { ...said, ...missingRoles(asked, found) },
    notes: remarksOn(asked, found, read),
  }
}

function rulesText(name: string, io: Io): RulesText {
  const [{ bytes }] = readFiles([name], io)
  return { name, text: new TextDecoder().decode(bytes) }
}

function ownSynthesizer({ synthesizer }: Asked, io: Io): object | undefined {
  return synthesizer === undefined ? undefined : externalSynthesizer(synthesizer, io)
}

function released(held: Held): readonly Table[] {
  return held.filter(({ role }) => role === 'release').map(({ table }) => table)
}

function tablesIn(held: Held, releases: readonly Table[]): CaseTables {
  const first = (role: FileRole) => held.find((one) => one.role === role)?.table
  return {
    original: held[0].table,
    released: releases,
    holdout: first('holdout'),
    population: first('population'),
    attacker: first('attacker'),
  }
}

/** Asks in the words of whoever reads it. */
function opening(known: OpenedCase['case'], tables: CaseTables, { face }: Io): OpenedCase {
  try {
    return openCase(known, tables)
  } catch (error) {
    if (!(error instanceof OpenQuestions)) throw error
    const open = error.questions.filter(({ answer }) => answer === null)
    throw new UserError([...open.map((question) => questionText(question)), answeringText(open[0], face)])
  }
}

/** Whoever sits at a terminal is asked how the release was made, where the files do not show it. */
async function withAskedType(opened: OpenedCase, io: Io): Promise<OpenedCase> {
  const question = opened.questions.find(({ kind }) => kind === 'release-type')
  if (question === undefined || question.answer !== null || io.ask === undefined) return opened
  const said = (await io.ask(TYPE_QUESTION)).trim().toLowerCase()
  const type = question.answers.find((answer): answer is ReleaseType => said !== '' && answer.startsWith(said[0]))
  return withReleaseType(opened, type ?? 'unknown')
}

const TYPE_QUESTION =
  'How was the release made? s: synthetic; p: perturbed, row i derives from row i of the original; Enter: not known (--type says it in the command) '

async function readOne(
  source: Source,
  reading: ReadOptions,
): Promise<SourceContents | { readonly problems: readonly string[] }> {
  try {
    return await source.read(reading)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { problems: error.problems }
  }
}
