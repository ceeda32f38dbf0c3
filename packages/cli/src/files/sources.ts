import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Contents, type ReadOptions, type StoredTable, singleTable, type Table } from '@scrim/core'
import type { Io } from '../io.js'
import type { Asked } from '../options/config.js'
import { fileExists, readFiles } from './files.js'
import { inTurn } from './in-turn.js'
import { tableReader } from './reader.js'

/** What a command reads: a file, or a table of an engine. */
interface Source {
  readonly name: string
  /** The digest of the bytes of a file, which is known before it is read. */
  readonly bytes?: string
  read(options: ReadOptions): Promise<SourceContents>
  /** What an engine knows of the table before it is read. */
  stored?(options: ReadOptions): Promise<StoredTable>
  /** So many of its records instead of all. */
  sample?(options: ReadOptions, records: number): Promise<SourceContents>
}

interface SourceContents {
  readonly contents: Contents
  /** Of the bytes of a file, or of what a table holds. */
  readonly sha256: string
}

export interface Sources {
  readonly sources: readonly Source[]
  close(): Promise<void>
}

/** Files are read by scrim itself; with an engine, what it knows is read through it. */
export async function openSources(
  names: readonly string[],
  { engine: address, memory, threads, maxSize }: Asked,
  io: Io,
): Promise<Sources> {
  const isHere = names.map((name) => address === undefined || isReadHere(name, address, io))
  const files = readFiles(
    names.filter((_, k) => isHere[k]),
    io,
    maxSize,
  )
  const reader = tableReader({ threads })
  const opened =
    address === undefined
      ? undefined
      : await engineSources(address, { folder: io.cwd, memory, threads, environment: process.env })
  let next = 0
  return {
    sources: names.map((name, k) => {
      if (opened !== undefined && !isHere[k]) return opened.source(name)
      const file = files[next++]
      return {
        name,
        bytes: file.sha256,
        read: async (options) => ({ contents: await reader.contents(file, options), sha256: file.sha256 }),
      }
    }),
    async close() {
      await reader.close()
      await opened?.close()
    },
  }
}

/** A database holds tables, so that a file is none of its. A cluster sees files too: what has a slash in it is a path there, unless Spark is not asked for such a file. */
function isReadHere(name: string, address: string, io: Io): boolean {
  if (address === 'duckdb' || !fileExists(name, io)) return false
  const isPathOfCluster = /[\\/]/.test(name) && /(^|[\\/])[^\\/.]*(\.(parquet|pq|orc))?[\\/]?$/i.test(name)
  return !address.startsWith('sc:') || !isPathOfCluster
}

async function engineSources(address: string, settings: Parameters<typeof import('@scrim/engines').openEngine>[1]) {
  const { filesOf, openEngine, storedTable } = await import('@scrim/engines')
  const engine = await openEngine(address, settings)
  const oneByOne = inTurn()
  const isOfFiles = (name: string) => address === 'duckdb' && !/\.(duckdb|ddb)(:|$)/i.test(name)
  const digest = async (name: string, table: Table) => {
    const hash = createHash('sha256')
    if (isOfFiles(name)) await hashFiles(hash, filesOf(name, settings.folder))
    else hashTable(hash, table)
    return hash.digest('hex')
  }
  const source = (name: string): Source => {
    const open = async (options: ReadOptions) => {
      const table = await engine.open(name, options)
      return { stored: await storedTable(table, options), notes: table.notes }
    }
    let known: ReturnType<typeof open> | undefined
    const opened = (options: ReadOptions) => {
      known ??= open(options)
      return known
    }
    const read = (options: ReadOptions, choose: (stored: StoredTable) => Promise<Table>) =>
      oneByOne(async (): Promise<SourceContents> => {
        const { stored, notes } = await opened(options)
        const table = await choose(stored)
        return { contents: singleTable(table, notes), sha256: await digest(name, table) }
      })
    return {
      name,
      stored: (options) => oneByOne(async () => (await opened(options)).stored),
      read: (options) => read(options, (stored) => stored.records()),
      sample: (options, records) => read(options, (stored) => stored.sample(records, SAMPLE_SEED)),
    }
  }
  return { source, close: () => engine.close() }
}

/** The sample is part of the data: with another seed for the measures it is the same. */
const SAMPLE_SEED = 1

async function hashFiles(hash: Hash, files: readonly string[]): Promise<void> {
  for (const file of files) for await (const piece of createReadStream(file)) hash.update(piece)
}

function hashTable(hash: Hash, { columns }: Table): void {
  for (const column of columns) {
    const { name, kind } = column
    const levels = column.kind === 'categorical' ? column.levels : []
    hash.update(JSON.stringify([name, kind, levels]))
    const { buffer, byteOffset, byteLength } = column.kind === 'categorical' ? column.codes : column.values
    hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  }
}
