import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../io.js'
import { makeFolder } from './folder.js'

/**
 * Which files scrim wrote: for each the size and the time of its last change, in the user's cache folder under the hash
 * of its path. A file that somebody has changed since is theirs.
 */
export function isOurs(path: string, io: Io): boolean {
  try {
    return readFileSync(noteOf(path, io), 'utf8') === stateOf(path)
  } catch {
    return false
  }
}

/** To be called when the file was written. */
export function remember(path: string, io: Io): void {
  try {
    const note = noteOf(path, io)
    makeFolder(join(note, '..'), 0o700)
    writeFileSync(note, stateOf(path), { mode: 0o600 })
  } catch {
    // A machine without a place to write still gets its file; a later run needs --force to replace it.
  }
}

function noteOf(path: string, io: Io): string {
  return join(io.cache, 'written', createHash('sha256').update(path).digest('hex'))
}

function stateOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true })
  return `${size} ${mtimeNs}\n`
}
