import { BOOLEAN_LEVELS } from '../../../files/infer.js'
import { type CodedTerm, codedTerms, INTERCEPT, indicator } from '../../../learners/coding/coded-terms.js'
import { type Column, takeRows } from '../../../table/column.js'
import { columnNames, completeRows, type Table } from '../../../table/table.js'
import type { Formula, Variable } from './formula.js'

/**
 * The columns of numbers behind a formula (`coded-terms.ts`), the same for both files, and named as R names them. Levels are
 * those that occur in complete records of either file, those of the original first, the reference before all, so that a
 * coefficient means the same in both: a level that one file lacks is a column of zeros there and has no estimate.
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

/** Frames of several tables, the original first. */
export function modelDesign({ terms, intercept, response }: Formula, tables: readonly Table[]): ModelDesign {
  const variables = new Map(terms.flat().map((variable) => [variable.label, variable]))
  const complete = tables.map((data) => {
    const frame = { ...data, columns: [response, ...variables.values()].map((variable) => variable.values(data)) }
    return completeRows(frame, columnNames(frame))
  })
  const levels = new Map([...variables].map(([label, variable]) => [label, levelsOf(variable, tables, complete)]))
  const products = terms.map((term) => term.map(({ label }) => label))
  const coded = tables.map((data, k) =>
    codedTerms(products, intercept, (label, withReference) => {
      const column = variables.get(label)?.values(data)
      return column === undefined ? [] : codedColumn(column, complete[k], levels.get(label) ?? null, withReference)
    }),
  )
  const logical = new Set([...levels].flatMap(([label, all]) => (isLogical(all) ? [label] : [])))
  return {
    termNames: [...(intercept ? [INTERCEPT] : []), ...coded[0].map((term) => nameOf(term, logical))],
    frames: tables.map((data, k) => ({
      rows: complete[k],
      columns: coded[k].map(({ values }) => values),
      response: takeRows(response.values(data), complete[k]),
    })),
  }
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

function isLogical(levels: readonly string[] | null): boolean {
  return levels?.every((level) => BOOLEAN_LEVELS.includes(level)) ?? false
}

/** As R, where the levels of a logical are FALSE and TRUE. */
function nameOf({ parts }: CodedTerm, logical: ReadonlySet<string>): string {
  const levelOf = (variable: string, level: string) => (logical.has(variable) ? level.toUpperCase() : level)
  return parts.map(({ variable, level }) => variable + (level === null ? '' : levelOf(variable, level))).join(':')
}

function codedColumn(column: Column, rows: Int32Array, levels: readonly string[] | null, withReference: boolean) {
  const taken = takeRows(column, rows)
  if (taken.kind !== 'categorical') return [{ level: null, values: taken.values }]
  const shown = (levels ?? []).slice(withReference ? 0 : 1)
  return shown.map((level) => ({ level, values: indicator(taken.codes, taken.levels.indexOf(level)) }))
}
