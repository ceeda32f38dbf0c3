import { z } from 'zod'
import { UserError } from '../errors.js'
import type { ReadOptions } from '../files/read.js'
import { parseTypes, type TypeSpec, type Types } from '../files/types.js'
import type { Json } from '../json.js'
import { parseNamed } from '../options.js'
import { type Grouping, groupingsOf, namedParts } from '../table/grouping.js'

/**
 * Everything that a person says about an assessment: the files and how to read them, what the columns are for, how the release was
 * made, answers to questions, what runs. A setting is declared here and nowhere else: flags, scrim.json, the page and the packages
 * for other languages are ways to write a Case. Each description is the help of a flag and a line of the documentation.
 *
 * A text is read as the value of a flag would be (`"sex,age"`), a list or an object as it stands.
 */

/** What runs: the measures that decide; with them the usual ones, and those that score utility; all. */
const PROFILES = ['quick', 'standard', 'full'] as const
export type Profile = (typeof PROFILES)[number]

/** How a field is written as a flag. A field without a form has no flag. */
export type FlagForm =
  | {
      /** How the value is called in the help. */
      readonly value: string
      readonly repeat?: boolean
      /** Where the flag is not called as the field. */
      readonly name?: string
    }
  /** A flag without a value; `no` is the help of the flag that says the opposite. */
  | { readonly isSwitch: true; readonly no?: string }

export const flagForms = z.registry<FlagForm>()

function field<Schema extends z.ZodType>(schema: Schema, description: string, form?: FlagForm): Schema {
  const described = schema.describe(description)
  if (form !== undefined) flagForms.add(described, form)
  return described
}

const name = z.string().min(1)
const json: z.ZodType<Json, Json> = z.json()
const texts = z.union([z.string(), z.array(z.string())])
const list = texts.transform(listOf).default([])

const typeSpec = z.union([
  z.strictObject({ kind: z.enum(['numeric', 'date']) }),
  z.strictObject({ kind: z.literal('categorical'), levels: z.array(z.string()).min(1).optional() }),
  z.strictObject({ kind: z.literal('ordered'), levels: z.array(z.string()).min(1) }),
])
const types = z
  .union([z.string(), z.record(z.string(), z.union([z.string(), typeSpec]))])
  .transform(typesOf)
  .optional()
const columnMap = z
  .union([texts, z.record(z.string(), name)])
  .transform((given) => pairsOf('attacker-columns takes theirs=ours', given))
  .default({})
const groups = z
  .union([z.string(), z.record(z.string(), z.union([z.string(), z.number()]))])
  .transform((given) => textsByColumn('groups', given))
  .default({})
const codes = z
  .union([z.string(), z.record(z.string(), z.union([z.number(), z.array(z.number()), z.string()]))])
  .transform((given) => textsByColumn('codes', given))
  .default({})
const answers = z
  .union([texts, z.record(z.string(), z.enum(['same', 'different']))])
  .transform(answersOf)
  .default({})

const files = {
  original: field(name.optional(), 'the file with the original'),
  released: field(
    z
      .union([z.string(), z.array(z.string())])
      .transform((given) => (typeof given === 'string' ? [given] : given))
      .default([]),
    'the released files',
  ),
}

