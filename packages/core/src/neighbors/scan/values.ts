/** A value as it is asked about: a level, a number, or missing. */
export type Value = string | number | null

/** A value as queries are written, whatever brought it: whole numbers may be large, true and false are levels. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'boolean' ? String(value) : value
}

export function isMissing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value)
}

export function numberOf(value: unknown): number {
  return isMissing(value) ? Number.NaN : Number(value)
}
