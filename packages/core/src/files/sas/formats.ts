/**
 * What SAS formats say of numbers (SAS 9.4 Formats and Informats: Reference, "Formats by Category"): SAS counts days, and
 * seconds of date-times, from 1960-01-01. Times of day stay seconds. Formats that users define are in catalogs, other files;
 * their columns are the numbers that they are.
 */
export function daysOf(format: string): ((value: number) => number) | undefined {
  const name = format.toUpperCase().replace(/[\d.]+$/, '')
  if (DATE_TIMES.test(name)) return (seconds) => seconds / SECONDS_PER_DAY - EPOCH
  return DATES.test(name) ? (days) => days - EPOCH : undefined
}

/** Days from 1960-01-01 to 1970-01-01. */
const EPOCH = 3653
const SECONDS_PER_DAY = 86_400
const DATE_TIMES =
  /^(DATETIME|DATEAMPM|DTDATE|DTMONYY|DTWKDATX|DTYEAR|DTYYQC|MDYAMPM|[BE]8601D[TNXZ]|[BE]8601LX|NLDATM\w*|IS8601D[TNZ]|TOD)$/
const DATES =
  /^(DATE|DAY|DDMMYY[BCDNPS]?|MMDDYY[BCDNPS]?|YYMMDD[BCDNPS]?|MMYY[CDNPS]?|YYMM[CDNPS]?|YYMON|MONYY|MONNAME|MONTH|YEAR|YYQ[CDNPS]?|YYQR[CDNPS]?|QTR|QTRR|WEEKDATE|WEEKDATX|WEEKDAY|WEEK[UVW]|DOWNAME|WORDDATE|WORDDATX|JULDAY|JULIAN|[BE]8601DA|IS8601DA|NLDATE\w*|EUROSTAT|MINGUO|NENGO|HDATE|HEBDATE)$/

/** `DATE9.`, as people write it. */
export function formatName(name: string, width: number, decimals: number): string | undefined {
  if (name === '' && width === 0) return undefined
  return `${name}${width > 0 ? width : ''}.${decimals > 0 ? decimals : ''}`
}
