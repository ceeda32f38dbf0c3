import { z } from 'zod'
import { UserError } from '../errors.js'
import { count } from '../print.js'
import { median } from '../stats/quantile.js'
import { mean } from '../stats/sums.js'
import { findColumn, type Table } from '../table/table.js'
import { anonymiser, nameProblems, withColumns } from './method/anonymiser.js'
import { NUMBERS, type NumberColumn, withValues } from './method/number-columns.js'

/**
 * Top and bottom coding: a value below the lower bound becomes that bound, one above the upper bound becomes that one; or
 * what `replacement` says instead: a number, or the mean or the median of the values beyond that bound, which keeps the
 * total, or the middle, of the tail. A mean of few values tells them, so that is noted.
 * Codes that stand for something else, such as -8 for "refused", are left alone. Dates have bounds in days since
 * 1970-01-01.
 */
export const boundsOption = z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()]))

export const excludeOption = z.record(z.string(), z.array(z.number()).readonly())

const side = z.union([z.enum(['bound', 'mean', 'median']), z.number()])

type Side = z.output<typeof side>

const options = z.object({
  bounds: boundsOption
    .default({})
    .describe('per variable the lower and the upper bound, null for none: {"income": [null, 9000]}'),
  exclude: excludeOption.default({}).describe('per variable codes to leave alone: {"income": [-8]}'),
  replacement: z
    .record(z.string(), z.union([side, z.tuple([side, side])]))
    .default({})
    .describe(
      'per variable what values beyond a bound become, or a pair for below and above: "bound", a number, or the "mean" or "median" of those values: {"income": "mean"}',
    ),
})

type Options = z.output<typeof options>

export type CodedVariable = {
  readonly variable: string
  readonly lower: number | null
  readonly upper: number | null
  /** Values below the lower and above the upper bound. */
  readonly raised: number
  readonly lowered: number
  /** What they became; null where there are none. */
  readonly replacements: readonly [number | null, number | null]
}

/** Fewer values than this are nearly revealed by their mean or median. */
const FEW = 3

export const topCoding = anonymiser({
  id: 'top-coding',
  title: 'Top and bottom coding',
  summary: 'Replaces values beyond a bound by the bound, or by a value of your own.',
  options,
  apply(data, _, chosen) {
    if (Object.keys(chosen.bounds).length === 0)
      throw new UserError('top-coding needs the option bounds: {"income": [null, 9000]}')
    const { table, variables } = codeBounds(data, chosen)
    return { table, description: { variables }, notes: variables.flatMap((about) => codingNotes(about, chosen)) }
  },
})

function codingNotes({ variable, raised, lowered }: CodedVariable, { replacement }: Options): string[] {
  if (raised + lowered === 0) return [`no value of "${variable}" lies beyond its bounds`]
  return [raised, lowered].flatMap((values, at) => {
    const coded = sidesOf(replacement, variable)[at]
    if (values === 0 || values >= FEW || (coded !== 'mean' && coded !== 'median')) return []
    const where = at === 0 ? 'below the lower' : 'above the upper'
    return [`the ${coded} of "${variable}" ${where} bound is that of ${count(values, 'value')} and nearly reveals them`]
  })
}

function sidesOf(replacement: Options['replacement'], name: string): readonly [Side, Side] {
  const wanted = Object.hasOwn(replacement, name) ? replacement[name] : 'bound'
  return Array.isArray(wanted) ? wanted : [wanted, wanted]
}

/** The table with all bounds applied, and what each has changed. */
export function codeBounds(
  data: Table,
  { bounds, exclude, replacement = {} }: Pick<Options, 'bounds' | 'exclude'> & Partial<Options>,
): { readonly table: Table; readonly variables: readonly CodedVariable[] } {
  const problems = boundProblems(data, { bounds, exclude, replacement })
  if (problems.length > 0) throw new UserError(problems)
  const coded = Object.entries(bounds).flatMap(([name, [lower, upper]]) => {
    const column = findColumn(data, name)
    if (column === undefined || !NUMBERS.accepts(column)) return []
    return [clamp(column, lower, upper, new Set(exclude[name] ?? []), sidesOf(replacement, name))]
  })
  return {
    table: withColumns(
      data,
      coded.map(({ column }) => column),
    ),
    variables: coded.map(({ about }) => about),
  }
}

function boundProblems(data: Table, { bounds, exclude, replacement }: Options): string[] {
  const problems = nameProblems(data, Object.keys(bounds))
  for (const [name, [lower, upper]] of Object.entries(bounds)) {
    const column = findColumn(data, name)
    if (column !== undefined && !NUMBERS.accepts(column)) problems.push(`bounds: "${name}" is not numeric`)
    if (lower === null && upper === null) problems.push(`bounds: "${name}" has neither a lower nor an upper bound`)
    if (lower !== null && upper !== null && lower > upper)
      problems.push(`bounds: the lower bound of "${name}" is above the upper one`)
  }
  for (const [option, given] of Object.entries({ exclude, replacement }))
    for (const name of Object.keys(given))
      if (!Object.hasOwn(bounds, name)) problems.push(`${option} names "${name}", which has no bounds`)
  return problems
}

function clamp(
  column: NumberColumn,
  lower: number | null,
  upper: number | null,
  codes: ReadonlySet<number>,
  [below, above]: readonly [Side, Side],
): { readonly column: NumberColumn; readonly about: CodedVariable } {
  const isLow = (value: number) => lower !== null && value < lower && !codes.has(value)
  const isHigh = (value: number) => upper !== null && value > upper && !codes.has(value)
  const [low, high] = [column.values.filter(isLow), column.values.filter(isHigh)]
  const replacements = [standIn(below, lower, low), standIn(above, upper, high)] as const
  const values = column.values.map((value) => {
    if (isLow(value)) return replacements[0] ?? value
    return isHigh(value) ? (replacements[1] ?? value) : value
  })
  return {
    column: withValues(column, values, false),
    about: { variable: column.name, lower, upper, raised: low.length, lowered: high.length, replacements },
  }
}

/** What the values beyond a bound become; null where there are none. */
function standIn(side: Side, bound: number | null, beyond: Float64Array): number | null {
  if (beyond.length === 0) return null
  if (typeof side === 'number') return side
  return side === 'bound' ? bound : side === 'mean' ? mean(beyond) : median(beyond)
}
