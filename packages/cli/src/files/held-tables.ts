import {
  type Case,
  type Contents,
  type FileRole,
  type HeldRoles,
  type HeldTable,
  onlyTable,
  type Table,
  UserError,
} from '@scrim/core'

/** A file of a command as it was read. */
export interface ReadFile {
  readonly role: FileRole
  readonly name: string
  /** As short as the files can be told apart. */
  readonly short: string
  readonly sha256: string
  readonly contents: Contents
}

export interface LoadedTable {
  readonly role: FileRole
  readonly name: string
  readonly sha256: string
  readonly table: Table
}

/**
 * The tables of a command's files, the original first. One file may hold them all: an object of sdcMicro, a data frame beside
 * what synthpop made of it. Several syntheses are several releases. Of a file that is named as the release its releases are
 * taken, and of the one named as the original the original, where other files are named beside it.
 */
export function heldTables(files: readonly ReadFile[]): readonly LoadedTable[] {
  const isAlone = files.every(({ role }) => role !== 'release')
  const tables = files.flatMap((file) => tablesOf(file, isAlone))
  const [first] = files
  if (!tables.some(({ role }) => role === 'release'))
    throw new UserError(`no released file given, only ${first.name}, which holds one table`)
  return tables
}

function tablesOf(file: ReadFile, isAlone: boolean): readonly LoadedTable[] {
  const { role, name, contents } = file
  const { tables } = contents
  const releases = tables.filter((one) => one.role !== 'original')
  switch (role) {
    case 'original': {
      if (tables.every((one) => one.role === 'release'))
        throw new UserError(`${name} holds releases without their original; name the original before it`)
      const original = tables.find((one) => one.role === 'original')
      if (original === undefined) return [{ ...file, table: { ...onlyTable(name, contents), name: file.short } }]
      return [
        loaded(file, original, 'original'),
        ...(isAlone ? releases.map((one) => loaded(file, one, 'release')) : []),
      ]
    }
    case 'release':
      return (releases.length > 0 ? releases : tables).map((one) => loaded(file, one, 'release'))
    default:
      return [{ ...file, table: { ...onlyTable(name, contents), name: file.short } }]
  }
}

function loaded({ name, short, sha256 }: ReadFile, { part, table }: HeldTable, role: FileRole): LoadedTable {
  const suffix = part === '' ? '' : ` (${part})`
  return { role, name: `${name}${suffix}`, sha256, table: { ...table, name: `${short}${suffix}` } }
}

/** What the files say of their columns; the first that says something is heard. How releases were made only where all agree. */
export function heldRoles(files: readonly ReadFile[]): HeldRoles {
  const said = files.map(({ contents }) => contents.roles)
  const { type: _, ...columns } = Object.assign({}, ...said.toReversed()) as HeldRoles
  const makers = files.filter(
    ({ role, contents }) =>
      role === 'release' || (files.every((file) => file.role !== 'release') && contents.roles.type !== undefined),
  )
  const types = new Set(makers.map(({ contents }) => contents.roles.type))
  const [type] = types
  return types.size === 1 && type !== undefined ? { ...columns, type } : columns
}

type NamedRoles = Pick<Case, 'keys' | 'numericKeys' | 'target' | 'weight' | 'household' | 'type'>

/** What a user did not say and the files do. */
export function missingRoles(asked: NamedRoles, held: HeldRoles): Partial<NamedRoles> {
  const { keys, numericKeys, target, weight, household, type } = asked
  return {
    ...(keys.length === 0 && held.keys !== undefined ? { keys: held.keys } : {}),
    ...(numericKeys.length === 0 && held.numericKeys !== undefined ? { numericKeys: held.numericKeys } : {}),
    ...(target.length === 0 && held.targets !== undefined ? { target: held.targets } : {}),
    ...(weight === undefined && held.weight !== undefined ? { weight: held.weight } : {}),
    ...(household === undefined && held.household !== undefined ? { household: held.household } : {}),
    ...(type === undefined && held.type !== undefined ? { type: held.type } : {}),
  }
}

const WORDS: Readonly<Record<keyof NamedRoles, string>> = {
  keys: 'keys',
  numericKeys: 'continuous keys',
  target: 'targets',
  weight: 'weight',
  household: 'household',
  type: 'kind of release',
}

/** What was taken from the files, in words. */
export function remarksOn(asked: NamedRoles, held: HeldRoles, files: readonly ReadFile[]): readonly string[] {
  const taken = Object.entries(missingRoles(asked, held)).flatMap(([role, value]) => {
    const columns = Array.isArray(value) ? value.join(', ') : String(value)
    return columns === '' ? [] : [`${WORDS[role as keyof NamedRoles]} ${columns}`]
  })
  const from = files.filter(({ contents }) => Object.keys(contents.roles).length > 0).map(({ name }) => name)
  return [
    ...(taken.length === 0 ? [] : [`taken from ${from.join(', ')}: ${taken.join('; ')}`]),
    ...files.flatMap(({ contents }) => contents.notes),
  ]
}
