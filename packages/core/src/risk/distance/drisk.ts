import { z } from 'zod'
import { histogramChart, lineChart } from '../../chart/chart.js'
import { NotApplicable, UserError, unknownName } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { membersOf } from '../../neighbors/search.js'
import type { Points } from '../../neighbors/space.js'
import { nearestDistances } from '../../neighbors/tasks.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { type Interval, type ResidualRisk, residualRisk, wilson } from '../../stats/intervals.js'
import { quantile, quantiles } from '../../stats/quantile.js'
import { mean } from '../../stats/sums.js'
import { tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import { CONTROL_LIMITS, type ControlStatus, controlVerdict, notAssessable } from '../control-verdict.js'
import { closestBoxes } from './closest-boxes.js'
import { chiSquaredQuantile, robustCovariance, whitened } from './robust-covariance.js'

/**
 * Distance-based disclosure risk of numeric columns, by two closenesses.
 * Interval (Templ and Meindl 2008): record x is at risk when some released s has |x_v - s_v| <= d_v in every column v,
 *   d_v = outlierPar · IQR(X_v) / (2n)^(1/3).
 * RMD: the least robust Mahalanobis distance from x to a released record, with the covariance of the minimum covariance
 *   determinant; at risk below τ, the distance that a share q of the holdout has to its nearest original (riskutility
 *   takes √χ²_{p, 0.95}, the radius of 95 % of the population, within which nearly everybody has somebody).
 * Both are asked of the holdout too: the same release, people who are not in it. Blind to categories, and the interval
 * to copies with noise: its width shrinks as the file grows.
 */
const options = z.object({
  variables: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe('numeric columns to compare; all that original, release and holdout share when not given'),
  outlierPar: z
    .number()
    .positive()
    .default(0.01)
    .describe('width of the intervals, in interquartile ranges over the cube root of 2n'),
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('riskutility: records below the 1 - alpha quantile of the chi distribution are at risk by RMD'),
  quantile: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe('share of the holdout that is as near to an original as RMD calls close'),
})

type Options = z.output<typeof options>

/** Share of original and holdout records at risk from the same release, and what remains beyond the holdout. */
type Shares = {
  readonly original: number
  readonly holdout: number | null
  readonly residual: number | null
  readonly interval: Interval | null
  readonly p: number | null
}

type RobustDistances = {
  /** √χ²_{p, 1 - alpha} and the share of originals below it, as riskutility. */
  readonly threshold: number
  readonly belowThreshold: number
  readonly mean: number
  readonly quantiles: readonly { readonly share: number; readonly distance: number }[]
  readonly histogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
  /** Distances of the holdout to the original set the scale τ; null without holdout. */
  readonly calibrated: (Shares & { readonly tau: number; readonly q: number; readonly released: number }) | null
  readonly singular: boolean
}

type Details = {
  readonly columns: readonly string[]
  readonly widths: readonly number[]
  readonly outlierPar: number
  readonly box: Shares
  /** Shares at risk by width. */
  readonly curve: readonly { readonly outlierPar: number; readonly original: number; readonly holdout: number | null }[]
  readonly rmd: RobustDistances | null
  readonly rmdReason: string | null
  readonly dropped: { readonly original: number; readonly released: number; readonly holdout: number }
  /** riskutility: the larger of both shares must not exceed 10 %. */
  readonly riskutility: { readonly score: number; readonly pass: boolean }
  readonly status: ControlStatus
  readonly score: number | null
}

const RISKUTILITY_PASSES_UP_TO = 0.1
const CURVE = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
const SHARES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1]
const BINS = 30
/** Interval and RMD are two chances to find something. */
const TESTS = 2

