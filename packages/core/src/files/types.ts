import { UserError, unknownName } from '../errors.js'

/** What a user declares a column to be, instead of what its cells look like. */
export type TypeSpec =
  | { readonly kind: 'numeric' }
  /** With `levels` these and no others, in this order, which means nothing to a measure. */
  | { readonly kind: 'categorical'; readonly levels?: readonly string[] | undefined }
  | { readonly kind: 'ordered'; readonly levels: readonly string[] }
  | { readonly kind: 'date' }

export type Types = Readonly<Record<string, TypeSpec>>

const KINDS = ['numeric', 'categorical', 'ordered', 'date'] as const

/**
 * Types as written on a command line: `age=numeric,region=categorical,grade=ordered:low<mid<high`. A column name with
 * `,` or `=` and a level with `,` or `<` cannot be written so; a program or a configuration file states them as values.
 */
export function parseTypes(text: string): Record<string, TypeSpec> {
  const problems: string[] = []
  const types = new Map<string, TypeSpec>()
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const parsed = parseDeclaration(part)
    if (typeof parsed === 'string') problems.push(parsed)
    else if (types.has(parsed.column)) problems.push(`types: column "${parsed.column}" is declared more than once`)
    else types.set(parsed.column, parsed.spec)
  }
  if (problems.length > 0) throw new UserError(problems)
  return Object.fromEntries(types)
}

/** The declared type of a column; own properties only, so that a column may be called "constructor". */
export function declaredType(types: Types | undefined, column: string): TypeSpec | undefined {
  return types !== undefined && Object.hasOwn(types, column) ? types[column] : undefined
}

export function checkDeclaredColumns(table: string, columns: readonly string[], types: Types | undefined): void {
  const known = new Set(columns)
  const unknown = Object.keys(types ?? {}).filter((column) => !known.has(column))
  if (unknown.length > 0)
    throw new UserError(unknown.map((column) => `${table}: ${unknownName('column', column, columns)}`))
}

function parseDeclaration(part: string): { column: string; spec: TypeSpec } | string {
  const equals = part.indexOf('=')
  const column = part.slice(0, equals).trim()
  if (equals < 0 || column === '') return `types: "${part.trim()}" is not column=type; write for example age=numeric`
  const spec = parseSpec(column, part.slice(equals + 1).trim())
  return typeof spec === 'string' ? spec : { column, spec }
}

function parseSpec(column: string, text: string): TypeSpec | string {
  const colon = text.indexOf(':')
  const word = colon < 0 ? text : text.slice(0, colon).trim()
  const kind = KINDS.find((known) => known === word)
  if (kind === undefined) return `types: column "${column}" has the ${unknownName('type', word, KINDS)}`
  if (kind === 'ordered') return parseOrdered(column, colon < 0 ? '' : text.slice(colon + 1))
  return colon < 0 ? { kind } : `types: column "${column}" is ${kind} and takes nothing after "${kind}"`
}

function parseOrdered(column: string, text: string): TypeSpec | string {
  const levels = text.split('<').map((level) => level.trim())
  const example = `${column}=ordered:low<mid<high`
  if (levels.some((level) => level === ''))
    return `types: column "${column}" needs its levels in order, as in ${example}`
  const repeated = levels.find((level, index) => levels.indexOf(level) !== index)
  return repeated === undefined
    ? { kind: 'ordered', levels }
    : `types: column "${column}" has the level "${repeated}" twice`
}
