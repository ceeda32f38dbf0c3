import { UserError, unknownName } from '../errors.js'
import type { Table } from '../table/table.js'

/** All that one file holds: most formats hold one table, R files and workbooks may hold several, with what they are for. */
export interface Contents {
  readonly tables: readonly HeldTable[]
  readonly roles: HeldRoles
  /** Sheets that could be taken instead. */
  readonly sheets?: readonly string[]
  /** What a reader should know of how the file was read. */
  readonly notes: readonly string[]
}

export interface HeldTable {
  /** What tells it from the other tables of the file; empty where there is only one. */
  readonly part: string
  /** What the file says it is: `table` where it says nothing. */
  readonly role: 'table' | 'original' | 'release'
  readonly table: Table
}

/** What columns are for, as far as the file says so. */
export interface HeldRoles {
  readonly keys?: readonly string[]
  readonly numericKeys?: readonly string[]
  readonly targets?: readonly string[]
  readonly weight?: string
  readonly household?: string
  /** How released tables were made from the original. */
  readonly type?: 'synthetic' | 'perturbed'
}

/** A file holds several objects, of which a user must choose. */
export class SeveralObjects extends UserError {
  readonly objects: readonly string[]

  constructor(problem: string, objects: readonly string[]) {
    super(problem)
    this.objects = objects
  }
}

export function singleTable(table: Table, notes: readonly string[] = []): Contents {
  return { tables: [{ part: '', role: 'table', table }], roles: {}, notes }
}

/** Parts of a file of which nothing more is known: several are an original and its releases. */
export function heldTogether(parts: readonly (readonly [string, Table])[]): Contents {
  const tables = parts.map(([part, table], k): HeldTable => {
    if (parts.length === 1) return { part: '', role: 'table', table }
    return { part, role: k === 0 ? 'original' : 'release', table }
  })
  return { tables, roles: {}, notes: [] }
}

/** The original of a file that holds one, or its one table: where a command works on an original. */
export function originalTable(name: string, contents: Contents): Table {
  return contents.tables.find(({ role }) => role === 'original')?.table ?? onlyTable(name, contents)
}

/** The one table of a file. */
export function onlyTable(name: string, { tables }: Contents): Table {
  const [first, ...others] = tables
  if (first === undefined || others.length > 0)
    throw new UserError(`${name} holds ${tables.length} tables (${listOf(tables)}) where one is expected; choose one`)
  return first.table
}

function listOf(tables: readonly HeldTable[]): string {
  return tables.map(({ part }) => part).join(', ')
}

/**
 * Of the parts of a file those that a user named, in that order; a number is a place, from 1. A name may belong to another
 * file of the same command, but some must be there.
 */
export function chosenParts<Part>(
  file: string,
  what: string,
  parts: readonly (readonly [string, Part])[],
  wanted: readonly string[],
): readonly (readonly [string, Part])[] {
  const chosen = wanted.flatMap((name) => {
    const named = parts.filter(([own]) => own === name)
    return named.length > 0 ? named : /^[1-9]\d*$/.test(name) ? parts.slice(Number(name) - 1, Number(name)) : []
  })
  if (chosen.length > 0) return chosen
  throw new UserError(
    `${file}: ${unknownName(
      what,
      wanted[0],
      parts.map(([own]) => own),
    )}`,
  )
}
