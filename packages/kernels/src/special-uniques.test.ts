import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SpecialUniquesSearch, specialUniques } from './special-uniques.js'

type Missing = SpecialUniquesSearch['missing']
type Rows = readonly (readonly number[])[]

function search(rows: Rows, missing: Missing = 'category', maxSize = rows[0].length) {
  const columns = rows[0].map((_, c) => ({
    codes: Int32Array.from(rows, (row) => row[c]),
    cardinality: Math.max(...rows.map((row) => row[c])) + 1,
  }))
  const found = specialUniques({ columns, rows: rows.length, maxSize, missing })
  return Array.from(found.rows, (row, k) => `${row}: ${setOf(found.masks[k])}`).sort()
}

function setOf(mask: number): string {
  return [...mask.toString(2)]
    .reverse()
    .flatMap((bit, c) => (bit === '1' ? [c] : []))
    .join(',')
}

/** The definition, word for word: all subsets of all rows against all other rows. */
function byDefinition(rows: Rows, missing: Missing, maxSize: number): string[] {
  const p = rows[0].length
  const agrees = (a: number, b: number) => {
    if (missing === 'category') return a === b
    return missing === 'noMatch' ? a === b && a >= 0 : a === b || a < 0 || b < 0
  }
  const has = (mask: number, c: number) => (mask & (1 << c)) !== 0
  const isUnique = (i: number, mask: number) => {
    const columns = Array.from({ length: p }, (_, c) => c).filter((c) => has(mask, c))
    if (missing !== 'category' && columns.some((c) => rows[i][c] < 0)) return false
    return rows.every((row, j) => j === i || columns.some((c) => !agrees(rows[i][c], row[c])))
  }
  const sets: string[] = []
  for (const i of rows.keys()) {
    for (let mask = 1; mask < 1 << p; mask++) {
      const smaller = Array.from({ length: p }, (_, c) => c)
        .filter((c) => has(mask, c))
        .map((c) => mask & ~(1 << c))
      const size = smaller.length
      if (size <= maxSize && isUnique(i, mask) && !smaller.some((less) => less > 0 && isUnique(i, less)))
        sets.push(`${i}: ${setOf(mask)}`)
    }
  }
  return sets.sort()
}

describe('specialUniques', () => {
  it('finds the sets of three rows', () => {
    const rows = [
      [2, 0, 0],
      [1, 3, 6],
      [1, 0, 0],
    ]
    expect(search(rows)).toEqual(['0: 0', '1: 1', '1: 2', '2: 0,1', '2: 0,2'])
  })

  it('finds each column of a single row, and nothing where all rows are the same', () => {
    expect(search([[4, 0, 1]])).toEqual(['0: 0', '0: 1', '0: 2'])
    expect(search([[4, -1, 1]], 'category')).toEqual(['0: 0', '0: 1', '0: 2'])
    expect(search([[4, -1, 1]], 'noMatch')).toEqual(['0: 0', '0: 2'])
    expect(search([[4, -1, 1]], 'wildcard')).toEqual(['0: 0', '0: 2'])
    expect(
      search([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([])
  })

  it('lets a missing value agree with nothing or with everything', () => {
    const rows = [
      [1, 1, 1],
      [1, 1, -1],
      [2, 2, 1],
      [2, 2, 2],
      [2, 2, 2],
    ]
    expect(search(rows, 'noMatch')).toEqual(['0: 0,2', '0: 1,2', '2: 0,2', '2: 1,2'])
    expect(search(rows, 'wildcard')).toEqual(['2: 0,2', '2: 1,2'])
  })

  for (const missing of ['category', 'noMatch', 'wildcard'] as const) {
    it(`equals the definition on random tables (${missing})`, () => {
      const tables = fc.integer({ min: 1, max: 6 }).chain((p) =>
        fc.record({
          rows: fc.array(fc.array(fc.integer({ min: -1, max: 3 }), { minLength: p, maxLength: p }), {
            minLength: 1,
            maxLength: 25,
          }),
          maxSize: fc.integer({ min: 1, max: p }),
        }),
      )
      fc.assert(
        fc.property(tables, ({ rows, maxSize }) => {
          expect(search(rows, missing, maxSize)).toEqual(byDefinition(rows, missing, maxSize))
        }),
        { numRuns: 500 },
      )
    })
  }

  it('stops when told to, and says so', () => {
    const columns = [0, 1, 2].map((c) => ({
      codes: Int32Array.from({ length: 27 }, (_, row) => Math.floor(row / 3 ** c) % 3),
      cardinality: 3,
    }))
    const found = specialUniques({ columns, rows: 27, maxSize: 3, missing: 'category', proceed: (nodes) => nodes < 2 })
    expect(found.finished).toBe(false)
    expect(found.nodes).toBe(2)
    expect(specialUniques({ columns, rows: 27, maxSize: 3, missing: 'category' })).toMatchObject({
      finished: true,
      nodes: 6,
    })
  })

  it('finds a rare combination among 100,000 rows', () => {
    const n = 100_000
    const columns = [7, 11, 13].map((cardinality) => ({
      codes: Int32Array.from({ length: n }, (_, row) => row % cardinality),
      cardinality,
    }))
    columns[0].codes[500] = 7
    columns[0].cardinality = 8
    const found = specialUniques({ columns, rows: n, maxSize: 3, missing: 'category' })
    expect([...found.rows]).toEqual([500])
    expect([...found.masks]).toEqual([1])
  })
})
