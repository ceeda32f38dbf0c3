import { z } from 'zod'
import { UserError, unknownName } from '../../errors.js'
import { type JsonObject, nonFinitePath } from '../../json.js'
import { parseOptions } from '../../options.js'
import { type Stream, stream } from '../../random/stream.js'
import { type Column, columnLength, isMissing, MISSING_CODE, valueAt } from '../../table/column.js'
import type { Release, ReleaseType } from '../../table/release.js'
import { columnNames, columnOf, findColumn, type Table } from '../../table/table.js'
import type { AbortSignalLike } from '../../tasks/task.js'

/**
 * An anonymiser masks a table: record i of what it gives derives from record i of what it was given, in the same order,
 * unless it says that it `removes` records. Whatever it draws comes from `context.random`, so the seed fixes the result;
 * whoever knows the seed can undo the draws, so no anonymiser writes it anywhere. A missing value stays missing.
 */
export interface Anonymiser<Options extends z.ZodObject = z.ZodObject, Description extends JsonObject = JsonObject> {
  readonly id: string
  readonly title: string
  /** One line for listings: what it does. */
  readonly summary: string
  readonly options: Options
  /** Whether the table is a synthetic one, masked with an eye on the original it was made from; records may be removed. */
  readonly ofSynthetic?: boolean
  apply(
    data: Table,
    roles: AnonymiserRoles,
    options: z.output<Options>,
    context: AnonymiserContext,
  ): Masked<Description>
}

/** An anonymiser with the types of its options and of its description as they are written. */
export function anonymiser<Options extends z.ZodObject, Description extends JsonObject>(
  declaration: Anonymiser<Options, Description>,
): Anonymiser<Options, Description> {
  return declaration
}

/** What the columns are for. Weight and household are never masked unless named. */
export type AnonymiserRoles = Pick<Release, 'keys' | 'numericKeys' | 'weight' | 'household'>

export interface AnonymiserContext {
  /** Random numbers by purpose, usually the name of a variable: what one variable draws does not move another's draws. */
  readonly random: (purpose: string) => Stream
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignalLike | undefined
  /** The original behind a synthetic table; null when there is none. */
  readonly original: Table | null
}

interface Masked<Description extends JsonObject = JsonObject> {
  readonly table: Table
  /** What was done, for the custodian and for later attacks: transition matrices, group sizes, counts; no single records. */
  readonly description: Description
  /** What should be known before the table is released. */
  readonly notes: readonly string[]
}

