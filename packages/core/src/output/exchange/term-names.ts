import { INTERCEPT } from '../../learners/coding/coded-terms.js'
import type { Table } from '../../table/table.js'
import { columnOf, findColumn } from '../../table/table.js'
import { labelled } from '../description/variables.js'

/** Terms of a model from the names of its coefficients; null with the name that is none. */
export type ReadTerms =
  | { readonly terms: readonly object[]; readonly intercept: boolean; readonly names: readonly string[] }
  | { readonly unknown: string }

const CONSTANTS = new Set([INTERCEPT, 'const', 'Intercept', '_cons'])

/**
 * Coefficients as scrim ("AREA=58", "SEX=2:AREA=58") and patsy ("C(AREA)[T.58]", "SEX[T.2]:AGE") call them. The level of a factor that has no
 * coefficient is its reference. `names` are the coefficients under the names that scrim gives them.
 */
export function readTerms(coefficients: readonly string[], data: Table): ReadTerms {
  const products = new Map<string, readonly string[]>()
  const levels = new Map<string, Set<string>>()
  const names: string[] = []
  let intercept = false
  for (const coefficient of coefficients) {
    if (CONSTANTS.has(coefficient)) {
      intercept = true
      names.push(INTERCEPT)
      continue
    }
    const parts =
      findColumn(data, coefficient) === undefined
        ? coefficient.split(':').map((part) => readPart(part, data))
        : [{ variable: coefficient, level: null }]
    const known = parts.filter((part) => part !== null)
    if (known.length < parts.length) return { unknown: coefficient }
    for (const { variable, level } of known)
      if (level !== null) levels.set(variable, (levels.get(variable) ?? new Set()).add(level))
    const variables = known.map(({ variable }) => variable)
    products.set(variables.join('\n'), variables)
    names.push(known.map(({ variable, level }) => (level === null ? variable : `${variable}=${level}`)).join(':'))
  }
  const terms = [...products.values()].map((variables) =>
    variables.length > 1 ? { interaction: variables } : mainTerm(variables[0], levels, data),
  )
  return { terms, intercept, names }
}

function mainTerm(name: string, levels: ReadonlyMap<string, ReadonlySet<string>>, data: Table): object {
  const named = levels.get(name)
  if (named === undefined) return { var: name }
  const reference = labelled(columnOf(data, name)).levels.find((level) => !named.has(level))
  return { var: name, as: 'factor', ...(reference === undefined ? {} : { reference }) }
}

function readPart(text: string, data: Table): { readonly variable: string; readonly level: string | null } | null {
  if (findColumn(data, text) !== undefined) return { variable: text, level: null }
  const parts =
    /^C\(([^,()]+).*\)\[(?:T\.)?(.*)\]$/.exec(text) ?? /^(.+)\[T\.(.*)\]$/.exec(text) ?? /^([^=]+)=(.*)$/.exec(text)
  if (parts === null) return null
  const [, variable, level] = parts
  const column = findColumn(data, variable.trim())
  if (column === undefined) return null
  const { levels } = labelled(column)
  const known = levels.includes(level) ? level : levels.find((one) => Number(one) === Number(level))
  return known === undefined ? null : { variable: variable.trim(), level: known }
}
