import { expect, it } from 'vitest'
import { categorical, numeric } from '../table/column.js'
import { coarserWays } from './coarser.js'

it('merges neighbours where levels are in order', () => {
  const levels = ['15 to 19', '20 to 24', '25 to 29', '30 to 34', '100 to 104']
  const [half, ...others] = coarserWays(categorical('age', levels))
  expect(others).toEqual([])
  expect(half).toEqual({
    what: 'age in 2 classes',
    options: {
      merge: { age: { '15 to 24': ['15 to 19', '20 to 24'], '25 to 104': ['25 to 29', '30 to 34', '100 to 104'] } },
    },
  })
})

it('merges rare levels where there is no order', () => {
  const labels = [...Array(60).fill('a'), ...Array(30).fill('b'), ...Array(7).fill('c'), 'd', 'e', 'e'] as string[]
  expect(coarserWays(categorical('region', labels))).toEqual([
    { what: 'region: 2 rare levels as one', options: { merge: { region: { other: ['d', 'e'] } } } },
    { what: 'region: 3 rare levels as one', options: { merge: { region: { other: ['c', 'd', 'e'] } } } },
  ])
})

it('groups numbers between round breaks, and tells no extreme', () => {
  const ages = Array.from({ length: 101 }, (_, k) => k)
  const [, five] = coarserWays(numeric('age', ages))
  expect(five).toEqual({ what: 'age in 5 classes', options: { groups: { age: 'fixed:10|20|40|60|80|90' } } })
})

it('leaves alone what is coarse already', () => {
  expect(coarserWays(categorical('sex', ['f', 'm', 'f']))).toEqual([])
  expect(coarserWays(numeric('children', [0, 1, 2, 1]))).toEqual([])
})
