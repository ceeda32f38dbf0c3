import { UserError, unknownName } from '../../errors.js'
import type { Column } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { type RegressionOutput, variablesOf } from '../description/description.js'
import { labelled } from '../description/variables.js'
import { recordsOf } from './records.js'

/**
 * Columns of numbers behind the terms of a regression. A factor has one 0/1 column for each level but its reference, and for
 * all levels inside a product whose rest the model lacks (Chambers and Hastie 1992, 2.4.1), so that columns are those of R with
 * the same reference. Names: "AGE", "AREA=58", "SEX=2:AREA=58".
 */
export interface Design {
  /** Rows with nothing missing, in the order of the table. */
  readonly rows: Int32Array
  /** Without the intercept. */
  readonly terms: readonly DesignTerm[]
  /** Factors whose reference no record has: nothing can be compared with it. */
  readonly withoutReference: readonly string[]
}

export interface DesignTerm {
  readonly name: string
  /** Variables whose product it is, with the level of a factor and null for a number. */
  readonly parts: readonly { readonly variable: string; readonly level: string | null }[]
  readonly values: Float64Array
  /** Records in which it is not 0. */
  readonly records: number
}

export const INTERCEPT = '(Intercept)'

export function designOf(output: RegressionOutput, data: Table, rows: Int32Array): Design {
  const products = output.terms.map((term) => ('var' in term ? [term.var] : term.interaction))
  const factors = factorsOf(output, data, rows)
  const terms = products.flatMap((product) => termsOf(product, products, output, data, rows, factors))
  const withoutReference = [...factors.values()].flatMap(({ name, hasReference }) => (hasReference ? [] : [name]))
  return { rows, terms, withoutReference }
}

/** The design of a model on the records that it is about. */
export function modelDesign(output: RegressionOutput, data: Table): Design {
  return designOf(output, data, recordsOf(output, data, variablesOf(output)))
}

interface Factor {
  readonly name: string
  readonly levels: readonly string[]
  readonly reference: string
  readonly codes: Int32Array
  readonly hasReference: boolean
}

function factorsOf(output: RegressionOutput, data: Table, rows: Int32Array): Map<string, Factor> {
  const factors = new Map<string, Factor>()
  const names = new Set(output.terms.flatMap((term) => ('var' in term ? [term.var] : term.interaction)))
  for (const name of names) {
    const own = output.terms.find((term) => 'var' in term && term.var === name)
    const { as, reference } = own !== undefined && 'var' in own ? own : { as: undefined, reference: undefined }
    const column = columnOf(data, name)
    if (as !== 'factor' && reference === undefined && (as === 'numeric' || column.kind !== 'categorical')) continue
    const { codes, levels } = labelled(column)
    if (levels.length === 0) throw new UserError(`output "${output.id}": "${name}" has no value`)
    if (reference !== undefined && !levels.includes(reference))
      throw new UserError(`output "${output.id}": ${unknownName(`level of "${name}"`, reference, levels)}`)
    const chosen = reference ?? levels[0]
    const code = levels.indexOf(chosen)
    const hasReference = rows.some((row) => codes[row] === code)
    factors.set(name, { name, levels, reference: chosen, codes, hasReference })
  }
  return factors
}

function termsOf(
  product: readonly string[],
  products: readonly (readonly string[])[],
  output: RegressionOutput,
  data: Table,
  rows: Int32Array,
  factors: ReadonlyMap<string, Factor>,
): DesignTerm[] {
  const coded = product.map((name) => {
    const factor = factors.get(name)
    if (factor === undefined)
      return [{ variable: name, level: null, values: numbersOf(columnOf(data, name), rows, output) }]
    const rest = product.filter((other) => other !== name)
    const isHeld =
      rest.length === 0
        ? output.intercept
        : products.some((one) => one.length === rest.length && one.every((other) => rest.includes(other)))
    return factor.levels
      .filter((level) => !isHeld || level !== factor.reference)
      .map((level) => ({ variable: name, level, values: indicator(factor, level, rows) }))
  })
  let combined: { variable: string; level: string | null; values: Float64Array }[][] = [[]]
  for (const one of coded) combined = one.flatMap((part) => combined.map((before) => [...before, part]))
  return combined.map((parts) => {
    const values = parts.slice(1).reduce((total, part) => multiplied(total, part.values), parts[0].values)
    return {
      name: parts.map(({ variable, level }) => (level === null ? variable : `${variable}=${level}`)).join(':'),
      parts: parts.map(({ variable, level }) => ({ variable, level })),
      values,
      records: values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0),
    }
  })
}

function numbersOf(column: Column, rows: Int32Array, output: RegressionOutput): Float64Array {
  const values = new Float64Array(rows.length)
  if (column.kind === 'categorical') {
    const numbers = column.levels.map(Number)
    const text = column.levels.find((_, code) => Number.isNaN(numbers[code]))
    if (text !== undefined)
      throw new UserError(`output "${output.id}": "${column.name}" is to be a number, but has the level "${text}"`)
    for (let k = 0; k < rows.length; k++) values[k] = numbers[column.codes[rows[k]]]
  } else for (let k = 0; k < rows.length; k++) values[k] = column.values[rows[k]]
  return values
}

function indicator({ codes, levels }: Factor, level: string, rows: Int32Array): Float64Array {
  const code = levels.indexOf(level)
  const values = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) if (codes[rows[k]] === code) values[k] = 1
  return values
}

function multiplied(a: Float64Array, b: Float64Array): Float64Array {
  const product = new Float64Array(a.length)
  for (let k = 0; k < product.length; k++) product[k] = a[k] * b[k]
  return product
}
