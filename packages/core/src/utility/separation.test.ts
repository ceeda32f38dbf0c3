import fc from 'fast-check'
import { expect, it } from 'vitest'
import { separation } from './separation.js'

it('counts pairs and the widest gap by hand', () => {
  // Scores 0.2 (two originals, one released) and 0.8 (one original, two released).
  const found = separation(Float64Array.of(0.8, 0.2), [1, 2], [2, 1])
  expect(found.u).toBe(2 * 2 + 2 * 0.5 * 1 + 0.5 * 2)
  expect(found.ks).toBeCloseTo(1 / 3, 15)
})

it('is what comparing all pairs gives, ties and all', () => {
  const sample = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(sample, sample, (x, y) => {
      const scores = Float64Array.from([...x, ...y])
      const isOriginal = Array.from(scores, (_, i) => (i < x.length ? 1 : 0))
      const found = separation(
        scores,
        isOriginal,
        isOriginal.map((one) => 1 - one),
      )
      const pairs = x.flatMap((a) => y.map((b) => (b > a ? 1 : b === a ? 0.5 : 0)))
      expect(found.u).toBe(pairs.reduce<number>((sum, one) => sum + one, 0))
      const share = (of: readonly number[], at: number) => of.filter((one) => one <= at).length / of.length
      const gaps = [0, 1, 2, 3, 4, 5, 6].map((at) => Math.abs(share(x, at) - share(y, at)))
      expect(found.ks).toBeCloseTo(Math.max(...gaps), 12)
    }),
  )
})
