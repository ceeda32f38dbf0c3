const FRAME_MAGIC = 0x184d2204
const UNCOMPRESSED_BLOCK = 0x80000000
const MINIMUM_MATCH = 4

/**
 * Decompresses one LZ4 frame (github.com/lz4/lz4, doc/lz4_Frame_format.md), the default compression of Feather files
 * from R and Python. Checksums are skipped, not checked; Arrow writes none. `take` hears of every block, and may refuse it.
 */
export function decompressLz4Frame(input: Uint8Array, take: (bytes: number) => void = () => undefined): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  if (view.getUint32(0, true) !== FRAME_MAGIC) throw new Error('not an LZ4 frame')
  const flags = view.getUint8(4)
  const largestBlock = 1 << (8 + 2 * ((view.getUint8(5) >> 4) & 7))
  const blockChecksum = flags & 0x10 ? 4 : 0
  let at = 7 + (flags & 0x08 ? 8 : 0) + (flags & 0x01 ? 4 : 0)
  let output = new Uint8Array(largestBlock)
  let length = 0
  for (let header = view.getUint32(at, true); header !== 0; header = view.getUint32(at, true)) {
    const before = length
    const size = header & ~UNCOMPRESSED_BLOCK
    const block = input.subarray(at + 4, at + 4 + size)
    if (block.length < size) throw new Error('the LZ4 frame is cut short')
    output = withRoom(output, length, largestBlock)
    length = header & UNCOMPRESSED_BLOCK ? copyBlock(block, output, length) : decompressBlock(block, output, length)
    take(length - before)
    at += 4 + size + blockChecksum
  }
  return output.slice(0, length)
}

function withRoom(output: Uint8Array<ArrayBuffer>, length: number, room: number): Uint8Array<ArrayBuffer> {
  if (output.length >= length + room) return output
  const larger = new Uint8Array(Math.max(output.length * 2, length + room))
  larger.set(output)
  return larger
}

function copyBlock(block: Uint8Array, output: Uint8Array, length: number): number {
  output.set(block, length)
  return length + block.length
}

/** Blocks may refer back into earlier blocks, so all are written into one output. Returns its new length. */
function decompressBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0
  let to = start
  const longLength = (short: number) => {
    let length = short
    if (short === 15) {
      let byte = 255
      while (byte === 255) {
        byte = byteOf(block, at++)
        length += byte
      }
    }
    return length
  }
  while (at < block.length) {
    const token = block[at++]
    const literals = longLength(token >> 4)
    if (at + literals > block.length || to + literals > output.length) throw new Error('the LZ4 frame is damaged')
    output.set(block.subarray(at, at + literals), to)
    at += literals
    to += literals
    if (at >= block.length) break
    const offset = byteOf(block, at++) + 256 * byteOf(block, at++)
    const match = longLength(token & 15) + MINIMUM_MATCH
    if (offset === 0 || offset > to || to + match > output.length) throw new Error('the LZ4 frame is damaged')
    // Byte by byte, because a match may overlap what it writes.
    for (let k = 0; k < match; k++) output[to + k] = output[to + k - offset]
    to += match
  }
  return to
}

function byteOf(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) throw new Error('the LZ4 frame is cut short')
  return bytes[at]
}
