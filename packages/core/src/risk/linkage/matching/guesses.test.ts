import { describe, expect, it } from 'vitest'
import { autoBandwidth, type GuessRule, guess, NEAREST } from './guesses.js'

function weights(costs: readonly number[], rule: Partial<GuessRule>): number[] {
  const d = Float64Array.from(costs)
  const found = guess(d, new Int32Array(d.length).fill(1), d.length, Math.min(...costs), { ...NEAREST, ...rule })
  const all = new Array(costs.length).fill(0)
  for (const [k, member] of found.members.entries()) all[member] = found.weights[k]
  return all
}

const close = (found: readonly number[], expected: readonly number[], digits = 8) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe('guess sets', () => {
  it('ties what differs by rounding only', () => {
    close(weights([0.3 - 0.1, 0.5 - 0.3, 1], {}), [0.5, 0.5, 0])
  })

  it('takes the k nearest and the ties of the last', () => {
    const d = [0.2, 0.12, 0.8]
    close(weights(d, { strategy: 'topk', k: 1 }), [0, 1, 0])
    close(weights(d, { strategy: 'topk', k: 2 }), [0.5, 0.5, 0])
    close(weights([1, 2, 2, 3], { strategy: 'topk', k: 2 }), [1 / 3, 1 / 3, 1 / 3, 0])
  })

  it('is empty beyond the threshold', () => {
    close(weights([0.2, 0.3], { strategy: 'nearest-threshold', threshold: 0.1 }), [0, 0])
    close(weights([0.2, 0.3], { strategy: 'nearest-threshold', threshold: 0.25 }), [1, 0])
    close(weights([0.2, 0.3, 0.4], { strategy: 'topk-threshold', threshold: 0.35, k: 5 }), [0.5, 0.5, 0])
    close(weights([0, 1, 2, 3], { strategy: 'threshold', threshold: { quantile: 0.5 } }), [0.5, 0.5, 0, 0])
  })

  it('counts every record of a class', () => {
    const found = guess(Float64Array.of(1, 1, 2), Int32Array.of(3, 1, 9), 3, 1, NEAREST)
    expect(found).toEqual({ members: [0, 1], weights: [0.25, 0.25], records: 4 })
  })
})

describe('weights that fall with the distance', () => {
  const all = { strategy: 'threshold' as const, threshold: 9 }
  it('softmax, whatever the gap of two', () => {
    close(weights([0.2, 0.32], { ...all, weighting: 'softmax' }), [0.88079708, 0.11920292])
    close(weights([0.1, 0.3, 0.5], { ...all, weighting: 'softmax' }), [0.66524096, 0.24472847, 0.09003057])
  })

  it('kernels', () => {
    const kernel = { ...all, weighting: 'kernel' as const }
    close(weights([0.2, 0.32], { ...kernel, bandwidth: 0.1 }), [0.95771023])
    close(
      weights([0.1, 0.3, 0.5], { ...kernel, kernel: 'epanechnikov', bandwidth: 0.6 }),
      [0.47945205, 0.36986301, 0.15068493],
    )
    close(
      weights([0.1, 0.3, 0.5], { ...kernel, kernel: 'tricube', bandwidth: 0.6 }),
      [0.56975592, 0.3870427, 0.04320138],
    )
    expect(autoBandwidth(Float64Array.of(0.1, 0.3, 0.5))).toBeCloseTo(0.10783096, 8)
    close(weights([0.1, 0.3, 0.5], { ...kernel, bandwidth: 0.10783096 }), [0.96890407, 0.031064, 0.0000319], 6)
  })

  it('a kernel with its own bandwidth does not depend on where distances start', () => {
    const kernel = { ...all, weighting: 'kernel' as const }
    close(weights([0.5, 0.51, 0.52], kernel), weights([0, 0.01, 0.02], kernel))
  })

  it('one over the rank', () => {
    close(weights([0.1, 0.3, 0.3, 0.5], { ...all, weighting: 'harmonic' }), [4 / 9, 2 / 9, 2 / 9, 1 / 9])
  })

  it('collapse to equal weights among the nearest', () => {
    for (const weighting of ['softmax', 'kernel', 'harmonic'] as const)
      close(weights([0.1, 0.1, 0.3], { weighting }), [0.5, 0.5, 0])
  })

  it('a posterior', () => {
    close(weights([-Math.log(0.6), -Math.log(0.3)], { strategy: 'posterior' }), [2 / 3, 1 / 3])
  })
})
