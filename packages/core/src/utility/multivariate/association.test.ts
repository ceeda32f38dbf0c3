import { expect, it } from 'vitest'
import { categorical } from '../../table/column.js'
import { columnOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { association } from './association.js'

const rules = (definition: 'scrim' | 'riskutility') => ({ method: 'pearson', definition, weights: null }) as const

it('a category tells all about itself, but for the correction of Yates', () => {
  const half = categorical(
    'sex',
    Array.from({ length: 500 }, (_, k) => (k < 243 ? 'F' : 'M')),
  )
  expect(association(half, half, 'V', rules('scrim'))).toBeCloseTo(1, 12)
  expect(association(half, half, 'V', rules('riskutility'))).toBeCloseTo(0.996, 4)
})

describeReference('sex of the running example', async () => {
  it('goes with itself by 0.9960 as riskutility has it', async () => {
    const sex = columnOf(await referenceTable('golden', 'vignette', 'original.csv'), 'sex')
    expect(association(sex, sex, 'V', rules('riskutility'))?.toFixed(4)).toBe('0.9960')
  })
})
