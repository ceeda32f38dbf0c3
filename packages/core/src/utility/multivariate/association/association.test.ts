import { expect, it } from 'vitest'
import { categorical } from '../../../table/column.js'
import { association, unbiasedRules } from './association.js'

it('a category tells all about itself', () => {
  const sex = categorical(
    'sex',
    Array.from({ length: 500 }, (_, k) => (k < 243 ? 'F' : 'M')),
  )
  expect(association(sex, sex, 'V', { method: 'pearson', rules: unbiasedRules, weights: null })).toBeCloseTo(1, 12)
})
