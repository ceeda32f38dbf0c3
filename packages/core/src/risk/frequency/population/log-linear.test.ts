import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allPairs, fitLogLinear } from './log-linear.js'

const cells = (rows: readonly (readonly number[])[]) => ({
  codes: rows[0].slice(0, -1).map((_, v) => Int32Array.from(rows, (row) => row[v])),
  counts: rows.map((row) => row[row.length - 1]),
})

// a, b, c, count
const table = cells([
  [0, 0, 0, 10],
  [0, 0, 1, 4],
  [0, 1, 0, 3],
  [0, 1, 1, 8],
  [1, 0, 0, 6],
  [1, 1, 0, 2],
  [1, 1, 1, 7],
])

describe('log-linear models', () => {
  it('independence is the product of margins', () => {
    const { expected, model, emptyCells } = fitLogLinear(table, [])
    expect(model).toBe('independence')
    expect(emptyCells).toBe(1)
    expect(expected[0]).toBeCloseTo((25 * 20 * 21) / 40 ** 2, 12)
    expect(expected[6]).toBeCloseTo((15 * 20 * 19) / 40 ** 2, 12)
  })

  it('decomposable: product of cliques over separators', () => {
    const { expected, model } = fitLogLinear(table, [
      [0, 1],
      [1, 2],
    ])
    expect(model).toBe('decomposable')
    expect(expected[0]).toBeCloseTo((14 * 16) / 20, 12)
    expect(expected[6]).toBeCloseTo((9 * 15) / 20, 12)
  })

  it('one variable or all of them together is the data themselves', () => {
    expect([...fitLogLinear(table, [[0, 1, 2]]).expected]).toEqual(table.counts)
    expect([
      ...fitLogLinear(
        cells([
          [0, 3],
          [4, 9],
        ]),
        [],
      ).expected,
    ]).toEqual([3, 9])
  })

  it('two-way interactions are fitted iteratively and meet every two-way margin', () => {
    const { expected, model, converged } = fitLogLinear(table, allPairs(3))
    expect(model).toBe('iterative')
    expect(converged).toBe(true)
    // Fitted by loglin in R 4.2.
    const loglin = [10.82194, 3.178065, 2.178065, 8.821935, 5.178065, 2.821935, 6.178065]
    for (const [k, value] of loglin.entries()) expect(expected[k]).toBeCloseTo(value, 4)
  })

  it('iterating a decomposable model would give the same as its closed form', () => {
    const chain = [
      [0, 1],
      [1, 2],
      [2, 3],
    ]
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 24, maxLength: 24 }), (counts) => {
        const rows = counts.map((n, k) => [k % 2, (k >> 1) % 2, (k >> 2) % 2, Math.floor(k / 8), n])
        const closed = fitLogLinear(cells(rows), chain)
        expect(closed.model).toBe('decomposable')
        const total = counts.reduce((a, b) => a + b, 0)
        expect(closed.expected.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 8)
        const cycle = fitLogLinear(cells(rows), [...chain, [3, 0]])
        expect(cycle.model).toBe('iterative')
        const margin = (expected: Float64Array) =>
          rows.reduce((sum, row, k) => sum + (row[0] === 1 && row[1] === 0 ? expected[k] : 0), 0)
        expect(margin(cycle.expected)).toBeCloseTo(margin(closed.expected), 6)
      }),
      { numRuns: 20 },
    )
  })

  it('falls back to independence when the grid is too large, and says so', () => {
    const n = 300
    const wide = {
      codes: [1, 7, 11].map((step) => Int32Array.from({ length: n }, (_, k) => (k * step) % n)),
      counts: new Array(n).fill(1),
    }
    const { model, notes, gridCells } = fitLogLinear(wide, allPairs(3))
    expect(gridCells).toBeGreaterThan(1e7)
    expect(model).toBe('independence')
    expect(notes[0]).toContain('independence')
  })
})
