import { math } from '@scrim/kernels'
import { UserError } from '../errors.js'
import type { RunOptions } from '../measure.js'
import { dcap } from '../peers/risk/attribution/dcap.js'
import { disco } from '../peers/risk/attribution/disco.js'
import { repu } from '../peers/risk/attribution/repu.js'
import { tcap } from '../peers/risk/attribution/tcap.js'
import { dcr } from '../peers/risk/distance/dcr.js'
import { identicalMatches } from '../peers/risk/distance/identical-matches.js'
import { nndr } from '../peers/risk/distance/nndr.js'
import { rfProximity } from '../peers/risk/distance/rf-proximity.js'
import { pmse } from '../peers/utility/global/pmse.js'
import { copulaFidelity } from '../peers/utility/multivariate/copula-fidelity.js'
import { energyDistance } from '../peers/utility/multivariate/energy-distance.js'
import { mmd } from '../peers/utility/multivariate/mmd.js'
import { tstr } from '../peers/utility/predictive/tstr.js'
import { contingencyFidelity } from '../peers/utility/tables/contingency-fidelity.js'
import { hellinger } from '../peers/utility/tables/hellinger.js'
import { ciProximity } from '../peers/utility/univariate/ci-proximity.js'
import { tailFidelity } from '../peers/utility/univariate/tail-fidelity.js'
import { rapid } from '../risk/inference/rapid.js'
import { standardDeviation } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { columnOf } from '../table/table.js'
import { wasserstein } from '../utility/univariate/wasserstein.js'
import { alphaOf } from './agreement.js'
import {
  detailsOf,
  headline,
  RAPID_ONCE,
  type RiskutilityHow,
  type RiskutilityVersion,
  runOptions,
  tcapOptions,
} from './riskutility-definitions.js'

/** The risk-utility map of riskutility, defects included (`riskutility.ts` names them). */
export interface RiskutilityMap {
  readonly measures: readonly { readonly id: string; readonly side: 'risk' | 'utility' }[]
  readonly candidates: readonly {
    readonly name: string
    /** Transformed, and scaled from the least to the greatest candidate, per measure. */
    readonly values: readonly (number | null)[]
    readonly scaled: readonly (number | null)[]
    readonly risk: number
    readonly utility: number
    readonly riskSd: number | null
    readonly utilitySd: number | null
    readonly pareto: boolean
  }[]
  readonly alpha: { readonly risk: number | null; readonly utility: number | null }
  /** Measures that were asked for and not computed, each with the reason. */
  readonly left: readonly string[]
}

/** What a measure of the map is before it is scaled, higher being riskier, or more useful; null where it cannot be computed. */
type Score = (release: Release, run: RunOptions, version: RiskutilityVersion) => Promise<number | null>

type Scored = { readonly side: 'risk' | 'utility'; readonly of: Score }

const risk = (score: Score): Scored => ({ side: 'risk', of: score })

/** The headline of a measure as riskutility defines it, turned into a utility. */
function utility(
  measure: (release: Release, run: RunOptions) => Promise<{ readonly value: number | null }>,
  turn: (value: number) => number = (value) => value,
): Scored {
  const scoreOf: Score = async (release, run) => turned(await headline(measure(release, run)), turn)
  return { side: 'utility', of: scoreOf }
}

function turned(value: number | null | undefined, turn: (value: number) => number): number | null {
  return value === null || value === undefined ? null : turn(value)
}

const complement = (share: number) => 1 - share
const decay = (distance: number) => math.exp(-distance)

const AS_THERE = { definition: 'riskutility', resamples: 0 } as const
const onNumbers = (release: Release) => ({ ...AS_THERE, variables: numbersOf(release) })

const SCORES: Readonly<Record<string, Scored>> = {
  dcap: risk((release, run) => headline(dcap(release, { definition: 'riskutility' }, run))),
  tcap: risk(
    async (release, run, version) => (await detailsOf(tcap(release, tcapOptions(version), run)))?.cap.mean ?? null,
  ),
  ims: risk((release, run) => headline(identicalMatches(release, {}, run))),
  disco: risk((release, run) => headline(disco(release, { definition: 'riskutility-potential' }, run))),
  repu: risk((release, run) => headline(repu(release, { definition: 'riskutility' }, run))),
  // A linear model there, whatever the target.
  rapid: risk(async (release, run) =>
    columnOf(release.original, release.targets[0]).kind === 'categorical'
      ? null
      : headline(rapid(release, { attackers: ['lm'], targetType: 'numbers', ...RAPID_ONCE }, run)),
  ),
  // Upside down there: a release that memorises is scored lower.
  dcr: risk(async (release, run) => turned((await detailsOf(dcr(release, {}, run)))?.riskutility?.share, complement)),
  nndr: risk(async (release, run) => turned((await detailsOf(nndr(release, {}, run)))?.riskutility.ratio, complement)),
  rf_privacy: risk(
    async (release, run) => (await detailsOf(rfProximity(release, {}, run)))?.riskutility.maxShare ?? null,
  ),
  hellinger: utility((release, run) => hellinger(release, AS_THERE, run), complement),
  energy: utility((release, run) => energyDistance(release, onNumbers(release), run), decay),
  ci_proximity: utility((release, run) => ciProximity(release, AS_THERE, run)),
  mmd: {
    side: 'utility',
    of: async (release, run) => {
      const [{ value, details }] = (await mmd(release, onNumbers(release), run)).releases
      return value === null || details === null ? null : Math.min(1, math.exp(-value / (details.sigma * details.sigma)))
    },
  },
  copula: utility(
    (release, run) => copulaFidelity(release, AS_THERE, run),
    (distance) => 1 / (1 + 100 * distance),
  ),
  tail: utility((release, run) => tailFidelity(release, AS_THERE, run), decay),
  contingency: utility((release, run) => contingencyFidelity(release, AS_THERE, run), complement),
  tstr: utility(
    (release, run) => tstr(release, AS_THERE, run),
    (skill) => Math.min(1, Math.max(0, skill)),
  ),
  pmse: utility(
    (release, run) => pmse(release, { model: 'forest', permutations: 1, resamples: 0 }, run),
    (value) => 1 - Math.min(1, 10 * value),
  ),
  wasserstein: utility(
    (release, run) => wasserstein(release, { resamples: 0 }, run),
    (distance) => 1 - Math.min(1, distance),
  ),
}

