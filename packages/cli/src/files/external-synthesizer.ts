import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Column,
  columnNames,
  csvChunks,
  readTable,
  type Streams,
  type Synthesizer,
  type Table,
  type TypeSpec,
  table,
  UserError,
  z,
} from '@scrim/core'
import type { Io } from '../io.js'
import { readBytes } from './files.js'
import { writeOutput } from './outputs.js'
import { removeLeftovers, temporaryName } from './temporary.js'

/**
 * Synthesizers that are not scrim's: a command that reads a CSV file and writes one, or a folder of files that somebody
 * has made before. They have no `logProb`.
 */
export const COMMAND_PREFIX = 'command:'
export const FOLDER_PREFIX = 'folder:'
const PLACEHOLDERS = ['in', 'out', 'n', 'seed'] as const
const noOptions = z.object({})
export const LARGEST_SEED = 2 ** 31

/** The synthesizer behind `command:...` or `folder:...`; undefined for any other name. */
export function externalSynthesizer(method: string, io: Io): Synthesizer | undefined {
  if (method.startsWith(COMMAND_PREFIX)) return commandSynthesizer(method.slice(COMMAND_PREFIX.length).trim(), io)
  if (method.startsWith(FOLDER_PREFIX)) return folderSynthesizer(method.slice(FOLDER_PREFIX.length).trim(), io)
  return undefined
}

/**
 * `{in}` is a CSV file with the original, `{out}` the CSV file to write, `{n}` the number of records and `{seed}` a whole
 * number below 2^31, another one for each synthesis. The shell runs the command; file names are quoted for it.
 */
function commandSynthesizer(template: string, io: Io): Synthesizer {
  const problems = templateProblems('--method', template, PLACEHOLDERS)
  if (problems.length > 0) throw new UserError(problems)
  return {
    id: 'command',
    title: 'External command',
    options: noOptions,
    fit: (data) => ({
      sample: (rows, random) => runCommand(template, data, rows, random, io),
      describe: () => ({ command: template, variables: [], warnings: [] }),
    }),
  }
}

/** In a folder of its own, which is gone afterwards, whatever happens. */
export async function inFolder<Made>(work: (folder: string) => Promise<Made>): Promise<Made> {
  removeLeftovers(tmpdir())
  const folder = join(tmpdir(), temporaryName())
  mkdirSync(folder, { mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The template with its placeholders filled, run by the shell; `out` must be there afterwards. */
export async function runTemplate(
  template: string,
  files: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
  io: Io,
): Promise<void> {
  const filled: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, quoted(file)])),
    ...values,
  }
  await runShell(
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name]),
    io,
  )
  if (statSync(files.out, { throwIfNoEntry: false }) === undefined)
    throw new UserError(`the command ended without writing {out}: ${template}`)
}

/** What is wrong with the placeholders of a command. */
export function templateProblems(flag: string, template: string, known: readonly string[]): readonly string[] {
  return [
    ...(template.includes('{out}') ? [] : [`${flag} ${COMMAND_PREFIX} has no {out}: the file that it writes`]),
    ...[...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
      known.includes(name) ? [] : [`${flag} ${COMMAND_PREFIX} has no placeholder {${name}}`],
    ),
  ]
}

function runCommand(template: string, data: Table, rows: number, random: Streams, io: Io): Promise<Table> {
  return inFolder(async (folder) => {
    const files = { in: join(folder, 'original.csv'), out: join(folder, 'synthetic.csv') }
    writeOutput(files.in, csvChunks(data), io)
    const values = { n: String(rows), seed: String(random('command').below(LARGEST_SEED)) }
    await runTemplate(template, files, values, io)
    return readSynthetic(files.out, 'what the command wrote', data, io)
  })
}

const MOST_OF_STDERR = 2000

function runShell(command: string, io: Io): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, { shell: true, cwd: io.cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MOST_OF_STDERR)
    })
    child.on('error', (error) => fail(new UserError(`the command could not be run: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return done()
      const reason = said.trim() === '' ? '' : `: ${said.trim().split('\n').at(-1)}`
      fail(new UserError(`the command ended with ${code === null ? `signal ${signal}` : `code ${code}`}${reason}`))
    })
  })
}

function quoted(path: string): string {
  return process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}

/** Files made before, in the order of their names with numbers as numbers; one for each synthesis. */
function folderSynthesizer(folder: string, io: Io): Synthesizer {
  const path = resolve(io.cwd, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`there is no folder ${folder}`)
  const files = readdirSync(path)
    .filter((name) => /\.csv(\.gz)?$/i.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  if (files.length === 0) throw new UserError(`${folder} has no CSV files`)
  return {
    id: 'folder',
    title: 'Files of a folder',
    options: noOptions,
    fit: (data) => {
      let next = 0
      return {
        sample: async (rows) => {
          const file = files[next++]
          if (file === undefined) throw new UserError(`${folder} has ${files.length} files, and more are needed`)
          const made = await readSynthetic(join(path, file), join(folder, file), data, io)
          if (made.rows !== rows)
            throw new UserError(`${join(folder, file)} has ${made.rows} records, and ${rows} are needed; see --n`)
          return made
        },
        describe: () => ({ folder, files: files.length, variables: [], warnings: [] }),
      }
    },
  }
}

/** A file with columns of the original, read with its types; in the order of the original. */
async function readSynthetic(path: string, name: string, original: Table, io: Io): Promise<Table> {
  const bytes = readBytes(path, io)
  const plain = await readTable(name, bytes)
  const known = columnNames(original)
  const unknown = columnNames(plain).filter((column) => !known.includes(column))
  if (unknown.length > 0)
    throw new UserError(unknown.map((column) => `${name} has the column "${column}", which the original has not`))
  const there = original.columns.filter((column) => columnNames(plain).includes(column.name))
  const types = Object.fromEntries(there.map((column) => [column.name, typeOf(column)]))
  const made = await readTable(name, bytes, { types })
  return table(
    name,
    there.flatMap(({ name: column }) => made.columns.filter((one) => one.name === column)),
  )
}

/** As what a column is read that must come back as it was. */
export function typeOf(column: Column): TypeSpec {
  if (column.kind !== 'categorical') return { kind: column.kind }
  return column.ordered ? { kind: 'ordered', levels: column.levels } : { kind: 'categorical' }
}
