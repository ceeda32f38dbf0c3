import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { descend, descender } from './descent.js'
import { forestSums } from './forest.js'
import { LEAF, splitCode, type Tree, type TreeRows } from './tree.js'

const COLUMNS = 3
const numbers = fc.constantFrom(-1, 0, 0.5, 1, 2, Number.POSITIVE_INFINITY, Number.NaN)

const tables: fc.Arbitrary<TreeRows> = fc
  .array(fc.tuple(numbers, fc.constantFrom(0, 1, 2), numbers, fc.boolean()), { maxLength: 40 })
  .map((rows) => {
    const values = Float64Array.from(rows.flatMap((row) => row.slice(0, COLUMNS)).map(Number))
    const unseen = Uint8Array.from(
      rows.flatMap(([a, , c, isUnseen]) => [a, 0, c].map((x) => (Number.isNaN(x) && isUnseen ? 1 : 0))),
    )
    return { rows: rows.length, columns: COLUMNS, values, unseen: unseen.includes(1) ? unseen : null }
  })

/** Each choice makes an inner node of one of the leaves so far. */
const trees: fc.Arbitrary<Tree> = fc
  .array(fc.record({ leaf: fc.nat(), column: fc.nat(COLUMNS - 1), flags: fc.nat(3), value: numbers }), {
    maxLength: 12,
  })
  .map((choices) => {
    const [split, child, value] = [[LEAF], [0], [0]]
    for (const { leaf, column, flags, value: limit } of choices) {
      const leaves = [...split.keys()].filter((node) => split[node] === LEAF)
      const node = leaves[leaf % leaves.length]
      split[node] = splitCode(column, Number.isNaN(limit) ? flags | 2 : flags)
      child[node] = split.length
      value[node] = limit
      for (const array of [split, child, value]) array.push(array === split ? LEAF : 0, array === split ? LEAF : 0)
    }
    return {
      split: Int32Array.from(split),
      child: Int32Array.from(child),
      value: Float64Array.from(value),
      sets: new Int32Array(0),
    }
  })

describe('leaves of rows', () => {
  it('are the same of many rows at once and of one after the other', () => {
    fc.assert(
      fc.property(fc.array(trees, { minLength: 1, maxLength: 3 }), tables, (grown, data) => {
        const nodes = new Int32Array(data.rows)
        const find = descender(grown, data)
        for (const tree of grown) {
          descend(tree, data, nodes)
          expect(find(tree)).toEqual(nodes)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('are found where a value is minus infinity, too, which the kernel takes for missing', () => {
    const tree = {
      split: Int32Array.of(splitCode(0, 2), LEAF, LEAF),
      child: Int32Array.of(1, 0, 1),
      value: Float64Array.of(Number.NaN, 0, 0),
      sets: new Int32Array(0),
    }
    const values = Float64Array.of(Number.NEGATIVE_INFINITY, Number.NaN, 5)
    expect(descender([tree], { rows: 3, columns: 1, values, unseen: null })(tree)).toEqual(Int32Array.of(2, 1, 2))
  })

  it('are found in parts of a large table', () => {
    const rows = 150_000
    const values = Float64Array.from({ length: rows }, (_, row) => row)
    const none = new Int32Array(0)
    const stump = {
      split: Int32Array.of(splitCode(0, 0), LEAF, LEAF),
      child: Int32Array.of(1, 0, 1),
      value: Float64Array.of(140_000.5, 3, 5),
      sets: none,
      start: none,
      classes: new Uint16Array(0),
      shares: new Float64Array(0),
    }
    const sums = forestSums([stump, stump], { rows, columns: 1, values, unseen: null }, 0)
    expect(sums.every((sum, row) => sum === (row <= 140_000 ? 6 : 10))).toBe(true)
  })
})
