import { chmodSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { categorical, numeric, type Table, table, toParquet } from '@scrim/core'
import { afterEach, describe, expect, it } from 'vitest'
import { workplace } from '../../cli/src/testing/run.js'
import { openEngine } from '../src/engines.js'
import { sql } from '../src/sql.js'
import { readRecords } from '../src/stored.js'
import { generatedTable } from './generated.js'
import { executors, POSTGRESQL, SPARK, withPostgreSql, writeFiles, writeTable } from './places.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Passes on what a server says, up to so many bytes or until it is told something, and then hangs up. */
function cutAfter(end: number | string, address: string): Promise<string> {
  const [, host, port] = /@?([\d.]+):(\d+)/.exec(address) ?? []
  return new Promise((done) => {
    const proxy = createServer((client) => {
      const server = connect(Number(port), host)
      let left = typeof end === 'number' ? end : Number.POSITIVE_INFINITY
      const hangUp = () => {
        for (const side of [client, server]) side.destroy()
      }
      client.on('data', (piece) => {
        if (typeof end === 'string' && piece.includes(end)) hangUp()
        else server.write(piece)
      })
      client.on('end', () => server.end())
      server.on('data', (piece) => {
        left -= piece.length
        if (left > 0) client.write(piece)
        else hangUp()
      })
      for (const side of [client, server]) side.on('error', () => {}).on('close', () => client.destroy())
    }).listen(0, '127.0.0.1', () => {
      ends.push(() => proxy.close())
      const own = proxy.address()
      done(address.replace(`:${port}`, `:${typeof own === 'object' ? own?.port : ''}`))
    })
  })
}

describe('a connection that is cut', () => {
  const original = generatedTable(30)
  const flags = '--keys größe --no-match-levels --json answer.json'

  const scans = '--sample 100 --measures memorisation'

  it.each([
    ['Spark', SPARK, 9_000, '--profile quick'],
    ['PostgreSQL', POSTGRESQL, 9_000, '--profile quick'],
    ['Spark, when it scans', SPARK, 'TRANSFORM', scans],
    ['PostgreSQL, when it scans', POSTGRESQL, 'min(', scans],
  ])(
    'of %s is told in one sentence, leaves nothing behind, and --resume ends with the same answer',
    async (_, address, end, more) => {
      const { folder, run, read, files } = workplace()
      chmodSync(folder, 0o755)
      writeFiles(folder, 'cut', original, [1])
      await writeTable('cut', original, join(folder, 'cut.csv'))
      const name = address === SPARK ? `${folder}/in1/cut` : 'cut.public'.split('.').reverse().join('.')
      const before = files()
      const command = `assess ${name} ${name} ${flags} ${more}`
      const broken = await run(`${command} --engine ${await cutAfter(end, address)}`)
      expect(broken).toMatchObject({ code: 1, out: '' })
      expect(broken.err).toMatch(/^scrim: .*(broke|be reached).*\n$/)
      expect(files()).toEqual(before)
      const resumed = await run(`${command} --resume --engine ${address}`)
      expect(resumed.code).toBe(0)
      const answer = read('answer.json')
      expect((await run(`${command} --force --engine ${address}`)).code).toBe(0)
      expect(read('answer.json')).toBe(answer)
    },
  )

  it('by the server of PostgreSQL is told too', async () => {
    await withPostgreSql(async (client) => {
      await client.query(
        'CREATE OR REPLACE VIEW slow AS SELECT g AS a, pg_sleep(0.01)::text AS b FROM generate_series(1, 1000) g',
      )
      const { run } = workplace()
      const running = run(`assess slow slow --engine ${POSTGRESQL}`)
      for (let ended = 0; ended === 0; )
        ended = (
          await client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'scrim' AND query LIKE 'FETCH%' AND state = 'active'",
          )
        ).rows.length
      expect(await running).toMatchObject({
        code: 1,
        err: expect.stringContaining('the connection to PostgreSQL broke'),
      })
    })
  })
})

it('Spark gives the same table when one of its executors is killed while it is read', async () => {
  const { folder } = workplace()
  const data = wide(60_000)
  for (let part = 0; part < 8; part++) writeFileSync(join(folder, `part-${part}.parquet`), toParquet(data))
  const engine = await openEngine(SPARK, { folder, environment: process.env })
  try {
    const source = await engine.open(folder, {})
    const before = executors()
    expect(before.length).toBeGreaterThanOrEqual(1)
    let killed = false
    const whole = await readRecords(source, {})
    const again = await readRecords(
      {
        ...source,
        async *run(query) {
          const answers = source.run(query)[Symbol.asyncIterator]()
          const first = answers.next()
          if (query.text.includes('row_index') && !killed) {
            killed = true
            await new Promise((done) => setTimeout(done, 300))
            process.kill(before[0], 'SIGKILL')
          }
          for (let next = await first; next.done !== true; next = await answers.next()) yield next.value
        },
      },
      {},
    )
    expect(killed).toBe(true)
    expect(executors()).not.toContain(before[0])
    expect(again).toEqual(whole)
  } finally {
    await engine.close()
  }
})

function wide(rows: number): Table {
  return table('wide', [
    numeric(
      'number',
      Float64Array.from({ length: rows }, (_, row) => (row * 7919) % 10_007),
    ),
    categorical(
      'text',
      Array.from({ length: rows }, (_, row) => `text ${(row * 31) % 997}`),
    ),
  ])
}

describe('mistakes', () => {
  it.each([
    [`nobody nobody --engine ${POSTGRESQL}`, /PostgreSQL: .*nobody/],
    [`no.such.table x --engine ${SPARK}`, /TABLE_OR_VIEW_NOT_FOUND/],
    ['nothing.parquet x.parquet --engine duckdb', /there is no file nothing.parquet/],
    [`strange strange --engine ${POSTGRESQL}`, /column "place" has the type point/],
    ['a b --engine postgresql://me:secret@127.0.0.1/x', /must not hold a password/],
    ['a b --engine oracle', /there is no engine "oracle"/],
    ['a b --engine sc://127.0.0.1:1', /Spark cannot be reached/],
  ])('are told in one sentence: %s', async (command, sentence) => {
    await withPostgreSql((client) => client.query('CREATE TABLE IF NOT EXISTS strange (id int, place point)'))
    const { code, out, err } = await workplace().run(`assess ${command}`)
    expect(err).toMatch(sentence)
    expect(err).not.toMatch(/secret|this is a bug/)
    expect(
      err
        .trim()
        .split('\n')
        .every((line) => line.startsWith('scrim: ')),
    ).toBe(true)
    expect(out).toBe('')
    expect([1, 2]).toContain(code)
  })

  it('nothing can be written to PostgreSQL', async () => {
    await withPostgreSql((client) =>
      client.query('CREATE SEQUENCE IF NOT EXISTS numbers; CREATE TABLE IF NOT EXISTS plain (id int)'),
    )
    const engine = await openEngine(POSTGRESQL, { folder: '.', environment: process.env })
    try {
      const { run } = await engine.open('plain', {})
      const counting = async () => {
        for await (const _ of run(sql`SELECT nextval('numbers')`));
      }
      await expect(counting()).rejects.toThrow(/read-only transaction/)
    } finally {
      await engine.close()
    }
  })
})
