import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { numeric } from '../table/column.js'
import { table } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { pointsFrom, squaredDistance } from './coding/points.js'
import { solveSmo } from './fitting/smo.js'
import { nearest } from './nearest.js'
import { supportVectors } from './support-vectors.js'

const features = table('points', [numeric('a', [0, 1, 2, 3, 4, 5, 6, 7]), numeric('b', [1, 2, 0, 3, 1, 4, 2, 5])])
const context = {
  random: (purpose: string) => stream(1, purpose),
  seed: 1,
  purpose: 'test',
  tasks: inline,
  weights: null,
}

it('decides as libsvm does (scikit-learn 1.x, C = 1, gamma = 0.5)', () => {
  const points = pointsFrom(features)(features)
  const kernel = new Float64Array(64)
  for (let i = 0; i < 8; i++)
    for (let j = 0; j < 8; j++) kernel[8 * i + j] = Math.exp(-0.5 * squaredDistance(points, i, points, j))
  const y = Int8Array.of(-1, -1, 1, -1, 1, 1, -1, 1)
  const row = Int32Array.from({ length: 8 }, (_, k) => k)
  const problem = { y, p: new Float64Array(8).fill(-1), most: new Float64Array(8).fill(1), row, kernel, records: 8 }
  const { alpha, rho, converged } = solveSmo(problem, 10_000)
  expect(converged).toBe(true)
  const decisions = row.map((i) => alpha.reduce((sum, a, j) => sum + a * y[j] * kernel[8 * i + j], -rho) * 1e4)
  const expected = [-0.734, -1, 0.5548, -0.5686, 0.3568, 0.5169, -0.1231, 1]
  expected.forEach((value, i) => {
    expect(Math.abs(decisions[i] / 1e4 - value)).toBeLessThan(2e-3)
  })
})

it('predicts numbers as libsvm does (epsilon 0.1, standardised)', async () => {
  const values = Float64Array.of(1, 3, 2, 5, 4, 8, 6, 9)
  const options = supportVectors.options.parse({ gamma: 0.5 })
  const model = await supportVectors.fit(features, { kind: 'numbers', values }, options, context)
  const expected = [1.7148, 2.7184, 2.2816, 5.2816, 3.9306, 7.7184, 5.7994, 8.5198]
  for (const [k, value] of (await model.predict(features)).entries())
    expect(Math.abs(value - expected[k])).toBeLessThan(6e-3)
})

it('averages the nearest, all of those that are as far as the last', async () => {
  const line = table('line', [numeric('x', [0, 1, 2, 3, 10])])
  const values = Float64Array.of(1, 2, 6, 4, 100)
  const fit = (k: number) => nearest.fit(line, { kind: 'numbers', values }, nearest.options.parse({ k }), context)
  expect([...(await (await fit(1)).predict(line))]).toEqual([1, 2, 6, 4, 100])
  // Of 1 both neighbours are equally far, so that three count; of 0 there is one.
  expect([...(await (await fit(2)).predict(line))].slice(0, 2)).toEqual([1.5, 3])
})
