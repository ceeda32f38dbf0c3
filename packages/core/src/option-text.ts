import type { z } from 'zod'
import { UserError } from './errors.js'

/**
 * The value of an option as a person writes it: `lm` for a list is a list of one, `.95` a number, `groups.yrs.service=5` an entry
 * of the column "yrs.service". What does not fit stays as it is and is told by the option's own check.
 */
export type DescribedOption = z.core.JSONSchema.BaseSchema

/** Where an option stands, and what a text means there; `described` is the JSON Schema of all options. */
export function optionFromText(
  described: DescribedOption,
  path: readonly string[],
  text: string,
): { readonly path: readonly string[]; readonly value: unknown } {
  const { names, schemas } = follow(path, [described])
  return { path: names, value: asWanted(text, schemas) }
}

/** Options by name, and in some of them further ones. */
export type OptionTree = Readonly<Record<string, unknown>>

/** Whose options a path is of, and what options that owner has, as JSON Schema. */
export interface OptionOwners {
  readonly at: (path: readonly string[]) => readonly string[]
  readonly described: (owner: string) => DescribedOption
}

/** The options with one more, as a person types it: `option=value`, or `option+=value` for one more of a list. */
export function withTypedOption(options: OptionTree, text: string, { at, described }: OptionOwners): OptionTree {
  const equals = text.indexOf('=')
  if (equals <= 0) throw new UserError(`--set expects option=value, found "${text}"`)
  const isAdded = text[equals - 1] === '+'
  const name = text.slice(0, isAdded ? equals - 1 : equals).trim()
  const [owner, ...path] = at(name.split('.'))
  const set = optionFromText(described(owner), path, text.slice(equals + 1))
  const place = [owner, ...set.path]
  return withPath(options, place, isAdded ? [atPath(options, place) ?? [], set.value].flat() : set.value)
}

function atPath(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isTree(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    tree,
  )
}

function withPath(tree: OptionTree, [first, ...rest]: readonly string[], value: unknown): OptionTree {
  const inner = atPath(tree, [first])
  return { ...tree, [first]: rest.length === 0 ? value : withPath(isTree(inner) ? inner : {}, rest, value) }
}

function isTree(value: unknown): value is OptionTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The names on the way, columns with dots as one, and what may stand at its end. */
function follow(
  path: readonly string[],
  schemas: readonly DescribedOption[],
): { names: readonly string[]; schemas: readonly DescribedOption[] } {
  const here = schemas.flatMap(alternatives)
  if (path.length === 0) return { names: [], schemas: here }
  const [first, ...rest] = path
  const within = here.flatMap(({ properties }) => objects(properties?.[first]))
  if (within.length > 0) {
    const inner = follow(rest, within)
    return { names: [first, ...inner.names], schemas: inner.schemas }
  }
  const entries = here.flatMap(({ additionalProperties }) => objects(additionalProperties))
  if (entries.length === 0) return { names: path, schemas: [] }
  const last = path[path.length - 1]
  const member = entries.flatMap(alternatives).flatMap(({ properties }) => objects(properties?.[last]))
  const inner = entries.flatMap(alternatives).flatMap(({ additionalProperties }) => objects(additionalProperties))
  if (path.length > 1 && member.length + inner.length > 0)
    return {
      names: [path.slice(0, -1).join('.'), last],
      schemas: member.length > 0 ? member : inner.flatMap(alternatives),
    }
  return { names: [path.join('.')], schemas: entries.flatMap(alternatives) }
}

function alternatives(schema: DescribedOption): DescribedOption[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((one) => objects(one).flatMap(alternatives))
}

function objects(part: unknown): DescribedOption[] {
  return typeof part === 'object' && part !== null ? [part as DescribedOption] : []
}

function asWanted(text: string, options: readonly DescribedOption[]): unknown {
  const takes = (...types: string[]) => options.some(({ type }) => types.some((one) => type === one))
  const value =
    takes('number', 'integer', 'array') || options.length === 0 ? jsonOrNumberOrText(text) : jsonOrText(text)
  const isText = typeof value === 'string'
  if (takes('array') && !Array.isArray(value) && value !== null) {
    const fits = isText
      ? options.some((one) => one.enum?.includes(value)) || takes('string')
      : takes('number', 'integer', 'boolean')
    if (!fits && typeof value !== 'object') return listOf(text, options)
  }
  const wantsText = options.length > 0 && options.every((one) => one.type === 'string')
  return wantsText && typeof value === 'number' ? text : value
}

function listOf(text: string, options: readonly DescribedOption[]): unknown[] {
  const items = options.flatMap(({ items }) => objects(items)).flatMap(alternatives)
  return text.split(',').map((part) => asWanted(part.trim(), items))
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Numbers also as people write them: .95, +5, 5. */
function jsonOrNumberOrText(text: string): unknown {
  return PLAIN_NUMBER.test(text.trim()) ? Number(text) : jsonOrText(text)
}
