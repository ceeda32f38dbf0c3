import type { AroundInBits } from './around-in-bits.js'
import { type BitSpace, bitsInColumn, poolOf } from './bits.js'

/**
 * The people whom the release knows better than anybody else does: D_i in bits, and which columns make it. For each column
 * the bits that the most similar released record has in common with the person, and those of the most similar other
 * original; their differences add up to D_i. Largest difference first: this is the evidence to show a custodian.
 */
export interface ExposedRecord {
  /** Row in the original, and of a released record that is most similar to it. */
  readonly row: number
  readonly releasedRow: number
  /** D_i. */
  readonly bits: number
  readonly columns: readonly { readonly name: string; readonly released: number; readonly others: number }[]
}

/** The `count` records with the largest D_i, those in common with nobody else first. */
export function exposedRecords(
  { columns, ids }: BitSpace,
  records: Int32Array,
  { rows, points, toReleased, toOthers }: AroundInBits,
  count: number,
): ExposedRecord[] {
  const pool = poolOf(columns, records)
  const gap = (at: number) => toReleased.bits[at] - toOthers.bits[at]
  const order = Array.from(rows.keys()).sort((a, b) => gap(b) - gap(a) || rows[a] - rows[b])
  return order.slice(0, count).map((at) => {
    const bitsWith = (j: number, other: number) =>
      bitsInColumn(pool, j, columns[j].codes[points[at]], columns[j].codes[other])
    return {
      row: rows[at],
      releasedRow: ids[1].indexOf(toReleased.points[at]),
      bits: gap(at),
      columns: columns
        .map(({ name }, j) => ({
          name,
          released: bitsWith(j, toReleased.points[at]),
          others: bitsWith(j, toOthers.points[at]),
        }))
        .sort((a, b) => b.released - b.others - (a.released - a.others)),
    }
  })
}
