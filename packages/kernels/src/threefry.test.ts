import { describe, expect, it } from 'vitest'
import { threefry } from './threefry.js'

function encrypt(counter: readonly number[], key: readonly number[]): string[] {
  const out = new Int32Array(4)
  threefry(counter[0], counter[1], counter[2], counter[3], Int32Array.from(key), out)
  return Array.from(out, (word) => (word >>> 0).toString(16).padStart(8, '0'))
}

describe('threefry', () => {
  // kat_vectors of Random123, lines "threefry4x32 20".
  it.each([
    {
      counter: [0, 0, 0, 0],
      key: [0, 0, 0, 0],
      image: ['9c6ca96a', 'e17eae66', 'fc10ecd4', '5256a7d8'],
    },
    {
      counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      key: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      image: ['2a881696', '57012287', 'f6c7446e', 'a16a6732'],
    },
    {
      counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      key: [0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89],
      image: ['59cd1dbb', 'b8879579', '86b5d00c', 'ac8b6d84'],
    },
  ])('gives the known answer for key $key', ({ counter, key, image }) => {
    expect(encrypt(counter, key)).toEqual(image)
  })

  it('may write over its key', () => {
    const key = Int32Array.of(0, 0, 0, 0)
    threefry(0, 0, 0, 0, key, key)
    expect(key[0] >>> 0).toBe(0x9c6ca96a)
  })
})
