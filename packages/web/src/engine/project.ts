import {
  type Case,
  type Column,
  columnLength,
  countMissing,
  type FileRole,
  isMissing,
  measures,
  needsFor,
  OpenQuestions,
  openCase,
  parseCase,
  parseOptions,
  questionText,
  type Release,
  type RulesText,
  readingIn,
  reasonText,
  type Table,
  type Types,
  table,
  UserError,
  unmetNeeds,
  valueAt,
} from '@scrim/core'
import { contentsOf, tableIn } from './contents.js'
import type { Checked, ColumnInfo, MeasureInfo, Project, SourceFile, TableInfo } from './protocol.js'
import { sha256 } from './sha256.js'

const PREVIEW_ROWS = 8

/** A file as it was read. */
export interface ReadFile {
  readonly table: Table
  readonly sha256: string
  /** What reading it has told. */
  readonly notes: readonly string[]
}

const alreadyRead = new Map<string, ReadFile>()
/** Enough for a project and one correction of its types. */
const MOST_KEPT = 12

export async function readSource(file: SourceFile, types: Types): Promise<ReadFile> {
  const key = `${file.id} ${JSON.stringify(types)} ${JSON.stringify(file.part)}`
  const known = alreadyRead.get(key)
  if (known !== undefined) return known
  const bytes = new Uint8Array(await file.content.arrayBuffer())
  const contents = await contentsOf(file, bytes, types)
  const read = { table: tableIn(file, contents), sha256: sha256(bytes), notes: contents.notes }
  for (const old of alreadyRead.keys()) if (alreadyRead.size >= MOST_KEPT) alreadyRead.delete(old)
  alreadyRead.set(key, read)
  return read
}

export function infoOf(table: Table): TableInfo {
  const rows = Math.min(PREVIEW_ROWS, table.rows)
  return {
    rows: table.rows,
    columns: table.columns.map(columnInfo),
    preview: Array.from({ length: rows }, (_, row) =>
      table.columns.map((column) => String(valueAt(column, row) ?? '')),
    ),
  }
}

function columnInfo(column: Column): ColumnInfo {
  return {
    name: column.name,
    kind: column.kind,
    ordered: column.kind === 'categorical' && column.ordered,
    missing: countMissing(column),
    distinct: distinctIn(column),
  }
}

function distinctIn(column: Column): number {
  const values = column.kind === 'categorical' ? column.codes : column.values
  const seen = new Set<number>()
  for (let row = 0; row < columnLength(column); row++) if (!isMissing(column, row)) seen.add(values[row])
  return seen.size
}

export interface ReadProject {
  readonly original: ReadFile
  readonly releases: readonly ReadFile[]
  readonly holdout: ReadFile | null
  readonly population: ReadFile | null
  readonly attacker: ReadFile | null
  readonly rules: RulesText | undefined
}

/** Reads all files, or tells what is wrong with any of them. */
export async function readProject(project: Project): Promise<ReadProject> {
  const asked = parseCase(project.case)
  const problems: string[] = []
  const read = async (file: SourceFile, role: FileRole): Promise<ReadFile> => {
    try {
      return await readSource(file, readingIn(asked, role).types ?? {})
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
      return NOT_READ
    }
  }
  const optional = async (role: 'holdout' | 'population' | 'attacker') => {
    const file = project[role]
    return file === null ? null : read(file, role)
  }
  const original = await read(project.original, 'original')
  const releases: ReadFile[] = []
  for (const file of project.releases) releases.push(await read(file, 'release'))
  const { rules } = project
  const found = {
    original,
    releases,
    holdout: await optional('holdout'),
    population: await optional('population'),
    attacker: await optional('attacker'),
    rules: rules === null ? undefined : { name: rules.name, text: await rules.content.text() },
  }
  if (problems.length > 0) throw new UserError(problems)
  return found
}

const NOT_READ: ReadFile = { table: table('', []), sha256: '', notes: [] }

export function tablesOf({ original, releases, holdout, population, attacker, rules }: ReadProject) {
  return {
    original: original.table,
    released: releases.map((file) => file.table),
    holdout: holdout?.table,
    population: population?.table,
    attacker: attacker?.table,
    rules,
    notes: [original, ...releases, holdout, population, attacker].flatMap((file) => file?.notes ?? []),
  }
}

export type Tables = ReturnType<typeof tablesOf>

/** What a run would say before its first measure. */
export async function check(project: Project): Promise<Checked> {
  try {
    const { release, questions, case: asked } = openCase(project.case, tablesOf(await readProject(project)))
    return {
      problems: optionProblems(asked),
      warnings: [
        ...release.likeness.flatMap((one) => one?.sentence ?? []),
        ...release.notes.map(({ internal }) => internal),
      ],
      questions: questions.filter((question) => question.kind !== 'release-type'),
      type: release.type,
      measures: measuresFor(release, asked),
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const rest = { warnings: [], type: project.case.type ?? 'unknown', measures: [] }
    if (!(error instanceof OpenQuestions)) return { ...rest, problems: error.problems, questions: [] }
    const open = error.questions.filter(({ answer }) => answer === null)
    return { ...rest, problems: open.map((question) => questionText(question)), questions: error.questions }
  }
}

function optionProblems({ options }: Case): readonly string[] {
  return measures.flatMap(({ id, options: schema }) => {
    try {
      parseOptions(id, schema, options[id] ?? {})
      return []
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return error.problems
    }
  })
}

/** Every measure but those of a synthesizer, which a file does not show. */
function measuresFor(release: Release, { options }: Case): readonly MeasureInfo[] {
  return measures.flatMap((measure) => {
    if (measure.about === 'generator') return []
    const parsed = measure.options.safeParse(options[measure.id] ?? {})
    const needs = parsed.success ? needsFor(measure, parsed.data, release) : measure.needs
    const unmet = unmetNeeds({ needs }, release)
    return [
      {
        id: measure.id,
        title: measure.title,
        summary: measure.summary,
        role: measure.role,
        threat: measure.threat ?? null,
        profile: measure.role === 'decides' ? 'quick' : measure.profile === 'full' ? 'full' : 'standard',
        unmet: unmet === undefined ? null : reasonText(unmet),
      },
    ]
  })
}
