import { expect, it } from 'vitest'
import { valueAt } from '../../../table/column.js'
import { tableOf } from '../../../table/table.js'
import { codedTable, decoded, emptyCodes, nearest, selectRecords } from './coded-records.js'

const people = tableOf('people', { sex: ['f', 'm', null, 'f'], age: [30, 20, 30, null] })
const coded = codedTable(people)

it('codes are levels, or values in ascending order; missing is the last one', () => {
  expect(coded.variables.map(({ labels }) => labels)).toEqual([
    ['f', 'm', '(missing)'],
    ['20', '30', '(missing)'],
  ])
  expect([...coded.codes]).toEqual([0, 1, 1, 0, 2, 1, 0, 2])
  expect([...coded.variables[1].shares]).toEqual([0.25, 0.5, 0.25])
})

it('come back as the table they were', () => {
  const back = decoded('back', coded)
  for (const [j, column] of back.columns.entries())
    for (let row = 0; row < 4; row++) expect(valueAt(column, row)).toBe(valueAt(people.columns[j], row))
  const [first] = decoded('two', selectRecords(coded, [3, 1])).columns
  expect([valueAt(first, 0), valueAt(first, 1)]).toEqual(['f', 'm'])
})

it('a public range adds values that nobody has, on its grid', () => {
  const ranges = new Map([['age', { min: 20, max: 21, decimals: 1 }]])
  const { labels, shares } = codedTable(people, ranges).variables[1]
  expect(labels.slice(0, 4)).toEqual(['20', '20.1', '20.2', '20.3'])
  expect(shares[1]).toBe(0)
})

it('finds the nearest value, the lower of two that are as near', () => {
  const ladder = Float64Array.of(1, 3, 10)
  expect([-5, 2, 2.1, 6.5, 6.6, 99].map((x) => nearest(ladder, x))).toEqual([0, 0, 1, 1, 2, 2])
})

it('takes one byte a code while 256 are enough', () => {
  expect(emptyCodes(coded.variables, 3)).toBeInstanceOf(Uint8Array)
  const wide = [{ ...coded.variables[0], labels: Array.from({ length: 257 }, String) }]
  expect(emptyCodes(wide, 3)).toBeInstanceOf(Uint16Array)
})
