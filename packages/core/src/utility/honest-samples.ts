import { math } from '@scrim/kernels'
import { type Chart, lineChart } from '../chart/chart.js'
import { NotApplicable } from '../errors.js'
import type { Control } from '../evidence/evidence.js'
import type { Equivalent, UtilityEvidence, UtilityScale, UtilityTest } from '../evidence/usefulness.js'
import type { Context, Finding } from '../measure.js'
import { sampleText } from '../print.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { recordsIn } from '../table/table.js'
import { throwIfAborted } from '../tasks/task.js'
import { equivalentSample, type Loss, type LossCurve } from './equivalent.js'
import {
  drawingWeights,
  drawnPair,
  drawRows,
  honestPair,
  itselfPair,
  type Nothing,
  nothingPair,
  type Pair,
  reducedPair,
  withoutCounts,
} from './pair.js'

/**
 * What a measure of utility gives for files of which the quality is known.
 *
 *   honest   bootstrap samples of the original of the size of the release (20, fewer for large files), or the expectation
 *            where it is known. It stands for a release drawn from a correct model of the original.
 *   nothing  every column drawn on its own from its marginal (for what looks at relations), or uniformly over its support
 *            (for what looks at columns one by one); 10 files, fewer for large ones
 *
 * See `evidence/usefulness.ts` for what follows from these. On large files the subsamples of the equivalent sample are
 * those of 1,000 random originals.
 */
export interface Resampled {
  readonly orientation: 'utility' | 'distance'
  /** Its composite score; only the default measures of one belong to it. Others, without any, run in the full profile unless they say `standard`. */
  readonly scale?: UtilityScale
  /** What a file is like that keeps nothing of what is measured. */
  readonly nothing: Nothing
  /** Files that keep nothing, where these are dear; half the honest samples otherwise. */
  readonly nothingDraws?: number
  /**
   * Where the value depends on the size of the release even if nothing else changes (pMSE, X²): `release`, then a
   * subsample is repeated until it is as large as the release. Otherwise `subsample`: it is compared as it is.
   */
  readonly subsampleSize?: 'subsample' | 'release'
  /**
   * Whether the value is in units of what chance does to files of this size (overlap of intervals, S_pMSE). What a subsample
   * loses then goes by its share of the original, otherwise by its number of records: that tells how the curve of a part of
   * a large file speaks for all of it.
   */
  readonly standardised?: boolean
  /** Bounds of the headline; from 0 to 1 unless said otherwise. */
  readonly range?: readonly [number, number]
}

/** The value for a sample of m records with replacement; for other sizes it goes like (1/s - 1/n)^power. 0 for the original. */
export interface Expected {
  readonly value: number
  /** Null where it is not known: then there is no equivalent sample. */
  readonly power: number | null
  /** Standard deviation over mean, of one sample. */
  readonly cv: number
  /** For the original itself; 0 unless given. */
  readonly perfect?: number
  readonly what: string
}

const FEWEST_DRAWS = 2
/** Draws of large files are fewer: their rows together are about this many. */
const ROWS_PER_CONTROL = 50_000
const CURVE_ROWS = 1000
const CURVE_SHARES = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64]
/** Of the honest samples, for each share. */
const CURVE_DRAWS = 0.4
const SMALLEST_SUBSAMPLE = 4
/** A scale needs ends that are further apart than chance makes them. */
const STANDARD_DEVIATIONS_APART = 3
const HONEST = 'an honest sample of the same size'

interface Resampling {
  readonly declaration: Resampled
  /** The headline of a file, fast. */
  statistic(pair: Pair, context: Context): number | null | Promise<number | null>
  readonly resamples: number
  readonly pair: Pair
  readonly context: Context
}

