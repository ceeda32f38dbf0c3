import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { membersOf, search } from '../../neighbors/search.js'
import { distanceOf, type Space, space, sumBetween } from '../../neighbors/space.js'
import { percent } from '../../print.js'
import type { Stream } from '../../random/stream.js'
import { histogram } from '../../stats/histogram.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { quantileSorted } from '../../stats/quantile.js'
import { standardDeviation } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests.js'
import { jointCodes, type Part, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Column } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { selectRows, table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'

/**
 * Epsilon-identifiability (Yoon, Drumright and van der Schaar 2020): the share of original records that lie closer to a
 * released record than to any other original one. Distance is weighted Gower; a variable weighs 1/H, H its entropy in the
 * original, so that rare values count.
 * If the release were fresh draws from the same population the share would not be 0 but m/(m + n - 1), one half for
 * files of equal size; a tie between a originals and b released records counts b/(a + b), which makes that value exact. The
 * headline is the excess over it, (rate - ρ0)/(1 - ρ0), at least 0.
 * `threshold` is riskutility's definition: the share of released records within ε of an original one.
 * Blind to which record a near neighbour belongs to, and to copies that are no closer than the original's own twins.
 */
const options = z.object({
  definition: z
    .enum(['closer', 'threshold'])
    .default('closer')
    .describe("closer: Yoon et al.; threshold: riskutility's share of released records within epsilon"),
  epsilon: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('distance below which a released record is flagged, for threshold'),
  bins: z.number().int().min(2).default(20).describe('equal bins of a numeric variable for its entropy'),
  weightCap: z
    .number()
    .gt(0)
    .nullable()
    .default(null)
    .describe('largest weight of a variable, in multiples of the equal weight 1/p (for example 5); none by default'),
  queries: z
    .number()
    .int()
    .min(1)
    .default(5000)
    .describe('records asked for their neighbour where a file is larger than exactUpTo'),
  exactUpTo: z.number().int().min(1).default(20_000).describe('files up to this size are searched from every record'),
  permutations: z.number().int().min(0).default(199).describe('permutations of membership for the test with a holdout'),
})

type Options = z.output<typeof options>

const ACCEPTED = 0.1
/** Bins reach this far beyond the smallest and largest value, as in riskutility. */
const WIDENED = 1e-10
/** The test permutes distances between at most this many records of each side. */
const TEST_RECORDS = 400

export const epsilonIdentifiability = measure({
  id: 'epsilon-identifiability',
  version: 1,
  title: 'Epsilon-identifiability',
  summary: 'how much more often than by chance an original record is closer to the release than to the other originals',
  family: 'frequency',
  threat: 'identity',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  options,
  compute,
  thresholds: { literature: [{ value: ACCEPTED, meaning: 'rate usually accepted', source: 'riskutility 0.2.0' }] },
  sentence: ({ details }) =>
    details.closer === null
      ? `${percent(details.threshold?.rate ?? 0)} of the released records are within ${details.threshold?.epsilon ?? 0} of an original one`
      : `${percent(details.closer.adjustedRate)} of the original records are nearest to a released one; independent data would give ${percent(details.closer.chance)}`,
  charts: ({ details }, { name }) => [
    ...(details.closer === null
      ? []
      : [
          barChart(
            { name: 'rates', title: `Originals nearest to a released record: ${name}`, x: '', y: 'share of originals' },
            [
              { label: 'by chance', value: details.closer.chance, series: 'original' as const },
              { label: 'found', value: details.closer.adjustedRate, alarm: (details.closer.excess ?? 0) > ACCEPTED },
              ...(details.holdout === null
                ? []
                : [{ label: 'holdout', value: details.holdout.holdoutRate, series: 'original' as const }]),
            ],
          ),
        ]),
    ...(details.threshold === null
      ? []
      : [
          histogramChart(
            {
              name: 'distances',
              title: `Distance to the nearest original: ${name}`,
              x: 'distance',
              y: 'released records',
            },
            details.threshold.histogram,
            [{ value: details.threshold.epsilon, label: 'epsilon' }],
          ),
        ]),
    barChart(
      { name: 'weights', title: `Weight of each variable: ${name}`, x: 'variable', y: 'weight' },
      [...details.variables]
        .sort((a, b) => b.weight - a.weight)
        .map(({ variable, weight }) => ({ label: variable, value: weight })),
    ),
  ],
})

function compute({ release, part }: Subject, chosen: Options, context: Context): Finding<Details> {
  if (release.variables.length === 0) throw new NotApplicable('the original and the release have no variable in common')
  const warnings: string[] = []
  const parts: Part[] = release.holdout === null ? ['original', part] : ['original', part, 'holdout']
  const complete = parts.map((one) => completeRows(release, one))
  for (const [k, rows] of complete.entries()) {
    const { name, rows: all } = tableOfPart(release, parts[k])
    if (rows.length === 0) throw new NotApplicable(`every record of ${name} has a missing value`)
    if (rows.length < all) warnings.push(`${all - rows.length} records of ${name} with a missing value were left out`)
  }
  const variables = weighVariables(release, complete[0], chosen, warnings)
  const points = pointsOf(release, parts, complete, variables)
  const common = {
    definition: chosen.definition,
    originals: complete[0].length,
    released: complete[1].length,
    droppedOriginals: tableOfPart(release, 'original').rows - complete[0].length,
    droppedReleased: tableOfPart(release, part).rows - complete[1].length,
    variables: variables.map(({ name, weight, entropy }) => ({ variable: name, weight, entropy })),
  }
  if (chosen.definition === 'threshold') return byThreshold(points, chosen, context, common, warnings)
  return byCloseness(release, points, complete, chosen, context, common, warnings)
}

type Common = {
  readonly definition: string
  readonly originals: number
  readonly released: number
  readonly droppedOriginals: number
  readonly droppedReleased: number
  readonly variables: readonly { readonly variable: string; readonly weight: number; readonly entropy: number }[]
}

type Details = Common & {
  readonly closer: Closer | null
  readonly holdout: HoldoutComparison | null
  readonly threshold: ThresholdFigures | null
}

type Closer = {
  /** Strictly closer to a released record. */
  readonly strictRate: number
  /** A tie of a originals and b released records counts b/(a + b). */
  readonly adjustedRate: number
  /** m/(m + n - 1). */
  readonly chance: number
  readonly excess: number | null
  readonly queries: number
  readonly sampled: boolean
}

type HoldoutComparison = {
  readonly records: number
  readonly originalRate: number
  readonly holdoutRate: number
  readonly privacyLoss: number
  /** One-sided, by permuting who was in the original; null without permutations. */
  readonly pValue: number | null
  readonly testedRecords: number
}

type ThresholdFigures = {
  readonly epsilon: number
  readonly rate: number
  readonly flagged: number
  readonly queries: number
  readonly sampled: boolean
  readonly mean: number
  readonly sd: number | null
  readonly quantiles: Readonly<Record<'p0' | 'p5' | 'p25' | 'p50' | 'p75' | 'p95' | 'p100', number>>
  readonly histogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

interface WeighedVariable {
  readonly name: string
  readonly weight: number
  readonly entropy: number
}

/** ω = (1/H)/Σ(1/H) with H the entropy in the original; 0 for a constant variable. */
function weighVariables(
  release: Release,
  originals: Int32Array,
  { bins, weightCap }: Options,
  warnings: string[],
): WeighedVariable[] {
  const entropies = release.variables.map((name) => entropyOf(release, name, originals, bins))
  const inverse = entropies.map((entropy) => (entropy > 0 ? 1 / entropy : 0))
  const total = inverse.reduce((a, b) => a + b, 0)
  if (total === 0) warnings.push('every variable is constant in the original: all weigh the same')
  const weights = total === 0 ? inverse.map(() => 1 / inverse.length) : inverse.map((value) => value / total)
  const capped = weightCap === null ? weights : cap(weights, weightCap / weights.length)
  return release.variables.map((name, k) => ({ name, weight: capped[k], entropy: entropies[k] }))
}

/** Weights cut at `most`, what is cut going to the others in proportion, until none is above or all are there. */
function cap(weights: readonly number[], most: number): number[] {
  const positive = weights.filter((weight) => weight > 0).length
  if (most * positive <= 1) return weights.map((weight) => (weight > 0 ? 1 / positive : 0))
  const fixed = new Set<number>()
  for (;;) {
    const free = weights.reduce((sum, weight, k) => sum + (fixed.has(k) ? 0 : weight), 0)
    const left = 1 - most * fixed.size
    const scaled = weights.map((weight, k) => (fixed.has(k) ? most : (weight * left) / free))
    const over = scaled.findIndex((weight, k) => !fixed.has(k) && weight > most)
    if (over < 0) return scaled
    for (const [k, weight] of scaled.entries()) if (weight > most) fixed.add(k)
  }
}

function entropyOf(release: Release, name: string, originals: Int32Array, bins: number): number {
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  const place = joint.kind === 'categorical' ? null : binOfEachNumber(joint.numbers, codes, originals, bins)
  const counts = new Float64Array(place === null ? joint.cardinality : bins)
  for (const row of originals) counts[place === null ? codes[row] : place[codes[row]]]++
  let entropy = 0
  for (const count of counts) {
    const share = count / originals.length
    if (share > 0) entropy -= share * Math.log(share)
  }
  return entropy > 1e-12 ? entropy : 0
}

/** Right-closed bins of equal width over the original's range, the ends a little widened. */
function binOfEachNumber(numbers: Float64Array, codes: Int32Array, originals: Int32Array, bins: number): Int32Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const row of originals) {
    low = Math.min(low, numbers[codes[row]])
    high = Math.max(high, numbers[codes[row]])
  }
  const start = low - WIDENED
  const width = (high + WIDENED - start) / bins
  return Int32Array.from(numbers, (value) =>
    low < high ? Math.max(0, Math.min(bins - 1, Math.ceil((value - start) / width) - 1)) : 0,
  )
}

