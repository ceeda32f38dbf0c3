import { fillWords, threefry, WORDS_AT_ONCE, type Words } from '@scrim/kernels'
import { UserError } from '../errors.js'

/** A sequence of random numbers. Draws allocate nothing. */
export interface Stream {
  /** A whole number in [0, 2^32). */
  readonly uint32: () => number
  /** A multiple of 2^-53 in [0, 1). */
  readonly uniform: () => number
  /** An odd multiple of 2^-53 in (0, 1): never 0, never 1, symmetric about one half; for logarithms and quantiles. */
  readonly openUniform: () => number
  /** A whole number in [0, n), each equally likely; 1 <= n <= 2^53. */
  readonly below: (n: number) => number
  /** The same for n up to 2^31, again and again, into so many first places: in less time. */
  readonly fillBelow: (n: number, numbers: Int32Array, count: number) => void
  /** Draws as `fillBelow` does, and counts in so many places how often each number came. */
  readonly countBelow: (counts: Int32Array, draws: number) => void
  /** The same as `below` with a limit of its own for each, from 1 to 2^31 - 1, in whose place the number is put. */
  readonly belowEach: (limits: Int32Array) => void
}

const TWO_32 = 2 ** 32
const TWO_53 = 2 ** 53

/** A stream that was asked for so many blocks of four words gets the next ones by the hundred. */
const SINGLE_BLOCKS = 16

/**
 * The random numbers for one piece of work. Streams with different (seed, purpose, index) share no block of bits: seed
 * and purpose are the key, the index is the upper half of the counter. So a bootstrap may give every replicate its own
 * index and be cut anywhere, on any number of threads, without changing a bit.
 *
 * @param seed a safe integer, what the user sets
 * @param purpose what the numbers are for, e.g. `disco/bootstrap`
 * @param index the piece of work: replicate, tree, record
 */
export function stream(seed: number, purpose: string, index = 0): Stream {
  requireSafeInteger('seed', seed)
  requireSafeInteger('index', index)
  const key = streamKey(seed, purpose)
  const indexLow = lowWord(index)
  const indexHigh = highWord(index)
  let words: Words = new Int32Array(4)
  let low = 0
  let high = 0
  let used = 4

  function refill(): void {
    if (words.length === 4 && high === 0 && low === SINGLE_BLOCKS) words = new Int32Array(WORDS_AT_ONCE)
    const blocks = words.length / 4
    if (blocks === 1) threefry(low, high, indexLow, indexHigh, key, words)
    else fillWords({ low, high, indexLow, indexHigh }, key, words)
    low = (low + blocks) | 0
    if (low >>> 0 < blocks) high = (high + 1) | 0
    used = 0
  }

  function uint32(): number {
    if (used === words.length) refill()
    return words[used++] >>> 0
  }

  function uniform(): number {
    const high = uint32() >>> 5
    const low = uint32() >>> 6
    return (high * 67108864 + low) / TWO_53
  }

  function openUniform(): number {
    const high = uint32() >>> 6
    const low = uint32() >>> 6
    return (high * 67108864 + low + 0.5) / 4503599627370496
  }

  /**
   * Lemire, "Fast random integer generation in an interval" (2019): the upper word of the 64-bit product u n, drawn
   * again when the lower word falls into the 2^32 mod n surplus values. The product as a double is off by less than
   * 2^11, so taking the exact lower word from it and rounding gives the upper word exactly.
   */
  function below(n: number): number {
    if (!(n >= 1 && n <= TWO_32)) return belowWide(n)
    let u = uint32()
    let low = Math.imul(u, n) >>> 0
    if (low < n) {
      const surplus = TWO_32 % n
      while (low < surplus) {
        u = uint32()
        low = Math.imul(u, n) >>> 0
      }
    }
    return ((u * n - low) / TWO_32 + 0.5) >>> 0
  }

  function fillBelow(n: number, numbers: Int32Array, count: number): void {
    let at = 0
    while (at < count) {
      if (used === words.length) refill()
      const end = Math.min(count, at + words.length - used)
      const shift = used - at
      const block = words
      for (; at < end; at++) {
        const u = block[at + shift] >>> 0
        const low = Math.imul(u, n) >>> 0
        // Hardly ever: what may have to be drawn again.
        if (low < n) break
        numbers[at] = ((u * n - low) / TWO_32 + 0.5) >>> 0
      }
      used = at + shift
      if (at < end) numbers[at++] = below(n)
    }
  }

  function countBelow(counts: Int32Array, draws: number): void {
    const n = counts.length
    let left = draws
    while (left > 0) {
      if (used === words.length) refill()
      const from = used
      const end = Math.min(words.length, from + left)
      const block = words
      let at = from
      for (; at < end; at++) {
        const u = block[at] >>> 0
        const low = Math.imul(u, n) >>> 0
        if (low < n) break
        counts[((u * n - low) / TWO_32 + 0.5) >>> 0]++
      }
      used = at
      left -= at - from
      if (at < end) {
        counts[below(n)]++
        left--
      }
    }
  }

  function belowEach(limits: Int32Array): void {
    for (let at = 0; at < limits.length; at++) {
      if (used === words.length) refill()
      const n = limits[at]
      const u = words[used] >>> 0
      const low = Math.imul(u, n) >>> 0
      if (low < n) limits[at] = below(n)
      else {
        used++
        limits[at] = ((u * n - low) / TWO_32 + 0.5) >>> 0
      }
    }
  }

  function belowWide(n: number): number {
    if (!(n >= 1 && n <= TWO_53)) throw new RangeError(`cannot draw a whole number below ${n}`)
    const limit = TWO_53 - (TWO_53 % n)
    let whole = uniform() * TWO_53
    while (whole >= limit) whole = uniform() * TWO_53
    return whole % n
  }

  return { uint32, uniform, openUniform, below, fillBelow, countBelow, belowEach }
}

function requireSafeInteger(what: string, value: number): void {
  if (!Number.isSafeInteger(value))
    throw new UserError(`${what} must be a whole number smaller than 2^53, but it is ${value}`)
}

function streamKey(seed: number, purpose: string): Words {
  const hash = hashText(purpose)
  return Int32Array.of(lowWord(seed), highWord(seed), hash[0], hash[1])
}

/**
 * Threefry as a hash of text: every eight UTF-16 code units are a counter, encrypted under the hash so far. The length
 * starts the chain, so that zero padding of the last block cannot make two texts equal.
 */
function hashText(text: string): Words {
  const hash = Int32Array.of(text.length, 0, 0, 0)
  for (let at = 0; at < text.length; at += 8) {
    threefry(unitPair(text, at), unitPair(text, at + 2), unitPair(text, at + 4), unitPair(text, at + 6), hash, hash)
  }
  return hash
}

/** Two code units as one word; those past the end count as 0 (charCodeAt gives NaN, and NaN | 0 is 0). */
function unitPair(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)
}

function lowWord(integer: number): number {
  return integer | 0
}

function highWord(integer: number): number {
  return Math.floor(integer / TWO_32) | 0
}
