import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { rankColumn } from '../order.js'
import { growCartNodes } from './cart.js'
import { reachedNodes } from './cart-leaves.js'

/** Few different values, gaps and small nodes, so that children often are of equal weight. */
const record = fc.tuple(
  fc.integer({ min: -1, max: 5 }),
  fc.integer({ min: -1, max: 4 }),
  fc.integer({ min: 0, max: 1 }),
)
const records = fc.array(record, { minLength: 120, maxLength: 300 })
const control = { minsplit: 4, minbucket: 1, cp: 0, maxDepth: 30, collapse: 'gain' } as const

it('rows reach the same nodes in WebAssembly, those that cannot go on among them', () => {
  let undecided = 0
  fc.assert(
    fc.property(records, (rows) => {
      const numbers = Float64Array.from(rows, ([number]) => (number < 0 ? Number.NaN : number / 3))
      const codes = Int32Array.from(rows, ([, code]) => code)
      const classes = Int32Array.from(rows, ([, , label]) => label)
      const half = numbers.length >> 1
      const tree = growCartNodes(
        {
          columns: [rankColumn(numbers.slice(0, half)), { kind: 'leveled', codes: codes.slice(0, half), levels: 5 }],
          response: { kind: 'classes', codes: classes.slice(0, half), classes: 2 },
          weights: null,
        },
        control,
      )
      const reached = reachedNodes(tree, [numbers, codes], rows.length)
      expect(reached).toEqual(reachedNodes(tree, [numbers, codes], rows.length, () => null))
      undecided += reached.undecided
    }),
  )
  expect(undecided).toBeGreaterThan(0)
})

it('so they do in many parts', () => {
  const numbers = Float64Array.from({ length: 20_000 }, (_, row) => (row * 7919) % 1009)
  const response = { kind: 'numbers', values: numbers.map((value) => Math.sqrt(value)) } as const
  const tree = growCartNodes({ columns: [rankColumn(numbers)], response, weights: null }, control)
  const reached = reachedNodes(tree, [numbers], numbers.length)
  expect(reached).toEqual(reachedNodes(tree, [numbers], numbers.length, () => null))
})