export async function besideControls(
  resampling: Resampling,
  value: number,
  expected: Expected | null,
  test: UtilityTest | null,
): Promise<Pick<Finding, 'controls' | 'utility'>> {
  const { declaration, pair, resamples } = resampling
  const { original, released } = pair
  const reasons: string[] = []
  const honest =
    expected === null
      ? controlOf(await draws(resampling, 'honest', resamples, (random) => honestPair(pair, random)), HONEST)
      : { value: expected.value, se: null, sd: expected.cv * expected.value, what: expected.what }
  const nothing = controlOf(
    await draws(
      resampling,
      'nothing',
      Math.min(resamples, declaration.nothingDraws ?? Math.ceil(resamples / 2)),
      (random) => nothingPair(pair, declaration.nothing, random),
    ),
    declaration.nothing === 'independent' ? 'independent columns' : 'uniform columns',
  )
  const perfect = expected === null ? await perfectValue(resampling) : (expected.perfect ?? 0)
  const sign = declaration.orientation === 'distance' ? 1 : -1
  const curve =
    expected === null
      ? await lossCurve(resampling, perfect, sign, honest)
      : { points: expectedLosses(expected, recordsIn(released)), draws: Number.POSITIVE_INFINITY, crosses: false }
  const equivalentOf = (headline: number) =>
    perfect === null || expected?.power === null
      ? null
      : withinRange(
          equivalentSample(sign * (headline - perfect), curve, recordsIn(original), (loss) => perfect + sign * loss),
          declaration.range ?? [0, 1],
        )
  const least = nothing === null ? null : equivalentOf(nothing.value)
  const isWorse = least === null || least.fraction < shareOfAnother(recordsIn(original), recordsIn(released))
  const place = placeOf(value, honest, nothing, { orientation: declaration.orientation, isWorse }, reasons)
  const equivalent = equivalentOf(value)
  if (equivalent === null)
    reasons.push(
      expected?.power === null
        ? 'a subsample repeats records, which a tree would recognise'
        : resamples === 0
          ? 'no samples were drawn'
          : 'even small subsamples are as good as the original by this measure',
    )
  const ratio =
    declaration.orientation === 'distance' && perfect === 0 && honest !== null && honest.value > 0
      ? value / honest.value
      : null
  const utility: UtilityEvidence = { scale: declaration.scale ?? null, place, ratio, equivalent, test, reasons }
  return {
    controls: {
      ...(honest === null ? {} : { honest: plain(honest) }),
      ...(nothing === null ? {} : { nothing: plain(nothing) }),
    },
    utility,
  }
}

/** Beyond the subsamples that were tried the curve may leave what the measure can be. */
function withinRange(equivalent: Equivalent | null, [low, high]: readonly [number, number]): Equivalent | null {
  if (equivalent === null) return null
  return { ...equivalent, curve: equivalent.curve.filter(({ value }) => value >= low && value <= high) }
}

type Spread = Control & { readonly sd: number }
const plain = ({ value, se, what }: Spread): Control => ({ value, se, what })

function controlOf(values: readonly number[], what: string): Spread | null {
  const centre = mean(values)
  if (centre === null) return null
  const sd = standardDeviation(values) ?? 0
  return { value: centre, se: sd / Math.sqrt(values.length), sd, what }
}

function placeOf(
  value: number,
  honest: Spread | null,
  nothing: Spread | null,
  { orientation, isWorse }: { readonly orientation: 'utility' | 'distance'; readonly isWorse: boolean },
  reasons: string[],
): number | null {
  if (honest === null || nothing === null) {
    reasons.push('what an honest sample or a file that keeps nothing would give is not known')
    return null
  }
  const length = (orientation === 'distance' ? -1 : 1) * (honest.value - nothing.value)
  const isApart = length > 0 && length >= STANDARD_DEVIATIONS_APART * nothing.sd
  if (isApart && isWorse) return (value - nothing.value) / (honest.value - nothing.value) + 0
  reasons.push(
    `on these data ${nothing.what} are not clearly worse than ${isApart ? 'another sample of the same population' : honest.what}`,
  )
  return null
}

/**
 * Another sample of m records of the same population is as far off as a subsample of this share of the n originals: both vary,
 * 1/s - 1/n = 1/n + 1/m. A file that keeps nothing and is no farther off cannot be the lower end of a scale.
 */
function shareOfAnother(n: number, m: number): number {
  return 1 / (2 + n / m)
}

/** The statistic on files drawn for a purpose; those on which it has no value are left out. */
async function draws(
  resampling: Resampling,
  purpose: string,
  most: number,
  draw: (random: (what: string) => ReturnType<Context['random']>) => Pair,
): Promise<number[]> {
  const { pair, context } = resampling
  const affordable = Math.floor(ROWS_PER_CONTROL / (pair.original.rows + pair.released.rows))
  const count = Math.min(most, Math.max(FEWEST_DRAWS, affordable))
  const values: number[] = []
  for (let k = 0; k < count; k++) {
    const value = await valueOn(resampling, `${purpose} ${k}`, () =>
      draw((what) => context.random(`${purpose}/${what}`, k)),
    )
    if (value !== null) values.push(value)
  }
  return values
}

async function valueOn(
  { statistic, pair, context }: Resampling,
  purpose: string,
  draw: (pair: Pair) => Pair,
): Promise<number | null> {
  throwIfAborted(context.signal)
  const own: Context = {
    ...context,
    random: (of, index) => context.random(`${purpose}/${of}`, index),
    progress: () => {},
  }
  return unlessNotApplicable(() => statistic(draw(pair), own))
}

/** The value, or null where the measure has none on such a file. */
export async function unlessNotApplicable(value: () => number | null | Promise<number | null>): Promise<number | null> {
  try {
    return await value()
  } catch (error) {
    if (error instanceof NotApplicable) return null
    throw error
  }
}

/**
 * What the original itself gives. A part of a large file is enough where that is as good as the measure can be: then all of
 * it gives the same. Where a release is drawn by weight, the original without its weights is not what it should be: there it is
 * the best that the measure can be.
 */
