import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transport } from './assignment.js'

const ones = (n: number) => new Int32Array(n).fill(1)

function assign(matrix: readonly (readonly number[])[]) {
  const rows = matrix.map((row) => Float64Array.from(row))
  return transport({
    supply: ones(rows.length),
    capacity: ones(matrix[0].length),
    costs: (row) => ({ at: null, cost: rows[row] }),
  })
}

describe('transport', () => {
  it('assigns one to one', () => {
    const { flows, total } = assign([
      [4, 1, 3],
      [2, 0, 5],
      [3, 2, 2],
    ])
    expect(flows.map(({ column }) => column)).toEqual([1, 0, 2])
    expect(total).toBeCloseTo(5, 12)
  })

  it('leaves the right row out where there are more rows than columns', () => {
    const d = (x: number, y: number) => Math.abs(x - y)
    const rows = [0.50001, 0.5, 0.9]
    const { flows, total } = assign(rows.map((x) => [d(x, 0.5), d(x, 0.9)]))
    expect(flows.map(({ column }) => column)).toEqual([2, 0, 1])
    expect(total).toBe(0)
  })

  it('moves supplies to capacities', () => {
    const cost = [
      [0, 1, 4],
      [1, 0, 3],
      [4, 3, 0],
    ].map((row) => Float64Array.from(row))
    const { flows } = transport({
      supply: Int32Array.from([2, 1, 1]),
      capacity: Int32Array.from([1, 2, 1]),
      costs: (row) => ({ at: null, cost: cost[row] }),
    })
    expect(flows).toEqual([
      { row: 0, column: 0, amount: 1 },
      { row: 0, column: 1, amount: 1 },
      { row: 1, column: 1, amount: 1 },
      { row: 2, column: 2, amount: 1 },
    ])
  })

  it('is as cheap as the best of all permutations, with prices that prove it', () => {
    const sides = fc.record({ n: fc.integer({ min: 1, max: 5 }), m: fc.integer({ min: 1, max: 5 }) })
    const cell = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(
        sides.chain(({ n, m }) =>
          fc.array(fc.array(cell, { minLength: m, maxLength: m }), { minLength: n, maxLength: n }),
        ),
        (matrix) => {
          const { flows, total, rows, columns } = assign(matrix)
          expect(total).toBeCloseTo(cheapest(matrix), 9)
          const m = matrix[0].length
          const paid = flows.reduce((sum, { row, column }) => sum + (column < m ? matrix[row][column] : 0), 0)
          expect(paid).toBeCloseTo(total, 9)
          for (const [i, row] of matrix.entries())
            for (const [j, cost] of row.entries()) expect(cost - rows[i] - columns[j]).toBeGreaterThan(-1e-9)
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** As many rows as there are columns, chosen and ordered in all ways. */
function cheapest(matrix: readonly (readonly number[])[]): number {
  const [n, m] = [matrix.length, matrix[0].length]
  const best = (row: number, used: number, skipped: number): number => {
    if (row === n) return 0
    let least = skipped < n - m ? best(row + 1, used, skipped + 1) : Number.POSITIVE_INFINITY
    for (let j = 0; j < m; j++)
      if ((used & (1 << j)) === 0) least = Math.min(least, matrix[row][j] + best(row + 1, used | (1 << j), skipped))
    return least
  }
  return best(0, 0, 0)
}
