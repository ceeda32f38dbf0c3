import { FOREST_GROWTH_WASM } from '../wasm/forest-growth.js'
import { keptKernel, type Room } from '../wasm/webassembly.js'
import type { ForestRule, Grow } from './forest.js'
import type { ForestResponse } from './forest-cuts.js'
import { widest } from './histograms.js'
import type { BinnedColumns } from './tree.js'

/** Grows trees in WebAssembly. What is computed is told by the twin, `plain-forest.ts`. */

type Arrays = ReturnType<typeof arraysIn>
type Variable = keyof Arrays | keyof ReturnType<typeof numbersOf> | 'nodes' | 'leaves' | 'shareCount' | 'notDrawn'
type Exports = { readonly [name in Variable]: { value: number } } & { readonly grow: () => void }

/** So many random words are handed over at a time. */
const WORDS_AT_ONCE = 256
/** So many columns may be counted in one pass over the rows of a node. */
const TOGETHER = 3
/** A column with at most so many bins has codes of one byte. */
const BYTE_BINS = 255
/** Rows are taken four at a time: up to so many places before the first and behind the last one. */
const LIST_MARGIN = 3
/** By how often a row was drawn and its class. */
const MARKS = 256
const WAITING_BYTES = 40
const LARGEST = 2 ** 31 - 1

/** Makes new random words for the tree that is being grown. */
let refill = () => {}

const kernel = keptKernel(FOREST_GROWTH_WASM, (exports: Exports) => exports, {
  'forest-growth': { refill: () => refill() },
})

/** Null where the platform cannot. */
export function wasmForestGrower(data: BinnedColumns, response: ForestResponse, rule: ForestRule): Grow | null {
  const instance = kernel(bytesFor(data, response))
  if (instance === null) return null
  const { room, kernel: exports } = instance
  const arrays = arraysIn(room, data, response)
  for (const [name, array] of entriesOf(arrays)) exports[name].value = array.byteOffset
  for (const [name, number] of entriesOf(numbersOf(data, response, rule))) exports[name].value = number
  return (draws, random) => {
    refill = () => {
      for (let i = 0; i < WORDS_AT_ONCE; i++) arrays.words[i] = random.uint32()
    }
    arrays.draws.set(draws)
    exports.grow()
    return grownTree(arrays, exports)
  }
}

function entriesOf<Name extends string, Value>(values: Readonly<Record<Name, Value>>): [Name, Value][] {
  return Object.entries(values) as [Name, Value][]
}

function numbersOf({ rows, columns }: BinnedColumns, { classes, grid }: ForestResponse, rule: ForestRule) {
  return {
    rowCount: rows,
    columns,
    mtry: Math.min(rule.mtry, columns),
    minNode: Math.min(rule.minNode, LARGEST),
    maxDepth: Math.min(rule.maxDepth, LARGEST),
    outOfBag: rule.outOfBag ? 1 : 0,
    classes,
    grid,
  }
}

function arraysIn(room: Room, data: BinnedColumns, { values, classes }: ForestResponse) {
  const { rows, columns } = data
  const width = widest(data) + 2
  const several = classes > 2 ? rows : 0
  const rowList = () => room.int32(rows + 2 * LIST_MARGIN).subarray(LIST_MARGIN)
  return {
    codes: codesIn(room, data),
    bins: room.sharedCodes(data.bins),
    start: room.sharedCodes(data.start),
    lower: room.sharedNumbers(data.lower),
    upper: room.sharedNumbers(data.upper),
    draws: room.int32(rows + LIST_MARGIN),
    classOf: classes > 0 ? room.sharedCodes(Int32Array.from(values)) : NO_CODES,
    numbers: classes > 0 ? NO_NUMBERS : room.sharedNumbers(values),
    pairs: room.float64(Math.max(classes === 0 ? 2 * rows : rows, MARKS / 2)),
    evenRows: rowList(),
    oddRows: rowList(),
    evenOthers: rowList(),
    oddOthers: rowList(),
    arrived: room.int32(rows),
    arrivedLeaf: room.int32(rows),
    order: room.int32(columns),
    words: room.int32(WORDS_AT_ONCE),
    shuffles: room.uint8(16 * 16),
    histograms: room.float64(Math.max(width * classes, 2 * (2 * TOGETHER * (BYTE_BINS + 5) + width + 2))),
    listedBins: room.float64(2 * width),
    listed: room.int32(width),
    touched: room.int32(2 * ((width + 63) >>> 6)),
    touchedWords: room.int32(2 * ((width + 4095) >>> 12)),
    total: room.float64(classes),
    left: room.float64(classes),
    decrease: room.float64(columns),
    // Each leaf and each node that waits has rows of its own.
    stack: room.unclearedFloat64((rows + 2) * (WAITING_BYTES / 8)),
    split: room.unclearedInt32(2 * rows + 1),
    child: room.unclearedInt32(2 * rows + 1),
    value: room.unclearedFloat64(2 * rows + 1),
    shareStart: room.unclearedInt32(several + 1),
    shareClasses: room.unclearedInt32((several + 1) >>> 1),
    shares: room.unclearedFloat64(several),
  }
}

/** The codes of each column, of one byte where that is enough; gives where they begin. */
function codesIn(room: Room, { rows, columns, codes, bins }: BinnedColumns): Int32Array {
  const start = room.int32(columns)
  for (let j = 0; j < columns; j++) {
    const own = codes.subarray(j * rows, (j + 1) * rows)
    const copy = bins[j] <= BYTE_BINS ? room.uint8(rows) : room.uint16(rows)
    copy.set(own)
    start[j] = copy.byteOffset
  }
  return start
}

const NO_CODES = new Int32Array(0)
const NO_NUMBERS = new Float64Array(0)

/** At least as many bytes as all arrays take: by row, by row and column, by bin, and what is lost between arrays. */
function bytesFor(data: BinnedColumns, { classes }: ForestResponse): number {
  const byRow = 2 * data.columns + 4 + 8 + 16 + 6 * 4 + WAITING_BYTES + 2 * 16 + 14
  const byBin = 8 * Math.max(classes, 2) + 3 * 8
  const others =
    16 * data.lower.length + 36 * data.columns + 16 * classes + 4 * MARKS + 16 * 2 * TOGETHER * (BYTE_BINS + 5)
  return byRow * (data.rows + 2) + byBin * (widest(data) + 64) + others + 4096
}

function grownTree(arrays: Arrays, exports: Exports) {
  const { split, child, value, decrease, arrived, arrivedLeaf } = arrays
  const nodes = exports.nodes.value
  const notDrawn = exports.notDrawn.value
  return {
    tree: {
      split: split.slice(0, nodes),
      child: child.slice(0, nodes),
      value: value.slice(0, nodes),
      sets: new Int32Array(0),
      ...sharesOf(arrays, exports),
    },
    outOfBag: arrived.subarray(0, notDrawn),
    outOfBagLeaf: arrivedLeaf.subarray(0, notDrawn),
    decrease: decrease.slice(),
  }
}

function sharesOf({ shareStart, shareClasses, shares }: Arrays, exports: Exports) {
  if (exports.classes.value <= 2)
    return { start: new Int32Array(0), classes: new Uint16Array(0), shares: new Float64Array(0) }
  const leaves = exports.leaves.value
  const count = exports.shareCount.value
  shareStart[leaves] = count
  return {
    start: shareStart.slice(0, leaves + 1),
    classes: new Uint16Array(shareClasses.buffer, shareClasses.byteOffset, count).slice(),
    shares: shares.slice(0, count),
  }
}
