import type { ValueLabel } from '../../table/column.js'
import type { Cursor } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { type Decode, upToNul } from '../texts.js'
import type { Widths } from './layout.js'
import { kindOfLong, LARGEST_LONG } from './missing.js'
import { accept, expect } from './tags.js'

/** Labels of values by the name of their set; several variables may share one. */
export type LabelSets = ReadonlyMap<string, readonly ValueLabel[]>

const PADDING = 3

/** Up to release 115: sets until the end of the file. */
export function oldLabels(at: Cursor, widths: Widths, decode: Decode): LabelSets {
  const sets = new Map<string, readonly ValueLabel[]>()
  while (at.left() > 0) putSet(sets, at, widths, decode)
  return sets
}

export function taggedLabels(at: Cursor, widths: Widths, decode: Decode): LabelSets {
  const sets = new Map<string, readonly ValueLabel[]>()
  while (!accept(at, '</value_labels>')) {
    expect(at, '<lbl>')
    putSet(sets, at, widths, decode)
    expect(at, '</lbl>')
  }
  return sets
}

/** A set has the places of its labels in a block of texts, then its values, then the block. */
function putSet(sets: Map<string, readonly ValueLabel[]>, at: Cursor, { name }: Widths, decode: Decode): void {
  const length = at.int32()
  const set = decode(upToNul(at.bytes(name)))
  at.skip(PADDING)
  const [count, textLength] = [at.int32(), at.int32()]
  if (count < 0 || textLength < 0 || length !== 8 + 8 * count + textLength || length - 8 > at.left())
    throw new Damaged(`the labels "${set}" are longer or shorter than the file says`)
  const places = Array.from({ length: count }, () => at.int32())
  const values = Array.from({ length: count }, () => at.int32())
  const texts = at.bytes(textLength)
  sets.set(
    set,
    values.flatMap((value, k) => {
      if (places[k] < 0 || places[k] >= textLength) throw new Damaged(`a label of "${set}" lies outside of its texts`)
      const label = decode(upToNul(texts.subarray(places[k])))
      const kind = value > LARGEST_LONG ? kindOfLong(value) : 0
      if (value > LARGEST_LONG && kind === 0) return []
      return [{ value: kind === 0 ? value : `.${String.fromCharCode(kind)}`, label }]
    }),
  )
}
