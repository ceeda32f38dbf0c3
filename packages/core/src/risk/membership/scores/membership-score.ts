import type { Finding } from '../../../measure.js'
import { histogram } from '../../../stats/histogram.js'
import { BOUNDS_LEVEL } from '../../../stats/levels.js'
import { quantiles } from '../../../stats/quantile.js'
import { countBelow, countUpTo } from '../../../stats/sorted.js'
import { type Auc, auc, type Placements, placementInterval, placements, spreadOf } from '../../../stats/tests/auc.js'
import { DETECTABLE_Z } from '../../../stats/tests/tests.js'

/** What the measures of membership have in common. */
export const MEMBERSHIP = {
  family: 'membership',
  threat: 'membership',
  orientation: 'risk',
  scope: 'pair',
  needs: ['holdout'],
  varies: ['people', 'release'],
} as const

/** How well one score tells training records from others, with what its pictures need; aggregates only. */
export type MembershipScore = Auc & {
  readonly name: string
  /** One-sided 95 % bounds of the AUC that hold for any number of records. */
  readonly bounds: Bounds
  /** What an auditor would have found with a chance of 80 % in a test at 1 %, as an AUC. */
  readonly minimalDetectable: number
  /** Shares of others and of training records above a falling cut. */
  readonly roc: readonly { readonly falsePositiveRate: number; readonly truePositiveRate: number }[]
  /** Shares of training records and of others by score; what lies beyond the outermost bins is in them. */
  readonly distribution: readonly {
    readonly lower: number
    readonly upper: number
    readonly training: number
    readonly others: number
  }[]
}

type Bounds = { readonly lower: number; readonly upper: number }

/**
 * `scores` holds the `members` first, then the others, at least one of each; higher is more like a member. With several
 * `attacks`, lower bounds hold for all of them at once (Bonferroni), so that one may take the best. `households`, one number
 * per record, says who lives together.
 */
export function membershipScore(
  name: string,
  scores: Float64Array,
  members: number,
  attacks = 1,
  households: Int32Array | null = null,
): MembershipScore {
  const training = scores.subarray(0, members)
  const others = scores.subarray(members)
  const placed = placements(training, others)
  const spread = households === null ? 1 : spreadOf(placed, households)
  const found = auc(training, others, spread)
  if (found === null) throw new Error('a membership score needs training records and others')
  return {
    name,
    ...found,
    bounds: widened(boundsOf(placed, attacks), found.auc, spread),
    minimalDetectable: detectableAuc(found.nullSd),
    roc: rocOf(training, others),
    distribution: distributionOf(scores, members),
  }
}

/** The AUC found with a chance of 80 % in a test at 1 %. */
export function detectableAuc(nullSd: number): number {
  return Math.min(1, 0.5 + DETECTABLE_Z * nullSd)
}

export function boundsOf(placements: Placements, attacks = 1): Bounds {
  const none = { lower: 0, upper: 1 }
  const { lower } = placementInterval(placements, 1 - (1 - BOUNDS_LEVEL) / attacks) ?? none
  const { upper } = placementInterval(placements, BOUNDS_LEVEL) ?? none
  return { lower, upper }
}

function widened({ lower, upper }: Bounds, area: number, spread: number): Bounds {
  if (spread === 1) return { lower, upper }
  return { lower: Math.max(0, area - spread * (area - lower)), upper: Math.min(1, area + spread * (upper - area)) }
}

/**
 * What an AUC says of membership. The fair control is a coin: for any release that is no closer to the people in it than
 * to others, members and outsiders score alike. Of the original itself the best attack ranks people by how many of those
 * who equal them stand in it (`best`, of `bestArea`).
 */
export function membershipEvidence(
  best: number,
  {
    auc: area,
    bounds,
    p,
    nullSd,
    standardError,
  }: Pick<MembershipScore, 'auc' | 'bounds' | 'p' | 'nullSd' | 'standardError'>,
): Pick<Finding, 'controls' | 'effect' | 'notAssessed'> {
  return {
    controls: {
      nothing: { value: 0.5, se: null, what: 'a coin' },
      fair: { value: 0.5, se: null, what: 'people outside the release', basis: 'outsiders' },
      everything: { value: best, se: null, what: 'the best attack on the original itself' },
    },
    effect: {
      value: area - 0.5,
      se: standardError ?? nullSd,
      lower: bounds.lower - 0.5,
      upper: bounds.upper - 0.5,
      p,
    },
    ...(nullSd === 0 ? { notAssessed: 'the attack gives every record the same score' } : {}),
  }
}

const ROC_POINTS = 50

function rocOf(training: Float64Array, others: Float64Array): MembershipScore['roc'] {
  const members = training.slice().sort()
  const outsiders = others.slice().sort()
  const curve = [{ falsePositiveRate: 0, truePositiveRate: 0 }]
  let t = members.length
  let h = outsiders.length
  while (t > 0 || h > 0) {
    const cut = Math.max(t > 0 ? members[t - 1] : Number.NEGATIVE_INFINITY, h > 0 ? outsiders[h - 1] : -Infinity)
    while (t > 0 && members[t - 1] >= cut) t--
    while (h > 0 && outsiders[h - 1] >= cut) h--
    const point = { falsePositiveRate: 1 - h / outsiders.length, truePositiveRate: 1 - t / members.length }
    const last = curve[curve.length - 1]
    const moved =
      point.falsePositiveRate - last.falsePositiveRate + point.truePositiveRate - last.truePositiveRate >=
      2 / ROC_POINTS
    if (moved || (t === 0 && h === 0)) curve.push(point)
  }
  return curve
}

const BINS = 30
/** Scores beyond these are drawn at the edge: a single copy would otherwise squeeze everybody else. */
const EDGES = [0.005, 0.995] as const

function distributionOf(scores: Float64Array, members: number): MembershipScore['distribution'] {
  const [lower, upper] = quantiles(scores, EDGES) ?? [0, 0]
  const inside = scores.map((score) => Math.min(upper, Math.max(lower, score)))
  const training = histogram(inside.subarray(0, members), BINS, lower, upper)
  const others = histogram(inside.subarray(members), BINS, lower, upper)
  return training.map((bin, k) => ({
    lower: bin.lower,
    upper: bin.upper,
    training: bin.count / members,
    others: others[k].count / (scores.length - members),
  }))
}

/** Share of the others that score lower than each training record, ties half: 1 looks more like a member than anybody else. */
export function percentilesAmongOthers(scores: Float64Array, members: number): Float64Array {
  const others = scores.slice(members).sort()
  return scores
    .slice(0, members)
    .map((score) => (countBelow(others, score) + countUpTo(others, score)) / (2 * others.length))
}
