import { quantileSorted } from '../../stats/quantile.js'
import { throwIfAborted } from '../../tasks/task.js'
import { cellBook, countsOfSet, replaceRecord } from '../generator/records.js'
import type { CellBoxes, SimulationSettings, Worlds } from './engine.js'

/** Cell counts of sets simulated in each world and of the released sets; cells are those that occur in any of them. */
export interface SimulatedCounts {
  readonly cells: number
  /** The record of each cell. */
  readonly records: readonly Int32Array[]
  /** By candidate, by simulation. All arrays have a place for each cell. */
  readonly simulated: readonly (readonly Float64Array[])[]
  /** By released set. */
  readonly released: readonly Float64Array[]
  /** Cells that no known record is in. */
  readonly emptyCells: readonly number[]
}

/** Sets as large as the released ones; simulation r has the same random numbers in every world. */
export async function simulateCounts(
  { variables, original, row, candidates, sets }: Worlds,
  { generator, made: madeBefore, simulations, random, progress, signal }: SimulationSettings,
): Promise<SimulatedCounts> {
  const book = cellBook(variables)
  const rows = sets.sizes.length === 0 ? original.rows : sets.sizes[0]
  const released = Array.from({ length: sets.sets }, (_, s) => {
    const counts = countsOfSet(sets, s)
    return tally(
      sets.distinct.rows,
      (u) => book.idOf(sets.distinct, u),
      (u) => counts[u],
    )
  })
  const known = tally(
    original.rows,
    (other) => book.idOf(original, other),
    (other) => (other === row ? 0 : 1),
  )
  const simulated: Map<number, number>[][] = []
  for (const [k, candidate] of candidates.entries()) {
    const world = replaceRecord(original, row, candidate)
    const fit = (r: number) => generator.fit(world, (purpose) => random(`fit/${purpose}`, r))
    const first = madeBefore === null ? await fit(0) : null
    const counts: Map<number, number>[] = []
    for (let r = 0; r < simulations; r++) {
      throwIfAborted(signal)
      const fitted = generator.fitsAnew && r > 0 ? await fit(r) : first
      const made = fitted === null ? madeBefore?.[k][r] : await fitted.sample(rows, (purpose) => random(purpose, r))
      if (made === undefined) throw new Error(`world ${k} has no set ${r}`)
      counts.push(
        tally(
          made.rows,
          (at) => book.idOf(made, at),
          () => 1,
        ),
      )
    }
    simulated.push(counts)
    progress?.(k + 1, candidates.length)
  }
  const cells = book.cells.length
  const dense = (counts: ReadonlyMap<number, number>) => {
    const all = new Float64Array(cells)
    for (const [cell, n] of counts) all[cell] = n
    return all
  }
  return {
    cells,
    records: book.cells,
    simulated: simulated.map((world) => world.map(dense)),
    released: released.map(dense),
    emptyCells: book.cells.flatMap((_, cell) => ((known.get(cell) ?? 0) === 0 ? [cell] : [])),
  }
}

/** Cells that a picture can tell apart. */
const MOST_CELLS_SHOWN = 64
const QUARTILES = [0, 0.25, 0.5, 0.75, 1]

/** Least, quartiles and most of the simulated counts of each cell; null where there are too many cells to show. */
export function cellBoxes({ cells, records, simulated }: SimulatedCounts): CellBoxes | null {
  if (cells > MOST_CELLS_SHOWN) return null
  const box = (sets: readonly Float64Array[], cell: number) => {
    const counts = Float64Array.from(sets, (set) => set[cell]).sort()
    return QUARTILES.map((at) => quantileSorted(counts, at) ?? 0)
  }
  return { records, byCandidate: simulated.map((sets) => records.map((_, cell) => box(sets, cell))) }
}

function tally(rows: number, cellOf: (row: number) => number, weight: (row: number) => number): Map<number, number> {
  const counts = new Map<number, number>()
  for (let row = 0; row < rows; row++) {
    const cell = cellOf(row)
    counts.set(cell, (counts.get(cell) ?? 0) + weight(row))
  }
  return counts
}

/** The counts of all simulations of a world together. */
export function pooled(sets: readonly Float64Array[], cells: number): Float64Array {
  const sums = new Float64Array(cells)
  for (const counts of sets) for (let cell = 0; cell < cells; cell++) sums[cell] += counts[cell]
  return sums
}
