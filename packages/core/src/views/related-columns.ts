import { ascendingOrder, countIds, longInt32 } from '@scrim/kernels'
import { chiSquaredUpper } from '../stats/distributions.js'
import { type CodedTable, codedTable } from '../table/canonical-tables.js'
import { type Part, remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { FEWEST_COLUMNS } from './familiar-columns.js'
import { view, withoutColumns } from './view.js'

/**
 * Columns of noise hide copies: no record equals another in them, and every one of them moves records apart that agree in all
 * the rest. Whoever holds the release sees that they tell nothing about any other column, and sets them aside. A column is
 * related when its χ² with some other column of the release is significant, at 0.1 % over all pairs, both cut into few cells.
 * The choice looks at the release alone: an honest sample stays exchangeable with the originals in whichever columns are left.
 * Noise that is made to depend on real columns, or on other noise, is not seen to be noise.
 */
export const relatedColumns = view<ReadonlySet<string>>({
  id: 'related-columns',
  undoes: 'columns of noise',
  what: 'in columns that are related',
  detect(release) {
    const related = columnsRelated(codedTable(release, 0))
    const unrelated = new Set(release.variables.filter((name) => !related.has(name)))
    return unrelated.size > 0 && related.size >= FEWEST_COLUMNS ? unrelated : undefined
  },
  apply: withoutColumns,
})

const LEVEL = 0.001

/** Whether no column of a release tells anything about another; of one column alone nobody can say. */
export function hasIndependentColumns(release: Release, part: Part): boolean {
  return remember(release, `independent columns ${part}`, () => {
    const coded = codedTable(release, part)
    return coded.columns.length > 1 && columnsRelated(coded).size === 0
  })
}

function columnsRelated({ columns, rows }: CodedTable): ReadonlySet<string> {
  const cells = columns.map(inCells)
  const pairs = (columns.length * (columns.length - 1)) / 2
  const related = new Set<string>()
  for (let a = 0; a < cells.length; a++)
    for (let b = a + 1; b < cells.length; b++) {
      if (related.has(columns[a].name) && related.has(columns[b].name)) continue
      if (pairs * independence(cells[a], cells[b], rows.length) > LEVEL) continue
      related.add(columns[a].name)
      related.add(columns[b].name)
    }
  return related
}

const MOST_CELLS = 8

/** Few cells: numbers by rank, the most frequent levels and the rest, missing ones by themselves. */
function inCells({ codes, cardinality, numeric }: CodedTable['columns'][number]): Int32Array {
  const counts = Float64Array.from(countIds(codes, cardinality))
  const cellOf = numeric ? byRank(counts) : byFrequency(counts)
  const cells = longInt32(codes.length)
  for (let record = 0; record < cells.length; record++)
    cells[record] = codes[record] < 0 ? MOST_CELLS : cellOf[codes[record]]
  return cells
}

function byRank(counts: Float64Array): Int32Array {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let before = 0
  return Int32Array.from(counts, (count) => {
    const middle = before + count / 2
    before += count
    return Math.floor((MOST_CELLS * middle) / Math.max(1, all))
  })
}

/** Levels as frequent as the first one that finds no cell of its own share the last cell, whatever their names. */
function byFrequency(counts: Float64Array): Int32Array {
  const order = ascendingOrder(counts).reverse()
  const rest = order.length > MOST_CELLS ? counts[order[MOST_CELLS - 1]] : -1
  const cellOf = new Int32Array(counts.length)
  for (const [place, code] of order.entries()) cellOf[code] = counts[code] > rest ? place : MOST_CELLS - 1
  return cellOf
}

/** p of the χ² test of independence between two columns of cells. */
function independence(a: Int32Array, b: Int32Array, rows: number): number {
  const side = MOST_CELLS + 1
  const table = new Float64Array(side * side)
  const [inA, inB] = [new Float64Array(side), new Float64Array(side)]
  for (let row = 0; row < rows; row++) {
    table[a[row] * side + b[row]]++
    inA[a[row]]++
    inB[b[row]]++
  }
  let statistic = 0
  for (let i = 0; i < side; i++)
    for (let j = 0; j < side; j++) {
      const expected = (inA[i] * inB[j]) / rows
      if (expected > 0) statistic += (table[i * side + j] - expected) ** 2 / expected
    }
  const filled = (counts: Float64Array) => counts.filter((count) => count > 0).length
  const df = (filled(inA) - 1) * (filled(inB) - 1)
  return df === 0 ? 1 : chiSquaredUpper(statistic, df)
}
