import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { checkSize, nearestName, UserError } from '@scrim/core'
import type { Io } from '../io.js'

/** The bytes of a file under the name that the user gave it. */
export interface FileBytes {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** As the name of a file: standard input where it is read, standard output where it is written. */
export const STANDARD = '-'

/** Reads all files, none larger than `maxSize`, or tells everything that is wrong with any of them. */
export function readFiles(names: readonly string[], io: Io, maxSize?: number): readonly FileBytes[] {
  const problems = names.flatMap((name) => readProblem(name, io) ?? [])
  if (names.filter((name) => name === STANDARD).length > 1)
    problems.push('- (standard input) is named for two files, and can be read once only')
  if (problems.length > 0) throw new UserError([...new Set(problems)])
  return names.map((name) => {
    const bytes = name === STANDARD ? io.stdin(maxSize) : readBytes(name, io, maxSize)
    return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
}

/** What is open is what is looked at: the name may lead elsewhere by now. */
export function readBytes(name: string, io: Io, maxSize?: number): Uint8Array {
  let file: number | undefined
  try {
    // A pipe that nobody writes to would keep the opening waiting.
    file = openSync(resolve(io.cwd, name), constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file)
    const problem = kindProblem(name, stat)
    if (problem !== undefined) throw new UserError(problem)
    checkSize(name, stat.size, maxSize)
    const bytes = new Uint8Array(stat.size)
    let at = 0
    for (let read = 1; read > 0 && at < bytes.length; at += read)
      read = readSync(file, bytes, at, Math.min(LARGEST_READ, bytes.length - at), at)
    return bytes.subarray(0, at)
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`cannot read ${name}: ${reasonOf(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Node reads no more at once. */
const LARGEST_READ = 2 ** 30

function kindProblem(name: string, stats: Stats): string | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return `${name} is a folder, not a file`
  const kind = stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device'
  return `${name} is a ${kind}, not a file; what it gives can be read as standard input: - < ${name}`
}

export function fileExists(name: string, io: Io): boolean {
  return statSync(resolve(io.cwd, name), { throwIfNoEntry: false }) !== undefined
}

function readProblem(name: string, io: Io): string | undefined {
  if (name === STANDARD) return undefined
  const path = resolve(io.cwd, name)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return `there is no file ${name}${nearestFile(path)}`
    return kindProblem(name, stat)
  } catch (error) {
    return `cannot read ${name}: ${reasonOf(error)}`
  }
}

function nearestFile(path: string): string {
  const folder = dirname(path)
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return `; there is no folder ${folder} either`
  const near = nearestName(basename(path), readdirSync(folder))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** File names as short as they can be told apart: without the folders that all of them share, however each is written. */
export function withoutCommonFolder(names: readonly string[], { cwd }: Pick<Io, 'cwd'>): readonly string[] {
  const files = names.filter((name) => name !== STANDARD)
  const isMixed = files.some(isAbsolute) && !files.every(isAbsolute)
  const paths = names.map((name) => {
    if (name === STANDARD) return ['standard input']
    return (isMixed ? resolve(cwd, name) : name).split(/[\\/]/)
  })
  const shortest = Math.min(...paths.map((path) => path.length - 1))
  let shared = 0
  while (shared < shortest && paths.every((path) => path[shared] === paths[0][shared])) shared++
  return paths.map((path) => path.slice(shared).join('/'))
}

/** What the system says is wrong, without its codes and paths. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message.replace(/^E[A-Z]+: /, '').replace(/, [a-z]+( '.*)?$/, '')
}
