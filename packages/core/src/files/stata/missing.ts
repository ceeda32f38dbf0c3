/**
 * Stata's numbers that mean missing: in each storage type the largest ones, first `.`, then `.a` to `.z`. Stata help `dta`,
 * "Missing values". A kind is the character code of its letter, 0 for the plain one.
 */
export const LARGEST_BYTE = 100
export const LARGEST_INT = 32_740
export const LARGEST_LONG = 2_147_483_620
/** Of floats and doubles the bits count: `.` and the steps to the next letter. */
const FLOAT = { first: 0x7f000000, step: 0x800 }
const DOUBLE = { first: 0x7fe00000, step: 0x100 }
const LETTERS = 26
const BEFORE_A = 'a'.charCodeAt(0) - 1

export function kindOfByte(value: number): number {
  return kindAt(value - LARGEST_BYTE - 1)
}

export function kindOfInt(value: number): number {
  return kindAt(value - LARGEST_INT - 1)
}

export function kindOfLong(value: number): number {
  return kindAt(value - LARGEST_LONG - 1)
}

export function isMissingFloat(bits: number): boolean {
  return bits >= FLOAT.first
}

export function kindOfFloat(bits: number): number {
  return kindAt((bits - FLOAT.first) / FLOAT.step)
}

/** `high` is the upper half of the eight bytes, as a signed number. */
export function isMissingDouble(high: number): boolean {
  return high >= DOUBLE.first
}

export function kindOfDouble(high: number): number {
  return kindAt((high - DOUBLE.first) / DOUBLE.step)
}

/** The upper half of the double that is missing of a kind; the lower half is 0. */
export function doubleOfKind(kind: number): number {
  return DOUBLE.first + DOUBLE.step * (kind === 0 ? 0 : kind - BEFORE_A)
}

export function longOfKind(kind: number): number {
  return missingOf(4, kind)
}

/** The whole number of 1, 2 or 4 bytes that is missing of a kind. */
export function missingOf(bytes: number, kind: number): number {
  const largest = bytes === 1 ? LARGEST_BYTE : bytes === 2 ? LARGEST_INT : LARGEST_LONG
  return largest + 1 + (kind === 0 ? 0 : kind - BEFORE_A)
}

function kindAt(letter: number): number {
  return Number.isInteger(letter) && letter >= 1 && letter <= LETTERS ? BEFORE_A + letter : 0
}
