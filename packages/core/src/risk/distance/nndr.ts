import { z } from 'zod'
import { barChart, lineChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { distanceOptions, type ReleaseSpace, releaseSpace, type Side, toRows } from '../../neighbors/release-space.js'
import { nearestDistances } from '../../neighbors/tasks.js'
import { percent } from '../../print.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { type Interval, normalInterval } from '../../stats/intervals.js'
import { median, quantiles } from '../../stats/quantile.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { throwIfAborted } from '../../tasks/task.js'
import { CONTROL_LIMITS, type ControlStatus, type ControlVerdict, controlVerdict } from '../control-verdict.js'
import { type NeighbourLists, neighbourLists } from './neighbour-lists.js'
import { holdoutOf, realRecords } from './real-neighbours.js'

/**
 * Nearest-neighbour distance ratio: is a released record tied to one particular training record? For the two nearest
 * distinct rows at distances d1 <= d2, the ratio is d1 / d2, and 0 when d1 = 0; it is small for a copy and near 1 for a
 * record that lies among others. With more records the ratios change, so the same number n of training (T) and holdout
 * (H) records is compared, B draws of the larger side averaged, by
 *   D = P(r_T < 0.1) - P(r_H < 0.1)   and   A = 2 AUC - 1, AUC = P(r_H > r_T) + P(r_H = r_T) / 2,
 * over released records. A copied training record is in a draw with chance n / n_T only, so both are multiplied by n_T / n.
 * p from dealing out the labels again, of the larger of the two statistics (Westfall and Young 1993).
 * Blind to copies with noise beyond the distance between neighbours, and to everything if H was used for the release.
 */
const options = z.object({
  ...distanceOptions,
  repeats: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('draws of equal size from the larger of training and holdout, averaged'),
  permutations: z.number().int().min(99).default(499).describe('random labellings that the p-values rest on'),
})

type Options = z.output<typeof options>

type Compared = {
  /** At most 1; 0 is expected of labels at random. */
  readonly value: number
  /** Standard deviation under random labels. */
  readonly nullSd: number
  readonly z: number
  /** Of either statistic reaching this z. */
  readonly p: number
  readonly interval: Interval
  readonly minimalDetectable: number
}

type RatioSummary = {
  readonly mean: number | null
  readonly median: number | null
  readonly p5: number | null
  readonly p10: number | null
}

type Details = {
  readonly score: number
  readonly status: ControlStatus
  readonly records: { readonly training: number; readonly holdout: number; readonly released: number }
  /** Records of each side that are compared. */
  readonly equalSize: number
  /** At equal sizes: shares of ratios below 0.1, and the chance that a ratio is smaller among training records. */
  readonly equal: { readonly training: number; readonly holdout: number; readonly auc: number }
  /** D and A, brought to the size of the training data. */
  readonly excess: Compared
  readonly advantage: Compared
  /** Share of released records with a ratio of at most this, among T and among H, at equal sizes. */
  readonly distribution: readonly { readonly ratio: number; readonly training: number; readonly holdout: number }[]
  /** As riskutility computes and judges it: all records, equal ones counted one by one. */
  readonly riskutility: {
    readonly training: RatioSummary
    readonly holdout: RatioSummary
    /** 5 % quantile for training over that for holdout; null when the latter is 0. */
    readonly ratio: number | null
    readonly suspicious: number
    readonly suspiciousShare: number
    readonly pass: boolean
  }
}

/** A ratio below this is called suspicious (riskutility). */
const SUSPICIOUS = 0.1
const RISKUTILITY_RATIO_FROM = 0.8
const RISKUTILITY_SUSPICIOUS_UP_TO = 0.05

export const nndr = measure({
  id: 'nndr',
  version: 1,
  title: 'Nearest-neighbour distance ratio (NNDR)',
  summary: 'share of released records that lie at one single training record, far from the next',
  family: 'distance',
  threat: 'membership',
  orientation: 'risk',
  scope: 'pair',
  needs: ['holdout'],
  stochastic: true,
  options,
  compute,
  thresholds: {
    literature: [
      {
        value: RISKUTILITY_SUSPICIOUS_UP_TO,
        meaning: 'share of ratios below 0.1 that passes, uncalibrated',
        source: 'riskutility',
      },
    ],
  },
  sentence: ({ value, details: { equal, advantage } }) =>
    `${percent(value ?? 0)} of released records lie at one single training record, ${percent(equal.holdout)} at one single person outside; training records have an advantage of ${percent(advantage.value)} in the ratio`,
  charts: ({ value, interval, details }, { name }) => [
    lineChart(
      {
        name: 'ratios',
        title: `Nearest over second-nearest distance: ${name}`,
        x: 'ratio',
        y: 'share of released records up to it',
      },
      details.distribution.flatMap(({ ratio, training, holdout }) => [
        { x: ratio, y: training, series: 'to training' },
        { x: ratio, y: holdout, series: 'to holdout' },
      ]),
      { step: true, rules: [{ value: SUSPICIOUS, label: 'suspicious below' }] },
    ),
    barChart(
      { name: 'suspicious', title: `Ratios below ${SUSPICIOUS}: ${name}`, x: '', y: 'share of released records' },
      [
        { label: 'training', value: value ?? 0, interval },
        { label: 'people outside', value: details.equal.holdout, series: 'original' },
      ],
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { repeats, permutations, ...distance } = chosen
  const space = releaseSpace(subject, distance)
  const holdout = holdoutOf(space)
  const { training, released } = space
  const size = Math.min(training.ids.length, holdout.ids.length)
  if (size < 2) throw new NotApplicable('nndr needs at least two training and two holdout records')
  const real = realRecords(space, holdout).points
  const share = size / (training.ids.length + holdout.ids.length)
  const lists = await neighbourLists(context, space, real, released.points, share)
  const sides = { lists, points: space.count, released, training, holdout, size }
  const observed = equalSizes(context, sides, repeats)
  if (observed.training.total === 0 || observed.holdout.total === 0)
    throw new NotApplicable('no released record has two distinct records to compare it with on both sides')
  const scale = training.ids.length / size
  const random = randomLabels(context, sides, permutations)
  const { excess, advantage } = tested(observed, random, released.ids.length, scale)
  const { status, verdict } = judge(excess, advantage)
  const equal = {
    training: suspiciousShare(observed.training),
    holdout: suspiciousShare(observed.holdout),
    auc: areaOf(observed),
  }
  const onScale = (of: number) => Math.min(1, Math.max(0, equal.holdout + of))
  return {
    value: onScale(excess.value),
    interval: { ...excess.interval, lower: onScale(excess.interval.lower), upper: onScale(excess.interval.upper) },
    reference: { value: equal.holdout, what: 'of outsiders' },
    verdict,
    details: {
      score: Math.max(0, excess.value),
      status,
      records: { training: training.ids.length, holdout: holdout.ids.length, released: released.ids.length },
      equalSize: size,
      equal,
      excess,
      advantage,
      distribution: distributionOf(observed),
      riskutility: await asRiskutility(context, space, holdout),
    },
    warnings: space.warnings,
    records: () => ({ suspiciousReleased: toRows(training, suspiciousAt(sides)) }),
  }
}

interface Sides {
  readonly lists: NeighbourLists
  /** How many points the space has. */
  readonly points: number
  readonly released: Side
  readonly training: Side
  readonly holdout: Side
  /** Records of each side that are compared. */
  readonly size: number
}

/** The ratios of all released records among some real ones: how many there are, are suspicious, and lie in each bin. */
interface Ratios {
  total: number
  suspicious: number
  readonly bins: Float64Array
}

interface BothRatios {
  readonly training: Ratios
  readonly holdout: Ratios
}

/** Ratios enter the AUC to this precision, which saves sorting them for every labelling. */
const BINS = 4000

function noRatios(): BothRatios {
  const none = () => ({ total: 0, suspicious: 0, bins: new Float64Array(BINS + 1) })
  return { training: none(), holdout: none() }
}

function addRatios(to: Ratios, { lists, released: { records }, points }: Sides, ids: Int32Array): void {
  const present = presence(points, ids)
  for (let query = 0; query < records.length; query++) {
    const ratio = lists.ratio(query, present)
    if (Number.isNaN(ratio)) continue
    to.total += records[query]
    if (ratio < SUSPICIOUS) to.suspicious += records[query]
    to.bins[Math.floor(ratio * BINS)] += records[query]
  }
}

function presence(points: number, ids: Int32Array): Uint8Array {
  const present = new Uint8Array(points)
  for (let k = 0; k < ids.length; k++) present[ids[k]] = 1
  return present
}

function suspiciousShare({ suspicious, total }: Ratios): number {
  return total > 0 ? suspicious / total : 0
}

/** P(r_H > r_T) + P(r_H = r_T) / 2. */
function areaOf({ training, holdout }: BothRatios): number {
  if (training.total === 0 || holdout.total === 0) return 0.5
  let area = 0
  let above = holdout.total
  for (let bin = 0; bin <= BINS; bin++) {
    above -= holdout.bins[bin]
    area += training.bins[bin] * (above + holdout.bins[bin] / 2)
  }
  return area / (training.total * holdout.total)
}

/** The smaller side whole, and draws of the same size from the larger. */
function equalSizes(context: Context, sides: Sides, repeats: number): BothRatios {
  const { training, holdout, size } = sides
  const found = noRatios()
  const draws = training.ids.length === holdout.ids.length ? 1 : repeats
  for (let draw = 0; draw < draws; draw++) {
    throwIfAborted(context.signal)
    const part = ({ ids }: Side) =>
      ids.length === size ? ids : pick(ids, sampleWithoutReplacement(context.random('sizes', draw), ids.length, size))
    addRatios(found.training, sides, part(training))
    addRatios(found.holdout, sides, part(holdout))
  }
  return found
}

interface Statistics {
  readonly difference: Float64Array
  readonly advantage: Float64Array
}

/** Both statistics when the labels are dealt out anew among all real records, the same number to each side. */
function randomLabels(context: Context, sides: Sides, permutations: number): Statistics {
  const { training, holdout, size } = sides
  const all = new Int32Array(training.ids.length + holdout.ids.length)
  all.set(training.ids)
  all.set(holdout.ids, training.ids.length)
  const difference = new Float64Array(permutations)
  const advantage = new Float64Array(permutations)
  for (let round = 0; round < permutations; round++) {
    throwIfAborted(context.signal)
    const drawn = pick(all, sampleWithoutReplacement(context.random('labels', round), all.length, 2 * size))
    const found = noRatios()
    addRatios(found.training, sides, drawn.subarray(0, size))
    addRatios(found.holdout, sides, drawn.subarray(size))
    difference[round] = suspiciousShare(found.training) - suspiciousShare(found.holdout)
    advantage[round] = 2 * areaOf(found) - 1
    context.progress(round + 1, permutations)
  }
  return { difference, advantage }
}

function pick(ids: Int32Array, rows: Int32Array): Int32Array {
  return rows.map((row) => ids[row])
}

const DETECTABLE_Z = 2.326 + 0.842

/**
 * Both statistics against random labels, then times `scale`. A random labelling has one draw of the larger side, which
 * varies more than the average of several, so p errs upwards at unequal sizes.
 */
function tested(observed: BothRatios, random: Statistics, released: number, scale: number) {
  const [pT, pH] = [suspiciousShare(observed.training), suspiciousShare(observed.holdout)]
  const binomial = Math.sqrt((pT * (1 - pT) + pH * (1 - pH)) / released)
  const difference = standardised(pT - pH, random.difference)
  const advantage = standardised(2 * areaOf(observed) - 1, random.advantage)
  const largest = difference.of.map((z, round) => Math.max(z, advantage.of[round]))
  const finished = ({ value, nullSd, z }: Standardised, sd: number): Compared => {
    const { lower, upper, level, method } = normalInterval(scale * value, scale * sd)
    return {
      value: Math.min(1, scale * value),
      nullSd: scale * nullSd,
      z,
      p: nullSd > 0 ? (1 + countFrom(largest, z)) / (1 + largest.length) : 1,
      interval: { lower: Math.min(1, lower), upper: Math.min(1, upper), level, method },
      minimalDetectable: scale * DETECTABLE_Z * nullSd,
    }
  }
  return {
    excess: finished(difference, Math.max(difference.nullSd, binomial)),
    advantage: finished(advantage, advantage.nullSd),
  }
}

interface Standardised extends Pick<Compared, 'value' | 'nullSd' | 'z'> {
  /** The z of each random labelling. */
  readonly of: Float64Array
}

function standardised(value: number, random: Float64Array): Standardised {
  const nullMean = mean(random) ?? 0
  const nullSd = standardDeviation(random) ?? 0
  const zOf = (one: number) => (nullSd > 0 ? (one - nullMean) / nullSd : 0)
  return { value, nullSd, z: zOf(value), of: random.map(zOf) }
}

/** The same counts divided in another order are still equal. */
const ROUNDING = 1e-9

function countFrom(values: Float64Array, limit: number): number {
  let count = 0
  for (const value of values) if (value >= limit - ROUNDING) count++
  return count
}

/** An alarm of either statistic counts; LOW takes both. */
function judge(excess: Compared, advantage: Compared): ControlVerdict {
  const ofExcess = controlVerdict({
    what: 'share of released records at one single training record',
    effect: excess.value,
    limits: CONTROL_LIMITS.tail,
    ...excess,
  })
  const ofAdvantage = controlVerdict({
    what: 'advantage of training records in the distance ratio',
    effect: advantage.value,
    limits: CONTROL_LIMITS.advantage,
    ...advantage,
  })
  const order = ({ verdict }: ControlVerdict) => ['HIGH', 'MODERATE', 'INCONCLUSIVE', 'LOW'].indexOf(verdict.level)
  return order(ofAdvantage) < order(ofExcess) ? ofAdvantage : ofExcess
}

const DISTRIBUTION_STEPS = 50

function distributionOf({ training, holdout }: BothRatios): Details['distribution'] {
  const upTo = ({ bins, total }: Ratios, last: number) =>
    bins.subarray(0, last + 1).reduce((sum, one) => sum + one, 0) / total
  return Array.from({ length: DISTRIBUTION_STEPS + 1 }, (_, k) => {
    const last = (k * BINS) / DISTRIBUTION_STEPS
    return { ratio: k / DISTRIBUTION_STEPS, training: upTo(training, last), holdout: upTo(holdout, last) }
  })
}

/** Per training record: released records with a ratio below the cut whose nearest training record it is. */
function suspiciousAt({ lists, points, released: { records }, training: { ids } }: Sides): Float64Array {
  const present = presence(points, ids)
  const at = new Float64Array(points)
  for (let query = 0; query < records.length; query++)
    if (lists.ratio(query, present) < SUSPICIOUS) at[lists.nearest(query, present)] += records[query]
  return Float64Array.from(ids, (point) => at[point])
}

async function asRiskutility(context: Context, space: ReleaseSpace, holdout: Side): Promise<Details['riskutility']> {
  const ratiosTo = async (side: Side) =>
    ratiosOf(await nearestDistances(context, space, side, space.released.ids, { k: 2 }))
  const [toTraining, toHoldout] = [await ratiosTo(space.training), await ratiosTo(holdout)]
  const [training, ofHoldout] = [summaryOf(toTraining), summaryOf(toHoldout)]
  const suspicious = toTraining.reduce((count, ratio) => count + (ratio < SUSPICIOUS ? 1 : 0), 0)
  const share = toTraining.length > 0 ? suspicious / toTraining.length : 0
  const ratio = training.p5 === null || ofHoldout.p5 === null || ofHoldout.p5 === 0 ? null : training.p5 / ofHoldout.p5
  return {
    training,
    holdout: ofHoldout,
    ratio,
    suspicious,
    suspiciousShare: share,
    pass: ratio !== null && ratio >= RISKUTILITY_RATIO_FROM && share <= RISKUTILITY_SUSPICIOUS_UP_TO,
  }
}

/** 0 at an equal record, else the nearest over the second-nearest distance; records without two are left out. */
function ratiosOf(pairs: Float64Array): Float64Array {
  const ratios = new Float64Array(pairs.length / 2)
  for (let k = 0; k < ratios.length; k++) ratios[k] = pairs[2 * k] === 0 ? 0 : pairs[2 * k] / pairs[2 * k + 1]
  return ratios.filter((ratio) => !Number.isNaN(ratio))
}

function summaryOf(ratios: Float64Array): RatioSummary {
  const [p5, p10] = quantiles(ratios, [0.05, 0.1]) ?? [null, null]
  return { mean: mean(ratios), median: median(ratios), p5, p10 }
}
