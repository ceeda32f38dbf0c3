import { groupRows } from '@scrim/kernels'
import { joinedCodes } from '../../../stats/joined.js'
import { byCodes, largestFirst } from '../../../stats/sorted.js'
import { remember } from '../../../table/classes.js'
import { isMissing } from '../../../table/column.js'
import { columnOf, recordsIn, type Table } from '../../../table/table.js'
import { massIn, type Pair } from '../../pair.js'
import { type LevelPair, sharesOf } from './columns.js'

/** Which columns are missing together, and how often. */
export type Pattern = {
  /** Columns that are missing together. */
  readonly missing: readonly string[]
  readonly original: number
  readonly released: number
}

export const MOST_PATTERNS = 20

export function labelOf({ missing }: Pattern): string {
  if (missing.length === 0) return 'all known'
  return missing.length <= 3 ? missing.join(' + ') : `${missing.slice(0, 2).join(' + ')} + ${missing.length - 2} more`
}

/** 1 where a value is missing; once per table and column. */
export function missingFlags(file: Table, name: string): Int32Array {
  return remember(file, `missing flags ${name}`, () => {
    const column = columnOf(file, name)
    return Int32Array.from({ length: file.rows }, (_, row) => (isMissing(column, row) ? 1 : 0))
  })
}

/**
 * Pairs of the columns that have missing values in the original: correlations of the indicators, largest change first; null where
 * a column has none or nothing else.
 */
export function togetherOf({ original, released, variables, weight }: Pair) {
  const names = variables.filter((name) => missingFlags(original, name).includes(1)).slice(0, MOST_COLUMNS)
  const files = [original, released].map((of) => ({ of, mass: massIn(of, weight) }))
  const pairs = names.flatMap((a, k) =>
    names.slice(k + 1).map((b) => {
      const [x, y] = files.map(({ of, mass }) => phi(missingFlags(of, a), missingFlags(of, b), mass))
      return { a, b, original: x, released: y }
    }),
  )
  const change = ({ original: x, released: y }: (typeof pairs)[number]) => Math.abs((y ?? 0) - (x ?? 0))
  return largestFirst(pairs, change).slice(0, MOST_PATTERNS)
}

const MOST_COLUMNS = 60

/** Correlation of two 0/1 columns; null where one is constant. */
function phi(a: Int32Array, b: Int32Array, mass: ArrayLike<number> | null): number | null {
  let [total, ofA, ofB, both] = [0, 0, 0, 0]
  for (let row = 0; row < a.length; row++) {
    const weight = mass === null ? 1 : mass[row]
    total += weight
    ofA += weight * a[row]
    ofB += weight * b[row]
    both += weight * a[row] * b[row]
  }
  const spread = Math.sqrt(ofA * (total - ofA)) * Math.sqrt(ofB * (total - ofB))
  return spread > 0 ? (total * both - ofA * ofB) / spread : null
}

/** Rows by their pattern over the columns that have a missing value in either file. */
export function patternsOf(pair: Pair): { levels: LevelPair; patterns: Pattern[] } {
  const { original, released } = pair
  const names = pair.variables.filter((name) => [original, released].some((of) => missingFlags(of, name).includes(1)))
  const rows = original.rows + released.rows
  const coded = names.map((name) => ({
    codes: joinedCodes([original, released].map((file) => missingFlags(file, name))),
    cardinality: 2,
  }))
  const { ids, count: patterns } = names.length === 0 ? { ids: new Int32Array(rows), count: 1 } : groupRows(coded, rows)
  const [m1, m2] = [massIn(original, pair.weight), massIn(released, pair.weight)]
  const [first, second, example] = [new Float64Array(patterns), new Float64Array(patterns), new Int32Array(patterns)]
  for (let row = 0; row < rows; row++) {
    const isOriginal = row < original.rows
    const mass = isOriginal ? m1 : m2
    const weight = mass === null ? 1 : mass[isOriginal ? row : row - original.rows]
    ;(isOriginal ? first : second)[ids[row]] += weight
    example[ids[row]] = row
  }
  const [p, q] = [sharesOf(first), sharesOf(second)]
  return {
    levels: {
      name: 'pattern',
      labels: Array.from(p, (_, k) => String(k)),
      original: first,
      released: second,
      n1: recordsIn(original),
      n2: recordsIn(released),
    },
    patterns: Array.from(example.sort(byCodes(coded)), (row) => ({
      missing: names.filter((_, j) => coded[j].codes[row] === 1),
      original: p[ids[row]],
      released: q[ids[row]],
    })),
  }
}
