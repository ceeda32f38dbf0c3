import { UserError, z } from '@scrim/core'
import type { Arguments } from './arguments.js'
import type { Config } from './config.js'

/** Whose options a path of --set is of, and which option. */
export interface OptionOwners {
  readonly at: (path: readonly string[]) => readonly string[]
  readonly schema: (owner: string) => z.ZodObject | undefined
}

/**
 * Options from the config file and, over them, from --set. What is written on a command line is read as the option asks
 * for it: `attackers=lm` is a list of one, `deltaMax=.95` a number, `groups.yrs.service=5` an entry of the column
 * "yrs.service". What does not fit stays as it is and is told by the option's own check.
 */
export function measureOptions(
  args: Arguments,
  config: Config,
  { at, schema }: OptionOwners,
): Readonly<Record<string, object>> {
  let options: Tree = config.options ?? {}
  for (const text of args.texts('set')) {
    const equals = text.indexOf('=')
    if (equals <= 0) throw new UserError(`--set expects option=value, found "${text}"`)
    const [owner, ...path] = at(text.slice(0, equals).trim().split('.'))
    const known = schema(owner)
    const described = known === undefined ? {} : z.toJSONSchema(known, { io: 'input', unrepresentable: 'any' })
    const { names, of } = follow(path, [described])
    options = setPath(options, [owner, ...names], asWanted(text.slice(equals + 1), of))
  }
  return options as Readonly<Record<string, object>>
}

type Described = z.core.JSONSchema.BaseSchema
type Tree = Readonly<Record<string, unknown>>

/** The names on the way, columns with dots as one, and what may stand at its end. */
function follow(
  path: readonly string[],
  of: readonly Described[],
): { names: readonly string[]; of: readonly Described[] } {
  const here = of.flatMap(alternatives)
  if (path.length === 0) return { names: [], of: here }
  const [first, ...rest] = path
  const within = here.flatMap(({ properties }) => objects(properties?.[first]))
  if (within.length > 0) {
    const inner = follow(rest, within)
    return { names: [first, ...inner.names], of: inner.of }
  }
  const entries = here.flatMap(({ additionalProperties }) => objects(additionalProperties))
  if (entries.length === 0) return { names: path, of: [] }
  const last = path[path.length - 1]
  const member = entries.flatMap(alternatives).flatMap(({ properties }) => objects(properties?.[last]))
  return path.length > 1 && member.length > 0
    ? { names: [path.slice(0, -1).join('.'), last], of: member }
    : { names: [path.join('.')], of: entries.flatMap(alternatives) }
}

function alternatives(schema: Described): Described[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((one) => objects(one).flatMap(alternatives))
}

function objects(part: unknown): Described[] {
  return typeof part === 'object' && part !== null ? [part as Described] : []
}

function asWanted(text: string, of: readonly Described[]): unknown {
  const takes = (...types: string[]) => of.some(({ type }) => types.some((one) => type === one))
  const value = takes('number', 'integer', 'array') || of.length === 0 ? jsonOrNumberOrText(text) : jsonOrText(text)
  const isText = typeof value === 'string'
  if (takes('array') && !Array.isArray(value) && value !== null) {
    const fits = isText
      ? of.some((one) => one.enum?.includes(value)) || takes('string')
      : takes('number', 'integer', 'boolean')
    if (!fits && typeof value !== 'object') return listOf(text, of)
  }
  const wantsText = of.length > 0 && of.every((one) => one.type === 'string')
  return wantsText && typeof value === 'number' ? text : value
}

function listOf(text: string, of: readonly Described[]): unknown[] {
  const items = of.flatMap(({ items }) => objects(items)).flatMap(alternatives)
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

function setPath(tree: Tree, [first, ...rest]: readonly string[], value: unknown): Tree {
  const inner = Object.hasOwn(tree, first) ? tree[first] : undefined
  const isTree = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
  return { ...tree, [first]: rest.length === 0 ? value : setPath(isTree ? (inner as Tree) : {}, rest, value) }
}
