import { Gunzip } from 'fflate'
import { UserError } from '../errors.js'

const TRAILER = 8
const SHORTEST = 18
/** So much is unpacked at a time; no byte of a piece unpacks to more than 1032. */
const PIECE = 2 ** 16
/** A table of any kind packs less well than this; below `SMALL` bytes it does not matter. */
const MOST_TIMES = 500
const SMALL = 2 ** 28
/** More than a table may have, see `csv.ts`. */
const LARGEST = 2 ** 32

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * All members of a gzip file (parallel compressors write several), each checked against its length and CRC-32: fflate
 * alone reads a damaged file without complaint.
 */
export function gunzip(name: string, bytes: Uint8Array, small = SMALL): Uint8Array {
  if (bytes.length < SHORTEST) throw new UserError(`${name}: the gzip file is cut short`)
  const most = Math.min(LARGEST, Math.max(small, MOST_TIMES * bytes.length))
  const tooLarge = () =>
    new UserError(
      `${name}: the gzip file is damaged, or unpacks to more than ${Math.round(most / 1e6)} MB, which no table does`,
    )
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

const CRC_POLYNOMIAL = 0xedb88320
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CRC_POLYNOMIAL : value >>> 1
  return value
})

function crc32(previous: number, bytes: Uint8Array): number {
  let crc = ~previous
  for (let at = 0; at < bytes.length; at++) crc = CRC_TABLE[(crc ^ bytes[at]) & 255] ^ (crc >>> 8)
  return ~crc
}
