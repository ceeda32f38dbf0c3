import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable, UserError } from '../../errors.js'
import { type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantileSorted } from '../../stats/quantile.js'
import { keyClasses, type Part, rowsOfPart, tableOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { incompleteRows } from './frequencies.js'

/**
 * Delta-presence (Nergiz, Atzori and Clifton 2007): can an intruder tell that a person of a larger table X is in the
 * released table Y? With F the records of X and f those of Y that have a key, the probability is f/F, and a release is
 * (δmin, δmax)-present when it lies between the two for every key of X. Never above 1 as a probability; the ratio itself
 * is reported as it is.
 * It is a probability of membership only when Y is a subset of X. For synthetic data f/F hovers around 1 whatever the
 * privacy: it is then called relative presence, put on equal sizes, (f/n_Y)/(F/n_X), and not judged.
 * Blind to everything but the counts of keys.
 */
const options = z.object({
  deltaMin: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .describe('smallest membership probability that is acceptable; no lower bound by default'),
  deltaMax: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .describe('largest membership probability that is acceptable; no upper bound by default'),
  against: z
    .enum(['original', 'population'])
    .default('original')
    .describe('the larger table: the original, or the population table'),
  weighted: z.boolean().default(false).describe('count the original by its weights, as an estimate of the population'),
  missing: z
    .enum(['drop', 'category'])
    .default('drop')
    .describe('records with a missing key: left out of both tables, or missing as one more value'),
})

type Options = z.output<typeof options>

export const deltaPresence = measure({
  id: 'delta-presence',
  version: 1,
  title: 'Delta-presence',
  summary: 'share of records whose membership in the release can be told more (or less) surely than the bounds allow',
  family: 'frequency',
  threat: 'membership',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys'],
  options,
  compute,
  thresholds: { literature: [] },
  sentence: ({ details }) =>
    `${percent(details.violatingShare ?? 0)} of the records are present with a probability outside [${details.deltaMin ?? 0}, ${details.deltaMax ?? 1}]; the ratio runs from ${details.achieved.lowest.toPrecision(3)} to ${details.achieved.highest.toPrecision(3)}`,
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'presence',
        title: `${details.relative ? 'Relative presence' : 'Membership probability'}: ${name}`,
        x: details.relative ? 'relative presence' : 'probability',
        y: 'records',
      },
      details.histogram,
      [
        ...(details.deltaMin === null ? [] : [{ value: details.deltaMin, label: 'lowest allowed' }]),
        ...(details.deltaMax === null ? [] : [{ value: details.deltaMax, label: 'highest allowed' }]),
      ],
    ),
    barChart(
      { name: 'highest', title: `Keys with the highest presence: ${name}`, x: 'rank', y: 'released over original' },
      details.highest.map(({ ratio }, k) => ({
        label: String(k + 1),
        value: ratio,
        alarm: details.deltaMax !== null && Math.min(1, ratio) > details.deltaMax,
      })),
    ),
  ],
})

function compute({ release, part }: Subject, chosen: Options): Finding<Details> {
  const { deltaMin, deltaMax } = chosen
  if (deltaMin !== null && deltaMax !== null && deltaMin > deltaMax)
    throw new UserError(`delta-presence: deltaMin ${deltaMin} is above deltaMax ${deltaMax}`)
  if (chosen.against === 'population' && release.population === null)
    throw new NotApplicable('there is no population table')
  const base = countKeys(release, chosen.against, chosen)
  const own = countKeys(release, part, { ...chosen, weighted: false })
  const relative = release.type === 'synthetic'
  const scale = relative ? base.total / own.total : 1
  const ratio = base.perKey.map((F, key) => (F > 0 ? (scale * own.perKey[key]) / F : Number.NaN))
  const perRecord = Float64Array.from(base.rows, (key) => (key < 0 ? Number.NaN : ratio[key]))
  const known = perRecord.filter((value) => !Number.isNaN(value))
  const violations = countViolations(known, deltaMin, deltaMax)
  const judged = !relative && (deltaMin !== null || deltaMax !== null)
  const details: Details = {
    relative,
    against: chosen.against,
    deltaMin,
    deltaMax,
    achieved: summariseKeys(ratio, base.records),
    meanProbability: known.reduce((sum, value) => sum + Math.min(1, value), 0) / known.length,
    belowMinimum: judged ? violations.below : null,
    aboveMaximum: judged ? violations.above : null,
    violatingShare: judged ? (violations.below + violations.above) / known.length : null,
    records: known.length,
    released: own.total,
    dropped: base.dropped,
    droppedReleased: own.dropped,
    fabricated: fabricatedKeys(base.perKey, own.perKey),
    highest: highestKeys(ratio, base.records, own.perKey),
    histogram: relative
      ? histogram(
          known,
          20,
          0,
          known.reduce((a, b) => Math.max(a, b), 1),
        )
      : histogram(
          known.map((value) => Math.min(1, value)),
          20,
          0,
          1,
        ),
  }
  const without = relative
    ? 'for synthetic data the ratio is no membership probability: relative presence is shown and not judged'
    : 'no bounds were given (deltaMin, deltaMax), so there is nothing to violate'
  return {
    value: details.violatingShare,
    ...(judged ? {} : { reason: without }),
    interval: null,
    verdict: verdictOf(details, without),
    details,
    warnings: warningsOf(details, release.type === 'unknown'),
    ...(chosen.against === 'original' ? { records: () => ({ presence: perRecord }) } : {}),
  }
}

