import {
  type Contents,
  type HeldTable,
  originalTable,
  readContents,
  SeveralObjects,
  type Table,
  type Types,
  UserError,
} from '@scrim/core'
import { infoOf } from './project.js'
import type { Looked, LookedTable, Part, SourceFile, TableRole } from './protocol.js'

/** All that a file holds, or of what somebody chose of it. */
export async function contentsOf({ name, part }: SourceFile, bytes: Uint8Array, types: Types): Promise<Contents> {
  const wanted = part === undefined || part.kind === 'table' ? {} : { [part.kind]: [part.name] }
  try {
    return await readContents(name, bytes, { types, ...wanted })
  } catch (error) {
    if (error instanceof UserError) throw error
    // Readers of binary formats are other people's programs: whatever they throw at a damaged file, it is the file.
    throw new UserError(`${name}: cannot be read: the file is damaged, or of a kind that scrim does not know`)
  }
}

/** The table that is meant, under the name that the command line would give it. */
export function tableIn({ name, part }: SourceFile, contents: Contents): Table {
  const held = part?.kind === 'table' ? contents.tables.find((one) => one.part === part.name) : undefined
  return held === undefined
    ? { ...originalTable(name, contents), name }
    : { ...held.table, name: `${name} (${held.part})` }
}

/** What a file holds, for whoever puts it into a place. */
export async function look(
  file: SourceFile,
  types: Types,
  as: TableRole,
  onShare: (share: number) => void,
): Promise<Looked> {
  const bytes = await bytesOf(file.content, onShare)
  try {
    return lookedAt(await contentsOf(file, bytes, types), as, await partsOf(file, bytes))
  } catch (error) {
    if (!(error instanceof SeveralObjects)) throw error
    return { tables: [], releases: [], parts: objectsOf(error), roles: {} }
  }
}

const CHUNK = 4 * 2 ** 20

/** The bytes of a file, told chunk by chunk how much of it is there. */
async function bytesOf(content: Blob, onShare: (share: number) => void): Promise<Uint8Array> {
  const bytes = new Uint8Array(content.size)
  for (let at = 0; at < content.size; at += CHUNK) {
    const end = Math.min(content.size, at + CHUNK)
    bytes.set(new Uint8Array(await content.slice(at, end).arrayBuffer()), at)
    onShare(end / content.size)
  }
  return bytes
}

const objectsOf = ({ objects }: SeveralObjects) => objects.map((name): Part => ({ kind: 'object', name }))

/** Of what one could have chosen something else. */
async function partsOf(file: SourceFile, bytes: Uint8Array): Promise<readonly Part[]> {
  if (file.part?.kind !== 'object') return []
  try {
    await readContents(file.name, bytes)
    return []
  } catch (error) {
    return error instanceof SeveralObjects ? objectsOf(error) : []
  }
}

function lookedAt(contents: Contents, as: TableRole, objects: readonly Part[]): Looked {
  const { tables, roles, sheets = [] } = contents
  const several = tables.length > 1
  const looked = ({ part, table }: HeldTable): LookedTable => ({
    ...(several ? { part: { kind: 'table', name: part } as const } : {}),
    info: infoOf(table),
  })
  const original = tables.find(({ role }) => role === 'original')
  const releases = tables.filter(({ role }) => role !== 'original')
  const parts = [...objects, ...sheets.map((name): Part => ({ kind: 'sheet', name }))]
  if (as === 'release') return { tables: releases.map(looked), releases: [], parts, roles }
  return {
    tables: [original ?? tables[0]].map(looked),
    releases: as === 'original' && original !== undefined ? releases.map(looked) : [],
    parts,
    roles,
  }
}
