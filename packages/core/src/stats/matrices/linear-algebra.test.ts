import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { correctDigits, strd } from '../../testing/strd.js'
import { drawNormal } from '../draws.js'
import { cholesky, invertCholesky, leastSquares, solveCholesky, unscaledCovariance } from './linear-algebra.js'

const ones = (rows: number) => new Float64Array(rows).fill(1)

function randomColumns(seed: number, rows: number, count: number): Float64Array[] {
  const source = stream(seed, 'columns')
  return Array.from({ length: count }, () => Float64Array.from({ length: rows }, () => drawNormal(source)))
}

describe('least squares', () => {
  it.each(strd.map((set) => ({ ...set, digits: set.name === 'Filip' ? 7 : 13 })))(
    'gives $digits certified digits of $name',
    ({ x, y, intercept, coefficients, digits }) => {
      const fit = leastSquares(intercept ? [ones(y.length), ...x] : x, y)
      coefficients.forEach((certified, j) => {
        expect(correctDigits(fit.coefficients[j], certified)).toBeGreaterThanOrEqual(digits)
      })
    },
  )

  it('without refinement loses digits on nearly collinear columns', () => {
    const wampler5 = strd.find(({ name }) => name === 'Wampler5')
    if (wampler5 === undefined) throw new Error('no Wampler5')
    const fit = leastSquares([ones(21), ...wampler5.x], wampler5.y, { refine: false })
    expect(correctDigits(fit.coefficients[0], 1)).toBeLessThan(11)
    expect(correctDigits(fit.coefficients[0], 1)).toBeGreaterThan(5)
  })

  it('leaves out columns that are combinations of earlier ones', () => {
    const [a, b] = randomColumns(1, 20, 2)
    const y = a.map((value, i) => 2 * value - b[i] + 3)
    const both = a.map((value, i) => value + b[i])
    const fit = leastSquares([ones(20), a, both, new Float64Array(20), b, ones(20)], y)
    expect([...fit.estimable]).toEqual([0, 1, 2])
    expect([...fit.coefficients].map((value) => Number(value.toFixed(12)))).toEqual([3, 3, -1, 0, 0, 0])
    expect(fit.residuals.every((residual) => Math.abs(residual) < 1e-13)).toBe(true)
    const variances = unscaledCovariance(fit, 6)
    expect([variances[14], variances[21]].map(Number.isNaN)).toEqual([false, true])
  })

  it('with more columns than rows uses the first ones', () => {
    const fit = leastSquares(randomColumns(2, 3, 5), Float64Array.of(1, 2, 3))
    expect([...fit.estimable]).toEqual([0, 1, 2])
    expect(fit.residuals.every((residual) => Math.abs(residual) < 1e-12)).toBe(true)
  })

  it('needs no columns and bears numbers of any size', () => {
    expect(leastSquares([], Float64Array.of(1, 2)).rank).toBe(0)
    const huge = Float64Array.of(1e200, 2e200, 4e200)
    expect(leastSquares([huge], huge, { refine: false }).coefficients[0]).toBeCloseTo(1, 12)
    const tiny = Float64Array.of(1e-200, 2e-200, 4e-200)
    expect(leastSquares([tiny], tiny, { refine: false }).coefficients[0]).toBeCloseTo(1, 12)
  })

  it('takes weights for repeated rows, and 0 for rows that are not there', () => {
    const [a, b, y] = randomColumns(3, 12, 3)
    const weights = Float64Array.from({ length: 12 }, (_, i) => i % 4)
    const repeated = Array.from(weights.keys()).flatMap((row) => new Array<number>(weights[row]).fill(row))
    const take = (column: Float64Array) => Float64Array.from(repeated, (row) => column[row])
    const weighted = leastSquares([ones(12), a, b], y, { weights })
    const plain = leastSquares([ones(repeated.length), take(a), take(b)], take(y))
    weighted.coefficients.forEach((value, j) => {
      expect(value).toBeCloseTo(plain.coefficients[j], 13)
    })
    const covariance = unscaledCovariance(plain, 3)
    unscaledCovariance(weighted, 3).forEach((value, k) => {
      expect(value).toBeCloseTo(covariance[k], 13)
    })
  })

  it('residuals are orthogonal to the columns', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2, max: 30 }), (seed, rows) => {
        const [y, ...columns] = randomColumns(seed, rows, 1 + Math.min(rows, 4))
        const { residuals } = leastSquares(columns, y)
        for (const column of columns) {
          const product = column.reduce((total, value, i) => total + value * residuals[i], 0)
          expect(Math.abs(product)).toBeLessThan(1e-9)
        }
      }),
    )
  })
})

describe('Cholesky', () => {
  const matrix = Float64Array.of(4, 2, 1, 2, 5, 3, 1, 3, 6)

  it('factors, solves and inverts', () => {
    const lower = cholesky(matrix, 3)
    if (lower === null) throw new Error('is positive definite')
    expect(lower[0]).toBe(2)
    const x = Float64Array.of(11, 21, 25)
    solveCholesky(lower, 3, x)
    expect([...x].map((value) => Number(value.toFixed(12)))).toEqual([1, 2, 3])
    const inverse = invertCholesky(lower, 3)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const product = [0, 1, 2].reduce((total, k) => total + matrix[i * 3 + k] * inverse[k * 3 + j], 0)
        expect(product).toBeCloseTo(i === j ? 1 : 0, 13)
      }
  })

  it('refuses a matrix that is not positive definite', () => {
    expect(cholesky(Float64Array.of(1, 1, 1, 1), 2)).toBeNull()
    expect(cholesky(Float64Array.of(1, 2, 2, 1), 2)).toBeNull()
    expect(cholesky(Float64Array.of(0), 1)).toBeNull()
  })
})

it('gives the same by normal equations where there is much to do', () => {
  const random = stream(5, 'much to do')
  const groups = Array.from({ length: 400 }, () => random.below(52))
  const dummies = Array.from({ length: 51 }, (_, level) =>
    Float64Array.from(groups, (group) => (group === level ? 1 : 0)),
  )
  const one = new Float64Array(400).fill(1)
  const age = one.map(() => 20 + 50 * random.uniform())
  const y = age.map((value, i) => 3 + 0.2 * value + groups[i] / 10 + random.uniform())
  const weights = one.map(() => 0.5 + random.uniform())
  // One zero column more is no combination of others to look at, but takes the other way.
  const much = leastSquares([one, age, ...dummies], y, { weights })
  const exact = leastSquares([one, age, ...dummies, new Float64Array(400)], y, { weights })
  expect(exact.rank).toBe(much.rank)
  much.coefficients.forEach((value, j) => {
    expect(Math.abs(value - exact.coefficients[j])).toBeLessThan(1e-11)
  })
  const [a, b] = [unscaledCovariance(much, 53), unscaledCovariance(exact, 54)]
  for (let j = 0; j < 53; j++) expect(a[j * 54] / b[j * 55]).toBeCloseTo(1, 10)
})
