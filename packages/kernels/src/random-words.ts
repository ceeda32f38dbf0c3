import { threefry, type Words } from './threefry.js'
import { RANDOM_WORDS_WASM } from './wasm/random-words.js'
import { compile, memoryOf } from './wasm/webassembly.js'

/** The counter of a block of four words: its own number in 64 bits, and an index. */
interface Counter {
  readonly low: number
  readonly high: number
  readonly indexLow: number
  readonly indexHigh: number
}

/** So many words are made at a time, of 64 counters. */
export const WORDS_AT_ONCE = 256
const BLOCKS_AT_ONCE = WORDS_AT_ONCE / 4

/** Writes `WORDS_AT_ONCE` words: the images under the key of this counter and those after it. */
export type FillWords = (counter: Counter, key: Words, out: Words) => void

/** In plain TypeScript: what the SIMD kernel computes. */
export const plainFillWords: FillWords = ({ low, high, indexLow, indexHigh }, key, out) => {
  const image = new Int32Array(4)
  for (let block = 0; block < BLOCKS_AT_ONCE; block++) {
    const at = (low + block) | 0
    threefry(at, (high + (at >>> 0 < low >>> 0 ? 1 : 0)) | 0, indexLow, indexHigh, key, image)
    out.set(image, 4 * block)
  }
}

interface Exports {
  words(...counterAndKey: readonly number[]): void
}

/** Where the kernel writes. */
const WORDS_AT = 64

/** Four counters at a time in WebAssembly; null where the platform cannot. */
export function simdFillWords(): FillWords | null {
  const compiled = compile(RANDOM_WORDS_WASM)
  const memory = compiled === null ? null : memoryOf(WORDS_AT + 4 * WORDS_AT_ONCE)
  if (compiled === null || memory === null) return null
  const kernel = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Exports
  const words = new Int32Array(memory.buffer, WORDS_AT, WORDS_AT_ONCE)
  return ({ low, high, indexLow, indexHigh }, key, out) => {
    kernel.words(low, high, indexLow, indexHigh, key[0], key[1], key[2], key[3], BLOCKS_AT_ONCE)
    out.set(words)
  }
}

let fastest: FillWords | undefined

/** The fastest that the platform offers. */
export const fillWords: FillWords = (counter, key, out) => {
  fastest ??= simdFillWords() ?? plainFillWords
  fastest(counter, key, out)
}
