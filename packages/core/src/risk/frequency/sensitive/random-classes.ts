import { math, rowsByGroup } from '@scrim/kernels'
import type { Context } from '../../../measure.js'
import { sampleWithoutReplacement, shuffleFront } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { drawWithoutReplacement } from '../../../stats/draws.js'
import { countUpTo } from '../../../stats/sorted.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type DistanceOfRows, distanceReader } from './closeness.js'
import type { Distance } from './earth-movers.js'
import type { SensitiveClasses } from './sensitive.js'

const DRAWS_PER_SIZE = 200
const FEWEST_DRAWS = 4
const RECORDS_DRAWN_PER_SIZE = 400_000
const MOST_SIZES_SIMULATED = 40
const SIZES_ALL_SIMULATED = 20

/**
 * The EMD to be expected of a class of each size if its records were drawn at random from the file without replacement:
 * the mean of 200 draws, fewer for large classes, whose draws hardly differ. Every size up to 20 that occurs is simulated,
 * larger ones on a geometric grid; between grid points the expectation is linear in the standard error
 * sqrt((n - s) / (s (n - 1))), to which it is proportional for all but small classes. A class that is the file has 0.
 */
export function expectedDistances(
  classes: SensitiveClasses,
  weights: Float64Array | null,
  distance: Distance,
  context: Context,
) {
  const { n } = classes
  const occurring = [...new Set(classes.sizes)].sort((a, b) => a - b)
  const grid = simulatedSizes(occurring.filter((size) => size < n))
  const draw =
    classes.times === null
      ? randomClasses(classes, distanceReader(classes, weights, distance))
      : classesOfCounts(classes, weights, distance)
  const known = new Map<number, number>([[n, 0]])
  for (const [done, size] of grid.entries()) {
    throwIfAborted(context.signal)
    context.progress(done, grid.length)
    const draws = Math.min(DRAWS_PER_SIZE, Math.max(FEWEST_DRAWS, Math.floor(RECORDS_DRAWN_PER_SIZE / size)))
    known.set(size, draw(size, draws, context.random('expected EMD', size)))
  }
  const points = [...grid, n]
  const error = (size: number) => Math.sqrt((n - size) / (size * Math.max(1, n - 1)))
  for (const size of occurring) {
    if (known.has(size)) continue
    const above = points.findIndex((point) => point > size)
    const [lower, upper] = [points[above - 1], points[above]]
    const weight = (error(size) - error(upper)) / (error(lower) - error(upper))
    known.set(size, weight * (known.get(lower) ?? 0) + (1 - weight) * (known.get(upper) ?? 0))
  }
  return {
    of: (size: number) => known.get(size) ?? 0,
    simulated: grid.length,
    interpolated: occurring.filter((size) => size < n).length - grid.length,
  }
}

/** All small sizes, then a geometric choice of the larger ones, with the largest. */
function simulatedSizes(occurring: readonly number[]): number[] {
  const small = occurring.filter((size) => size <= SIZES_ALL_SIMULATED)
  const large = occurring.filter((size) => size > SIZES_ALL_SIMULATED)
  const room = MOST_SIZES_SIMULATED - small.length
  if (large.length <= room) return [...small, ...large]
  const chosen = new Set<number>()
  const ratio = math.pow(large[large.length - 1] / large[0], 1 / (room - 1))
  for (let k = 0; k < room; k++) {
    const wanted = large[0] * math.pow(ratio, k)
    chosen.add(large.find((size) => size >= wanted - 0.5) ?? large[large.length - 1])
  }
  return [...small, ...[...chosen].sort((a, b) => a - b)]
}

export type Expected = ReturnType<typeof expectedDistances>

/** Mean distance of `draws` random classes of a size; the shuffle goes on from draw to draw, which keeps each one uniform. */
function randomClasses({ values }: SensitiveClasses, distanceOf: DistanceOfRows) {
  // Rows sorted by value, so that sorting drawn places sorts their values.
  const { rows: byValue } = rowsByGroup(values.codes, values.count)
  const places = Int32Array.from(byValue.keys())
  const drawn = new Int32Array(byValue.length)
  return (size: number, draws: number, random: Stream): number => {
    let sum = 0
    for (let draw = 0; draw < draws; draw++) {
      shuffleFront(random, places, size)
      const own = drawn.subarray(0, size)
      own.set(places.subarray(0, size))
      own.sort()
      for (let k = 0; k < size; k++) own[k] = byValue[own[k]]
      sum += distanceOf(own, 0, size)
    }
    return sum / draws
  }
}

/** The same where equal records were counted: how many of each kind, of one value and weight, are in a random class. */
function classesOfCounts(
  { rows, times, values, n }: SensitiveClasses,
  weights: Float64Array | null,
  distance: Distance,
) {
  const kinds = new Map<string, { readonly row: number; readonly weight: number; records: number }>()
  for (const row of rows) {
    const records = times?.[row] ?? 1
    const weight = weights === null ? 1 : weights[row] / records
    const key = `${values.codes[row]} ${weight}`
    const kind = kinds.get(key) ?? { row, weight, records: 0 }
    kind.records += records
    kinds.set(key, kind)
  }
  const inOrder = [...kinds.values()].sort((a, b) => values.codes[a.row] - values.codes[b.row])
  const records = Int32Array.from(inOrder, (kind) => kind.records)
  const upTo = new Int32Array(records.length)
  for (let k = 0, sum = 0; k < records.length; k++) {
    sum += records[k]
    upTo[k] = sum
  }
  const mass = new Float64Array(values.codes.length)
  const distanceOf = distanceReader({ values }, mass, distance)
  return (size: number, draws: number, random: Stream): number => {
    let sum = 0
    for (let draw = 0; draw < draws; draw++) {
      const drawn = size < records.length ? oneByOne(size, upTo, n, random) : allAtOnce(size, records, random)
      const own = Int32Array.from(drawn, ([kind, times]) => {
        mass[inOrder[kind].row] = times * inOrder[kind].weight
        return inOrder[kind].row
      })
      sum += distanceOf(own, 0, own.length)
    }
    return sum / draws
  }
}

/** How many records of which kinds, in their order: few records by their numbers, of many how many are of each kind. */
function oneByOne(size: number, upTo: Int32Array, n: number, random: Stream): Iterable<readonly [number, number]> {
  const numbers = sampleWithoutReplacement(random, n, size)
  const drawn = new Map<number, number>()
  for (const kind of Int32Array.from(numbers, (number) => countUpTo(upTo, number)).sort())
    drawn.set(kind, (drawn.get(kind) ?? 0) + 1)
  return drawn
}

function allAtOnce(size: number, records: Int32Array, random: Stream): Iterable<readonly [number, number]> {
  return [...drawWithoutReplacement(random, records, size).entries()].filter(([, times]) => times > 0)
}
