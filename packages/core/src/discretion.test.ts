import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discretionFor } from './discretion.js'

const publishable = discretionFor('publishable')

describe('numbers of a publishable report', () => {
  it('show no small count, and none that is small by what is left of the whole', () => {
    expect([0, 1, 9].map((n) => publishable.count(n, 2000))).toEqual(Array(3).fill('fewer than 10'))
    expect([1991, 1999, 2000].map((n) => publishable.count(n, 2000))).toEqual(Array(3).fill('nearly all'))
    expect(publishable.count(47, 2000)).toBe('50')
    expect(publishable.count(1234, 2000)).toBe('1,230')
  })

  it('step by ten people or more as shares', () => {
    expect(publishable.share(0.0678, 2000)).toBe('7 %')
    expect(publishable.share(0.0678, 300)).toBe('5 %')
    expect(publishable.share(0.5, 12)).toBe('100 %')
    expect(publishable.share(0.4, 5)).toBe('0 %')
  })

  it('give nothing back by difference: people who differ by fewer than ten look alike from somewhere', () => {
    const wholes = fc.integer({ min: 40, max: 100_000 })
    fc.assert(
      fc.property(
        wholes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        (all, at, more) => {
          const n = Math.round(at * (all - more))
          const shown = (k: number) => [publishable.count(k, all), publishable.share(k / all, all)].join()
          const alike = Array.from({ length: 10 }, (_, k) => n - 5 + k).filter((k) => k >= 0 && k <= all)
          const withThem = alike.filter((k) => shown(k) === shown(n))
          const without = alike.filter((k) => shown(k) === shown(n + more))
          const differences = new Set(withThem.flatMap((a) => without.map((b) => b - a)))
          expect(withThem.length).toBeGreaterThan(1)
          expect(differences.size === 0 || differences.size > 1).toBe(true)
        },
      ),
    )
  })
})

it('are as they are in an internal one', () => {
  const internal = discretionFor('internal')
  expect([internal.count(3, 2000), internal.share(0.0678, 2000)]).toEqual(['3', '6.8 %'])
})
