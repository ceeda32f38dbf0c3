import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logMeanExp, logSumExp, sharesOfLogs } from './log-scale.js'

it('adds what its logarithms stand for', () => {
  expect(logSumExp([Math.log(2), Math.log(3), Math.log(5)])).toBeCloseTo(Math.log(10), 14)
  expect(logMeanExp([Math.log(2), Math.log(4)])).toBeCloseTo(Math.log(3), 14)
  expect(logMeanExp([Math.log(2), Math.log(4), 700], [0.75, 0.25, 0])).toBeCloseTo(Math.log(2.5), 14)
})

it('holds where the numbers themselves do not', () => {
  expect(logSumExp([1000, 1000])).toBeCloseTo(1000 + Math.log(2), 12)
  expect(logSumExp([-1000, -1001])).toBeCloseTo(-1000 + Math.log1p(Math.exp(-1)), 12)
  expect(logSumExp([-Infinity, -3])).toBe(-3)
  expect(logSumExp([-Infinity, -Infinity])).toBe(-Infinity)
  expect(logMeanExp([-Infinity, -Infinity])).toBe(-Infinity)
  const shares = Float64Array.of(2000, 2000 + Math.log(3), -Infinity)
  sharesOfLogs(shares)
  expect([...shares]).toEqual([expect.closeTo(0.25, 12), expect.closeTo(0.75, 12), 0])
})

it('a common factor comes out', () => {
  const logs = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(logs, fc.double({ min: -600, max: 600, noNaN: true }), (all, more) => {
      expect(logSumExp(all.map((log) => log + more))).toBeCloseTo(logSumExp(all) + more, 9)
      const shares = Float64Array.from(all)
      sharesOfLogs(shares)
      expect(shares.reduce((total, share) => total + share, 0)).toBeCloseTo(1, 12)
    }),
  )
})
