import { DEFAULT_DISTANCE, type ReleaseSpace, releaseSpace } from '../../../neighbors/release-space.js'
import { selectRows } from '../../../table/table.js'
import { type Pair, withReleased } from '../../pair.js'

/**
 * A file that was drawn from the original holds copies of its records, and the nearest neighbour of a copy is the record
 * itself: no new sample of the population would have that. For measures that look at neighbours the drawn records are set
 * against those that were not drawn. Null where there are none. The release itself stays as it is.
 */
export function freshPair(pair: Pair): Pair | null {
  if (pair.drawn === null) return pair
  const isDrawn = new Uint8Array(pair.original.rows)
  for (const row of pair.drawn) isDrawn[row] = 1
  const rows = (drawn: number) =>
    Int32Array.from({ length: pair.original.rows }, (_, row) => row).filter((row) => isDrawn[row] === drawn)
  if (rows(0).length < 2 || rows(1).length < 2) return null
  const rest = selectRows(pair.original, rows(0))
  const split: Pair = { ...pair, original: rest, release: { ...pair.release, original: rest } }
  return withReleased(split, selectRows(pair.released, firstOfEach(pair.drawn)), null)
}

/** Places of the first copy of each drawn record. */
function firstOfEach(drawn: Int32Array): Int32Array {
  const seen = new Set<number>()
  const places: number[] = []
  drawn.forEach((row, place) => {
    if (seen.has(row)) return
    seen.add(row)
    places.push(place)
  })
  return Int32Array.from(places)
}

/** Records of both files as points of Gower's space. */
export function spaceOf(pair: Pair): ReleaseSpace {
  const subject = { release: pair.release, part: 0, target: '' }
  return releaseSpace(subject, { ...DEFAULT_DISTANCE, variables: [...pair.variables] })
}
