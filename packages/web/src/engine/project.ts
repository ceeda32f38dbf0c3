import {
  type Column,
  columnLength,
  countMissing,
  isMissing,
  LevelsDiffer,
  looksPerturbed,
  measures,
  needsFor,
  parseOptions,
  prepareRelease,
  type Release,
  readTable,
  type Table,
  type Types,
  UserError,
  unmetNeeds,
  valueAt,
} from '@scrim/core'
import type { Checked, ColumnInfo, MeasureInfo, Project, Roles, SourceFile, TableInfo } from './protocol.js'
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
  const key = `${file.id} ${JSON.stringify(types)}`
  const known = alreadyRead.get(key)
  if (known !== undefined) return known
  const bytes = new Uint8Array(await file.content.arrayBuffer())
  const read = { table: await readSafely(file.name, bytes, types), sha256: sha256(bytes) }
  for (const old of alreadyRead.keys()) if (alreadyRead.size >= MOST_KEPT) alreadyRead.delete(old)
  alreadyRead.set(key, read)
  return read
}

/** Readers of binary formats are other people's programs: whatever they throw at a damaged file, it is the file. */
async function readSafely(name: string, bytes: Uint8Array, types: Types): Promise<Table> {
  try {
    return { ...(await readTable(name, bytes, { types })), name }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name}: cannot be read: the file is damaged, or of a kind that scrim does not know`)
  }
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
}

/** Reads all files, or tells what is wrong with any of them. */
export async function readProject({ original, releases, holdout, types }: Project): Promise<ReadProject> {
  const problems: string[] = []
  const read: ReadFile[] = []
  for (const file of [original, ...releases, ...(holdout === null ? [] : [holdout])]) {
    try {
      read.push(await readSource(file, types))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return {
    original: read[0],
    releases: read.slice(1, 1 + releases.length),
    holdout: holdout === null ? null : read[read.length - 1],
  }
}

export interface Tables {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
}

export function tablesOf({ original, releases, holdout }: ReadProject): Tables {
  return { original: original.table, released: releases.map(({ table }) => table), holdout: holdout?.table }
}

export function releaseOf(tables: Tables, { roles, type, matchLevels }: Project): Release {
  return prepareRelease({
    ...tables,
    ...columnsOf(roles),
    type: type ?? undefined,
    matchLevels: matchLevels ?? undefined,
  })
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
export async function check(project: Project): Promise<Checked> {
  try {
    const release = releaseOf(tablesOf(await readProject(project)), project)
    const type = project.type ?? (looksPerturbed(release) ? 'perturbed' : 'unknown')
    return {
      problems: [],
      warnings: [...release.likeness.flatMap((one) => one?.sentence ?? []), ...release.warnings],
      levelsDiffer: false,
      type,
      measures: measuresFor({ ...release, type }),
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const levelsDiffer = error instanceof LevelsDiffer
    return { problems: error.problems, warnings: [], levelsDiffer, type: project.type ?? 'unknown', measures: [] }
  }
}

/** Every measure but those of a synthesizer, which a file does not show. */
function measuresFor(release: Release): readonly MeasureInfo[] {
  return measures.flatMap((measure) => {
    if (measure.about === 'generator') return []
    const needs = needsFor(measure, parseOptions(measure.id, measure.options, {}), release)
    return [
      {
        id: measure.id,
        title: measure.title,
        summary: measure.summary,
        role: measure.role,
        threat: measure.threat ?? null,
        profile: measure.role === 'decides' ? 'quick' : measure.profile === 'full' ? 'full' : 'standard',
        unmet: unmetNeeds({ id: measure.id, needs }, release) ?? null,
      },
    ]
  })
}
