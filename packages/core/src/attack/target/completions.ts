import { UserError } from '../../errors.js'
import { stream } from '../../random/stream.js'
import type { Records } from '../generator/records.js'
import type { PreparedGame } from '../prepared-game.js'

/** Draws of the records that a weaker attacker does not know. */
const COMPLETIONS = 20

export interface Completion {
  readonly records: Records
  readonly row: number
  readonly weight: number
}

/** The original records as the attacker takes them to be: as they are, or with guesses for those not known. */
export function completionsOf(
  { original, holdout, seed }: PreparedGame,
  knownShare: number | undefined,
): (row: number) => readonly Completion[] {
  if (knownShare === undefined) return (row) => [{ records: original, row, weight: 1 }]
  if (!(knownShare >= 0 && knownShare <= 1))
    throw new UserError(`the known share lies between 0 and 1, but it is ${knownShare}`)
  return (row) =>
    Array.from({ length: COMPLETIONS }, (_, h) => {
      // Who is known does not change from draw to draw; who stands in for the others does.
      const whoIsKnown = stream(seed, 'attack/known', row)
      const guess = stream(seed, `attack/completion/${h}`, row)
      const codes = original.codes.map((column) => column.slice())
      const from = holdout ?? original
      for (let other = 0; other < original.rows; other++) {
        const known = whoIsKnown.uniform() < knownShare || other === row
        const drawn = guess.below(holdout === null ? from.rows - 1 : from.rows)
        if (known) continue
        const stand = holdout === null && drawn >= row ? drawn + 1 : drawn
        for (let j = 0; j < codes.length; j++) codes[j][other] = from.codes[j][stand]
      }
      return { records: { codes, rows: original.rows }, row, weight: 1 / COMPLETIONS }
    })
}
