import { expect, it } from 'vitest'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { driversOf } from './drivers.js'

const people = tableOf('people', {
  region: Array.from({ length: 60 }, (_, row) => 'nsw'[row % 3]),
  age: Array.from({ length: 60 }, (_, row) => (row === 5 ? null : row)),
})
const pair = release({ original: people, released: people, keys: ['region', 'age'] })

it('names the groups that stand out, with their mean and that of everybody', () => {
  const scores = Float64Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? 0.5 : 0) + (row === 1 ? Number.NaN : 0))
  expect(driversOf(pair, scores)).toEqual([
    {
      column: 'region',
      level: 'n',
      people: 20,
      mean: 0.5,
      lower: 0.5,
      upper: 0.5,
      overall: expect.closeTo(10 / 59, 12),
    },
  ])
})

it('says how surely the mean of a group is known', () => {
  const scores = Float64Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? (row % 2 === 0 ? 1 : 0.5) : 0))
  // Ten of 1 and ten of 0.5: variance 0.25² · 20/19, standard error 0.25 / √19.
  const [{ mean, lower, upper }] = driversOf(pair, scores)
  if (lower === null || upper === null) throw new Error('there are no bounds')
  expect([mean, upper - mean, mean - lower]).toEqual([
    0.75,
    ...[1, 1].map(() => expect.closeTo((1.6448536 * 0.25) / Math.sqrt(19), 6)),
  ])
})

it('names quarters of numbers, and nobody whose value is missing', () => {
  const scores = Float64Array.from({ length: 60 }, (_, row) => (row >= 45 ? 1 : 0))
  const [first] = driversOf(pair, scores)
  expect(first).toMatchObject({ column: 'age', level: '45 and over', people: 15, mean: 1, overall: 0.25 })
})

it('names no group about which nothing is added, even where less than nothing is added about others', () => {
  const scores = Float64Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? 0 : -0.5))
  expect(driversOf(pair, scores)).toEqual([])
})
