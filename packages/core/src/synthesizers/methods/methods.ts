import { UserError, unknownName } from '../../errors.js'
import { NESTED_PREFIX, nestedMethod, satcat } from './cell-donors.js'
import { logreg, polr, polyreg } from './classes.js'
import { ctreeMethod } from './conditional-tree.js'
import { sample } from './donors.js'
import { bag, rf } from './forest-donors.js'
import type { ResponseKind, VariableMethod } from './method.js'
import { cubertnorm, lognorm, norm, normrank, sqrtnorm } from './regression.js'
import { cartMethod } from './tree-donors.js'

/** The one list of all methods for a variable. */
const variableMethods: readonly VariableMethod[] = [
  cartMethod,
  ctreeMethod,
  rf,
  bag,
  norm,
  lognorm,
  sqrtnorm,
  cubertnorm,
  normrank,
  logreg,
  polyreg,
  polr,
  satcat,
  sample,
]

/** Leaves a variable as it is. */
export const KEEP = 'keep'
/** Chooses a parametric method by the type of the variable. */
export const PARAMETRIC = 'parametric'

/** All names but those of nested methods, which end in that of a variable. */
export const METHOD_NAMES: readonly string[] = [...variableMethods.map(({ id }) => id), PARAMETRIC, KEEP]

/** The variable in whose categories this method draws; null for other methods. */
export function nestedIn(id: string): string | null {
  return id.startsWith(NESTED_PREFIX) ? id.slice(NESTED_PREFIX.length) : null
}

export function findMethod(id: string): VariableMethod {
  if (nestedIn(id) !== null) return nestedMethod(id)
  const method = variableMethods.find((method) => method.id === id)
  if (method === undefined) throw new UserError(unknownName('method', id, METHOD_NAMES))
  return method
}

/** Normal ranks for numbers, logistic for two levels, ordered or multinomial for more. */
export function parametricMethod({ kind, levels, ordered, missing }: ResponseKind): VariableMethod {
  if (kind === 'number') return normrank
  if (levels === 2) return logreg
  return ordered && !missing ? polr : polyreg
}

/** What is special about a number is made by the method of the number, or by one for levels if that makes numbers only. */
export function methodForSpecials(method: VariableMethod, response: ResponseKind): VariableMethod {
  return method.problem(response) === undefined ? method : parametricMethod(response)
}

/** Whether the numbers of this method are original ones. */
export function drawsOriginals(id: string): boolean {
  return id === PARAMETRIC || (id !== KEEP && findMethod(id).drawsOriginals)
}
