import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type CapLevels, type CapSummary, capCharts, capLevels, capScores } from './cap-scores.js'
import { type Cells, isWholeClassInTruth } from './cells.js'
import { type ChanceLevel, chanceOfDisco, chanceOfDiscoAmong } from './chance.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { isRightForSure, type Matches, type MatchingOptions, matchesOf, matchingOptions } from './matches.js'
import { preparationOptions, prepare } from './preparation.js'
import { claimsVerdict, ratioVerdict } from './verdict.js'

/**
 * Targeted correct attribution probability (Taub et al. 2018), seen from the original's records: when the released records
 * that match a person all show one target value, is it the right one? Three shares go by this name:
 *   conditional  right / one value shown    DiSCO / DiS, synthpop's TCAP since 1.9-3: how far the intruder can trust it
 *   matched      right / matched            DiSCO / iS, synthpop's TCAP before
 *   certain      right, and the key is homogeneous in the original too / matched   DiSDiO / iS
 * A share without a denominator is null, not 0: nothing was claimed, which is not the same as claims that were wrong.
 * Conditional on success the figure hardly moves with the size of the release and can rise while fewer people are at
 * risk, so the verdict rests on right claims as a share of all people.
 */
const options = z.object({
  kind: z
    .enum(['conditional', 'matched', 'certain'])
    .default('conditional')
    .describe('which share is the headline; all three are always given'),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe("riskutility: that package's missing values, target groups and 0 for an undefined conditional share"),
  ...matchingOptions,
  ...preparationOptions,
})

type Kind = 'conditional' | 'matched' | 'certain'

type Share = { readonly share: number | null; readonly count: number; readonly of: number }

type Details = {
  readonly kind: Kind
  readonly definition: 'scrim' | 'riskutility'
  readonly matching: string
  readonly conditional: Share
  readonly matched: Share
  readonly certain: Share
  /** Shares of all original records: matched, one value shown, and that one right. */
  readonly iS: number
  readonly DiS: number
  readonly DiSCO: number
  readonly chance: ChanceLevel
  readonly baselines: Baselines | null
  readonly marginal: { readonly DiSCO: MarginalRisk; readonly ofKind: MarginalRisk | null } | null
  readonly cap: CapSummary
  readonly levels: CapLevels
  readonly highShare: number | null
  readonly modalBaseline: number
  readonly ratio: number | null
  readonly dropped: { readonly original: number; readonly released: number }
  readonly targetGrouping: string
}

