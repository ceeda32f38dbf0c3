import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Random } from './forest.js'
import { wasmForestGrower } from './forest-growth.js'
import { plainForestGrower } from './plain-forest.js'
import type { BinnedColumns } from './tree.js'

/** Three columns of few codes, one of more than a byte holds, one of very many, one constant; 0 is missing. */
const BINS = [3, 12, 300, 20, 5000, 1]

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

/** Words of a linear congruential generator, whose products are spread over all of their bits. */
function random(seed: number): Random {
  let state = seed >>> 0
  const uint32 = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
  }
  const below = (n: number) => {
    for (;;) {
      const product = BigInt(uint32()) * BigInt(n)
      if (product % 2n ** 32n >= 2n ** 32n % BigInt(n)) return Number(product >> 32n)
    }
  }
  return { uint32, below }
}

describe('growing a forest in WebAssembly', () => {
  it.each([0, 1, 2, 3, 5])('gives the trees of the plain twin, bit by bit, %i classes', (classes) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.boolean(),
        // Draws of a row that need more than 7 bits, and whose sums need more than 16.
        fc.constantFrom(1, 200, 2 ** 17),
        fc.boolean(),
        fc.nat(),
        (rows, mtry, wide, missing, most, outOfBag, seed) => {
          const { data, values, draws } = forestOf(rows, classes, wide, missing, generator(seed))
          draws[0] = most
          const rule = { mtry, minNode: 3, maxDepth: 40, outOfBag }
          const response = { values, classes, grid: 2 ** -40 }
          const [grown, plain] = [wasmForestGrower, plainForestGrower].map((grower) =>
            grower(data, response, rule)?.(draws, random(seed)),
          )
          expect(grown).toEqual(plain)
        },
      ),
    )
  })
})
