import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { total } from '../../stats/sums.js'
import { dealtOut, simulatedP } from './table-tests.js'

it('deals out all records, as many of each cell as chance gives', () => {
  const records = Float64Array.of(10_000, 0, 30_000, 60_000)
  const dealt = Array.from({ length: 400 }, (_, draw) => dealtOut(records, 25_000, stream(1, 'dealt', draw)))
  for (const each of dealt) expect(total(each)).toBe(25_000)
  for (const [cell, here] of records.entries()) {
    const share = here / 100_000
    const mean = dealt.reduce((sum, each) => sum + each[cell], 0) / dealt.length
    // Of one dealing, hypergeometric.
    const sd = Math.sqrt(25_000 * share * (1 - share) * 0.75)
    expect(Math.abs(mean - 25_000 * share)).toBeLessThanOrEqual((4 * sd) / Math.sqrt(dealt.length))
  }
})

it('has a p-value for files of many more records than can be dealt one by one', () => {
  const [original, same] = [Float64Array.of(2e7, 5e7, 1), Float64Array.of(2e7 + 900, 5e7 - 900, 2)]
  expect(simulatedP(original, same, stream(1, 'p'), 1999)).toBeGreaterThan(0.05)
  expect(simulatedP(original, Float64Array.of(2.1e7, 4.9e7, 2), stream(1, 'p'), 1999)).toBe(0.01)
})
