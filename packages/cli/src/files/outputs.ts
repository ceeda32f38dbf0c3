import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { UserError } from '@scrim/core'
import type { Io } from '../io.js'
import { reasonOf, STANDARD } from './files.js'
import { makeFolder } from './folder.js'
import { removeLeftovers, temporaryName } from './temporary.js'
import { isOurs, remember } from './written.js'

/**
 * What a command writes. No output may be a file that the command reads, by whatever path; a file that is there and that
 * scrim did not write stays as it is without --force; and each file is written beside its name and then renamed, so that
 * a crash leaves the old one whole.
 */
interface Outputs {
  readonly files?: readonly string[]
  readonly folders?: readonly Folder[]
  readonly inputs?: readonly string[]
}

/** A folder that files with these endings are written into, under names that are known only later, and others by name. */
interface Folder {
  readonly name: string
  readonly endings: readonly string[]
  readonly files?: readonly string[]
}

export type Content = string | Uint8Array | Generator<string>

/** Asked before anything is computed, so that hours of work do not end in "no such folder", nor in a lost input. */
export function checkOutputs({ files = [], folders = [], inputs = [] }: Outputs, io: Io): void {
  const written = files.filter((name) => name !== STANDARD)
  const read = inputs.filter((name) => name !== STANDARD)
  const problems = [
    ...(files.length - written.length > 1 ? ['only one output can go to standard output (-)'] : []),
    ...written.flatMap((name, k) => {
      if (read.some((input) => isSameFile(name, input, io)))
        return `cannot write ${name}: it is read as an input of this command`
      if (written.slice(0, k).some((other) => isSameFile(other, name, io)))
        return `cannot write ${name}: it is named for two outputs`
      return fileOutputProblem(name, io) ?? []
    }),
    ...folders.flatMap((folder) => folderOutputProblem(folder, io) ?? []),
  ]
  if (problems.length > 0) throw new UserError(problems)
}

/** The same file by whatever path, link or letter case; one that is not there yet is known by its name. */
function isSameFile(first: string, other: string, io: Io): boolean {
  const [a, b] = [first, other].map((name) => resolve(io.cwd, name))
  const [of, another] = [a, b].map(found)
  if (of !== undefined && another !== undefined) return of.dev === another.dev && of.ino === another.ino
  return placeOf(a) === placeOf(b)
}

/** Where a file is, or would be, whatever links lead to its folder. */
function placeOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(placeOf(dirname(path)), basename(path))
  }
}

function found(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function fileOutputProblem(name: string, io: Io): string | undefined {
  const path = resolve(io.cwd, name)
  const there = found(path)
  if (there?.isDirectory()) return `cannot write ${name}: it is a folder`
  if (found(dirname(path))?.isDirectory() !== true) return `cannot write ${name}: there is no folder ${dirname(name)}`
  return there?.isFile() ? overwriteProblem(name, path, io) : undefined
}

function overwriteProblem(name: string, path: string, io: Io): string | undefined {
  return io.force || isOurs(placeOf(path), io)
    ? undefined
    : `cannot write ${name}: it is there already and scrim did not write it; name another file, or overwrite it with --force`
}

const NAMED = 3

function folderOutputProblem({ name, endings, files = [] }: Folder, io: Io): string | undefined {
  if (name === STANDARD) return 'cannot write into - (standard output): a folder is needed'
  let path = resolve(io.cwd, name)
  while (found(path) === undefined && dirname(path) !== path) path = dirname(path)
  if (found(path)?.isDirectory() !== true)
    return `cannot write into ${name}: ${path === resolve(io.cwd, name) ? 'it' : path} is a file`
  if (io.force || path !== resolve(io.cwd, name)) return undefined
  const foreign = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && (endings.includes(extname(entry.name)) || files.includes(entry.name)))
    .map((entry) => entry.name)
    .filter((entry) => !isOurs(placeOf(join(path, entry)), io))
  if (foreign.length === 0) return undefined
  const named = foreign.slice(0, NAMED).join(', ') + (foreign.length > NAMED ? ', ...' : '')
  return `cannot write into ${name}: it has files that scrim did not write (${named}); name another folder, or overwrite with --force`
}

/** "Written: report.html, charts." for who looks for it; nothing where all went to standard output, or to a package. */
export function writtenText(names: readonly (string | undefined)[], { face }: Io): string {
  const files = names.filter((name) => name !== undefined && name !== STANDARD)
  return files.length === 0 || face !== 'shell' ? '' : `Written: ${files.join(', ')}.\n`
}

/** Writes a file, and the folders on the way to it; in pieces where the whole may be longer than a string can be. */
export function writeOutput(name: string, content: Content, io: Io): void {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  if (name === STANDARD) {
    for (const piece of pieces) io.data(piece)
    return
  }
  const path = placeOf(resolve(io.cwd, name))
  const there = found(path)
  const problem = there?.isFile() ? overwriteProblem(name, path, io) : undefined
  if (problem !== undefined) throw new UserError(problem)
  try {
    makeFolder(dirname(path))
    // A device or a pipe cannot be renamed over.
    if (there !== undefined && !there.isFile()) writePieces(openSync(path, constants.O_WRONLY), pieces)
    else {
      replace(path, pieces, there?.mode)
      remember(path, io)
    }
  } catch (error) {
    throw new UserError(`cannot write ${name}: ${reasonOf(error)}`)
  }
}

/** Nobody else reads the file while it is written, and nothing is followed that stands under its name. */
function replace(path: string, pieces: Iterable<string | Uint8Array>, mode: number | undefined): void {
  const folder = dirname(path)
  removeLeftovers(folder)
  const beside = join(folder, temporaryName())
  const file = openSync(beside, 'wx', ONLY_OWNER)
  try {
    writePieces(file, pieces, mode ?? NEW_FILE & ~process.umask())
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

const ONLY_OWNER = 0o600
const NEW_FILE = 0o666

function writePieces(file: number, pieces: Iterable<string | Uint8Array>, mode?: number): void {
  try {
    for (const piece of pieces) writeFileSync(file, piece)
    if (mode !== undefined) fchmodSync(file, mode)
    if (fstatSync(file).isFile()) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
