import { Gunzip } from 'fflate'
import { UserError } from '../../errors.js'
import { crc32 } from './checksums.js'
import { mostUnpacked, unpacksToTooMuch } from './limit.js'

const TRAILER = 8
const SHORTEST = 18
/** So much is unpacked at a time; no byte of a piece unpacks to more than 1032. */
const PIECE = 2 ** 16

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * All members of a gzip file (parallel compressors write several), each checked against its length and CRC-32: fflate
 * alone reads a damaged file without complaint.
 */
export function gunzip(name: string, bytes: Uint8Array, small?: number): Uint8Array {
  if (bytes.length < SHORTEST) throw new UserError(`${name}: the gzip file is cut short`)
  const most = mostUnpacked(bytes.length, small)
  const tooLarge = () => unpacksToTooMuch(name, 'gzip', most)
  // The last member says how long it is, modulo 2^32; what others have is seen as it comes.
  if (new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true) > most) throw tooLarge()
  const chunks: Uint8Array[] = []
  let total = 0
  let crc = 0
  let length = 0
  const closeMember = (end: number) => {
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - TRAILER, TRAILER)
    if (trailer.getUint32(0, true) !== crc >>> 0 || trailer.getUint32(4, true) !== length % 2 ** 32) {
      throw new UserError(`${name}: the gzip file is damaged (its checksum does not match)`)
    }
    crc = 0
    length = 0
  }
  const stream = new Gunzip((chunk) => {
    chunks.push(chunk)
    crc = crc32(crc, chunk)
    length += chunk.length
    total += chunk.length
  })
  stream.onmember = closeMember
  try {
    for (let at = 0; at < bytes.length; at += PIECE) {
      stream.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
      if (total > most) throw tooLarge()
    }
    closeMember(bytes.length)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name}: the gzip file is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
  return joined(chunks, total)
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
