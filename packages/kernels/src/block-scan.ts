import type { BlockedRows } from './block-rows.js'
import { BLOCK_SCAN_WASM } from './wasm/block-scan.js'
import { compile, memoryOf } from './wasm/webassembly.js'

/**
 * Looks for the records of `BlockedRows` within a limit of a query. Distances are sums of 32-bit terms, nominal columns
 * first, each in the order of the columns; the bound of a block is added up in the same order, so rounding cannot push it
 * above the distance of a record in the block. The limit is given and the result taken block by block, so that the caller
 * can tighten the limit in between.
 */
export interface BlockScan {
  /** The query's values and, per nominal column, the set that holds its code: written by the caller before `bound`. */
  readonly query: Float32Array
  readonly queryMasks: Uint32Array
  /** Computes the bounds of all blocks for the query. */
  bound(): void
  /** The block with the least bound, the first of several. */
  nearest(): number
  /** The first block from `from` on whose bound is at most `limit`; the number of blocks when there is none. */
  next(from: number, limit: number): number
  /** Writes the places of `block` within `limit` to `found` and returns how many there are. */
  scan(block: number, limit: number): number
  readonly found: Int32Array
  /** The distances of the places found, by their place within the block. */
  readonly sums: Float32Array
}

/** The fastest scan that the platform offers. */
export function blockScan(rows: BlockedRows): BlockScan {
  return simdBlockScan(rows) ?? scalarBlockScan(rows)
}

/** In plain TypeScript: what the SIMD scan computes, bit for bit. */
export function scalarBlockScan(rows: BlockedRows): BlockScan {
  const { nominal, metric, squared, blocks, weights, starts, values, masks, lows, highs } = rows
  const width = nominal + metric
  const query = new Float32Array(width)
  const queryMasks = new Uint32Array(nominal)
  const bounds = new Float32Array(blocks)
  const found = new Int32Array(mostPlaces(rows))
  const sums = new Float32Array(found.length)
  const { fround } = Math

  return {
    query,
    queryMasks,
    found,
    sums,
    bound() {
      for (let block = 0; block < blocks; block++) {
        let sum = 0
        for (let column = 0; column < nominal; column++) {
          if ((masks[column * blocks + block] & queryMasks[column]) === 0) sum = fround(sum + weights[column])
        }
        for (let column = 0; column < metric; column++) {
          const x = query[nominal + column]
          const below = fround(lows[column * blocks + block] - x)
          const above = fround(x - highs[column * blocks + block])
          const gap = Math.min(Math.max(below, above, 0), weights[nominal + column])
          sum = fround(sum + (squared ? fround(gap * gap) : gap))
        }
        bounds[block] = sum
      }
    },
    nearest() {
      let best = 0
      for (let block = 1; block < blocks; block++) if (bounds[block] < bounds[best]) best = block
      return best
    },
    next(from, limit) {
      const most = fround(limit)
      let block = from
      while (block < blocks && !(bounds[block] <= most)) block++
      return block
    },
    // Hot.
    scan(block, limit) {
      const most = fround(limit)
      const start = starts[block]
      const size = starts[block + 1] - start
      const base = start * width
      let count = 0
      for (let row = 0; row < size; row++) {
        let at = base + row
        let sum = 0
        for (let column = 0; column < nominal; column++) {
          if (values[at] !== query[column]) sum = fround(sum + weights[column])
          at += size
        }
        if (sum > most) continue
        for (let column = nominal; column < width; column++) {
          const gap = Math.min(Math.abs(fround(values[at] - query[column])), weights[column])
          sum = fround(sum + (squared ? fround(gap * gap) : gap))
          at += size
        }
        if (!(sum <= most)) continue
        sums[row] = sum
        found[count++] = start + row
      }
      return count
    },
  }
}

interface Exports {
  setup(...layout: readonly number[]): void
  bound(): void
  nearest(): number
  next(from: number, limit: number): number
  scan(start: number, size: number, limit: number): number
}

/** The compiled module; null where the platform has no WebAssembly SIMD. */
let compiled: WebAssembly.Module | null | undefined

/**
 * Four records at a time in WebAssembly; null where the platform cannot. Its memory has the boxes of the blocks and room for
 * one block, which is copied there when it is opened: so the records themselves are read where all threads share them.
 */
export function simdBlockScan(rows: BlockedRows): BlockScan | null {
  if (compiled === undefined) compiled = compile(BLOCK_SCAN_WASM)
  if (compiled === null) return null
  const { nominal, metric, squared, blocks, starts, values } = rows
  const width = nominal + metric
  const most = mostPlaces(rows)
  const fixed = [rows.weights, rows.masks, rows.lows, rows.highs]
  const lengths = [...fixed.map((array) => array.length), most * width, width, nominal, blocks, most, most]
  const addresses = [0]
  for (const length of lengths) addresses.push(Math.ceil((addresses[addresses.length - 1] + 4 * length) / 16) * 16)
  const bytes = addresses[lengths.length]
  const memory = memoryOf(bytes)
  if (memory === null) return null
  const [weights, masks, lows, highs, opened, query, queryMasks, bounds, found, sums] = addresses
  for (const [k, array] of fixed.entries()) {
    new Uint8Array(memory.buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), addresses[k])
  }
  const kernel = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Exports
  const layout = [weights, query, queryMasks, opened, masks, lows, highs, bounds, found, sums]
  kernel.setup(nominal, metric, squared ? 1 : 0, blocks, ...layout)
  const room = new Float32Array(memory.buffer, opened, most * width)
  // Made when a block is opened first: most are opened again.
  const records = new Array<Float32Array | undefined>(blocks)
  return {
    query: new Float32Array(memory.buffer, query, width),
    queryMasks: new Uint32Array(memory.buffer, queryMasks, nominal),
    found: new Int32Array(memory.buffer, found, most),
    sums: new Float32Array(memory.buffer, sums, most),
    bound: kernel.bound,
    nearest: kernel.nearest,
    next: kernel.next,
    scan(block, limit) {
      const start = starts[block]
      const end = starts[block + 1]
      records[block] ??= values.subarray(start * width, end * width)
      room.set(records[block])
      return kernel.scan(start, end - start, limit)
    },
  }
}

function mostPlaces({ starts, blocks }: BlockedRows): number {
  let most = 0
  for (let block = 0; block < blocks; block++) most = Math.max(most, starts[block + 1] - starts[block])
  return most
}
