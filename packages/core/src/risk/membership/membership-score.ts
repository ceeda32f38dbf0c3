import { type Auc, auc } from '../../stats/auc.js'
import { histogram } from '../../stats/histogram.js'
import { quantiles } from '../../stats/quantile.js'
import { DETECTABLE_Z } from '../../stats/tests.js'
import { attackTooWeak, CONTROL_LIMITS, type ControlVerdict, controlVerdict } from '../control-verdict.js'

/** How well one score tells training records from others, with what its pictures need; aggregates only. */
export type MembershipScore = Auc & {
  readonly name: string
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

/** `scores` holds the `members` first, then the others, at least one of each; higher is more like a member. */
export function membershipScore(name: string, scores: Float64Array, members: number): MembershipScore {
  const training = scores.subarray(0, members)
  const others = scores.subarray(members)
  const found = auc(training, others)
  if (found === null) throw new Error('a membership score needs training records and others')
  return {
    name,
    ...found,
    minimalDetectable: detectableAuc(found.nullSd),
    roc: rocOf(training, others),
    distribution: distributionOf(scores, members),
  }
}

/** The AUC found with a chance of 80 % in a test at 1 %. */
export function detectableAuc(nullSd: number): number {
  return Math.min(1, 0.5 + DETECTABLE_Z * nullSd)
}

/** The verdict on one score; `p` when it was one of several. */
export function membershipVerdict(score: MembershipScore, p = score.p): ControlVerdict {
  if (score.nullSd === 0) return attackTooWeak('every record has the same score')
  return controlVerdict({
    what: 'membership advantage',
    effect: advantage(score.auc),
    interval: score.interval && { lower: advantage(score.interval.lower), upper: advantage(score.interval.upper) },
    p,
    limits: CONTROL_LIMITS.advantage,
    minimalDetectable: advantage(score.minimalDetectable),
  })
}

function advantage(area: number): number {
  return 2 * area - 1
}

/** Place on a risk map: 0 for a coin, 1 for certainty. */
export function mapScore({ auc: area }: Auc): number {
  return Math.max(0, advantage(area))
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
    .map((score) => (countBelow(others, score, false) + countBelow(others, score, true)) / (2 * others.length))
}

/** How many of the sorted values are below, or also at, a limit: by bisection. */
function countBelow(sorted: Float64Array, limit: number, inclusive: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < limit || (inclusive && sorted[middle] === limit)) low = middle + 1
    else high = middle
  }
  return low
}
