import { significant } from '../../print.js'
import { INTERCEPT } from './coded-terms.js'
import type { Design } from './design-matrix.js'

/** JSON-safe: null stands for what could not be estimated. */
export type Coefficient = {
  readonly term: string
  readonly estimate: number | null
  readonly standardError: number | null
}

/** Estimates by name, the intercept first; terms without a standard error were combinations of others. */
export function coefficientsOf(design: Design, estimates: Float64Array, standardErrors: Float64Array): Coefficient[] {
  return [INTERCEPT, ...design.terms.map((term) => term.name)].map((term, j) => ({
    term,
    estimate: estimates[j],
    standardError: Number.isFinite(standardErrors[j]) ? standardErrors[j] : null,
  }))
}

export function coefficientNotes(coefficients: readonly Coefficient[]): string[] {
  return coefficients.map(({ term, estimate, standardError }) => {
    const value = estimate === null ? 'not estimable' : significant(estimate, 6)
    return standardError === null ? `${term}: ${value}` : `${term}: ${value} (se ${significant(standardError, 6)})`
  })
}
