import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import type { Look } from '../../evidence/evidence.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type CapLevels, type CapSummary, capCharts, capLevels, capScores } from './cap-scores.js'
import { type Cells, isWholeClassInTruth } from './cells.js'
import { type ChanceLevel, chanceOfDisco, chanceOfDiscoAmong } from './chance.js'
import {
  type Among,
  BY_DISTANCE,
  claimGains,
  lookAtOthers,
  meanGain,
  ONE_CLASS,
  perRecord,
  theOriginal,
} from './gains.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { isRightForSure, type Matches, type MatchingOptions, matchesOf, matchingOptions } from './matches.js'
import { type Prepared, preparationOptions, prepare } from './preparation.js'
import { type RiskutilityWording, riskutilityWording } from './riskutility-wording.js'

/**
 * Targeted correct attribution probability (Taub et al. 2018), seen from the original's records: when the released records
 * that match a person all show one target value, is it the right one? Three shares go by this name:
 *   conditional  right / one value shown    DiSCO / DiS, synthpop's TCAP since 1.9-3: how far the intruder can trust it
 *   matched      right / matched            DiSCO / iS, synthpop's TCAP before
 *   certain      right, and the key is homogeneous in the original too / matched   DiSDiO / iS
 * A share without a denominator is null, not 0: nothing was claimed, which is not the same as claims that were wrong.
 * Beside it stands how often the same claims would be right without the release (b3), and with a holdout about people who are
 * not in the data. Blind to how many people are concerned: conditional on success the figure hardly moves with the size of
 * the release and can rise while fewer people are at risk.
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
  /** What riskutility prints about the ratio; null under the other definition. */
  readonly riskutility: RiskutilityWording | null
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
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'how many people are concerned: it looks only at those about whom the release seems sure',
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'pad with noise': 'a class with one noisy record no longer shows one value',
  },
  pools: true,
  options,
  compute,
  citations: ['taub2018', 'raab2024'],
  records: {
    cap: { riskier: 'higher', meaning: 'share of released records with this key that have the person’s target value' },
    right: { riskier: 'higher', meaning: '1: the value shown is the person’s' },
    oneValueShown: { riskier: 'higher', meaning: '1: the released records with this key have one target value' },
    matches: { riskier: null, meaning: 'released records that match the keys' },
  },
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
    barChart({ name: 'levels', red: 'high', title: `Matched records by CAP: ${name}`, x: '', y: 'records' }, [
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
  const gains = exact && chosen.kind !== 'certain' ? claimGains(release, cells) : null
  return {
    value: share,
    ...(share === null ? { reason: undefinedBecause(chosen.kind) } : {}),
    interval: intervalOf(share, recordsBehind(counts, chosen.kind)),
    ...(share === null ? {} : evidence(prepared, share, counts, ofHoldout, matches, baselines, gains, chosen)),
    ...(gains === null ? {} : { added: () => prepared.toRows(perRecord(cells, gains)) }),
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
      riskutility: asRiskutility ? riskutilityWording(ratio) : null,
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

/**
 * The same claims made from everybody else's records, and about people outside the release. For `certain` only the right
 * claims are looked at, so that other people's records cannot be right less often.
 */
function evidence(
  { release, cells, own }: Prepared,
  share: number,
  counts: Claims,
  ofHoldout: Claims | null,
  matches: Matches,
  baselines: Baselines | null,
  gains: Float64Array | null,
  { kind, ...chosen }: MatchingOptions & { readonly kind: Kind },
) {
  const itself = own()
  const ownMatches = matchesOf(release, itself, 'truth', chosen)
  const copied = sharesOf(countClaims(itself, ownMatches, chosen), false)[kind].share
  const margin = baselines === null ? null : marginAlone(baselines, counts, kind)
  const rest = {
    ...(margin === null ? {} : { nothing: { value: margin, se: null, what: 'the margin of the target' } }),
    ...(copied === null ? {} : { everything: theOriginal(copied) }),
  }
  const behind = recordsBehind(counts, kind)
  const others: Look[] =
    gains === null
      ? []
      : lookAtOthers(
          share,
          meanGain(cells, gains, claimedCells(cells, matches, kind)),
          meanGain(itself, claimGains(release, itself), claimedCells(itself, ownMatches, kind)),
          rest,
          behind,
        )
  const outside = ofHoldout === null ? null : sharesOf(ofHoldout, false)[kind].share
  const outsiders: Look[] =
    ofHoldout === null || outside === null || behind === 0
      ? []
      : [lookAtOutsiders(tally(share, behind), tally(outside, recordsBehind(ofHoldout, kind)), rest, behind)]
  return evidenceOf([...others, ...outsiders], rest, whyNot(kind, gains))
}

/** How often the claims would be right from the margin of the target alone. */
function marginAlone({ b1, claims }: Baselines, { matched }: Claims, kind: Kind): number | null {
  if (kind === 'certain' || b1.mean === null) return null
  return kind === 'conditional' ? b1.mean : (b1.mean * claims) / matched
}

/** Cells whose people are in the denominator. */
function claimedCells({ classOf }: Cells, { records, homogeneous }: Matches, kind: Kind): Among {
  return Uint8Array.from(classOf, (q) => (kind === 'conditional' ? homogeneous[q] : Number(records[q] > 0)))
}

function whyNot(kind: Kind, gains: Float64Array | null): string {
  if (kind === 'certain')
    return 'only claims that are right are looked at, which can be compared with people outside the release alone: there is no holdout'
  return gains === null ? BY_DISTANCE : ONE_CLASS
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
