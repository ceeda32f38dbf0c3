import { CART_LOOPS_WASM } from '../wasm/cart-loops.js'
import { keptKernel } from '../wasm/webassembly.js'
import {
  addCodesToSides,
  addToSides,
  numberRows,
  partition,
  pickCodes,
  pickNumbers,
  settleSides,
  sidesByLevel,
  sidesByRank,
  sumNumbers,
  sumSquares,
  totalClasses,
} from './cart-rows.js'
import {
  clearBins,
  countClasses,
  countNumbers,
  cutClasses,
  cutGroupsOfClasses,
  cutGroupsOfNumbers,
  cutNumbers,
  cutSubsets,
  cutTwoClasses,
  foundCut,
  raise,
  type Search,
} from './cart-split.js'

/**
 * The loops of a tree over rows, codes and cuts. In plain TypeScript, and in WebAssembly, which is as fast in the
 * first tree of a process as in the hundredth: plain code is slow until it was compiled, and a file is often synthesised once. Both
 * give the same bits. Rows with weights are left to plain code.
 */
export interface CartLoops {
  readonly partition: typeof partition
  readonly pickCodes: typeof pickCodes
  readonly pickNumbers: typeof pickNumbers
  readonly numberRows: typeof numberRows
  readonly sumNumbers: typeof sumNumbers
  readonly sumSquares: typeof sumSquares
  readonly totalClasses: typeof totalClasses
  readonly sidesByRank: typeof sidesByRank
  readonly sidesByLevel: typeof sidesByLevel
  readonly addToSides: typeof addToSides
  readonly addCodesToSides: typeof addCodesToSides
  readonly settleSides: typeof settleSides
  readonly countNumbers: typeof countNumbers
  readonly countClasses: typeof countClasses
  readonly clearBins: typeof clearBins
  readonly cutNumbers: typeof cutNumbers
  readonly cutClasses: typeof cutClasses
  readonly cutTwoClasses: typeof cutTwoClasses
  readonly cutGroupsOfNumbers: typeof cutGroupsOfNumbers
  readonly cutGroupsOfClasses: typeof cutGroupsOfClasses
  readonly cutSubsets: typeof cutSubsets
  /** To be called before the others with what they search with; all arrays are in the room that came with the loops. */
  readonly setup: (search: Search) => void
}

export const plainLoops: CartLoops = {
  partition,
  pickCodes,
  pickNumbers,
  numberRows,
  sumNumbers,
  sumSquares,
  totalClasses,
  sidesByRank,
  sidesByLevel,
  addToSides,
  addCodesToSides,
  settleSides,
  countNumbers,
  countClasses,
  clearBins,
  cutNumbers,
  cutClasses,
  cutTwoClasses,
  cutGroupsOfNumbers,
  cutGroupsOfClasses,
  cutSubsets,
  setup: () => {},
}

interface Exports {
  setup(...layout: readonly number[]): void
  partition(rows: number, from: number, count: number, side: number, spare: number): number
  pickCodes(from: number, rows: number, start: number, n: number, into: number): void
  pickNumbers(from: number, rows: number, n: number, into: number): void
  numberRows(rows: number, start: number, n: number, origin: number, local: number, numbers: number): void
  sumNumbers(values: number, rows: number, start: number, n: number): number
  sumSquares(values: number, rows: number, start: number, n: number, mean: number): number
  totalClasses(classCodes: number, rows: number, start: number, n: number): void
  sidesByRank(codes: number, rows: number, start: number, n: number, below: number, side: number): void
  sidesByLevel(codes: number, rows: number, start: number, n: number, levelSide: number, side: number): void
  addNumbers(...at: readonly number[]): void
  addCodes(...at: readonly number[]): void
  settleSides(rows: number, start: number, n: number, side: number, heavier: number, flip: number): number
  countNumbers(codes: number, rows: number, values: number, start: number, n: number, mean: number): number
  countClasses(codes: number, rows: number, classCodes: number, start: number, n: number): number
  clearBins(count: number): void
  cutNumbers(...at: readonly number[]): void
  cutClasses(order: number, rank: number, classCodes: number, from: number, end: number): void
  cutTwoClasses(order: number, rank: number, classCodes: number, from: number, end: number): void
  cutGroupsOfNumbers(count: number): void
  cutGroupsOfClasses(count: number): void
  cutSubsets(count: number): void
}

/** Loops in WebAssembly with room for so many bytes, for one tree: the next one has the same memory. Null where the platform cannot. */
export const wasmLoops = keptKernel(CART_LOOPS_WASM, loopsOf)

