import { byCodePoint } from '../../../table/column.js'
import { type IndexedColumn, type Predicates, shapeOf } from '../../../table/predicates.js'
import type { Matches } from './singled-out.js'

/** What can be told about an attack without telling about a person: counts over predicates, by column, shape and size. */
export type Tallies = {
  /** People singled out at least once, and by how many predicates most. */
  readonly people: { readonly singledOut: number; readonly mostPredicates: number }
  readonly columns: readonly { readonly column: string; readonly predicates: number; readonly successes: number }[]
  /** The shapes of predicates that succeed most often, without values: those may be of single persons. */
  readonly shapes: readonly { readonly shape: string; readonly predicates: number; readonly successes: number }[]
  /** Predicates by the number of records that they hold for; the last entry is for that many or more. */
  readonly matches: readonly { readonly records: number; readonly original: number; readonly holdout: number | null }[]
}

type Named = readonly Pick<IndexedColumn, 'name'>[]

export function tally(predicates: Predicates, matches: Matches, columns: Named): Tallies {
  return {
    people: peopleSingledOut(matches),
    columns: byColumn(predicates, matches, columns),
    shapes: byShape(predicates, matches, columns),
    matches: byRecords(matches),
  }
}

export function peopleSingledOut(matches: Matches): Tallies['people'] {
  const times = perRow(matches)
  return {
    singledOut: times.reduce((people, one) => people + (one > 0 ? 1 : 0), 0),
    mostPredicates: times.reduce((most, one) => Math.max(most, one), 0),
  }
}

/** How many predicates single out each record of the original that is numbered. */
export function perRow({ originalRow, numbered: [originals] }: Matches): Int32Array {
  const times = new Int32Array(originals)
  for (const row of originalRow) if (row >= 0) times[row]++
  return times
}

function byColumn({ width, column }: Predicates, matches: Matches, columns: Named): Tallies['columns'] {
  const tried = new Int32Array(columns.length)
  const singled = new Int32Array(columns.length)
  for (let i = 0; i < column.length; i++) {
    tried[column[i]]++
    if (matches.inOriginal[Math.floor(i / width)] === 1) singled[column[i]]++
  }
  return columns.map(({ name }, j) => ({ column: name, predicates: tried[j], successes: singled[j] }))
}

const SHAPES_SHOWN = 10

function byShape(predicates: Predicates, { inOriginal }: Matches, columns: Named): Tallies['shapes'] {
  const shapes = new Map<string, { predicates: number; successes: number }>()
  for (let q = 0; q < predicates.count; q++) {
    const shape = shapeOf(predicates, q, columns)
    const known = shapes.get(shape) ?? { predicates: 0, successes: 0 }
    shapes.set(shape, {
      predicates: known.predicates + 1,
      successes: known.successes + (inOriginal[q] === 1 ? 1 : 0),
    })
  }
  return [...shapes]
    .filter(([, { successes }]) => successes > 0)
    .sort(
      ([a, one], [b, other]) =>
        other.successes - one.successes || one.predicates - other.predicates || byCodePoint(a, b),
    )
    .slice(0, SHAPES_SHOWN)
    .map(([shape, counts]) => ({ shape, ...counts }))
}

const LAST_COUNT_SHOWN = 10

function byRecords({ inOriginal, inHoldout }: Matches): Tallies['matches'] {
  const bins = (counts: Int32Array) => {
    const found = new Int32Array(LAST_COUNT_SHOWN + 1)
    for (const one of counts) found[Math.min(one, LAST_COUNT_SHOWN)]++
    return found
  }
  const original = bins(inOriginal)
  const holdout = inHoldout === null ? null : bins(inHoldout)
  return Array.from(original, (predicates, records) => ({
    records,
    original: predicates,
    holdout: holdout === null ? null : holdout[records],
  }))
}
