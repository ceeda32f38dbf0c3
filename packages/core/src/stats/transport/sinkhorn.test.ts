import { describe, expect, it } from 'vitest'
import { entropicPlan } from './sinkhorn.js'

const ones = (n: number) => new Array(n).fill(1)

function diagonal(matrix: readonly (readonly number[])[], epsilon: number, slack = true): number[] {
  const m = matrix[0].length
  const plan = entropicPlan({
    costs: Float64Array.from(matrix.flat()),
    rows: ones(matrix.length),
    columns: ones(m),
    epsilon,
    slack,
  })
  expect(plan.converged).toBe(true)
  return matrix.map((_, i) => plan.weights[i * m + i])
}

const close = (found: readonly number[], expected: readonly number[], digits = 5) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe('entropicPlan', () => {
  it('has the closed form of two by two', () => {
    const c = [
      [0, 1],
      [1, 0],
    ]
    for (const epsilon of [0.05, 0.5, 2]) close(diagonal(c, epsilon), [1 / (1 + Math.exp(-1 / epsilon))])
  })

  it('agrees with converged plans of three by three and four by four', () => {
    const c = [
      [0, 0.5, 0.9],
      [0.1, 0.9, 0],
      [0.9, 0, 0.5],
    ]
    close(diagonal(c, 1), [0.46253226, 0.1808961, 0.31674719])
    close(diagonal(c, 0.2), [0.84119509, 0.00520548, 0.12776422])
    close(diagonal(c, 0.05), [0.99934494, 1.06e-9, 0.00065192])
    const d = [
      [0, 0.5, 0.8, 1],
      [0.6, 0, 0.7, 0.9],
      [0.9, 0.8, 0, 0.3],
      [1, 0.7, 0.4, 0],
    ]
    close(diagonal(d, 0.2), [0.92298546, 0.90167451, 0.82149267, 0.83177612])
  })

  it('lets a perfect link keep its weight where one file is larger', () => {
    const c = [
      [0, 1, 1, 1],
      [1, 0, 1, 1],
    ]
    close(diagonal(c, 0.01, false), [0.5, 0.5])
    close(diagonal(c, 0.01), [0.999975, 0.999975], 4)
    close(diagonal(c, 0.5), [0.59182684, 0.59182684])
  })

  it('gives equal records equal weights, held once or several times', () => {
    const collapsed = entropicPlan({
      costs: Float64Array.from([0, 1, 1, 0]),
      rows: [2, 1],
      columns: [1, 2],
      epsilon: 0.3,
    })
    const expanded = entropicPlan({
      costs: Float64Array.from([0, 1, 1, 0, 1, 1, 1, 0, 0]),
      rows: [1, 1, 1],
      columns: [1, 1, 1],
      epsilon: 0.3,
    })
    close([collapsed.weights[0], collapsed.weights[1]], [expanded.weights[0], expanded.weights[1]])
    close([collapsed.weights[3]], [expanded.weights[8]])
  })
})
