import { type Lists, leastOf, noneLike } from './least.js'
import { recordHashes, type ToldApart } from './record-hash.js'
import type { RecordPart, RecordScan, Records } from './record-scan.js'

/**
 * So many different records drawn at random: those with the least hashes. Neither the order of records nor how often one is repeated
 * changes which these are; of equal ones the first is named.
 */
export interface DrawQuestion {
  readonly columns: readonly ToldApart[]
  readonly draw: number
  readonly seed: number
}

/** The least hashes, each once. */
export function drawLists({ draw }: DrawQuestion): readonly Lists[] {
  return [{ lists: 1, k: draw, isDistinct: true }]
}

export function drawCoder({ columns, seed }: DrawQuestion) {
  return (records: readonly Records[], rows: number): RecordPart => ({
    rows,
    columns: [recordHashes(columns, seed, records, rows)],
  })
}

export function drawScan(question: DrawQuestion): RecordScan {
  const last = question.draw - 1
  return ({ rows, columns: [hashes] }, before) => {
    const firstWith = new Map<number, number>()
    for (let row = 0; row < rows; row++)
      if (hashes[row] <= before[last] && !firstWith.has(hashes[row])) firstWith.set(hashes[row], row)
    const least = noneLike(before)
    least.set(Float64Array.from(firstWith.keys()).sort().subarray(0, question.draw))
    const limit = leastOf(drawLists(question), [before, least])[last]
    const named = [...firstWith].flatMap(([hash, row]) => (hash <= limit ? [row] : []))
    return { rows: Int32Array.from(named), least, equal: new Float64Array() }
  }
}
