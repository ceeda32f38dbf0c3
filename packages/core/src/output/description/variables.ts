import { UserError, unknownName } from '../../errors.js'
import { fixed } from '../../print.js'
import {
  byCodePoint,
  type CategoricalColumn,
  type Column,
  categorical,
  isMissing,
  valueAt,
} from '../../table/column.js'
import { parseCondition } from '../../table/condition.js'
import { columnNames, findColumn, type Table, table } from '../../table/table.js'
import { type Output, type OutputRequest, type RequestVariable, variablesOf } from './description.js'

/**
 * The table that a request is about: its variables and no others, each as the request uses it. A number that is only crossed or
 * used as a factor is a category whose levels are its values; a category has the levels that the request names, or else those of
 * the data, so that a part of the records (a fold) still has all of them.
 */
export function requestTable(request: OutputRequest, data: Table): Table {
  const names = usedVariables(request, data)
  const problems = names.flatMap((name) => columnProblems(name, request, data))
  if (problems.length > 0) throw new UserError(problems)
  const asCategory = categoriesOf(request)
  return table(
    data.name,
    names.map((name) => {
      const column = columnNamed(data, name)
      const declared = request.variables.find((variable) => variable.name === name)
      const isCategory = declared === undefined ? asCategory.has(name) : declared.type === 'categorical'
      return isCategory || column.kind === 'categorical' ? labelled(column, declared?.levels) : column
    }),
  )
}

/** The variables of a request with everything that the data say and the request does not: type, levels, range, decimals. */
export function describedVariables(request: OutputRequest, prepared: Table): RequestVariable[] {
  return prepared.columns.map((column) => {
    const declared = request.variables.find(({ name }) => name === column.name)
    if (column.kind === 'categorical') return { name: column.name, type: 'categorical', levels: [...column.levels] }
    const known = column.values.filter((value) => !Number.isNaN(value))
    const isWhole = known.every(Number.isInteger)
    return {
      name: column.name,
      type: declared?.type === 'numeric' || !isWhole ? 'numeric' : 'integer',
      min: declared?.min ?? known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
      max: declared?.max ?? known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
      decimals: declared?.decimals ?? (isWhole ? 0 : mostDecimals(known)),
    }
  })
}

/** Every variable that some output, its filter, or the assumed knowledge looks at. */
export function usedVariables(request: OutputRequest, data: Table): string[] {
  const outputs = [...request.outputs, ...(Array.isArray(request.knowledge) ? request.knowledge : [])]
  return [...new Set(outputs.flatMap((output) => [...variablesOf(output), ...filterVariables(output, data)]))]
}

function filterVariables(output: Output, data: Table): readonly string[] {
  return output.filter === null ? [] : parseCondition(output.filter, data, `output "${output.id}": filter`).names
}

/** Variables that some output crosses, or takes as a factor or as classes. */
export function categoriesOf(request: OutputRequest): Set<string> {
  const names = new Set<string>()
  for (const output of [...request.outputs, ...(Array.isArray(request.knowledge) ? request.knowledge : [])]) {
    if (output.kind === 'table' || output.kind === 'summary') for (const name of output.by) names.add(name)
    if (output.kind !== 'regression') continue
    if (output.family === 'logistic' || output.family === 'multinomial') names.add(output.response)
    for (const term of output.terms)
      if ('var' in term && (term.as === 'factor' || term.reference !== undefined)) names.add(term.var)
  }
  for (const output of request.outputs) for (const name of asNumbers(output)) names.delete(name)
  for (const { filter } of request.outputs) for (const name of ordered(filter, names)) names.delete(name)
  return names
}

/** Of these variables those that a filter compares by size: they stay numbers. */
function ordered(filter: string | null, names: ReadonlySet<string>): string[] {
  return filter === null || !/[<>]/.test(filter) ? [] : [...names].filter((name) => filter.includes(name))
}

/** Variables that an output calculates with. */
function asNumbers(output: Output): string[] {
  if (output.kind === 'correlation') return output.vars
  if (output.kind === 'summary') return [output.var]
  if (output.kind === 'table') return output.var === undefined ? [] : [output.var]
  const terms = output.terms.flatMap((term) => ('var' in term && term.as === 'numeric' ? [term.var] : []))
  return output.family === 'linear' || output.family === 'poisson' ? [output.response, ...terms] : terms
}

/** A category by labels; labels are numbers in ascending order where all are, else in order of code points. */
export function labelled(column: Column, levels?: readonly string[]): CategoricalColumn {
  if (column.kind === 'categorical' && (levels === undefined || sameLevels(levels, column.levels))) return column
  const rows = column.kind === 'categorical' ? column.codes.length : column.values.length
  const labels = Array.from({ length: rows }, (_, row) => {
    const value = isMissing(column, row) ? null : valueAt(column, row)
    return value === null ? null : String(value)
  })
  return categorical(column.name, labels, { levels: levels ?? orderedLabels(labels) })
}

function sameLevels(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((level, k) => level === b[k])
}

function orderedLabels(labels: readonly (string | null)[]): string[] {
  const known = [...new Set(labels.filter((label) => label !== null))]
  const areNumbers = known.every((label) => Number.isFinite(Number(label)))
  return known.sort(areNumbers ? (a, b) => Number(a) - Number(b) : byCodePoint)
}

function columnNamed(data: Table, name: string): Column {
  const column = findColumn(data, name)
  if (column === undefined) throw new UserError(unknownName('variable', name, columnNames(data)))
  return column
}

/** Names that are not there, and values of the data that the request does not know. */
function columnProblems(name: string, request: OutputRequest, data: Table): string[] {
  const column = findColumn(data, name)
  if (column === undefined) {
    const user = request.outputs.find((output) => variablesOf(output).includes(name))
    const place = user === undefined ? 'knowledge' : `output "${user.id}"`
    return [`${place}: ${unknownName('variable', name, columnNames(data))}`]
  }
  const declared = request.variables.find((variable) => variable.name === name)
  if (declared === undefined) return []
  if (declared.type !== 'categorical')
    return column.kind === 'categorical'
      ? [`variable "${name}" is said to be a number, but ${data.name} has texts in it`]
      : []
  if (declared.levels === undefined) return []
  const present = labelled(column)
  const unknown = present.levels.filter(
    (level, code) => !declared.levels?.includes(level) && present.codes.some((found) => found === code),
  )
  return unknown.length === 0
    ? []
    : [`variable "${name}": ${data.name} has the level "${unknown[0]}", which the request does not name`]
}

const MOST_DECIMALS = 6

function mostDecimals(values: Float64Array): number {
  let most = 0
  for (const value of values) {
    while (most < MOST_DECIMALS && Math.abs(value - Number(fixed(value, most))) > 1e-9 * Math.max(1, Math.abs(value)))
      most++
    if (most === MOST_DECIMALS) break
  }
  return most
}