export const tcap = measure({
  id: 'tcap',
  version: 1,
  title: 'Targeted correct attribution probability (TCAP)',
  summary: 'when the release shows one target value for a key, how often it is the right one',
  family: 'attribution',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  pools: true,
  options,
  compute,
  thresholds: {
    literature: [
      { value: 0.1, meaning: 'certain above 10 % is warned of', source: 'riskutility' },
      { value: 0.8, meaning: 'a record with CAP of 0.8 or more is at high risk', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { conditional, DiS, DiSCO, baselines, chance } }) =>
    `for ${percent(DiS)} of people the release shows one value${conditional.share === null ? '' : `, right in ${percent(conditional.share)} of cases`}${baselines?.b2.mean == null ? '' : ` (one key alone: ${percent(baselines.b2.mean)})`}; right for ${percent(DiSCO)} of all, by chance ${percent(chance.expected)}`,
  charts: ({ details }, { name }) => [
    ...capCharts(details.cap, name, [
      ...(details.cap.mean === null ? [] : [{ value: details.cap.mean, label: 'mean' }]),
      ...(details.cap.max === null ? [] : [{ value: details.cap.max, label: 'max' }]),
      { value: details.modalBaseline, label: 'baseline' },
    ]),
    barChart({ name: 'levels', title: `Matched records by CAP: ${name}`, x: '', y: 'records' }, [
      { label: 'low (< 0.5)', value: details.levels.low },
      { label: 'medium (0.5 to 0.8)', value: details.levels.medium },
      { label: 'high (>= 0.8)', value: details.levels.high, alarm: details.levels.high > 0 },
    ]),
  ],
})

function compute(subject: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const prepared = prepare(subject, chosen, chosen.definition)
  const { cells, held, release } = prepared
  const matches = matchesOf(release, cells, 'truth', chosen)
  const counts = countClaims(cells, matches, chosen)
  const ofHoldout = held === null ? null : countClaims(held, matchesOf(release, held, 'truth', chosen), chosen)
  const asRiskutility = chosen.definition === 'riskutility'
  const shares = sharesOf(counts, asRiskutility)
  const scores = capScores(cells, matches)
  const { share } = shares[chosen.kind]
  const DiSCO = counts.right / cells.nd
  const exact = chosen.matching === 'exact'
  const chance = exact ? chanceOfDisco(DiSCO, cells) : chanceOfDiscoAmong(DiSCO, cells, matches)
  const baselines = exact ? baselinesAt(release, cells) : null
  const marginal = held === null || ofHoldout === null ? null : marginalOf(cells, counts, held, ofHoldout, chosen.kind)
  const modalBaseline = cells.sLevel.reduce((a, b) => Math.max(a, b), 0) / cells.ns
  const ratio = scores.summary.mean === null ? null : scores.summary.mean / modalBaseline
  const levels = capLevels(scores.cap)
  return {
    value: share,
    ...(share === null ? { reason: undefinedBecause(chosen.kind) } : {}),
    interval: intervalOf(share, recordsBehind(counts, chosen.kind)),
    ...referenceOf(chosen.kind, marginal, baselines),
    verdict: asRiskutility ? ratioVerdict(ratio) : claimsVerdict(baselines, chance.excess, marginal?.DiSCO ?? null),
    details: {
      kind: chosen.kind,
      definition: chosen.definition,
      matching: exact ? 'exact' : `gower ${chosen.threshold}`,
      ...shares,
      iS: counts.matched / cells.nd,
      DiS: counts.shown / cells.nd,
      DiSCO,
      chance,
      baselines,
      marginal,
      cap: scores.summary,
      levels,
      highShare: scores.summary.matched > 0 ? levels.high / scores.summary.matched : null,
      modalBaseline,
      ratio,
      dropped: prepared.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...prepared.warnings,
      ...(asRiskutility && counts.shown === 0
        ? ['no key shows one target value in the release: the conditional share is undefined, riskutility prints 0']
        : []),
      ...(asRiskutility && (shares.certain.share ?? 0) > 0.1
        ? [
            `${percent(shares.certain.share ?? 0)} of matched records are disclosed for certain (riskutility warns above 10 %)`,
          ]
        : []),
    ],
    records: () => ({
      cap: prepared.toRows(scores.cap),
      matches: prepared.toRows(scores.matches),
      oneValueShown: prepared.toRows(cells.cellOfTruth.map((cell) => matches.homogeneous[cells.classOf[cell]])),
      right: prepared.toRows(cells.cellOfTruth.map((cell) => (isRightForSure(matches, cells, cell) ? 1 : 0))),
    }),
  }
}

/** Sums of weights, and the numbers of records behind the two denominators. */
interface Claims {
  matched: number
  shown: number
  right: number
  certain: number
  readonly records: { matched: number; shown: number }
}

/** With Gower a class is not what was matched, so there a right claim is certain as it is. */
function countClaims(cells: Cells, matches: Matches, { matching }: MatchingOptions): Claims {
  const claims: Claims = { matched: 0, shown: 0, right: 0, certain: 0, records: { matched: 0, shown: 0 } }
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    const d = cells.d[cell]
    if (d === 0 || matches.records[q] === 0) continue
    claims.matched += d
    claims.records.matched += cells.dCount[cell]
    if (matches.homogeneous[q] === 1) {
      claims.shown += d
      claims.records.shown += cells.dCount[cell]
    }
    if (!isRightForSure(matches, cells, cell)) continue
    claims.right += d
    if (matching === 'gower' || isWholeClassInTruth(cells, cell)) claims.certain += d
  }
  return claims
}

function sharesOf({ matched, shown, right, certain }: Claims, asRiskutility: boolean): Record<Kind, Share> {
  const share = (count: number, of: number, otherwise: number | null = null): Share => ({
    share: of > 0 ? count / of : otherwise,
    count,
    of,
  })
  return {
    conditional: share(right, shown, asRiskutility ? 0 : null),
    matched: share(right, matched),
    certain: share(certain, matched),
  }
}

function recordsBehind({ records }: Claims, kind: Kind): number {
  return kind === 'conditional' ? records.shown : records.matched
}

function intervalOf(share: number | null, records: number): Interval | null {
  return share === null || records === 0 ? null : wilson(share * records, records)
}

function referenceOf(
  kind: Kind,
  marginal: Details['marginal'],
  baselines: Baselines | null,
): Pick<Finding, 'reference'> {
  if (marginal?.ofKind) return { reference: { value: marginal.ofKind.holdout, what: 'of outsiders' } }
  const prior = baselines?.b2.mean ?? null
  return kind === 'conditional' && prior !== null
    ? { reference: { value: prior, what: 'what one key alone tells' } }
    : {}
}

function undefinedBecause(kind: Kind): string {
  return kind === 'conditional'
    ? 'no key of the original shows one single target value in the release, so nothing is claimed'
    : 'no record of the original has a match in the release'
}

function marginalOf(cells: Cells, own: Claims, held: Cells, theirs: Claims, kind: Kind): Details['marginal'] {
  const [o, h] = [own, theirs].map((claims) => sharesOf(claims, false)[kind])
  return {
    DiSCO: marginalShare(
      own.right / cells.nd,
      cells.cellOfTruth.length,
      theirs.right / held.nd,
      held.cellOfTruth.length,
    ),
    ofKind:
      o.share === null || h.share === null
        ? null
        : marginalShare(o.share, recordsBehind(own, kind), h.share, recordsBehind(theirs, kind)),
  }
}
