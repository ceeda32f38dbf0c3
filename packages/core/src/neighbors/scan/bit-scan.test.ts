import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { scanInParts } from '../../testing/scan-in-parts.js'
import { bitsInColumn, countsBelow, type Pool, poolOf } from '../in-bits/bits.js'
import type { BitsQuestion } from './bit-scan.js'
import { CannotScan } from './cannot-scan.js'

const random = stream(1, 'records')
const rows = 500
/** Levels, numbers that are missing now and then, and many numbers. */
const values = [
  ['a', 'b', 'c'],
  Array.from({ length: 30 }, (_, k) => k * k),
  Array.from({ length: 400 }, (_, k) => k / 7),
]
const codes = values.map((own, j) =>
  Int32Array.from({ length: rows }, () => random.below(own.length + (j === 1 ? 1 : 0)) + (j === 1 ? 0 : 1)),
)
const records = codes.map((own, j) => Array.from(own, (code) => (code === 0 ? null : values[j][code - 1])))
const ones = new Int32Array(rows).fill(1)
const columns = values.map((own, j) => ({ name: `c${j}`, isNumber: j > 0, values: own }))
const below = codes.map((own, j) => countsBelow(own, values[j].length + 1, ones))
const asked = Array.from({ length: 20 }, (_, k) => 7 * k)
const LOOKS = [
  { charge: 0, k: 5 },
  { charge: 4, k: 2 },
]
const question: BitsQuestion = {
  columns,
  pools: [
    { below, queries: asked.map((row) => codes.map((own) => own[row])), looks: LOOKS },
    // As many records, of which the first column has one level alone.
    {
      below: [Int32Array.of(0, 0, rows, rows, rows), ...below.slice(1)],
      queries: [codes.map((own) => own[3])],
      looks: [LOOKS[0]],
    },
  ],
}

/** All bits worked out. */
function nearTo(pool: Pool, query: number, { charge, k }: (typeof LOOKS)[number]): number[] {
  const bits = Array.from(ones, (_, row) =>
    codes.reduce((sum, own, j) => {
      const isOther = j === 0 && own[row] !== own[query]
      return sum + bitsInColumn(pool, j, own[query], own[row]) - (isOther ? charge : 0)
    }, 0),
  )
  const kth = [...bits].sort((a, b) => b - a)[k - 1]
  return bits.flatMap((own, row) => (own >= kth - 1e-9 ? [row] : []))
}

const poolsOf = question.pools.map((pool) =>
  poolOf(
    columns.map(({ name, isNumber, values: own }, j) => ({
      name,
      codes: codes[j],
      cardinality: own.length + 1,
      numbers: isNumber ? Float64Array.from(own, Number) : null,
    })),
    ones,
    pool.below.map((counts) => Int32Array.from(counts)),
  ),
)
const near = [
  ...new Set([
    ...asked.flatMap((row) => LOOKS.flatMap((look) => nearTo(poolsOf[0], row, look))),
    ...nearTo(poolsOf[1], 3, LOOKS[0]),
  ]),
].sort((a, b) => a - b)

describe('a scan by bits in common', () => {
  it('names who has most in common with each query, with all that tie, in every pool', () => {
    expect(scanInParts(question, records).named).toEqual(near)
    expect(near.length).toBeLessThan(rows / 2)
  })

  it('names them in parts too, beside what else comes with the records', () => {
    const { named, equal } = scanInParts(question, [...records, records[0]], [100, 101, rows])
    expect(named.filter((row) => near.includes(row))).toEqual(near)
    expect(named.length).toBeLessThan(rows)
    expect(equal).toHaveLength(0)
  })

  it('takes what is no number for missing, also as a text', () => {
    const number = { name: 'x', isNumber: true, values: [1, 2] }
    const pool = { below: [[0, 2, 3, 4]], queries: [[0]], looks: [{ charge: 0, k: 1 }] }
    const asked = { columns: [number], pools: [pool] }
    expect(scanInParts(asked, [[1, 'NaN', Number.NaN, 2]]).named).toEqual([1, 2])
  })

  it('takes values as engines give them, and no others', () => {
    const long = { name: 'long', isNumber: false, values: ['12345678901234567890', 'true'] }
    const pool = { below: [[0, 0, 2, 4]], queries: [[1]], looks: [{ charge: 0, k: 1 }] }
    const named = (values: readonly unknown[]) => scanInParts({ columns: [long], pools: [pool] }, [values]).named
    expect(named([12345678901234567890n, true, '12345678901234567890', null])).toEqual([0, 2])
    expect(named([])).toEqual([])
    expect(() => named(['new'])).toThrow(new CannotScan('"long" has values that were not there when they were counted'))
  })
})