const roles = {
  keys: field(list, 'key variables: what an attacker may know about a person', { value: 'a,b', repeat: true }),
  target: field(list, 'sensitive variables: what an attacker wants to learn', { value: 't[,u]', repeat: true }),
  numericKeys: field(list, 'continuous variables that an attacker may know about', { value: 'a,b', repeat: true }),
  holdout: field(name.optional(), 'records of the same population that were not used to make the release', {
    value: 'FILE',
  }),
  population: field(name.optional(), 'the population, or a register of it, with the key columns', { value: 'FILE' }),
  attacker: field(name.optional(), 'what an attacker holds: a file on people, to be linked with the release', {
    value: 'FILE',
  }),
  attackerColumns: field(columnMap, 'columns of the attacker’s file that have another name in the original', {
    value: 'theirs=ours,...',
    repeat: true,
  }),
  identifier: field(name.optional(), 'column that says who is who in several files: the truth about a linkage', {
    value: 'id',
  }),
  rules: field(name.optional(), 'edit rules that records must keep, one per line: age < 15 => marital = "SINGLE"', {
    value: 'FILE',
  }),
  weight: field(name.optional(), 'column with sampling weights', { value: 'w' }),
  household: field(name.optional(), 'column that says who lives together', { value: 'h' }),
  type: field(
    z.enum(['synthetic', 'perturbed', 'unknown']).optional(),
    'synthetic, perturbed (row i derives from row i of the original) or unknown',
    { value: 'KIND' },
  ),
  matchLevels: field(
    z.boolean().optional(),
    'values that differ in writing (case, accents, number format), name or unit only are the same',
    { isSwitch: true, no: 'such values are different' },
  ),
  answers: field(answers, 'the same for one column of one file: same or different, by the name of the question', {
    name: 'answer',
    value: 'FILE:COLUMN=same',
    repeat: true,
  }),
  group: field(groups, 'group numeric columns into classes, by quantiles or in the style named', {
    value: 'a=10,b=equal:5',
    repeat: true,
  }),
  codes: field(codes, 'numbers of a grouped column that are codes, classes of their own', {
    value: 'a=-8|-9',
    repeat: true,
  }),
}

const reading = {
  types: field(types, 'numeric, categorical, date or ordered:low<mid<high instead of what is inferred', {
    value: 'a=TYPE,...',
    repeat: true,
  }),
  missingTokens: field(list, 'what means missing, besides the empty cell (default NA,NaN,NULL,null,N/A)', {
    value: 'x,y',
    repeat: true,
  }),
  object: field(
    list,
    'R, SAS: the objects or data sets of a file to take, by name; the original first, where it holds several',
    { value: 'a,b', repeat: true },
  ),
  sheet: field(
    list,
    'Excel: the sheets to take, by name or number (default: the first); the original first, where there are several',
    { value: 'a,b', repeat: true },
  ),
  labels: field(
    z.enum(['levels', 'codes']).optional(),
    'SPSS, Stata, SAS, R: values become their labels (levels, the default) or stay codes',
    { value: 'KIND' },
  ),
  keepMissingCodes: field(
    z.boolean().optional(),
    'SPSS, Stata, SAS, R: values that mean missing are levels, not missing',
    { isSwitch: true },
  ),
  delimiter: field(
    name.transform((mark) => (mark === 'tab' ? '\t' : mark)).optional(),
    'CSV delimiter: one character, or "tab" (default: found in the file)',
    { value: 'C' },
  ),
  encoding: field(z.enum(['utf-8', 'latin1']).optional(), 'utf-8 or latin1 (default: found in the file)', {
    value: 'E',
  }),
  decimal: field(z.enum(['.', ',']).optional(), 'decimal mark of numbers: . or ,', { value: 'C' }),
  maxSize: field(
    z
      .union([z.string(), z.number().positive()])
      .transform((given) => bytesOf(given, 'max-size'))
      .optional(),
    'how large a file may be, unpacked and in memory: bytes, or such as 500MB or 8GB (default 2GB)',
    { value: 'SIZE' },
  ),
}

