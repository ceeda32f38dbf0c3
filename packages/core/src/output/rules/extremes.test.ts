import { expect, it } from 'vitest'
import { PRESETS } from './appetite.js'
import { extremeValues } from './extremes.js'

const { acro } = PRESETS

it('takes a maximum for the value of those who have it', () => {
  const ages = Float64Array.from({ length: 200 }, (_, k) => Math.min(80, k))
  expect(extremeValues('s', 'age', 'max', ages, acro)).toEqual([])
  expect(extremeValues('s', 'age', 'min', ages, acro)).toMatchObject([{ rule: 'extreme', status: 'fail', found: 1 }])
  expect(extremeValues('s', 'age', 'p95', ages, acro)).toEqual([])
  expect(extremeValues('s', 'age', 'p99', ages, acro)).toMatchObject([{ status: 'review', found: 2 }])
  expect(extremeValues('s', 'age', 'median', ages, acro)).toEqual([])
})
