import { UserError } from '../../errors.js'
import { Damaged } from '../bytes/damage.js'
import { crc32, crc64 } from './checksums.js'
import { mostUnpacked, type Unpacked, unpackedBytes, unpacksToTooMuch } from './limit.js'
import { unpackLzma2 } from './lzma.js'

/**
 * The .xz container (The .xz File Format, version 1.2.1): streams of blocks, an index that tells their sizes again, a footer.
 * Headers, index and what was unpacked are checked against their checksums (CRC-32 as R writes, CRC-64 as `xz` does). Other
 * checksums, and filters besides LZMA2, which are for programs and not for tables, are refused.
 */
export function unxz(name: string, bytes: Uint8Array, maxSize?: number): Uint8Array {
  const most = mostUnpacked(bytes.length, maxSize)
  const output = unpackedBytes(4 * bytes.length, most, () => unpacksToTooMuch(name, most))
  try {
    let at = 0
    while (at < bytes.length) at = afterPadding(bytes, readStream(bytes, at, output))
  } catch (error) {
    if (error instanceof Damaged) throw new UserError(`${name}: the xz file is damaged (${error.message})`)
    throw error
  }
  return output.bytes.subarray(0, output.length)
}

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]
const FOOTER_MAGIC = [0x59, 0x5a]
const HEADER = 12
const LZMA2 = 0x21
const SIZE_OF_CHECK: Readonly<Record<number, number>> = { 0: 0, 1: 4, 4: 8 }

export function isXz(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte)
}

interface Block {
  readonly unpadded: number
  readonly unpacked: number
}

function readStream(bytes: Uint8Array, start: number, output: Unpacked): number {
  if (!isXz(bytes.subarray(start))) throw new Damaged('there are other bytes after its end')
  need(bytes, start + HEADER)
  checkCrc(bytes, start + 6, start + 8)
  const check = bytes[start + 7]
  const checkSize = SIZE_OF_CHECK[check]
  if (bytes[start + 6] !== 0 || checkSize === undefined)
    throw new Damaged('or its checksum is of a kind that scrim does not know; pack it with gzip')
  const blocks: Block[] = []
  let at = start + HEADER
  while (at < bytes.length && bytes[at] !== 0) {
    const body = readBlockHeader(bytes, at)
    const first = output.length
    const end = unpackLzma2(bytes, body, output)
    const padded = body + 4 * Math.ceil((end - body) / 4)
    need(bytes, padded + checkSize)
    if (bytes.subarray(end, padded).some((byte) => byte !== 0)) throw new Damaged('its padding is not empty')
    checkContent(bytes, padded, check, output.bytes.subarray(first, output.length))
    blocks.push({ unpadded: end - at + checkSize, unpacked: output.length - first })
    at = padded + checkSize
  }
  const end = readIndex(bytes, at, blocks)
  need(bytes, end + HEADER)
  if (FOOTER_MAGIC.some((byte, k) => bytes[end + 10 + k] !== byte)) throw new Damaged('it does not end as it should')
  if (word(bytes, end) !== crc32(0, bytes.subarray(end + 4, end + 10))) throw new Damaged('a checksum does not match')
  return end + HEADER
}

function readBlockHeader(bytes: Uint8Array, at: number): number {
  const size = 4 * (bytes[at] + 1)
  need(bytes, at + size)
  checkCrc(bytes, at, at + size - 4)
  const flags = bytes[at + 1]
  const cursor = { at: at + 2 }
  if ((flags & 0x40) !== 0) readNumber(bytes, cursor)
  if ((flags & 0x80) !== 0) readNumber(bytes, cursor)
  if ((flags & 0x3f) !== 0 || readNumber(bytes, cursor) !== LZMA2)
    throw new Damaged('or packed with filters that scrim does not know; pack it with gzip')
  return at + size
}

/** The index tells again what was read; it is where a lost block shows. */
function readIndex(bytes: Uint8Array, start: number, blocks: readonly Block[]): number {
  const cursor = { at: start + 1 }
  let same = readNumber(bytes, cursor) === blocks.length
  for (const { unpadded, unpacked } of blocks) {
    if (!same) break
    same = readNumber(bytes, cursor) === unpadded && readNumber(bytes, cursor) === unpacked
  }
  if (!same) throw new Damaged('its index does not match')
  const end = start + 4 * Math.ceil((cursor.at - start) / 4)
  need(bytes, end + 4)
  checkCrc(bytes, start, end)
  return end + 4
}

function checkContent(bytes: Uint8Array, at: number, check: number, content: Uint8Array): void {
  if (check === 0) return
  const crc = check === 1 ? { low: crc32(0, content), high: undefined } : crc64(content)
  if (word(bytes, at) !== crc.low || (crc.high !== undefined && word(bytes, at + 4) !== crc.high))
    throw new Damaged('its checksum does not match')
}

function checkCrc(bytes: Uint8Array, from: number, to: number): void {
  if (word(bytes, to) !== crc32(0, bytes.subarray(from, to))) throw new Damaged('a checksum does not match')
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
}

/** Seven bits per byte, the lowest first. */
function readNumber(bytes: Uint8Array, cursor: { at: number }): number {
  let [value, scale] = [0, 1]
  for (let k = 0; k < 9; k++) {
    need(bytes, cursor.at + 1)
    const byte = bytes[cursor.at++]
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
    scale *= 128
  }
  throw new Damaged('a number is too long')
}

function afterPadding(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] === 0) at++
  return at
}

function need(bytes: Uint8Array, end: number): void {
  if (end > bytes.length) throw new Damaged('it is cut short')
}
