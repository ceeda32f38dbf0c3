import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockRows, codeMask, type Rows32 } from './block-rows.js'
import { type BlockScan, scalarBlockScan, simdBlockScan } from './block-scan.js'

/** Coarse values, so that rows coincide and sums tie. */
const rows32 = fc
  .record({
    rows: fc.integer({ min: 1, max: 300 }),
    nominal: fc.integer({ min: 0, max: 4 }),
    metric: fc.integer({ min: 0, max: 5 }),
    squared: fc.boolean(),
    seed: fc.integer(),
    coarse: fc.boolean(),
  })
  .filter(({ nominal, metric }) => nominal + metric > 0)
  .map(({ rows, nominal, metric, squared, seed, coarse }): Rows32 => {
    const draw = generator(seed)
    const width = nominal + metric
    const weights = Float32Array.from({ length: width }, () => 0.5 + draw())
    const values = Float32Array.from({ length: rows * width }, (_, k) => {
      if (k < rows * nominal) return Math.floor(draw() * (coarse ? 3 : 50))
      return coarse ? Math.floor(draw() * 4) / 4 : 6 * draw() - 2
    })
    return { rows, nominal, metric, squared, weights, values }
  })

function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

function ask(scan: BlockScan, { rows, nominal, metric, values }: Rows32, row: number): void {
  for (let column = 0; column < nominal + metric; column++) {
    scan.query[column] = values[column * rows + row]
    if (column < nominal) scan.queryMasks[column] = codeMask(scan.query[column])
  }
  scan.bound()
}

/** All rows within the limit, by way of the blocks. */
function within(scan: BlockScan, blocked: ReturnType<typeof blockRows>, limit: number): number[] {
  const found: number[] = []
  for (let block = scan.next(0, limit); block < blocked.blocks; block = scan.next(block + 1, limit)) {
    const count = scan.scan(block, limit)
    for (let k = 0; k < count; k++) found.push(blocked.rowAt[scan.found[k]])
  }
  return found.filter((row) => row >= 0).sort((a, b) => a - b)
}

function sumOf({ rows, nominal, metric, squared, weights, values }: Rows32, a: number, b: number): number {
  let sum = 0
  for (let column = 0; column < nominal + metric; column++) {
    const x = values[column * rows + a]
    const y = values[column * rows + b]
    if (column < nominal) sum = Math.fround(sum + (x === y ? 0 : weights[column]))
    else {
      const gap = Math.min(Math.abs(Math.fround(x - y)), weights[column])
      sum = Math.fround(sum + (squared ? Math.fround(gap * gap) : gap))
    }
  }
  return sum
}

const inSimd = (blocked: ReturnType<typeof blockRows>): BlockScan => {
  const scan = simdBlockScan(blocked)
  if (scan === null) throw new Error('this platform has no WebAssembly SIMD')
  return scan
}

describe.each([
  ['scalar', scalarBlockScan],
  ['simd', inSimd],
])('%s', (_, make) => {
  it('finds exactly the rows within the limit', () => {
    fc.assert(
      fc.property(rows32, fc.nat(), fc.double({ min: 0, max: 4, noNaN: true }), (rows, pick, limit) => {
        const blocked = blockRows(rows)
        const scan = make(blocked)
        const query = pick % rows.rows
        ask(scan, rows, query)
        const expected = Array.from({ length: rows.rows }, (_, row) => row).filter(
          (row) => sumOf(rows, row, query) <= Math.fround(limit),
        )
        expect(within(scan, blocked, limit)).toEqual(expected)
      }),
      { numRuns: 150 },
    )
  })

  it('starts with a block that no other one bounds lower', () => {
    fc.assert(
      fc.property(rows32, fc.nat(), (rows, pick) => {
        const blocked = blockRows(rows)
        const scan = make(blocked)
        ask(scan, rows, pick % rows.rows)
        // The query lies in some block, whose bound is then 0; the first such block is the nearest.
        expect(scan.nearest()).toBe(scan.next(0, 0))
      }),
    )
  })
})

it('simd and scalar agree on every block and every place, bit for bit', () => {
  fc.assert(
    fc.property(rows32, fc.nat(), fc.double({ min: 0, max: 6, noNaN: true }), (rows, pick, limit) => {
      const blocked = blockRows(rows)
      const [one, other] = [scalarBlockScan(blocked), inSimd(blocked)]
      const query = pick % rows.rows
      for (const scan of [one, other]) ask(scan, rows, query)
      expect(other.nearest()).toBe(one.nearest())
      for (let block = 0; block < blocked.blocks; block++) {
        expect(other.next(block, limit)).toBe(one.next(block, limit))
        const count = one.scan(block, limit)
        expect(other.scan(block, limit)).toBe(count)
        expect(other.found.slice(0, count)).toEqual(one.found.slice(0, count))
        for (const place of one.found.slice(0, count)) {
          const within = place - blocked.starts[block]
          if (blocked.rowAt[place] >= 0) expect(one.sums[within]).toBe(sumOf(rows, blocked.rowAt[place], query))
          expect(other.sums[within]).toBe(one.sums[within])
        }
      }
    }),
    { numRuns: 150 },
  )
})

it('puts every row into one block of at most 64', () => {
  fc.assert(
    fc.property(rows32, (rows) => {
      const { rowAt, starts, blocks } = blockRows(rows)
      expect([...rowAt].filter((row) => row >= 0).sort((a, b) => a - b)).toEqual(
        Array.from({ length: rows.rows }, (_, k) => k),
      )
      for (let block = 0; block < blocks; block++) expect(starts[block + 1] - starts[block]).toBeLessThanOrEqual(64)
    }),
  )
})

it('cuts equal rows too', () => {
  const rows = {
    rows: 1000,
    nominal: 1,
    metric: 1,
    squared: false,
    weights: new Float32Array([1, 1]),
    values: new Float32Array(2000),
  }
  const { starts, blocks } = blockRows(rows)
  for (let block = 0; block < blocks; block++) expect(starts[block + 1] - starts[block]).toBeLessThanOrEqual(64)
})
