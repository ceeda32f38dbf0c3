import { describe, expect, it } from 'vitest'
import { valueAt } from '../table/column.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { carryOut } from './candidate.js'
import type { Change } from './change.js'

const values = (table: Table, name: string) =>
  Array.from({ length: table.rows }, (_, row) => valueAt(columnOf(table, name), row))

const original = tableOf('original.csv', {
  age: [21, 22, 35, 36, 70],
  town: ['a', 'b', 'c', 'a', 'a'],
  income: [1, 2, 3, 4, 99],
})
const released = tableOf('released.csv', { age: [22, 36, 36, 71], town: ['b', 'a', 'a', 'c'], income: [2, 3, 4, 50] })
const files = { original, released, holdout: original, population: undefined }
const how = { seed: 1, roles: { keys: ['age'], numericKeys: [], weight: null, household: null } }
const plan: readonly Change[] = [
  { what: '', slot: 'age', method: 'recode', options: { groups: { age: 'fixed:0|30|40' } }, first: true },
  { what: '', slot: 'town', method: 'recode', options: { merge: { town: { other: ['b', 'c', 'z'] } } }, first: true },
  { what: '', slot: 'tails', method: 'top-coding', options: { bounds: { income: [2, 10] } }, first: true },
]

describe('a recoded release', () => {
  it('is compared with people who are recoded alike', async () => {
    const { files: now } = await carryOut(plan, files, how)
    expect(values(now.released, 'age')).toEqual(['<30', '>=30', '>=30', '>=30'])
    expect(values(now.original, 'age')).toEqual(['<30', '<30', '>=30', '>=30', '>=30'])
    expect(values(now.released, 'town')).toEqual(['other', 'a', 'a', 'other'])
    expect(now.holdout && values(now.holdout, 'town')).toEqual(['a', 'other', 'other', 'a', 'a'])
    expect(values(now.original, 'income')).toEqual([2, 2, 3, 4, 10])
    expect(values(now.released, 'income')).toEqual([2, 3, 4, 10])
  })

  it('is as useful as what one can make of it: any value of the class', async () => {
    const { usable } = await carryOut(plan, files, how)
    const ages = values(usable, 'age').map(Number)
    expect([21, 22]).toContain(ages[0])
    for (const age of ages.slice(1)) expect([35, 36, 70, 71]).toContain(age)
    expect(['b', 'c']).toContain(values(usable, 'town')[0])
    expect(values(usable, 'town')[1]).toBe('a')
  })
})