function completeRows(release: Release, part: Part): Int32Array {
  const columns = release.variables.map((name) => {
    const joint = jointCodes(release, name)
    return rowsOfPart(release, joint, joint.codes, part)
  })
  const rows = Int32Array.from({ length: tableOfPart(release, part).rows }, (_, row) => row)
  return rows.filter((row) => columns.every((codes) => codes[row] >= 0))
}

/** The complete records as points; a variable's range is that of the original and the release, and categories have no order. */
function pointsOf(
  release: Release,
  parts: readonly Part[],
  complete: readonly Int32Array[],
  variables: readonly WeighedVariable[],
): Space {
  const tables = parts.map((part, k) => {
    const of = tableOfPart(release, part)
    return table(of.name, selectRows(of, complete[k]).columns.map(withoutOrder))
  })
  const weights = Object.fromEntries(variables.map(({ name, weight }) => [name, weight]))
  return space(tables, release.variables, [0, 1], { clip: false, weights })
}

function withoutOrder(column: Column): Column {
  return column.kind === 'categorical' ? { ...column, ordered: false } : column
}

function byCloseness(
  release: Release,
  points: Space,
  complete: readonly Int32Array[],
  chosen: Options,
  context: Context,
  common: Common,
  warnings: string[],
): Finding<Details> {
  const [originals, released] = points.ids
  if (originals.length < 2) throw new NotApplicable('one original record has no other original to be close to')
  const sampled = originals.length > chosen.exactUpTo
  const rows = sampled ? drawRows(originals.length, chosen.queries, context.random('queries')) : null
  const asked = rows === null ? originals : Int32Array.from(rows, (row) => originals[row])
  const found = closeness(points, asked, originals, released, context)
  const n = asked.length
  const strictRate = found.strict.reduce((a, b) => a + b, 0) / n
  const adjustedRate = found.share.reduce((a, b) => a + b, 0) / n
  const chance = released.length / (released.length + originals.length - 1)
  const toExcess = (rate: number) => (chance < 1 ? (rate - chance) / (1 - chance) : 0)
  const excess = toExcess(adjustedRate)
  const interval = sampled ? wilson(adjustedRate * n, n) : null
  const closer = { strictRate, adjustedRate, chance, excess, queries: n, sampled }
  if (sampled)
    warnings.push(`${n} of ${originals.length} original records were asked for their neighbour, drawn at random`)
  const scores = () => {
    const perRow = new Float64Array(tableOfPart(release, 'original').rows).fill(Number.NaN)
    for (let k = 0; k < n; k++) perRow[complete[0][rows === null ? k : rows[k]]] = found.share[k]
    return perRow
  }
  const holdout = points.ids.length < 3 ? null : againstHoldout(points, chosen, context)
  return {
    value: Math.max(0, excess),
    interval: interval === null ? null : excessInterval(interval, toExcess),
    reference: { value: 0, what: 'by chance' },
    verdict: verdictOf('the excess over chance', Math.max(0, excess)),
    details: { ...common, closer, holdout, threshold: null },
    warnings,
    records: () => ({ closerToRelease: scores() }),
  }
}

