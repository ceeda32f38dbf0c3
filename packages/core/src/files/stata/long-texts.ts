import type { Cursor } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { type Decode, upToNul } from '../texts.js'
import { accept, expect } from './tags.js'

/** Texts of any length (strL) by `v,o`, the variable and observation that had them first. */
export type LongTexts = ReadonlyMap<string, string>

const BINARY = 129
const TEXT = 130

export function readLongTexts(at: Cursor, release: number, decode: Decode): LongTexts {
  const texts = new Map<string, string>()
  while (!accept(at, '</strls>')) {
    expect(at, 'GSO')
    const variable = at.uint32()
    const observation = release >= 118 ? at.int64() : at.uint32()
    const kind = at.uint8()
    if (kind !== BINARY && kind !== TEXT) throw new Damaged('a long text is neither text nor binary')
    const bytes = at.bytes(at.uint32())
    texts.set(`${variable},${observation}`, decode(kind === TEXT ? upToNul(bytes) : bytes))
  }
  return texts
}

/**
 * How many of the 8 bytes of a cell name the variable; the others name the observation. They are 4 in release 117, 2 in 118 and
 * 3 in 119, but haven (ReadStat) writes 2 in 119 too. A text is found in the very cell that had it first, which tells.
 */
export function bytesOfVariable(release: number, fitsFirstText: (bytes: number) => boolean): number {
  const declared = release === 117 ? 4 : release === 118 ? 2 : 3
  return release === 119 && !fitsFirstText(declared) && fitsFirstText(2) ? 2 : declared
}

/** What a cell refers to, as a key of the long texts. */
export function referenceAt(view: DataView, at: number, first: number, littleEndian: boolean): string {
  return `${wholeNumber(view, at, first, littleEndian)},${wholeNumber(view, at + first, 8 - first, littleEndian)}`
}

function wholeNumber(view: DataView, at: number, bytes: number, littleEndian: boolean): number {
  let value = 0
  for (let k = 0; k < bytes; k++) value = 256 * value + view.getUint8(at + (littleEndian ? bytes - 1 - k : k))
  return value
}
