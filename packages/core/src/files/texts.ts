import { UserError } from '../errors.js'
import { MISSING_CODE } from '../table/column.js'
import { decodeText } from './bytes/encoding.js'
import { hashOf } from './distinct.js'
import type { TextValues } from './labelled.js'

/** From bytes to text. */
export type Decode = (bytes: Uint8Array) => string

/** Encodings that are windows-1252, or parts of it. */
const LATIN = /^(us-?ascii|ascii|iso[-_]?8859[-_]1|latin-?1|(windows|cp|ibm)?[-_]?(1252|819|28591|20127))$/i
const NUMBERED_WINDOWS = /^(?:windows|cp|win)?[-_]?(125\d|874)$/i
const UTF8 = /^(utf[-_]?8|(cp)?65001)$/i

/**
 * The decoder for an encoding as a file names it. Without a name it is UTF-8 text by text where the bytes are UTF-8, and
 * Latin-1 (windows-1252) where not, as for text files.
 */
export function decoderOf(file: string, encoding: string | undefined): Decode {
  if (encoding === undefined) return utf8OrLatin
  if (LATIN.test(encoding)) return (bytes) => decodeText(bytes, 'latin1')
  if (UTF8.test(encoding)) return (bytes) => decodeText(bytes, 'utf-8')
  const windows = NUMBERED_WINDOWS.exec(encoding)
  const label = windows === null ? encoding.replace(/^iso[-_]?8859[-_]/i, 'iso-8859-') : `windows-${windows[1]}`
  try {
    const decoder = new TextDecoder(label)
    return (bytes) => decoder.decode(bytes)
  } catch {
    throw new UserError(
      `${file}: its texts are in the encoding "${encoding}", which is not known here; save it as UTF-8`,
    )
  }
}

function utf8OrLatin(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return decodeText(bytes, 'latin1')
  }
}

/** The texts of a column as they come, one row after the other; each different one is decoded once. */
export interface TextCollector {
  put(row: number, bytes: Uint8Array): void
  values(): TextValues
}

/** Hot: the different texts lie one after the other in `store`; a `Map` of strings takes twice the time and more room. */
export function collectBytes(rows: number, decode: Decode): TextCollector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  let store = new Uint8Array(64)
  const ends = [0]
  const codesOfHash = new Map<number, number | number[]>()
  const isSame = (code: number, bytes: Uint8Array) => {
    const start = ends[code]
    if (ends[code + 1] - start !== bytes.length) return false
    for (let k = 0; k < bytes.length; k++) if (store[start + k] !== bytes[k]) return false
    return true
  }
  const append = (bytes: Uint8Array) => {
    const end = ends[ends.length - 1] + bytes.length
    if (end > store.length) {
      const larger = new Uint8Array(Math.max(2 * store.length, end))
      larger.set(store)
      store = larger
    }
    store.set(bytes, end - bytes.length)
    ends.push(end)
  }
  return {
    put(row, bytes) {
      const hash = hashOf(bytes, 0, bytes.length)
      const alike = codesOfHash.get(hash)
      const fresh = ends.length - 1
      const known = typeof alike === 'object' ? alike.find((code) => isSame(code, bytes)) : alike
      codes[row] = known !== undefined && isSame(known, bytes) ? known : fresh
      if (codes[row] !== fresh) return
      codesOfHash.set(hash, alike === undefined ? fresh : [alike, fresh].flat())
      append(bytes)
    },
    values: () => ({ codes, texts: ends.slice(1).map((end, code) => decode(store.subarray(ends[code], end))) }),
  }
}

/** Texts that are decoded already, as codes of the different ones; null is missing. */
export function codedTexts(rows: number, textAt: (row: number) => string | null): TextValues {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<string, number>()
  for (let row = 0; row < rows; row++) {
    const text = textAt(row)
    if (text === null) continue
    codes[row] = codeOf.get(text) ?? codeOf.size
    if (codes[row] === codeOf.size) codeOf.set(text, codeOf.size)
  }
  return { codes, texts: [...codeOf.keys()] }
}

/** Kinds of missing numbers, where a column has any; 0 is none. */
export interface KindCollector {
  put(row: number, kind: number): void
  kinds(): Uint8Array | undefined
}

export function collectKinds(rows: number): KindCollector {
  let kinds: Uint8Array | undefined
  return {
    put(row, kind) {
      if (kind === 0) return
      kinds ??= new Uint8Array(rows)
      kinds[row] = kind
    },
    kinds: () => kinds,
  }
}

const [NUL, BLANK] = [0, 32]

/** Texts of a fixed width are filled up with blanks or NULs. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === BLANK || bytes[end - 1] === NUL)) end--
  return bytes.subarray(0, end)
}

/** Texts of a fixed width as codes of the different ones. */
export function paddedTexts(rows: number, bytesOf: (row: number) => Uint8Array, decode: Decode): TextValues {
  const collector = collectBytes(rows, decode)
  for (let row = 0; row < rows; row++) collector.put(row, withoutPadding(bytesOf(row)))
  return collector.values()
}

/** Texts that end in a NUL. */
export function upToNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(NUL)
  return end < 0 ? bytes : bytes.subarray(0, end)
}
