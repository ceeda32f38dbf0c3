import type { RunOptions } from '../measure.js'
import { linkability } from '../peers/risk/article29/linkability.js'
import { singlingOut } from '../peers/risk/article29/singling-out.js'
import { dcap } from '../peers/risk/attribution/dcap.js'
import { disco } from '../peers/risk/attribution/disco.js'
import { tcap } from '../peers/risk/attribution/tcap.js'
import { weap } from '../peers/risk/attribution/weap.js'
import { dcr } from '../peers/risk/distance/dcr.js'
import { drisk } from '../peers/risk/distance/drisk.js'
import { hittingRate } from '../peers/risk/distance/hitting-rate.js'
import { identicalMatches } from '../peers/risk/distance/identical-matches.js'
import { nndr } from '../peers/risk/distance/nndr.js'
import { rfProximity } from '../peers/risk/distance/rf-proximity.js'
import { attackerRisk } from '../peers/risk/frequency/attacker-risk.js'
import { epsilonIdentifiability } from '../peers/risk/frequency/epsilon-identifiability.js'
import { domias } from '../peers/risk/membership/domias.js'
import { nnaa } from '../peers/risk/membership/nnaa.js'
import { significant } from '../print.js'
import { individualRisk } from '../risk/frequency/individual-risk.js'
import { kAnonymity } from '../risk/frequency/k-anonymity.js'
import { lDiversity } from '../risk/frequency/l-diversity.js'
import { populationUniqueness } from '../risk/frequency/population-uniqueness.js'
import { tCloseness } from '../risk/frequency/t-closeness.js'
import { rapid } from '../risk/inference/rapid.js'
import type { Release } from '../table/release.js'
import { detailsOf, headline, RAPID_ONCE, type RiskutilityVersion, tcapOptions } from './riskutility-definitions.js'

/**
 * The rows of riskutility's `disclosure_report`. Those that need people outside the release are asked about the holdout that
 * is given: riskutility itself would split the original, which makes all of them blind.
 */
export type RiskutilityStatus = 'PASS' | 'WARNING' | 'FAIL' | 'ERROR'

export interface RiskutilityRow extends Figures {
  readonly metric: string
}

interface Figures {
  readonly value: number | null
  /** What it is held against, as printed. */
  readonly reference: string
  readonly ratio: number | null
  readonly status: RiskutilityStatus
}

interface RowMaker {
  readonly metric: string
  readonly group: 'attribution' | 'privacy' | 'distance' | 'membership'
  readonly needsHoldout?: true
  make(release: Release, run: RunOptions, version: RiskutilityVersion): Promise<Figures>
}

type Maybe<Value> = Value | null | undefined

function digits(value: Maybe<number>): string {
  return value === undefined || value === null ? 'unknown' : significant(value, 4).toString()
}

/** A value, its "ratio", which is itself unless given, and whether it passes; what is not known does not. */
function held(
  value: Maybe<number>,
  reference: string,
  isPassed: Maybe<boolean>,
  ratio: Maybe<number> = value,
): Figures {
  return { value: value ?? null, reference, ratio: ratio ?? null, status: isPassed === true ? 'PASS' : 'WARNING' }
}

/** The same, where what is not known is an error. */
function heldOrError(...[value, reference, isPassed, ratio]: Parameters<typeof held>): Figures {
  const figures = held(value, reference, isPassed, ratio)
  return isPassed === null || isPassed === undefined ? { ...figures, status: 'ERROR' } : figures
}

/** Null where nothing is known. */
const asPercent = (share: Maybe<number>) => (share === null || share === undefined ? null : 100 * share)
const isBelow = (value: Maybe<number>, limit: number) => (value === null || value === undefined ? null : value < limit)
const isAtMost = (value: Maybe<number>, limit: number) =>
  value === null || value === undefined ? null : value <= limit
const below = (value: Maybe<number>, limit: number) => heldOrError(value, `< ${limit}`, isBelow(value, limit))

const RATIO_LIMIT = 1.5

