/**
 * Print and write formats of SPSS: the numbers that stand for them in a file, and which of them are dates. A date is
 * seconds since 14 October 1582; times of day and durations are seconds, and stay numbers.
 * The place of a name in the list is its number. GNU PSPP Developers Guide, "System File Format: Variable Record".
 */
const NAMES = new Map(
  ', A AHEX COMMA DOLLAR F IB PIBHEX P PIB PK RB RBHEX , , Z N E , , DATE TIME DATETIME ADATE JDATE DTIME WKDAY MONTH MOYR QYR WKYR PCT DOT CCA CCB CCC CCD CCE EDATE SDATE MTIME YMDHMS'
    .split(' ')
    .flatMap((name, code) => (name === ',' ? [] : [[code, name] as const])),
)
const CODES = new Map([...NAMES].map(([code, name]) => [name, code]))
const DATES = new Set(['DATE', 'ADATE', 'EDATE', 'JDATE', 'SDATE', 'MOYR', 'QYR', 'WKYR', 'DATETIME', 'YMDHMS'])

const SECONDS_PER_DAY = 86_400
/** From 1582-10-14 to 1970-01-01. */
const DAYS_TO_1970 = 141_428

/** `F8.2` from its number; undefined where the file says nothing that is known. */
export function formatName(packed: number): string | undefined {
  const name = NAMES.get((packed >> 16) & 255)
  if (name === undefined) return undefined
  const [width, decimals] = [(packed >> 8) & 255, packed & 255]
  return `${name}${width}${decimals === 0 ? '' : `.${decimals}`}`
}

/** The number of `F8.2`; undefined where that is no format of SPSS. */
export function packedFormat(format: string): number | undefined {
  const parts = /^([A-Z]+)(\d{1,3})(?:\.(\d{1,2}))?$/.exec(format)
  const code = parts === null ? undefined : CODES.get(parts[1])
  if (parts === null || code === undefined || Number(parts[2]) > 255) return undefined
  return (code << 16) | (Number(parts[2]) << 8) | Number(parts[3] ?? 0)
}

export function isDateFormat(format: string | undefined): boolean {
  return DATES.has(/^[A-Z]+/.exec(format ?? '')?.[0] ?? '')
}

export function daysOf(seconds: number): number {
  return seconds / SECONDS_PER_DAY - DAYS_TO_1970
}

export function secondsOf(days: number): number {
  return Math.round((days + DAYS_TO_1970) * SECONDS_PER_DAY * 1000) / 1000
}