function excessInterval({ lower, upper, level, method }: Interval, toExcess: (rate: number) => number): Interval {
  return { lower: Math.max(0, toExcess(lower)), upper: Math.max(0, toExcess(upper)), level, method }
}

/** For each asked point of `inside`: is its nearest record outside (strictly), and what share of the nearest are outside? */
function closeness(
  points: Space,
  asked: Int32Array,
  inside: Int32Array,
  outside: Int32Array,
  { progress, signal }: Context,
) {
  const insideCount = countPoints(inside, points.count)
  const outsideCount = countPoints(outside, points.count)
  const { nearest } = search(points, membersOf(points, inside, outside))
  const known = new Float64Array(points.count).fill(-1)
  const strict = new Float64Array(asked.length)
  const share = new Float64Array(asked.length)
  for (let k = 0; k < asked.length; k++) {
    if (k % 256 === 0) {
      throwIfAborted(signal)
      progress(k, asked.length)
    }
    const point = asked[k]
    if (known[point] < 0) known[point] = shareOutside(point)
    share[k] = known[point]
    strict[k] = known[point] === 1 ? 1 : 0
  }
  return { strict, share }

  function shareOutside(point: number): number {
    const found = nearest(point, 1, true)
    let a = 0
    let b = 0
    for (let near = 0; near < found.count; near++) {
      const other = found.points[near]
      a += insideCount[other] - (other === point ? 1 : 0)
      b += outsideCount[other]
    }
    return b / (a + b)
  }
}

