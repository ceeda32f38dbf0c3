import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { type IndexedTable, indexTable, matcher, OPERATORS, type Predicates } from '../../../table/predicates.js'
import { allSingleColumnPredicates, drawNaivePredicates, drawPredicates, samplePredicates } from './predicate-search.js'

const nothing = () => {}

function tableOfCodes(columns: readonly { codes: readonly number[]; numeric: boolean }[]): IndexedTable {
  return indexTable(
    'released',
    columns.map(({ codes, numeric }, j) => ({
      name: `${j}`,
      numeric,
      cardinality: Math.max(...codes, 0) + 1,
      codes: Int32Array.from(codes),
    })),
  )
}

/** "0≥3 1=0" for column 0 at least code 3 and column 1 equal to code 0. */
function told({ width, count, column, operator, code }: Predicates): string[] {
  return Array.from({ length: count }, (_, q) =>
    Array.from({ length: width }, (_, k) => q * width + k)
      .map((at) => `${column[at]}${OPERATORS[operator[at]]}${code[at]}`)
      .join(' '),
  )
}

const search = { width: 2, wanted: 1000, mostAttempts: 100_000, isolating: true, medians: 'at most' } as const

describe('predicates of several columns', () => {
  // Numbers 0 1 2 3 4 and a level; the median is 2, so 3 and 4 are described by "at least".
  const released = tableOfCodes([
    { codes: [0, 1, 2, 3, 4], numeric: true },
    { codes: [0, 0, 1, 1, 1], numeric: false },
  ])

  it('hold for one released record, each found once', () => {
    // 0≤1 1=0 holds for two records, 0≥3 1=1 for two; the level alone never isolates.
    const { predicates } = drawPredicates(released, search, stream(1, 'test'), nothing)
    expect(told(predicates).sort()).toEqual(['0≤0 1=0', '0≤2 1=1', '0≥4 1=1'])
  })

  it('are all that there are, by brute force', () => {
    const column = (numeric: boolean) =>
      fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 12, maxLength: 12 }).map((codes) => ({ codes, numeric }))
    fc.assert(
      fc.property(fc.tuple(column(true), column(false), column(true)), (columns) => {
        const table = tableOfCodes(columns)
        const { predicates } = drawPredicates(table, search, stream(1, 'test'), nothing)
        const found = told(predicates)
        expect(new Set(found).size).toBe(found.length)
        const anything = drawPredicates(
          table,
          { ...search, wanted: 4000, isolating: false },
          stream(2, 'test'),
          nothing,
        )
        const match = matcher(table)
        const isolating = told(anything.predicates).filter(
          (_, q) => match(anything.predicates, q, new Int32Array(0)) === 1,
        )
        expect(found.sort()).toEqual([...new Set(isolating)].sort())
      }),
      { numRuns: 30 },
    )
  })

  it('cut the median either way if asked to', () => {
    // 0≥2 1=1 holds for three records, 0≤2 1=1 for one.
    const { predicates } = drawPredicates(released, { ...search, medians: 'either way' }, stream(1, 'test'), nothing)
    expect(told(predicates).sort()).toEqual(['0≤0 1=0', '0≤2 1=1', '0≥4 1=1'])
    const halves = tableOfCodes([
      { codes: [0, 1, 1, 1, 2], numeric: true },
      { codes: [0, 0, 1, 2, 2], numeric: false },
    ])
    const found = drawPredicates(halves, { ...search, medians: 'either way' }, stream(1, 'test'), nothing)
    expect(told(found.predicates).sort()).toEqual(
      ['0≤0 1=0', '0≥1 1=0', '0≤1 1=1', '0≥1 1=1', '0≤1 1=2', '0≥2 1=2'].sort(),
    )
  })

  it('are the same but for the direction where numbers are reflected, all of them', () => {
    const codes = fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(codes, codes, codes, fc.constantFrom(1, 2, 3), (first, second, level, width) => {
        const of = (turn: (code: number) => number) =>
          tableOfCodes([
            { codes: [0, 4, ...first.map(turn)], numeric: true },
            { codes: [0, 0, ...level], numeric: false },
            { codes: [0, 4, ...second.map(turn)], numeric: true },
          ])
        const all = (table: IndexedTable) =>
          told(
            drawPredicates(table, { ...search, width, medians: 'either way' }, stream(1, 'test'), nothing).predicates,
          )
        const reflected = all(of((code) => (code < 0 ? code : 4 - code))).map((predicate) =>
          predicate.replace(/([02])([≤≥])(\d)/g, (_, j, sign, code) => `${j}${sign === '≤' ? '≥' : '≤'}${4 - code}`),
        )
        expect(reflected.sort()).toEqual(all(of((code) => code)).sort())
      }),
      { numRuns: 100 },
    )
  })

  it('describe a missing value as missing', () => {
    const table = tableOfCodes([
      { codes: [-1, 0, 1, 2], numeric: true },
      { codes: [0, 0, 0, 0], numeric: false },
    ])
    const { predicates } = drawPredicates(table, search, stream(1, 'test'), nothing)
    expect(told(predicates).sort()).toEqual(['0missing3 1=0', '0≤0 1=0', '0≥2 1=0'])
  })

  it('give up after the attempts allowed, and when there is nothing to find', () => {
    expect(
      drawPredicates(released, { ...search, mostAttempts: 7 }, stream(1, 'test'), nothing).attempts,
    ).toBeLessThanOrEqual(7)
    const constant = tableOfCodes([{ codes: [0, 0, 0], numeric: true }])
    const { predicates, attempts } = drawPredicates(constant, { ...search, width: 1 }, stream(1, 'test'), nothing)
    expect(predicates.count).toBe(0)
    expect(attempts).toBe(60)
  })

  it('need not isolate or be new when not asked to', () => {
    const { predicates, attempts } = drawPredicates(
      released,
      { ...search, wanted: 100, isolating: false },
      stream(1, 'test'),
      nothing,
    )
    expect([predicates.count, attempts]).toEqual([100, 100])
    expect(new Set(told(predicates))).toEqual(new Set(['0≤0 1=0', '0≤1 1=0', '0≤2 1=1', '0≥3 1=1', '0≥4 1=1']))
  })
})

