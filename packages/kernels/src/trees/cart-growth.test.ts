import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankColumn } from '../order.js'
import { type CartControl, type CartInput, growCartNodes } from './cart.js'
import { growCompiled } from './cart-growth.js'
import type { CartNodes } from './cart-nodes.js'

/** Numbers with ties and gaps, levels with gaps, and a response of numbers, two classes or several. */
function grown(rows: number, classes: number, levels: number, distinct: number, random: () => number): CartInput {
  const whole = (below: number) => Math.floor(random() * below)
  const values = (kinds: number) =>
    Float64Array.from({ length: rows }, () => (random() < 0.1 ? Number.NaN : whole(kinds) / 7 - 1))
  return {
    columns: [
      rankColumn(values(distinct)),
      rankColumn(values(1e6)),
      { kind: 'leveled', levels, codes: Int32Array.from({ length: rows }, () => whole(levels + 1) - 1) },
    ],
    response:
      classes === 0
        ? { kind: 'numbers', values: Float64Array.from({ length: rows }, () => random() ** 3 - 0.2) }
        : { kind: 'classes', classes, codes: Int32Array.from({ length: rows }, () => whole(classes)) },
    weights: null,
  }
}

/** A small generator of numbers in [0, 1), as each property needs many from one seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** By `toEqual`, arrays of 70,000 numbers would take seconds. */
function expectSame(tree: CartNodes, expected: CartNodes): void {
  const text = (nodes: CartNodes) =>
    Object.entries(nodes).map(([name, values]) => [name, typeof values === 'number' ? values : bytesOf(values)])
  expect(Object.fromEntries(text(tree))).toEqual(Object.fromEntries(text(expected)))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

const control: CartControl = { minsplit: 6, minbucket: 2, cp: 1e-8, maxDepth: 30, collapse: 'gain' }
const plain = () => null

describe('trees that grow in WebAssembly', () => {
  it('do so here', () => {
    expect(growCompiled(grown(30, 2, 3, 5, generator(1)), control)).not.toBeNull()
  })

  it('are those of plain code, bit by bit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 6 }).filter((classes) => classes !== 1),
        fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 17, max: 3000 })),
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        (rows, classes, levels, distinct, minbucket, seed) => {
          const input = grown(rows, classes, levels, distinct, generator(seed))
          const chosen = { ...control, minbucket, minsplit: 3 * minbucket }
          expectSame(growCartNodes(input, chosen), growCartNodes(input, chosen, plain))
        },
      ),
    )
  })

  it.each([0, 2, 3])('are so where branches are copied out of larger samples, %i classes', (classes) => {
    const input = grown(70_000, classes, 5, 3000, generator(classes + 1))
    const chosen: CartControl = { ...control, minsplit: 400, minbucket: 100, collapse: 'risk', cp: 0 }
    const tree = growCartNodes(input, chosen)
    expect(tree.nodes).toBeGreaterThan(50)
    expectSame(tree, growCartNodes(input, chosen, plain))
  })

  it('stay as they are when the next one grows in the same memory', () => {
    const input = grown(300, 3, 4, 50, generator(9))
    const first = growCartNodes(input, control)
    const rows = first.rows.slice()
    growCartNodes(grown(300, 0, 4, 50, generator(10)), control)
    expect(first.rows).toEqual(rows)
  })
})