const ALL = 'all'
/** What can be asked for, and the measures of the vignette. */
export const RISKUTILITY_MEASURES = [...Object.keys(SCORES), ALL]
const NEED_HOLDOUT = ['dcr', 'nndr', 'rf_privacy']
const VIGNETTE_MEASURES = ['dcap', 'tcap', 'ims', 'pmse', 'wasserstein']

export async function riskutilityMap(
  releases: readonly Release[],
  run: RiskutilityHow & { readonly measures?: readonly string[] | undefined } = {},
): Promise<RiskutilityMap> {
  const named = run.measures === undefined || run.measures.length === 0 ? VIGNETTE_MEASURES : run.measures
  const hasOutsiders = releases.every(({ holdout }) => holdout !== null)
  const outside = named.filter((id) => NEED_HOLDOUT.includes(id))
  if (outside.length > 0 && !hasOutsiders) throw new UserError(`${outside.join(', ')}: needs a holdout`)
  const asked = named.includes(ALL) ? Object.keys(SCORES) : named
  const reasonOf = (id: string, values: readonly (number | null)[]) =>
    NEED_HOLDOUT.includes(id) && !hasOutsiders
      ? `${id} needs a holdout`
      : values.some((value) => value !== null)
        ? null
        : `${id} ${id === 'rapid' ? 'has a linear model there, which predicts no classes' : 'cannot be computed on these data'}`
  const columns: { id: string; found: readonly (number | null)[] }[] = []
  const left: string[] = []
  for (const id of asked) {
    const values: (number | null)[] = []
    if (hasOutsiders || !NEED_HOLDOUT.includes(id))
      for (const release of releases) values.push(await SCORES[id].of(release, runOptions(run), run.version ?? '0.1.0'))
    const reason = reasonOf(id, values)
    if (reason === null) columns.push({ id, found: values })
    else left.push(reason)
  }
  if (columns.length === 0) throw new UserError(left)
  const ids = columns.map(({ id }) => id)
  const values = releases.map((_, i) => columns.map(({ found }) => found[i]))
  const scaled = values.map((row) => row.map((value, j) => minMax(value, columns[j].found)))
  const placesOf = (side: 'risk' | 'utility') => ids.flatMap((id, j) => (SCORES[id].side === side ? [j] : []))
  const [risks, utilities] = [placesOf('risk'), placesOf('utility')]
  /** What is missing counts in no mean. */
  const over = (row: readonly (number | null)[], places: readonly number[]) => places.flatMap((j) => row[j] ?? [])
  const composites = scaled.map((row) => ({
    risk: meanOf(over(row, risks)),
    utility: meanOf(over(row, utilities)),
    riskSd: standardDeviation(over(row, risks)),
    utilitySd: standardDeviation(over(row, utilities)),
  }))
  const isDominated = (i: number) =>
    composites.some(
      (one) =>
        one.risk <= composites[i].risk &&
        one.utility >= composites[i].utility &&
        (one.risk < composites[i].risk || one.utility > composites[i].utility),
    )
  return {
    measures: ids.map((id) => ({ id, side: SCORES[id].side })),
    candidates: releases.map(({ released }, i) => ({
      name: released[0].name,
      values: values[i],
      scaled: scaled[i],
      ...composites[i],
      pareto: !isDominated(i),
    })),
    alpha: {
      risk: alphaOf(scaled.map((row) => over(row, risks)).filter((row) => row.length === risks.length)),
      utility: alphaOf(scaled.map((row) => over(row, utilities)).filter((row) => row.length === utilities.length)),
    },
    left,
  }
}

/** It takes distances over numbers alone. */
function numbersOf({ original, variables }: Release): string[] {
  return variables.filter((name) => columnOf(original, name).kind !== 'categorical')
}

/** Where all are equal: one half. */
function minMax(value: number | null, all: readonly (number | null)[]): number | null {
  if (value === null) return null
  const known = all.filter((one) => one !== null)
  const [least, greatest] = [Math.min(...known), Math.max(...known)]
  return greatest === least ? 0.5 : (value - least) / (greatest - least)
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
