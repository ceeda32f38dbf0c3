import { expect, it } from 'vitest'
import { type Column, categorical } from '../../../table/column.js'
import { columnOf } from '../../../table/table.js'
import { describeReference, referenceTable } from '../../../testing/reference.js'
import { association } from '../../../utility/multivariate/association/association.js'
import { plain } from './associations.js'

const withItself = (column: Column) =>
  association(column, column, 'V', { method: 'pearson', rules: plain, weights: null })

it('a category tells all about itself, but for the correction of Yates', () => {
  const sex = categorical(
    'sex',
    Array.from({ length: 500 }, (_, k) => (k < 243 ? 'F' : 'M')),
  )
  expect(withItself(sex)).toBeCloseTo(0.996, 4)
})

describeReference('sex of the running example', async () => {
  it('goes with itself by 0.9960', async () => {
    const sex = columnOf(await referenceTable('golden', 'vignette', 'original.csv'), 'sex')
    expect(withItself(sex)?.toFixed(4)).toBe('0.9960')
  })
})
