import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { nearVector, reducedBasis } from './lattice.js'

it('reduces a basis to short vectors of the same lattice', () => {
  const given = [Float64Array.of(201, 37), Float64Array.of(1648, 297)]
  const { vectors, made } = reducedBasis(given)
  expect(vectors.map((vector) => Array.from(vector, Math.abs))).toEqual([
    [1, 32],
    [40, 1],
  ])
  for (const [k, times] of made.entries())
    for (const j of [0, 1]) expect(times[0] * given[0][j] + times[1] * given[1][j]).toBe(vectors[k][j])
})

it('many vectors together come nearer than any of them alone', () => {
  const random = stream(1, 'lattice')
  const size = 24
  const effects = Array.from({ length: size }, () =>
    Float64Array.from({ length: 3 }, () => 100 * (random.uniform() - 0.5)),
  )
  const basis = reducedBasis(
    effects.map((effect, k) => Float64Array.from([...effect, ...effects.map((_, j) => (j === k ? 0.1 : 0))])),
  )
  const wanted = Float64Array.of(12.3, -4.5, 6.7)
  const target = Float64Array.from([...wanted, ...effects.map(() => 0)])
  const off = (loose: number) => {
    const times = nearVector(basis, target, loose, random)
    expect(Array.from(times).every(Number.isInteger)).toBe(true)
    expect(times.every((x) => Math.abs(x) <= 12)).toBe(true)
    return Math.max(
      ...wanted.map((value, e) => Math.abs(value - effects.reduce((sum, v, k) => sum + times[k] * v[e], 0))),
    )
  }
  const times = Array.from({ length: 25 }, (_, k) => k - 12)
  const single = Math.min(
    ...effects.flatMap((effect) =>
      times.map((x) => Math.max(...wanted.map((value, e) => Math.abs(value - x * effect[e])))),
    ),
  )
  expect(off(0)).toBeLessThan(0.3)
  expect(off(1)).toBeLessThan(1)
  expect(single).toBeGreaterThan(2)
})
