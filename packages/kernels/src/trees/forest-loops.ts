import { FOREST_LOOPS_WASM } from '../wasm/forest-loops.js'
import { keptKernel } from '../wasm/webassembly.js'
import { type Criterion, countClasses, searchDrawn } from './forest-cuts.js'
import { assignByCut, type BinnedColumns, partitionByCut } from './tree.js'

/** The loops of a forest over rows and bins: in plain TypeScript, and in WebAssembly, which gives the same bits. */
export interface ForestLoops {
  readonly searchDrawn: typeof searchDrawn
  readonly countClasses: typeof countClasses
  readonly partitionByCut: typeof partitionByCut
  readonly assignByCut: typeof assignByCut
  /** To be called before the others, for a forest on these data; all arrays are in the room that came with the loops. */
  readonly setup: (criterion: Criterion, data: BinnedColumns, drawn: Int32Array) => void
}

export const plainForestLoops: ForestLoops = {
  searchDrawn,
  countClasses,
  partitionByCut,
  assignByCut,
  setup: () => {},
}

interface Exports {
  setup(...layout: readonly number[]): void
  search(rows: number, from: number, to: number, weight: number, sum: number, squares: number): void
  countClasses(rows: number, from: number, to: number): number
  partition(codes: number, from: number, into: number, start: number, end: number, limit: number, shift: number): number
  assign(...cutAndSides: readonly number[]): void
}

/** Loops in WebAssembly with room for so many bytes, until they are asked for again. Null where the platform cannot. */
export const wasmForestLoops = keptKernel(FOREST_LOOPS_WASM, loopsOf)

function loopsOf(exports: Exports): ForestLoops {
  return {
    setup: (criterion, { rows, codes, bins }, drawn) => {
      const { response, width, histogram, touched, found, answer } = criterion
      const isMany = criterion.kind === 'many'
      const own = isMany
        ? [codes, criterion.classOf, criterion.draws, criterion.total, criterion.left]
        : [criterion.pairs, codes, codes, codes, codes]
      exports.setup(
        rows,
        codes.byteOffset,
        bins.byteOffset,
        drawn.byteOffset,
        drawn.length,
        response.classes,
        ...own.map(({ byteOffset }) => byteOffset),
        width,
        ...[histogram, touched, found.codes, answer].map(({ byteOffset }) => byteOffset),
      )
    },
    searchDrawn: (criterion, _, rows, __, from, to, weight, sum, cut) => {
      const squares = criterion.kind === 'many' ? exports.countClasses(rows.byteOffset, from, to) : 0
      exports.search(rows.byteOffset, from, to, weight, sum, squares)
      const { answer } = criterion
      cut.score = answer[0]
      cut.column = answer[1]
      cut.low = answer[2]
      cut.high = answer[3]
      cut.missingLeft = answer[4] === 1
      cut.leftWeight = answer[5]
      cut.leftSum = answer[6]
    },
    countClasses: (_, rows, from, to) => exports.countClasses(rows.byteOffset, from, to),
    partitionByCut: (codes, offset, source, target, from, to, low, missingLeft) => {
      const shift = missingLeft ? 0 : 1
      const column = codes.byteOffset + 2 * offset
      return exports.partition(column, source.byteOffset, target.byteOffset, from, to, low - shift, shift)
    },
    assignByCut: (codes, offset, rows, from, to, low, missingLeft, left, sides) => {
      const shift = missingLeft ? 0 : 1
      const column = codes.byteOffset + 2 * offset
      exports.assign(column, rows.byteOffset, from, to, low - shift, shift, left, sides.byteOffset)
    },
  }
}