const limits = {
  options: field(
    z.record(z.string(), z.record(z.string(), json)).default({}),
    'options of measures, each under its id; a dotted path reaches inside, the value is JSON or text',
    { name: 'set', value: 'option=value', repeat: true },
  ),
  seed: field(z.int().optional(), 'whole number that fixes all random numbers (default 1)', { value: 'N' }),
  engine: field(
    name.transform(withoutPassword).optional(),
    'where the tables live: duckdb, postgresql://user@host/database or sc://host:15002 (scrim engines); no result depends on it',
    { value: 'ENGINE' },
  ),
  memory: field(
    z
      .union([z.string(), z.number().positive()])
      .transform((given) => bytesOf(given, 'memory'))
      .optional(),
    'how much memory a run may take, such as 4GB (default: what the machine has): one that needs more is refused before it starts; of larger tables of an engine a sample is looked at, and DuckDB writes to disk',
    { value: 'SIZE' },
  ),
  sample: field(
    z.int().min(100).optional(),
    'how many records of a larger table of an engine are looked at one by one, by assess, check, partial and measure; what depends on counts alone is of all records (default: all, or 100000 where they do not fit into memory)',
    { value: 'N' },
  ),
  threads: field(z.int().min(1).optional(), 'threads for heavy work (default: one per core); no result depends on it', {
    value: 'N',
  }),
}

const running = {
  profile: field(z.enum(PROFILES).optional(), 'quick (the measures that decide), standard (default) or full (all)', {
    value: 'NAME',
  }),
  measures: field(texts.transform(listOf).optional(), 'run these measures only, instead of a profile', {
    value: 'a,b',
    repeat: true,
  }),
  side: field(z.enum(['risk', 'utility']).optional(), 'only measures of risk, or only those of utility'),
  synthesizer: field(
    name.optional(),
    'what made the releases, such as cart, or command:"..." as in synthesize: measures of the generator run too; --set synthesizer.minbucket=20',
    { value: 'METHOD' },
  ),
}

const privacy = {
  epsilon: field(
    z.number().positive().optional(),
    'the epsilon of differential privacy that is stated for each release: people in a holdout show what it is at least, and the answer says whether that breaks the claim',
    { value: 'E' },
  ),
  delta: field(z.number().min(0).lt(1).optional(), 'the delta that is stated with epsilon (default 0)', { value: 'D' }),
}

export const caseSchema = z.strictObject({
  ...files,
  ...roles,
  ...reading,
  ...running,
  ...privacy,
  ...limits,
  guesses: field(
    z.record(z.string(), z.string()).default({}),
    'columns whose role was guessed, and why; the answer says so until somebody deletes them here',
  ),
})

/** The fields that say what the files are and what their columns are for, in the order of the help. */
export const ROLE_FIELDS = fieldsOf(roles)
/** The fields that say how files are read. */
export const READING_FIELDS = fieldsOf(reading)
export const LIMIT_FIELDS = fieldsOf(limits)
/** The fields that say what was promised. */
export const PRIVACY_FIELDS = fieldsOf(privacy)

function fieldsOf<Part extends object>(part: Part): readonly (keyof Part & string)[] {
  return Object.keys(part) as (keyof Part & string)[]
}

/** Read only all the way down; JSON is so already. */
type Fixed<Value> = [Json] extends [Value]
  ? Value
  : Value extends readonly (infer Each)[]
    ? readonly Fixed<Each>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Fixed<Value[Name]> }
      : Value

/** A Case as it was read: lists are lists, types are values. It can be written and read again. */
export type Case = Fixed<z.output<typeof caseSchema>>
/** A Case as people write it. */
export type CaseInput = Fixed<z.input<typeof caseSchema>>
export type CaseField = keyof Case

/** Reads a Case, or says everything that is wrong with it; `owner` is what it is called, such as its file. */
export function parseCase(input: CaseInput, owner = 'case'): Case {
  const parsed = parseNamed(owner, 'field', caseSchema, input)
  groupingsIn(parsed)
  return parsed
}

/** How numbers are grouped, by column. */
export function groupingsIn({
  group,
  codes: special,
}: Pick<Case, 'group' | 'codes'>): Readonly<Record<string, Grouping>> {
  return groupingsOf(group, special)
}

/**
 * How the file in a role is read. A population has the keys only, so types declared for other columns are not for it; an attacker
 * has names of their own.
 */
