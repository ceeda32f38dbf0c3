import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { blocksOf } from '../costs/blocks.js'
import type { Costs } from '../costs/costs.js'
import { gowerCosts } from '../methods/gower.js'
import { askedOf, sameRows } from '../truth/truth.js'
import { type Matched, matchAll } from './matching.js'
import { oneToOne } from './one-to-one.js'

const context = { tasks: inline, progress: () => {}, signal: undefined, seed: 1 }

async function match(
  files: ReturnType<typeof together>,
  mode: 'one-to-one' | 'transport',
  costs: Costs = gowerCosts(files, {
    weights: files.keys.map(() => 1),
    missing: 'ignore',
    span: 'pooled',
    original: 'query',
  }),
  epsilon: number | null = null,
): Promise<{ risk: number[]; matched: Matched }> {
  const truth = sameRows(files.query.ids.length)
  const asked = askedOf(files, truth)
  const matched = await matchAll(files, costs, asked, blocksOf(files, []), { mode, epsilon }, context)
  return { risk: Array.from(asked.place, (place) => matched.pairWeight[place]), matched }
}

const ages = (x: number[], a: number[]) => together(tableOf('x', { age: x }), tableOf('a', { age: a }))
const close = (found: readonly number[], expected: readonly number[], digits = 10) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe('one to one', () => {
  it('gives everybody a record of their own', async () => {
    close((await match(ages([20, 50, 80], [50, 20, 80]), 'one-to-one')).risk, [0, 0, 1])
    close((await match(ages([10, 12], [11, 30]), 'one-to-one')).risk, [1, 1])
    close((await match(ages([10, 30, 50, 70], [12, 28, 53, 68]), 'one-to-one')).risk, [1, 1, 1, 1])
    const { risk, matched } = await match(together(TEN, TEN_RELEASED), 'one-to-one')
    close(risk, new Array(10).fill(1))
    expect(matched.total).toBeCloseTo(0.67847631, 8)
  })

  it('shares the risk among equal people and equal records', async () => {
    close((await match(ages([20, 40], [30, 30]), 'one-to-one')).risk, [0.5, 0.5])
    close((await match(ages([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3]), 'one-to-one')).risk, new Array(6).fill(0.5))
    close((await match(ages([1, 1, 2, 5], [1, 2, 2, 5]), 'one-to-one')).risk, [0.5, 0.25, 0.5, 1])
  })

  it('scores a copy of 200 rows with 12 different keys 0.06, in any order', async () => {
    const keys = Array.from({ length: 200 }, (_, row) => (7 * row) % 12)
    const { risk } = await match(ages(keys, keys), 'one-to-one')
    expect(meanOf(risk)).toBeCloseTo(0.06, 12)
  })

  it('averages over optimal assignments of different records', () => {
    // Both people are as near to both records, which differ.
    const cost = Float64Array.of(1, 1)
    const ones = Int32Array.of(1, 1)
    const { flows, tied } = oneToOne({ supply: ones, capacity: ones, costs: () => cost }, stream(1, 'ties'))
    expect(tied).toBe(1)
    const share = flows.find(({ row, column }) => row === 0 && column === 0)?.amount ?? 0
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.8)
  })

  it('gives nobody more than one record, however many assignments are averaged', async () => {
    const draws = stream(4, 'ages')
    const x = Array.from({ length: 60 }, () => draws.uniform())
    const { risk, matched } = await match(
      ages(
        x,
        x.map((value) => value + 0.05 * draws.uniform()),
      ),
      'one-to-one',
    )
    expect(matched.tied).toBeGreaterThan(0)
    expect(Math.max(...risk)).toBeLessThanOrEqual(1)
  })

  it('leaves out whom leaving out is cheapest, ties included', () => {
    const rows = [0.50001, 0.5, 0.9].map((x) => Float64Array.of(Math.abs(x - 0.5), Math.abs(x - 0.9)))
    const few = oneToOne(
      { supply: Int32Array.of(1, 1, 1), capacity: Int32Array.of(1, 1), costs: (row) => rows[row] },
      stream(1, 'ties'),
    )
    expect(few.flows.filter(({ column }) => column < 2).map(({ row, column }) => [row, column])).toEqual([
      [1, 0],
      [2, 1],
    ])
    // Two records are as near to the only person.
    const one = oneToOne(
      { supply: Int32Array.of(1), capacity: Int32Array.of(1, 1), costs: () => Float64Array.of(2, 2) },
      stream(1, 'ties'),
    )
    expect(one.tied).toBe(1)
    expect(one.flows.length).toBe(2)
  })

  it('maximises the likelihood of probabilities', async () => {
    const P = [
      [0.9, 0.5],
      [0.45, 0.1],
    ]
    const rows = P.map((row) => Float64Array.from(row, (p) => -Math.log(p)))
    const ones = Int32Array.of(1, 1)
    const { flows } = oneToOne({ supply: ones, capacity: ones, costs: (row) => rows[row] }, stream(1, 'ties'))
    expect(flows.map(({ column }) => column)).toEqual([1, 0])
  })
})

describe('transport', () => {
  it('converges on the ten people', async () => {
    const { risk, matched } = await match(together(TEN, TEN_RELEASED), 'transport')
    expect(matched.epsilon).toBeCloseTo(0.019195052, 8)
    expect(matched.converged).toBe(true)
    close(risk, [0.999951, 0.924075, 0.644127, 0.748344, 0.99872, 0.947422, 0.870697, 0.818903, 0.99999, 0.941044], 4)
    expect(meanOf(risk)).toBeCloseTo(0.88932723, 4)
  })

  it('is the assignment for a small ε and chance for a large one', async () => {
    const files = together(TEN, TEN_RELEASED)
    expect(meanOf((await match(files, 'transport', undefined, 0.0005)).risk)).toBeGreaterThan(0.999)
    close((await match(files, 'transport', undefined, 1000)).risk, new Array(10).fill(0.1), 3)
  })
})
