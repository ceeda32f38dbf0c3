import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexTable, matcher, OPERATORS, type Predicates, shapeOf } from './predicates.js'

/** Two columns, age with the codes of 20, 30, 40, 50 and a level; -1 is missing. */
const AGE = { name: 'age', numeric: true, cardinality: 4, codes: Int32Array.of(0, 1, 1, 3, -1, 2) }
const SEX = { name: 'sex', numeric: false, cardinality: 2, codes: Int32Array.of(0, 0, 1, 1, 0, -1) }
const table = indexTable('people', [AGE, SEX])

type Condition = readonly [column: number, operator: (typeof OPERATORS)[number], code: number]

function predicate(...conditions: readonly Condition[]): Predicates {
  return {
    width: conditions.length,
    count: 1,
    column: Int32Array.from(conditions, ([column]) => column),
    operator: Uint8Array.from(conditions, ([, operator]) => OPERATORS.indexOf(operator)),
    code: Int32Array.from(conditions, ([, , code]) => code),
  }
}

function rowsOf(...conditions: readonly Condition[]): number[] {
  const found = new Int32Array(6)
  const count = matcher(table)(predicate(...conditions), 0, found)
  return [...found.subarray(0, count)].sort()
}

describe('a predicate', () => {
  it.each<[string, Condition, number[]]>([
    ['age = 30', [0, '=', 1], [1, 2]],
    ['age ≤ 30', [0, '≤', 1], [0, 1, 2]],
    ['age ≥ 40', [0, '≥', 2], [3, 5]],
    ['age < 30', [0, '<', 1], [0]],
    ['age > 40', [0, '>', 2], [3]],
    ['age < 20', [0, '<', 0], []],
    ['age > 50', [0, '>', 3], []],
    ['age missing', [0, 'missing', 4], [4]],
    ['age not missing', [0, 'not missing', 4], [0, 1, 2, 3, 5]],
    ['age ≠ 30, missing being different too', [0, '≠', 1], [0, 3, 4, 5]],
    ['sex = m', [1, '=', 1], [2, 3]],
    ['sex missing', [1, 'missing', 2], [5]],
  ])('%s', (_, condition, rows) => {
    expect(rowsOf(condition)).toEqual(rows)
  })

  it('of two conditions holds where both do; missing values satisfy no comparison', () => {
    expect(rowsOf([0, '≤', 1], [1, '=', 0])).toEqual([0, 1])
    expect(rowsOf([0, '≥', 0], [1, '=', 0])).toEqual([0, 1])
    expect(rowsOf([0, '≠', 1], [1, '≠', 0])).toEqual([3, 5])
  })

  it('stops after one more than asked for, and keeps as many rows as there is room for', () => {
    const match = matcher(table)
    const found = new Int32Array(1)
    expect(match(predicate([0, 'not missing', 4]), 0, found, 1)).toBe(2)
    expect(found[0]).toBe(0)
  })

  it('is told without its values', () => {
    expect(shapeOf(predicate([0, '≥', 2], [1, 'missing', 2]), 0, table.columns)).toBe('age ≥, sex missing')
  })

  it('holds where looking at every row says so', () => {
    const cardinality = 5
    const column = fc.array(fc.integer({ min: -1, max: cardinality - 1 }), { minLength: 30, maxLength: 30 })
    const condition = fc.record({
      operator: fc.constantFrom(...OPERATORS),
      code: fc.integer({ min: 0, max: cardinality - 1 }),
    })
    fc.assert(
      fc.property(
        fc.tuple(column, column, column),
        fc.tuple(condition, condition, condition),
        (columns, conditions) => {
          const all = indexTable(
            'all',
            columns.map((codes, j) => ({ name: `${j}`, numeric: true, cardinality, codes: Int32Array.from(codes) })),
          )
          const given = conditions.map(({ operator, code }, j): Condition => [j, operator, code])
          const found = new Int32Array(30)
          const count = matcher(all)(predicate(...given), 0, found)
          const expected = Array.from({ length: 30 }, (_, row) => row).filter((row) =>
            given.every(([j, operator, code]) => holds(columns[j][row], operator, code)),
          )
          expect([...found.subarray(0, count)].sort((a, b) => a - b)).toEqual(expected)
        },
      ),
    )
  })
})

function holds(value: number, operator: (typeof OPERATORS)[number], code: number): boolean {
  if (operator === 'missing') return value < 0
  if (operator === 'not missing') return value >= 0
  if (operator === '≠') return value !== code
  if (value < 0) return false
  if (operator === '=') return value === code
  if (operator === '≤') return value <= code
  if (operator === '≥') return value >= code
  return operator === '<' ? value < code : value > code
}
