/** Numbers as people read them here, as everywhere in scrim; a sign does not break away from its number. */
export const count = (value: number): string => value.toLocaleString('en-US')
export const share = (value: number | null): string => (value === null ? '–' : `${(100 * value).toFixed(1)}\u00a0%`)
/** Without decimals, for what is an estimate. */
export const roughly = (value: number | null): string => (value === null ? '–' : `${Math.round(100 * value)}\u00a0%`)

/** Bounds, rounded outwards: they claim no more than is known. */
export const range = ({ lower, upper }: { readonly lower: number; readonly upper: number }): string =>
  `${Math.floor(100 * lower)} to ${Math.ceil(100 * upper)}\u00a0%`

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const

/** "1.2 MB" */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const size = bytes / 1000 ** power
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)}\u00a0${UNITS[power]}`
}
