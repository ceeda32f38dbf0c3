import { expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { supportLeak } from './support-leak.js'

const original = tableOf('original', {
  sex: ['f', 'f', 'm', 'm'],
  age: [30, 30, 41, 52],
  income: [1000, 2000, 3000, null],
})

it('is the share of released numbers that one original record alone has', () => {
  const released = tableOf('released', {
    sex: ['f', 'f', 'm', 'm'],
    age: [41, 30, 30, 30],
    income: [2000, 2000, null, 1500],
  })
  expect(supportLeak(original, [released])).toEqual({
    share: 3 / 7,
    variables: [
      { variable: 'age', share: 1 / 4 },
      { variable: 'income', share: 2 / 3 },
    ],
  })
  expect(supportLeak(original, [original, released])).toMatchObject({ share: 8 / 14 })
})

it('has no value without numbers', () => {
  const levels = tableOf('levels', { sex: ['f', 'm'] })
  expect(supportLeak(levels, [levels])).toEqual({ share: null, variables: [] })
  const empty = tableOf('empty', { income: [null, null] })
  expect(supportLeak(original, [empty])).toEqual({ share: null, variables: [{ variable: 'income', share: null }] })
})
