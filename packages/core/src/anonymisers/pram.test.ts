import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { stream } from '../random/stream.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { invariantMatrix, type Matrix, pram } from './pram.js'

function masked(data: Table, options: object = {}, seed = 1) {
  return anonymise(pram, data, { seed, options })
}

function codes(of: Table, name: string): number[] {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? [...column.codes] : []
}

function margin(matrix: Matrix, shares: readonly number[]): number[] {
  return shares.map((_, j) => shares.reduce((total, share, i) => total + share * matrix[i][j], 0))
}

function labels(n: number, of: readonly string[], seed = 5): string[] {
  const random = stream(seed, 'labels')
  return Array.from({ length: n }, () => of[Math.floor(of.length * random.uniform() ** 2)])
}

describe('the invariant matrix', () => {
  it('is R = PQ of the textbook example', () => {
    const R = invariantMatrix(
      [
        [0.9, 0.1],
        [0.2, 0.8],
      ],
      [0.7, 0.3],
    )
    const expected = [
      [0.84432, 0.15568],
      [0.363254, 0.636746],
    ]
    for (const [i, row] of R.entries())
      for (const [j, value] of row.entries()) expect(value).toBeCloseTo(expected[i][j], 6)
    expect(0.5 * R[0][0] + 0.5).toBeCloseTo(0.92216, 6)
    expect(0.5 * R[1][0]).toBeCloseTo(0.181627, 6)
    expect(margin(R, [0.7, 0.3])[0]).toBeCloseTo(0.7, 12)
  })

  it('keeps any margin', () => {
    const weights = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
    const normalise = (row: number[]) => row.map((value) => value / row.reduce((a, b) => a + b, 0))
    fc.assert(
      fc.property(weights, fc.tuple(weights, weights, weights), (raw, rows) => {
        const shares = normalise(raw)
        const R = invariantMatrix(rows.map(normalise), shares)
        for (const row of R) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
        for (const [j, share] of margin(R, shares).entries()) expect(share).toBeCloseTo(shares[j], 12)
      }),
    )
  })
})

