import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { gunzip, isGzip } from './gzip.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (data: Uint8Array) => new TextDecoder().decode(data)

describe('gzip', () => {
  const first = gzipSync(bytes('a,b\n1,2\n'))
  const second = gzipSync(bytes('3,4\n'))

  it('reads all members', () => {
    expect(isGzip(first)).toBe(true)
    expect(textOf(gunzip('t', first))).toBe('a,b\n1,2\n')
    expect(textOf(gunzip('t', Uint8Array.of(...first, ...second)))).toBe('a,b\n1,2\n3,4\n')
  })

  it('a changed or missing byte anywhere after the header is noticed', () => {
    for (let at = 10; at < first.length; at++) {
      expect(() =>
        gunzip(
          't',
          first.map((byte, k) => (k === at ? byte ^ 1 : byte)),
        ),
      ).toThrow(UserError)
    }
    for (let length = 2; length < first.length; length++) {
      expect(() => gunzip('t', first.subarray(0, length))).toThrow(UserError)
    }
  })
})
