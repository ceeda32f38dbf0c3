import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AnyMeasure, DEFAULT_SEED, type Result } from '@scrim/core'
import type { Io } from '../io.js'
import { version } from '../version.js'
import { makeFolder } from './folder.js'

/**
 * Results of a run under way, one line each, in a file of the user's cache folder that is named after everything the
 * numbers depend on: another file, option or version is another run. Aggregates only, never scores of records.
 */
export interface RunStore {
  add(result: Result): void
  /** The finished results of the measures wanted, by id. */
  read(wanted: readonly AnyMeasure[], seed: number | undefined): ReadonlyMap<string, Result>
  remove(): void
}

export function runStore(io: Io, describing: object): RunStore {
  const { add, read, remove } = lineStore<Result>(io, describing)
  return {
    add,
    read(wanted, seed = DEFAULT_SEED) {
      const versions = new Map(wanted.map(({ id, version: of }) => [id, of]))
      return new Map(
        read()
          .filter((result) => versions.get(result.measure) === result.version && result.seed === seed)
          .map((result) => [result.measure, result]),
      )
    },
    remove,
  }
}

interface LineStore<Line> {
  add(line: Line): void
  read(): readonly Line[]
  remove(): void
}

/** Finished parts of long work, one line each, in such a file. */
export function lineStore<Line>(io: Io, describing: object): LineStore<Line> {
  const file = cacheFile(io, describing, '.jsonl')
  return {
    add(line) {
      try {
        makeFolder(dirname(file), 0o700)
        appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      } catch {
        // A machine without a place to write still gets its answer; it only cannot resume.
      }
    },
    read: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .flatMap(parsed<Line>)
        : [],
    remove: () => rmSync(file, { force: true }),
  }
}

/** Named after everything that its contents depend on. */
export function cacheFile(io: Io, describing: object, ending: string): string {
  return join(io.cache, `${runId(describing)}${ending}`)
}

export function runId(describing: object): string {
  return createHash('sha256')
    .update(JSON.stringify([version(), describing]))
    .digest('hex')
}

/** A line that a crash cut short is no result. */
function parsed<Line>(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line]
  } catch {
    return []
  }
}
