import { countIds } from '@scrim/kernels'
import { NotApplicable, UserError } from '../../../errors.js'
import { columnOf, type Table } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../regression-fidelity.js'
import { type Formula, parseFormula } from './formula.js'
import { type RegressionFamily, responseNumbers } from './regression-fit.js'

/** A category with more levels does not enter a model that nobody wrote. */
const MOST_LEVELS = 20

export function formulaOf({ original, variables, release }: Pair, { formula }: Options): Formula {
  const data: Table = { ...original, columns: variables.map((name) => columnOf(original, name)) }
  if (formula !== null) return parseFormula(formula, data)
  const target = release.targets.find((name) => variables.includes(name))
  if (target === undefined) throw new NotApplicable('there is neither a formula nor a target')
  const keys = release.keys.filter((name) => variables.includes(name))
  const predictors = (keys.length > 0 ? keys : variables.filter((name) => name !== target)).filter((name) => {
    const column = columnOf(original, name)
    return column.kind !== 'categorical' || new Set(column.codes).size <= MOST_LEVELS
  })
  if (predictors.length === 0) throw new NotApplicable('all other columns have too many levels for a regression')
  return parseFormula(`${responseText(data, target)} ~ ${predictors.map(quoted).join(' + ')}`, data)
}

/** The target itself, or its most common level where it has more than two. */
function responseText(data: Table, target: string): string {
  const column = columnOf(data, target)
  if (column.kind !== 'categorical') return quoted(target)
  const counts = countIds(column.codes, column.levels.length)
  if (counts.filter((count) => count > 0).length <= 2 && column.levels.length === 2) return quoted(target)
  const common = column.levels[counts.indexOf(Math.max(...counts))]
  const quote = common.includes('"') ? "'" : '"'
  if (common.includes('"') && common.includes("'"))
    throw new NotApplicable(`the level ${common} of "${target}" cannot be written in a formula`)
  return `${quoted(target)} == ${quote}${common}${quote}`
}

function quoted(name: string): string {
  return /^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) && name !== '.' ? name : `\`${name}\``
}

export function familyOf(formula: Formula, data: Table, { family }: Options): RegressionFamily {
  const response = formula.response.values(data)
  const name = formula.response.label
  const numbers = responseNumbers(response).filter((value) => !Number.isNaN(value) && value >= 0)
  if (response.kind === 'categorical') {
    if (family === 'linear' || family === 'poisson')
      throw new UserError(`formula: "${name}" is a category, which a ${family} regression cannot explain`)
    if (response.levels.length > 2)
      throw new UserError(
        `formula: "${name}" has ${response.levels.length} levels, and a logistic regression explains two; write ${quoted(name)} == "${response.levels[0]}" for one of them`,
      )
    return 'logistic'
  }
  const values = response.values.filter((value) => !Number.isNaN(value))
  const isBinary = numbers.length > 0 && values.every((value) => value === 0 || value === 1)
  if (family === 'auto') return isBinary ? 'logistic' : 'linear'
  if (family === 'logistic' && !isBinary)
    throw new UserError(`formula: "${name}" is neither two levels nor 0 and 1, which a logistic regression explains`)
  if (family === 'poisson' && values.some((value) => value < 0))
    throw new UserError(`formula: "${name}" is negative in some records, and a Poisson regression explains counts`)
  return family
}
