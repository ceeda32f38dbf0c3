import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chiSquaredUpper } from '../stats/distributions.js'
import { stream } from './stream.js'

/** A fair generator falls below this once in a million runs; the seeds are fixed, so it never will. */
const SUSPICIOUS = 1e-6

function first(n: number, draw: () => number): number[] {
  return Array.from({ length: n }, draw)
}

/** p-value of the chi-squared test that counts are equally likely. */
function evenness(counts: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < counts.length; i++) total += counts[i]
  const expected = total / counts.length
  let statistic = 0
  for (let i = 0; i < counts.length; i++) statistic += (counts[i] - expected) ** 2 / expected
  return chiSquaredUpper(statistic, counts.length - 1)
}

function tally(cells: number, draws: number, draw: () => number): Int32Array {
  const counts = new Int32Array(cells)
  for (let i = 0; i < draws; i++) counts[draw()]++
  return counts
}

/** A change of any of these is a change of every stochastic result for every user. */
const FROZEN = {
  words: [3215010597, 1738890578, 3543332905, 860540229, 1602122152, 2489632689],
  uniforms: [0.5673021227461357, 0.285959024511916, 0.6309469554711663],
  openUniforms: [0.41801802822100875, 0.2590516997654576, 0.8686042711228389],
  below: [634, 939, 759, 881, 486, 999, 75, 711],
}

