import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { wilson } from '../../../stats/intervals.js'
import { mean } from '../../../stats/sums.js'
import { indexTable } from '../../../table/predicates.js'
import { allSingleColumnPredicates } from './predicate-search.js'
import { compareWithHoldout, findMatches, type Matches, singledOutRate } from './singled-out.js'

const nothing = () => {}

function column(codes: readonly number[]) {
  return indexTable('table', [{ name: 'x', numeric: false, cardinality: 10, codes: Int32Array.from(codes) }])
}

/** One predicate per level 0, 1, ... on tables of these levels. */
function levels(count: number, original: readonly number[], holdout: readonly number[] | null): Matches {
  const predicates = allSingleColumnPredicates(column(Array.from({ length: count }, (_, level) => level)))
  return findMatches(predicates, column(original), holdout === null ? null : column(holdout), nothing)
}

describe('matches', () => {
  it('count records in both tables and keep who they are', () => {
    const matches = levels(4, [0, 1, 1, 5], [1, 2, 2])
    expect([...matches.inOriginal]).toEqual([1, 2, 0, 0])
    expect([...(matches.inHoldout ?? [])]).toEqual([0, 1, 2, 0])
    expect([...matches.originalRow]).toEqual([0, -1, -1, -1])
    expect([...matches.holdoutRow]).toEqual([-1, 0, -1, -1])
    // Holdout records come after the four of the original.
    expect([...matches.rows]).toEqual([0, 1, 2, 4, 5, 6])
    expect([...matches.start]).toEqual([0, 1, 4, 6, 6])
  })

  it('do not keep the records of a broad predicate', () => {
    const matches = levels(1, new Array(60).fill(0), new Array(5).fill(0))
    expect(matches.inOriginal[0]).toBe(60)
    expect(matches.rows.length).toBe(0)
  })

  it('have no control without a holdout', () => {
    expect(levels(2, [0, 1], null).inHoldout).toBeNull()
  })
})

describe('the share of predicates that single out', () => {
  it('varies as much as so many independent ones', () => {
    // Four single out one person and four nobody: clusters of 4 (.5) = 2 and of -.5 have the squares 4 + 4 (.25) = 5, and
    // (5/4) 5 / 8² = .09766 is the variance of .25 / .09766 = 2.56 predicates.
    const counts = Int32Array.of(1, 1, 1, 1, 0, 0, 2, 3)
    const same = singledOutRate(counts, Int32Array.of(0, 0, 0, 0, -1, -1, -1, -1), 9)
    expect(same).toEqual({ successes: 4, attacks: 8, rate: 0.5, interval: wilson(1.28, 2.56) })
    const different = singledOutRate(counts, Int32Array.of(0, 1, 2, 3, -1, -1, -1, -1), 9)
    // (8/7) 8 (.25) / 8² = 1 / 28: seven predicates.
    expect(different.interval?.lower).toBeCloseTo(wilson(3.5, 7)?.lower ?? Number.NaN, 12)
    // All that fail, or succeed for one person, say nothing of the variance.
    expect(singledOutRate(Int32Array.of(0, 0), Int32Array.of(-1, -1), 9).interval).toEqual(wilson(0, 2))
  })
})

