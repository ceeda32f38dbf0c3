import { expect, it } from 'vitest'
import { numeric } from '../table/column.js'
import { table } from '../table/table.js'
import { anyNumber, endsOfClasses, inClasses, numberClasses } from './number-classes.js'

const age = numeric('age', [30, null, 10, 20, 40])

it('ends where the class is another one, in any order of the numbers', () => {
  expect(endsOfClasses(age.values, [1, -1, 0, 0, 2])).toEqual([20, 30])
  expect(endsOfClasses(age.values, [0, -1, 0, 0, 0])).toEqual([])
})

it('cuts between the numbers of all files, and lets a number of each file stand for a class', () => {
  const files = [age.values, Float64Array.of(12, 14, 16, 33)]
  const classes = numberClasses(age, files, new Set([20, 30]))
  expect([...classes.cuts]).toEqual([25, 31.5])
  expect(classes.typical).toEqual([
    [20, 30, 40],
    [14, 33, 33],
  ])
})

it('has no class after the last number, and cuts no closer than numbers are', () => {
  const [low, high] = [1, 1 + Number.EPSILON]
  const { cuts } = numberClasses(age, [Float64Array.of(low, high)], new Set([low, high]))
  expect(cuts).toHaveLength(1)
  expect(low <= cuts[0] && cuts[0] < high).toBe(true)
})

it('turns counts of classes into counts of numbers, of each file its own', () => {
  const counted = table('counts', [numeric('age', [null, 0, 1]), numeric('w', [1, 1, 2])], Int32Array.of(5, 6, 7))
  const classes = new Map([['age', numberClasses(age, [age.values, Float64Array.of(5, 90)], new Set([20]))]])
  const [ofFirst, ofSecond] = [0, 1].map((file) => inClasses(counted, classes, file))
  expect(ofFirst.columns).toEqual([numeric('age', [null, 20, 40]), numeric('w', [1, 1, 2])])
  expect(ofSecond.columns[0]).toEqual(numeric('age', [null, 5, 90]))
  expect(ofFirst.times).toEqual(counted.times)
  expect(inClasses(counted, new Map([['age', anyNumber('age', 1)]]), 0).columns[0]).toMatchObject({ name: 'age' })
})
