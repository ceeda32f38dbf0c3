import { Inflate } from 'fflate'
import { Damaged } from '../bytes/damage.js'
import { crc32 } from '../packed/checksums.js'
import { allowance } from '../packed/limit.js'

/**
 * The files of a ZIP archive by name (APPNOTE.TXT 6.3.10, PKWARE), read when asked for: stored or deflated, each checked
 * against its length and CRC-32. All of them together may unpack to no more than a table does, see `packed/limit.ts`. Archives
 * of over 4 GB, in several parts, or encrypted are refused.
 */
export interface Zip {
  readonly names: readonly string[]
  /** Undefined where there is no such file. */
  read(name: string): Uint8Array | undefined
}

const [DIRECTORY_END, DIRECTORY_ENTRY, LOCAL_ENTRY] = [0x06054b50, 0x02014b50, 0x04034b50]
const END_SIZE = 22
const LONGEST_COMMENT = 0xffff
const [STORED, DEFLATED] = [0, 8]
const ENCRYPTED = 1
/** In place of a number that stands elsewhere, in archives larger than this. */
const TOO_LARGE = 0xffffffff
/** So much is unpacked at a time. */
const PIECE = 2 ** 14

interface Entry {
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

export function openZip(name: string, bytes: Uint8Array, maxSize?: number): Zip {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = readDirectory(view, bytes)
  const { take } = allowance(name, bytes.length, maxSize)
  return {
    names: [...entries.keys()],
    read(part) {
      const entry = entries.get(part)
      if (entry === undefined) return undefined
      take(entry.size)
      return unpacked(view, bytes, entry)
    },
  }
}

function readDirectory(view: DataView, bytes: Uint8Array): ReadonlyMap<string, Entry> {
  const end = directoryEnd(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const entries = new Map<string, Entry>()
  for (let k = 0; k < count; k++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== DIRECTORY_ENTRY)
      throw new Damaged('its directory is damaged')
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true))
    const entry: Entry = {
      method: view.getUint16(at + 10, true),
      crc: view.getInt32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    }
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw new Damaged('it is encrypted')
    if (Math.max(entry.packed, entry.size, entry.at) === TOO_LARGE) throw new Damaged('it is too large')
    entries.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)), entry)
    at += 46 + nameLength + extra + comment
  }
  return entries
}

/** The end of the directory is looked for from the end of the file, before which there may be a comment. */
function directoryEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--)
    if (view.getUint32(at, true) === DIRECTORY_END) return at
  throw new Damaged('it is cut short')
}

function unpacked(view: DataView, bytes: Uint8Array, { method, crc, packed, size, at }: Entry): Uint8Array {
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL_ENTRY) throw new Damaged('a file in it is damaged')
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (start + packed > bytes.length) throw new Damaged('it is cut short')
  const content = bytes.subarray(start, start + packed)
  if (method !== STORED && method !== DEFLATED) throw new Damaged('it is packed in a way that is not known')
  const whole = method === STORED ? content : inflated(content, size)
  if (whole.length !== size || crc32(0, whole) !== crc) throw new Damaged('the checksum of a file in it does not match')
  return whole
}

/** Piece by piece, so that what says it is small and is not is stopped soon. */
function inflated(content: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(Math.min(size, 1040 * content.length + 64))
  let length = 0
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > whole.length) throw new Damaged('a file in it is longer than it says')
    whole.set(chunk, length)
    length += chunk.length
  })
  for (let from = 0; from < content.length; from += PIECE)
    stream.push(content.subarray(from, from + PIECE), from + PIECE >= content.length)
  return whole.subarray(0, length)
}
