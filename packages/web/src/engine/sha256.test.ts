import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.js'

it.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000, 100_003])('of %i bytes is what Node gives', (length) => {
  const bytes = Uint8Array.from({ length: length + 1 }, (_, k) => (k * 131 + length) % 256).subarray(1)
  expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
})
