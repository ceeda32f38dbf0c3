import { Gunzip } from 'fflate'
import { UserError } from '../../errors.js'
import { crc32 } from './checksums.js'
import { allowance } from './limit.js'

const TRAILER = 8
const SHORTEST = 18
/** So much is unpacked at a time; no byte of a piece unpacks to more than 1032. */
const PIECE = 2 ** 16

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * All members of a gzip file (parallel compressors write several), each checked against its length and CRC-32: fflate
 * alone reads a damaged file without complaint. Unpacked twice: first only to see how much comes, so that what comes to too
 * much takes no memory.
 */
export function gunzip(name: string, bytes: Uint8Array, maxSize?: number): Uint8Array {
  if (bytes.length < SHORTEST) throw new UserError(`${name}: the gzip file is cut short`)
  const { take } = allowance(name, bytes.length, maxSize)
  let [total, crc, length] = [0, 0, 0]
  const closeMember = (end: number) => {
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + end - TRAILER, TRAILER)
    if (trailer.getUint32(0, true) !== crc >>> 0 || trailer.getUint32(4, true) !== length % 2 ** 32) {
      throw new UserError(`${name}: the gzip file is damaged (its checksum does not match)`)
    }
    crc = 0
    length = 0
  }
  const count = (chunk: Uint8Array) => {
    take(chunk.length)
    crc = crc32(crc, chunk)
    length += chunk.length
    total += chunk.length
  }
  try {
    stream(bytes, count, closeMember)
    closeMember(bytes.length)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name}: the gzip file is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
  const whole = new Uint8Array(total)
  let at = 0
  stream(bytes, (chunk) => {
    whole.set(chunk, at)
    at += chunk.length
  })
  return whole
}

function stream(bytes: Uint8Array, visit: (chunk: Uint8Array) => void, closeMember?: (end: number) => void): void {
  const unpacking = new Gunzip((chunk) => visit(chunk))
  if (closeMember !== undefined) unpacking.onmember = closeMember
  for (let at = 0; at < bytes.length; at += PIECE)
    unpacking.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
}
