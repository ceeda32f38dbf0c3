import { describe, expect, it } from 'vitest'
import { nelderMead } from './nelder-mead.js'

describe('nelderMead', () => {
  it('finds the minimum of a quadratic and of the banana valley', () => {
    const quadratic = nelderMead(([x, y]) => (x - 3) ** 2 + 10 * (y + 1) ** 2 + 5, [0, 0])
    expect(quadratic.converged).toBe(true)
    expect(quadratic.at[0]).toBeCloseTo(3, 5)
    expect(quadratic.at[1]).toBeCloseTo(-1, 5)
    const banana = nelderMead(([x, y]) => 1 + (1 - x) ** 2 + 100 * (y - x * x) ** 2, [-1.2, 1])
    expect(banana.at[0]).toBeCloseTo(1, 4)
  })

  it('steps around places where the function has no value', () => {
    const found = nelderMead(([x]) => (x <= 0 ? Number.NaN : x - Math.log(x)), [4])
    expect(found.at[0]).toBeCloseTo(1, 5)
  })

  it('says when it did not converge', () => {
    expect(nelderMead(([x]) => -x, [0], { mostSteps: 50 }).converged).toBe(false)
  })
})
