import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnNames, type StoredTable, storedInMemory, TooManyCombinations, toCsv } from '@scrim/core'
import { afterAll, describe, expect, it } from 'vitest'
import { openEngine } from '../src/engines.js'
import { storedTable } from '../src/stored.js'
import { generatedTable } from './generated.js'
import { POSTGRESQL, SPARK, writeFiles, writeTable } from './places.js'

const folder = mkdtempSync(join(tmpdir(), 'scrim-stored-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function asked<Answer>(address: string, name: string, ask: (stored: StoredTable) => Promise<Answer>) {
  const engine = await openEngine(address, { folder, environment: process.env })
  try {
    return await ask(await storedTable(await engine.open(name, {}), {}))
  } finally {
    await engine.close()
  }
}

/** Where columns of the generated table are cut; of others only whether there is a value is asked. */
const CUTS: Readonly<Record<string, Float64Array>> = {
  integer: Float64Array.of(-500_000, -0.5, 77.25, 1e6),
  decimal: Float64Array.of(0.01, 99.995, 500),
  real: Float64Array.of(-1e-7, 1.5e-12, 12345.678),
  day: Float64Array.of(-1, 0, 9999.5),
  time: Float64Array.of(1.5, 20_000.000001),
}

/** Everything that is asked of a table, of the same table in memory and of the one that the engine has. A sample knows no other levels than its own. */
async function agrees(stored: StoredTable) {
  const here = storedInMemory(await stored.records())
  const names = stored.schema.columns.map(({ name }) => name)
  expect(names).toEqual(columnNames(await here.records()))
  const sets = [...names.map((name) => [name]), names.slice(0, 3), names.toReversed()]
  for (const columns of sets) {
    expect(await stored.counts(columns)).toEqual(await here.counts(columns))
    expect(await stored.countDistinct(columns)).toBe(await here.countDistinct(columns))
  }
  const cuts = new Map(names.map((name) => [name, CUTS[name] ?? new Float64Array()]))
  expect(await stored.countsTogether(sets, cuts, 10_000)).toEqual(await here.countsTogether(sets, cuts, 10_000))
  await expect(stored.countsTogether(sets, cuts, 3)).rejects.toThrow(TooManyCombinations)
  await expect(stored.counts(names, 3)).rejects.toThrow(TooManyCombinations)
  for (const [n, seed] of [
    [1, 1],
    [40, 2],
    [stored.schema.rows - 1, 1],
    [stored.schema.rows, 1],
  ])
    expect(toCsv(await stored.sample(n, seed))).toBe(toCsv(await here.sample(n, seed)))
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('counts and samples of a generated table, %i', (seed) => {
  const data = generatedTable(seed)
  const name = `stored${seed}`
  writeFiles(folder, name, data)

  it('are those of the table in memory, from DuckDB, in one file or in several', async () => {
    await asked('duckdb', `${name}.parquet`, agrees)
    await asked('duckdb', `in7/${name}`, agrees)
  })

  it('are so of CSV, of which there are no samples', async () => {
    await asked('duckdb', `${name}.csv`, async (stored) => {
      const here = storedInMemory(await stored.records())
      const columns = columnNames(data).slice(0, 4)
      expect(await stored.counts(columns)).toEqual(await here.counts(columns))
      await expect(stored.sample(2, 1)).rejects.toThrow('a CSV file must be read whole')
    })
  })

  it('are so from PostgreSQL', async () => {
    await writeTable(name, data, join(folder, `${name}.csv`))
    await asked(POSTGRESQL, name, agrees)
  })

  it.each([1, 7])('are so from Spark, in %i files', async (parts) => {
    await asked(SPARK, join(folder, `in${parts}`, name), agrees)
  })
})
