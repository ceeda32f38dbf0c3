import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
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

  it('is read in pieces, whatever member ends where a piece does', () => {
    const noise = Uint8Array.from({ length: 150_000 }, (_, k) => (k * 2654435761) >>> 13)
    for (const length of [65_490, 65_500, 65_508, 65_512, 65_520]) {
      const one = gzipSync(noise.subarray(0, length), { level: 0 })
      const all = Buffer.concat([one, second, gzipSync(noise)])
      const whole = gunzip('t', all)
      expect(whole).toHaveLength(length + 4 + noise.length)
      expect(textOf(whole.subarray(length, length + 4))).toBe('3,4\n')
    }
  })

  it('what would unpack to more than any table is not unpacked', () => {
    const zeros = gzipSync(new Uint8Array(2 ** 20))
    const bomb = new Uint8Array(zeros.length * 20 + first.length)
    for (let k = 0; k < 20; k++) bomb.set(zeros, k * zeros.length)
    bomb.set(first, 20 * zeros.length)
    expect(() => gunzip('t', bomb, 11e6)).toThrow(
      't: is damaged, or unpacks to more than 11 MB; if it should be so large, allow it with --max-size, such as --max-size 8GB',
    )
    expect(gunzip('t', bomb, 21e6)).toHaveLength(20 * 2 ** 20 + 8)
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
