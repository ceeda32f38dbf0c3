import { Gunzip } from 'fflate'
import { UserError } from '../errors.js'

const TRAILER = 8
const SHORTEST = 18

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * All members of a gzip file (parallel compressors write several), each checked against its length and CRC-32: fflate
 * alone reads a damaged file without complaint.
 */
export function gunzip(name: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length < SHORTEST) throw new UserError(`${name}: the gzip file is cut short`)
  const chunks: Uint8Array[] = []
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
  })
  stream.onmember = closeMember
  try {
    stream.push(bytes, true)
    closeMember(bytes.length)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name}: the gzip file is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
  return joined(chunks)
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
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
