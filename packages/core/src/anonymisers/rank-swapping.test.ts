import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import type { Stream } from '../random/stream.js'
import { stream } from '../random/stream.js'
import { categorical } from '../table/column.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { partners, rankSwapping } from './rank-swapping.js'

function masked(data: Table, options: object = {}, seed = 1) {
  return anonymise(rankSwapping, data, { seed, options })
}

function values(of: Table, name: string): number[] {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? [...column.codes] : [...column.values]
}

/** A stream whose `below` gives these numbers. */
function scripted(draws: number[]): Stream {
  return { ...stream(1, 'unused'), below: () => draws.shift() ?? 0 }
}

describe('rank swapping', () => {
  it('draws a partner within the window; if taken, the nearest free one to the left, then to the right', () => {
    // Rank 0 draws 0 + 1 + 1 = 2. Rank 1 draws 2, taken; left of it is nothing free above 1; right is 3.
    expect([...partners(6, 2, scripted([1, 0, 0])).partner]).toEqual([2, 3, 0, 1, 5, 4])
    // Rank 0 takes 3; rank 1 draws 3, taken, and moves left to 2.
    expect([...partners(4, 3, scripted([2, 1])).partner]).toEqual([3, 2, 1, 0])
  })

  it('leaves a rank without a free partner where it is', () => {
    expect(partners(3, 1, scripted([0]))).toEqual({ partner: Int32Array.of(1, 0, 2), unswapped: 1 })
  })

  it('keeps the margin exactly, swaps in pairs and stays within the window', () => {
    const cell = fc.option(fc.integer({ min: 0, max: 30 }), { nil: null })
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 80 }),
        fc.integer(),
        fc.integer({ min: 1, max: 100 }),
        (cells, seed, p) => {
          const data = tableOf('t', { x: cells })
          const before = values(data, 'x')
          const after = values(masked(data, { p }, seed).table, 'x')
          expect([...after].sort()).toEqual([...before].sort())
          expect(after.map(Number.isNaN)).toEqual(before.map(Number.isNaN))
          const n = before.filter((value) => !Number.isNaN(value)).length
          const window = Math.floor((n * p) / 100)
          const { partner } = partners(n, window, stream(seed, 'any'))
          for (const [rank, other] of partner.entries()) {
            expect(partner[other]).toBe(rank)
            expect(Math.abs(other - rank)).toBeLessThanOrEqual(window)
          }
        },
      ),
    )
  })

  it('swaps ordered levels as well, and each variable on its own', () => {
    const grade = categorical('grade', ['low', 'mid', 'high', 'mid', null], {
      levels: ['low', 'mid', 'high'],
      ordered: true,
    })
    const data = table('t', [grade, ...tableOf('t', { x: [1, 2, 3, 4, 5], name: ['a', 'b', 'c', 'd', 'e'] }).columns])
    const { table: result, description } = masked(data, { p: 50 })
    expect([...values(result, 'grade')].sort()).toEqual([-1, 0, 1, 1, 2])
    expect(values(result, 'grade')[4]).toBe(-1)
    expect(columnOf(result, 'name')).toBe(columnOf(data, 'name'))
    expect(description).toMatchObject({
      variables: [
        { variable: 'grade', ranked: 4, window: 2 },
        { variable: 'x', ranked: 5 },
      ],
    })
    const alone = masked(data, { p: 50, variables: ['x'] })
    expect(values(alone.table, 'x')).toEqual(values(result, 'x'))
  })

  it('sets the ends to their means when asked to', () => {
    const data = tableOf('t', { x: Array.from({ length: 20 }, (_, k) => k + 1) })
    const { table: result, description } = masked(data, { topPercent: 10, bottomPercent: 15 })
    expect([...values(result, 'x')].sort((a, b) => a - b).slice(0, 4)).toEqual([2, 2, 2, 4])
    expect([...values(result, 'x')].sort((a, b) => a - b).slice(-3)).toEqual([18, 19.5, 19.5])
    expect(description).toMatchObject({ variables: [{ top: 2, bottom: 3 }] })
  })

  it('says when the window is too small to swap anything', () => {
    expect(masked(tableOf('t', { x: [7] })).notes).toEqual([
      'nothing is swapped in "x": 5 % of the records is less than one rank',
    ])
    expect(values(masked(tableOf('t', { x: [3, 3, 3] }), { p: 100 }).table, 'x')).toEqual([3, 3, 3])
  })

  it('depends on the seed only', () => {
    const data = tableOf('t', { x: Array.from({ length: 200 }, (_, k) => k) })
    expect(masked(data, {}, 3)).toEqual(masked(data, {}, 3))
    expect(values(masked(data, {}, 3).table, 'x')).not.toEqual(values(masked(data, {}, 4).table, 'x'))
  })

  it('refuses bad options', () => {
    const data = tableOf('t', { x: [1, 2], s: ['a', 'b'] })
    expect(() => masked(data, { p: 0 })).toThrow(UserError)
    expect(() => masked(data, { variables: ['s'] })).toThrow(/"s" is not numeric or ordered/)
    expect(() => masked(data, { window: 3 })).toThrow(/unknown option "window"/)
  })
})
