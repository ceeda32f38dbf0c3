import { z } from 'zod'

/**
 * Options of measures, synthesizers and anonymisers: the default, and the values that are allowed. A number whose default is
 * null may be left open.
 */
export function choice<const Values extends readonly string[]>(values: Values, standard: Values[number]) {
  return z.enum<Values>(values).default(standard)
}

export function flag(standard: boolean) {
  return z.boolean().default(standard)
}

interface Limits {
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly below?: number
}

type OpenNumber = z.ZodDefault<z.ZodNullable<z.ZodNumber>>

export function whole(standard: number, limits?: Limits): z.ZodDefault<z.ZodNumber>
export function whole(standard: null, limits?: Limits): OpenNumber
export function whole(standard: number | null, limits?: Limits) {
  return withDefault(z.number().int(), standard, limits)
}

export function real(standard: number, limits?: Limits): z.ZodDefault<z.ZodNumber>
export function real(standard: null, limits?: Limits): OpenNumber
export function real(standard: number | null, limits?: Limits) {
  return withDefault(z.number(), standard, limits)
}

function withDefault(schema: z.ZodNumber, standard: number | null, { min, max, above, below }: Limits = {}) {
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  if (above !== undefined) schema = schema.gt(above)
  if (below !== undefined) schema = schema.lt(below)
  return standard === null ? schema.nullable().default(null) : schema.default(standard)
}

/** One text, or null where it is left open. */
export function openText() {
  return z.string().nullable().default(null)
}

/** Names, none unless given. */
export function nameList() {
  return z.array(z.string()).readonly().default([])
}

/** Names of columns, `fewest` or more; null where the usual ones are meant. */
export function columnNames(fewest = 0) {
  const names = z.array(z.string())
  return (fewest > 0 ? names.min(fewest) : names).nullable().default(null)
}
