import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../neighbors/search.js'
import { space } from '../../../neighbors/space.js'
import { stream } from '../../../random/stream.js'
import { standardDeviation } from '../../../stats/sums.js'
import { categorical, numeric } from '../../../table/column.js'
import { table } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { logDensities } from './kernel-density.js'

const context = {
  seed: 1,
  random: (purpose: string, index?: number) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}

const X = [1, 2, 2, 5, 9, 4, null, 30]
const G = ['a', 'b', 'a', 'c', 'a', null, 'b', 'a']
const points = space(
  [
    table('real', [numeric('x', X.slice(0, 6)), categorical('g', G.slice(0, 6), { levels: ['a', 'b', 'c'] })]),
    table('released', [numeric('x', X.slice(6)), categorical('g', G.slice(6), { levels: ['a', 'b', 'c'] })]),
  ],
  ['x', 'g'],
  [0],
)
const [real, released] = points.ids

/** By the formula, on the values as they are. */
function densityByDefinition(row: number, rows: readonly number[]): number {
  const n = rows.length
  const bandwidth = (standardDeviation(X.slice(0, 6).map(Number)) ?? 0) * (4 / ((2 + 2) * n)) ** (1 / (2 + 4))
  const lambda = 0.5 * n ** (-2 / (4 + 2))
  const range = 9 - 1
  return rows.reduce((sum, other) => {
    const [x, y] = [X[row], X[other]]
    const step = x === null || y === null ? (x === y ? 0 : range) : x - y
    const numbers = Math.exp(-0.5 * (step / bandwidth) ** 2)
    // Four categories: a, b, c and missing.
    return sum + numbers * (G[row] === G[other] ? 1 : lambda / 3 / (1 - lambda))
  }, 0)
}

describe('logDensities', () => {
  it('is the sum of kernels over the released records', async () => {
    const found = await logDensities(context, points, membersOf(points, released), real, real, false)
    for (let row = 0; row < 6; row++) expect(found[row]).toBeCloseTo(Math.log(densityByDefinition(row, [6, 7])), 8)
  })

  it('leaves the record itself out', async () => {
    const found = await logDensities(context, points, membersOf(points, real), real, real, true)
    for (let row = 0; row < 6; row++) {
      const others = [0, 1, 2, 3, 4, 5].filter((other) => other !== row)
      expect(found[row]).toBeCloseTo(Math.log(densityByDefinition(row, others)), 10)
    }
  })
})