describe('predicates of one column', () => {
  it('are the missing one, the ends, and values of one record', () => {
    const released = tableOfCodes([
      { codes: [0, 1, 1, 2, -1], numeric: true },
      { codes: [0, 0, 1, 2, 2], numeric: false },
      { codes: [0, 0, 1, 2, 2], numeric: true },
      { codes: [-1, -1, 0, 0, 0], numeric: true },
    ])
    expect(told(allSingleColumnPredicates(released))).toEqual(['0missing3', '0≤0', '0≥2', '0=0', '0=2', '1=1', '2=1'])
  })

  it('can be sampled', () => {
    const all = allSingleColumnPredicates(tableOfCodes([{ codes: [0, 1, 2, 3], numeric: false }]))
    const some = told(samplePredicates(all, 2, stream(1, 'test')))
    expect(some.length).toBe(2)
    for (const one of some) expect(told(all)).toContain(one)
    expect(told(samplePredicates(all, 9, stream(1, 'test'))).sort()).toEqual(told(all))
  })
})

describe('naive predicates', () => {
  it('use values that the release shows, and operators that fit', () => {
    const released = tableOfCodes([
      { codes: [0, 3, -1], numeric: true },
      { codes: [1, 1, 1], numeric: false },
    ])
    const seen = new Set(told(drawNaivePredicates(released, 1, 2000, stream(1, 'test'))))
    const ofNumber = ['=', '≠', '≤', '≥', '<', '>'].flatMap((operator) => [`0${operator}0`, `0${operator}3`])
    expect([...seen].sort()).toEqual([...ofNumber, '0missing4', '0not missing4', '1=1', '1≠1'].sort())
  })
})
