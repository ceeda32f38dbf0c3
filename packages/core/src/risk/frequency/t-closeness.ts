import { math, rowsByGroup } from '@scrim/kernels'
import { z } from 'zod'
import { histogramChart, lineChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import type { Stream } from '../../random/stream.js'
import { histogram } from '../../stats/histogram.js'
import { quantiles } from '../../stats/quantile.js'
import { mean } from '../../stats/sums.js'
import { jointCodes, rowsOfPart, weightsOfPart } from '../../table/classes.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { throwIfAborted } from '../../tasks/task.js'
import { type Distance, nominalDistance, orderedDistance, treeDistance, treeProblems } from './earth-movers.js'
import {
  alongRows,
  type SensitiveClasses,
  type SensitiveValues,
  sensitiveClasses,
  sensitiveOptions,
  sensitiveWarnings,
} from './sensitive.js'

/**
 * t-closeness: the distribution of a sensitive variable within every class of records with the same key is near that in
 * the whole file (Li, Li and Venkatasubramanian 2007). With the earth mover's distance EMD_j between class j and the file,
 * a class violates t when EMD_j > t. The headline is the share of records in violating classes.
 * The ground distance between two values is |rank - rank| / (m - 1) (`ordered`), |x - y| / range (`value`), 1 (`nominal`)
 * or the height of their common ancestor in a tree over the tree's height (`hierarchical`).
 * A small class is far from the file by chance alone, a single record most of all: read the figures for classes of at
 * least k records, and the excess over the EMD of random classes of the same size. Blind to who is in the class.
 */
const DEFAULT_T = 0.2
const ROUNDING = 1e-12

const options = z.object({
  t: z.number().min(0).max(1).default(DEFAULT_T).describe('largest distance from the file that is acceptable'),
  distance: z
    .enum(['auto', 'ordered', 'value', 'nominal', 'hierarchical'])
    .default('auto')
    .describe('distance between two values; auto: ordered for numbers, dates and ordered categories, else nominal'),
  tree: z
    .record(z.string(), z.string())
    .nullable()
    .default(null)
    .describe('for hierarchical: the parent of every value and of every group but the topmost'),
  k: z.number().int().min(1).default(5).describe('figures are also given for classes of at least this many records'),
  ...sensitiveOptions,
  weighted: z.boolean().default(true).describe('use the weights of the file, where it has any, for the distributions'),
})

type Options = z.output<typeof options>

export const tCloseness = measure({
  id: 't-closeness',
  version: 1,
  title: 't-closeness',
  summary: 'share of records in classes where the sensitive variable is distributed unlike in the file',
  family: 'frequency',
  threat: 'attribute',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys', 'target'],
  unit: 'share',
  blindTo: "classes that are as homogeneous as the file, and whether a synthetic class is anybody's",
  options,
  check,
  compute,
  citations: ['li2007'],
  records: {
    emd: { riskier: 'higher', meaning: 'distance between the target in the class and in the file' },
    excess: { riskier: 'higher', meaning: 'that distance beyond what a random class of this size has' },
    classSize: { riskier: 'lower', meaning: 'records of the file with the same key' },
  },
  thresholds: {
    literature: [
      { value: DEFAULT_T, meaning: 'a t of 0.15 to 0.2 is usual', source: 'Li, Li and Venkatasubramanian 2007' },
    ],
  },
  sentence: ({ details }) =>
    `t = ${details.achieved.toFixed(3)}; ${count(details.violating, 'record')} (${percent(details.violatingShare)}) in classes where ${details.target} is more than ${details.t} away from the file; ${details.atLeastK.violatingShare === null ? `no class has ${details.atLeastK.k} records` : `${percent(details.atLeastK.violatingShare)} within classes of at least ${details.atLeastK.k}`}`,
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'distances',
        title: `Distance of the classes from the file in ${details.target}: ${name}`,
        x: "earth mover's distance",
        y: 'classes',
      },
      details.emdHistogram,
      [{ value: details.t, label: `t = ${details.t}` }],
    ),
    lineChart(
      {
        name: 'by-size',
        title: `Distance by size of the class: ${name}`,
        x: 'records in the class (logarithm to base 10)',
        y: "mean earth mover's distance",
      },
      details.bySize.flatMap(({ size, meanEmd, expected }) => [
        { x: math.log10(size), y: meanEmd, series: 'classes' },
        { x: math.log10(size), y: expected, series: 'random classes of the same size' },
      ]),
    ),
  ],
})

