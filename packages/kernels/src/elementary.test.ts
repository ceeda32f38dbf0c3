import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as math from './elementary.js'

const ULP = 2 ** -52
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

const same = (a: number, b: number) => Object.is(a, b) || Math.abs(a - b) < 1e-10

/** The engine's own functions err by less than one unit in the last place too. */
function agree(own: (x: number) => number, engine: (x: number) => number, units: number, from: number, to: number) {
  fc.assert(
    fc.property(number(from, to), (x) => {
      const expected = engine(x)
      expect(Math.abs(own(x) - expected)).toBeLessThanOrEqual(units * ULP * Math.abs(expected) + 5e-324)
    }),
    { numRuns: 2000 },
  )
}

describe('elementary functions', () => {
  it('are those of the engine but for the last bits', () => {
    agree(math.exp, Math.exp, 2, -745, 709)
    agree(math.log, Math.log, 2, 5e-324, 1e308)
    agree(math.log, Math.log, 2, 0.5, 2)
    agree(math.log1p, Math.log1p, 2, -0.999, 1e17)
    agree(math.expm1, Math.expm1, 4, -40, 40)
    agree(math.log2, Math.log2, 3, 1e-300, 1e300)
    agree(math.log10, Math.log10, 3, 1e-300, 1e300)
    agree(math.atanh, Math.atanh, 3, -0.999, 0.999)
    agree(math.cbrt, Math.cbrt, 2, -1e300, 1e300)
    agree(
      (x) => math.pow(x, -0.2),
      (x) => x ** -0.2,
      40,
      1e-30,
      1e30,
    )
    agree(
      (x) => math.pow(x, 3),
      (x) => x ** 3,
      2,
      -1e30,
      1e30,
    )
    fc.assert(
      fc.property(number(-1e4, 1e4), (x) => {
        expect(math.sin(x)).toBeCloseTo(Math.sin(x), 14)
        expect(math.cos(x)).toBeCloseTo(Math.cos(x), 14)
        expect(math.sin(x) ** 2 + math.cos(x) ** 2).toBeCloseTo(1, 14)
      }),
    )
  })

  it('are exact where there is an exact value', () => {
    expect([math.exp(0), math.log(1), math.expm1(0), math.log1p(0), math.sin(0), math.cos(0)]).toEqual([
      1, 0, 0, 0, 0, 1,
    ])
    for (let k = -1022; k <= 1023; k++) expect(math.log2(2 ** k)).toBe(k)
    for (let k = -300; k <= 308; k++) expect(math.log10(Number(`1e${k}`))).toBe(k)
    for (let k = -323; k <= 308; k++) expect(math.pow(10, k)).toBe(Number(`1e${k}`))
    expect(math.pow(3, 5)).toBe(243)
    expect(math.pow(-2, 3)).toBe(-8)
    expect(math.pow(2, -3)).toBe(0.125)
  })

  it('have the limits of the language', () => {
    const edges = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -1, 710, -746, 5e-324, 1e-310]
    const pairs: [(x: number) => number, (x: number) => number][] = [
      [math.exp, Math.exp],
      [math.log, Math.log],
      [math.log1p, Math.log1p],
      [math.expm1, Math.expm1],
      [math.log2, Math.log2],
      [math.log10, Math.log10],
      [math.cbrt, Math.cbrt],
    ]
    for (const [own, engine] of pairs) for (const x of edges) expect(same(own(x), engine(x))).toBe(true)
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY]) expect(math.sin(x)).toBe(Number.NaN)
    for (const [x, y] of [
      [0, 0],
      [0, -1],
      [0, 0.5],
      [-2, 0.5],
      [Number.POSITIVE_INFINITY, 0.5],
      [2, Number.NEGATIVE_INFINITY],
    ])
      expect(math.pow(x, y)).toBe(x ** y)
  })

  it('have these bits, in every engine', () => {
    const double = new Float64Array(1)
    const words = new Uint32Array(double.buffer)
    const { exp, log, log1p, expm1, log2, log10, pow, cbrt, sin, cos } = math
    let hash = 17
    for (let k = 1; k <= 2000; k++) {
      const x = k / 97
      const values = [exp(x - 10), log(x), log1p(x), expm1(x / 20), log2(x), log10(x), pow(x, -0.2), cbrt(x)]
      for (const value of [...values, sin(x), cos(x)]) {
        double[0] = value
        hash = Math.imul(Math.imul(hash ^ words[0], 16777619) ^ words[1], 16777619)
      }
    }
    expect(hash >>> 0).toBe(3177695835)
  })
})
