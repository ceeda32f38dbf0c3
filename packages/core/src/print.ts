/** What a number is, so that print never guesses percent. */
export const UNITS = ['share', 'difference', 'AUC', 'distance', 'ratio', 'count', 'bits', 'score'] as const
export type Unit = (typeof UNITS)[number]

/** A number as people read it; shares and differences of shares are percent in print, never in results. */
export function inUnit(value: number, unit: Unit): string {
  if (unit === 'share' || unit === 'difference') return percent(value)
  if (unit === 'count') return grouped(Math.round(value))
  if (unit === 'bits') return `${fixed(value, 1)} bits`
  return Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(significant(value))
}

/** Numbers as people read them: fractions are percent in print, never in results. */
export function percent(fraction: number, digits = 1): string {
  return `${fixed(100 * fraction, digits).replace(/^-(?=0(?:\.0+)?$)/, '')} %`
}

/** A name of the code as people write it: "target groups" for `targetGroups`. */
export function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** With commas between thousands: 1,234. */
export function grouped(n: number): string {
  return n.toLocaleString('en-US')
}

/** With this many decimals, zeros included. */
export function fixed(value: number, decimals: number): string {
  return value.toFixed(decimals)
}

/** With this many significant digits, zeros included. */
export function precise(value: number, digits: number): string {
  return value.toPrecision(digits)
}

/** The number that is left of a value when it has only so many significant digits. */
export function significant(value: number, digits = 3): number {
  return Number(precise(value, digits))
}

/** An expected number of people: a tenth counts where there are few. */
export function expected(number: number): string {
  return number < 10 ? String(Number(fixed(number, 1))) : grouped(Math.round(number))
}

/** "about 20", but never "about fewer than 15". */
export function estimated(number: string): string {
  return /^\d/.test(number) ? `about ${number}` : number
}

export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(n)} ${n === 1 ? singular : plural}`
}

const FEWEST_SECONDS = 5

/** How long something will take, once enough of it was done to tell; empty before. */
export function timeLeftText(share: number, seconds: number): string {
  if (share <= 0 || seconds < FEWEST_SECONDS) return ''
  const left = (seconds * (1 - share)) / share
  return left < 90 ? `about ${Math.ceil(left)} s left` : `about ${Math.ceil(left / 60)} min left`
}

/** The size of a sample as a share: one or two digits tell enough. */
export function sampleText(fraction: number): string {
  const number = 100 * fraction
  return `${number >= 1 || number === 0 ? fixed(number, 0) : precise(number, 1)} %`
}

/** A p value; what is below a thousandth says no more. */
export function pText(p: number, decimals = 3): string {
  return p < 0.001 ? '<0.001' : fixed(p, decimals)
}
