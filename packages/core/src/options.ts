import { z } from 'zod'
import { nearestName, UserError, unknownName } from './errors.js'
import { grouped } from './print.js'

/**
 * Options as given by the user, checked and completed with their defaults. Everything that is wrong is told at once, in
 * words for people who know the option but not the schema behind it:
 *
 *   cart: option "minbucket" must be a whole number of at least 1, found "many"
 *
 * What was expected is read from the schema itself (as JSON Schema), so the sentence always has all of it: both bounds
 * of a range, all values of a choice, every alternative.
 */
export function parseOptions<Options extends z.ZodObject>(
  owner: string,
  schema: Options,
  values: object,
): z.output<Options> {
  return parseNamed(owner, 'option', schema, values)
}

/** What is wrong with them, one sentence each. */
export function optionProblems(owner: string, schema: z.ZodObject, values: object): readonly string[] {
  try {
    parseOptions(owner, schema, values)
    return []
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
}

/** What each option may be, in words. */
export function allowedValues(schema: z.ZodObject): Readonly<Record<string, string>> {
  const all = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, expectation(schemaAt(all, [name]))] as const),
  )
}

/** A file of something else may have a hundred thousand names: the first ones tell. */
const MOST_NAMED = 20

/** The same for values that users know under another word than option, such as the fields of a file. */
export function parseNamed<Values extends z.ZodObject>(
  owner: string,
  word: string,
  schema: Values,
  values: object,
): z.output<Values> {
  const names = Object.keys(schema.shape)
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  const known = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  const parsed = schema.safeParse(known)
  if (parsed.success && unknown.length === 0) return parsed.data
  throw new UserError([
    ...unknown.slice(0, MOST_NAMED).map((name) => `${owner}: ${unknownName(word, name, names)}`),
    ...(unknown.length > MOST_NAMED
      ? [`${owner}: and ${grouped(unknown.length - MOST_NAMED)} more unknown ${word}s`]
      : []),
    ...(parsed.success ? [] : sentences(schema, known, parsed.error, (path) => `${owner}: ${word} "${path}"`)),
  ])
}

/** The same for values that are all known by name; `placeOf` says what stands at a path, in the words of the user. */
export function parsePlaced<Values extends z.ZodObject>(
  schema: Values,
  values: object,
  placeOf: (path: string) => string,
): z.output<Values> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new UserError(sentences(schema, values, parsed.error, placeOf))
}

function sentences(
  schema: z.ZodObject,
  values: object,
  { issues }: z.ZodError,
  placeOf: (path: string) => string,
): readonly string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return [...new Set(faults(issues).flatMap((fault) => problemsOf(placeOf, fault, described, values)))]
}

type Path = readonly PropertyKey[]

interface Fault {
  readonly path: Path
  readonly issue: z.core.$ZodIssue
}

/** Where a value has the form of one alternative, the fault is inside of it; otherwise it is none of them. */
function faults(issues: readonly z.core.$ZodIssue[], above: Path = []): Fault[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path]
    if (issue.code !== 'invalid_union') return [{ path, issue }]
    const formed = issue.errors.find((own) => own.length > 0 && own.every((one) => one.path.length > 0))
    return formed === undefined ? [{ path, issue }] : faults(formed, path)
  })
}

