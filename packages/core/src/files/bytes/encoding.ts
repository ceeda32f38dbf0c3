import { UserError } from '../../errors.js'

/** How the bytes of a text file spell characters. `latin1` is windows-1252, as browsers and R on Windows mean it. */
export type Encoding = 'utf-8' | 'latin1'

const UTF8_MARK = [0xef, 0xbb, 0xbf]
const BLOCK = 1 << 20

/** Windows-1252 for 0x80 to 0x9f; the five unassigned bytes stand for themselves, as in the Encoding Standard. */
const C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

/** The encoding asked for, or else UTF-8 when the bytes are UTF-8 and Latin-1 when they are not. */
export function encodingOf(name: string, bytes: Uint8Array, asked: Encoding | undefined): Encoding {
  if (asked === 'latin1') return asked
  if (isUtf8(bytes)) return 'utf-8'
  if (asked === 'utf-8') throw new UserError(`${name}: is not valid UTF-8; try the encoding latin1`)
  return 'latin1'
}

export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return UTF8_MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(UTF8_MARK.length) : bytes
}

export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === 'latin1' ? decodeLatin1(bytes) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += BLOCK) decoder.decode(bytes.subarray(at, at + BLOCK), { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Written out because some Node releases decode 0x80 to 0x9f as control characters, and both faces must agree. */
function decodeLatin1(bytes: Uint8Array): string {
  const step = 8192
  let text = ''
  for (let at = 0; at < bytes.length; at += step) {
    const units = Uint16Array.from(bytes.subarray(at, at + step), (byte) =>
      byte >= 0x80 && byte <= 0x9f ? C1.charCodeAt(byte - 0x80) : byte,
    )
    text += String.fromCharCode(...units)
  }
  return text
}
