import { describe, expect, it } from 'vitest'
import { crowdedOrder, frontsOf } from './nondominated.js'

const errors = (...points: readonly (readonly number[])[]) => points.map((point) => Float64Array.from(point))

describe('non-dominated sorting', () => {
  it('peels fronts off', () => {
    expect(frontsOf(errors([1, 4], [2, 2], [4, 1], [3, 3], [4, 4], [2, 2]))).toEqual([[0, 1, 2, 5], [3], [4]])
  })

  it('puts the ends of a front first, then those with the most room', () => {
    // Room of the inner members: 6/10 + 6/10, 6/10 + 5/10 and 4/10 + 4/10.
    expect(crowdedOrder(errors([0, 10], [1, 8], [6, 4], [7, 3], [10, 0]))).toEqual([0, 4, 1, 2, 3])
  })

  it('is the order of the error where there is only one', () => {
    expect(crowdedOrder(errors([3], [1], [2]))).toEqual([1, 2, 0])
  })
})
