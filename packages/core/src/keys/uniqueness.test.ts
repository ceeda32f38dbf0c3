import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tableOf, tableOfRows } from '../table/table.js'
import { bestSets, countSet, minimalSets, uniquenessOf } from './uniqueness.js'

/** Six people: by sex and age two are alone, by sex and town two, by all three everybody but the twins (four). */
const SIX = tableOfRows(
  'six',
  ['sex', 'age', 'town'],
  [
    ['f', 30, 'A'],
    ['f', 30, 'A'],
    ['f', 40, 'B'],
    ['m', 30, 'A'],
    ['m', 40, 'A'],
    ['m', 40, 'B'],
  ],
)

it('counts every set by hand', () => {
  const { sets, largest } = uniquenessOf(SIX, ['sex', 'age', 'town'])
  expect(largest).toBe(3)
  const unique = Object.fromEntries(sets.map((set) => [set.columns.join(' '), Math.round(6 * set.unique)]))
  expect(unique).toEqual({ sex: 0, age: 0, town: 0, 'sex age': 2, 'sex town': 2, 'age town': 1, 'sex age town': 4 })
})

it('tells distinction and separation', () => {
  // Three f and three m: 2 values in 6 records; 9 of the 15 pairs are of different sex.
  expect(countSet(SIX, ['sex'])).toEqual({ columns: ['sex'], unique: 0, distinction: 2 / 6, separation: 9 / 15 })
})

it('tells what a column adds, over all sets without it', () => {
  // To nothing 0, to sex 2, to town 1, to sex and town 2 people of six.
  expect(uniquenessOf(SIX, ['sex', 'age', 'town']).added.get('age')).toBeCloseTo((0 + 2 + 1 + 2) / 4 / 6, 12)
})

it('finds the smallest sets that single out enough people', () => {
  const all = uniquenessOf(SIX, ['sex', 'age', 'town'])
  const names = (share: number) => minimalSets(all, share).map(({ columns }) => columns.join(' '))
  expect(names(1 / 3)).toEqual(['sex age', 'sex town'])
  expect(names(0.5)).toEqual(['sex age town'])
  expect(names(0.9)).toEqual([])
  expect(bestSets(all, 2, 1)[0].columns).toEqual(['sex', 'age'])
})

it('takes missing for a value', () => {
  expect(countSet(tableOf('t', { a: ['x', null, null, 'y'] }), ['a']).unique).toBe(0.5)
})

it('counts as a table of joined values does', () => {
  const cell = fc.integer({ min: 0, max: 3 })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 40 }), (rows) => {
      const { sets } = uniquenessOf(tableOfRows('t', ['a', 'b', 'c'], rows), ['a', 'b', 'c'])
      for (const { columns, unique, distinction, separation } of sets) {
        const joined = rows.map((row) => columns.map((name) => row['abc'.indexOf(name)]).join())
        const times = joined.map((one) => joined.filter((other) => other === one).length)
        expect(unique).toBeCloseTo(times.filter((f) => f === 1).length / rows.length, 12)
        expect(distinction).toBeCloseTo(new Set(joined).size / rows.length, 12)
        const together = times.reduce((sum, f) => sum + f - 1, 0)
        expect(separation).toBeCloseTo(1 - together / (rows.length * (rows.length - 1)), 12)
      }
    }),
    { numRuns: 50 },
  )
})

it('keeps to sets that can be counted in time', () => {
  const names = Array.from({ length: 10 }, (_, k) => `c${k}`)
  const wide = tableOf('wide', Object.fromEntries(names.map((name) => [name, [1, 2, 2]])))
  expect(uniquenessOf(wide, names, { records: 3 * 55 }).largest).toBe(2)
  expect(uniquenessOf(wide, names, { records: 1 }).largest).toBe(1)
  expect(uniquenessOf(wide, names).largest).toBe(4)
})

it('has nothing to count without columns or records', () => {
  expect(uniquenessOf(SIX, []).sets).toEqual([])
  expect(uniquenessOf(tableOf('none', { a: [] }), ['a']).sets).toEqual([])
})