type Details = {
  /** True for synthetic data: ratios are of shares, not of counts. */
  readonly relative: boolean
  readonly against: string
  readonly deltaMin: number | null
  readonly deltaMax: number | null
  /** Of f/F over the keys of the larger table, uncapped. */
  readonly achieved: KeySummary
  /** Mean over records of f/F, at most 1. */
  readonly meanProbability: number
  readonly belowMinimum: number | null
  readonly aboveMaximum: number | null
  readonly violatingShare: number | null
  readonly records: number
  readonly released: number
  readonly dropped: number
  readonly droppedReleased: number
  /** Keys of the release that the larger table lacks, and their records. */
  readonly fabricated: { readonly keys: number; readonly records: number }
  readonly highest: readonly { readonly ratio: number; readonly original: number; readonly released: number }[]
  readonly histogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

type KeySummary = {
  readonly keys: number
  readonly lowest: number
  readonly p25: number
  readonly median: number
  readonly mean: number
  readonly p75: number
  readonly highest: number
  /** Keys that the release lacks, and keys that it has more often than the larger table. */
  readonly absent: number
  readonly above1: number
}

interface KeyCounts {
  /** Per row: its key, -1 for a dropped one. */
  readonly rows: Int32Array
  readonly perKey: Float64Array
  /** As perKey, without weights. */
  readonly records: Float64Array
  readonly total: number
  readonly dropped: number
}

function countKeys(release: Release, part: Part, { missing, weighted }: Options): KeyCounts {
  const joint = keyClasses(release, release.keys)
  const rows = rowsOfPart(release, joint, joint.ids, part).slice()
  const incomplete = incompleteRows(release, part, release.keys)
  const dropped = missing === 'drop' ? incomplete.count : 0
  if (dropped === rows.length)
    throw new NotApplicable(`every record of ${tableOfPart(release, part).name} has a missing key`)
  const weights = weighted ? weightsOfPart(release, part) : null
  if (weighted && weights === null)
    throw new UserError('delta-presence: weighted needs a weight column in the original (--weight)')
  const perKey = new Float64Array(joint.count)
  const records = new Float64Array(joint.count)
  let total = 0
  for (let row = 0; row < rows.length; row++) {
    if (dropped > 0 && incomplete.flags[row] === 1) {
      rows[row] = -1
      continue
    }
    const weight = weights === null ? 1 : weights[row]
    perKey[rows[row]] += weight
    records[rows[row]]++
    total += weight
  }
  return { rows, perKey, records, total, dropped }
}

/** As probabilities, so never above 1; bounds are strict. */
function countViolations(
  ratios: Float64Array,
  deltaMin: number | null,
  deltaMax: number | null,
): { below: number; above: number } {
  let below = 0
  let above = 0
  for (const ratio of ratios) {
    if (deltaMin !== null && ratio < deltaMin) below++
    if (deltaMax !== null && Math.min(1, ratio) > deltaMax) above++
  }
  return { below, above }
}

function summariseKeys(ratio: Float64Array, records: Float64Array): KeySummary {
  const sorted = ratio.filter((_, key) => records[key] > 0).sort()
  const at = (share: number) => quantileSorted(sorted, share) ?? 0
  return {
    keys: sorted.length,
    lowest: at(0),
    p25: at(0.25),
    median: at(0.5),
    mean: sorted.reduce((a, b) => a + b, 0) / sorted.length,
    p75: at(0.75),
    highest: at(1),
    absent: sorted.reduce((n, value) => n + (value === 0 ? 1 : 0), 0),
    above1: sorted.reduce((n, value) => n + (value > 1 ? 1 : 0), 0),
  }
}

function fabricatedKeys(base: Float64Array, own: Float64Array): { keys: number; records: number } {
  let keys = 0
  let records = 0
  for (let key = 0; key < own.length; key++) {
    if (own[key] === 0 || base[key] > 0) continue
    keys++
    records += own[key]
  }
  return { keys, records }
}

const HIGHEST_SHOWN = 30

function highestKeys(ratio: Float64Array, records: Float64Array, own: Float64Array): Details['highest'] {
  const before = (a: number, b: number) => ratio[a] > ratio[b] || (ratio[a] === ratio[b] && records[a] > records[b])
  const kept: number[] = []
  for (let key = 0; key < ratio.length; key++) {
    if (records[key] === 0 || (kept.length === HIGHEST_SHOWN && !before(key, kept[HIGHEST_SHOWN - 1]))) continue
    const place = kept.findIndex((other) => before(key, other))
    kept.splice(place < 0 ? kept.length : place, 0, key)
    if (kept.length > HIGHEST_SHOWN) kept.pop()
  }
  return kept.map((key) => ({ ratio: ratio[key], original: records[key], released: own[key] }))
}

function warningsOf(
  { fabricated, dropped, droppedReleased, achieved, relative }: Details,
  unknownType: boolean,
): string[] {
  const warnings: string[] = []
  if (fabricated.keys > 0)
    warnings.push(
      `${fabricated.keys} keys (${fabricated.records} records) of the release do not occur in the larger table`,
    )
  if (dropped + droppedReleased > 0)
    warnings.push(
      `records with a missing key were left out: ${dropped} of the larger table, ${droppedReleased} of the release`,
    )
  if (!relative && (achieved.above1 > 0 || fabricated.keys > 0)) {
    warnings.push('the release is not a subset of the larger table, so the ratio is no membership probability')
  } else if (unknownType)
    warnings.push('the ratio is a membership probability only if the release is a subset of the larger table (--type)')
  return warnings
}

function verdictOf({ violatingShare, deltaMin, deltaMax }: Details, without: string): Verdict {
  if (violatingShare === null) return { level: 'NOT ASSESSED', because: without }
  const bounds = `[${deltaMin ?? 0}, ${deltaMax ?? 1}]`
  return violatingShare === 0
    ? { level: 'LOW', because: `every membership probability is within ${bounds}` }
    : {
        level: 'ELEVATED',
        because: `${percent(violatingShare)} of the records have a membership probability outside ${bounds}`,
      }
}
