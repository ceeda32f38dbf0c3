import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clopperPearson, wilson } from '../../stats/intervals.js'
import { atRiskAbove, atRiskIfClass, type ClassPredictions, classScores } from './attack/classes.js'
import { acceptedPredictions, acceptedRuns, bestConstant, errorOf, isWithin, type Tolerance } from './attack/numbers.js'
import { chanceCorrected, classChance, numberChance } from './rates/chance.js'

/** Records of one class with the given probabilities of it; the class has share b. */
function ofClass(g: readonly number[], b: number, levels = 2): ClassPredictions {
  const rest = (p: number) => Array.from({ length: levels - 1 }, () => (1 - p) / (levels - 1))
  return {
    kind: 'classes',
    levels: Array.from({ length: levels }, (_, k) => `c${k}`),
    truth: new Int32Array(g.length),
    probabilities: Float64Array.from(g.flatMap((p) => [p, ...rest(p)])),
    shares: Float64Array.from([b, ...Array.from({ length: levels - 1 }, () => (1 - b) / (levels - 1))]),
  }
}

const digits = (values: ArrayLike<number>, count = 6) => Array.from(values, (value) => Number(value.toFixed(count)))

describe('classes', () => {
  it('the example of the paper: gains, rate and cut', () => {
    const { scores, cut } = classScores(ofClass([0.7, 0.85, 0.55], 0.6), 'gain')
    expect(digits(scores)).toEqual([0.25, 0.625, -0.125])
    expect([...atRiskAbove(scores, 0.3)]).toEqual([0, 1, 0])
    expect(cut(0.3)[0]).toBeCloseTo(0.72, 12)
  })

  it('an exact tie is not at risk, whatever rounding says', () => {
    for (const [g, b] of [
      [0.72, 0.6],
      [0.37, 0.1],
      [0.65, 0.5],
    ])
      expect([...atRiskAbove(classScores(ofClass([g], b), 'gain').scores, 0.3)]).toEqual([0])
  })

  it('the cut for several shares', () => {
    const cuts = [0.1, 0.2408, 0.5, 0.7592, 0.9].map((b) => classScores(ofClass([0.5], b), 'gain').cut(0.3)[0])
    expect(digits(cuts, 5)).toEqual([0.37, 0.46856, 0.65, 0.83144, 0.93])
  })

  it('normalised cross-entropy', () => {
    expect(digits(classScores(ofClass([0.7, 0.85, 0.55], 0.6), 'nce').scores)).toEqual([0.485427, 0.765535, 0.137504])
    expect(classScores(ofClass([0.5], 0.3, 3), 'nce').cut(0.5)[0]).toBeCloseTo(0.57735, 6)
  })

  it('chance of three records by hand: 0, 1/3 and 2/3 are equally likely', () => {
    const of: ClassPredictions = {
      kind: 'classes',
      levels: ['A', 'B'],
      truth: Int32Array.from([0, 0, 1]),
      probabilities: Float64Array.from([0.9, 0.1, 0.6, 0.4, 0.2, 0.8]),
      shares: Float64Array.from([2 / 3, 1 / 3]),
    }
    const { scores, cut } = classScores(of, 'gain')
    expect(digits(cut(0.3))).toEqual([0.766667, 0.533333])
    const rate = atRiskAbove(scores, 0.3).reduce((a, b) => a + b, 0) / 3
    expect(rate).toBeCloseTo(2 / 3, 12)
    const chance = classChance(atRiskIfClass(of, 'gain', 0.3), Float64Array.from([2, 1]))
    expect(digits([chance.mean, chance.sd])).toEqual([0.333333, 0.272166])
    expect(chanceCorrected(rate, chance.mean)).toBeCloseTo(0.5, 12)
  })
})

const symmetric: Tolerance = { error: 'symmetric', epsilon: 0.1, delta: 0, spread: 1 }

