import { describe, expect, it } from 'vitest'
import type { CaseInput } from '../case/case.js'
import { openCase } from '../case/open-case.js'
import type { Result } from '../measure.js'
import { measureTask } from '../measure-task.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { type StoredTable, storedInMemory } from '../stored/stored-table.js'
import { columnCounts, sendable } from '../table/release.js'
import { setKey, type Table, table, tableOf } from '../table/table.js'
import { withColumnCounts } from './with-column-counts.js'

/** People whose income goes with their age, and whose weight is one of three, no sum of which is exact; a value is missing now and then. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => [2, 5, 60, 400, 23, 17, 3, 90].map((values) => random.below(values)))
  const plain = tableOf(name, {
    sex: each.map(([sex]) => (sex === 0 ? 'm' : 'f')),
    region: each.map(([, region, , , , unknown]) => (unknown === 0 ? null : `region ${region}`)),
    age: each.map(([, , age]) => 20 + age),
    income: each.map(([, , age, more, unknown]) => (unknown === 0 ? null : (age * 20 + more) / 8)),
    title: each.map(([sex]) => (sex === 0 ? 'Mr' : 'Ms')),
    w: each.map(([, , , , , , weight]) => (weight + 1) / 10),
  })
  const days = Float64Array.from(each, ([, , age, , , , , day]) => 100 * age + day)
  return table(name, [...plain.columns, { kind: 'date', name: 'since', values: days, unit: 'day' }])
}

const original = people('original', 500, 1)
const released = [people('released', 400, 2), people('again', 450, 3)]
const ofColumns = measures.filter((measure) => measure.countedColumns !== undefined)
const named = ofColumns.map((measure) => [measure.id, measure] as const)
const ofUtility = named.filter(([, { role }]) => role === 'utility')
const less = { resamples: 2 }

/** Of samples, with all records counted by columns. */
async function counted(
  said: CaseInput,
  files: readonly Table[] = [original, ...released],
  most = 1e5,
  changed = (stored: StoredTable) => stored,
) {
  const parts = await Promise.all(
    files.map(async (data) => {
      const stored = changed(storedInMemory(data))
      return { stored, table: await stored.sample(100, 1) }
    }),
  )
  const [first, ...others] = parts
  const opened = openCase(said, { original: first.table, released: others.map((part) => part.table) })
  const [ofOriginal, ...ofReleased] = files.map(({ rows }) => ({ records: 100, of: rows }))
  const sampled = { ...opened, release: { ...opened.release, sample: { original: ofOriginal, released: ofReleased } } }
  const ids = ofColumns.map(({ id }) => id)
  return withColumnCounts(sampled, { original: first, released: others }, ids, most)
}

/** Numbers to so many digits: sums run in another order, and controls are drawn from counts instead of records. Numbers of people are of the sample. */
function comparable({ releases }: Result) {
  const findings = releases.map(({ controls: _, exposure, leakage, utility, people, drivers, ...finding }) => ({
    ...finding,
    test: utility?.test,
  }))
  return JSON.parse(
    JSON.stringify(findings, (_, each) =>
      typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(9)) : each,
    ),
  )
}

const SCENES: Readonly<Record<string, CaseInput>> = {
  'of records': { type: 'synthetic', keys: ['sex', 'region'], target: 'age' },
  'with weights': { type: 'synthetic', weight: 'w' },
  'with numbers in groups': { type: 'perturbed', group: { income: '6' } },
}

describe.each(Object.entries(SCENES))('measures of counted columns %s', (_, said) => {
  const files = said.type === 'perturbed' ? [original, people('moved', 500, 4)] : [original, ...released]
  const byColumns = counted(said, files)
  it.each(named)('%s says the same', async (_id, measure) => {
    const options = measure.role === 'utility' ? less : {}
    const byCounts = await measure.run((await byColumns).release, options)
    const [first, ...others] = files
    const whole = await measure.run(openCase(said, { original: first, released: others }).release, options)
    expect(byCounts.releases[0].sample).toBeUndefined()
    expect(byCounts.releases[0].status).toBe('ok')
    expect(comparable(byCounts)).toEqual(comparable(whole))
  })
})

