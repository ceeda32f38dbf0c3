/** Numbers that carry check digits: a column in which nearly all of them are right is no coincidence. */

const digitsOf = (text: string) => Array.from(text, Number)
const weighted = (digits: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, k) => sum + weight * digits[k], 0)

/** Luhn (ISO/IEC 7812-1): every second digit from the right doubled, its digits added; the sum ends in 0. */
function isLuhn(digits: string): boolean {
  let sum = 0
  for (let k = 0; k < digits.length; k++) {
    const digit = Number(digits[digits.length - 1 - k])
    const counted = k % 2 === 0 ? digit : 2 * digit
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** Remainder of a long decimal number. */
function remainder(digits: string, divisor: number): number {
  let rest = 0
  for (const digit of digits) rest = (10 * rest + Number(digit)) % divisor
  return rest
}

/** ISO 13616: country and check digits to the end, letters as 10 to 35, the number is 1 modulo 97. */
export function isIban(text: string): boolean {
  const plain = text.replace(/[\s-]/g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  const moved = plain.slice(4) + plain.slice(0, 4)
  return (
    remainder(
      moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  )
}

/** 13 to 19 digits of a card network with Luhn's check digit. */
export function isCardNumber(text: string): boolean {
  const plain = text.replace(/[\s-]/g, '')
  return (
    /^(?:4\d{12}(?:\d{3})?(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|6\d{15})$/.test(plain) &&
    isLuhn(plain)
  )
}

/** International identity of a telephone, 15 digits with Luhn's; numbers that begin as American Express cards are not. */
export function isImei(text: string): boolean {
  const plain = text.replace(/[\s/-]/g, '')
  return /^\d{15}$/.test(plain) && !/^3[47]/.test(plain) && isLuhn(plain)
}

/** ISO 3779 with the check digit in the ninth place, which is mandatory in North America and China only. */
export function isVin(text: string): boolean {
  const plain = text.trim().toUpperCase()
  return /^[A-HJ-NPR-Z0-9]{17}$/.test(plain) && /\d/.test(plain.slice(-4)) && /[A-Z]/.test(plain.slice(0, 8))
}

const compact = (text: string) => text.replace(/[\s./-]/g, '').toUpperCase()
const withDigits = (length: number, test: (digits: readonly number[], text: string) => boolean) => (text: string) => {
  const plain = compact(text)
  return plain.length === length && /^\d+$/.test(plain) && !/^(\d)\1+$/.test(plain) && test(digitsOf(plain), plain)
}
const isDayAndMonth = (day: number, month: number) => day >= 1 && day <= 31 && month >= 1 && month <= 12

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const FINNISH_SIGNS = '0123456789ABCDEFHJKLMNPRSTUVWXY'
const UK_PREFIX = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/

/** Each by the rule that its country publishes; those without check digits by their form. */
export const NATIONAL_IDS: Readonly<Record<string, (text: string) => boolean>> = {
  'the United States': (text) => /^(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/.test(text.trim()),
  'the United Kingdom': (text) => UK_PREFIX.test(compact(text)),
  Italy: (text) => /^[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]$/.test(compact(text)),
  Spain: (text) => {
    const plain = compact(text)
    if (!/^[XYZ\d]\d{7}[A-Z]$/.test(plain)) return false
    const number = Number(plain.slice(0, -1).replace(/[XYZ]/, (letter) => String('XYZ'.indexOf(letter))))
    return SPANISH_LETTERS[number % 23] === plain.at(-1)
  },
  Poland: withDigits(11, (d) => {
    const isDate = isDayAndMonth(10 * d[4] + d[5], (10 * d[2] + d[3]) % 20)
    return isDate && weighted(d, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
  }),
  France: withDigits(15, (_, text) => {
    return /^[12]/.test(text) && 97 - remainder(text.slice(0, 13), 97) === Number(text.slice(13))
  }),
  Belgium: withDigits(11, (_, text) =>
    ['', '2'].some((century) => 97 - remainder(century + text.slice(0, 9), 97) === Number(text.slice(9))),
  ),
  Switzerland: withDigits(13, (d, text) => {
    return text.startsWith('756') && weighted(d, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
  }),
  Austria: withDigits(10, (d) => {
    const isDate = isDayAndMonth(10 * d[4] + d[5], 10 * d[6] + d[7])
    return isDate && d[0] !== 0 && weighted(d, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === d[3]
  }),
  Sweden: (text) => /^(?:\d\d)?\d{6}[-+]?\d{4}$/.test(text.trim()) && isSwedish(compact(text).replace('+', '')),
  Finland: (text) => {
    const parts = /^(\d{6})[-+A-FU-Y](\d{3})([0-9A-Y])$/.exec(text.trim().toUpperCase())
    return parts !== null && FINNISH_SIGNS[Number(parts[1] + parts[2]) % 31] === parts[3]
  },
  Norway: withDigits(11, (d) => {
    const checks = [
      [3, 7, 6, 1, 8, 9, 4, 5, 2, 1],
      [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1],
    ]
    return checks.every((weights) => weighted(d, weights) % 11 === 0)
  }),
  Brazil: withDigits(11, (d) => {
    const check = (upTo: number) => {
      const sum = d.slice(0, upTo).reduce((total, digit, k) => total + digit * (upTo + 1 - k), 0)
      return ((10 * sum) % 11) % 10
    }
    return check(9) === d[9] && check(10) === d[10]
  }),
  'the Netherlands': withDigits(9, (d) => weighted(d, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0),
}

function isSwedish(digits: string): boolean {
  const ten = digits.slice(-10)
  return isDayAndMonth(Number(ten.slice(4, 6)) % 60, Number(ten.slice(2, 4))) && isLuhn(ten)
}