export interface AnonymiseOptions {
  readonly seed: number
  readonly roles?: Partial<AnonymiserRoles> | undefined
  readonly options?: object | undefined
  readonly original?: Table | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

/** A masked table with what was done to it; all but the table itself is JSON. */
export interface Anonymisation<Description extends JsonObject = JsonObject> {
  readonly table: Table
  readonly method: string
  readonly options: JsonObject
  /** How the result relates to the table that was masked. */
  readonly type: Exclude<ReleaseType, 'unknown'>
  readonly rows: number
  readonly removed: number
  /** Cells that differ from the table that was masked, per column; only where no record was removed. */
  readonly changed: readonly ChangedColumn[] | null
  readonly description: Description
  readonly notes: readonly string[]
}

export type ChangedColumn = {
  readonly column: string
  readonly cells: number
  /** Of these, values that are missing now. */
  readonly suppressed: number
}

/** Checks what was given, masks the table and counts what has changed; the same seed gives the same table. */
export function anonymise<Description extends JsonObject>(
  { id, options: declared, ofSynthetic, apply }: Anonymiser<z.ZodObject, Description>,
  data: Table,
  settings: AnonymiseOptions,
): Anonymisation<Description> {
  const options = parseOptions(id, declared, settings.options ?? {})
  if (data.rows === 0) throw new UserError(`${data.name} has no records`)
  const roles = checkedRoles(data, settings.roles ?? {})
  const { table, description, notes } = apply(data, roles, options, {
    random: (purpose) => stream(settings.seed, `${id}/${purpose}`),
    progress: settings.progress ?? (() => {}),
    signal: settings.signal,
    original: settings.original ?? null,
  })
  const broken = nonFinitePath(description)
  if (broken !== undefined) throw new Error(`${id} gave a number that is not finite at ${broken}`)
  return {
    table,
    method: id,
    options: options as JsonObject,
    type: ofSynthetic === true ? 'synthetic' : 'perturbed',
    rows: table.rows,
    removed: data.rows - table.rows,
    changed: data.rows === table.rows ? changedColumns(data, table) : null,
    description,
    notes,
  }
}

function checkedRoles(data: Table, stated: Partial<AnonymiserRoles>): AnonymiserRoles {
  const roles = {
    keys: stated.keys ?? [],
    numericKeys: stated.numericKeys ?? [],
    weight: stated.weight ?? null,
    household: stated.household ?? null,
  }
  const named = [...roles.keys, ...roles.numericKeys, roles.weight, roles.household].filter((name) => name !== null)
  const problems = nameProblems(data, named)
  if (problems.length > 0) throw new UserError(problems)
  return roles
}

/** What is wrong with a list of columns: names that the table does not have, names given twice. */
export function nameProblems(data: Table, names: readonly string[]): string[] {
  return names.flatMap((name, k) => {
    if (findColumn(data, name) === undefined) return [`${data.name}: ${unknownName('column', name, columnNames(data))}`]
    return names.indexOf(name) < k ? [`${data.name}: "${name}" is named twice`] : []
  })
}

/** Kinds of columns that a method can mask, under the name that an error calls them by. */
export interface Maskable<Kind extends Column> {
  readonly what: string
  /** What to do about a column of another kind. */
  readonly hint: string
  readonly accepts: (column: Column) => column is Kind
}

/** The option that names the columns to mask; what null stands for is said in the description, and found by `columnsToMask`. */
export function variablesOption(description: string) {
  return z.array(z.string()).readonly().nullable().default(null).describe(description)
}

/**
 * The columns to mask: those named; or else the keys that the method can mask; or else, without keys, all that it can,
 * weight and household aside.
 */
export function columnsToMask<Kind extends Column>(
  data: Table,
  roles: AnonymiserRoles,
  named: readonly string[] | null,
  { what, hint, accepts }: Maskable<Kind>,
): readonly Kind[] {
  if (named !== null) {
    const problems = nameProblems(data, named)
    if (named.length === 0) problems.push('variables: no column is named')
    for (const name of named) {
      const column = findColumn(data, name)
      if (column !== undefined && !accepts(column)) problems.push(`"${name}" is not ${what}; ${hint}`)
    }
    if (problems.length > 0) throw new UserError(problems)
    return named.map((name) => columnOf(data, name)).filter(accepts)
  }
  const keys = [...roles.keys, ...roles.numericKeys]
  const candidates = keys.length > 0 ? keys : columnNames(data)
  const chosen = candidates
    .filter((name) => name !== roles.weight && name !== roles.household)
    .map((name) => columnOf(data, name))
    .filter(accepts)
  if (chosen.length === 0)
    throw new UserError(`${keys.length > 0 ? 'none of the keys' : `no column of ${data.name}`} is ${what}; ${hint}`)
  return chosen
}

/** The table with some columns replaced by those of the same name. */
export function withColumns(data: Table, masked: readonly Column[]): Table {
  const byName = new Map(masked.map((column) => [column.name, column]))
  return { ...data, columns: data.columns.map((column) => byName.get(column.name) ?? column) }
}

/** The column with some values missing. */
export function withMissing(column: Column, missing: (row: number) => boolean): Column {
  if (column.kind === 'categorical')
    return { ...column, codes: column.codes.map((code, row) => (missing(row) ? MISSING_CODE : code)) }
  return { ...column, values: column.values.map((value, row) => (missing(row) ? Number.NaN : value)) }
}

/** Cells of a column of the same length that have another value now; suppressed ones count as changed. */
export function changedCells(before: Column, after: Column): ChangedColumn {
  let cells = 0
  let suppressed = 0
  const same = sameValue(before, after)
  for (let row = 0; row < columnLength(before); row++) {
    if (same(row)) continue
    cells++
    if (isMissing(after, row)) suppressed++
  }
  return { column: after.name, cells, suppressed }
}

function changedColumns(before: Table, after: Table): ChangedColumn[] {
  return before.columns.flatMap((column, j) => {
    const now = after.columns[j]
    return now === column ? [] : [changedCells(column, now)]
  })
}

function sameValue(before: Column, after: Column): (row: number) => boolean {
  if (before.kind !== after.kind) return (row) => isMissing(before, row) && isMissing(after, row)
  if (before.kind !== 'categorical' && after.kind === before.kind) {
    const { values } = after
    return (row) =>
      before.values[row] === values[row] || (Number.isNaN(before.values[row]) && Number.isNaN(values[row]))
  }
  if (before.kind === 'categorical' && after.kind === 'categorical' && before.levels === after.levels)
    return (row) => before.codes[row] === after.codes[row]
  return (row) => valueAt(before, row) === valueAt(after, row)
}
