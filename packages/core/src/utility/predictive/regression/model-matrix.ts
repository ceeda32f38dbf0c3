import { BOOLEAN_LEVELS } from '../../../files/infer.js'
import { type Column, takeRows } from '../../../table/column.js'
import { columnNames, completeRows, type Table } from '../../../table/table.js'
import type { Formula, ModelTerm, Variable } from './formula.js'

/**
 * The columns of numbers behind a formula, the same for both files: coded as R does, and named as R names them.
 *
 * A category gives one 0/1 column for each level but the first one (treatment contrasts), and for all levels where the model
 * does not hold what is left of a product without it (Chambers and Hastie 1992, 2.4.1). Levels are those that occur in
 * complete records of either file, those of the original first, so that a coefficient means the same in both: a level that
 * one file lacks is a column of zeros there and has no estimate.
 */
export interface ModelFrame {
  /** Rows of the table in which nothing of the formula is missing. */
  readonly rows: Int32Array
  /** Without the intercept. */
  readonly columns: readonly Float64Array[]
  readonly response: Column
}

export interface ModelDesign {
  /** With the intercept, where there is one. */
  readonly termNames: readonly string[]
  readonly frames: readonly ModelFrame[]
}

export const INTERCEPT = '(Intercept)'

/** Frames of several tables, the original first. */
export function modelDesign(formula: Formula, tables: readonly Table[]): ModelDesign {
  const variables = variablesOf(formula)
  const complete = tables.map((data) => {
    const frame = { ...data, columns: [formula.response, ...variables].map((variable) => variable.values(data)) }
    return completeRows(frame, columnNames(frame))
  })
  const levels = new Map(variables.map((variable) => [variable.label, levelsOf(variable, tables, complete)]))
  const terms = formula.terms.map((term) => codedTerm(formula, term, levels))
  const frames = tables.map((data, k) => ({
    rows: complete[k],
    columns: terms.flatMap((term) => columnsOf(term, data, complete[k])),
    response: takeRows(formula.response.values(data), complete[k]),
  }))
  return {
    termNames: [...(formula.intercept ? [INTERCEPT] : []), ...terms.flatMap((term) => namesOf(term))],
    frames,
  }
}

function variablesOf({ terms }: Formula): Variable[] {
  const byLabel = new Map(terms.flat().map((variable) => [variable.label, variable]))
  return [...byLabel.values()]
}

/** Labels that occur, in the order of the levels, those of the first table before the others; null for a number. */
function levelsOf(variable: Variable, tables: readonly Table[], complete: readonly Int32Array[]): string[] | null {
  const seen = new Set<string>()
  for (const [k, data] of tables.entries()) {
    const column = variable.values(data)
    if (column.kind !== 'categorical') return null
    const occurs = new Uint8Array(column.levels.length)
    for (const row of complete[k]) occurs[column.codes[row]] = 1
    for (const [code, level] of column.levels.entries()) if (occurs[code] === 1) seen.add(level)
  }
  return [...seen]
}

/** A variable within a term, with the levels that have a column; null for a number. */
interface Part {
  readonly variable: Variable
  readonly levels: readonly string[] | null
  readonly isLogical: boolean
}

function codedTerm(formula: Formula, term: ModelTerm, levels: ReadonlyMap<string, string[] | null>): Part[] {
  return term.map((variable) => {
    const all = levels.get(variable.label) ?? null
    const rest = term.filter((other) => other !== variable)
    const isLogical = all?.every((level) => BOOLEAN_LEVELS.includes(level)) ?? false
    return { variable, levels: all !== null && holds(formula, rest) ? all.slice(1) : all, isLogical }
  })
}

/** Whether the model has the product of these variables; that of none is the intercept. */
function holds({ terms, intercept }: Formula, wanted: ModelTerm): boolean {
  if (wanted.length === 0) return intercept
  const labels = new Set(wanted.map(({ label }) => label))
  return terms.some((term) => term.length === wanted.length && term.every(({ label }) => labels.has(label)))
}

/** As R: the levels of the first variable run fastest, and those of a logical are FALSE and TRUE. */
function namesOf(parts: readonly Part[]): string[] {
  let names = ['']
  for (const { variable, levels, isLogical } of parts) {
    const named = (level: string) => variable.label + (isLogical ? level.toUpperCase() : level)
    const own = levels === null ? [variable.label] : levels.map(named)
    names = own.flatMap((name) => names.map((before) => (before === '' ? name : `${before}:${name}`)))
  }
  return names
}

function columnsOf([first, ...others]: readonly Part[], data: Table, rows: Int32Array): Float64Array[] {
  const own = ({ variable, levels }: Part) => numbersOf(variable.values(data), levels, rows)
  return others.reduce(
    (columns, part) => own(part).flatMap((one) => columns.map((other) => one.map((x, i) => x * other[i]))),
    own(first),
  )
}

function numbersOf(column: Column, levels: readonly string[] | null, rows: Int32Array): Float64Array[] {
  const own = takeRows(column, rows)
  if (own.kind !== 'categorical') return [own.values]
  return (levels ?? []).map((level) => {
    const code = own.levels.indexOf(level)
    const values = new Float64Array(rows.length)
    for (let k = 0; k < values.length; k++) if (own.codes[k] === code) values[k] = 1
    return values
  })
}
