import { math } from '@scrim/kernels'
import { quantileSorted } from '../quantile.js'
import { type Repeated, recordsOf } from '../repeated.js'
import { standardDeviation } from '../sums.js'
import type { Sample } from './two-samples.js'

/**
 * Silverman's (1986, 3.31) bandwidth 0.9 min(sd, IQR / 1.34) n^(-1/5); when that is 0 the sd, then |x_1|, then 1 take its
 * place, as in R's bw.nrd0. `first` is the first value in the file, which R falls back on.
 */
export function bandwidth({ values, times }: Repeated, first = values[0]): number {
  const sd = standardDeviation(values, times) ?? 0
  const quartile = (p: number) => quantileSorted(values, p, times) ?? 0
  const spread = Math.min(sd, (quartile(0.75) - quartile(0.25)) / 1.34) || sd || Math.abs(first) || 1
  return 0.9 * spread * math.pow(recordsOf({ values, times }), -0.2)
}

/** A density at equally spaced places. */
export interface DensityCurve {
  readonly from: number
  readonly step: number
  readonly heights: Float64Array
}

const POINTS = 512
/** Beyond this many bandwidths a Gaussian is below 1e-14 of its height. */
const REACH = 8

/**
 * Gaussian kernel density estimate on `points` places between `from` and `to`: the values are shared linearly between the
 * two nearest of a finer grid, and the kernel is summed exactly over that grid. O(n + points²) at worst.
 */
export function densityCurve(
  { values, mass, total }: Sample,
  { from, to, width, points = POINTS }: { from: number; to: number; width: number; points?: number },
): DensityCurve {
  const step = (to - from) / (points - 1)
  const cell = Math.min(step, width / 8)
  const low = values[0] - cell
  const cells = Math.ceil((values[values.length - 1] - low) / cell) + 2
  const grid = cells > MOST_CELLS ? null : binned(values, mass, low, cell, cells)
  const heights = new Float64Array(points)
  for (let k = 0; k < points; k++) {
    const place = from + k * step
    heights[k] = grid === null ? kernelSum(values, mass, place, width) : gridSum(grid, low, cell, place, width)
  }
  const scale = 1 / (total * width * Math.sqrt(2 * Math.PI))
  for (let k = 0; k < points; k++) heights[k] *= scale
  return { from, step, heights }
}

/** A finer grid would be larger than the sum over all values is long. */
const MOST_CELLS = 200_000

function binned(values: Float64Array, mass: Sample['mass'], low: number, cell: number, cells: number) {
  const grid = new Float64Array(cells)
  for (let i = 0; i < values.length; i++) {
    const place = (values[i] - low) / cell
    const at = Math.floor(place)
    const weight = mass === null ? 1 : mass[i]
    grid[at] += weight * (1 - (place - at))
    grid[at + 1] += weight * (place - at)
  }
  return grid
}

function gridSum(grid: Float64Array, low: number, cell: number, place: number, width: number): number {
  const first = Math.max(0, Math.ceil((place - REACH * width - low) / cell))
  const last = Math.min(grid.length - 1, Math.floor((place + REACH * width - low) / cell))
  let total = 0
  for (let k = first; k <= last; k++) {
    if (grid[k] === 0) continue
    const away = (low + k * cell - place) / width
    total += grid[k] * math.exp((-away * away) / 2)
  }
  return total
}

function kernelSum(values: Float64Array, mass: Sample['mass'], place: number, width: number): number {
  let total = 0
  for (let i = 0; i < values.length; i++) {
    const away = (values[i] - place) / width
    if (Math.abs(away) < REACH) total += (mass === null ? 1 : mass[i]) * math.exp((-away * away) / 2)
  }
  return total
}
