import { z } from 'zod'
import { UserError } from '../errors.js'
import { findColumn, type Table } from '../table/table.js'
import {
  type Anonymiser,
  type AnonymiserRoles,
  changedCells,
  type Masked,
  nameProblems,
  withColumns,
} from './anonymiser.js'
import { NUMBERS, type NumberColumn } from './number-columns.js'

/**
 * Top and bottom coding: a value below the lower bound becomes that bound, one above the upper bound becomes that one.
 * Codes that stand for something else, such as -8 for "refused", are left alone. Dates have bounds in days since
 * 1970-01-01.
 */
export const boundsOption = z.record(z.string(), z.tuple([z.number().nullable(), z.number().nullable()]))

export const excludeOption = z.record(z.string(), z.array(z.number()).readonly())

const options = z.object({
  bounds: boundsOption
    .default({})
    .describe('per variable the lower and the upper bound, null for none: {"income": [null, 9000]}'),
  exclude: excludeOption.default({}).describe('per variable codes to leave alone: {"income": [-8]}'),
})

type Options = z.output<typeof options>

export type TopCodingDescription = {
  readonly variables: readonly CodedVariable[]
}

export type CodedVariable = {
  readonly variable: string
  readonly lower: number | null
  readonly upper: number | null
  readonly raised: number
  readonly lowered: number
}

export const topCoding = {
  id: 'top-coding',
  title: 'Top and bottom coding',
  summary: 'Replaces values beyond a bound by the bound.',
  options,
  apply(data: Table, _: AnonymiserRoles, chosen: Options): Masked<TopCodingDescription> {
    if (Object.keys(chosen.bounds).length === 0)
      throw new UserError('top-coding needs the option bounds: {"income": [null, 9000]}')
    const { table, variables } = codeBounds(data, chosen)
    const idle = variables.filter(({ raised, lowered }) => raised + lowered === 0)
    return {
      table,
      description: { variables },
      notes: idle.map(({ variable }) => `no value of "${variable}" lies beyond its bounds`),
    }
  },
} satisfies Anonymiser<typeof options, TopCodingDescription>

/** The table with all bounds applied, and what each has changed. */
export function codeBounds(
  data: Table,
  { bounds, exclude }: Options,
): { readonly table: Table; readonly variables: readonly CodedVariable[] } {
  const problems = boundProblems(data, { bounds, exclude })
  if (problems.length > 0) throw new UserError(problems)
  const coded = Object.entries(bounds).flatMap(([name, [lower, upper]]) => {
    const column = findColumn(data, name)
    return column !== undefined && NUMBERS.accepts(column) ? [clamp(column, lower, upper, exclude[name] ?? [])] : []
  })
  return {
    table: withColumns(
      data,
      coded.map(({ column }) => column),
    ),
    variables: coded.map(({ about }) => about),
  }
}

function boundProblems(data: Table, { bounds, exclude }: Options): string[] {
  const problems = nameProblems(data, Object.keys(bounds))
  for (const [name, [lower, upper]] of Object.entries(bounds)) {
    const column = findColumn(data, name)
    if (column !== undefined && !NUMBERS.accepts(column)) problems.push(`bounds: "${name}" is not numeric`)
    if (lower === null && upper === null) problems.push(`bounds: "${name}" has neither a lower nor an upper bound`)
    if (lower !== null && upper !== null && lower > upper)
      problems.push(`bounds: the lower bound of "${name}" is above the upper one`)
  }
  for (const name of Object.keys(exclude))
    if (!Object.hasOwn(bounds, name)) problems.push(`exclude names "${name}", which has no bounds`)
  return problems
}

function clamp(
  column: NumberColumn,
  lower: number | null,
  upper: number | null,
  exclude: readonly number[],
): { readonly column: NumberColumn; readonly about: CodedVariable } {
  const codes = new Set(exclude)
  const clamped = (value: number) => {
    if (codes.has(value)) return value
    if (lower !== null && value < lower) return lower
    return upper !== null && value > upper ? upper : value
  }
  const now = { ...column, values: column.values.map(clamped) }
  const raised = now.values.reduce((count, value, row) => count + (value > column.values[row] ? 1 : 0), 0)
  const lowered = changedCells(column, now).cells - raised
  return { column: now, about: { variable: column.name, lower, upper, raised, lowered } }
}
