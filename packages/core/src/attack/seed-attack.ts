import { type Synthesizer, synthesizeSets } from '../synthesizers/synthesizer.js'
import type { Table } from '../table/table.js'
import { codeRecords, type Records, replaceRecord, tableOfRecords, type Variable } from './generator/records.js'
import type { CandidateSet } from './target/candidates.js'

export interface SeedAttack {
  /** Worlds whose synthesis with the published seed is the release, record by record. */
  readonly reproducing: readonly number[]
}

/**
 * If the seed of a synthesis is known, the attacker makes the synthesis of every world again and compares bit for bit:
 * usually one world is left. That is why no seed is ever written into a released file.
 */
export async function seedAttack(known: {
  readonly variables: readonly Variable[]
  readonly original: Table
  readonly row: number
  readonly candidates: CandidateSet
  /** The sets of the release, in the order in which they were made. */
  readonly released: readonly Table[]
  readonly synthesizer: Synthesizer
  readonly options?: object | undefined
  readonly seed: number
}): Promise<SeedAttack> {
  const { variables, original, row, candidates, released, synthesizer, options, seed } = known
  const base = codeRecords(variables, original)
  const wanted = released.map((one) => codeRecords(variables, one))
  const synthesis = { seed, options, sets: released.length, rows: released[0]?.rows }
  const reproducing: number[] = []
  for (const [k, { records }] of candidates.worlds.entries()) {
    for (const record of records) {
      const world = tableOfRecords(variables, replaceRecord(base, row, record), original)
      const { sets } = await synthesizeSets(synthesizer, world, synthesis)
      const same = sets.every((set, s) => sameRecords(codeRecords(variables, set), wanted[s]))
      if (same && !reproducing.includes(k)) reproducing.push(k)
    }
  }
  return { reproducing }
}

function sameRecords(a: Records, b: Records): boolean {
  return a.rows === b.rows && a.codes.every((codes, j) => codes.every((code, row) => code === b.codes[j][row]))
}
