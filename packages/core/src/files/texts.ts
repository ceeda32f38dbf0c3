import { UserError } from '../errors.js'
import { MISSING_CODE } from '../table/column.js'
import { asciiOf } from './cursor.js'
import { decodeText } from './encoding.js'
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

export function collectBytes(rows: number, decode: Decode): TextCollector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<string, number>()
  return {
    put(row, bytes) {
      const key = asciiOf(bytes)
      const known = codeOf.get(key)
      codes[row] = known ?? codeOf.size
      if (known === undefined) codeOf.set(key, codeOf.size)
    },
    values: () => ({ codes, texts: Array.from(codeOf.keys(), (key) => decode(bytesOf(key))) }),
  }
}

function bytesOf(key: string): Uint8Array {
  const bytes = new Uint8Array(key.length)
  for (let at = 0; at < key.length; at++) bytes[at] = key.charCodeAt(at)
  return bytes
}

const [NUL, BLANK] = [0, 32]

/** Texts of a fixed width are filled up with blanks or NULs. */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === BLANK || bytes[end - 1] === NUL)) end--
  return bytes.subarray(0, end)
}

/** Texts that end in a NUL. */
export function upToNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(NUL)
  return end < 0 ? bytes : bytes.subarray(0, end)
}
