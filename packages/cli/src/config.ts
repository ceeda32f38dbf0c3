import { dirname, join, relative, resolve } from 'node:path'
import { type JsonObject, parseNamed, UserError, z } from '@scrim/core'
import type { Arguments } from './arguments.js'
import { fileExists, readFiles } from './files.js'
import type { Io } from './io.js'

export const DEFAULT_CONFIG = 'scrim.json'

const texts = z.union([z.string(), z.array(z.string())])
const name = z.string().min(1)
const typeSpec = z.union([
  z.strictObject({ kind: z.enum(['numeric', 'date']) }),
  z.strictObject({ kind: z.literal('categorical'), levels: z.array(z.string()).min(1).optional() }),
  z.strictObject({ kind: z.literal('ordered'), levels: z.array(z.string()).min(1) }),
])
const codeList = z.union([z.number(), z.array(z.number()), z.string()])

/** What the flags say, under the same names. A text is read as the flag's value would be, a list or an object as it stands. */
const schema = z.strictObject({
  original: name.optional(),
  released: texts.optional(),
  keys: texts.optional(),
  numericKeys: texts.optional(),
  target: texts.optional(),
  holdout: name.optional(),
  population: name.optional(),
  attacker: name.optional(),
  attackerColumns: z.union([texts, z.record(z.string(), name)]).optional(),
  identifier: name.optional(),
  rules: name.optional(),
  weight: name.optional(),
  household: name.optional(),
  type: name.optional(),
  matchLevels: z.boolean().optional(),
  types: z.union([z.string(), z.record(z.string(), z.union([z.string(), typeSpec]))]).optional(),
  group: z.union([z.string(), z.record(z.string(), z.union([z.string(), z.number()]))]).optional(),
  codes: z.union([z.string(), z.record(z.string(), codeList)]).optional(),
  missingTokens: texts.optional(),
  object: texts.optional(),
  sheet: texts.optional(),
  delimiter: name.optional(),
  encoding: name.optional(),
  decimal: name.optional(),
  labels: name.optional(),
  keepMissingCodes: z.boolean().optional(),
  measures: texts.optional(),
  profile: name.optional(),
  synthesizer: name.optional(),
  options: z.record(z.string(), z.record(z.string(), z.json())).optional(),
  seed: z.int().optional(),
  threads: z.number().int().min(1).optional(),
  json: z.union([z.boolean(), z.string()]).optional(),
  csv: z.boolean().optional(),
  records: name.optional(),
  charts: name.optional(),
  /** Columns whose role was guessed, and why; `assess` says so until somebody takes them out. */
  guesses: z.record(z.string(), z.string()).optional(),
})

export type Config = z.output<typeof schema>

const FILE_FIELDS = ['original', 'holdout', 'population', 'attacker', 'rules', 'json', 'records', 'charts'] as const

/** The file named by --config, or scrim.json of the working directory when there is one. Paths in it are relative to it. */
export function loadConfig(args: Arguments, io: Io): Config {
  const named = args.text('config')
  const file = named ?? (fileExists(DEFAULT_CONFIG, io) ? DEFAULT_CONFIG : undefined)
  if (file === undefined) return {}
  if (named === undefined && io.terminal) io.err(`scrim: using ${DEFAULT_CONFIG}\n`)
  const [{ bytes }] = readFiles([file], io)
  const config = parseConfig(file, new TextDecoder().decode(bytes))
  const folder = dirname(file)
  const here = Object.fromEntries(
    FILE_FIELDS.flatMap((field) => {
      const path = config[field]
      return typeof path === 'string' ? [[field, besideConfig(folder, path, io)]] : []
    }),
  )
  const { released } = config
  if (released === undefined) return { ...config, ...here }
  const each = typeof released === 'string' ? [released] : released
  return { ...config, ...here, released: each.map((path) => besideConfig(folder, path, io)) }
}

/** The arguments with the files that the config names, where the command line names none. */
export function withFiles(args: Arguments, io: Io, before = 0): Arguments {
  if (args.positionals.length > before) return args
  const { original, released = [] } = loadConfig(args, { ...io, terminal: false })
  if (original === undefined) return args
  return { ...args, positionals: [...args.positionals, original, ...released] }
}

/** Kept short, because it is how the file is called in messages. */
function besideConfig(folder: string, path: string, io: Io): string {
  return folder === '.' ? path : relative(io.cwd, resolve(io.cwd, join(folder, path)))
}

function parseConfig(file: string, text: string): Config {
  const given = parseJsonObject(file, text)
  const named = Object.entries(given).map(([field, value]) => [camelCase(field), value] as const)
  const repeated = named.filter(([field], k) => named.findIndex(([other]) => other === field) < k)
  if (repeated.length > 0)
    throw new UserError(repeated.map(([field]) => `${file}: the field "${field}" is given twice`))
  return parseNamed(file, 'field', schema, Object.fromEntries(named))
}

function parseJsonObject(file: string, text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError(`${file} must hold one JSON object such as {"keys": ["sex", "age"], "target": "income"}`)
  }
  return value as JsonObject
}

function camelCase(field: string): string {
  return field.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
