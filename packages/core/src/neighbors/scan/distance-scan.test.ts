import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { scanInParts } from '../../testing/scan-in-parts.js'
import type { DistanceQuestion } from './distance-scan.js'

const random = stream(1, 'records')
const rows = 400
const records = [
  Array.from({ length: rows }, () => ['a', 'b', 'c', null][random.below(4)]),
  Array.from({ length: rows }, () => (random.below(9) === 0 ? null : random.below(50))),
  Array.from({ length: rows }, () => random.below(1000) / 7),
]
const question: DistanceQuestion = {
  columns: [
    { name: 'level', range: null },
    { name: 'age', range: [0, 49] },
    { name: 'income', range: [Math.min(...records[2].map(Number)), Math.max(...records[2].map(Number))] },
  ],
  queries: records.map((column) => [...column.slice(0, 20), ...column.slice(5, 7)]) as DistanceQuestion['queries'],
  k: 4,
}

/** Every distance worked out. */
function distance(a: number, b: number): number {
  return question.columns.reduce((sum, { range }, j) => {
    const [x, y] = [records[j][a], records[j][b]]
    if (range === null || x === null || y === null) return sum + (x === y ? 0 : 1)
    return (
      sum + Math.abs((Number(x) - range[0]) / (range[1] - range[0]) - (Number(y) - range[0]) / (range[1] - range[0]))
    )
  }, 0)
}

function nearTo(query: number): number[] {
  const sums = Array.from({ length: rows }, (_, row) => distance(query, row))
  const kth = [...sums].sort((a, b) => a - b)[question.k - 1]
  return sums.flatMap((sum, row) => (sum <= kth + 1e-9 ? [row] : []))
}

const near = new Set(Array.from({ length: 20 }, (_, query) => nearTo(query)).flat())
const withEnds = near.size + 2 * question.columns.length

describe('a scan of records', () => {
  it('names the nearest of each query, with all that tie, and hardly anybody else', () => {
    const { named } = scanInParts(question, records)
    expect(named.filter((row) => near.has(row))).toEqual([...near].sort((a, b) => a - b))
    expect(named.length).toBeLessThanOrEqual(withEnds)
    expect(named.length).toBeLessThan(rows / 2)
  })

  it.each([2, 7])(
    'names them in %i parts too, and what parts name beyond is left out when it is scanned again',
    (parts) => {
      const ends = Array.from({ length: parts }, (_, part) => Math.floor(((part + 1) * rows) / parts))
      const { named } = scanInParts(question, records, ends)
      const again = scanInParts(
        question,
        records.map((column) => named.map((row) => column[row])),
      )
      const left = again.named.map((at) => named[at])
      expect(left.filter((row) => near.has(row))).toEqual([...near].sort((a, b) => a - b))
      expect(left.length).toBeLessThanOrEqual(withEnds)
    },
  )

  it('names fewer of a part the more is known of others', () => {
    const named = (ends: readonly number[]) => scanInParts(question, records, ends).named.length
    expect(named([200, 400])).toBeLessThan(
      scanInParts(
        question,
        records.map((column) => column.slice(0, 200)),
      ).named.length +
        scanInParts(
          question,
          records.map((column) => column.slice(200)),
        ).named.length,
    )
  })

  it('counts who has the values of a query', () => {
    const counted = question.queries[0].flatMap((_, query) =>
      records.map((column, j) => column.filter((value) => value === question.queries[j][query]).length),
    )
    expect(scanInParts(question, records, [150, 400]).equal).toEqual(counted)
  })

  it.each([[[rows]], [[150, 151, rows]]])(
    'counts who has several values of a query, and says how near the nearest are, naming nobody (parts to %j)',
    (ends) => {
      const counted = [[0], [2, 1], [0, 1, 2]]
      const different = question.queries.map((column) => column.slice(0, 20))
      const asked = { ...question, queries: different, counted, isNamed: false } as const
      const { named, equal, least } = scanInParts(asked, records, ends)
      expect(named).toEqual([])
      const hasSame = (query: number, row: number, set: readonly number[]) =>
        set.every((j) => records[j][row] === different[j][query])
      for (let query = 0; query < 20; query++) {
        for (const [at, set] of counted.entries())
          expect(equal[query * counted.length + at]).toBe(
            records[0].filter((_, row) => hasSame(query, row, set)).length,
          )
        const sums = records[0].map((_, row) => distance(query, row)).sort((a, b) => a - b)
        for (let k = 0; k < question.k; k++) expect(least[query * question.k + k]).toBeCloseTo(sums[k], 9)
      }
    },
  )

  it('names records that have the ends of the ranges', () => {
    const { named } = scanInParts(question, records)
    for (const [j, { range }] of question.columns.entries())
      for (const end of range ?? []) expect(named.map((row) => records[j][row])).toContain(end)
  })

  it('names the nearest by each of some columns alone, with terms cut off', () => {
    const narrow = {
      ...question,
      columns: question.columns.map((column, j) => (j === 1 ? { ...column, range: [10, 20] as const } : column)),
    }
    const by = [[0, 1], [2]]
    const sums = (query: number, row: number, set: readonly number[]) =>
      set.reduce((sum, j) => {
        const [x, y] = [records[j][query], records[j][row]]
        const { range } = narrow.columns[j]
        if (range === null || x === null || y === null) return sum + (x === y ? 0 : 1)
        return sum + Math.min(1, Math.abs(Number(x) - Number(y)) / (range[1] - range[0]))
      }, 0)
    const expected = new Set(
      by.flatMap((set) =>
        Array.from({ length: 20 }, (_, query) => {
          const all = Array.from({ length: rows }, (_, row) => sums(query, row, set))
          const kth = [...all].sort((a, b) => a - b)[question.k - 1]
          return all.flatMap((sum, row) => (sum <= kth + 1e-9 ? [row] : []))
        }).flat(),
      ),
    )
    for (const ends of [[rows], [150, rows]]) {
      const { named } = scanInParts({ ...narrow, by, clip: true }, records, ends)
      expect(named.filter((row) => expected.has(row))).toEqual([...expected].sort((a, b) => a - b))
      if (ends.length === 1) expect(named.length).toBeLessThanOrEqual(expected.size + 2 * question.columns.length)
    }
  })

  it('takes values as engines give them', () => {
    const asked = { columns: [{ name: 'x', range: null }], queries: [['true', 7, null]], k: 1 }
    const { named, equal } = scanInParts(asked, [[true, 7n, undefined, false, 8n]])
    expect(named).toEqual([0, 1, 2])
    expect(equal).toEqual([1, 1, 1])
    expect(scanInParts(asked, [[]]).named).toEqual([])
  })
})
