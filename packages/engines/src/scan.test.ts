import { CannotScan, inline, type RecordQuestion } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { scanRecords } from './scan.js'

const ROWS = 300_000
const levels = ['a', 'b', 'c']
const columns: readonly (readonly (string | number)[])[] = [
  Array.from({ length: ROWS }, (_, row) => levels[(row * 7) % 3]),
  Array.from({ length: ROWS }, (_, row) => ((row * 7919) % 100_003) / 4),
]
const QUERIES = [5, 1000, 250_000]
const byDistance: RecordQuestion = {
  columns: [
    { name: 'level', range: null },
    { name: 'number', range: [0, 25_000.5] },
  ],
  queries: columns.map((column) => QUERIES.map((row) => column[row])),
  k: 3,
}
const values: readonly (readonly (string | number)[])[] = [
  levels,
  [...new Set(columns[1].map(Number))].sort((a, b) => a - b),
]
const below = values.map((own, j) => {
  const place = new Map(own.map((value, k) => [value, k]))
  const counts = new Array<number>(own.length + 2).fill(0)
  for (const value of columns[j]) counts[(place.get(value) ?? 0) + 2]++
  for (let k = 1; k < counts.length; k++) counts[k] += counts[k - 1]
  return counts
})
const inBits: RecordQuestion = {
  columns: values.map((own, j) => ({ name: `c${j}`, isNumber: j === 1, values: own })),
  pools: [
    {
      below,
      queries: QUERIES.map((row) => columns.map((column, j) => values[j].indexOf(column[row]) + 1)),
      looks: [{ charge: 1, k: 3 }],
    },
  ],
}

const told = [
  { name: 'level', isNumber: false },
  { name: 'number', isNumber: true },
]
const drawing: RecordQuestion = { columns: told, draw: 400, seed: 1 }
/** Numbers of at most some hundredths, where they have a level; those of one are named where they are few. */
const predicates: RecordQuestion = {
  columns: [
    { ...told[0], values: levels },
    { ...told[1], values: [0.25, 5, 500] },
  ],
  seed: 1,
  groups: [
    {
      width: 2,
      count: 3,
      column: [0, 1, 0, 1, 0, 1],
      operator: [0, 1, 0, 1, 0, 1],
      code: [0, 0, 1, 1, 2, 2],
      isNamed: true,
    },
  ],
}

async function* batches(size: number) {
  for (let from = 0; from < ROWS; from += size)
    yield {
      rows: Math.min(size, ROWS - from),
      columns: columns.map((column) => column.slice(from, from + size)),
    }
}

describe.each([
  ['distance', byDistance],
  ['bits in common', inBits],
])('records as they come, by %s', (_, question) => {
  it('are named with their numbers, the same on any number of threads and in batches of any size', async () => {
    const alone = await scanRecords(batches(ROWS), question, 1000, inline)
    expect(alone.near.rows).toBeGreaterThan(QUERIES.length)
    expect(Array.from(alone.near.numbers)).toEqual(expect.arrayContaining(QUERIES))
    for (const [j, column] of alone.near.columns.entries())
      expect(column).toEqual(Array.from(alone.near.numbers, (number) => columns[j][number]))
    for (const threads of [1, 2, 5]) {
      const { near, equal } = await scanRecords(batches(10_007), question, 1000, { ...inline, threads })
      expect(near.numbers).toEqual(alone.near.numbers)
      expect(near.columns).toEqual(alone.near.columns)
      expect(equal).toEqual(alone.equal)
    }
  })

  it('are refused where more are near than are allowed', async () => {
    await expect(scanRecords(batches(50_000), question, 2, { ...inline, threads: 2 })).rejects.toThrow(
      new CannotScan('more than 2 records are near the people looked at'),
    )
  })
})

describe.each([
  ['drawn', drawing],
  ['asked for by predicates', predicates],
  ['counted, and how near the nearest are', { ...byDistance, counted: [[0], [0, 1]], isNamed: false } as const],
])('records that are %s', (_, question) => {
  it('are the same on any number of threads and in batches of any size', async () => {
    const alone = await scanRecords(batches(ROWS), question, 1000, inline)
    for (const threads of [1, 2, 5])
      expect(await scanRecords(batches(10_007), question, 1000, { ...inline, threads })).toEqual(alone)
  })
})

it('as many records are drawn as were asked for, and those are named that few have beside them', async () => {
  expect((await scanRecords(batches(ROWS), drawing, 1000, inline)).near.rows).toBe(400)
  const { near, equal } = await scanRecords(batches(ROWS), predicates, 1000, inline)
  const having = (level: string, most: number) =>
    [...Array(ROWS).keys()].filter((row) => columns[0][row] === level && Number(columns[1][row]) <= most)
  const [few, some, many] = [having('a', 0.25), having('b', 5), having('c', 500)]
  expect([...equal]).toEqual([few.length, some.length, many.length])
  expect(near.numbers).toEqual([...few, ...some].sort((a, b) => a - b))
})