describe('stream', () => {
  it('has the same bits for ever', () => {
    expect(first(6, stream(1, 'test').uint32)).toEqual(FROZEN.words)
    expect(first(3, stream(-20260101, 'disco/bootstrap', 7).uniform)).toEqual(FROZEN.uniforms)
    expect(first(3, stream(2 ** 53 - 1, 'Größe', 2 ** 40).openUniform)).toEqual(FROZEN.openUniforms)
    const { below } = stream(3, 'test')
    expect(first(8, () => below(1000))).toEqual(FROZEN.below)
  })

  it('is the same for the same seed, purpose and index, and another one otherwise', () => {
    const part = fc.record({ seed: fc.maxSafeInteger(), purpose: fc.string(), index: fc.maxSafeNat() })
    fc.assert(
      fc.property(part, part, (a, b) => {
        const one = first(8, stream(a.seed, a.purpose, a.index).uint32)
        expect(first(8, stream(a.seed, a.purpose, a.index).uint32)).toEqual(one)
        const other = first(8, stream(b.seed, b.purpose, b.index).uint32)
        if (a.seed !== b.seed || a.purpose !== b.purpose || a.index !== b.index) expect(other).not.toEqual(one)
      }),
    )
  })

  it('tells apart what differs little', () => {
    const near = [
      stream(1, 'a'),
      stream(-1, 'a'),
      stream(1 + 2 ** 32, 'a'),
      stream(1, 'a', 1),
      stream(1, 'a', 2 ** 32),
      stream(1, 'b'),
      stream(1, ''),
      stream(1, 'a\0'),
      stream(1, 'aaaaaaaaa'),
      stream(1, 'aaaaaaaab'),
    ]
    expect(new Set(near.map((source) => source.uint32())).size).toBe(near.length)
  })

  it('refuses a seed that is no whole number', () => {
    expect(() => stream(1.5, 'a')).toThrow('seed must be a whole number smaller than 2^53, but it is 1.5')
    expect(() => stream(2 ** 53, 'a')).toThrow('seed')
    expect(() => stream(1, 'a', Number.NaN)).toThrow('index')
  })

  it('uniform fills [0, 1) evenly', () => {
    const source = stream(1, 'uniform')
    expect(evenness(tally(1000, 200_000, () => Math.floor(source.uniform() * 1000)))).toBeGreaterThan(SUSPICIOUS)
  })

  it('uniform has 53 bits, each set half of the time', () => {
    const source = stream(1, 'bits')
    const set = new Int32Array(53)
    let beyond = 0
    for (let i = 0; i < 20_000; i++) {
      let rest = source.uniform()
      for (let bit = 0; bit < 53; bit++) {
        rest *= 2
        set[bit] += Math.floor(rest)
        rest %= 1
      }
      beyond += rest
    }
    expect(beyond).toBe(0)
    for (const count of set) expect(Math.abs(count - 10_000)).toBeLessThan(6 * Math.sqrt(5000))
  })

  it('openUniform stays off 0 and 1', () => {
    const source = stream(1, 'open')
    const isOdd = (u: number) => u > 0 && u < 1 && (u * 2 ** 53) % 2 === 1
    expect(first(10_000, source.openUniform).every(isOdd)).toBe(true)
  })

  it('successive draws are unrelated, within a stream and across indices', () => {
    const source = stream(1, 'pairs')
    const pair = (a: number, b: number) => Math.floor(a * 20) * 20 + Math.floor(b * 20)
    expect(evenness(tally(400, 100_000, () => pair(source.uniform(), source.uniform())))).toBeGreaterThan(SUSPICIOUS)
    let index = 0
    const across = () => pair(stream(1, 'across', index).uniform(), stream(1, 'across', ++index).uniform())
    expect(evenness(tally(400, 50_000, across))).toBeGreaterThan(SUSPICIOUS)
  })

  it.each([1, 2, 3, 7, 1000])('below(%d) is even', (n) => {
    const source = stream(1, 'below', n)
    const counts = tally(n, 100_000, () => source.below(n))
    expect(counts.length).toBe(n)
    if (n > 1) expect(evenness(counts)).toBeGreaterThan(SUSPICIOUS)
  })

  it.each([1, 10, 1000, 3 * 2 ** 29, 2 ** 31])('fillBelow(%d) is below again and again', (n) => {
    const [one, other] = [stream(1, 'fill'), stream(1, 'fill')]
    const numbers = new Int32Array(1000)
    for (const count of [3, 1000, 0, 700]) {
      other.fillBelow(n, numbers, count)
      expect(numbers.slice(0, count)).toEqual(Int32Array.from(first(count, () => one.below(n))))
    }
  })

  it.each([1, 10, 1000, 3_000_000])('countBelow of %d counts what below gives', (n) => {
    const [one, other] = [stream(1, 'count'), stream(1, 'count')]
    const counts = new Int32Array(n)
    const expected = new Int32Array(n)
    for (const draws of [3, 5000, 0, 700]) {
      other.countBelow(counts, draws)
      for (let draw = 0; draw < draws; draw++) expected[one.below(n)]++
    }
    // Not `toEqual`, which is slow for so many.
    expect(counts.every((count, at) => count === expected[at])).toBe(true)
    expect(other.uint32()).toBe(one.uint32())
  })

  it('belowEach is below with each limit', () => {
    const [one, other] = [stream(1, 'each'), stream(1, 'each')]
    const limits = Int32Array.from({ length: 2000 }, (_, at) => 1 + ((at * 2654435761) % 2 ** (1 + (at % 30))))
    const expected = limits.map((n) => one.below(n))
    other.belowEach(limits)
    expect(limits).toEqual(expected)
  })

  it.each([3 * 2 ** 30, 2 ** 32, 2 ** 32 + 2 ** 31, 3 * 2 ** 51, 2 ** 53])('below(%d) is even', (n) => {
    const source = stream(1, 'below wide', n / 2)
    const counts = tally(64, 64_000, () => Math.floor((source.below(n) / n) * 64))
    expect(evenness(counts)).toBeGreaterThan(SUSPICIOUS)
  })

  it('below is the upper word of the exact product', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), fc.nat(1000), (n, index) => {
        const u = stream(5, 'product', index).uint32()
        const product = BigInt(u) * BigInt(n)
        const rejected = product % 2n ** 32n < 2n ** 32n % BigInt(n)
        const drawn = stream(5, 'product', index).below(n)
        if (!rejected) expect(drawn).toBe(Number(product >> 32n))
        expect(drawn).toBeLessThan(n)
      }),
      { numRuns: 2000 },
    )
  })

  it('below refuses an empty range', () => {
    expect(() => stream(1, 'a').below(0)).toThrow('cannot draw a whole number below 0')
    expect(() => stream(1, 'a').below(Number.NaN)).toThrow(RangeError)
    expect(() => stream(1, 'a').below(2 ** 54)).toThrow(RangeError)
  })
})
