import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { KeptSearches } from '@scrim/core'
import type { Io } from '../io.js'
import { makeFolder } from './folder.js'
import { cacheFile } from './run-store.js'

/**
 * Searches of a check of outputs, in a file of the user's cache folder that is named after everything they depend on. They hold
 * data that were made from the outputs, none of the confidential ones.
 */
export interface SearchStore extends KeptSearches {
  save(): void
  remove(): void
}

/** Between two times of writing, in milliseconds: what a crash may cost. */
const OFTEN = 5000

export function searchStore(io: Io, describing: object, resume: boolean): SearchStore {
  const file = cacheFile(io, describing, '.searches')
  const kept: Searches = resume ? searchesIn(file) : new Map()
  let saved = performance.now()
  function save(): void {
    saved = performance.now()
    try {
      makeFolder(dirname(file), 0o700)
      writeFileSync(file, serialize(kept), { mode: 0o600 })
    } catch {
      // A machine without a place to write still gets its answer; it only cannot resume.
    }
  }
  return {
    read: (what) => kept.get(what),
    write(what, states) {
      kept.set(what, states)
      if (performance.now() - saved > OFTEN) save()
    },
    save,
    remove: () => rmSync(file, { force: true }),
  }
}

type Searches = Map<string, NonNullable<ReturnType<KeptSearches['read']>>>

/** A file that a crash cut short holds no searches. */
function searchesIn(file: string): Searches {
  try {
    return existsSync(file) ? (deserialize(readFileSync(file)) as Searches) : new Map()
  } catch {
    return new Map()
  }
}
