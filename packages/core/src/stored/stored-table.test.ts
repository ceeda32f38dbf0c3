import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { columnOf, tableOf } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { cutFor, sampledRecords } from './sampled-records.js'
import { storedInMemory, TooManyCombinations } from './stored-table.js'

const people = tableOf('people', { sex: ['m', 'f', 'm', 'f'], age: [1, 2, 1, 3] })

describe('a table in memory', () => {
  const stored = storedInMemory(people)

  it('says what it has', async () => {
    expect(stored.schema).toEqual({
      rows: 4,
      columns: [
        { name: 'sex', kind: 'categorical' },
        { name: 'age', kind: 'numeric' },
      ],
    })
    expect(await stored.records()).toBe(people)
    expect(await stored.sample(4, 1)).toBe(people)
  })

  it('looks at equal records once, where that is asked', async () => {
    const columns = [{ name: 'sex', range: null }]
    const asked = { columns, queries: [['m']], k: 2 }
    expect((await stored.scan(asked, 9, { tasks: inline })).numbers).toEqual(Int32Array.of(0, 2))
    const { records } = await stored.scan({ ...asked, once: true }, 9, { tasks: inline })
    expect(records).toEqual(tableOf('people', { sex: ['f', 'm'] }))
    expect(await stored.countDistinct(['sex'])).toBe(2)
    expect(await stored.countDistinct(['age', 'sex'])).toBe(3)
  })

  it('names the same records of a table that is looked at in parts', async () => {
    const rows = 2 ** 17 + 5
    const far = Array.from({ length: rows }, (_, row) => (row === 7 || row === rows - 2 ? 4 : 9 + (row % 3)))
    const scanned = await storedInMemory(tableOf('many', { far })).scan(
      { columns: [{ name: 'far', range: [0, 12] }], queries: [[4]], k: 2 },
      9,
      { tasks: inline },
    )
    expect(scanned.numbers).toEqual(Int32Array.of(7, rows - 2))
    expect([...scanned.equal]).toEqual([2])
    expect([...scanned.least]).toEqual([0, 0])
  })

  it('counts combinations, up to a number', async () => {
    expect(await stored.counts(['age', 'sex'])).toEqual({
      ...tableOf('people', { age: [1, 2, 3], sex: ['m', 'f', 'f'] }),
      times: Int32Array.of(2, 1, 1),
    })
    expect((await stored.counts(['sex'], 2)).rows).toBe(2)
    await expect(stored.counts(['age'], 2)).rejects.toThrow(TooManyCombinations)
  })
})

describe('sets of columns counted together', () => {
  const stored = storedInMemory(tableOf('people', { sex: ['m', null, 'm', 'f'], age: [1, 2, null, 3] }))
  const cuts = new Map([
    ['age', Float64Array.of(1, 2.5)],
    ['sex', new Float64Array()],
  ])

  it('has numbers in classes, and of texts whether there is one', async () => {
    const [sexes, both] = await stored.countsTogether([['sex'], ['age', 'sex']], cuts, 10)
    expect(sexes).toEqual({ ...tableOf('people', { sex: [null, 0] }), times: Int32Array.of(1, 3) })
    expect(both).toEqual({
      ...tableOf('people', { age: [null, 0, 1, 2], sex: [0, 0, null, 0] }),
      times: Int32Array.of(1, 1, 1, 1),
    })
  })

  it('has at most so many combinations in all', async () => {
    expect(await stored.countsTogether([['sex'], ['age']], cuts, 6)).toHaveLength(2)
    await expect(stored.countsTogether([['sex'], ['age']], cuts, 5)).rejects.toThrow(TooManyCombinations)
  })
})

describe('a sample', () => {
  const hash = (text: string) => createHash('md5').update(text).digest('hex')

  it('is of the records whose numbers have the smallest hashes, in their order', () => {
    const hashes = Array.from({ length: 500 }, (_, row) => hash(`7:${row}`))
    const order = [...hashes.keys()].sort((a, b) => (hashes[a] < hashes[b] ? -1 : 1))
    for (const n of [1, 40, 490])
      expect([...sampledRecords(500, n, 7)]).toEqual(order.slice(0, n).sort((a, b) => a - b))
  })

  it('grows with its size, and is another one with another seed', async () => {
    const few = sampledRecords(150, 20, 1)
    expect(few.every((row) => sampledRecords(150, 40, 1).includes(row))).toBe(true)
    expect([...sampledRecords(150, 20, 2)]).not.toEqual([...few])
    const ages = tableOf('ages', { age: Array.from({ length: 150 }, (_, row) => row) })
    expect(columnOf(await storedInMemory(ages).sample(20, 1), 'age')).toEqual({
      kind: 'numeric',
      name: 'age',
      values: Float64Array.from(few),
    })
  })

  it('sorts no more hashes than it needs', () => {
    expect(Number.parseInt(cutFor(1e8, 1e5) ?? '', 16) / 16 ** 12).toBeCloseTo(0.00102594, 8)
    expect(cutFor(100, 60)).toBe(null)
  })
})
