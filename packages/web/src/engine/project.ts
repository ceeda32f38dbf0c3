import {
  type Column,
  columnLength,
  countMissing,
  type Grouping,
  isMissing,
  LevelsDiffer,
  looksPerturbed,
  measures,
  needsFor,
  parseGroupings,
  parseOptions,
  prepareRelease,
  type Release,
  type RulesText,
  reasonText,
  type Table,
  type Types,
  table,
  UserError,
  unmetNeeds,
  valueAt,
} from '@scrim/core'
import { contentsOf, tableIn } from './contents.js'
import type { Checked, Choice, ColumnInfo, MeasureInfo, Project, Roles, SourceFile, TableInfo } from './protocol.js'
import { sha256 } from './sha256.js'

const PREVIEW_ROWS = 8

/** A file as it was read. */
export interface ReadFile {
  readonly table: Table
  readonly sha256: string
}

const alreadyRead = new Map<string, ReadFile>()
/** Enough for a project and one correction of its types. */
const MOST_KEPT = 12

export async function readSource(file: SourceFile, types: Types): Promise<ReadFile> {
  const key = `${file.id} ${JSON.stringify(types)} ${JSON.stringify(file.part)}`
  const known = alreadyRead.get(key)
  if (known !== undefined) return known
  const bytes = new Uint8Array(await file.content.arrayBuffer())
  const table = tableIn(file, await contentsOf(file, bytes, types))
  const read = { table, sha256: sha256(bytes) }
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
  const { types, roles, attackerColumns, rules } = project
  const problems: string[] = []
  const read = async (file: SourceFile, declared: Types): Promise<ReadFile> => {
    try {
      return await readSource(file, declared)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
      return NOT_READ
    }
  }
  const optional = async (file: SourceFile | null, declared: Types) => (file === null ? null : read(file, declared))
  const original = await read(project.original, types)
  const releases: ReadFile[] = []
  for (const file of project.releases) releases.push(await read(file, types))
  const found = {
    original,
    releases,
    holdout: await optional(project.holdout, types),
    // A population has the keys only, so that types of other columns are not for it; an attacker has names of their own.
    population: await optional(
      project.population,
      typesOf(
        roles.keys.map((key) => [key, key]),
        types,
      ),
    ),
    attacker: await optional(project.attacker, typesOf(Object.entries(attackerColumns), types)),
    rules: rules === null ? undefined : { name: rules.name, text: await rules.content.text() },
  }
  if (problems.length > 0) throw new UserError(problems)
  return found
}

const NOT_READ: ReadFile = { table: table('', []), sha256: '' }

function typesOf(columns: readonly (readonly [string, string])[], types: Types): Types {
  return Object.fromEntries(
    columns.flatMap(([theirs, ours]) => (Object.hasOwn(types, ours) ? [[theirs, types[ours]]] : [])),
  )
}

export interface Tables {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
  readonly population: Table | undefined
  readonly attacker: Table | undefined
  readonly rules: RulesText | undefined
}

export function tablesOf({ original, releases, holdout, population, attacker, rules }: ReadProject): Tables {
  return {
    original: original.table,
    released: releases.map(({ table }) => table),
    holdout: holdout?.table,
    population: population?.table,
    attacker: attacker?.table,
    rules,
  }
}

export function releaseOf(tables: Tables, { roles, type, matchLevels, attackerColumns, groups }: Project): Release {
  return prepareRelease({
    ...tables,
    ...columnsOf(roles),
    attackerColumns,
    groups: groupsOf(groups),
    type: type ?? undefined,
    matchLevels: matchLevels ?? undefined,
  })
}

/** As the flags of the command line would be read. */
export function groupsOf(groups: Project['groups']): Readonly<Record<string, Grouping>> {
  const text = (of: 'classes' | 'codes') =>
    Object.entries(groups)
      .filter(([, group]) => group[of].trim() !== '')
      .map(([column, group]) => `${column}=${group[of].trim()}`)
      .join(',')
  return parseGroupings(text('classes'), text('codes'))
}

function columnsOf({ keys, numericKeys, targets, weight, household, identifier }: Roles) {
  return {
    keys,
    numericKeys,
    target: targets,
    weight: weight ?? undefined,
    household: household ?? undefined,
    identifier: identifier ?? undefined,
  }
}

/** What a run would say before its first measure. */
export async function check(project: Project, choice: Choice): Promise<Checked> {
  try {
    const release = releaseOf(tablesOf(await readProject(project)), project)
    const type = project.type ?? (looksPerturbed(release) ? 'perturbed' : 'unknown')
    return {
      problems: optionProblems(choice),
      warnings: [...release.likeness.flatMap((one) => one?.sentence ?? []), ...release.warnings],
      levelsDiffer: false,
      type,
      measures: measuresFor({ ...release, type }, choice),
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const levelsDiffer = error instanceof LevelsDiffer
    return { problems: error.problems, warnings: [], levelsDiffer, type: project.type ?? 'unknown', measures: [] }
  }
}

function optionProblems({ options }: Choice): readonly string[] {
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
function measuresFor(release: Release, { options }: Choice): readonly MeasureInfo[] {
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
