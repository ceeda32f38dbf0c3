import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countIds, groupLoosely, groupRows, rowsByGroup } from './group.js'

const coded = (cardinality: number, ...codes: number[]) => ({ codes: Int32Array.from(codes), cardinality })

describe('groupRows', () => {
  it('numbers combinations by first appearance, missing being a value of its own', () => {
    const groups = groupRows([coded(3, 2, 0, 2, -1, 0), coded(2, 1, 1, 1, 0, -1)], 5)
    expect([...groups.ids]).toEqual([0, 1, 0, 2, 3])
    expect(groups.count).toBe(4)
  })

  it('has one group without columns and none without rows', () => {
    expect(groupRows([], 3)).toEqual({ ids: new Int32Array(3), count: 1 })
    expect(groupRows([coded(2)], 0).count).toBe(0)
  })

  it('equals grouping by value for any number of columns and any cardinality, hashed or addressed directly', () => {
    const column = fc.record({
      cardinality: fc.constantFrom(1, 3, 70_000, 2_000_000),
      codes: fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 12, maxLength: 12 }),
    })
    fc.assert(
      fc.property(fc.array(column, { maxLength: 5 }), (raw) => {
        const columns = raw.map(({ cardinality, codes }) =>
          coded(cardinality, ...codes.map((code) => (code === 2 ? cardinality - 1 : Math.min(code, cardinality - 1)))),
        )
        const { ids, count } = groupRows(columns, 12)
        const seen = new Map<string, number>()
        const expected = Array.from({ length: 12 }, (_, row) => {
          const key = columns.map((one) => one.codes[row]).join(',')
          if (!seen.has(key)) seen.set(key, seen.size)
          return seen.get(key)
        })
        expect([...ids]).toEqual(expected)
        expect(count).toBe(seen.size)
        const loose = groupLoosely(columns, 12)
        const first = [...new Set(loose.ids)]
        expect([...loose.ids].map((id) => first.indexOf(id))).toEqual(expected)
        expect(first.every((id) => id >= 0 && id < loose.count)).toBe(true)
      }),
    )
  })
})

it('counts and sorts rows by group, leaving out negative ids', () => {
  const ids = Int32Array.from([1, 0, -1, 1, 2])
  expect([...countIds(ids, 3)]).toEqual([1, 2, 1])
  const sorted = rowsByGroup(ids, 3)
  expect([...sorted.rows]).toEqual([1, 0, 3, 4])
  expect([...sorted.start]).toEqual([0, 1, 3, 4])
})