describe('pram', () => {
  it('keeps its matrices: invariant, with rows that sum to 1 and at least the diagonal asked for', () => {
    const data = tableOf('t', { x: labels(500, ['a', 'b', 'c']) })
    const [stratum] = masked(data).description.variables[0].strata
    expect(stratum.levels).toEqual(['a', 'b', 'c'])
    for (const row of stratum.matrix) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
    for (const [j, share] of margin(stratum.matrix, stratum.shares).entries())
      expect(share).toBeCloseTo(stratum.shares[j], 12)
    const plain = masked(data, { matrix: 'plain', alpha: 1, pd: 0.7 }).description.variables[0].strata[0]
    for (const [i, row] of plain.matrix.entries()) {
      expect(row[i]).toBeGreaterThanOrEqual(0.7)
      expect(new Set(row.filter((_, j) => j !== i).map((value) => value.toFixed(12))).size).toBe(1)
    }
  })

  it('gives its matrices as transitions reads them: used again they are the same; strata have none for all', () => {
    const data = tableOf('d', { x: labels(200, ['a', 'b', 'c']), g: labels(200, ['u', 'v']) })
    const { transitions } = masked(data, { variables: ['x'] }).description
    expect(masked(data, { variables: ['x'], transitions }).description.transitions).toEqual(transitions)
    expect(masked(data, { variables: ['x'], strata: ['g'] }).description.transitions).toEqual({})
  })

  it('has a fixed diagonal for a reproducible strength', () => {
    const data = tableOf('t', { x: ['a', 'b', 'b', 'a'] })
    const { matrix, expectedChanged } = masked(data, { matrix: 'plain', fixedDiagonal: true, pd: 0.6, alpha: 0.5 })
      .description.variables[0].strata[0]
    expect(matrix[0][0]).toBeCloseTo(0.8, 12)
    expect(matrix[0][1]).toBeCloseTo(0.2, 12)
    expect(expectedChanged).toBeCloseTo(0.2, 12)
  })

  it('redraws values with the probabilities of the matrix and keeps the expected margin', () => {
    const data = tableOf('t', { x: labels(60_000, ['a', 'b', 'c']) })
    const { table: result, description } = masked(data, { alpha: 1 })
    const [{ matrix, shares, n, changed, expectedChanged }] = description.variables[0].strata
    const before = codes(data, 'x')
    const after = codes(result, 'x')
    for (let i = 0; i < 3; i++) {
      const from = before.flatMap((code, row) => (code === i ? [after[row]] : []))
      for (let j = 0; j < 3; j++) {
        const share = from.filter((code) => code === j).length / from.length
        const error = Math.sqrt((matrix[i][j] * (1 - matrix[i][j])) / from.length)
        expect(Math.abs(share - matrix[i][j])).toBeLessThan(5 * error + 1e-9)
      }
      const total = after.filter((code) => code === i).length / n
      expect(Math.abs(total - shares[i])).toBeLessThan(5 * Math.sqrt((shares[i] * expectedChanged) / n))
    }
    expect(Math.abs(changed / n - expectedChanged)).toBeLessThan(5 * Math.sqrt(expectedChanged / n))
  })

  it('works within strata, each with its own levels and shares', () => {
    const data = tableOf('t', { g: ['u', 'u', 'u', 'v', 'v', 'v', null], x: ['a', 'b', 'a', 'c', 'd', null, 'a'] })
    const { table: result, description, notes } = masked(data, { variables: ['x'], strata: ['g'], pd: 0, alpha: 1 })
    expect(description.variables[0].strata.map(({ stratum, levels, n }) => [stratum, levels, n])).toEqual([
      [['u'], ['a', 'b'], 3],
      [['v'], ['c', 'd'], 2],
      [[null], ['a'], 1],
    ])
    const after = codes(result, 'x')
    expect(after.slice(0, 3).every((code) => code < 2)).toBe(true)
    expect(after.slice(3, 5).every((code) => code >= 2)).toBe(true)
    expect(after.slice(5)).toEqual([-1, 0])
    expect(notes).toEqual(['"x" has one level only in 1 of 3 strata and is left as it is there'])
  })

  it('uses a given matrix as it is', () => {
    const data = tableOf('t', { x: ['a', 'b', 'a', null] })
    const swap = {
      x: {
        levels: ['b', 'a', 'z'],
        matrix: [
          [0, 1, 0],
          [1, 0, 0],
          [0, 0, 1],
        ],
      },
    }
    const { table: result, description } = masked(data, { transitions: swap })
    const column = columnOf(result, 'x')
    expect(column.kind === 'categorical' && [...column.codes].map((code) => column.levels[code] ?? null)).toEqual([
      'b',
      'a',
      'b',
      null,
    ])
    expect(description.variables[0].strata[0]).toMatchObject({
      levels: ['b', 'a', 'z'],
      expectedChanged: 1,
      changed: 3,
      matrix: swap.x.matrix,
    })
  })

  it('leaves constants, missing values and one row as they are', () => {
    const { table: result, notes } = masked(tableOf('t', { x: ['a', null, 'a'] }), { pd: 0, alpha: 1 })
    expect(codes(result, 'x')).toEqual([0, -1, 0])
    expect(notes).toEqual(['"x" has one level only and is left as it is'])
    expect(codes(masked(tableOf('t', { x: ['a'] })).table, 'x')).toEqual([0])
  })

  it('changes nothing when every value stays', () => {
    const data = tableOf('t', { x: labels(100, ['a', 'b']) })
    expect(codes(masked(data, { pd: 1 }).table, 'x')).toEqual(codes(data, 'x'))
    expect(codes(masked(data, { alpha: 0 }).table, 'x')).toEqual(codes(data, 'x'))
  })

  it('depends on the seed only, variable by variable', () => {
    const data = tableOf('t', { x: labels(300, ['a', 'b'], 1), y: labels(300, ['c', 'd'], 2) })
    const both = masked(data, { pd: 0.2 })
    expect(both).toEqual(masked(data, { pd: 0.2 }))
    expect(codes(masked(data, { pd: 0.2, variables: ['y'] }).table, 'y')).toEqual(codes(both.table, 'y'))
    expect(codes(masked(data, { pd: 0.2 }, 2).table, 'y')).not.toEqual(codes(both.table, 'y'))
  })

  it('refuses bad options and bad matrices', () => {
    const data = tableOf('t', { x: ['a', 'b'], n: [1, 2] })
    const given = (levels: string[], matrix: number[][]) => () =>
      masked(data, { transitions: { x: { levels, matrix } } })
    expect(() => masked(data, { pd: 2 })).toThrow(UserError)
    expect(() => masked(data, { variables: ['n'] })).toThrow(/"n" is not categorical; recode it first/)
    expect(() => masked(data, { strata: ['x'] })).toThrow(/within its own strata/)
    expect(() => masked(data, { strata: ['z'] })).toThrow(/unknown column "z"/)
    expect(
      given(
        ['a', 'b'],
        [
          [0.9, 0.2],
          [0, 1],
        ],
      ),
    ).toThrow(/the row of "a" sums to 1.1/)
    expect(given(['a', 'b'], [[1, 0]])).toThrow(/must have 2 rows of 2/)
    expect(
      given(
        ['a', 'c'],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    ).toThrow(/has no row for "b"/)
    expect(() => masked(data, { transitions: { q: { levels: ['a'], matrix: [[1]] } } })).toThrow(/not randomised/)
  })
})
