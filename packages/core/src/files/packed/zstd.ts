import { viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'

const FRAME = 0xfd2fb528
/** A block unpacks to no more (RFC 8878). */
const LARGEST_BLOCK = 2 ** 17
/** Blocks do not say to how much they unpack; most of them come to the largest size. */
const SPARE = 2 ** 28
const [RAW, RUN] = [0, 1]
const FIELD_SIZES = { dictionary: [0, 1, 2, 4], content: [0, 2, 4, 8] }

/** Refuses Zstandard frames whose blocks would unpack to far more than `most` bytes, before there is room for them. */
export function checkZstd(packed: Uint8Array, most: number): void {
  const view = viewOf(packed)
  let [at, unpacked] = [0, 0]
  while (at + 5 <= packed.length && view.getUint32(at, true) === FRAME) {
    const descriptor = packed[at + 4]
    const isSingle = (descriptor & 0x20) !== 0
    const content = FIELD_SIZES.content[descriptor >> 6] || (isSingle ? 1 : 0)
    at += 5 + (isSingle ? 0 : 1) + FIELD_SIZES.dictionary[descriptor & 3] + content
    for (let isLast = false; !isLast && at + 3 <= packed.length; ) {
      const header = packed[at] | (packed[at + 1] << 8) | (packed[at + 2] << 16)
      const [kind, size] = [(header >> 1) & 3, header >> 3]
      isLast = (header & 1) === 1
      if (size > LARGEST_BLOCK) throw new Damaged('a packed part of it is too long')
      unpacked += kind === RAW || kind === RUN ? size : LARGEST_BLOCK
      at += 3 + (kind === RUN ? 1 : size)
      if (unpacked > most + SPARE) throw new Damaged('a packed part of it is longer than it says')
    }
    at += (descriptor & 4) !== 0 ? 4 : 0
  }
}
