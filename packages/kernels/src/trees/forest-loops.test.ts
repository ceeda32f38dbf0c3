import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forestGrower } from './forest.js'
import { wasmForestLoops } from './forest-loops.js'
import type { BinnedColumns } from './tree.js'

/** Two columns of few codes, one of many, one constant; 0 is missing. */
const BINS = [3, 12, 700, 1]

interface Forest {
  readonly data: BinnedColumns
  readonly values: Float64Array
  readonly draws: Int32Array
}

function forestOf(
  rows: number,
  classes: number,
  wide: boolean,
  missing: boolean,
  whole: (below: number) => number,
): Forest {
  const bins = wide ? BINS : BINS.map((count) => Math.min(count, 20))
  const codeOf = (count: number) => (missing && whole(6) === 0 ? 0 : 1 + whole(count))
  const codes = bins.flatMap((count) => Array.from({ length: rows }, () => codeOf(count)))
  const start = bins.map((_, j) => bins.slice(0, j).reduce((sum, count) => sum + count, 0))
  const values = bins.flatMap((count) => Array.from({ length: count }, (_, k) => k))
  return {
    data: {
      rows,
      columns: bins.length,
      codes: wide ? Uint16Array.from(codes) : Uint8Array.from(codes),
      bins: Int32Array.from(bins),
      start: Int32Array.from(start),
      lower: Float64Array.from(values),
      upper: Float64Array.from(values),
    },
    values: Float64Array.from({ length: rows }, () => (classes > 0 ? whole(classes) : whole(1000) / 7)),
    draws: Int32Array.from({ length: rows }, () => whole(3)),
  }
}

function generator(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('loops of a forest in WebAssembly', () => {
  it('are there', () => {
    expect(wasmForestLoops(1000)).not.toBeNull()
  })

  it.each([0, 1, 2, 3, 5])('grow the trees of the plain loops, bit by bit, %i classes', (classes) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (rows, mtry, wide, missing, seed) => {
          const { data, values, draws } = forestOf(rows, classes, wide, missing, generator(seed))
          const rule = { mtry, minNode: 3, maxDepth: 40, outOfBag: true }
          const response = { values, classes, grid: 2 ** -40 }
          const trees = [wasmForestLoops, () => null].map((loops) => {
            const { outOfBag, outOfBagLeaf, ...grown } = forestGrower(
              data,
              response,
              rule,
              loops,
            )(draws, generator(seed + 1))
            return { ...grown, outOfBag: outOfBag.slice(), outOfBagLeaf: outOfBagLeaf.slice() }
          })
          expect(trees[0]).toEqual(trees[1])
        },
      ),
    )
  })
})
