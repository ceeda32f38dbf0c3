import { z } from 'zod'
import { UserError, unknownName } from '../../errors.js'
import { real, whole } from '../../option-kinds.js'
import { count, precise } from '../../print.js'
import type { Table } from '../../table/table.js'
import { type AbortSignalLike, throwIfAborted } from '../../tasks/task.js'
import type { FitHow, FittedSynthesizer, Streams, Synthesizer } from '../synthesizer.js'
import { weighted } from './catall.js'
import { CELL_OPTIONS, cellCounts, crossTable, fittedCells, requireFewCells } from './cross-table.js'
import { PRIVACY_OPTIONS, privateCounts } from './private-counts.js'

/**
 * A log-linear model through given margins, by iterative proportional fitting (Deming and Stephan 1940): starting from a
 * table of ones (zeros where a cell cannot be), the table is scaled to one margin after the other until it no longer
 * changes. Records are drawn from its cells. Each margin has priorn records spread evenly, as in synthpop's `ipf`.
 * Blind to every association that is not in a margin: with all two-way margins, to those of three variables and more.
 */
const options = z.object({
  margins: z
    .union([z.enum(['oneway', 'twoway']), z.array(z.array(z.string()).readonly()).readonly()])
    .default('twoway')
    .describe('margins to keep: oneway, twoway, or lists of variables; one that is in none has its own margin'),
  priorn: real(1, { min: 0 }).describe('weight of a uniform table, in records, spread over each margin'),
  tol: real(1e-3, { above: 0 }).describe('the largest change of a cell, in records, that ends the fitting'),
  iterations: whole(5000, { min: 1 }).describe('most rounds through all margins'),
  ...CELL_OPTIONS,
  ...PRIVACY_OPTIONS,
})

type Options = z.output<typeof options>

export const ipfSynthesizer = {
  id: 'ipf',
  title: 'Log-linear model by iterative proportional fitting',
  options,
  fit(data: Table, chosen: Options, random: Streams, run: FitHow = {}): FittedSynthesizer {
    const cross = crossTable(data, chosen)
    requireFewCells(cross.cells, 'ipf')
    const names = cross.variables.map(({ name }) => name)
    const sizes = cross.variables.map(({ column }) => column.levels.length)
    const margins = marginsOf(names, chosen.margins)
    const prior = chosen.priorn / (cross.cells - cross.zeros.cells)
    const counts = cellCounts(cross).map((n, cell) => (cross.zeros.has(cell) ? 0 : n + prior))
    const noisy = privateCounts(
      margins.map((axes) => marginOf(counts, sizes, axes)),
      names,
      chosen,
      random('noise'),
    )
    const targets = margins.map((axes, k) => ({ axes, totals: rescaled(noisy.counts[k], cross.occupied.length) }))
    const start = counts.map((_, cell) => (cross.zeros.has(cell) ? 0 : 1))
    const fitted = fitMargins(start, sizes, targets, { ...chosen, signal: run.signal })
    return fittedCells(cross, weighted(cross, fitted.table), {
      method: 'cell of a log-linear model',
      warnings: [...noisy.warnings, ...unsettled(fitted, chosen)],
      details: {
        margins: margins.map((axes) => axes.map((axis) => names[axis])),
        priorn: chosen.priorn,
        iterations: fitted.iterations,
        largestChange: fitted.largestChange,
        ...noisy.details,
      },
    })
  },
  fitsAnew: ({ noise }: Options) => noise !== 'none',
} satisfies Synthesizer<typeof options>

function unsettled({ settled, largestChange }: FittedMargins, { iterations, tol }: Options): string[] {
  if (settled) return []
  return [
    `the fitting did not settle in ${count(iterations, 'round')}: the last one moved a cell by ${precise(largestChange, 3)} records, more than ${tol}`,
  ]
}

/** Lists of axes; a variable in no margin gets one of its own, so that its shares are kept. */
function marginsOf(names: readonly string[], wanted: Options['margins']): number[][] {
  const oneway = names.map((_, axis) => [axis])
  if (wanted === 'oneway' || names.length === 1) return oneway
  if (wanted === 'twoway') return names.flatMap((_, i) => names.slice(i + 1).map((__, k) => [i, i + 1 + k]))
  const margins = wanted.map((margin) => {
    if (margin.length === 0) throw new UserError('margins: a margin has no variable')
    return [...new Set(margin)].map((name) => {
      if (!names.includes(name)) throw new UserError(`margins: ${unknownName('column', name, names)}`)
      return names.indexOf(name)
    })
  })
  return [...margins, ...oneway.filter(([axis]) => !margins.some((margin) => margin.includes(axis)))]
}

/** Noise gives margins different totals; they must agree. */
function rescaled(totals: Float64Array, n: number): Float64Array {
  const sum = totals.reduce((a, b) => a + b, 0)
  return totals.map((value) => (value * n) / sum)
}

interface Margin {
  readonly axes: readonly number[]
  readonly totals: Float64Array
}

interface FittedMargins {
  readonly table: Float64Array
  readonly iterations: number
  readonly largestChange: number
  readonly settled: boolean
}

/** Scales a table, whose last axis runs fastest, to margins in turn. Margins that contradict each other settle on a cycle. */
export function fitMargins(
  start: Float64Array,
  sizes: readonly number[],
  margins: readonly Margin[],
  { tol, iterations, signal }: { tol: number; iterations: number; signal?: AbortSignalLike | undefined },
): FittedMargins {
  const table = start.slice()
  const before = new Float64Array(table.length)
  const place = new Int32Array(table.length)
  let largestChange = Number.POSITIVE_INFINITY
  let round = 0
  while (round < iterations && largestChange > tol) {
    throwIfAborted(signal)
    before.set(table)
    for (const { axes, totals } of margins) {
      placeInMargin(sizes, axes, place)
      const factors = new Float64Array(totals.length)
      for (let cell = 0; cell < table.length; cell++) factors[place[cell]] += table[cell]
      for (let k = 0; k < factors.length; k++) factors[k] = factors[k] > 0 ? totals[k] / factors[k] : 0
      for (let cell = 0; cell < table.length; cell++) table[cell] *= factors[place[cell]]
    }
    largestChange = 0
    for (let cell = 0; cell < table.length; cell++)
      largestChange = Math.max(largestChange, Math.abs(table[cell] - before[cell]))
    round++
  }
  return { table, iterations: round, largestChange, settled: largestChange <= tol }
}

function marginOf(table: Float64Array, sizes: readonly number[], axes: readonly number[]): Float64Array {
  const place = new Int32Array(table.length)
  placeInMargin(sizes, axes, place)
  const totals = new Float64Array(axes.reduce((product, axis) => product * sizes[axis], 1))
  for (let cell = 0; cell < table.length; cell++) totals[place[cell]] += table[cell]
  return totals
}

/** For every cell its place in a margin: counted up like an odometer, each axis moving the place by its own step. */
function placeInMargin(sizes: readonly number[], axes: readonly number[], place: Int32Array): void {
  const steps = new Int32Array(sizes.length)
  let step = 1
  for (const axis of axes.toReversed()) {
    steps[axis] = step
    step *= sizes[axis]
  }
  const codes = new Int32Array(sizes.length)
  let at = 0
  for (let cell = 0; cell < place.length; cell++) {
    place[cell] = at
    let axis = sizes.length - 1
    while (axis >= 0 && ++codes[axis] === sizes[axis]) {
      codes[axis] = 0
      at -= steps[axis] * (sizes[axis] - 1)
      axis--
    }
    if (axis >= 0) at += steps[axis]
  }
}
