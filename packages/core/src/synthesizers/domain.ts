import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import type { Stream } from '../random/stream.js'
import { type Column, categoriesOf, isMissing, MISSING_CODE, numbersOf } from '../table/column.js'
import { roundingOf } from '../table/precision.js'

/**
 * What may be in a column, as everybody may know it without the data: the levels, or from where to where numbers go and with
 * how many decimals, and whether values may be missing. Numbers are cut into bins of equal width that are drawn from evenly;
 * missing is the last level.
 */
export const domainSchema = z
  .object({
    lower: z.number(),
    upper: z.number(),
    decimals: z.number().int().min(0).max(10).nullable(),
    missing: z.boolean(),
  })
  .partial()

type GivenDomain = z.output<typeof domainSchema>

/** Whether something of the domain had to be read off the data. */
export type Guessed = boolean

export interface Domain {
  readonly name: string
  readonly column: Column
  /** Levels or bins, missing among them. */
  readonly size: number
  readonly missing: boolean
  /** Null for levels. */
  readonly bins: Bins | null
  /** Of each record; numbers outside the domain are moved to its end. */
  readonly codesOf: (column: Column) => Int32Array
  /** The same, -1 for what is outside. */
  readonly codesWithin: (column: Column) => Int32Array
  /** Log probability of each value given its code. */
  readonly logWithin: (column: Column) => Float64Array
}

interface Bins {
  readonly lower: number
  readonly upper: number
  readonly count: number
  /** Steps per unit; null where numbers are not rounded. */
  readonly perUnit: number | null
  /** How many values there are; 0 where they are not rounded. */
  readonly steps: number
}

export function domainOf(
  column: Column,
  domain: GivenDomain | undefined,
  bins: number,
): { readonly domain: Domain; readonly guessed: Guessed } {
  const missing = domain?.missing ?? anyMissing(column)
  if (column.kind === 'categorical')
    return { domain: ofLevels(column, missing), guessed: domain?.missing === undefined }
  const known = column.values.filter((value) => !Number.isNaN(value))
  const lower = domain?.lower ?? known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const upper = domain?.upper ?? known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  if (lower > upper && known.length > 0)
    throw new UserError(`domains: ${column.name} goes from ${lower} to ${upper}, which is nowhere`)
  const perUnit =
    domain?.decimals === undefined
      ? roundingOf(column, known).perUnit
      : domain.decimals === null
        ? null
        : math.pow(10, domain.decimals)
  const cut = known.length === 0 && domain?.lower === undefined ? null : binsOf(lower, upper, perUnit, bins)
  const whole = [domain?.missing, domain?.lower, domain?.upper, domain?.decimals].every((part) => part !== undefined)
  return { domain: ofNumbers(column, cut, missing), guessed: !whole }
}

/** The domains of a table as options: as if everybody knew them. */
export function domainsOf(columns: readonly Column[]): Record<string, GivenDomain> {
  return Object.fromEntries(
    columns.map((column) => {
      const { bins, missing } = domainOf(column, undefined, 1).domain
      if (bins === null) return [column.name, { missing }]
      const { lower, upper, perUnit } = bins
      return [
        column.name,
        { lower, upper, decimals: perUnit === null ? null : Math.round(math.log10(perUnit)), missing },
      ]
    }),
  )
}

function anyMissing(column: Column): boolean {
  const rows = column.kind === 'categorical' ? column.codes.length : column.values.length
  for (let row = 0; row < rows; row++) if (isMissing(column, row)) return true
  return false
}

function binsOf(lower: number, upper: number, perUnit: number | null, most: number): Bins {
  if (perUnit === null) return { lower, upper, perUnit, steps: 0, count: upper > lower ? most : 1 }
  const steps = Math.round((upper - lower) * perUnit) + 1
  return { lower, upper, perUnit, steps, count: Math.min(most, steps) }
}

function ofLevels(column: Extract<Column, { kind: 'categorical' }>, missing: boolean): Domain {
  const known = column.levels.length
  const codesWithin = (from: Column) => {
    const { codes, levels } = categoriesOf(from)
    const place = new Map(column.levels.map((level, code) => [level, code]))
    const codeOf = levels.map((level) => place.get(level) ?? -1)
    return codes.map((code) => (code === MISSING_CODE ? (missing ? known : -1) : codeOf[code]))
  }
  return {
    name: column.name,
    column,
    size: Math.max(1, known + (missing ? 1 : 0)),
    missing,
    bins: null,
    codesWithin,
    codesOf: (from) => codesWithin(from).map((code) => Math.max(0, code)),
    logWithin: (from) => new Float64Array(from.kind === 'categorical' ? from.codes.length : 0),
  }
}

function ofNumbers(column: Exclude<Column, { kind: 'categorical' }>, bins: Bins | null, missing: boolean): Domain {
  const count = bins?.count ?? 0
  const codeOf = (value: number) => {
    if (Number.isNaN(value)) return missing ? count : -1
    return bins === null || value < bins.lower || value > bins.upper || !onStep(bins, value) ? -1 : binOf(bins, value)
  }
  return {
    name: column.name,
    column,
    size: Math.max(1, count + (missing ? 1 : 0)),
    missing,
    bins,
    codesWithin: (from) => Int32Array.from(numbersOf(from), codeOf),
    codesOf: (from) =>
      Int32Array.from(numbersOf(from), (value) => {
        if (Number.isNaN(value)) return missing ? count : 0
        return bins === null ? 0 : binOf(bins, Math.min(bins.upper, Math.max(bins.lower, value)))
      }),
    logWithin: (from) =>
      Float64Array.from(numbersOf(from), (value) =>
        Number.isNaN(value) || bins === null ? 0 : -math.log(widthOf(bins, binOf(bins, value))),
      ),
  }
}

function onStep({ lower, perUnit }: Bins, value: number): boolean {
  if (perUnit === null) return true
  const step = (value - lower) * perUnit
  return Math.abs(step - Math.round(step)) < STEP_ROUNDING
}

/** Decimals are not exact in binary. */
const STEP_ROUNDING = 1e-6

function binOf({ lower, upper, perUnit, steps, count }: Bins, value: number): number {
  if (perUnit === null)
    return upper > lower ? Math.min(count - 1, Math.floor((count * (value - lower)) / (upper - lower))) : 0
  return Math.floor((Math.round((value - lower) * perUnit) * count) / steps)
}

/** How many values a bin has, or how wide it is. */
function widthOf(bins: Bins, bin: number): number {
  if (bins.perUnit === null) return bins.upper > bins.lower ? (bins.upper - bins.lower) / bins.count : 1
  return firstStep(bins, bin + 1) - firstStep(bins, bin)
}

function firstStep({ steps, count }: Bins, bin: number): number {
  return Math.ceil((bin * steps) / count)
}

/** A column of values drawn evenly within their levels or bins. */
export function drawnColumn({ column, bins, missing, size }: Domain, codes: Int32Array, random: Stream): Column {
  const last = missing ? size - 1 : -1
  if (column.kind === 'categorical')
    return { ...column, codes: codes.map((code) => (code === last ? MISSING_CODE : code)) }
  return {
    ...column,
    values: Float64Array.from(codes, (code) =>
      code === last || bins === null ? Number.NaN : drawWithin(bins, code, random),
    ),
  }
}

function drawWithin(bins: Bins, bin: number, random: Stream): number {
  const { lower, upper, perUnit, count } = bins
  if (perUnit === null) return lower + ((bin + random.uniform()) / count) * (upper - lower)
  const step = firstStep(bins, bin) + random.below(widthOf(bins, bin))
  return Math.round(lower * perUnit + step) / perUnit
}
