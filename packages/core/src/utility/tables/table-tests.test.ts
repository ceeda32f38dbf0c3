import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { simulatedP } from './table-tests.js'

it('has a p-value for files of many more records than can be dealt one by one', () => {
  const [original, same] = [Float64Array.of(2e7, 5e7, 1), Float64Array.of(2e7 + 900, 5e7 - 900, 2)]
  expect(simulatedP(original, same, stream(1, 'p'), 1999)).toBeGreaterThan(0.05)
  expect(simulatedP(original, Float64Array.of(2.1e7, 4.9e7, 2), stream(1, 'p'), 1999)).toBe(0.01)
})
