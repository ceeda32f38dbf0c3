/**
 * The columns of numbers behind the terms of a model, as R codes them (Chambers and Hastie 1992, 2.4.1): a factor has a 0/1
 * column for each level but its reference, and for all of them in a product where the model lacks what is left of the
 * product without it. The levels of the first variable run fastest.
 */
export interface CodedTerm {
  /** Variables whose product it is, with the level of a factor and null for a number. */
  readonly parts: readonly { readonly variable: string; readonly level: string | null }[]
  readonly values: Float64Array
}

export const INTERCEPT = '(Intercept)'

interface CodedLevel {
  readonly level: string | null
  readonly values: Float64Array
}

/** `codedBy` gives a number as it is, or the columns of the levels of a factor, its reference among them only where asked for. */
export function codedTerms(
  products: readonly (readonly string[])[],
  intercept: boolean,
  codedBy: (variable: string, withReference: boolean) => readonly CodedLevel[],
): CodedTerm[] {
  const holds = (rest: readonly string[]) =>
    rest.length === 0
      ? intercept
      : products.some((product) => product.length === rest.length && product.every((name) => rest.includes(name)))
  return products.flatMap((product) => {
    const [first, ...others] = product.map((variable) =>
      codedBy(variable, !holds(product.filter((name) => name !== variable))).map(
        ({ level, values }): CodedTerm => ({ parts: [{ variable, level }], values }),
      ),
    )
    return others.reduce((terms, factor) => factor.flatMap((by) => terms.map((term) => multiplied(term, by))), first)
  })
}

function multiplied(term: CodedTerm, by: CodedTerm): CodedTerm {
  return { parts: [...term.parts, ...by.parts], values: term.values.map((value, row) => value * by.values[row]) }
}

/** 1 in the records that have a level. */
export function indicator(codes: Int32Array, code: number): Float64Array {
  const has = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) if (codes[row] === code) has[row] = 1
  return has
}
