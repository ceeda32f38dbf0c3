import { countIds, math } from '@scrim/kernels'
import type { BitSpace } from '../../../neighbors/in-bits/bits.js'

/**
 * How much likelier the released values of a record r are if r was in the data, column by column, in bits:
 *   V(r) = Σ over columns of c_S log2(1 + 1 / (c_R + a)),  a = 0.1,
 * c_S released records and c_R other real ones having the value of r in the column. Where a generator draws a column from its
 * data, c_S is close to Poisson with mean c_R + a without r and c_R + a + 1 with r; V is the logarithm of the ratio of both
 * probabilities, less a constant. a stands for values that a generator makes up. One released record with a number that
 * nobody else has is 3.5 bits, a tenth more of a frequent level next to nothing.
 *
 * Bits in common (`shared-information/membership-score.ts`) hardly see that: a number that is nearly the person's has nearly as
 * many of them as the number itself, and whether the one rare value is there is lost among what all columns have in common.
 * Members and outsiders are treated alike, so an AUC between them is 1/2 on average for an honest release.
 * Blind to what columns say together.
 */
const MADE_UP = 0.1

/** V of some original records, in a space of original and release. */
export function valueLikelihoods(
  { columns, ids: [originals, released], points }: BitSpace,
  rows: Int32Array,
): Float64Array {
  const real = countIds(originals, points)
  const made = countIds(released, points)
  const bits = new Float64Array(rows.length)
  for (const { codes, cardinality } of columns) {
    const inReal = new Int32Array(cardinality)
    const inReleased = new Int32Array(cardinality)
    for (let point = 0; point < points; point++) {
      inReal[codes[point]] += real[point]
      inReleased[codes[point]] += made[point]
    }
    for (let k = 0; k < rows.length; k++) {
      const value = codes[originals[rows[k]]]
      bits[k] += inReleased[value] * math.log2(1 + 1 / (inReal[value] - 1 + MADE_UP))
    }
  }
  return bits
}
