/** The formats that every Excel has, by number: dates and times are 14 to 22 and 45 to 47, East Asian ones 27 to 36 and 50 to 58. */
const DATES: readonly (readonly [number, number])[] = [
  [14, 17],
  [22, 22],
  [27, 31],
  [34, 36],
  [50, 54],
  [57, 58],
]

/**
 * Whether a format shows numbers as dates: it names a year or a day, or a month that no hour or second makes a minute. Times
 * alone (`hh:mm`) are parts of a day, and stay numbers.
 */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return DATES.some(([first, last]) => id >= first && id <= last)
  // Without texts in quotes, escaped characters, colours and conditions.
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]
    .toLowerCase()
  if (/general/.test(plain)) return false
  return /[yd]/.test(plain) || (/m/.test(plain) && !/[hs0#?]/.test(plain))
}
