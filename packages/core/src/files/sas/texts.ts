import { MISSING_CODE } from '../../table/column.js'
import { decodeText, type Encoding } from '../encoding.js'
import type { TextValues } from '../labelled.js'

/** Texts of a fixed width, without the blanks at their ends, as codes of the different ones. A blank text is missing in SAS. */
export function fixedTexts(rows: number, bytesOf: (row: number) => Uint8Array, decode: Decoder): TextValues {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<string, number>()
  const texts: string[] = []
  for (let row = 0; row < rows; row++) {
    const bytes = trimmed(bytesOf(row))
    if (bytes.length === 0) continue
    const key = decodeText(bytes, 'latin1')
    const known = codeOf.get(key)
    codes[row] = known ?? texts.length
    if (known !== undefined) continue
    codeOf.set(key, texts.length)
    texts.push(decode(bytes))
  }
  return { codes, texts }
}

export type Decoder = (bytes: Uint8Array) => string

/** Texts of files that do not say their encoding: UTF-8 where they are, Latin-1 else, unless a user says. */
export function guessingDecoder(encoding: Encoding | undefined): Decoder {
  if (encoding !== undefined) return (bytes) => decodeText(bytes, encoding)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  return (bytes) => {
    try {
      return utf8.decode(bytes)
    } catch {
      return decodeText(bytes, 'latin1')
    }
  }
}

const BLANK = 32

function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === BLANK || bytes[end - 1] === 0)) end--
  return bytes.subarray(0, end)
}

export function trimmedText(bytes: Uint8Array, decode: Decoder): string {
  return decode(trimmed(bytes))
}
