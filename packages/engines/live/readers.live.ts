import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReadOptions, readTable, type Table } from '@scrim/core'
import { afterAll, describe, expect, it } from 'vitest'
import { reference } from '../../core/src/testing/reference.js'
import type { Engine } from '../src/engine.js'
import { openEngine } from '../src/engines.js'
import { readRecords } from '../src/stored.js'
import { generatedTable } from './generated.js'
import { POSTGRESQL, SPARK, writeFiles, writeTable } from './places.js'

const folder = mkdtempSync(join(tmpdir(), 'scrim-readers-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened = new Map<string, Promise<Engine>>()
afterAll(async () => {
  for (const engine of opened.values()) await (await engine).close()
})

async function readThrough(address: string, name: string, options: ReadOptions = {}) {
  const engine = opened.get(address) ?? openEngine(address, { folder, environment: process.env })
  opened.set(address, engine)
  return comparable(await readRecords(await (await engine).open(name, options), options))
}

const readHere = async (name: string, options: ReadOptions = {}) =>
  comparable(await readTable(name, readFileSync(join(folder, name)), options))

/** Long arrays as a digest: what is not equal is told by its column. */
function comparable({ columns }: Table) {
  return columns.map((column) => {
    const array = column.kind === 'categorical' ? column.codes : column.values
    const digest = createHash('sha256').update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    const { codes: _, values: __, ...said } = { codes: null, values: null, ...column }
    return { ...said, length: array.length, head: Array.from(array.slice(0, 20)), digest: digest.digest('hex') }
  })
}

async function tables(): Promise<readonly Table[]> {
  const known = reference()
  const files = known === undefined ? [] : ['sd2011/sd2011.csv', 'adult/adults_train.csv']
  const read = files.map((file) => readTable(file.split('/')[0], readFileSync(join(known ?? '', 'data', file))))
  return [...(await Promise.all(read)), ...Array.from({ length: 20 }, (_, seed) => generatedTable(seed))]
}

describe.each(await tables())('$name', (data) => {
  const { name } = data
  writeFiles(folder, name, data)
  const options: ReadOptions = { missing: ['NA'], types: { [data.columns[0].name]: { kind: 'categorical' } } }

  it('is the same table through DuckDB, in one file or in several, and with tokens and types', async () => {
    const here = await readHere(`${name}.parquet`)
    expect(await readThrough('duckdb', `${name}.parquet`)).toEqual(here)
    expect(await readThrough('duckdb', `in7/${name}`)).toEqual(here)
    expect(await readThrough('duckdb', `${name}.parquet`, options)).toEqual(await readHere(`${name}.parquet`, options))
  })

  it('is the same table through DuckDB as CSV', async () => {
    expect(await readThrough('duckdb', `${name}.csv`)).toEqual(await readHere(`${name}.csv`))
    expect(await readThrough('duckdb', `${name}.csv`, options)).toEqual(await readHere(`${name}.csv`, options))
  })

  it.each([1, 2, 7])('is the same table through Spark in %i files', async (parts) => {
    expect(await readThrough(SPARK, join(folder, `in${parts}`, name))).toEqual(await readHere(`${name}.parquet`))
  })

  it('is the same table through PostgreSQL', async () => {
    await writeTable(name, data, join(folder, `${name}.csv`))
    // A connection of its own: one sees the tables that were there when it began.
    const engine = await openEngine(POSTGRESQL, { folder, environment: process.env })
    try {
      const source = await engine.open(name, {})
      expect(comparable(await readRecords(source, {}))).toEqual(await readHere(`${name}.parquet`))
    } finally {
      await engine.close()
    }
  })
})
