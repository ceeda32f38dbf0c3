import { expect, it } from 'vitest'
import { normalPValue } from './chance.js'

it('a rate far above chance has a small p-value, not none', () => {
  // z = (0.596 - 0.5 - 1 / 2000) / 0.01 = 9.55; R: pnorm(9.55, lower = FALSE)
  const p = normalPValue(0.596, { mean: 0.5, sd: 0.01 }, 1000) ?? 0
  expect(p / 6.4848144530772606e-22).toBeCloseTo(1, 9)
  expect(normalPValue(0.5005, { mean: 0.5, sd: 0.01 }, 1000)).toBeCloseTo(0.5, 12)
  expect(normalPValue(1, { mean: 1, sd: 0 }, 1000)).toBeNull()
})
