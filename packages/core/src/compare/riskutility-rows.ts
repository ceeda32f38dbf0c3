import type { RunOptions } from '../measure.js'
import { linkability } from '../peers/risk/article29/linkability.js'
import { singlingOut } from '../peers/risk/article29/singling-out.js'
import { drisk } from '../peers/risk/distance/drisk.js'
import { epsilonIdentifiability } from '../peers/risk/frequency/epsilon-identifiability.js'
import { dcr } from '../risk/distance/dcr.js'
import { hittingRate } from '../risk/distance/hitting-rate.js'
import { identicalMatches } from '../risk/distance/identical-matches.js'
import { nndr } from '../risk/distance/nndr.js'
import { rfProximity } from '../risk/distance/rf-proximity.js'
import { domias } from '../risk/membership/domias.js'
import { nnaa } from '../risk/membership/nnaa.js'
import type { Release } from '../table/release.js'
import { detailsOf, digits, type RiskutilityRow, type RiskutilityStatus } from './riskutility-report.js'

/**
 * The rows of riskutility's report about distances and membership. Those that need people outside the release are asked about
 * the holdout that is given: riskutility itself would split the original, which makes all of them blind.
 */
export interface RowMaker {
  readonly metric: string
  readonly group: 'distance' | 'membership'
  readonly needsHoldout: boolean
  make(release: Release, how: RunOptions): Promise<Omit<RiskutilityRow, 'metric'>>
}

const passes = (isPassed: boolean | null | undefined): RiskutilityStatus =>
  isPassed === null || isPassed === undefined ? 'ERROR' : isPassed ? 'PASS' : 'WARNING'

/** A value that is its own "ratio", held against a limit. */
function below(value: number | null | undefined, limit: number, isPassed?: boolean): Omit<RiskutilityRow, 'metric'> {
  const known = value ?? null
  return {
    value: known,
    reference: `< ${limit}`,
    ratio: known,
    status: passes(known === null ? null : (isPassed ?? known < limit)),
  }
}

export const MORE_ROWS: Readonly<Record<string, RowMaker>> = {
  dcr: {
    metric: 'DCR',
    group: 'distance',
    needsHoldout: true,
    make: async (release, how) => {
      const found = (await detailsOf(dcr(release, {}, how)))?.riskutility
      const ratio = found?.ratio ?? null
      return { value: ratio, reference: `${digits(found?.share)} closer`, ratio, status: passes(found?.pass) }
    },
  },
  nndr: {
    metric: 'NNDR',
    group: 'distance',
    needsHoldout: true,
    make: async (release, how) => {
      const found = (await detailsOf(nndr(release, {}, how)))?.riskutility
      const ratio = found?.ratio ?? null
      return { value: ratio, reference: `${found?.suspicious ?? 0} suspicious`, ratio, status: passes(found?.pass) }
    },
  },
  ims: {
    metric: 'IMS',
    group: 'distance',
    needsHoldout: false,
    make: async (release, how) => {
      const found = await detailsOf(identicalMatches(release, {}, how))
      const percent = found === null ? null : 100 * found.identical.share
      return {
        value: percent,
        reference: `${found?.identical.count ?? 0} copies`,
        ratio: percent,
        status: passes(percent === null ? null : percent < 1),
      }
    },
  },
  drisk: {
    metric: 'dRisk',
    group: 'distance',
    needsHoldout: false,
    // Boxes of its own width, as it has them; the robust distance only where there are none.
    make: async (release, how) => {
      const found = await detailsOf(drisk(release, {}, how))
      return below(found?.box?.original ?? found?.riskutility?.score, 0.05)
    },
  },
  hitting_rate: {
    metric: 'Hitting Rate',
    group: 'distance',
    needsHoldout: false,
    make: async (release, how) => below((await detailsOf(hittingRate(release, {}, how)))?.riskutility.rate, 0.05),
  },
  rf_privacy: {
    metric: 'RF Privacy',
    group: 'distance',
    needsHoldout: true,
    make: async (release, how) => {
      const found = (await detailsOf(rfProximity(release, {}, how)))?.riskutility
      const ratio = found?.maxRatio ?? null
      return {
        value: found?.maxShare ?? null,
        reference: `ratio: ${digits(ratio)}`,
        ratio,
        status: passes(found?.pass),
      }
    },
  },
  epsilon_identifiability: {
    metric: 'Epsilon-Identifiability',
    group: 'distance',
    needsHoldout: false,
    make: async (release, how) => {
      const result = await epsilonIdentifiability(release, { definition: 'riskutility' }, how)
      const value = result.releases[0]?.value ?? null
      return { ...below(value, 0.1, value !== null && value <= 0.1), reference: '<= 0.1' }
    },
  },
  singling_out: {
    metric: 'Singling Out',
    group: 'membership',
    needsHoldout: true,
    make: async (release, how) => {
      const found = await detailsOf(singlingOut(release, {}, how))
      return below(found?.attacks[0]?.published?.riskutility?.risk, 0.1)
    },
  },
  linkability: {
    metric: 'Linkability',
    group: 'membership',
    needsHoldout: true,
    make: async (release, how) =>
      below((await detailsOf(linkability(release, {}, how)))?.published?.riskutility?.risk, 0.1),
  },
  nnaa: {
    metric: 'NNAA',
    group: 'membership',
    needsHoldout: true,
    make: async (release, how) => below((await detailsOf(nnaa(release, {}, how)))?.riskutility?.loss, 0.05),
  },
  domias: {
    metric: 'DOMIAS',
    group: 'membership',
    needsHoldout: true,
    make: async (release, how) => below((await detailsOf(domias(release, {}, how)))?.riskutility?.auc, 0.6),
  },
}