describe('the comparison with the holdout', () => {
  it('cuts the larger table down: two of four records, one of them among two, has chance 2/3', () => {
    const compared = compareWithHoldout(levels(1, [0, 0, 5, 5], [5, 5]), 4, 2, stream(1, 'test'), nothing)
    expect(compared.attack).toBeCloseTo(2 / 3, 12)
    expect(compared.control).toBe(0)
    expect(compared.size).toBe(2)
  })

  it('cuts the holdout down when that is larger', () => {
    const compared = compareWithHoldout(levels(1, [5, 5], [0, 0, 5, 5]), 2, 4, stream(1, 'test'), nothing)
    expect(compared.attack).toBe(0)
    expect(compared.control).toBeCloseTo(2 / 3, 12)
    expect(compared.residual).toBeCloseTo(-2, 12)
  })

  it('of tables of one size counts as it is', () => {
    // Levels 0 and 1 single out in the original, level 2 in the holdout, level 3 in neither.
    const compared = compareWithHoldout(levels(4, [0, 1, 5, 5], [2, 3, 3, 5]), 4, 4, stream(1, 'test'), nothing)
    expect(compared).toMatchObject({ attack: 2, control: 1 })
    // (2/4 - 1/4) / (1 - 1/4)
    expect(compared.residualAtSize).toBeCloseTo(1 / 3, 12)
    expect(compared.residual).toBeCloseTo(1 / 3, 12)
  })

  it('scales to the original: a record given away is in the smaller sample with chance n_H / n_T', () => {
    const compared = compareWithHoldout(levels(4, [0, 1, 2, 3], [5, 5]), 4, 2, stream(1, 'test'), nothing)
    expect(compared.attack).toBeCloseTo(4 * 0.5, 12)
    expect(compared.residualAtSize).toBeCloseTo(0.5, 12)
    expect(compared.residual).toBeCloseTo(1, 12)
  })

  it('has no zero standard error when nothing succeeds', () => {
    const compared = compareWithHoldout(levels(3, [5, 5], [5, 5]), 2, 2, stream(1, 'test'), nothing)
    expect(compared).toMatchObject({ residual: 0, p: 1 })
    // A half success more on either side: √1 / (3 + 2).
    expect(compared.standardError).toBeCloseTo(0.2, 12)
  })

  it('takes predicates that single out one record for one', () => {
    const matches = levels(4, [0, 1, 2, 3], [5, 5, 5, 5])
    const same: Matches = { ...matches, originalRow: matches.originalRow.map(() => 0) }
    const apart = compareWithHoldout(levels(8, [0, 1, 2, 3], [4, 5, 6, 9]), 4, 4, stream(1, 'test'), nothing)
    const mixed = levels(8, [0, 1, 2, 3], [4, 5, 6, 9])
    const together = compareWithHoldout(
      { ...mixed, originalRow: mixed.originalRow.map((row) => (row < 0 ? -1 : 0)) },
      4,
      4,
      stream(1, 'test'),
      nothing,
    )
    expect(together.residual).toBe(apart.residual)
    expect(together.standardError).toBeGreaterThan(1.2 * Number(apart.standardError))
    // All in one cluster says nothing about the spread: the floor remains.
    expect(compareWithHoldout(same, 4, 4, stream(1, 'test'), nothing).standardError).toBeGreaterThan(0)
  })

  it('is undefined when the control always succeeds', () => {
    const compared = compareWithHoldout(levels(2, [0, 1], [0, 1]), 2, 2, stream(1, 'test'), nothing)
    expect(compared).toMatchObject({ residual: null, interval: null, standardError: null })
  })

  it.each([
    ['a larger original', [0, 1, 2, 3, 3], [3, 4]],
    ['a larger holdout', [0, 1, 2], [3, 4, 4, 5, 5]],
    ['equal sizes', [0, 1, 1], [2, 2, 5]],
  ])('has the p of all exchanges, with %s', (_, original, holdout) => {
    const compare = (inside: readonly number[], outside: readonly number[], index: number) =>
      compareWithHoldout(
        levels(5, inside, outside),
        inside.length,
        outside.length,
        stream(1, 'exchange', index),
        nothing,
      )
    const people = [...original, ...holdout]
    const totals = subsets(people.length, original.length).map((chosen) => {
      const one = compare(
        people.filter((_, i) => chosen.has(i)),
        people.filter((_, i) => !chosen.has(i)),
        0,
      )
      return one.attack - one.control
    })
    const { attack, control } = compare(original, holdout, 0)
    const p = totals.filter((total) => total >= attack - control - 1e-9).length / totals.length
    const found = Array.from({ length: 40 }, (_, index) => compare(original, holdout, index).p)
    // Fifty as large of 50 / p exchanges: a standard error of p √((1 - p) / 50), and a bias of less than p / 50.
    const se = p * Math.sqrt((1 - p) / 50 / 40)
    expect(Math.abs((mean(found) ?? Number.NaN) - p)).toBeLessThan(3 * se + p / 50)
  })

  it('stops to exchange people when that cannot change much', () => {
    const none = compareWithHoldout(levels(3, [5, 5], [5, 5]), 2, 2, stream(1, 'test'), nothing)
    expect(none).toMatchObject({ p: 1, permutations: 50 })
    const all = Array.from({ length: 10 }, (_, level) => level)
    const copied = compareWithHoldout(levels(10, all, new Array(10).fill(-1)), 10, 10, stream(1, 'test'), nothing)
    expect(copied).toMatchObject({ p: 0.001, permutations: 999 })
  })
})

function subsets(n: number, size: number): Set<number>[] {
  const found: Set<number>[] = []
  for (let bits = 0; bits < 2 ** n; bits++) {
    const chosen = new Set(Array.from({ length: n }, (_, i) => i).filter((i) => (bits >> i) & 1))
    if (chosen.size === size) found.push(chosen)
  }
  return found
}
