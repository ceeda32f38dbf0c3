import { Damaged } from '../bytes/damage.js'
import { ITEM, type Reading, readItem } from './unserialize.js'

/** Reads past a compiled function: its code, then its constants, in which parts of calls may be said once and referred to. */
export function readByteCode(reading: Reading): void {
  reading.source.integer()
  readCode(reading)
}

function readCode(reading: Reading): void {
  const { source } = reading
  readItem(reading)
  const constants = source.integer()
  source.need(constants)
  for (let k = 0; k < constants; k++) {
    const kind = source.integer()
    if (kind === ITEM.byteCode) nested(reading, () => readCode(reading))
    else readPart(reading, kind)
  }
}

/** A call, pairs, a reference to one that was read before, or any item. */
function readPart(reading: Reading, first: number): void {
  const { source } = reading
  let kind = first
  for (;;) {
    if (kind === ITEM.repeatedReference) {
      source.integer()
      return
    }
    if (kind === ITEM.repeatedDefinition) {
      source.integer()
      kind = source.integer()
    }
    const attributed = kind === ITEM.attributedCall || kind === ITEM.attributedPairs
    if (!attributed && kind !== ITEM.call && kind !== ITEM.pairs) {
      readItem(reading)
      return
    }
    if (attributed) readItem(reading)
    readItem(reading)
    const value = source.integer()
    nested(reading, () => readPart(reading, value))
    kind = source.integer()
  }
}

const DEEPEST = 1500

function nested(reading: Reading, read: () => void): void {
  if (++reading.depth > DEEPEST) throw new Damaged('it is nested too deeply')
  read()
  reading.depth--
}