function countPoints(of: Int32Array, points: number): Int32Array {
  const counts = new Int32Array(points)
  for (const point of of) counts[point]++
  return counts
}

/** The same question for people who were not in the original, at equal sizes: what is left is due to having been in it. */
function againstHoldout(points: Space, chosen: Options, context: Context): HoldoutComparison | null {
  const [originals, released, holdout] = points.ids
  const size = Math.min(originals.length, holdout.length)
  if (size < 2) return null
  const pick = (from: Int32Array, purpose: string) =>
    Int32Array.from(drawRows(from.length, size, context.random(purpose)), (row) => from[row])
  const members = pick(originals, 'holdout members')
  const others = pick(holdout, 'holdout others')
  const rate = (inside: Int32Array) => {
    const asked = inside.length > chosen.exactUpTo ? inside.subarray(0, chosen.queries) : inside
    return closeness(points, asked, inside, released, context).strict.reduce((a, b) => a + b, 0) / asked.length
  }
  const originalRate = rate(members)
  const holdoutRate = rate(others)
  const tested = Math.min(size, TEST_RECORDS)
  const pValue =
    chosen.permutations === 0
      ? null
      : permutationTest(points, members.subarray(0, tested), others.subarray(0, tested), released, chosen, context)
  return {
    records: size,
    originalRate,
    holdoutRate,
    privacyLoss: originalRate - holdoutRate,
    pValue,
    testedRecords: 2 * tested,
  }
}