async function perfectValue(resampling: Resampling): Promise<number | null> {
  const { declaration, pair, context } = resampling
  const [low, high] = declaration.range ?? [0, 1]
  const best = declaration.orientation === 'distance' ? low : high
  if (drawingWeights(pair) !== null && Number.isFinite(best)) return best
  const part = reducedPair(withoutCounts(pair), CURVE_ROWS, (purpose) => context.random(`curve/${purpose}`))
  const ofPart = await valueOn({ ...resampling, pair: part }, 'perfect', itselfPair)
  const isBest = ofPart === best
  return part === pair || isBest ? ofPart : valueOn(resampling, 'perfect', itselfPair)
}

/** What subsamples lose; on large files those of a part of the original, and what samples as large as the release lose. */
async function lossCurve(
  resampling: Resampling,
  perfect: number | null,
  sign: number,
  honest: Spread | null,
): Promise<LossCurve> {
  const { declaration, context } = resampling
  const perSize = Math.ceil(CURVE_DRAWS * resampling.resamples)
  const pair = reducedPair(withoutCounts(resampling.pair), CURVE_ROWS, (purpose) => context.random(`curve/${purpose}`))
  const isWhole = pair === resampling.pair
  const n = pair.original.rows
  const scale = declaration.standardised === true ? n / recordsIn(resampling.pair.original) : 1
  const best = isWhole ? perfect : await perfectValue({ ...resampling, pair })
  const points: Loss[] = []
  let crosses = false
  if (best === null || perSize === 0) return { points, draws: 1, crosses }
  for (const size of curveSizes(pair, declaration.subsampleSize)) {
    const losses: number[] = []
    for (let k = 0; k < perSize; k++) {
      const value = await valueOn({ ...resampling, pair }, `subsample ${size} ${k}`, (file) => {
        const rows = drawRows(file, size, false, context.random(`curve/${size}`, k))
        return drawnPair(file, declaration.subsampleSize === 'release' ? repeated(rows, file.released.rows) : rows)
      })
      if (value !== null) losses.push(sign * (value - best))
    }
    const centre = mean(losses)
    if (centre === null) continue
    points.push({ v: scale * (1 / size - 1 / n), mean: centre, sd: standardDeviation(losses) })
    crosses ||= losses.some((loss) => loss < 0)
  }
  if (!isWhole && perfect !== null && honest !== null)
    points.push({ v: 1 / recordsIn(resampling.pair.released), mean: sign * (honest.value - perfect), sd: null })
  return { points, draws: perSize, crosses }
}

/** A subsample that is larger than the release cannot be made as large as it; then one that is as large is tried. */
function curveSizes({ original, released }: Pair, subsampleSize: 'subsample' | 'release' = 'subsample'): number[] {
  const sizes = CURVE_SHARES.map((share) => Math.round(share * original.rows))
  const tried =
    subsampleSize === 'release' && released.rows < original.rows
      ? [released.rows, ...sizes.filter((size) => size < released.rows)]
      : sizes
  return tried.filter((size) => size >= SMALLEST_SUBSAMPLE)
}

function expectedLosses({ value, power, cv }: Expected, released: number): Loss[] {
  if (power === null) return []
  return [1, 2].map((times) => {
    const expected = value * math.pow(times, power)
    return { v: times / released, mean: expected, sd: cv * expected }
  })
}

/** The rows again and again until there are `size` of them. */
function repeated(rows: Int32Array, size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, k) => rows[k % rows.length])
}

/** Subsamples far smaller than the equivalent one would press all else to the axis. */
const NARROWEST = 8

/** All far from 0, so that an axis from 0 would press them together. */
function isNarrow(values: readonly number[]): boolean {
  return Math.min(...values) > Math.max(...values) / 2
}

export function equivalentChart(
  title: string,
  { utility, value }: Pick<Finding, 'utility' | 'value'>,
  name: string,
): Chart[] {
  const equivalent = utility?.equivalent
  if (equivalent === undefined || equivalent === null || value === null) return []
  const { fraction } = equivalent
  const curve = equivalent.curve.filter((point) => point.fraction >= fraction / NARROWEST)
  if (curve.length === 0) return []
  return [
    lineChart(
      {
        name: 'equivalent-sample',
        title: `As far off as a ${sampleText(fraction)} sample of the original: ${name}`,
        x: 'share of the original in an honest subsample',
        y: title,
      },
      [
        ...curve.map((point) => ({ x: point.fraction, y: point.value, series: 'honest subsample' })),
        ...[curve[0].fraction, 1].map((x) => ({ x, y: value, series: 'this release' })),
      ],
      {
        log: true,
        zero: !isNarrow([value, ...curve.map((point) => point.value)]),
        rules: [{ value: fraction, label: sampleText(fraction) }],
      },
    ),
  ]
}