describe('what is drawn from counts', () => {
  const many = { resamples: 20 }
  const byColumns = counted({ type: 'synthetic' }, [original, released[0]])
  it.each(ofUtility)('is for %s what is drawn from records', async (_id, measure) => {
    const whole = openCase({ type: 'synthetic' }, { original, released: released[0] })
    const [here, there] = await Promise.all(
      [await byColumns, whole].map(async ({ release }) => (await measure.run(release, many)).releases[0]),
    )
    for (const control of ['honest', 'nothing'] as const) {
      const [drawn, fromRecords] = [here, there].map(({ controls }) => controls?.[control])
      const error = Math.sqrt((drawn?.se ?? 0) ** 2 + (fromRecords?.se ?? 0) ** 2)
      expect(error).toBeGreaterThan(0)
      expect(Math.abs((drawn?.value ?? 0) - (fromRecords?.value ?? 0))).toBeLessThan(4 * error)
    }
    const [size, expected] = [here, there].map(({ utility }) => utility?.equivalent?.fraction ?? 0)
    expect(size).toBeGreaterThan(0.4 * expected)
    expect(size).toBeLessThan(2.5 * expected)
  })
})

describe('a Case of samples', () => {
  const run = async (id: string, release: Parameters<(typeof measures)[number]['run']>[0], options: object = less) =>
    (await ofColumns.find((measure) => measure.id === id)?.run(release, options))?.releases[0]

  it('leaves columns with too many values to the sample, and says so', async () => {
    const { release } = await counted({ type: 'synthetic' }, undefined, 150)
    const texts = release.notes.map(({ internal }) => internal)
    expect(texts.find((text) => text.startsWith('income:'))).toMatch(
      /^income: more than \d+ combinations in original: only the sample is looked at$/,
    )
    const ks = await run('ks', release)
    expect(ks?.sample).toEqual({ records: 100, of: 400 })
    expect(ks?.sentence).toMatch(/ \(in part of a sample of 100 of 400 records\)$/)
    expect(ks?.warnings).toEqual(['not counted in all records, so that only the sample is looked at: income, since'])
    expect((await run('total-variation', release))?.sample).toBeUndefined()
  })

  it('counts twice as many numbers of a column as combinations', async () => {
    const isCounted = async (said: CaseInput, most: number) => {
      const { release } = await counted({ type: 'synthetic', ...said }, undefined, most)
      return setKey({ columns: ['age'], as: 'values' }) in (columnCounts(release)?.original.by ?? {})
    }
    // Sixty ages, after two sexes and six regions.
    expect(await isCounted({}, 37)).toBe(false)
    expect(await isCounted({}, 38)).toBe(true)
    expect(await isCounted({ weight: 'w' }, 60)).toBe(false)
  })

  it('looks at the sample where nothing could be counted, and where other software asks', async () => {
    const none = await counted({ type: 'synthetic' }, undefined, 1)
    const ks = await run('ks', none.release)
    expect(ks?.sentence).toMatch(/ \(of a sample of 100 of 400 records\)$/)
    expect(ks?.warnings).toEqual([])
    const { release } = await counted({ type: 'synthetic' })
    expect((await run('hellinger', release, { ...less, definition: 'riskutility' }))?.sample).toBeDefined()
    expect((await run('means-frequencies', release, { ...less, within: ['sex'] }))?.sample).toBeDefined()
  })

  it('counts no columns that all records have under other names', async () => {
    const { columns } = released[0]
    const renamed = table(
      'renamed',
      columns.map((column) => (column.name === 'sex' ? { ...column, name: 'gender' } : column)),
    )
    const { release } = await counted({ type: 'synthetic', matchLevels: true }, [original, renamed])
    expect(release.variables).toContain('sex')
    const texts = release.notes.map(({ internal }) => internal)
    expect(texts).toContain('sex: renamed has them under other names: only the sample is looked at')
    expect((await run('missingness', release))?.sample).toEqual({ records: 100, of: 400 })
    expect((await run('ks', release))?.sample).toBeUndefined()
  })

  it('has no classes of what is stored where some of it is read as missing', async () => {
    const { release } = await counted({ type: 'synthetic' }, undefined, 1e7, (stored) => ({
      ...stored,
      schema: { ...stored.schema, hasTokens: true },
      countsTogether: (sets, cuts, most) => {
        for (const name of sets.flat()) expect([...cuts.keys()]).not.toContain(name)
        return stored.countsTogether(sets, cuts, most)
      },
    }))
    expect((await run('missingness', release))?.sample).toEqual({ records: 100, of: 400 })
    expect((await run('tables', release))?.sample).toBeUndefined()
  })

  it('is the same on another thread', async () => {
    const { release } = await counted({ type: 'synthetic' })
    const shared = { release: sendable(release), codes: [], counts: columnCounts(release), used: null, seed: 1 }
    const options = { 'contingency-fidelity': less }
    const there = await measureTask.run(structuredClone({ ...shared, options }), 'contingency-fidelity')
    expect(there.releases[0].sample).toBeUndefined()
    expect(there.releases[0].value).toBe((await run('contingency-fidelity', release))?.value)
  })
})