function check(release: Release, { distance, tree, bins }: Options): string[] {
  if (distance !== 'hierarchical')
    return tree === null ? [] : [`the option tree is used by the distance "hierarchical" only, not by "${distance}"`]
  if (tree === null) return ['the distance "hierarchical" needs the option tree']
  if (bins !== null) return ['the distance "hierarchical" is between values as they are: leave out bins']
  return release.targets.flatMap((target) => treeProblems(valuesOf(release, target), tree, target))
}

/** The values of a variable that occur in the original or in a release. */
function valuesOf(release: Release, name: string): string[] {
  const joint = jointCodes(release, name)
  const occurs = new Uint8Array(joint.cardinality)
  for (const part of ['original', ...release.released.keys()] as const)
    for (const code of rowsOfPart(release, joint, joint.codes, part)) if (code >= 0) occurs[code] = 1
  return labelsOf(joint).filter((_, code) => occurs[code] === 1)
}

function compute({ release, part, target }: Subject, chosen: Options, context: Context): Finding<Details> {
  const classes = sensitiveClasses(release, part, release.keys, target, { ...chosen, sensitiveMissing: 'drop' })
  const weights = chosen.weighted ? weightsOfPart(release, part) : null
  const kind = distanceKind(target, classes.values, chosen)
  const distance = distanceFor(kind, target, classes, weights, chosen)
  const emd = classDistances(classes, weights, distance)
  const expected = expectedDistances(classes, weights, distance, context)
  const details = describe(target, kind, classes, emd, expected, weights !== null, chosen)
  const warnings = sensitiveWarnings(target, classes)
  if (kind === 'ordered' && !classes.values.ordered)
    warnings.push(`"${target}" is not declared as ordered; its levels are taken in the order in which they are listed`)
  return {
    value: details.violatingShare,
    interval: null,
    details,
    warnings,
    records: () => ({
      emd: alongRows(emd, classes),
      excess: alongRows(
        emd.map((own, j) => own - expected.of(sizeOf(classes, j))),
        classes,
      ),
      classSize: alongRows(
        emd.map((_, j) => sizeOf(classes, j)),
        classes,
      ),
    }),
  }
}

type DistanceKind = Exclude<Options['distance'], 'auto'>

type Details = {
  readonly target: string
  readonly t: number
  readonly distance: DistanceKind
  readonly satisfied: boolean
  /** The largest EMD of any class. */
  readonly achieved: number
  readonly records: number
  readonly classes: number
  readonly values: number
  readonly droppedKeys: number
  readonly droppedSensitive: number
  readonly missingPolicy: string
  readonly bins: number | null
  readonly weighted: boolean
  readonly violatingClasses: number
  readonly violating: number
  readonly violatingShare: number
  /** Mean over records of the EMD of their class. */
  readonly meanEmd: number
  /** Over classes. */
  readonly emd: {
    readonly min: number
    readonly q1: number
    readonly median: number
    readonly mean: number
    readonly q3: number
    readonly max: number
  }
  readonly emdHistogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
  readonly atLeastK: {
    readonly k: number
    readonly classes: number
    readonly records: number
    readonly achieved: number | null
    readonly violating: number
    readonly violatingShare: number | null
  }
  /** Over records: the EMD that random classes of the same sizes would have, and what is beyond it. */
  readonly meanExpected: number
  readonly meanExcess: number
  readonly maxExcess: number
  readonly simulatedSizes: number
  readonly interpolatedSizes: number
  readonly bySize: readonly {
    readonly size: number
    readonly classes: number
    readonly meanEmd: number
    readonly maxEmd: number
    readonly expected: number
  }[]
}

