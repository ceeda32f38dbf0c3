import { math } from '@scrim/kernels'
import { type Column, valueAt } from '../../table/column.js'
import { codeJointly, type JointColumn } from '../../table/joint.js'
import { reconcile } from '../../table/reconcile.js'
import { columnNames, findColumn, type Table } from '../../table/table.js'

/**
 * Several levels of a column under other names (FEMALE and MALE as Women and Men): which is which shows in the company that
 * they keep. For each new level a and each missing level m,
 *   S_j(a, m) = Σ over cells c of column j of n_ac log p_mc:
 * how likely the records of a are, by column j, as records of m. n counts them, p are shares in the original with half a
 * record more in each cell; numbers are cut at its fifths. How frequent a level is counts as one column more. Each a goes to
 * the m of the largest Σ_j S_j, and that is taken only where nothing else will do: no two go to one, each is as frequent as
 * before up to a factor of two, what is left over is absent by chance, and exchanging any two is a thousand times less
 * likely by some column alone, since columns are no independent witnesses. Blind to levels that are alike in all of this.
 */
export function findRenamedLevels(
  original: Table,
  other: Table,
  column: string,
  missing: readonly string[],
  added: readonly string[],
): ReadonlyMap<string, string> {
  const none = new Map<string, string>()
  if (added.length < 2 || added.length > missing.length || missing.length > MOST_LEVELS) return none
  const ours = { of: original, places: placesOf(findColumn(original, column), original.rows, missing) }
  const theirs = { of: other, places: placesOf(findColumn(other, column), other.rows, added) }
  const scores = columnNames(original)
    .filter((name) => name !== column)
    .flatMap((name) => scoresIn(name, ours, theirs, missing.length, added.length) ?? [])
  const before = sharesOf(ours.places, missing.length)
  const after = sharesOf(theirs.places, added.length)
  scores.push(scoresOfShares(before, after, other.rows))
  const partner = added.map((_, a) => bestOf(missing.map((_, m) => sumOf(scores, a * missing.length + m))))
  const isClear =
    new Set(partner).size === added.length &&
    partner.every((m, a) => after[a] >= before[m] / 2 && after[a] <= 2 * before[m]) &&
    before.every((share, m) => partner.includes(m) || math.pow(1 - share, other.rows) >= BY_CHANCE) &&
    added.every((_, a) =>
      missing.every((_, m) => m === partner[a] || isUnlikely(scores, partner, missing.length, a, m)),
    )
  return isClear ? new Map(added.map((level, a) => [level, missing[partner[a]]])) : none
}

const MOST_LEVELS = 50
/** What is less likely than this is not by chance. */
export const BY_CHANCE = 1e-3

interface Side {
  readonly of: Table
  /** Of each row: which of the levels in question it has; -1 for another. */
  readonly places: Int32Array
}

function placesOf(column: Column | undefined, rows: number, levels: readonly string[]): Int32Array {
  const place = new Map(levels.map((level, k) => [level, k]))
  return Int32Array.from({ length: rows }, (_, row) =>
    column === undefined ? -1 : (place.get(String(valueAt(column, row) ?? '')) ?? -1),
  )
}

/** S of one column, new levels by missing ones; null where the files do not have it alike. */
function scoresIn(name: string, ours: Side, theirs: Side, width: number, height: number): Float64Array | null {
  const [own, its] = [findColumn(ours.of, name), findColumn(theirs.of, name)]
  const columns = own && its && reconcile([own, its], [ours.of.name, theirs.of.name])
  if (columns === undefined || typeof columns === 'string') return null
  const { cells, count } = cellsOf(codeJointly(columns), ours.of.rows)
  const known = countsOf(cells, 0, ours.places, width, count)
  const theirCounts = countsOf(cells, ours.of.rows, theirs.places, height, count)
  const used = Array.from({ length: count }, (_, c) => c).filter((c) => inAnyLevel(known, c, count))
  const scores = new Float64Array(width * height)
  for (let m = 0; m < width; m++) {
    const share = (c: number) => (known[m * count + c] + 1 / 2) / all
    const all = used.reduce((sum, c) => sum + known[m * count + c] + 1 / 2, 0)
    for (const c of used)
      for (let a = 0; a < height; a++) scores[a * width + m] += theirCounts[a * count + c] * math.log(share(c))
  }
  return scores
}

/** A cell without originals, such as a level that was renamed too, tells nothing. */
function inAnyLevel(known: Float64Array, cell: number, count: number): boolean {
  for (let at = cell; at < known.length; at += count) if (known[at] > 0) return true
  return false
}

const PARTS = 5

/** The cell of each row of both files; missing values are the first. */
function cellsOf({ codes, cardinality, kind }: JointColumn, rows: number): { cells: Int32Array; count: number } {
  if (kind === 'categorical') return { cells: codes.map((code) => code + 1), count: cardinality + 1 }
  const sorted = codes
    .slice(0, rows)
    .filter((code) => code >= 0)
    .sort()
  const cuts = Array.from({ length: PARTS - 1 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / PARTS)])
  return {
    cells: codes.map((code) => (code < 0 ? 0 : 1 + cuts.filter((cut) => cut <= code).length)),
    count: PARTS + 1,
  }
}

function countsOf(cells: Int32Array, from: number, places: Int32Array, levels: number, count: number): Float64Array {
  const counts = new Float64Array(levels * count)
  for (let row = 0; row < places.length; row++) if (places[row] >= 0) counts[places[row] * count + cells[from + row]]++
  return counts
}

function sharesOf(places: Int32Array, levels: number): Float64Array {
  const shares = new Float64Array(levels)
  for (const place of places) if (place >= 0) shares[place] += 1 / places.length
  return shares
}

function scoresOfShares(before: Float64Array, after: Float64Array, rows: number): Float64Array {
  return Float64Array.from({ length: after.length * before.length }, (_, at) => {
    const [share, found] = [before[at % before.length], after[Math.floor(at / before.length)]]
    const part = share >= 1 ? 0 : (1 - found) * math.log(1 - share)
    return rows * (found * math.log(share) + part)
  })
}

function sumOf(scores: readonly Float64Array[], at: number): number {
  return scores.reduce((sum, one) => sum + one[at], 0)
}

function bestOf(scores: readonly number[]): number {
  return scores.reduce((best, score, k) => (score > scores[best] ? k : best), 0)
}

/** That a is m, and whoever was taken for m what a was taken for. */
function isUnlikely(
  scores: readonly Float64Array[],
  partner: readonly number[],
  width: number,
  a: number,
  m: number,
): boolean {
  const holder = partner.indexOf(m)
  const against = scores.map((matrix) => {
    const loss = matrix[a * width + partner[a]] - matrix[a * width + m]
    return holder < 0 ? loss : loss + matrix[holder * width + m] - matrix[holder * width + partner[a]]
  })
  return against.reduce((sum, one) => sum + one, 0) > 0 && Math.max(...against) >= -math.log(BY_CHANCE)
}