/** Were the two groups alike, any division of their records would be as likely; the difference of rates is compared over many. */
function permutationTest(
  points: Space,
  members: Int32Array,
  others: Int32Array,
  released: Int32Array,
  { permutations }: Options,
  { random, signal }: Context,
): number {
  const pool = Int32Array.from([...members, ...others])
  const size = pool.length
  const { nearest } = search(points, membersOf(points, released))
  const outside = Float64Array.from(pool, (point) => nearest(point, 1).kth)
  const between = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) between[i * size + j] = sumBetween(points, pool[i], pool[j])
  const group = new Uint8Array(size)
  const difference = (order: Int32Array) => {
    for (let k = 0; k < size; k++) group[order[k]] = 2 * k < size ? 1 : 0
    let closer = 0
    for (let i = 0; i < size; i++) {
      let inside = Number.POSITIVE_INFINITY
      for (let j = 0; j < size; j++)
        if (j !== i && group[j] === group[i] && between[i * size + j] < inside) inside = between[i * size + j]
      if (outside[i] < inside) closer += group[i] === 1 ? 1 : -1
    }
    return (2 * closer) / size
  }
  const order = Int32Array.from(pool, (_, k) => k)
  const observed = difference(order)
  const permuted = new Float64Array(permutations)
  for (let k = 0; k < permutations; k++) {
    throwIfAborted(signal)
    permuted[k] = difference(drawRows(size, size, random('permutation', k)))
  }
  return permutationPValue(observed, permuted)
}

/** riskutility: the distance of each released record to the nearest original one, flagged below ε. */
function byThreshold(
  points: Space,
  chosen: Options,
  context: Context,
  common: Common,
  warnings: string[],
): Finding<Details> {
  const [originals, released] = points.ids
  const sampled = released.length > chosen.exactUpTo
  const asked = sampled
    ? Int32Array.from(drawRows(released.length, chosen.queries, context.random('queries')), (row) => released[row])
    : released
  const { nearest } = search(points, membersOf(points, originals))
  const known = new Float64Array(points.count).fill(-1)
  const distances = new Float64Array(asked.length)
  for (let k = 0; k < asked.length; k++) {
    if (k % 256 === 0) {
      throwIfAborted(context.signal)
      context.progress(k, asked.length)
    }
    const point = asked[k]
    if (known[point] < 0) known[point] = distanceOf(points, nearest(point, 1).kth)
    distances[k] = known[point]
  }
  if (sampled)
    warnings.push(
      `${asked.length} of ${released.length} released records were asked for their neighbour, drawn at random`,
    )
  const sorted = distances.slice().sort()
  const at = (share: number) => quantileSorted(sorted, share) ?? 0
  const flagged = sorted.reduce((n, distance) => n + (distance < chosen.epsilon ? 1 : 0), 0)
  const rate = flagged / asked.length
  const threshold: ThresholdFigures = {
    epsilon: chosen.epsilon,
    rate,
    flagged,
    queries: asked.length,
    sampled,
    mean: sorted.reduce((a, b) => a + b, 0) / sorted.length,
    sd: standardDeviation(sorted),
    quantiles: { p0: at(0), p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), p100: at(1) },
    histogram: histogram(sorted, 30, 0, Math.max(at(1), chosen.epsilon)),
  }
  return {
    value: rate,
    interval: sampled ? wilson(flagged, asked.length) : null,
    verdict: verdictOf('the share of released records near an original one', rate),
    details: { ...common, closer: null, holdout: null, threshold },
    warnings,
  }
}

/** `size` different numbers below n, in random order. */
function drawRows(n: number, size: number, random: Stream): Int32Array {
  const rows = Int32Array.from({ length: n }, (_, row) => row)
  const drawn = Math.min(size, n)
  for (let k = 0; k < drawn; k++) {
    const other = k + random.below(n - k)
    const row = rows[other]
    rows[other] = rows[k]
    rows[k] = row
  }
  return rows.slice(0, drawn)
}

function verdictOf(what: string, value: number): Verdict {
  return {
    level: value <= ACCEPTED ? 'LOW' : 'ELEVATED',
    because: `${what} is ${value.toPrecision(3)} (over ${ACCEPTED} elevated)`,
  }
}
