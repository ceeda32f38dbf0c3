import { describe, expect, it } from 'vitest'
import { positiveDisclosure, privacyScore, systemAnonymity } from './disclosure-scores.js'

describe('scores of assigned numbers', () => {
  it('the largest gain of a belief', () => {
    expect(positiveDisclosure([0.3, 0.4, 0.3], [0.6, 0.3, 0.1])).toBeCloseTo(1, 12)
    expect(positiveDisclosure([0.05, 0.95], [0.15, 0.85])).toBeCloseTo(2, 12)
    expect(() => positiveDisclosure([0, 1], [0.5, 0.5])).toThrow(/positive/)
  })

  it('sensitivity times visibility', () => {
    expect(privacyScore([0.2, 0.8, 0.6], [100, 20, 50])).toEqual({
      score: 66,
      normalised: expect.closeTo(0.4125, 12),
    })
    expect(privacyScore([0.9, 1], [5, 2]).score).toBe(6.5)
    expect(privacyScore([1], [0]).normalised).toBeNull()
  })

  it('how many assignments of messages to senders are possible', () => {
    expect(systemAnonymity([1, 1, 0, 1, 0, 1, 0, 1, 1], 3)).toBeCloseTo(0.386853, 6)
    expect(systemAnonymity(new Array(9).fill(1), 3)).toBe(1)
    expect(systemAnonymity([1, 0, 0, 1], 2)).toBe(0)
    expect(systemAnonymity([0, 0, 0, 0], 2)).toBe(0)
    expect(systemAnonymity([1], 1)).toBe(0)
    expect(() => systemAnonymity(new Array(625).fill(1), 25)).toThrow(/at most 24/)
  })
})
