import { describe, expect, it } from 'vitest'
import { descendCoordinates } from './coordinate-descent.js'

const hessian = Float64Array.of(2, 0.5, 0.5, 1)
const none = () => new Float64Array(2)

describe('descendCoordinates', () => {
  it('solves the equations when there is no penalty', () => {
    const b = Float64Array.of(1, -1)
    descendCoordinates({ hessian, descent: Float64Array.of(1, 2), lasso: none(), ridge: none() }, b, 1e-30, 1000)
    expect(b[0]).toBeCloseTo(1 + 0, 12)
    expect(b[1]).toBeCloseTo(-1 + 2, 12)
  })

  it('has subgradients within the penalty and keeps what is shut out at 0', () => {
    const descent = Float64Array.of(3, 0.9)
    const b = none()
    descendCoordinates({ hessian, descent, lasso: Float64Array.of(1, 1), ridge: Float64Array.of(1, 1) }, b, 1e-30, 1000)
    expect(b[0]).toBeCloseTo((3 - 1) / (2 + 1), 12)
    expect(b[1]).toBe(0)
    const shut = Float64Array.of(5, 5)
    const lasso = Float64Array.of(Number.POSITIVE_INFINITY, 0)
    descendCoordinates({ hessian, descent: none(), lasso, ridge: none() }, shut, 1e-30, 1000)
    expect(shut[0]).toBe(0)
    expect(shut[1]).toBeCloseTo(5 + 2.5, 12)
  })

  it('leaves a coefficient without curvature where it is', () => {
    const b = Float64Array.of(1, 2)
    const flat = Float64Array.of(0, 0, 0, 1)
    descendCoordinates({ hessian: flat, descent: Float64Array.of(0, 1), lasso: none(), ridge: none() }, b, 1e-30, 10)
    expect([...b]).toEqual([1, 3])
  })

  it('solves what would take tens of thousands of rounds: columns that nearly depend on each other', () => {
    const size = 12
    const hessian = Float64Array.from({ length: size * size }, (_, at) =>
      Math.floor(at / size) === at % size ? 1 : 0.99999,
    )
    const row = (j: number) => hessian.subarray(j * size, (j + 1) * size)
    const wanted = Float64Array.from({ length: size }, (_, j) => 5 + j)
    const b = new Float64Array(size).fill(10)
    const descent = Float64Array.from({ length: size }, (_, j) =>
      row(j).reduce((sum, own, k) => sum + own * (wanted[k] - b[k]), 0.01),
    )
    const lasso = new Float64Array(size).fill(0.01)
    descendCoordinates({ hessian, descent, lasso, ridge: new Float64Array(size) }, b, 1e-26, 200)
    b.forEach((own, j) => {
      expect(own).toBeCloseTo(wanted[j], 6)
    })
  })
})
