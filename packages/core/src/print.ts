/** What a number is, so that print never guesses percent. */
export const UNITS = ['share', 'difference', 'AUC', 'distance', 'ratio', 'count', 'bits', 'score'] as const
export type Unit = (typeof UNITS)[number]

/** A number as people read it; shares and differences of shares are percent in print, never in results. */
export function inUnit(value: number, unit: Unit): string {
  if (unit === 'share' || unit === 'difference') return percent(value)
  if (unit === 'count') return Math.round(value).toLocaleString('en-US')
  if (unit === 'bits') return `${value.toFixed(1)} bits`
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : Number(value.toPrecision(3)).toString()
}

/** Numbers as people read them: fractions are percent in print, never in results. */
export function percent(fraction: number, digits = 1): string {
  const text = (100 * fraction).toFixed(digits)
  return `${text.replace(/^-(?=0(?:\.0+)?$)/, '')} %`
}

/** An expected number of people: a tenth counts where there are few. */
export function expected(number: number): string {
  return number < 10 ? Number(number.toFixed(1)).toString() : Math.round(number).toLocaleString('en-US')
}

export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`
}

/** The size of a sample as a share: one or two digits tell enough. */
export function sampleText(fraction: number): string {
  const number = 100 * fraction
  return `${number >= 1 || number === 0 ? number.toFixed(0) : number.toPrecision(1)} %`
}
