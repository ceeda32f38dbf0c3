import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { nearestName, UserError } from '@scrim/core'
import type { Io } from './io.js'

/** The bytes of a file under the name that the user gave it. */
export interface FileBytes {
  readonly name: string
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** Reads all files, or tells everything that is wrong with any of them. */
export function readFiles(names: readonly string[], io: Io): readonly FileBytes[] {
  const problems = names.flatMap((name) => readProblem(name, io) ?? [])
  if (problems.length > 0) throw new UserError([...new Set(problems)])
  return names.map((name) => {
    const bytes = readFileSync(resolve(io.cwd, name))
    return { name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
}

export function fileExists(name: string, io: Io): boolean {
  return statSync(resolve(io.cwd, name), { throwIfNoEntry: false }) !== undefined
}

function readProblem(name: string, io: Io): string | undefined {
  const path = resolve(io.cwd, name)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return `there is no file ${name}${nearestFile(path)}`
    if (found.isDirectory()) return `${name} is a folder, not a file`
    return undefined
  } catch (error) {
    return `cannot read ${name}: ${reasonOf(error)}`
  }
}

function nearestFile(path: string): string {
  const folder = dirname(path)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return `; there is no folder ${folder} either`
  const near = nearestName(basename(path), readdirSync(folder))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** File names as short as they can be told apart: without the folders that all of them share. */
export function withoutCommonFolder(names: readonly string[]): readonly string[] {
  const paths = names.map((name) => name.split(/[\\/]/))
  const shortest = Math.min(...paths.map((path) => path.length - 1))
  let shared = 0
  while (shared < shortest && paths.every((path) => path[shared] === paths[0][shared])) shared++
  return paths.map((path) => path.slice(shared).join('/'))
}

/** As the name of an output: standard output. */
export const STDOUT = '-'

/** Asked before anything is computed, so that hours of work do not end in "no such folder", nor in a lost input. */
export function checkOutputs(
  {
    files = [],
    folders = [],
    inputs = [],
  }: { files?: readonly string[]; folders?: readonly string[]; inputs?: readonly string[] },
  io: Io,
): void {
  const written = files.filter((name) => name !== STDOUT)
  const read = new Set(inputs.map((name) => onDisk(name, io)))
  const problems = [
    ...written
      .filter((name) => read.has(onDisk(name, io)))
      .map((name) => `cannot write ${name}: it is read as an input of this command`),
    ...written
      .filter((name, k) => written.findIndex((other) => onDisk(other, io) === onDisk(name, io)) < k)
      .map((name) => `cannot write ${name}: it is named for two outputs`),
    ...written.flatMap((name) => fileOutputProblem(name, io) ?? []),
    ...folders.flatMap((name) => folderOutputProblem(name, io) ?? []),
  ]
  if (problems.length > 0) throw new UserError(problems)
}

/** One text for one file, whatever links lead to it. */
function onDisk(name: string, io: Io): string {
  const path = resolve(io.cwd, name)
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function fileOutputProblem(name: string, io: Io): string | undefined {
  const path = resolve(io.cwd, name)
  if (kindOf(path) === 'folder') return `cannot write ${name}: it is a folder`
  return kindOf(dirname(path)) === 'folder' ? undefined : `cannot write ${name}: there is no folder ${dirname(name)}`
}

function folderOutputProblem(name: string, io: Io): string | undefined {
  let path = resolve(io.cwd, name)
  while (kindOf(path) === 'nothing' && dirname(path) !== path) path = dirname(path)
  return kindOf(path) === 'folder'
    ? undefined
    : `cannot write into ${name}: ${path === resolve(io.cwd, name) ? 'it' : path} is a file`
}

function kindOf(path: string): 'file' | 'folder' | 'nothing' {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? 'nothing' : found.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'nothing'
  }
}

/** Writes a file, and the folders on the way to it; in pieces where the whole may be longer than a string can be. */
export function writeOutput(name: string, content: string | Generator<string>, io: Io): void {
  if (name === STDOUT) {
    for (const piece of typeof content === 'string' ? [content] : content) io.out(piece)
    return
  }
  const path = resolve(io.cwd, name)
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'w')
    for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece)
    closeSync(file)
  } catch (error) {
    throw new UserError(`cannot write ${name}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, [a-z]+ '.*$/, '') : String(error)
}
