import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discretionFor, withoutSeeds } from './discretion.js'
import { wilson } from './stats/intervals.js'

const publishable = discretionFor('publishable')

describe('numbers of a publishable report', () => {
  it('show no small count, and none that is small by what is left of the whole', () => {
    expect([0, 1, 9, 14].map((n) => publishable.count(n, 2000))).toEqual(Array(4).fill('fewer than 15'))
    expect([1986, 1999, 2000].map((n) => publishable.count(n, 2000))).toEqual(Array(3).fill('nearly all'))
    expect(publishable.count(47, 2000)).toBe('50')
    expect(publishable.count(1234, 2000)).toBe('1,230')
  })

  it('step by ten people or more as shares, and nothing below one and a half steps is told apart', () => {
    expect(publishable.share(0.0678, 2000)).toBe('7 %')
    expect(publishable.share(0.13, 300)).toBe('15 %')
    expect([-0.4, 0, 0.01].map((share) => publishable.share(share, 1000))).toEqual(Array(3).fill('under 2 %'))
    expect(publishable.share(0.99, 1000)).toBe('over 99 %')
    expect([0.2, 0.8].map((share) => publishable.share(share, 12))).toEqual(['under half', 'over half'])
  })

  it('have bounds that hold, and are the same for all that is small', () => {
    expect(publishable.bounds({ lower: 0.111, upper: 0.398 }, 1000)).toBe('11 % to 40 %')
    expect(publishable.bounds({ lower: -0.2, upper: -0.1 }, 1000)).toBe(
      publishable.bounds({ lower: 0, upper: 0.03 }, 1000),
    )
    expect(publishable.atMost(0.001, 1000)).toBe('4 %')
    expect(publishable.boundValues({ lower: 0.9, upper: 0.999 }, 1000)).toEqual({ lower: 0.9, upper: 1 })
  })

  it('give nothing back by difference: no two reports on overlapping files fix a small count', () => {
    const shown = (n: number, all: number) => {
      const interval = wilson(n, all, 0.9) ?? { lower: 0, upper: 1 }
      const value = publishable.shareValue(n / all, all)
      return [
        publishable.count(n, all),
        publishable.share(n / all, all),
        value,
        publishable.bounds(interval, all),
        publishable.atMost(interval.upper, all),
      ].join()
    }
    fc.assert(
      fc.property(
        fc.integer({ min: 45, max: 6000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        fc.nat(5),
        (all, gone, small, isLeft, ofThem) => {
          // A small count, or one that is small by what is left; `gone` people are in the first file only, some of them counted.
          const n = isLeft ? all - gone - small : small
          const counted = Math.min(ofThem, gone, n)
          const [first, second] = [shown(n, all), shown(n - counted, all - gone)]
          const known = Array.from({ length: all + 1 }, (_, k) => k).filter(
            (k) =>
              Math.abs(k - n) < 60 &&
              shown(k, all) === first &&
              Array.from({ length: gone + 1 }, (_, left) => k - left).some(
                (k2) => k2 >= 0 && k2 <= all - gone && shown(k2, all - gone) === second,
              ),
          )
          expect(known.length).toBeGreaterThan(4)
        },
      ),
      { numRuns: 300 },
    )
  })
})

it('are as they are in an internal one', () => {
  const internal = discretionFor('internal')
  expect([internal.count(3, 2000), internal.share(0.0678, 2000)]).toEqual(['3', '6.8 %'])
  expect(internal.bounds({ lower: -0.2, upper: 1.3 }, 2000)).toBe('-20 % to 100 %')
})

it('text has no seed of a synthesis', () => {
  expect(withoutSeeds('synthesizer.seed=8564')).toBe('synthesizer.seed=…')
  expect(withoutSeeds('{"seed":8564,"m":5} seed 17')).toBe('{"seed":…,"m":5} seed …')
})