function problemsOf(
  placeOf: (path: string) => string,
  { path, issue }: Fault,
  schema: Described,
  values: object,
): string[] {
  const where = placeOf(path.map(String).join('.'))
  const here = schemaAt(schema, path)
  if (issue.code === 'custom') return [`${where} ${issue.message}`]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${where}: ${unknownName('name', key, namesOf(here))}`)
  const value = valueAt(values, path)
  const expected = expectation(here)
  if (value === undefined) return [`${where} is missing; it must be ${expected}`]
  return [`${where} must be ${expected}, found ${found(value)}${suggestion(value, here)}`]
}

/** What a schema asks for, of the parts of JSON Schema that options use. */
type Described = z.core.JSONSchema.BaseSchema

function described(part: Described['items'] | undefined): Described[] {
  if (Array.isArray(part)) return part.flatMap((one) => described(one))
  return typeof part === 'object' ? [part] : []
}

function schemaAt(schema: Described, path: Path): Described {
  const all = path.reduce<Described[]>((level, step) => level.flatMap((one) => inside(one, step)), [schema])
  return all.length > 1 ? { anyOf: all } : (all[0] ?? {})
}

/** The schemas of a value within a value: a property, an element of a list. */
function inside(schema: Described, step: PropertyKey): Described[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((one) => described(one).flatMap((own) => inside(own, step)))
  if (typeof step === 'number') return described(schema.prefixItems?.[step] ?? schema.items)
  return described(schema.properties?.[String(step)] ?? schema.additionalProperties)
}

function namesOf(schema: Described): string[] {
  return Object.keys(schema.properties ?? {})
}

function valueAt(values: object, path: Path): unknown {
  let value: unknown = values
  for (const step of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
  return value
}

/** One value, or several in a list or an object: "a number", "numbers". */
type Count = 'one' | 'several'

function expectation(schema: Described, count: Count = 'one'): string {
  const all = alternatives(schema, count)
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} or ${all[all.length - 1]}`
}

function alternatives(schema: Described, count: Count): string[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.flatMap((one) => described(one).flatMap((own) => alternatives(own, count)))
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value))
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  // A list of types, where schemas that differ in nothing else were joined.
  const types: readonly (string | undefined)[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.flatMap((type) => (type === 'boolean' ? ['true', 'false'] : [kindOf(type, schema, count)]))
}

function kindOf(type: string | undefined, schema: Described, count: Count): string {
  const several = count === 'several'
  switch (type) {
    case 'integer':
      return `${several ? 'whole numbers' : 'a whole number'}${bounds(schema)}`
    case 'number':
      return `${several ? 'numbers' : 'a number'}${bounds(schema)}`
    case 'string':
      return `${several ? 'texts' : 'a text'}${(schema.minLength ?? 0) > 0 ? ' that is not empty' : ''}`
    case 'null':
      return 'null'
    case 'array':
      return `${several ? 'lists' : 'a list'} of ${elements(schema)}`
    case 'object':
      return `${several ? 'objects' : 'an object'} ${members(schema)}`
    default:
      return several ? 'any values' : 'any value'
  }
}

/** " of at least 1 and below 5"; nothing where any number will do. */
function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Described): string {
  const parts: string[] = []
  if (typeof exclusiveMinimum === 'number') parts.push(`above ${exclusiveMinimum}`)
  else if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) parts.push(`at least ${minimum}`)
  if (typeof exclusiveMaximum === 'number') parts.push(`below ${exclusiveMaximum}`)
  else if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) parts.push(`at most ${maximum}`)
  if (parts.length === 0) return ''
  return `${parts[0].startsWith('at ') ? ' of ' : ' '}${parts.join(' and ')}`
}

function elements(schema: Described): string {
  const places = described(schema.prefixItems)
  if (places.length > 0) return `${places.length} (${places.map((place) => expectation(place)).join(', ')})`
  const [each = {}] = described(schema.items)
  const { minItems = 0 } = schema
  return `${minItems > 0 ? `${minItems} or more ` : ''}${expectation(each, 'several')}`
}

function members(schema: Described): string {
  const names = namesOf(schema)
  if (names.length > 0) return `with ${names.map((name) => `"${name}"`).join(', ')}`
  const [each = {}] = described(schema.additionalProperties)
  return `from names to ${expectation(each, 'several')}`
}

const LONGEST_SHOWN = 60

function found(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value, writable) ?? typeof value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}

/** JSON has no infinite numbers and no big ones. */
function writable(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value
}

/** The nearest valid value of a choice. */
function suggestion(value: unknown, schema: Described): string {
  const near = typeof value === 'string' ? nearestName(value, choices(schema)) : undefined
  return near === undefined ? '' : `; did you mean "${near}"?`
}

function choices(schema: Described): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => described(one).flatMap(choices))
  return (schema.enum ?? [schema.const]).filter((value) => typeof value === 'string')
}