describe('numbers', () => {
  const pairs = [
    [50_000, 47_000],
    [35_000, 39_000],
    [80_000, 90_000],
  ] as const
  const errors = (tolerance: Tolerance) => pairs.map(([y, p]) => 100 * errorOf(y, p, tolerance))

  it('the example of the paper', () => {
    expect(digits(errors({ ...symmetric, error: 'relative' }))).toEqual([6, 11.428571, 12.5])
    expect(digits(errors(symmetric))).toEqual([6.185567, 10.810811, 11.764706])
    expect(digits(errors({ ...symmetric, delta: 0.01 }))).toEqual([6.185566, 10.810808, 11.764704])
    expect(pairs.map(([y, p]) => isWithin(y, p, symmetric))).toEqual([true, false, false])
    expect(pairs.map(([y, p]) => isWithin(y, p, { ...symmetric, epsilon: 0.11 }))).toEqual([true, true, false])
  })

  it('zero that is met and zero that is missed', () => {
    expect([errorOf(0, 0, symmetric), errorOf(0, 3, symmetric)]).toEqual([0, 2])
    expect(errorOf(0, 3, { ...symmetric, error: 'relative' })).toBe(Number.POSITIVE_INFINITY)
  })

  it('accepted stretches are those of the rule applied to each value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -30, max: 30 }),
        fc.constantFrom<Tolerance['error']>('symmetric', 'relative', 'absolute', 'normalised'),
        fc.constantFrom(0.1, 0.5, 1, 1.5, 3),
        fc.constantFrom(0, 0.01, 2),
        (values, p, error, epsilon, delta) => {
          const sorted = Float64Array.from(values).sort()
          const tolerance = { error, epsilon, delta, spread: 7 }
          const accepted = new Array(sorted.length).fill(false)
          for (const [from, to] of acceptedRuns(sorted, p, tolerance)) accepted.fill(true, from, to)
          expect(accepted).toEqual(Array.from(sorted, (y) => isWithin(y, p, tolerance)))
        },
      ),
    )
  })

  it('accepted predictions are those of the rule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: -90, max: 90 }),
        fc.constantFrom<Tolerance['error']>('symmetric', 'relative', 'absolute', 'normalised'),
        fc.constantFrom(0.1, 0.5, 1, 1.5, 3),
        fc.constantFrom(0, 0.013, 2.1),
        (y, p, error, epsilon, delta) => {
          const tolerance = { error, epsilon, delta, spread: 7 }
          const { lower, upper } = acceptedPredictions(y, tolerance)
          const [from, to] = [lower ?? Number.NEGATIVE_INFINITY, upper ?? Number.POSITIVE_INFINITY]
          if (p > from + 1e-9 && p < to - 1e-9) expect(isWithin(y, p, tolerance)).toBe(true)
          if (p < from - 1e-9 || p > to + 1e-9) expect(isWithin(y, p, tolerance)).toBe(false)
        },
      ),
    )
  })

  it('chance by all permutations', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), {
          minLength: 2,
          maxLength: 5,
        }),
        (records) => {
          const truth = Float64Array.from(records, ([y]) => y)
          const predicted = Float64Array.from(records, ([, p]) => p)
          const tolerance = { ...symmetric, epsilon: 0.5 }
          const rates = permutations([...truth]).map(
            (values) => values.filter((y, k) => isWithin(y, predicted[k], tolerance)).length / values.length,
          )
          const mean = rates.reduce((a, b) => a + b, 0) / rates.length
          const variance = rates.reduce((a, b) => a + (b - mean) ** 2, 0) / rates.length
          const chance = numberChance(truth, predicted, tolerance)
          expect(chance.mean).toBeCloseTo(mean, 10)
          expect(chance.sd ** 2).toBeCloseTo(variance, 10)
        },
      ),
    )
  })

  it('the best constant covers most released values', () => {
    expect(bestConstant(Float64Array.from([100, 102, 104, 500]), symmetric)).toBe(100)
    expect(bestConstant(new Float64Array(), symmetric)).toBeNull()
  })
})

it('intervals of a rate', () => {
  const both = (x: number, n: number) =>
    [wilson(x, n), clopperPearson(x, n)].flatMap((interval) => digits([interval?.lower ?? -1, interval?.upper ?? -1]))
  expect(both(75, 500)).toEqual([0.121376, 0.183961, 0.119849, 0.18436])
  expect(both(0, 100)).toEqual([0, 0.036993, 0, 0.036217])
  expect(both(100, 100)).toEqual([0.963007, 1, 0.963783, 1])
  expect(both(1, 3)).toEqual([0.061492, 0.79234, 0.008404, 0.905701])
  expect(both(864, 1000)).toEqual([0.841356, 0.883858, 0.841181, 0.88465])
  expect(both(1, 10)).toEqual([0.017876, 0.40415, 0.002529, 0.445016])
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, k) =>
    permutations([...items.slice(0, k), ...items.slice(k + 1)]).map((rest) => [item, ...rest]),
  )
}
