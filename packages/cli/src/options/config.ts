import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import {
  type Case,
  type ConfigSaid,
  caseSchema,
  configSays,
  type JsonObject,
  jsonOf,
  parseCase,
  parseNamed,
  UserError,
  z,
} from '@scrim/core'
import { attackersNamed } from '../files/external-attacker.js'
import { COMMAND_PREFIX } from '../files/external-synthesizer.js'
import { fileExists, readFiles } from '../files/files.js'
import type { Io } from '../io.js'
import type { Arguments } from './arguments.js'
import { caseOfFlags } from './case-flags.js'

export const DEFAULT_CONFIG = 'scrim.json'

/** A Case, with what the command line writes. */
const schema = caseSchema.extend({
  json: z.union([z.boolean(), z.string()]).optional(),
  csv: z.boolean().optional(),
  records: z.string().min(1).optional(),
  charts: z.string().min(1).optional(),
})

/** What flags and scrim.json say together. */
export type Asked = Case & Pick<z.output<typeof schema>, 'json' | 'csv' | 'records' | 'charts'>

const FILE_FIELDS = ['original', 'holdout', 'population', 'attacker', 'rules', 'json', 'records', 'charts'] as const

/** The Case of a command: what scrim.json says, and over it what the flags say. */
export function readCase(args: Arguments, io: Io): Asked {
  const config = loadConfig(args, io)
  const flags = caseOfFlags(args)
  refuseCommands(config, flags.synthesizer === undefined, args)
  // --group replaces the grouping of the file as a whole, codes included.
  const codes = flags.group === undefined ? {} : { codes: {} }
  const { json, csv, records, charts, ...said } = config
  return { ...parseCase({ ...said, ...codes, ...flags }), json, csv, records, charts }
}

/** Opening somebody's folder must not run what its scrim.json names: a command is typed, or allowed by a flag. */
function refuseCommands({ synthesizer, options }: Asked, isSynthesizerUsed: boolean, args: Arguments): void {
  if (args.has('allow-commands')) return
  const refuse = (command: string | undefined, flag: string) => {
    if (command?.startsWith(COMMAND_PREFIX) !== true) return
    throw new UserError(
      `${args.text('config') ?? DEFAULT_CONFIG} names a command to run, ${JSON.stringify(command)}; nothing was run: give it with ${flag}, or allow it with --allow-commands`,
    )
  }
  if (isSynthesizerUsed) refuse(synthesizer, '--synthesizer')
  for (const attacker of attackersNamed(options)) refuse(attacker, '--set attackers')
}

/** Commands (by their words) that have said which config they use: it is said once, however often it is read. From R the config is what was typed there. */
const announced = new WeakSet<readonly string[]>()

/** The file named by --config, or scrim.json of the working directory when there is one. */
function configFile(args: Arguments, io: Io): string | undefined {
  return args.text('config') ?? (fileExists(DEFAULT_CONFIG, io) ? DEFAULT_CONFIG : undefined)
}

/** What a command took from its config and not from its words, for who wants to repeat it. */
export function configSaid(args: Arguments, io: Io): ConfigSaid | null {
  const file = configFile(args, io)
  if (file === undefined) return null
  const [{ bytes, sha256 }] = readFiles([file], io)
  const entries = Object.entries(parseJsonObject(file, new TextDecoder().decode(bytes)))
  const says = configSays(Object.fromEntries(entries.map(([field, value]) => [camelCase(field), value])))
  return { name: basename(file), sha256, says }
}

/** Paths in it are relative to it. */
function loadConfig(args: Arguments, io: Io): Asked {
  const file = configFile(args, io)
  if (file === undefined) return parseCase({})
  const [{ bytes }] = readFiles([file], io)
  const config = parseConfig(file, new TextDecoder().decode(bytes))
  if (io.face === 'shell' && !announced.has(args.words)) io.err(`scrim: using ${file}\n`)
  announced.add(args.words)
  const folder = dirname(file)
  const here = Object.fromEntries(
    FILE_FIELDS.flatMap((field) => {
      const path = config[field]
      return typeof path === 'string' ? [[field, besideConfig(folder, path, io)]] : []
    }),
  )
  return { ...config, ...here, released: config.released.map((path) => besideConfig(folder, path, io)) }
}

/** The arguments with the files that the config names, where the command line names none. */
export function withFiles(args: Arguments, io: Io, before = 0): Arguments {
  if (args.positionals.length > before) return args
  const { original, released } = loadConfig(args, io)
  if (original === undefined) return args
  return { ...args, positionals: [...args.positionals, original, ...released] }
}

/** Kept short, because it is how the file is called in messages. */
function besideConfig(folder: string, path: string, io: Io): string {
  return folder === '.' || isAbsolute(path) ? path : relative(io.cwd, resolve(io.cwd, join(folder, path)))
}

function parseConfig(file: string, text: string): Asked {
  const fields = parseJsonObject(file, text)
  const named = Object.entries(fields).map(([field, value]) => [camelCase(field), value] as const)
  const repeated = named.filter(([field], k) => named.findIndex(([other]) => other === field) < k)
  if (repeated.length > 0)
    throw new UserError(repeated.map(([field]) => `${file}: the field "${field}" is given twice`))
  return parseNamed(file, 'field', schema, Object.fromEntries(named))
}

function parseJsonObject(file: string, text: string): JsonObject {
  const value = jsonOf(file, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError(`${file} must hold one JSON object such as {"keys": ["sex", "age"], "target": "income"}`)
  }
  return value as JsonObject
}

function camelCase(field: string): string {
  return field.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