export function readingIn(asked: Case, role: FileRole = 'original'): ReadOptions {
  const {
    types: declared,
    missingTokens,
    object,
    sheet,
    labels,
    keepMissingCodes,
    delimiter,
    encoding,
    decimal,
    maxSize,
  } = asked
  return {
    types: declared === undefined ? undefined : typesFor(role, asked, declared),
    missing: missingTokens.length === 0 ? undefined : missingTokens,
    object,
    sheet,
    labels,
    keepMissingCodes,
    delimiter,
    encoding,
    decimal,
    maxSize,
  }
}

/** What a file of a Case is for. */
export type FileRole = 'original' | 'release' | 'holdout' | 'population' | 'attacker'

function typesFor(role: FileRole, { keys, attackerColumns }: Case, declared: Types): Types {
  if (role !== 'population' && role !== 'attacker') return declared
  const columns = role === 'population' ? keys.map((key) => [key, key]) : Object.entries(attackerColumns)
  return Object.fromEntries(
    columns.flatMap(([theirs, ours]) => (Object.hasOwn(declared, ours) ? [[theirs, declared[ours]]] : [])),
  )
}

/** The options of measures by their id, without those of the synthesizer. */
export function measureOptionsIn({ options }: Pick<Case, 'options'>): Readonly<Record<string, object>> {
  const { synthesizer: _, ...others } = options
  return others
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 }

function bytesOf(size: string | number, field: string): number {
  if (typeof size === 'number') return size
  const [, digits = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?)b?\s*$/i.exec(size) ?? []
  const bytes = Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (!(bytes > 0)) throw new UserError(`${field} must be a size such as 500MB or 8GB, found "${size}"`)
  return bytes
}

/** A Case is shown, kept and sent on: nothing that must stay secret comes into it. */
function withoutPassword(address: string): string {
  if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(address) || /[?&;](?:ssl)?(?:password|token)=/i.test(address))
    throw new UserError(
      'the address of an engine must not hold a password: others could read it; set PGPASSWORD or ~/.pgpass for PostgreSQL, SPARK_CONNECT_AUTHENTICATE_TOKEN for Spark',
    )
  return address
}

function listOf(list: string | readonly string[]): string[] {
  if (typeof list !== 'string') return [...list]
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

type Written = string | Readonly<Record<string, string | TypeSpec>>

function typesOf(written: Written): Record<string, TypeSpec> {
  if (typeof written === 'string') return parseTypes(written)
  return Object.fromEntries(
    Object.entries(written).map(([column, spec]) => [
      column,
      typeof spec === 'string' ? parseTypes(`${column}=${spec}`)[column] : spec,
    ]),
  )
}

/** `theirs=ours` as pairs; `expected` says what stands on both sides. */
function pairsOf(
  expected: string,
  written: string | readonly string[] | Readonly<Record<string, string>>,
): Record<string, string> {
  if (typeof written === 'object' && !Array.isArray(written)) return { ...(written as Record<string, string>) }
  return Object.fromEntries(
    listOf(written as string | readonly string[]).map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1 || at === pair.length - 1) throw new UserError(`${expected}, but there is "${pair}"`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )
}

function answersOf(
  written: string | readonly string[] | Readonly<Record<string, 'same' | 'different'>>,
): Record<string, 'same' | 'different'> {
  const pairs = Object.entries(pairsOf('answer takes FILE:COLUMN=same or FILE:COLUMN=different', written))
  return Object.fromEntries(
    pairs.map(([question, answer]) => {
      if (answer !== 'same' && answer !== 'different')
        throw new UserError(`the answer to ${question} must be same or different, found "${answer}"`)
      return [question, answer]
    }),
  )
}

function textsByColumn(
  what: string,
  written: string | Readonly<Record<string, string | number | readonly number[]>>,
): Record<string, string> {
  if (typeof written === 'string') return Object.fromEntries(namedParts(written, what))
  return Object.fromEntries(
    Object.entries(written).map(([column, each]) => [column, typeof each === 'object' ? each.join('|') : String(each)]),
  )
}