export const drisk = measure({
  id: 'drisk',
  version: 1,
  title: 'Distance-based disclosure risk (dRisk)',
  summary: 'share of people with a released record inside a small interval around all their numbers',
  family: 'distance',
  threat: 'identity',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  options,
  compute,
  thresholds: {
    literature: [
      { value: RISKUTILITY_PASSES_UP_TO, meaning: 'both shares up to 10 % pass', source: 'riskutility' },
      { value: 0.05, meaning: 'interval share below 5 % passes in the report', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { box, rmd } }) =>
    `${percent(box.original)} of people have a released record inside the interval around their numbers${box.holdout === null ? '' : ` (${percent(box.holdout)} of people outside the release)`}${rmd === null || rmd.calibrated === null ? '' : `; ${percent(rmd.calibrated.original)} have one as near as ${percent(rmd.calibrated.q, 0)} of outsiders are to an original (${percent(rmd.calibrated.holdout ?? 0)} of outsiders)`}`,
  charts: ({ details }, { name }) => [
    lineChart(
      { name: 'widths', title: `At risk by width of the interval: ${name}`, x: 'outlierPar', y: 'share at risk' },
      details.curve.flatMap(({ outlierPar, original, holdout }) => [
        { x: outlierPar, y: original, series: 'original' },
        ...(holdout === null ? [] : [{ x: outlierPar, y: holdout, series: 'holdout' }]),
      ]),
      { rules: [{ value: details.outlierPar, label: 'chosen' }] },
    ),
    ...(details.rmd === null
      ? []
      : [
          histogramChart(
            {
              name: 'robust-distances',
              title: `Nearest released record: ${name}`,
              x: 'robust Mahalanobis distance',
              y: 'original records',
            },
            details.rmd.histogram,
            details.rmd.calibrated === null ? [] : [{ value: details.rmd.calibrated.tau, label: 'close' }],
          ),
        ]),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release, part } = subject
  const names = numericNames(release, chosen.variables)
  const original = completeNumbers(release.original, names)
  const released = completeNumbers(tableOfPart(release, part), names)
  const holdout = release.holdout === null ? null : completeNumbers(release.holdout, names)
  const n = original.rows.length

  const unit = original.columns.map((column) => interquartileRange(column) / Math.cbrt(2 * n))
  const most = Math.max(chosen.outlierPar, ...CURVE)
  const boxes = closestBoxes(original.columns, released.columns, unit, most)
  const heldBoxes = holdout === null ? null : closestBoxes(holdout.columns, released.columns, unit, most)
  const within = (scores: Float64Array, limit: number) => scores.filter((score) => score <= limit).length
  const sharesAt = (limit: number) =>
    sharesOf(within(boxes, limit), n, heldBoxes === null ? 0 : within(heldBoxes, limit), heldBoxes?.length ?? 0)

  const box = sharesAt(chosen.outlierPar)
  const robust = await robustDistances(original, released, holdout, chosen, context)
  const rmd = typeof robust === 'string' ? null : robust.found
  const { status, verdict } = judge(box, rmd)
  const deciding = rmd?.calibrated ?? box
  const score = Math.max(box.original, rmd?.belowThreshold ?? 0)
  return {
    value: box.original,
    interval: wilson(box.original * n, n),
    ...(box.holdout === null ? {} : { reference: { value: box.holdout, what: 'of outsiders' } }),
    verdict,
    details: {
      columns: names,
      widths: unit.map((width) => chosen.outlierPar * width),
      outlierPar: chosen.outlierPar,
      box,
      curve: CURVE.map((outlierPar) => {
        const { original: share, holdout: held } = sharesAt(outlierPar)
        return { outlierPar, original: share, holdout: held }
      }),
      rmd,
      rmdReason: typeof robust === 'string' ? robust : null,
      dropped: { original: original.dropped, released: released.dropped, holdout: holdout?.dropped ?? 0 },
      riskutility: { score, pass: score <= RISKUTILITY_PASSES_UP_TO },
      status,
      score: deciding.holdout === null ? null : Math.max(0, deciding.original - deciding.holdout),
    },
    warnings: warningsOf(release, names, [original, released, ...(holdout === null ? [] : [holdout])], rmd),
    records: () => ({
      atRisk: onRows(original, boxes, (score) => (score <= chosen.outlierPar ? 1 : 0)),
      ...(typeof robust === 'string' ? {} : { robustDistance: onRows(original, robust.distances, (d) => d) }),
    }),
  }
}

/** Numbers and dates; a chosen column that holds categories is an error. */
function numericNames(release: Release, variables: readonly string[] | null): readonly string[] {
  const unknown = (variables ?? []).filter((name) => !release.variables.includes(name))
  if (unknown.length > 0) throw new UserError(unknown.map((name) => unknownName('column', name, release.variables)))
  const isNumeric = (name: string) => columnOf(release.original, name).kind !== 'categorical'
  const categories = (variables ?? []).filter((name) => !isNumeric(name))
  if (categories.length > 0)
    throw new UserError(`drisk: compares numbers only, but "${categories[0]}" holds categories`)
  const names = (variables ?? release.variables).filter(isNumeric)
  if (names.length === 0) throw new NotApplicable('there is no numeric column')
  return names
}

interface Numbers {
  readonly columns: readonly Float64Array[]
  readonly rows: Int32Array
  readonly fileRows: number
  readonly dropped: number
}

function completeNumbers(from: Table, names: readonly string[]): Numbers {
  const all = names.map((name) => {
    const column = columnOf(from, name)
    if (column.kind === 'categorical') throw new Error(`"${name}" holds categories`)
    return column.values
  })
  const rows = Int32Array.from({ length: from.rows }, (_, row) => row).filter((row) =>
    all.every((values) => !Number.isNaN(values[row])),
  )
  if (rows.length === 0) throw new NotApplicable(`${from.name} has no record with all its numbers`)
  const columns = all.map((values) => Float64Array.from(rows, (row) => values[row]))
  return { columns, rows, fileRows: from.rows, dropped: from.rows - rows.length }
}

function interquartileRange(values: Float64Array): number {
  const [lower, upper] = quantiles(values, [0.25, 0.75]) ?? [0, 0]
  return upper - lower
}

function sharesOf(hits: number, n: number, heldHits: number, held: number): Shares {
  const found: ResidualRisk | null = residualRisk(hits, n, heldHits, held)
  return {
    original: hits / n,
    holdout: held === 0 ? null : heldHits / held,
    residual: found?.residual ?? null,
    interval: found?.interval ?? null,
    p: found?.p ?? null,
  }
}

/** The distances, or why there are none. */
async function robustDistances(
  original: Numbers,
  released: Numbers,
  holdout: Numbers | null,
  chosen: Options,
  context: Context,
): Promise<string | { readonly found: RobustDistances; readonly distances: Float64Array }> {
  const p = original.columns.length
  if (p < 2) return 'a Mahalanobis distance needs two numeric columns'
  const covariance = robustCovariance(original.columns, context.random('covariance'))
  if (covariance === null) return 'too few records or a constant column: there is no covariance'
  const { points, ids } = whitenedPoints(
    [original, released, ...(holdout === null ? [] : [holdout])].map(({ columns }) => whitened(columns, covariance)),
  )
  const [x, s, h] = ids
  const nearest = (from: Int32Array, to: Int32Array) => nearestDistances(context, points, membersOf(points, to), from)
  const distances = await nearest(x, s)
  const threshold = Math.sqrt(chiSquaredQuantile(1 - chosen.alpha, p))
  const below = (values: Float64Array, limit: number) => values.filter((value) => value <= limit).length
  let calibrated: RobustDistances['calibrated'] = null
  if (holdout !== null) {
    const tau = quantile(await nearest(h, x), chosen.quantile) ?? 0
    calibrated = {
      tau,
      q: chosen.quantile,
      released: below(await nearest(s, x), tau) / s.length,
      ...sharesOf(below(distances, tau), x.length, below(await nearest(h, s), tau), h.length),
    }
  }
  const ends = quantiles(distances, SHARES) ?? []
  return {
    found: {
      threshold,
      belowThreshold: distances.filter((distance) => distance < threshold).length / x.length,
      mean: mean(distances) ?? 0,
      quantiles: SHARES.map((share, k) => ({ share, distance: ends[k] })),
      histogram: histogram(distances, BINS, 0, ends[SHARES.length - 1]),
      calibrated,
      singular: covariance.singular,
    },
    distances,
  }
}

/** Where 32 bits of the search look closely: within this many robust standard deviations twice. Beyond, 64 bits decide. */
const CLOSE_LOOK = 2

/** Whitened records, each a point of its own, with the Euclidean distance: without scaling by ranges, as outliers set them. */
function whitenedPoints(files: readonly (readonly Float64Array[])[]): { points: Points; ids: Int32Array[] } {
  const width = files[0].length
  const sizes = files.map(([first]) => first.length)
  const count = sizes.reduce((sum, size) => sum + size, 0)
  const values = new Float64Array(count * width)
  const ids: Int32Array[] = []
  let next = 0
  for (const [k, columns] of files.entries()) {
    const start = next
    ids.push(Int32Array.from({ length: sizes[k] }, (_, row) => start + row))
    for (let row = 0; row < sizes[k]; row++, next++)
      for (let j = 0; j < width; j++) values[next * width + j] = columns[j][row]
  }
  const weights = new Float64Array(width).fill(CLOSE_LOOK)
  const points: Points = {
    metric: 'euclidean',
    missing: 'match',
    clip: false,
    count,
    weights,
    nominal: 0,
    values,
    weight: CLOSE_LOOK * width,
  }
  return { points, ids }
}

function judge(box: Shares, rmd: RobustDistances | null) {
  if (box.holdout === null) return notAssessable()
  const tests = [
    { what: 'records at risk by interval', ...box },
    ...(rmd?.calibrated ? [{ what: 'records at risk by robust distance', ...rmd.calibrated }] : []),
  ].flatMap(({ what, residual, interval, p }) =>
    residual === null || p === null ? [] : [{ what, effect: residual, interval, p: Math.min(1, TESTS * p) }],
  )
  if (tests.length === 0) return notAssessable('everybody outside the release is at risk as well')
  const [strongest] = tests.toSorted((a, b) => a.p - b.p || b.effect - a.effect)
  return controlVerdict({ ...strongest, limits: CONTROL_LIMITS.residual, minimalDetectable: null })
}

function warningsOf(
  release: Release,
  names: readonly string[],
  files: readonly Numbers[],
  rmd: RobustDistances | null,
): string[] {
  const incomplete = files.reduce((sum, { dropped }) => sum + dropped, 0)
  const categories = release.variables.filter((name) => !names.includes(name)).length
  return [
    ...(categories > 0 ? [`${categories} columns that hold no numbers, or were not chosen, are not compared`] : []),
    ...(incomplete > 0 ? [`${incomplete} records with a missing number left out`] : []),
    ...(rmd?.singular
      ? [
          'most records lie in a plane (a column with mostly one value?): the ordinary covariance was used instead of the robust one',
        ]
      : []),
  ]
}

function onRows({ rows, fileRows }: Numbers, scores: Float64Array, of: (score: number) => number): Float64Array {
  const spread = new Float64Array(fileRows).fill(Number.NaN)
  for (let k = 0; k < rows.length; k++) spread[rows[k]] = of(scores[k])
  return spread
}