function distanceKind(
  target: string,
  { kind, ordered, numbers }: SensitiveValues,
  { distance }: Options,
): DistanceKind {
  if (distance === 'auto') return kind !== 'categorical' || ordered ? 'ordered' : 'nominal'
  if (distance === 'value' && numbers.length === 0)
    throw new NotApplicable(`the distance "value" needs numbers, and "${target}" has none`)
  return distance
}

function distanceFor(
  kind: DistanceKind,
  target: string,
  { rows, values }: SensitiveClasses,
  weights: Float64Array | null,
  { tree }: Options,
): Distance {
  const shares = new Float64Array(values.count)
  let total = 0
  for (const row of rows) {
    const weight = weights === null ? 1 : weights[row]
    shares[values.codes[row]] += weight
    total += weight
  }
  for (let value = 0; value < shares.length; value++) shares[value] /= total
  if (kind === 'nominal') return nominalDistance(shares)
  if (kind === 'hierarchical') return treeDistance(shares, values.labels, tree ?? {}, target)
  return orderedDistance(shares, kind === 'value' ? values.numbers : null)
}

function sizeOf({ start }: SensitiveClasses, j: number): number {
  return start[j + 1] - start[j]
}

/** The distance of every class: its values and their shares are runs of its rows, which are sorted by value. */
function classDistances(classes: SensitiveClasses, weights: Float64Array | null, distance: Distance): Float64Array {
  const { rows, start, values } = classes
  const found = new Int32Array(values.count)
  const shares = new Float64Array(values.count)
  const emd = new Float64Array(classes.count)
  for (let j = 0; j < classes.count; j++) {
    const m = runsOf(rows, start[j], start[j + 1], values.codes, weights, found, shares)
    emd[j] = distance(found, shares, m)
  }
  return emd
}

/** Distinct values of rows[from, to), which are sorted by value, and their shares; returns how many there are. */
function runsOf(
  rows: Int32Array,
  from: number,
  to: number,
  codes: Int32Array,
  weights: Float64Array | null,
  found: Int32Array,
  shares: Float64Array,
): number {
  let m = 0
  let total = 0
  for (let k = from; k < to; k++) {
    const code = codes[rows[k]]
    if (m === 0 || code !== found[m - 1]) {
      found[m] = code
      shares[m++] = 0
    }
    const weight = weights === null ? 1 : weights[rows[k]]
    shares[m - 1] += weight
    total += weight
  }
  for (let i = 0; i < m; i++) shares[i] /= total
  return m
}

