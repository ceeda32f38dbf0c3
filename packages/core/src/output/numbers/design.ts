import { UserError, unknownName } from '../../errors.js'
import { type CodedTerm, codedTerms, indicator } from '../../learners/coding/coded-terms.js'
import { columnOf, type Table } from '../../table/table.js'
import { type RegressionOutput, variablesOf } from '../description/description.js'
import { labelled } from '../description/variables.js'
import { numbersAt, recordsOf } from './records.js'

/** Columns of numbers behind the terms of a regression (`coded-terms.ts`). Names: "AGE", "AREA=58", "SEX=2:AREA=58". */
export interface Design {
  /** Rows with nothing missing, in the order of the table. */
  readonly rows: Int32Array
  /** Without the intercept. */
  readonly terms: readonly DesignTerm[]
  /** Factors whose reference no record has: nothing can be compared with it. */
  readonly withoutReference: readonly string[]
}

export interface DesignTerm extends CodedTerm {
  readonly name: string
  /** Records in which it is not 0. */
  readonly records: number
}

export function designOf(output: RegressionOutput, data: Table, rows: Int32Array): Design {
  const products = output.terms.map((term) => ('var' in term ? [term.var] : term.interaction))
  const factors = factorsOf(output, data, rows)
  const coded = codedTerms(products, output.intercept, (name, withReference) => {
    const factor = factors.get(name)
    if (factor === undefined) return [{ level: null, values: numbersOf(data, name, rows, output) }]
    const { levels, reference, codes } = factor
    return levels.flatMap((level, code) =>
      withReference || level !== reference ? [{ level, values: indicator(codes, code) }] : [],
    )
  })
  const terms = coded.map(({ parts, values }) => ({
    name: parts.map(({ variable, level }) => (level === null ? variable : `${variable}=${level}`)).join(':'),
    parts,
    values,
    records: values.reduce((count, value) => count + (value === 0 ? 0 : 1), 0),
  }))
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
  /** Of the rows. */
  readonly codes: Int32Array
  readonly hasReference: boolean
}

function factorsOf(output: RegressionOutput, data: Table, rows: Int32Array): Map<string, Factor> {
  const factors = new Map<string, Factor>()
  const names = new Set(output.terms.flatMap((term) => ('var' in term ? [term.var] : term.interaction)))
  for (const name of names) {
    const main = output.terms.find((term) => 'var' in term && term.var === name)
    const { as, reference } = main !== undefined && 'var' in main ? main : { as: undefined, reference: undefined }
    const column = columnOf(data, name)
    if (as !== 'factor' && reference === undefined && (as === 'numeric' || column.kind !== 'categorical')) continue
    const { codes: all, levels } = labelled(column)
    if (levels.length === 0) throw new UserError(`output "${output.id}": "${name}" has no value`)
    if (reference !== undefined && !levels.includes(reference))
      throw new UserError(`output "${output.id}": ${unknownName(`level of "${name}"`, reference, levels)}`)
    const chosen = reference ?? levels[0]
    const codes = rows.map((row) => all[row])
    factors.set(name, { name, levels, reference: chosen, codes, hasReference: codes.includes(levels.indexOf(chosen)) })
  }
  return factors
}

function numbersOf(data: Table, name: string, rows: Int32Array, output: RegressionOutput): Float64Array {
  const column = columnOf(data, name)
  const text = column.kind === 'categorical' ? column.levels.find((level) => Number.isNaN(Number(level))) : undefined
  if (text !== undefined)
    throw new UserError(`output "${output.id}": "${column.name}" is to be a number, but has the level "${text}"`)
  return numbersAt(data, name, rows)
}
