import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { inline, tableOf } from '@scrim/core'
import { afterEach, describe, expect, it } from 'vitest'
import { filesOf, spillFolder } from './duckdb.js'
import type { Batch, EngineTable } from './engine.js'
import { openEngine } from './engines.js'
import { type Sql, STANDARD_SQL, sql } from './sql.js'
import { readRecords, storedTable } from './stored.js'

/** An engine that knows two statements: how many records there are, and what they are. */
function holding(rows: number, batches: readonly Batch[]): EngineTable & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    name: 'people',
    from: STANDARD_SQL.name('people'),
    fields: [
      { name: 'age', kind: 'number', value: STANDARD_SQL.name('age') },
      { name: 'town', kind: 'text', value: sql`CAST(${STANDARD_SQL.name('town')} AS VARCHAR)` },
    ],
    order: sql`ctid`,
    dialect: STANDARD_SQL,
    notes: [],
    async *run({ text }: Sql) {
      asked.push(text)
      if (text.startsWith('SELECT count')) yield { rows: 1, columns: [[BigInt(rows)]] }
      else yield* batches
    },
  }
}

describe('records', () => {
  const batches = [
    { rows: 2, columns: [Int32Array.of(30, 40), ['Ulm', null]] },
    { rows: 1, columns: [[null], ['Aalen']] },
  ]

  it('come batch by batch and make one table', async () => {
    const source = holding(3, batches)
    const { columns } = await readRecords(source, {})
    expect(columns).toEqual([
      { kind: 'numeric', name: 'age', values: Float64Array.of(30, 40, Number.NaN) },
      { kind: 'categorical', name: 'town', codes: Int32Array.of(1, -1, 0), levels: ['Aalen', 'Ulm'], ordered: false },
    ])
    expect(source.asked).toEqual([
      'SELECT count(*) FROM "people"',
      'SELECT "age", CAST("town" AS VARCHAR) FROM "people" ORDER BY ctid',
    ])
  })

  it('with the tokens and types that the user gives', async () => {
    const { columns } = await readRecords(holding(3, batches), {
      missing: ['Ulm'],
      types: { age: { kind: 'categorical' } },
    })
    expect(columns[0]).toMatchObject({ kind: 'categorical', levels: ['30', '40'] })
    expect(columns[1]).toMatchObject({ levels: ['Aalen'], codes: Int32Array.of(-1, -1, 0) })
  })

  it('are scanned as they come, and it is told how many have', async () => {
    const stored = await storedTable(
      holding(
        3,
        batches.map(({ rows, columns }) => ({ rows, columns: columns.slice(1) })),
      ),
      {},
    )
    const told: [number, number][] = []
    const { numbers, equal } = await stored.scan(
      { columns: [{ name: 'town', range: null }], queries: [['Ulm']], k: 1 },
      10,
      { tasks: inline, progress: (done, all) => told.push([done, all]) },
    )
    expect([...numbers]).toEqual([0])
    expect([...equal]).toEqual([1])
    expect(told).toEqual([
      [2, 3],
      [3, 3],
    ])
  })

  it('are scanned with every digit and nothing where nothing is', async () => {
    const codes = [2n ** 60n, 5n, 2n ** 60n + 1n, null]
    const numbers = [1.5, null, -3, 7]
    const source = holding(5, [
      { rows: 4, columns: [codes, numbers, [null, null, null, null]] },
      { rows: 1, columns: [[null], [null], ['Ulm']] },
    ])
    const kinds = { code: 'number', number: 'number', town: 'text' } as const
    const fields = Object.entries(kinds).map(([name, kind]) => ({ name, kind, value: STANDARD_SQL.name(name) }))
    const stored = await storedTable({ ...source, fields }, {})
    const question = {
      columns: Object.keys(kinds).map((name) => ({ name, range: null })),
      queries: [[null], [null], [null]],
      k: 5,
    }
    const { records } = await stored.scan(question, 10, { tasks: inline })
    expect(records).toEqual(
      tableOf('people', {
        code: [String(2n ** 60n), '5', String(2n ** 60n + 1n), null, null],
        number: [...numbers, null],
        town: [null, null, null, null, 'Ulm'],
      }),
    )
  })

  it('are counted by classes, which are none of the levels declared', async () => {
    const counts = {
      rows: 2,
      columns: [
        [0, null],
        [2, 1],
      ],
    }
    const options = { types: { town: { kind: 'categorical' as const, levels: ['Ulm', 'Aalen'] } } }
    const stored = await storedTable(holding(3, [counts]), options)
    const [towns] = await stored.countsTogether([['town']], new Map([['town', new Float64Array()]]), 10)
    expect(towns.columns).toEqual([{ kind: 'numeric', name: 'town', values: Float64Array.of(Number.NaN, 0) }])
    expect(towns.times).toEqual(Int32Array.of(1, 2))
  })

  it('are counted in statements that every engine takes', async () => {
    const names = Array.from({ length: 70 }, (_, k) => `x${k}`)
    const source = holding(3, [])
    const fields = names.map((name) => ({ name, kind: 'number' as const, value: STANDARD_SQL.name(name) }))
    const stored = await storedTable({ ...source, fields }, {})
    const pairs = names.slice(1).map((name) => ['x0', name])
    expect(await stored.countsTogether([...pairs, names], new Map(), 10)).toHaveLength(70)
    const [, ...statements] = source.asked
    expect(statements.map((text) => text.match(/grouping\(/g)?.length ?? 0)).toEqual([64, 7, 0])
    expect(statements[2]).toMatch(/ GROUP BY 1, 2, .* 70$/)
  })

  it('are said to have tokens where some were given', async () => {
    const tokensWith = async (missing?: string[]) => (await storedTable(holding(3, []), { missing })).schema.hasTokens
    expect([await tokensWith(['99']), await tokensWith([]), await tokensWith()]).toEqual([true, false, false])
  })

  it.each([2, 4])('are refused when %i of 3 were announced', async (rows) => {
    await expect(readRecords(holding(rows, batches), {})).rejects.toThrow('people was changed while it was read')
  })
})

describe('names of files', () => {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  function folderWith(...files: readonly string[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'scrim-engines-'))
    made.push(folder)
    mkdirSync(join(folder, 'parts'))
    for (const file of files) writeFileSync(join(folder, file), '')
    return folder
  }

  it('are one file, a folder or a pattern', () => {
    const folder = folderWith(
      'a.parquet',
      'parts/2.parquet',
      'parts/1.parquet',
      'parts/_SUCCESS',
      'parts/.hidden.parquet',
      'parts/x.txt',
    )
    const names = (name: string) => filesOf(name, folder).map((file) => basename(file))
    expect(names('a.parquet')).toEqual(['a.parquet'])
    expect(names('parts')).toEqual(['1.parquet', '2.parquet'])
    expect(names('parts/?.parquet')).toEqual(['1.parquet', '2.parquet'])
    expect(names('parts/x*')).toEqual(['x.txt'])
    expect(() => names('parts/y*')).toThrow('there is no such file')
    expect(() => names('nothing.csv')).toThrow('there is no file nothing.csv')
    expect(() => names('p*/1.parquet')).toThrow('not in that of a folder')
  })
})

it('what a killed process left of its spilt records is removed, and what others use is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-engines-'))
  const ended = spawnSync(process.execPath, ['--version']).pid
  const [left, used] = [ended, process.ppid].map((id) => join(folder, `scrim-duckdb-${id}-x`))
  for (const path of [left, used]) mkdirSync(path)
  const own = spillFolder(folder)
  expect(readdirSync(folder).sort()).toEqual([basename(own), basename(used)].sort())
  rmSync(folder, { recursive: true })
})

it('an engine that nobody knows is told with those there are', async () => {
  await expect(openEngine('oracle', { folder: '.', environment: {} })).rejects.toThrow(
    /no engine "oracle"; it is one of duckdb, /,
  )
})