interface Expected {
  readonly of: (size: number) => number
  readonly simulated: number
  readonly interpolated: number
}

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
function expectedDistances(
  classes: SensitiveClasses,
  weights: Float64Array | null,
  distance: Distance,
  context: Context,
): Expected {
  const { n } = classes
  const occurring = [...new Set(Array.from({ length: classes.count }, (_, j) => sizeOf(classes, j)))].sort(
    (a, b) => a - b,
  )
  const grid = simulatedSizes(occurring.filter((size) => size < n))
  const draw = randomClasses(classes, weights, distance)
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
    of: (size) => known.get(size) ?? 0,
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

/** Mean distance of `draws` random classes of a size; the shuffle goes on from draw to draw, which keeps each one uniform. */
function randomClasses({ values }: SensitiveClasses, weights: Float64Array | null, distance: Distance) {
  // Rows sorted by value, so that sorting drawn places sorts their values.
  const { rows: byValue } = rowsByGroup(values.codes, values.count)
  const places = Int32Array.from(byValue.keys())
  const drawn = new Int32Array(byValue.length)
  const found = new Int32Array(values.count)
  const shares = new Float64Array(values.count)
  return (size: number, draws: number, random: Stream): number => {
    let sum = 0
    for (let draw = 0; draw < draws; draw++) {
      for (let k = 0; k < size; k++) {
        const other = k + random.below(places.length - k)
        const place = places[other]
        places[other] = places[k]
        places[k] = place
        drawn[k] = place
      }
      const own = drawn.subarray(0, size).sort()
      for (let k = 0; k < size; k++) own[k] = byValue[own[k]]
      sum += distance(found, shares, runsOf(own, 0, size, values.codes, weights, found, shares))
    }
    return sum / draws
  }
}

const EMD_BINS = 25

function describe(
  target: string,
  kind: DistanceKind,
  classes: SensitiveClasses,
  emd: Float64Array,
  expected: Expected,
  weighted: boolean,
  { t, k, bins }: Options,
): Details {
  const all = overClasses(classes, emd, expected, t, 1)
  const large = overClasses(classes, emd, expected, t, k)
  const [min, q1, median, q3, max] = quantiles(emd, [0, 0.25, 0.5, 0.75, 1]) ?? [0, 0, 0, 0, 0]
  return {
    target,
    t,
    distance: kind,
    satisfied: all.violating === 0,
    achieved: max,
    records: classes.n,
    classes: classes.count,
    values: classes.values.count,
    droppedKeys: classes.droppedKeys,
    droppedSensitive: classes.droppedSensitive,
    missingPolicy: classes.policy,
    bins,
    weighted,
    violatingClasses: all.violatingClasses,
    violating: all.violating,
    violatingShare: all.violating / classes.n,
    meanEmd: all.emdSum / classes.n,
    emd: { min, q1, median, mean: mean(emd) ?? 0, q3, max },
    emdHistogram: histogram(emd, EMD_BINS, 0, 1),
    atLeastK: {
      k,
      classes: large.classes,
      records: large.records,
      achieved: large.classes === 0 ? null : large.achieved,
      violating: large.violating,
      violatingShare: large.records === 0 ? null : large.violating / large.records,
    },
    meanExpected: all.expectedSum / classes.n,
    meanExcess: (all.emdSum - all.expectedSum) / classes.n,
    maxExcess: all.maxExcess,
    simulatedSizes: expected.simulated,
    interpolatedSizes: expected.interpolated,
    bySize: bySize(classes, emd, expected),
  }
}

/** Sums over the records of classes of at least `k`. */
function overClasses(classes: SensitiveClasses, emd: Float64Array, expected: Expected, t: number, k: number) {
  const sums = {
    classes: 0,
    records: 0,
    achieved: 0,
    violatingClasses: 0,
    violating: 0,
    emdSum: 0,
    expectedSum: 0,
    maxExcess: -1,
  }
  for (let j = 0; j < emd.length; j++) {
    const size = sizeOf(classes, j)
    if (size < k) continue
    const chance = expected.of(size)
    sums.classes++
    sums.records += size
    sums.achieved = Math.max(sums.achieved, emd[j])
    sums.emdSum += size * emd[j]
    sums.expectedSum += size * chance
    sums.maxExcess = Math.max(sums.maxExcess, emd[j] - chance)
    if (emd[j] > t + ROUNDING) {
      sums.violatingClasses++
      sums.violating += size
    }
  }
  return sums
}

/** Classes in bands of 1, 2, 3, 4, 5 and then ever wider sizes; `size` is the mean size in the band. */
function bySize(classes: SensitiveClasses, emd: Float64Array, expected: Expected): Details['bySize'] {
  const bands: { classes: number; records: number; emd: number; max: number; expected: number }[] = []
  for (let j = 0; j < emd.length; j++) {
    const size = sizeOf(classes, j)
    const band = size <= 5 ? size : 5 + Math.ceil(2 * math.log2(size / 5))
    bands[band] ??= { classes: 0, records: 0, emd: 0, max: 0, expected: 0 }
    bands[band].classes++
    bands[band].records += size
    bands[band].emd += emd[j]
    bands[band].max = Math.max(bands[band].max, emd[j])
    bands[band].expected += expected.of(size)
  }
  return Object.values(bands).map((band) => ({
    size: band.records / band.classes,
    classes: band.classes,
    meanEmd: band.emd / band.classes,
    maxEmd: band.max,
    expected: band.expected / band.classes,
  }))
}
