/**
 * Display formats of Stata that mean dates. Days (%td, %d), weeks, months, quarters and half-years count from the beginning
 * of 1960, times (%tc, %tC) are milliseconds from there; a year has 52 weeks in %tw. A period becomes its first day. The
 * leap seconds in %tC are not taken out: they are 27 so far. Stata manual, [D] Datetime.
 */
const DAY = 86_400_000
/** From 1960-01-01 to 1970-01-01. */
const DAYS_TO_1970 = 3653
const FIRST_YEAR = 1960
const WEEKS = 52

interface Clock {
  readonly toDays: (value: number) => number
  readonly fromDays: (days: number) => number
}

const CLOCKS: Readonly<Record<string, Clock>> = {
  d: { toDays: (value) => value - DAYS_TO_1970, fromDays: (days) => days + DAYS_TO_1970 },
  c: {
    toDays: (value) => value / DAY - DAYS_TO_1970,
    fromDays: (days) => Math.round((days + DAYS_TO_1970) * DAY),
  },
  w: {
    toDays: (value) => firstDay(12 * Math.floor(value / WEEKS)) + 7 * (value - WEEKS * Math.floor(value / WEEKS)),
    fromDays: (days) => {
      const year = Math.floor(monthOf(days) / 12)
      return WEEKS * year + Math.min(WEEKS - 1, Math.floor((days - firstDay(12 * year)) / 7))
    },
  },
  m: months(1),
  q: months(3),
  h: months(6),
}

function months(length: number): Clock {
  return {
    toDays: (value) => firstDay(Math.floor(value) * length),
    fromDays: (days) => Math.floor(monthOf(days) / length),
  }
}

/** Days since 1970 of the first day of a month, which is counted from January 1960. */
function firstDay(month: number): number {
  return Date.UTC(FIRST_YEAR, month, 1) / DAY
}

function monthOf(days: number): number {
  const date = new Date(Math.round(days * DAY))
  return 12 * (date.getUTCFullYear() - FIRST_YEAR) + date.getUTCMonth()
}

export function clockOf(format: string | undefined): Clock | undefined {
  const unit = /^%-?(?:t([cCdwmqh])|(d))/.exec(format ?? '')
  return unit === null ? undefined : CLOCKS[(unit[1] ?? unit[2]).toLowerCase()]
}
