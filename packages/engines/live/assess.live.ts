import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnNames, measures, readTable, selectRows, type Table, table } from '@scrim/core'
import { demoFiles } from '@scrim/studies'
import { describe, expect, it } from 'vitest'
import { workplace } from '../../cli/src/testing/run.js'
import { reference } from '../../core/src/testing/reference.js'
import { generatedTable } from './generated.js'
import { POSTGRESQL, SPARK, writeFiles, writeTable } from './places.js'

interface Scene {
  readonly name: string
  readonly original: Table
  readonly released: Table
  readonly flags: string
}

async function scenes(): Promise<readonly Scene[]> {
  const demo = await demoFiles(600, 1)
  const generated = [1, 2].map((seed) => {
    const original = generatedTable(seed)
    const flags = '--keys größe --target constant'
    return { name: `generated${seed}`, original, released: shifted(original, 3), flags }
  })
  return [
    { name: 'demo', original: demo.original, released: demo.cart, flags: '--keys gender,age --target disease_status' },
    ...generated,
    ...(await referenceScenes()),
  ]
}

async function referenceScenes(): Promise<readonly Scene[]> {
  const folder = reference()
  if (folder === undefined) return []
  const read = (file: string) => readTable(file, readFileSync(join(folder, 'data', file)))
  const few = (data: Table, rows: number, columns: number) =>
    table(
      'few',
      selectRows(
        data,
        Int32Array.from({ length: rows }, (_, row) => row),
      ).columns.slice(0, columns),
    )
  const survey = few(await read('sd2011/sd2011.csv'), 700, 10)
  return [
    { name: 'sd2011', original: survey, released: shifted(survey, 5), flags: '--keys sex,age,region --target edu' },
    {
      name: 'adult',
      original: few(await read('adult/adults_train.csv'), 600, 15),
      released: few(await read('adult/adults_syn_ctgan.csv'), 600, 15),
      flags: '--keys age,sex,race --target income',
    },
  ]
}

/** Every column but the first moved on by some records: a release of a kind. */
function shifted(data: Table, by: number): Table {
  const rows = Int32Array.from({ length: data.rows }, (_, row) => (row + by) % data.rows)
  const moved = selectRows(data, rows)
  return table('moved', [data.columns[0], ...moved.columns.slice(1)])
}

/** Measures that are made of counts, and so of all records. */
const ofCounts = measures
  .filter(({ isOfCounts, countedColumns }) => isOfCounts !== undefined || countedColumns !== undefined)
  .map(({ id }) => id)

/** But for the digests of the files: a table of a database has none. */
function withoutDigests(json: string): string {
  return json.replaceAll(/"sha256": "[0-9a-f]{64}"/g, '"sha256": ""')
}

describe.each(await scenes())('$name', ({ original, released, flags }) => {
  const command = `assess original released ${flags} --profile quick --no-match-levels --json -`

  async function written() {
    const { folder, run } = workplace()
    chmodSync(folder, 0o755)
    for (const [name, data] of Object.entries({ original, released })) {
      writeFiles(folder, name, data)
      await writeTable(name, data, join(folder, `${name}.csv`))
    }
    return { folder, run }
  }

  const through = (prefix: string, engine: string, more = '') =>
    `${command.replace('original released', `${prefix}original ${prefix}released`)} --engine ${engine} ${more}`
  const inFiles = command.replace('original released', 'original.parquet released.parquet')

  it('has the same answer in memory and through DuckDB, Spark with 1, 2 and 7 partitions, and PostgreSQL', async () => {
    const { folder, run } = await written()
    const here = await run(command)
    expect(here.err).toBe('')
    expect(columnNames(original).length).toBeGreaterThan(3)
    const files = await run(inFiles)
    const duckdb = await run(`${inFiles} --engine duckdb --memory 500MB`)
    expect(duckdb.out).toBe(files.out)
    const postgresql = await run(through('public.', POSTGRESQL))
    expect(postgresql.err).toBe('')
    expect(withoutDigests(postgresql.out).replaceAll('public.', '')).toBe(withoutDigests(here.out))
    for (const parts of [1, 2, 7]) {
      const spark = await run(through(`${folder}/in${parts}/`, SPARK))
      expect(spark.err).toBe('')
      expect(withoutDigests(spark.out).replaceAll(`${folder}/in${parts}/`, '')).toBe(withoutDigests(here.out))
    }
  })

  it('looks at the same sample, and at the counts of all records, through all three', async () => {
    const { folder, run } = await written()
    const sampled = `--sample 100 --measures memorisation,${ofCounts.join(',')}`
    const duckdb = await run(`${inFiles} --engine duckdb ${sampled}`)
    expect(duckdb.err).toBe('')
    const answer = withoutDigests(duckdb.out).replaceAll('.parquet', '')
    expect(answer.includes('"sampled": 100')).toBe(original.rows > 100 || released.rows > 100)
    const postgresql = await run(through('public.', POSTGRESQL, sampled))
    expect(withoutDigests(postgresql.out).replaceAll('public.', '')).toBe(answer)
    for (const parts of [1, 7]) {
      const spark = await run(through(`${folder}/in${parts}/`, SPARK, sampled))
      expect(withoutDigests(spark.out).replaceAll(`${folder}/in${parts}/`, '')).toBe(answer)
    }
  })
})
