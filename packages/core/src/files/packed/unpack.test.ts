import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { unpack, withoutPacking } from './unpack.js'

/** Packed by Python's bz2 and lzma, which are the libraries of `bzip2` and `xz`. */
const PACKED = {
  BZIP2:
    'QlpoOTFBWSZTWdiS4hYAAF7ZgAAQAAR/4AABhIAwAUjDQ0NNTT1TKMGqfgVCNAJCgNJ6qBnj8u+Kth+EkHltvG8xqaZNWG5Cpum7e28x33eswun2XW4KCErSmW1BKQipARUnKAU6aitBJbVOaXBnNZrkrRrajNRI81Hi1so/CCCSfc4HnAHPrc0OV63i8wsbG/u25unwktBwOJg9QIqYU39EoZG2zaDG71gbOek0Y9mMW7nKRSDHWjPoextH3w9T66HPAaznb7l1DOqQxcAe9STKPcdy9jcx0DHd67xx6j6hq99RQCri3R0u4AoOa7qZN3OCa9AiI9AhL9BJfwJL/F3JFOFCQ2JLiFg=',
  BZIP2_BLOCKS: 'QlpoMTFBWSZTWTImB94AAepBAMAAQAAACCAAMMwJqmmpIbUkh4u5IpwoSBkTA+8A',
  XZ: '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4ALpATtdABgLHATobz1WY1O3ynpf9wPi+RU/Gsed4pWbD606BMhctmEvPcOeXgasiExbmYyWUr9AbNUsTutbOtd0F5/XCILN6Xoyg4OaiPGVzlAEYcw72NtFbi+E1yYyc8i8IcOy60yJTKKerMh4qYZVeEWsN5+hnRKperxai8qHlfT5F7UVQqVCVAnbgsYya4IReQXENdPwCJDHyqXI3JWHarNZ3GcnpI7RzkNUbDVtItXGyt2PvfWLIsyl0MBBo3wiUENGNtoOo+Pdl9gvsKXLX6ZRZ+MMDkaRC3vLpiT3F1pCuamuCrIcz4eMH8o1Dt7iZHS4QTjOq7duUsVnyMCi3zFMu/ftxlJAt+ntjw/4Uz9+kzFC5cEHj0RENboGTNfJxeEpyM9LJmQzRFKG8YS1k4Z9MoPcsRz0XxIFwGjwAAAApVQiOLYi3owAAdcC6gUAAJ3IpwmxxGf7AgAAAAAEWVo=',
  XZ_OTHER_PROPERTIES:
    '/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4ALpAUtAABgLHQTBL6XNhrE2nD+KvCuOF9JRBFW1RDeJzwKb2aMc8CHthBTkNB6LZ+GtrRxjsE3zAmh08UpIB0wcmffIlqD4AIrgHJKeVATLAo1qWgldvB80Ik1t1z0UUeeapIGoGpOtAtLxrOFemhXNkRG6rKXwUofSxQ0h/VgZI2IeJP7igmFkaMBARSYBITy+fVEHQCe5YH/baBMSWXMUgpupGMP048ovIJqvFewFnTAKLUaL5S/liUQB5ca5nnzkcp5q16ptiQCIDMBWIVoYZ0FxJUkfUVhUw0bOFdpn6GESKV9QQR8wbPkAhJZ7MsvtRO1CMMSywDju2sh4d7DQwysx5PXLBFCzIddaexJYDNC+x38ek+d9kdLUcnuaru+fxi+O24LlwwKGVpgh7ZXjqm8ry/VHJgwe+xkVpPmGOOmux49M3Jh7C4+azIN0tzEAAAqQExgAAeMC6gUAACaNTJY+MA2LAgAAAAABWVo=',
  XZ_NOISE:
    '/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQBjbE50khMlIi4xoc0TvhLtQmlmziT8I9fajSCXYWoGlW7CitQDE2go1FcePF3ubl7ASpERX107UT7CU6QWrW7lOJQR0Ciao0z1wDR8WcrwhJXzYRsLUGjVmAT5LrcpmVVXeZm+eADX+y5lAAF4ZJTjv42QQpkNAQAAAAABWVo=',
  XZ_ZEROS:
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj49CPAGhdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haQvayzEAAHT1KcRAN8dFAAGEAZChDwCfYXaZscRn+wIAAAAABFla',
  XZ_SHA256:
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQACYWJjAAC6eBa/jwHP6kFBQN5driIjsANho5YXepy0EP9h8gAVrQABMwOhgeRNGJtLmgEAAAAAClla',
  XZ_X86: '/Td6WFoAAATm1rRGAgEEACEBFgANhjUfAQACYWJjAAAndicaSgnYLAABGwMLL7kQH7bzfQEAAAAABFla',
}

