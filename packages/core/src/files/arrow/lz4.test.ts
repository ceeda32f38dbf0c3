import { expect, it } from 'vitest'
import { decompressLz4Frame } from './lz4.js'

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

it('decompresses a frame of lz4js', () => {
  const frame = bytesOf('04224d18 4070df 10000000 6f736372696d200600d7506761757a65 00000000')
  expect(textOf(decompressLz4Frame(frame))).toBe(`${'scrim '.repeat(40)}gauze`)
})

it('a block may refer to the block before it, and a block may be stored', () => {
  // Stored "abcd"; then no literal and a match of 8 at distance 4, and the literal "!".
  const frame = bytesOf('04224d18 4040c0 04000080 61626364 05000000 04 0400 10 21 00000000')
  expect(textOf(decompressLz4Frame(frame))).toBe('abcdabcdabcd!')
})

it.each([
  ['not a frame', '00000000 4040c0'],
  ['cut short', '04224d18 4040c0 10000080 6162'],
  ['a match before the beginning', '04224d18 4040c0 05000000 04 0400 10 21 00000000'],
])('refuses %s', (_, hex) => expect(() => decompressLz4Frame(bytesOf(hex))).toThrow())
