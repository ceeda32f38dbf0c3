import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { symmetricEigen } from './eigen.js'

it('gives 1 ± r for a correlation matrix of two', () => {
  const { values, vectors } = symmetricEigen(Float64Array.of(1, 0.05109387, 0.05109387, 1), 2)
  expect(values[0]).toBeCloseTo(1.05109387, 10)
  expect(values[1]).toBeCloseTo(0.94890613, 10)
  expect(Math.abs(vectors[0][0])).toBeCloseTo(Math.SQRT1_2, 10)
})

it('takes a matrix apart that it can put together again', () => {
  const size = 8
  const random = stream(1, 'matrix')
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      const value = random.uniform() - 0.5
      matrix[i * size + j] = value
      matrix[j * size + i] = value
    }
  const { values, vectors } = symmetricEigen(matrix, size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const again = vectors.reduce((sum, vector, k) => sum + values[k] * vector[i] * vector[j], 0)
      expect(again).toBeCloseTo(matrix[i * size + j], 12)
    }
  expect([...values]).toEqual([...values].sort((a, b) => b - a))
})
