import { countBelow } from '../../stats/sorted.js'
import type { CategoricalColumn, Column, NumericColumn } from '../../table/column.js'
import { type CountedValues, countedValues } from '../../table/counted-values.js'
import { overlap, rangeOf } from '../../table/interval-labels.js'
import { stepOf, stepOfNumbers } from '../../table/precision.js'
import type { Release } from '../../table/release.js'
import { columnOf, findColumn, table } from '../../table/table.js'
import { totalVariation } from '../tables/table-tests.js'

/** A column that the release has on a coarser scale, with how many values there were and are. */
export interface CoarserColumn {
  readonly column: string
  readonly original: number
  readonly released: number
}

/** A step that much larger is no accident of which values were drawn. */
const TIMES_THE_STEP = 2

/**
 * Columns that were rounded or recoded: numbers that lie on a larger step than those of the original, and categories that became
 * fewer with some of them new. Blind to levels that were merged into one that was there before: a sample may lack a level too.
 */
export function coarserColumns({ original, released, variables }: Release, part: number): CoarserColumn[] {
  return variables.flatMap((name) => {
    const [before, after] = [findColumn(original, name), findColumn(released[part], name)]
    if (before === undefined || after === undefined) return []
    const [from, to] = [valuesIn(before), valuesIn(after)]
    const isCoarser = to.size > 1 && to.size < from.size && (isRounded(before, after) || isRecoded(after, from, to))
    return isCoarser ? [{ column: name, original: from.size, released: to.size }] : []
  })
}

/** Zero lies on every step, and a value that many have on some: neither tells that the others were rounded. */
function isRounded(before: Column, after: Column): boolean {
  if (before.kind !== 'numeric' || after.kind !== 'numeric') return false
  const released = countedValues(after)
  const each = { ...released, counts: new Int32Array(released.counts.length).fill(1) }
  const steps = [released, each].map(stepWithoutZeros)
  const own = stepWithoutZeros(countedValues(before))
  return steps.every((step) => step !== null && (own === null || step >= TIMES_THE_STEP * own))
}

function stepWithoutZeros({ values, counts }: CountedValues): number | null {
  return stepOfNumbers({
    values: values.filter((value) => value !== 0),
    counts: counts.filter((_, k) => values[k] !== 0),
  })
}

function isRecoded(after: Column, from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
  return after.kind === 'categorical' && [...to].some((code) => !from.has(code))
}

/** Codes mean the same in both files. */
function valuesIn(column: Column): ReadonlySet<number> {
  return new Set(countedValues(column).values)
}

/** The columns that could be brought to the scale of the release, and that release alone beside an original that is on it. */
export interface OnCoarserScale {
  readonly columns: readonly string[]
  readonly release: Release
}

/**
 * The original as it would be on the scale of a release: what is lost then is lost besides detail. Numbers go to the nearest
 * released one, or to the next below or above, by which of the three the shares of the release are met best. A level goes to the one that
 * stands beside it in every row, where rows correspond; else it stays, if the release has it; else it goes to the class of
 * numbers that it is in, or to the only new level. Null where that finds no place for the levels of any coarser column.
 */
export function onScaleOf(release: Release, part: number): OnCoarserScale | null {
  const { original, released } = release
  const brought = coarserColumns(release, part).flatMap(({ column: name }): Column[] => {
    const [before, after] = [columnOf(original, name), columnOf(released[part], name)]
    if (before.kind === 'numeric' && after.kind === 'numeric') return [asRounded(before, after)]
    const recoded = before.kind === 'categorical' && after.kind === 'categorical' ? asRecoded(before, after) : null
    return recoded === null ? [] : [recoded]
  })
  if (brought.length === 0) return null
  const coarse = new Map(brought.map((column) => [column.name, column]))
  return {
    columns: [...coarse.keys()],
    release: {
      ...release,
      original: table(
        original.name,
        original.columns.map((column) => coarse.get(column.name) ?? column),
      ),
      released: [released[part]],
      holdout: null,
      likeness: [],
      identifiers: [],
      notCovered: [],
      ungrouped: null,
    },
  }
}

/** Whether a number between two released ones goes to the lower. */
const ROUNDINGS: readonly ((value: number, below: number, above: number) => boolean)[] = [
  (value, below, above) => value - below < above - value,
  () => true,
  () => false,
]

function asRounded(before: NumericColumn, after: NumericColumn): NumericColumn {
  const step = stepOf(after) ?? 0
  const onStep = [...valuesIn(after)].filter((value) => Math.abs(value - step * Math.round(value / step)) < step / 1e6)
  const grid = Float64Array.from(onStep).sort()
  const released = countsOn(grid, after.values, ROUNDINGS[0])
  const misses = ROUNDINGS.map((goesDown) => totalVariation(countsOn(grid, before.values, goesDown), released))
  const goesDown = ROUNDINGS[misses.indexOf(Math.min(...misses))]
  const values = before.values.map((value) => (Number.isNaN(value) ? value : grid[placeOn(grid, value, goesDown)]))
  return { ...before, values }
}

function countsOn(grid: Float64Array, values: Float64Array, goesDown: (typeof ROUNDINGS)[number]): Float64Array {
  const counts = new Float64Array(grid.length)
  for (const value of values) if (!Number.isNaN(value)) counts[placeOn(grid, value, goesDown)]++
  return counts
}

function placeOn(grid: Float64Array, value: number, goesDown: (typeof ROUNDINGS)[number]): number {
  const above = countBelow(grid, value)
  if (above === 0 || grid[above] === value) return above
  return above === grid.length || goesDown(value, grid[above - 1], grid[above]) ? above - 1 : above
}

function asRecoded(before: CategoricalColumn, after: CategoricalColumn): CategoricalColumn | null {
  const places = placesByRow(before, after) ?? placesByName(before, after)
  if (places === null) return null
  return { ...before, codes: before.codes.map((code) => (code < 0 ? code : (places.get(code) ?? code))) }
}

/** Where each level stands beside one released level in all rows. */
function placesByRow(before: CategoricalColumn, after: CategoricalColumn): ReadonlyMap<number, number> | null {
  if (before.codes.length !== after.codes.length) return null
  const places = new Map<number, number>()
  for (const [row, code] of before.codes.entries()) {
    const beside = after.codes[row]
    if (code < 0 || beside < 0) continue
    if ((places.get(code) ?? beside) !== beside) return null
    places.set(code, beside)
  }
  return places
}

function placesByName(before: CategoricalColumn, after: CategoricalColumn): ReadonlyMap<number, number> | null {
  const [from, to] = [valuesIn(before), valuesIn(after)]
  const added = [...to].filter((code) => !from.has(code))
  const places = new Map<number, number>()
  for (const code of from) {
    const place = to.has(code) ? code : (classAround(before.levels[code], added, after.levels) ?? onlyOne(added))
    if (place === undefined) return null
    places.set(code, place)
  }
  return places
}

function classAround(level: string, added: readonly number[], levels: readonly string[]): number | undefined {
  const range = rangeOf(level)
  if (range === null) return undefined
  return onlyOne(
    added.filter((code) => {
      const other = rangeOf(levels[code])
      return other !== null && overlap(range, other)
    }),
  )
}

function onlyOne(codes: readonly number[]): number | undefined {
  return codes.length === 1 ? codes[0] : undefined
}
