import { expect, it } from 'vitest'
import { factorise, fullInverse, inverseDiagonal, solve } from './packed-cholesky.js'

function factorOf(packed: readonly number[], size: number) {
  const lower = new Float64Array(packed.length)
  const aliased = new Uint8Array(size)
  factorise(Float64Array.from(packed), 0, size, lower, aliased)
  return { lower, aliased }
}

it('solves by hand: [4 2; 2 3] x = (2, 1) has the solution (0.5, 0)', () => {
  const { lower, aliased } = factorOf([4, 2, 3], 2)
  expect([...lower]).toEqual([2, 1, Math.sqrt(2)])
  const x = Float64Array.of(2, 1)
  solve(lower, 2, aliased, x)
  expect([...x]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0, 12)])
  // The inverse is [3 -2; -2 4] / 8.
  expect([...inverseDiagonal(lower, 2, aliased)]).toEqual([expect.closeTo(3 / 8, 12), expect.closeTo(4 / 8, 12)])
})

it('a column that the others explain has the coefficient 0, and changes no other', () => {
  // The second column is twice the first.
  const { lower, aliased } = factorOf([1, 2, 4, 0, 0, 5], 3)
  expect([...aliased]).toEqual([0, 1, 0])
  const x = Float64Array.of(3, 6, 10)
  solve(lower, 3, aliased, x)
  expect([...x]).toEqual([3, 0, expect.closeTo(2, 12)])
  const inverse = new Float64Array(9)
  fullInverse(lower, 3, aliased, inverse)
  expect([...inverse].map((value) => Math.round(100 * value) / 100 + 0)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0.2])
})
