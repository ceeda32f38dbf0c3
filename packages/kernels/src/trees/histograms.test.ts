import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fillClasses,
  fillPairs,
  fillPairsTouching,
  foundBins,
  listTouched,
  takeFound,
  widest,
  wordsFor,
} from './histograms.js'

/** Three columns of codes, and the rows of a node somewhere in a list of rows. */
interface Node {
  readonly n: number
  readonly codes: Uint8Array | Uint16Array
  readonly rows: Int32Array
  readonly from: number
  readonly to: number
  readonly draws: Int32Array
  readonly classOf: Int32Array
  readonly values: Float64Array
}

const WIDTH = 70
const CLASSES = 3

const nodes: fc.Arbitrary<Node> = fc
  .record({ n: fc.integer({ min: 1, max: 40 }), wide: fc.boolean() })
  .chain(({ n, wide }) => {
    const whole = (max: number, length: number) =>
      fc.array(fc.integer({ min: 0, max }), { minLength: length, maxLength: length })
    return fc
      .record({
        codes: whole(WIDTH - 1, 3 * n),
        rows: fc.shuffledSubarray(Array.from({ length: n }, (_, row) => row)),
        draws: whole(4, n).map((draws) => draws.map((count) => count + 1)),
        classOf: whole(CLASSES - 1, n),
        values: whole(1000, n),
        ends: fc.tuple(fc.nat(), fc.nat()),
      })
      .map(({ codes, rows, draws, classOf, values, ends }) => {
        const [from, to] = ends.map((end) => end % (rows.length + 1)).sort((a, b) => a - b)
        return {
          n,
          codes: wide ? Uint16Array.from(codes) : Uint8Array.from(codes),
          rows: Int32Array.from(rows),
          from,
          to,
          draws: Int32Array.from(draws),
          classOf: Int32Array.from(classOf),
          values: Float64Array.from(values),
        }
      })
  })

const rowsOf = ({ rows, from, to }: Node) => Array.from(rows.subarray(from, to))
const codesOf = (node: Node, column: number) => rowsOf(node).map((row) => node.codes[column * node.n + row])

/** The simple version: for each row, add what it has to the bin of its code. */
function simple(node: Node, column: number, perBin: number, add: (bin: Float64Array, row: number) => void) {
  const histogram = new Float64Array(perBin * WIDTH)
  for (const row of rowsOf(node)) {
    const bin = node.codes[column * node.n + row]
    add(histogram.subarray(perBin * bin, perBin * (bin + 1)), row)
  }
  return Array.from(histogram)
}

const holds = (claim: (node: Node) => void) => fc.assert(fc.property(nodes, claim), { numRuns: 300 })

describe('filled histograms are the simple ones', () => {
  it('two sums per bin', () =>
    holds((node) => {
      const { n, codes, rows, values, from, to } = node
      const others = values.map((value) => value / 8 - 20)
      const expected = simple(node, 2, 2, (bin, row) => {
        bin[0] += values[row]
        bin[1] += others[row]
      })
      const dense = new Float64Array(2 * WIDTH)
      fillPairs(codes, 2 * n, rows, values, others, from, to, dense)
      expect(Array.from(dense)).toEqual(expected)
      const pairs = Float64Array.from({ length: 2 * n }, (_, k) => (k % 2 === 0 ? values : others)[k >> 1])
      const touching = new Float64Array(2 * WIDTH)
      fillPairsTouching(codes, 2 * n, rows, pairs, from, to, touching, new Int32Array(wordsFor(WIDTH)))
      expect(Array.from(touching)).toEqual(expected)
    }))

  it('counts of classes', () =>
    holds((node) => {
      const { n, codes, rows, draws, classOf, from, to } = node
      const histogram = new Float64Array(CLASSES * WIDTH)
      fillClasses(codes, n, rows, draws, classOf, CLASSES, from, to, histogram, new Int32Array(wordsFor(WIDTH)))
      expect(Array.from(histogram)).toEqual(
        simple(node, 1, CLASSES, (bin, row) => {
          bin[classOf[row]] += draws[row]
        }),
      )
    }))
})

it('touched bins are listed in order, taken and cleared', () =>
  holds((node) => {
    const { n, codes, rows, draws, classOf, from, to } = node
    const pairs = Float64Array.from({ length: 2 * n }, (_, k) => draws[k >> 1] * (k % 2 === 0 ? 1 : classOf[k >> 1]))
    const present = [...new Set(codesOf(node, 1))].sort((a, b) => a - b)
    const sums = simple(node, 1, 2, (bin, row) => {
      bin[0] += pairs[2 * row]
      bin[1] += pairs[2 * row + 1]
    })
    const found = foundBins(WIDTH)
    const histogram = new Float64Array(2 * WIDTH)
    const touched = new Int32Array(wordsFor(WIDTH))
    fillPairsTouching(codes, n, rows, pairs, from, to, histogram, touched)
    listTouched(touched, WIDTH, found)
    takeFound(histogram, found)
    const listed = Array.from({ length: found.count }, (_, i) => [found.codes[i], found.weights[i], found.sums[i]])
    expect(listed).toEqual(present.map((code) => [code, sums[2 * code], sums[2 * code + 1]]))
    expect(touched.every((bits) => bits === 0) && histogram.every((bin) => bin === 0)).toBe(true)
  }))

it('the widest column has one code more than bins, for missing values', () => {
  const none = new Float64Array(0)
  const data = { rows: 0, columns: 3, codes: new Uint8Array(0), start: new Int32Array(3), lower: none, upper: none }
  expect(widest({ ...data, bins: Int32Array.of(2, 7, 3) })).toBe(8)
})
