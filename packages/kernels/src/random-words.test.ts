import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainFillWords, simdFillWords, WORDS_AT_ONCE } from './random-words.js'

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
// Lower words near the end of their range too, where the upper one counts on.
const low = fc.oneof(word, fc.integer({ min: -256, max: 0 }))
const counters = fc.record({ low, high: word, indexLow: word, indexHigh: word })
const keys = fc.array(word, { minLength: 4, maxLength: 4 }).map((words) => Int32Array.from(words))

it('gives the same words in WebAssembly', () => {
  const simd = simdFillWords()
  fc.assert(
    fc.property(counters, keys, (counter, key) => {
      const words = [simd, plainFillWords].map((fill) => {
        const out = new Int32Array(WORDS_AT_ONCE)
        fill?.(counter, key, out)
        return out.join()
      })
      expect(words[0]).toBe(words[1])
    }),
  )
})
