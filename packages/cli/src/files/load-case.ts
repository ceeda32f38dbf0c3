import {
  type CaseTables,
  type FileRole,
  grouped,
  mostCombinations,
  type OpenedCase,
  OpenQuestions,
  openCase,
  questionText,
  type Release,
  type ReleaseType,
  type RulesText,
  readingIn,
  type StoredTable,
  sampleFor,
  storedInMemory,
  type Table,
  UserError,
  withColumnCounts,
  withCounts,
  withReleaseType,
  withScans,
} from '@scrim/core'
import { allowedMemory } from '../allowed-memory.js'
import { answeringText } from '../faces.js'
import type { Io } from '../io.js'
import type { Arguments } from '../options/arguments.js'
import type { Asked } from '../options/config.js'
import type { Progress } from '../printing/progress.js'
import { threads } from '../threads.js'
import { externalAttackers } from './external-attacker.js'
import { externalSynthesizer } from './external-synthesizer.js'
import { readFiles, withoutCommonFolder } from './files.js'
import { heldRoles, heldTables, missingRoles, type ReadFile, remarksOn } from './held-tables.js'
import { openSources } from './sources.js'

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
  /** How many of its records were looked at, where not all were. */
  readonly sampled?: number
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
  const whole = { ...asked, sample: undefined }
  return loadTables(names, whole, io, progress, (loaded) => openLoaded(loaded, asked, io, progress))
}

/**
 * The same where tables may be larger than memory: of these a sample is read, and all records are counted by keys and target; for the measures
 * that are `planned` they are counted by other columns too, and scanned.
 */
export async function loadLargeCase(
  names: readonly string[],
  asked: Asked,
  io: Io,
  progress: Progress,
  planned: (opened: OpenedCase) => readonly string[],
): Promise<LoadedCase> {
  const allowed = allowedMemory(asked)
  const use = async (loaded: LoadedTables): Promise<LoadedCase> => {
    const whole = await openLoaded(loaded, asked, io, progress)
    const { held, stored } = loaded
    if (!held.some(({ table }) => isSampled(table, stored))) return whole
    const parts = (role: FileRole) =>
      held
        .filter((one) => one.role === role)
        .map(({ table }) => ({ table, stored: stored.get(table) ?? storedInMemory(table) }))
    const [original] = parts('original')
    const [holdout] = parts('holdout')
    const [population] = parts('population')
    progress.show('counting all records by keys and target')
    const tables = { original, released: parts('release'), holdout, population }
    const most = mostCombinations(held.length, allowed)
    const counted = await withCounts(whole.opened, tables, most)
    const ids = planned(counted)
    progress.show('counting all records by columns')
    const byColumns = await withColumnCounts(counted, tables, ids, most)
    progress.show('looking at all records')
    const tasks = threads(asked.threads)
    const tell = (done: number, all: number) =>
      progress.show(`looking at all records: ${grouped(done)} of ${grouped(all)}`, done / all)
    const opened = await withScans(byColumns, tables, ids, most, { tasks, progress: tell }).finally(tasks.close)
    return { ...whole, opened }
  }
  return loadTables(names, asked, io, progress, use, allowed)
}

async function openLoaded(
  { held, files, known, rules, notes }: LoadedTables,
  asked: Asked,
  io: Io,
  progress: Progress,
): Promise<LoadedCase> {
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

type StoredTables = ReadonlyMap<Table, StoredTable>

function isSampled(table: Table, stored: StoredTables): boolean {
  return table.rows < (stored.get(table)?.schema.rows ?? table.rows)
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
  const whole = { ...asked, sample: undefined }
  const { held, files, known, rules, notes } = await loadTables(names, whole, io, progress, async (loaded) => loaded)
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
  /** Where engines have the tables, for as long as they are open. */
  readonly stored: StoredTables
}

/** Reads the tables and hands them on while the engines are open. With `allowed` bytes, larger ones are sampled. */
async function loadTables<Used>(
  names: readonly string[],
  asked: Asked,
  io: Io,
  progress: Progress,
  use: (loaded: LoadedTables) => Promise<Used>,
  allowed = Number.POSITIVE_INFINITY,
): Promise<Used> {
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
    const readings = roles.map(({ role }) => readingIn(asked, role))
    const looked = await Promise.all(sources.map((source, k) => settled(async () => source.stored?.(readings[k]))))
    const inEngine = looked.map((one) => (one === undefined || 'problems' in one ? undefined : one))
    const sample = sampleFor(
      inEngine.flatMap((one) =>
        one === undefined ? [] : { rows: one.schema.rows, columns: one.schema.columns.length },
      ),
      allowed,
      asked.sample,
    )
    const counted = await Promise.all(
      sources.map((source, k) =>
        settled(() =>
          (inEngine[k]?.schema.rows ?? 0) > sample && source.sample !== undefined
            ? source.sample(readings[k], sample)
            : source.read(readings[k]),
        ),
      ),
    )
    for (const [k, { name }] of sources.entries()) {
      const contents = counted[k]
      if ('problems' in contents) problems.push(...contents.problems)
      else read.push({ role: roles[k].role, name, short: shorts[k], ...contents })
    }
    if (problems.length > 0) throw new UserError(problems)
    const held = heldTables(read)
    const said = heldRoles(read)
    const stored = new Map(
      held.flatMap(({ table, name }): [Table, StoredTable][] => {
        const one = inEngine[sources.findIndex((source) => source.name === name)]
        return one === undefined ? [] : [[table, one]]
      }),
    )
    return await use({
      held,
      rules,
      stored,
      files: held.map((file) => inputFile(file, stored.get(file.table))),
      known: { ...caseIn(asked), ...missingRoles(asked, said) },
      notes: remarksOn(asked, said, read),
    })
  } finally {
    await close()
  }
}

function inputFile({ role, name, sha256, table }: Held[number], stored: StoredTable | undefined): InputFile {
  const { rows, columns } = table
  const file = { role, name, rows: stored?.schema.rows ?? rows, columns: columns.length, sha256 }
  return file.rows === rows ? file : { ...file, sampled: rows }
}

function caseIn({ json: _, csv: __, records: ___, charts: ____, ...said }: Asked) {
  return said
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

/** What went wrong with one file, which is told together with the others. */
async function settled<Result>(
  work: () => Promise<Result>,
): Promise<Result | { readonly problems: readonly string[] }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { problems: error.problems }
  }
}
