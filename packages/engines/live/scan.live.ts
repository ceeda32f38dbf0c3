import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BitsQuestion,
  CannotScan,
  type CaseInput,
  type DistanceQuestion,
  inline,
  measures,
  numeric,
  openCase,
  type Release,
  readTable,
  selectRows,
  storedInMemory,
  type Table,
  table,
  toParquet,
  withScans,
} from '@scrim/core'
import { demoFiles } from '@scrim/studies'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../src/engines.js'
import { sql } from '../src/sql.js'
import { storedTable } from '../src/stored.js'
import { generatedTable } from './generated.js'
import { executors, POSTGRESQL, processesBelow, SPARK, writeFiles, writeTable } from './places.js'

const folder = mkdtempSync(join(tmpdir(), 'scrim-scan-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OF_RECORDS = [
  'memorisation',
  'memorisation-tail',
  'shared-information',
  'shared-information-tail',
  'linkability',
  'singling-out',
  'membership-audit',
]
const SAID: CaseInput = {
  type: 'synthetic',
  matchLevels: false,
  options: {
    'singling-out': { sample: 40 },
    'membership-audit': { attacks: ['shared values', 'closeness', 'log-ratio'] },
  },
}
const OF_PAIRS = ['reidentification', 'record-linkage']
const PAIRED: CaseInput = { type: 'perturbed', matchLevels: false, keys: ['text', 'größe', 'integer', 'day'] }

/** What is measured, without what is about single records; numbers of people are of the sample. */
function measured(release: Release, ids: readonly string[], said: CaseInput) {
  return Promise.all(
    measures
      .filter(({ id }) => ids.includes(id))
      .map(async (measure) => {
        const [finding] = (await measure.run(release, said.options?.[measure.id])).releases
        const withoutPeople = { name: '', people: 0, shareOfPeople: null, drivers: [] }
        const looks = finding.looks?.map((look) => ({ ...look, ...withoutPeople }))
        return { ...finding, ...withoutPeople, looks }
      }),
  )
}

const demo = await demoFiles(600, 1)
// As files have them: without an order of levels.
const read = (name: string, data: Table) => readTable(`${name}.parquet`, toParquet(data))

/** So many people that some of them are looked for, and the records of others instead of every fifth one, in some columns. */
const many = repeated(generatedTable(5), (row) => row)
const swapped = repeated(generatedTable(5), (row) => (row % 5 === 0 ? row + 7 : row))
const perturbed = table(
  'perturbed',
  many.columns.map((column, k) => (k % 2 === 0 ? swapped.columns[k] : column)),
)

function repeated(data: Table, at: (row: number) => number): Table {
  return selectRows(
    data,
    Int32Array.from({ length: 20_500 }, (_, row) => at(row) % data.rows),
  )
}

describe.each([
  [
    'demo',
    await read('original', demo.original),
    await read('released', demo.cart),
    await read('holdout', demo.holdout),
    SAID,
    OF_RECORDS,
  ],
  [
    'generated',
    await read('original', generatedTable(5)),
    await read('released', generatedTable(6)),
    await read('holdout', generatedTable(7)),
    SAID,
    OF_RECORDS,
  ],
  [
    'paired',
    await read('original', many),
    await read('released', perturbed),
    await read('holdout', generatedTable(7)),
    PAIRED,
    OF_PAIRS,
  ],
])('what scans measure of tables that were sampled: %s', async (scene, original, released, holdout, said, ids) => {
  const files = { original, released, holdout }
  const inMemory = await measured(openCase(said, files).release, ids, said)

  beforeAll(async () => {
    for (const [role, data] of Object.entries(files)) {
      const name = `${scene}_${role}`
      writeFiles(folder, name, data)
      await writeTable(name, data, join(folder, `${name}.csv`))
    }
  })

  it.each([
    ['DuckDB', 'duckdb', '', '.parquet'],
    ['PostgreSQL', POSTGRESQL, 'public.', ''],
    ['Spark in 1 partition', SPARK, `${folder}/in1/`, ''],
    ['Spark in 2 partitions', SPARK, `${folder}/in2/`, ''],
    ['Spark in 7 partitions', SPARK, `${folder}/in7/`, ''],
  ])('is that of all records in memory, to the last bit, through %s', async (_, address, before, after) => {
    const engine = await openEngine(address, { folder, environment: process.env })
    try {
      const sampled = async (role: string) => {
        const stored = await storedTable(await engine.open(`${before}${scene}_${role}${after}`, {}), {})
        return { stored, table: await stored.sample(stored.schema.rows >> 1, 1) }
      }
      const tables = {
        original: await sampled('original'),
        released: [await sampled('released')],
        holdout: await sampled('holdout'),
      }
      const opened = openCase(said, {
        original: tables.original.table,
        released: tables.released[0].table,
        holdout: tables.holdout.table,
      })
      const { release } = await withScans(opened, tables, ids, 1e6)
      const told = release.notes.map(({ internal }) => internal).join()
      for (const id of ids)
        expect(told).toMatch(
          new RegExp(`${id} of \\S+: .* (compared with|put to) all ${original.rows.toLocaleString('en')} original`),
        )
      expect(await measured(release, ids, said)).toEqual(inMemory)
    } finally {
      await engine.close()
    }
  })
})

it('the sample alone is looked at, with a note, where executors have no Node or a table has no order', async () => {
  const engine = await openEngine(`${SPARK}/;node=no-such-node`, { folder, environment: process.env })
  try {
    const asked: DistanceQuestion = { columns: [{ name: 'age', range: null }], queries: [['20 to 24']], k: 1 }
    const scanOf = async (name: string) =>
      (await storedTable(await engine.open(name, {}), {})).scan(asked, 1e6, { tasks: inline })
    await expect(scanOf(`${folder}/in2/demo_original`)).rejects.toThrow(
      new CannotScan('the executors of Spark have no Node'),
    )
    const { run } = await engine.open(`${folder}/in2/demo_original`, {})
    for await (const _ of run(sql`CREATE OR REPLACE TEMPORARY VIEW people AS SELECT '20 to 24' AS age`));
    await expect(scanOf('people')).rejects.toThrow(new CannotScan('its records have no order in Spark'))
  } finally {
    await engine.close()
  }
})

it('the sample alone is looked at, with a note, where an executor refuses to scan', async () => {
  writeFiles(folder, 'refused', await read('original', demo.original), [7])
  const engine = await openEngine(SPARK, { folder, environment: process.env })
  try {
    const stored = await storedTable(await engine.open(`${folder}/in7/refused`, {}), {})
    const values = ['20 to 24']
    const unknown: BitsQuestion = {
      columns: [{ name: 'age', isNumber: false, values }],
      pools: [{ below: [[0, 0, 600]], queries: [[1]], looks: [{ charge: 1, k: 1 }] }],
    }
    await expect(stored.scan(unknown, 1e6, { tasks: inline })).rejects.toThrow(
      new CannotScan('"age" has values that were not there when they were counted'),
    )
    const coarse: DistanceQuestion = { columns: [{ name: 'age', range: null }], queries: [values], k: 1 }
    await expect(stored.scan(coarse, 2, { tasks: inline })).rejects.toThrow(
      new CannotScan('more than 2 records are near the people looked at'),
    )
  } finally {
    await engine.close()
  }
})

it('a scan on Spark names the same records when an executor is killed in the middle of it', async () => {
  const rows = 40_000
  const parts = Array.from({ length: 4 }, (_, part) =>
    table('part', [
      numeric(
        'number',
        Float64Array.from({ length: rows }, (_, row) => ((part * rows + row) * 7919) % 100_003),
      ),
      numeric(
        'other',
        Float64Array.from({ length: rows }, (_, row) => ((part * rows + row) * 104_729) % 99_991),
      ),
    ]),
  )
  mkdirSync(join(folder, 'wide'))
  for (const [k, part] of parts.entries()) writeFileSync(join(folder, 'wide', `part-${k}.parquet`), toParquet(part))
  const values = (name: 'number' | 'other') =>
    Array.from({ length: 3000 }, (_, k) => (k * (name === 'number' ? 37 : 71)) % 9973)
  const question: DistanceQuestion = {
    columns: [
      { name: 'number', range: [0, 100_002] },
      { name: 'other', range: [0, 99_990] },
    ],
    queries: [values('number'), values('other')],
    k: 20,
  }
  const engine = await openEngine(SPARK, { folder, environment: process.env })
  try {
    const stored = await storedTable(await engine.open(join(folder, 'wide'), {}), {})
    const running = stored.scan(question, 1e6, { tasks: inline })
    const kernels = () =>
      executors().filter((id) => processesBelow(id).some(({ args }) => /^node .*scrim-.*\.mjs/.test(args)))
    let busy = kernels()
    while (busy.length === 0) {
      await new Promise((done) => setTimeout(done, 50))
      busy = kernels()
    }
    process.kill(busy[0], 'SIGKILL')
    const scanned = await running
    expect(executors()).not.toContain(busy[0])
    const all = storedInMemory(await stored.records())
    const inMemory = await all.scan(question, 1e6, { tasks: inline })
    expect(inMemory.records.rows).toBeGreaterThan(1000)
    expect([...scanned.equal]).toEqual([...inMemory.equal])
    expect(scanned.records.columns).toEqual(inMemory.records.columns)
  } finally {
    await engine.close()
  }
})