const TABLE = Array.from({ length: 60 }, (_, k) => `${k * k},${k % 7},town${k % 13}\n`).join('')

function packed(name: keyof typeof PACKED): Uint8Array {
  return Uint8Array.from(Buffer.from(PACKED[name], 'base64'))
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('what was packed comes back', () => {
  it.each(['BZIP2', 'XZ', 'XZ_OTHER_PROPERTIES'] as const)('%s', (name) => {
    expect(textOf(unpack('a', packed(name)))).toBe(TABLE)
  })

  it.each(['BZIP2_BLOCKS', 'XZ_ZEROS'] as const)('several blocks, long runs: %s', (name) => {
    const zeros = unpack('a', packed(name))
    expect([zeros.length, zeros.every((byte) => byte === 0)]).toEqual([250_000, true])
  })

  it('what cannot be packed', () => {
    let seed = 7
    const noise = Uint8Array.from({ length: 100 }, () => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
      return (seed >> 16) & 0xff
    })
    expect(unpack('a', packed('XZ_NOISE'))).toEqual(noise)
  })

  it.each(['BZIP2', 'XZ'] as const)('several files one behind the other: %s', (name) => {
    const one = packed(name)
    expect(textOf(unpack('a', Uint8Array.from([...one, ...one])))).toBe(TABLE + TABLE)
  })

  it('what is not packed stays as it is', () => {
    expect(textOf(unpack('a', new TextEncoder().encode('a,b\n')))).toBe('a,b\n')
    expect(['a.csv.gz', 'a.csv.BZ2', 'a.rds.xz', 'a.csv'].map(withoutPacking)).toEqual([
      'a.csv',
      'a.csv',
      'a.rds',
      'a.csv',
    ])
  })
})

describe('what is damaged is said', () => {
  it.each(['BZIP2', 'XZ'] as const)('bytes that change, and cuts: %s', (name) => {
    const whole = packed(name)
    for (let at = 6; at < whole.length; at += 3) {
      const random = stream(1, 'packed bytes', at)
      const changed = whole.slice()
      changed[at] ^= 1 + random.below(255)
      // The last byte of bzip2 has bits that mean nothing.
      const unchanged = name === 'BZIP2' && at === whole.length - 1
      if (!unchanged) expect(() => unpack('a', changed), `byte ${at}`).toThrow(/^a: the (bzip2|xz) file is damaged/)
      expect(() => unpack('a', whole.subarray(0, at)), `cut at ${at}`).toThrow(/^a: the (bzip2|xz) file is damaged/)
    }
  })

  it('checksums and filters that are not known', () => {
    expect(() => unpack('a', packed('XZ_SHA256'))).toThrow('its checksum is of a kind that scrim does not know')
    expect(() => unpack('a', packed('XZ_X86'))).toThrow('packed with filters that scrim does not know')
  })

  it('other bytes behind it', () => {
    for (const name of ['BZIP2', 'XZ'] as const)
      expect(() => unpack('a', Uint8Array.from([...packed(name), 65, 66, 67, 68]))).toThrow('other bytes after its end')
  })
})
