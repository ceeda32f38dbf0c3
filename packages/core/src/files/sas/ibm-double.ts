/**
 * A number of an IBM mainframe, of 2 to 8 bytes: sign, exponent to base 16 with 64 added, fraction. With 56 bits the fraction
 * may be longer than that of a double, and is rounded to it once.
 */
export function ibmDouble(bytes: Uint8Array, at: number, length: number): number {
  let [high, low] = [0, 0]
  for (let k = 1; k < 4; k++) high = high * 256 + (k < length ? bytes[at + k] : 0)
  for (let k = 4; k < 8; k++) low = low * 256 + (k < length ? bytes[at + k] : 0)
  const fraction = high * 2 ** 32 + low
  const exponent = 4 * ((bytes[at] & 0x7f) - 64) - 56
  const value = fraction * 2 ** exponent
  return (bytes[at] & 0x80) === 0 ? value : -value
}

const [DOT, UNDERSCORE, A, Z] = [0x2e, 0x5f, 0x41, 0x5a]
const TO_LOWER = 32

/** Missing is a letter, `_` or `.` with nothing behind it: its kind as `labelled.ts` has it, 0 for `.`; undefined for a number. */
export function missingKind(bytes: Uint8Array, at: number, length: number): number | undefined {
  const first = bytes[at]
  const isMark = first === DOT || first === UNDERSCORE || (first >= A && first <= Z)
  if (!isMark) return undefined
  for (let k = 1; k < length; k++) if (bytes[at + k] !== 0) return undefined
  return first === DOT ? 0 : first === UNDERSCORE ? UNDERSCORE : first + TO_LOWER
}
