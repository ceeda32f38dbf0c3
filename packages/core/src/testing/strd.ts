import { readFileSync } from 'node:fs'

/**
 * NIST Statistical Reference Datasets, linear least squares (https://www.itl.nist.gov/div898/strd/lls/lls.shtml): data,
 * and values certified from 500-digit arithmetic. `x` are the columns without the intercept.
 */
export interface ReferenceRegression {
  readonly name: string
  readonly x: readonly Float64Array[]
  readonly y: Float64Array
  readonly intercept: boolean
  readonly coefficients: readonly number[]
  readonly standardErrors: readonly number[]
  readonly sigma: number
  readonly rSquared: number
}

type Stored = Omit<ReferenceRegression, 'x' | 'y'> & { readonly x: number[][]; readonly y: number[] }

export const strd: readonly ReferenceRegression[] = (
  JSON.parse(readFileSync(new URL('./files/strd.json', import.meta.url), 'utf8')) as Stored[]
).map((stored) => ({
  ...stored,
  x: stored.x.map((column) => Float64Array.from(column)),
  y: Float64Array.from(stored.y),
}))

/** Correct significant digits: -log10 of the relative error, of the absolute one where 0 is certified; at most 15. */
export function correctDigits(value: number, certified: number): number {
  const error = certified === 0 ? Math.abs(value) : Math.abs(value - certified) / Math.abs(certified)
  return error === 0 ? 15 : Math.min(15, -Math.log10(error))
}
