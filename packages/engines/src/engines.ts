import { createRequire } from 'node:module'
import { UserError } from '@scrim/core'
import { DUCKDB_PACKAGE, openDuckDb } from './duckdb.js'
import type { Engine } from './engine.js'
import { openPostgreSql, PG_PACKAGE } from './postgresql.js'
import { openSpark } from './spark.js'
import { sparkAddress } from './spark-connect.js'

/** The one list of engines. */
export const ENGINES = [
  {
    id: 'duckdb',
    title: 'DuckDB',
    address: 'duckdb',
    holds: 'CSV and Parquet files, folders of them, tables of a .duckdb file',
    needs: DUCKDB_PACKAGE,
  },
  {
    id: 'postgresql',
    title: 'PostgreSQL',
    address: 'postgresql://user@host/database',
    holds: 'tables and views of a database',
    needs: PG_PACKAGE,
  },
  {
    id: 'spark',
    title: 'Spark',
    address: 'sc://host:15002',
    holds: 'tables of a catalog, Parquet and ORC files that the cluster sees; through Spark Connect, 3.5 or later',
    needs: undefined,
  },
] as const

export interface EngineSettings {
  readonly folder: string
  readonly memory?: number | undefined
  readonly threads?: number | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Opens the engine of an address: `duckdb`, `postgresql://...`, `sc://...`. */
export async function openEngine(address: string, settings: EngineSettings): Promise<Engine> {
  const id = engineOf(address)
  if (id === undefined)
    throw new UserError(
      `there is no engine ${JSON.stringify(address)}; it is one of ${ENGINES.map((engine) => engine.address).join(', ')}`,
    )
  const { needs, title } = ENGINES.find((engine) => engine.id === id) ?? ENGINES[0]
  if (needs !== undefined && !isInstalled(needs))
    throw new UserError(`${title} is not installed; get it with: npm install ${needs} beside scrim (scrim engines)`)
  if (settings.memory !== undefined && id !== 'duckdb')
    throw new UserError(`--memory is for DuckDB; the memory of ${title} is set where it runs`)
  switch (id) {
    case 'duckdb':
      return openDuckDb(settings)
    case 'postgresql':
      return openPostgreSql(address)
    case 'spark':
      return openSpark(sparkAddress(address, settings.environment))
  }
}

function engineOf(address: string): (typeof ENGINES)[number]['id'] | undefined {
  if (address === 'duckdb') return 'duckdb'
  if (/^postgres(ql)?:\/\//.test(address)) return 'postgresql'
  return address.startsWith('sc://') ? 'spark' : undefined
}

/** Beside scrim, or in a folder of NODE_PATH; never in the working directory, whose programs nobody asked for. */
export function isInstalled(needs: string): boolean {
  try {
    createRequire(import.meta.url).resolve(needs)
    return true
  } catch {
    return false
  }
}
