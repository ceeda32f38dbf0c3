import { type CodedColumn, groupLoosely, pickRows } from '@scrim/kernels'
import type { Subject } from '../../../measure.js'
import { joinedCodes } from '../../../stats/joined.js'
import { jointCodes, type Part, rowsOfPart } from '../../../table/classes.js'
import type { Task } from '../../../tasks/task.js'
import { type RealRecords, settled } from './real-records.js'

/**
 * Of the records that have the same value as x, how many are released ones?
 *   score(x) = mean over columns, and over pairs of columns, of c_S / (c_S + c_R + 1),
 * c_S released and c_R other real records having the value of x; x itself is the 1. Synthesizers that take values from
 * their data, as trees with donors do, show a rare number or combination only if somebody has it: where nobody else does,
 * that was x. A density ratio like that of DOMIAS, but over single marginals and pairs of them, where a record is not
 * alone (Golob, Pentyala, Maratkhan and De Cock 2025, "Privacy vulnerabilities in marginals-based synthetic data").
 * Blind to values that are changed by however little, and to copies of frequent values.
 */
export const sharedValuesTask: Task<ValuesCompared, string, Float64Array> = {
  name: 'values shared with released records',
  run({ columns, rows, places }) {
    const joint = columns.map(({ codes, cardinality }) => ({
      cardinality,
      codes: joinedCodes(rows.map((of, side) => pickRows(codes[side], of))),
    }))
    return sharesOfValues(joint, rows[0].length + rows[1].length, places)
  },
}

interface ValuesCompared {
  /** The codes of the original, of the holdout and of the release. */
  readonly columns: readonly { readonly cardinality: number; readonly codes: readonly Int32Array[] }[]
  /** The rows that take part in each. */
  readonly rows: readonly Int32Array[]
  /** The real records that are scored: places among all, training first. */
  readonly places: Int32Array
}

export function valuesCompared(
  { release, part }: Subject,
  { space, training, holdout, places }: RealRecords & Pick<ValuesCompared, 'places'>,
): ValuesCompared {
  const parts: readonly Part[] = ['original', 'holdout', part]
  return {
    columns: space.columns.map(({ name }) => {
      const joint = jointCodes(release, name)
      return {
        cardinality: joint.cardinality,
        codes: parts.map((which) => rowsOfPart(release, joint, joint.codes, which)),
      }
    }),
    rows: [training, holdout, space.released].map((side) => side.rows),
    places,
  }
}

/** Of records in one order, the first `real` of which are real and the others released; `places` of real ones are scored. */
export function sharesOfValues(columns: readonly CodedColumn[], real: number, places: Int32Array): Float64Array {
  const sets = valueSets(columns.length)
  const scores = new Float64Array(places.length)
  if (places.length <= FEW) scores.set(Array.from(places, (place) => sharesOfOne(columns, sets, real, place)))
  else
    for (const set of sets)
      addShares(
        set.map((j) => columns[j]),
        real,
        places,
        scores,
      )
  return settled(scores.map((sum) => sum / sets.length))
}

/** The same where it is known how many released and how many real records have the values of each person in each of so many sets of columns. */
export function sharesOfCounts(
  people: Int32Array,
  sets: number,
  released: (person: number, set: number) => number,
  real: (person: number, set: number) => number,
): Float64Array {
  const scores = Float64Array.from(people, (person) => {
    let sum = 0
    for (let set = 0; set < sets; set++) {
      const own = released(person, set)
      sum += own / (own + real(person, set))
    }
    return sum / sets
  })
  return settled(scores)
}

/** Of so few, the records that agree with them are found sooner than the groups of all. */
const FEW = 8

function sharesOfOne(columns: readonly CodedColumn[], sets: readonly number[][], real: number, place: number): number {
  const agreeing = columns.map(({ codes }) => {
    const agrees = new Uint8Array(codes.length)
    for (let row = 0; row < codes.length; row++) if (codes[row] === codes[place]) agrees[row] = 1
    return agrees
  })
  let sum = 0
  for (const set of sets) {
    const [first, last] = [agreeing[set[0]], agreeing[set[set.length - 1]]]
    let inReal = 0
    let released = 0
    for (let row = 0; row < real; row++) inReal += first[row] & last[row]
    for (let row = real; row < first.length; row++) released += first[row] & last[row]
    sum += released / (released + inReal)
  }
  return sum
}

function addShares(set: readonly CodedColumn[], real: number, places: Int32Array, scores: Float64Array): void {
  const rows = set[0].codes.length
  const { ids, count } = groupLoosely(set, rows)
  const inReal = new Int32Array(count)
  const inReleased = new Int32Array(count)
  for (let row = 0; row < real; row++) inReal[ids[row]]++
  for (let row = real; row < rows; row++) inReleased[ids[row]]++
  for (let at = 0; at < places.length; at++) {
    const released = inReleased[ids[places[at]]]
    scores[at] += released / (released + inReal[ids[places[at]]])
  }
}

/** Beyond so many columns there are too many pairs: each alone. */
const MOST_PAIRED = 20

/** Places of one column, or of two: sets of columns whose values are looked at. */
export function valueSets(columns: number): number[][] {
  const all = Array.from({ length: columns }, (_, j) => j)
  const pairs = columns > MOST_PAIRED ? [] : all.flatMap((j) => all.slice(0, j).map((k) => [k, j]))
  return [...all.map((j) => [j]), ...pairs]
}