/** By their names in `compute`. */
export const ROWS: Readonly<Record<string, RowMaker>> = {
  dcap: {
    metric: 'CAP',
    group: 'attribution',
    make: async (release, run) => {
      const details = await detailsOf(dcap(release, { definition: 'riskutility' }, run))
      const ratio = details?.ratio ?? null
      return held(details?.mean, `baseline ${digits(details?.modalBaseline)}`, isAtMost(ratio, RATIO_LIMIT), ratio)
    },
  },
  tcap: {
    metric: 'TCAP',
    group: 'attribution',
    make: async (release, run, version) => {
      const details = await detailsOf(tcap(release, tcapOptions(version), run))
      const ratio = details?.ratio ?? null
      return held(details?.cap.mean, `baseline ${digits(details?.modalBaseline)}`, isAtMost(ratio, RATIO_LIMIT), ratio)
    },
  },
  weap: {
    metric: 'WEAP',
    group: 'attribution',
    make: async (release, run) => {
      const details = await detailsOf(weap(release, { definition: 'riskutility' }, run))
      const share = details?.disclosiveShare
      return held(details?.mean, `${details?.disclosive ?? 0} disclosive`, isAtMost(share, 0.05), asPercent(share))
    },
  },
  disco: {
    metric: 'DiSCO',
    group: 'attribution',
    make: async (release, run) => {
      const details = await detailsOf(disco(release, { definition: 'riskutility-potential' }, run))
      const { count, baseline, ratio = null } = details?.released.potential ?? {}
      return held(count, `expected ${digits(baseline)}`, isAtMost(ratio, RATIO_LIMIT), ratio)
    },
  },
  rapid: {
    metric: 'RAPID',
    group: 'attribution',
    make: async (release, run) => {
      const [{ value, details }] = (await rapid(release, { attackers: ['rf'], ...RAPID_ONCE }, run)).releases
      const rate = details === null ? null : value
      const atRisk = rate === null || details === null ? 0 : Math.round(rate * details.records)
      return held(rate, `${atRisk} at risk`, isBelow(rate, 0.15), asPercent(rate))
    },
  },
  kanonymity: {
    metric: 'k-Anonymity',
    group: 'privacy',
    make: async (release, run) => {
      const k = (await detailsOf(kAnonymity(release, {}, run)))?.k
      const figures = heldOrError(k, '>= 5', k === undefined ? null : k >= 5)
      return k === 1 ? { ...figures, status: 'FAIL' } : figures
    },
  },
  ldiversity: {
    metric: 'l-Diversity',
    group: 'privacy',
    make: async (release, run) => {
      const distinct = (await detailsOf(lDiversity(release, {}, run)))?.distinctL ?? null
      return held(distinct, '>= 2', distinct !== null && distinct >= 2)
    },
  },
  tcloseness: {
    metric: 't-Closeness',
    group: 'privacy',
    make: async (release, run) => {
      const achieved = (await detailsOf(tCloseness(release, {}, run)))?.achieved
      return held(achieved, '<= 0.2', isAtMost(achieved, 0.2))
    },
  },
  individual_risk: {
    metric: 'Individual Risk',
    group: 'privacy',
    make: async (release, run) => {
      const risk = await headline(individualRisk(release, { method: 'riskutility' }, run))
      return held(risk, 'high above 0.1', isBelow(risk, 0.1))
    },
  },
  population_uniqueness: {
    metric: 'Population Uniqueness',
    group: 'privacy',
    make: async (release, run) => {
      const asked = { method: 'riskutility-pitman', samplingFraction: 0.01, bootstrap: 0 } as const
      const unique = await headline(populationUniqueness(release, asked, run))
      return held(unique, '<= 0.1', isAtMost(unique, 0.1))
    },
  },
  attacker_risk: {
    metric: 'Attacker Risk',
    group: 'privacy',
    make: async (release, run) => {
      const average = (await detailsOf(attackerRisk(release, { definition: 'riskutility' }, run)))?.prosecutor.average
      return held(average, '<= 0.1', isAtMost(average, 0.1))
    },
  },
  // No probability lies outside its bounds of 0 and 1.
  delta_presence: { metric: 'delta-Presence', group: 'privacy', make: async () => held(0, '0% violations', true) },
  dcr: {
    metric: 'DCR',
    group: 'distance',
    needsHoldout: true,
    make: async (release, run) => {
      const details = (await detailsOf(dcr(release, {}, run)))?.riskutility
      return heldOrError(details?.ratio, `${digits(details?.share)} closer`, details?.pass)
    },
  },
  nndr: {
    metric: 'NNDR',
    group: 'distance',
    needsHoldout: true,
    make: async (release, run) => {
      const details = (await detailsOf(nndr(release, {}, run)))?.riskutility
      return heldOrError(details?.ratio, `${details?.suspicious ?? 0} suspicious`, details?.pass)
    },
  },
  ims: {
    metric: 'IMS',
    group: 'distance',
    make: async (release, run) => {
      const identical = (await detailsOf(identicalMatches(release, {}, run)))?.identical
      const percent = asPercent(identical?.share)
      return heldOrError(percent, `${identical?.count ?? 0} copies`, isBelow(percent, 1))
    },
  },
  drisk: {
    metric: 'dRisk',
    group: 'distance',
    // Boxes of its own width, as it has them; the robust distance only where there are none.
    make: async (release, run) => {
      const details = await detailsOf(drisk(release, {}, run))
      return below(details?.box?.original ?? details?.riskutility?.score, 0.05)
    },
  },
  hitting_rate: {
    metric: 'Hitting Rate',
    group: 'distance',
    make: async (release, run) => below((await detailsOf(hittingRate(release, {}, run)))?.riskutility.rate, 0.05),
  },
  rf_privacy: {
    metric: 'RF Privacy',
    group: 'distance',
    needsHoldout: true,
    make: async (release, run) => {
      const details = (await detailsOf(rfProximity(release, {}, run)))?.riskutility
      const ratio = details?.maxRatio ?? null
      return heldOrError(details?.maxShare, `ratio: ${digits(ratio)}`, details?.pass, ratio)
    },
  },
  epsilon_identifiability: {
    metric: 'Epsilon-Identifiability',
    group: 'distance',
    make: async (release, run) => {
      const [{ value }] = (await epsilonIdentifiability(release, { definition: 'riskutility' }, run)).releases
      return heldOrError(value, '<= 0.1', isAtMost(value, 0.1))
    },
  },
  singling_out: {
    metric: 'Singling Out',
    group: 'membership',
    needsHoldout: true,
    make: async (release, run) => {
      const details = await detailsOf(singlingOut(release, {}, run))
      return below(details?.attacks[0]?.published?.riskutility?.risk, 0.1)
    },
  },
  linkability: {
    metric: 'Linkability',
    group: 'membership',
    needsHoldout: true,
    make: async (release, run) =>
      below((await detailsOf(linkability(release, {}, run)))?.published?.riskutility?.risk, 0.1),
  },
  nnaa: {
    metric: 'NNAA',
    group: 'membership',
    needsHoldout: true,
    make: async (release, run) => below((await detailsOf(nnaa(release, {}, run)))?.riskutility?.loss, 0.05),
  },
  domias: {
    metric: 'DOMIAS',
    group: 'membership',
    needsHoldout: true,
    make: async (release, run) => below((await detailsOf(domias(release, {}, run)))?.riskutility?.auc, 0.6),
  },
}
