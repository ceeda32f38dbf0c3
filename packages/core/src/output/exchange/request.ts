import { UserError, unknownName } from '../../errors.js'
import { atPath } from '../../json.js'
import type { Table } from '../../table/table.js'
import { parseWritten } from '../../written-form.js'
import {
  correlationSchema,
  OUTPUT_KINDS,
  type Output,
  type OutputRequest,
  regressionSchema,
  requestSchema,
  summarySchema,
  tableSchema,
  variableSchema,
} from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { labelled, requestTable } from '../description/variables.js'
import { givenProblems } from '../numbers/given-values.js'
import { recomputed } from '../numbers/recompute.js'

export function parseRequest(file: string, value: unknown): OutputRequest {
  return parseWritten(file, value, {
    schema: requestSchema,
    what: 'the request',
    namesAt: (path) => ({ names: fieldsAt(path, value) }),
    meantAt: ({ path }) => (path.at(-1) === 'kind' ? OUTPUT_KINDS : []),
    contentProblems,
  })
}

/** A request with the data it is about: what it looks at, and all its numbers on all records. */
export interface PreparedRequest {
  readonly request: OutputRequest
  /** Variables of the request only, typed as it uses them. */
  readonly table: Table
  /** In the order of the outputs. */
  readonly recomputed: readonly Recomputed[]
}

/** Computes every output on the data. Stops where the data lack something that is named, or where a number that is given is another one. */
export function prepareRequest(request: OutputRequest, data: Table): PreparedRequest {
  const table = requestTable(request, data)
  if (request.n !== undefined && request.n !== data.rows)
    throw new UserError(`the request is about ${request.n} records, but ${data.name} has ${data.rows}`)
  const levels = request.outputs.flatMap((output) => levelProblems(output, table))
  if (levels.length > 0) throw new UserError(levels)
  const results = request.outputs.map((output) => recomputed(output, table))
  const problems = request.outputs.flatMap((output, k) => givenProblems(output, results[k], data.name))
  if (problems.length > 0) throw new UserError(problems)
  return { request, table, recomputed: results }
}

function contentProblems({ outputs, variables }: OutputRequest): string[] {
  const twice = (names: readonly string[]) => names.filter((name, k) => names.indexOf(name) < k)
  return [
    ...twice(outputs.map(({ id }) => id)).map((id) => `two outputs are called "${id}"`),
    ...twice(variables.map(({ name }) => name)).map((name) => `the variable "${name}" is described twice`),
    ...outputs.flatMap((output) => outputProblems(output).map((problem) => `output "${output.id}": ${problem}`)),
  ]
}

function outputProblems(output: Output): string[] {
  if (output.kind === 'table') {
    const needs = output.statistic !== 'count' && output.statistic !== 'percentage'
    return [
      ...(needs && output.var === undefined ? [`a table of the ${output.statistic} needs "var"`] : []),
      ...(output.rounding !== undefined && output.statistic !== 'count'
        ? ['only counts can be rounded to a base']
        : []),
      ...output.within.flatMap((name) =>
        output.by.includes(name) ? [] : [unknownName('variable of "within"', name, output.by)],
      ),
      ...[...output.suppressed, ...(output.values ?? []).map(({ cell }) => cell)]
        .flatMap((cell) => Object.keys(cell))
        .flatMap((name) => (output.by.includes(name) ? [] : [unknownName('variable of a cell', name, output.by)])),
    ]
  }
  if (output.kind !== 'regression') return []
  if (output.terms.length === 0 && !output.intercept) return ['a model without terms and intercept has nothing to fit']
  const terms = output.terms.flatMap((term) => ('var' in term ? [term.var] : term.interaction))
  return terms.includes(output.response) ? [`"${output.response}" is the response and a term`] : []
}

/** Levels that a table names and the data do not have. */
function levelProblems(output: Output, table: Table): string[] {
  if (output.kind !== 'table' && output.kind !== 'summary') return []
  const cells =
    output.kind === 'table'
      ? [...output.suppressed, ...(output.values ?? []).map(({ cell }) => cell)]
      : (output.values ?? []).flatMap(({ group }) => (group === undefined ? [] : [group]))
  const problems = cells.flatMap((cell) =>
    Object.entries(cell).flatMap(([name, level]) => {
      const column = table.columns.find((one) => one.name === name)
      if (column === undefined) return []
      const { levels } = labelled(column)
      return levels.includes(level)
        ? []
        : [`output "${output.id}": ${unknownName(`level of "${name}"`, level, levels)}`]
    }),
  )
  return [...new Set(problems)]
}

const SHAPES: Readonly<Record<string, object | undefined>> = {
  regression: regressionSchema.shape,
  table: tableSchema.shape,
  summary: summarySchema.shape,
  correlation: correlationSchema.shape,
}

function fieldsAt(path: readonly PropertyKey[], value: unknown): string[] {
  if (path.length === 0) return Object.keys(requestSchema.shape).filter((name) => name !== '$schema')
  if (path[0] === 'variables') return Object.keys(variableSchema.shape)
  if (path.length > 2) return []
  const kind = atPath(value, [...path, 'kind'])
  return Object.keys(SHAPES[String(kind)] ?? {})
}
