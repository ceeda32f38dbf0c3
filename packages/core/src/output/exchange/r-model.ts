import { UserError } from '../../errors.js'
import { Damaged } from '../../files/bytes/damage.js'
import { unpack } from '../../files/packed/unpack.js'
import { unserialize } from '../../files/r/unserialize.js'
import { attribute, classesOf, hasClass, numbersOf, part, partsOf, type RValue, textsOf } from '../../files/r/values.js'
import { INTERCEPT } from '../../learners/coding/coded-terms.js'

/**
 * A request from what `saveRDS(model, "model.rds")` leaves of an `lm` or a `glm`: response, terms, reference levels and estimates, from the
 * names of the coefficients, the model frame and its levels. A variable that the formula computes, log(income) say, is no column of the data and
 * cannot be computed again: it is refused with what to do.
 */
export function requestOfRModel(file: string, bytes: Uint8Array): object {
  const model = savedObject(file, bytes)
  if (!hasClass(model, 'lm')) {
    const [own = 'something else'] = classesOf(model)
    throw new UserError(`${file}: holds ${own ?? 'something else'}; expected a model of lm or glm, saved by saveRDS`)
  }
  const [response, ...variables] = partsOf(part(model, 'model') ?? model).map(([name]) => name)
  if (response === undefined || part(model, 'model') === undefined)
    throw new UserError(`${file}: the model has no model frame; fit it with model = TRUE, the default`)
  const extra = variables.find((name) => /^\((weights|offset)\)$|^offset\(/.test(name))
  if (extra !== undefined)
    throw new UserError(`${file}: the model has ${extra.replaceAll(/[()]/g, '')}; write the request by hand`)
  const levels = new Map(partsOf(part(model, 'xlevels') ?? model).map(([name, own]) => [name, textsOf(own)]))
  const coefficients = part(model, 'coefficients')
  const names = textsOf(coefficients === undefined ? undefined : attribute(coefficients, 'names'))
  const estimates = numbersOf(coefficients)
  const read = names.map((name) => productOf(file, name ?? '', variables, levels))
  const products = new Map(read.filter(({ parts }) => parts.length > 0).map(({ parts }) => [keyOf(parts), parts]))
  return {
    outputs: [
      {
        id: 'model',
        kind: 'regression',
        ...familyOf(file, model),
        response: columnName(file, response),
        ...eventOf(file, model, response),
        terms: [...products.values()].map((parts) => termOf(file, parts, levels)),
        intercept: names.includes(INTERCEPT),
        report: ['estimate', 'se'],
        decimals: DECIMALS,
        values: read.flatMap(({ term }, k) =>
          Number.isFinite(estimates[k]) ? [{ term, estimate: Number(estimates[k].toFixed(DECIMALS)) }] : [],
        ),
      },
    ],
  }
}

const DECIMALS = 4

function savedObject(file: string, bytes: Uint8Array): RValue {
  try {
    return unserialize(unpack(file, bytes))
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    throw new UserError(`${file}: ${error.message}; expected a model of lm or glm, saved by saveRDS`)
  }
}

/** A part of a coefficient: a variable of the model frame and, of a factor, the level. */
interface CoefficientPart {
  readonly variable: string
  readonly level: string | null
}

type Levels = ReadonlyMap<string, readonly (string | null)[]>

/** "factor(race)2:age" is race = 2 by age; the intercept has no parts. */
function productOf(file: string, name: string, variables: readonly string[], levels: Levels) {
  if (name === INTERCEPT) return { term: INTERCEPT, parts: [] }
  const parts = name.split(':').map((text): CoefficientPart => {
    for (const variable of variables) {
      const known = levels.get(variable)
      if (known === undefined && text === variable) return { variable, level: null }
      const level = known?.find((each) => `${variable}${each}` === text)
      if (level != null) return { variable, level }
    }
    throw new UserError(`${file}: what the coefficient ${name} belongs to is not known; write the request by hand`)
  })
  const term = parts
    .map(({ variable, level }) => `${columnName(file, variable)}${level === null ? '' : `=${level}`}`)
    .join(':')
  return { term, parts }
}

const keyOf = (parts: readonly CoefficientPart[]) => parts.map(({ variable }) => variable).join(':')

function termOf(file: string, parts: readonly CoefficientPart[], levels: Levels): object {
  if (parts.length > 1) return { interaction: parts.map(({ variable }) => columnName(file, variable)) }
  const [{ variable }] = parts
  const reference = levels.get(variable)?.[0]
  return { var: columnName(file, variable), ...(reference == null ? { as: 'numeric' } : { as: 'factor', reference }) }
}

/** The column behind a variable of a formula: itself, or what factor() makes levels of. */
function columnName(file: string, variable: string): string {
  const inside = /^(?:as\.)?factor\(([^(),]+)\)$/.exec(variable)?.[1] ?? variable
  if (/[()^*/+-]/.test(inside))
    throw new UserError(
      `${file}: ${variable} is computed in the formula; add it to the data as a column, and fit the model with that`,
    )
  return inside.replaceAll('`', '')
}

const FAMILIES: Readonly<Record<string, string>> = {
  'binomial logit': 'logistic',
  'poisson log': 'poisson',
  'gaussian identity': 'linear',
}

function familyOf(file: string, model: RValue): { family: string } {
  const family = part(model, 'family')
  if (family === undefined) return { family: 'linear' }
  const asked = ['family', 'link'].map((name) => textsOf(part(family, name))[0] ?? '').join(' ')
  const known = FAMILIES[asked]
  if (known === undefined)
    throw new UserError(`${file}: the family is ${asked}; expected ${Object.keys(FAMILIES).join(', ')}`)
  return { family: known }
}

/** glm counts the second level of a factor, and 1 of a number. */
function eventOf(file: string, model: RValue, response: string): { event?: string } {
  if (textsOf(part(part(model, 'family') ?? model, 'family'))[0] !== 'binomial') return {}
  const values = part(part(model, 'model') ?? model, response)
  const levels = values === undefined ? [] : textsOf(attribute(values, 'levels'))
  if (levels.length > 2) throw new UserError(`${file}: ${response} has ${levels.length} levels; expected two`)
  return { event: levels[1] ?? '1' }
}
