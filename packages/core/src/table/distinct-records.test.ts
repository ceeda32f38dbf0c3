import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distinctRecords } from './distinct-records.js'
import { recordsIn, selectRows, tableOf } from './table.js'

const people = tableOf('people', {
  sex: ['m', 'f', 'm', null, 'm', 'f'],
  age: [30, 40, 30, 20, -0, 40],
})

describe('different records', () => {
  it('stand once, sorted by their values, with how often they occur', () => {
    expect(distinctRecords(people)).toEqual({
      ...tableOf('people', { sex: [null, 'f', 'm', 'm'], age: [20, 40, 0, 30] }),
      times: Int32Array.of(1, 2, 1, 2),
    })
  })

  it('are the same for any order of the records, counted at once or in parts', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
        const shuffled = selectRows(people, order)
        expect(distinctRecords(shuffled)).toEqual(distinctRecords(people))
        expect(distinctRecords(distinctRecords(shuffled))).toEqual(distinctRecords(people))
      }),
    )
    expect(recordsIn(distinctRecords(people))).toBe(people.rows)
  })

  it('of a table without columns are none', () => {
    expect(distinctRecords(tableOf('empty', {})).rows).toBe(0)
  })
})