function loopsOf(exports: Exports): CartLoops {
  /** What the module answered, as the best split; whether it did. */
  const take = ({ best, answer }: Search, column: number): void => {
    if (answer[2] >= 0) foundCut(best, column, answer[0], answer[2], answer[3])
  }
  /** The same where groups were cut: the place of the cut. */
  const place = ({ best, answer }: Search, none: number): number => {
    if (answer[2] < 0) return none
    raise(best, answer[0])
    return answer[2]
  }
  const ask = ({ best, answer }: Search): void => {
    answer[1] = best.bar
  }
  return {
    setup: ({ minbucket, classes, binRows, binWeight, binSum, binCounts, groups, ...search }) => {
      const { leftCounts, rightCounts, classTotal, classLeft, answer } = search
      const arrays = [
        binRows,
        binWeight,
        binSum,
        binCounts,
        groups,
        leftCounts,
        rightCounts,
        classTotal,
        classLeft,
        answer,
      ]
      exports.setup(minbucket, classes, ...arrays.map(({ byteOffset }) => byteOffset))
    },
    partition: (rows, from, count, side, spare) =>
      exports.partition(rows.byteOffset, from, count, side.byteOffset, spare.byteOffset),
    pickCodes: (from, rows, start, n, into) =>
      exports.pickCodes(from.byteOffset, rows.byteOffset, start, n, into.byteOffset),
    pickNumbers: (from, rows, n, into) => exports.pickNumbers(from.byteOffset, rows.byteOffset, n, into.byteOffset),
    numberRows: (rows, start, n, origin, local, numbers) =>
      exports.numberRows(rows.byteOffset, start, n, origin.byteOffset, local.byteOffset, numbers.byteOffset),
    sumNumbers: (values, rows, start, n) => exports.sumNumbers(values.byteOffset, rows.byteOffset, start, n),
    sumSquares: (values, rows, start, n, mean) =>
      exports.sumSquares(values.byteOffset, rows.byteOffset, start, n, mean),
    totalClasses: (_, classCodes, rows, start, n) =>
      exports.totalClasses(classCodes.byteOffset, rows.byteOffset, start, n),
    sidesByRank: (codes, rows, start, n, below, side) =>
      exports.sidesByRank(codes.byteOffset, rows.byteOffset, start, n, below, side.byteOffset),
    sidesByLevel: (codes, rows, start, n, levelSide, side) =>
      exports.sidesByLevel(codes.byteOffset, rows.byteOffset, start, n, levelSide.byteOffset, side.byteOffset),
    addToSides: (rows, start, n, side, values, _, sideWeight, sideSum) =>
      exports.addNumbers(
        rows.byteOffset,
        start,
        n,
        side.byteOffset,
        values.byteOffset,
        sideWeight.byteOffset,
        sideSum.byteOffset,
      ),
    addCodesToSides: (rows, start, n, side, codes, _, sideWeight, sideSum) =>
      exports.addCodes(
        rows.byteOffset,
        start,
        n,
        side.byteOffset,
        codes.byteOffset,
        sideWeight.byteOffset,
        sideSum.byteOffset,
      ),
    settleSides: (rows, start, n, side, heavier, flip) =>
      exports.settleSides(rows.byteOffset, start, n, side.byteOffset, heavier, flip),
    countNumbers: (_, { rows, numbers }, codes, { start, n, mean }) =>
      exports.countNumbers(codes.byteOffset, rows.byteOffset, numbers.byteOffset, start, n, mean),
    countClasses: (_, { rows, classCodes }, codes, { start, n }) =>
      exports.countClasses(codes.byteOffset, rows.byteOffset, classCodes.byteOffset, start, n),
    clearBins: (_, count) => exports.clearBins(count),
    cutNumbers: (search, { numbers }, column, order, rank, from, end, { n, mean }) => {
      ask(search)
      const isWhole = end - from < n ? 0 : 1
      exports.cutNumbers(order.byteOffset, rank.byteOffset, numbers.byteOffset, from, end, mean, isWhole)
      take(search, column)
    },
    cutClasses: (search, classCodes, column, order, rank, from, end) => {
      ask(search)
      exports.cutClasses(order.byteOffset, rank.byteOffset, classCodes.byteOffset, from, end)
      take(search, column)
    },
    cutTwoClasses: (search, classCodes, column, order, rank, from, end) => {
      ask(search)
      exports.cutTwoClasses(order.byteOffset, rank.byteOffset, classCodes.byteOffset, from, end)
      take(search, column)
    },
    cutGroupsOfNumbers: (search, count) => {
      ask(search)
      exports.cutGroupsOfNumbers(count)
      return place(search, -1)
    },
    cutGroupsOfClasses: (search, count) => {
      ask(search)
      exports.cutGroupsOfClasses(count)
      return place(search, -1)
    },
    cutSubsets: (search, count) => {
      ask(search)
      exports.cutSubsets(count)
      return place(search, 0)
    },
  }
}
