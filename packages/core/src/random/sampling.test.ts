import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chiSquaredUpper } from '../stats/distributions.js'
import {
  permutation,
  sampleWithoutReplacement,
  sampleWithReplacement,
  shuffle,
  split,
  stratifiedFolds,
} from './sampling.js'
import { type Stream, stream } from './stream.js'

const SUSPICIOUS = 1e-6

/** p-value of the chi-squared test that all `outcomes` results of `draw` are equally likely. */
function evenness(draw: () => ArrayLike<number>, outcomes: number, draws = 30_000): number {
  const counts = new Map<string, number>()
  for (let i = 0; i < draws; i++) {
    const outcome = Array.from(draw()).join()
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  expect(counts.size).toBe(outcomes)
  const expected = draws / outcomes
  let statistic = 0
  for (const count of counts.values()) statistic += (count - expected) ** 2 / expected
  return chiSquaredUpper(statistic, outcomes - 1)
}

const streams = fc.nat().map((index) => stream(1, 'sampling', index))

/** A population and a number of its members, often few of many. */
const nAndK = fc.integer({ min: 1, max: 3000 }).chain((n) => fc.tuple(fc.constant(n), fc.nat(n)))

/** A change of any of these is a change of every stochastic result for every user. */
const FROZEN = {
  permutation: [1, 0, 3, 5, 8, 6, 7, 4, 9, 2],
  withReplacement: [2, 2, 5, 5, 7, 5, 5, 8],
  withoutReplacement: [2, 3, 6, 7, 8],
  sparse: [508962634, 570336133, 1135900313, 1274181690, 1668992847],
  folds: [1, 0, 0, 2, 0, 1, 2, 2, 1, 0],
}

describe('shuffle and permutation', () => {
  it('have the same bits for ever', () => {
    expect([...permutation(stream(1, 'frozen'), 10)]).toEqual(FROZEN.permutation)
  })

  it('every order of four is equally likely', () => {
    const source = stream(1, 'orders')
    expect(evenness(() => permutation(source, 4), 24)).toBeGreaterThan(SUSPICIOUS)
  })

  it('a permutation is a permutation', () => {
    fc.assert(
      fc.property(streams, fc.nat(2000), (source, n) => {
        expect([...permutation(source, n).sort()]).toEqual(Array.from({ length: n }, (_, i) => i))
      }),
    )
  })

  it('a shuffle keeps the elements, of arrays of any kind', () => {
    const letters = [...'abcdefgh']
    shuffle(stream(1, 'letters'), letters)
    expect(letters.toSorted().join('')).toBe('abcdefgh')
    const numbers = Float64Array.of(1, 2, 3)
    shuffle(stream(1, 'numbers'), numbers)
    expect([...numbers.sort()]).toEqual([1, 2, 3])
    const none: number[] = []
    shuffle(stream(1, 'none'), none)
    expect(none).toEqual([])
  })
})

describe('sampleWithReplacement', () => {
  it('has the same bits for ever', () => {
    expect([...sampleWithReplacement(stream(1, 'frozen'), 10, 8)]).toEqual(FROZEN.withReplacement)
  })

  it('every sample of 2 from 5 is equally likely', () => {
    const source = stream(1, 'with')
    expect(evenness(() => sampleWithReplacement(source, 5, 2), 25)).toBeGreaterThan(SUSPICIOUS)
  })

  it('of none is empty, from none impossible', () => {
    expect(sampleWithReplacement(stream(1, 'a'), 0, 0)).toHaveLength(0)
    expect(() => sampleWithReplacement(stream(1, 'a'), 0, 1)).toThrow(RangeError)
  })
})

describe('sampleWithoutReplacement', () => {
  it('has the same bits for ever', () => {
    expect([...sampleWithoutReplacement(stream(1, 'frozen'), 10, 5)]).toEqual(FROZEN.withoutReplacement)
    expect([...sampleWithoutReplacement(stream(1, 'frozen'), 2 ** 31, 5)]).toEqual(FROZEN.sparse)
  })

  it('has no repeats and stays in range', () => {
    fc.assert(
      fc.property(streams, nAndK, (source, [n, k]) => {
        const rows = sampleWithoutReplacement(source, n, k)
        expect(rows).toHaveLength(k)
        expect(new Set(rows).size).toBe(k)
        expect(rows.every((row) => row >= 0 && row < n)).toBe(true)
      }),
    )
  })

  it('every ordered sample is equally likely, drawn sparsely or not', () => {
    const source = stream(1, 'without')
    expect(evenness(() => sampleWithoutReplacement(source, 5, 2), 20)).toBeGreaterThan(SUSPICIOUS)
    expect(evenness(() => sampleWithoutReplacement(source, 33, 2), 33 * 32, 100_000)).toBeGreaterThan(SUSPICIOUS)
  })

  it('refuses more than there are', () => {
    expect(() => sampleWithoutReplacement(stream(1, 'a'), 3, 4)).toThrow('cannot draw 4 different rows from 3')
  })
})

describe('stratifiedFolds', () => {
  const strataAndFolds = fc.tuple(
    fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 300 }).map((codes) => Int32Array.from(codes)),
    fc.integer({ min: 1, max: 12 }),
  )

  function spread(folds: Iterable<number>, k: number): number {
    const sizes = new Int32Array(k)
    for (const fold of folds) sizes[fold]++
    return Math.max(...sizes) - Math.min(...sizes)
  }

  it('has the same bits for ever', () => {
    const strata = Int32Array.of(0, 0, 0, 0, 1, 1, 1, -1, -1, 2)
    expect([...stratifiedFolds(stream(1, 'frozen'), strata, 3)]).toEqual(FROZEN.folds)
  })

  it('fold sizes differ by at most one within each stratum and over all rows', () => {
    fc.assert(
      fc.property(streams, strataAndFolds, (source, [strata, k]) => {
        const folds = stratifiedFolds(source, strata, k)
        expect(folds).toHaveLength(strata.length)
        expect(spread(folds, k)).toBeLessThanOrEqual(1)
        for (const code of new Set(strata)) {
          expect(
            spread(
              folds.filter((_, row) => strata[row] === code),
              k,
            ),
          ).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('does not depend on how strata are coded', () => {
    fc.assert(
      fc.property(fc.nat(), strataAndFolds, (index, [strata, k]) => {
        const same = () => stream(1, 'recode', index)
        const recoded = strata.map((code) => 100 - 7 * code)
        expect(stratifiedFolds(same(), recoded, k)).toEqual(stratifiedFolds(same(), strata, k))
      }),
    )
  })

  it('puts every row into every fold equally often', () => {
    const source = stream(1, 'fair folds')
    const strata = Int32Array.of(0, 1, 1, 0, 1, 0)
    expect(evenness(() => stratifiedFolds(source, strata, 3).subarray(4, 5), 3)).toBeGreaterThan(SUSPICIOUS)
  })

  it('refuses no folds', () => {
    expect(() => stratifiedFolds(stream(1, 'a'), new Int32Array(3), 0)).toThrow(
      'the number of folds must be at least 1',
    )
  })
})

describe('split', () => {
  it('parts the rows, both parts ascending', () => {
    fc.assert(
      fc.property(streams, fc.nat(500), fc.double({ min: 0, max: 1, noNaN: true }), (source, n, fraction) => {
        const { chosen, rest } = split(source, n, fraction)
        expect([...chosen]).toEqual([...chosen].sort((a, b) => a - b))
        expect([...rest]).toEqual([...rest].sort((a, b) => a - b))
        expect([...chosen, ...rest].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i))
      }),
    )
  })

  it('chooses the whole part of n times the fraction', () => {
    const sizeOf = (n: number, fraction: number, source: Stream = stream(1, 'split')) =>
      split(source, n, fraction).chosen.length
    expect([sizeOf(100, 0.29), sizeOf(10, 0.25), sizeOf(10, 0), sizeOf(10, 1), sizeOf(0, 0.5)]).toEqual([
      29, 2, 0, 10, 0,
    ])
  })

  it('every half of four is equally likely', () => {
    const source = stream(1, 'halves')
    expect(evenness(() => split(source, 4, 0.5).chosen, 6)).toBeGreaterThan(SUSPICIOUS)
  })

  it('refuses what is no fraction', () => {
    expect(() => split(stream(1, 'a'), 10, 1.5)).toThrow('a fraction lies in [0, 1], but it is 1.5')
  })
})
