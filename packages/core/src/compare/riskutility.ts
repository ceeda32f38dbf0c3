import { math } from '@scrim/kernels'
import { UserError } from '../errors.js'
import { dcap } from '../peers/risk/attribution/dcap.js'
import { disco } from '../peers/risk/attribution/disco.js'
import { repu } from '../peers/risk/attribution/repu.js'
import { tcap } from '../peers/risk/attribution/tcap.js'
import { weap } from '../peers/risk/attribution/weap.js'
import { attackerRisk } from '../peers/risk/frequency/attacker-risk.js'
import { ciProximity } from '../peers/utility/ci-proximity.js'
import { contingencyFidelity } from '../peers/utility/contingency-fidelity.js'
import { copulaFidelity } from '../peers/utility/copula-fidelity.js'
import { energyDistance } from '../peers/utility/energy-distance.js'
import { hellinger } from '../peers/utility/hellinger.js'
import { mmd } from '../peers/utility/mmd.js'
import { tailFidelity } from '../peers/utility/tail-fidelity.js'
import { tstr } from '../peers/utility/tstr.js'
import { dcr } from '../risk/distance/dcr.js'
import { identicalMatches } from '../risk/distance/identical-matches.js'
import { nndr } from '../risk/distance/nndr.js'
import { rfProximity } from '../risk/distance/rf-proximity.js'
import { individualRisk } from '../risk/frequency/individual-risk.js'
import { kAnonymity } from '../risk/frequency/k-anonymity.js'
import { lDiversity } from '../risk/frequency/l-diversity.js'
import { populationUniqueness } from '../risk/frequency/population-uniqueness.js'
import { tCloseness } from '../risk/frequency/t-closeness.js'
import { rapid } from '../risk/inference/rapid.js'
import { standardDeviation } from '../stats/sums.js'
import type { Release } from '../table/release.js'
import { columnOf } from '../table/table.js'
import type { TaskRunner } from '../tasks/task.js'
import { pmse } from '../utility/global/pmse.js'
import { wasserstein } from '../utility/univariate/wasserstein.js'
import { alphaOf } from './agreement.js'
import { detailsOf, digits, type RiskutilityRow, type RiskutilityStatus } from './riskutility-report.js'
import { MORE_ROWS } from './riskutility-rows.js'

/**
 * What the R package riskutility prints, for those who must reproduce it: the rows and the overall level of its
 * `disclosure_report` (attribution and privacy groups), and the composites of its `rumap` with the measures of its vignette. Its
 * known defects are kept, here and nowhere else:
 *   k = 1 is FAIL, which no count and no level takes notice of;
 *   delta-presence is asked with bounds that nobody can violate;
 *   the target is grouped for CAP, and in 0.1.0 for no other row: exact matches of a continuous target are coincidences;
 *   the map is scaled from the least to the greatest candidate, so that each further one moves all others.
 * Use `compare` for an answer. RAPID and the pMSE of the map rest on forests, so that they vary with the seed.
 */
export const RISKUTILITY_VERSIONS = ['0.1.0', '0.2.0'] as const
export type RiskutilityVersion = (typeof RISKUTILITY_VERSIONS)[number]

export interface RiskutilityHow {
  readonly version?: RiskutilityVersion | undefined
  readonly seed?: number | undefined
  readonly tasks?: TaskRunner | undefined
}

export interface RiskutilityReport {
  readonly name: string
  readonly rows: readonly RiskutilityRow[]
  readonly passed: number
  readonly warnings: number
  readonly errors: number
  /** Passed, warnings and errors: FAIL is in none of them. */
  readonly counted: number
  readonly overall: 'LOW' | 'MEDIUM' | 'HIGH'
  /** Rows of `compute = "all"` that were not computed, each with the reason. */
  readonly left: readonly string[]
}

/** The rows about attribution and privacy, by their names in `compute`. */
const ROWS: Readonly<Record<string, { readonly metric: string; readonly group: 'attribution' | 'privacy' }>> = {
  dcap: { metric: 'CAP', group: 'attribution' },
  tcap: { metric: 'TCAP', group: 'attribution' },
  weap: { metric: 'WEAP', group: 'attribution' },
  disco: { metric: 'DiSCO', group: 'attribution' },
  rapid: { metric: 'RAPID', group: 'attribution' },
  kanonymity: { metric: 'k-Anonymity', group: 'privacy' },
  ldiversity: { metric: 'l-Diversity', group: 'privacy' },
  tcloseness: { metric: 't-Closeness', group: 'privacy' },
  individual_risk: { metric: 'Individual Risk', group: 'privacy' },
  population_uniqueness: { metric: 'Population Uniqueness', group: 'privacy' },
  attacker_risk: { metric: 'Attacker Risk', group: 'privacy' },
  delta_presence: { metric: 'delta-Presence', group: 'privacy' },
}

const ALL_ROWS = { ...ROWS, ...MORE_ROWS }

/** What `compute` takes: rows, groups of them, or all. */
export const RISKUTILITY_ROWS: readonly string[] = [
  ...Object.keys(ALL_ROWS),
  ...new Set(Object.values(ALL_ROWS).map(({ group }) => group)),
  'all',
]

function rowsAsked(compute: readonly string[]): readonly string[] {
  return Object.entries(ALL_ROWS).flatMap(([id, { group }]) =>
    compute.some((name) => name === 'all' || name === group || name === id) ? [id] : [],
  )
}

const RATIO_LIMIT = 1.5

/**
 * `disclosure_report` of one release with keys and a target: the groups attribution and privacy unless `compute` names others;
 * `without` leaves the forest of RAPID out.
 */
export async function riskutilityReport(
  release: Release,
  how: RiskutilityHow & {
    readonly without?: 'RAPID' | undefined
    readonly compute?: readonly string[] | undefined
  } = {},
): Promise<RiskutilityReport> {
  const { version = '0.1.0' } = how
  const running = run(how)
  const ofRatio = (ratio: number | null): RiskutilityStatus =>
    ratio !== null && ratio <= RATIO_LIMIT ? 'PASS' : 'WARNING'
  const below = (value: number | null, limit: number): RiskutilityStatus =>
    value !== null && value < limit ? 'PASS' : 'WARNING'
  const cap = await detailsOf(dcap(release, { definition: 'riskutility' }, running))
  const targeted = await detailsOf(tcap(release, tcapOptions(version), running))
  const within = await detailsOf(weap(release, { definition: 'riskutility' }, running))
  const disclosed = await detailsOf(disco(release, { definition: 'riskutility-potential' }, running))
  const inferred =
    how.without === 'RAPID'
      ? null
      : await atRiskOf(
          rapid(
            release,
            { attackers: ['rf'], interval: 'wilson', bootstrap: 0, permutations: 0, crossFit: 2 },
            running,
          ),
        )
  const anonymity = await detailsOf(kAnonymity(release, {}, running))
  const diversity = await detailsOf(lDiversity(release, {}, running))
  const closeness = await detailsOf(tCloseness(release, {}, running))
  const individual = await headline(individualRisk(release, { method: 'riskutility' }, running))
  const unique = await headline(
    populationUniqueness(release, { method: 'riskutility-pitman', samplingFraction: 0.01, bootstrap: 0 }, running),
  )
  const attacked = await detailsOf(attackerRisk(release, { definition: 'riskutility' }, running))
  const potential = disclosed?.released.potential
  const distinct = diversity?.distinctL ?? null
  const prosecutor = attacked?.prosecutor.average ?? null
  const rows: RiskutilityRow[] = [
    {
      metric: 'CAP',
      value: cap?.mean ?? null,
      reference: `baseline ${digits(cap?.modalBaseline)}`,
      ratio: cap?.ratio ?? null,
      status: ofRatio(cap?.ratio ?? null),
    },
    {
      metric: 'TCAP',
      value: targeted?.cap.mean ?? null,
      reference: `baseline ${digits(targeted?.modalBaseline)}`,
      ratio: targeted?.ratio ?? null,
      status: ofRatio(targeted?.ratio ?? null),
    },
    {
      metric: 'WEAP',
      value: within?.mean ?? null,
      reference: `${within?.disclosive ?? 0} disclosive`,
      ratio: within === null ? null : 100 * within.disclosiveShare,
      status: within !== null && within.disclosiveShare <= 0.05 ? 'PASS' : 'WARNING',
    },
    {
      metric: 'DiSCO',
      value: potential?.count ?? null,
      reference: `expected ${digits(potential?.baseline)}`,
      ratio: potential?.ratio ?? null,
      status: ofRatio(potential?.ratio ?? null),
    },
    ...(how.without === 'RAPID'
      ? []
      : [
          {
            metric: 'RAPID',
            value: inferred?.rate ?? null,
            reference: `${inferred?.atRisk ?? 0} at risk`,
            ratio: inferred === null ? null : 100 * inferred.rate,
            status: below(inferred?.rate ?? null, 0.15),
          },
        ]),
    {
      metric: 'k-Anonymity',
      value: anonymity?.k ?? null,
      reference: '>= 5',
      ratio: anonymity?.k ?? null,
      status: anonymity === null ? 'ERROR' : anonymity.k >= 5 ? 'PASS' : anonymity.k === 1 ? 'FAIL' : 'WARNING',
    },
    {
      metric: 'l-Diversity',
      value: distinct,
      reference: '>= 2',
      ratio: distinct,
      status: distinct !== null && distinct >= 2 ? 'PASS' : 'WARNING',
    },
    {
      metric: 't-Closeness',
      value: closeness?.achieved ?? null,
      reference: '<= 0.2',
      ratio: closeness?.achieved ?? null,
      status: closeness !== null && closeness.achieved <= 0.2 ? 'PASS' : 'WARNING',
    },
    {
      metric: 'Individual Risk',
      value: individual,
      reference: 'high above 0.1',
      ratio: individual,
      status: below(individual, 0.1),
    },
    {
      metric: 'Population Uniqueness',
      value: unique,
      reference: '<= 0.1',
      ratio: unique,
      status: unique !== null && unique <= 0.1 ? 'PASS' : 'WARNING',
    },
    {
      metric: 'Attacker Risk',
      value: prosecutor,
      reference: '<= 0.1',
      ratio: prosecutor,
      status: prosecutor !== null && prosecutor <= 0.1 ? 'PASS' : 'WARNING',
    },
    // No probability lies outside its bounds of 0 and 1.
    { metric: 'delta-Presence', value: 0, reference: '0% violations', ratio: 0, status: 'PASS' },
  ]
  const asked = rowsAsked(how.compute ?? USUAL_GROUPS)
  const kept = rows.filter(({ metric }) => asked.some((id) => ROWS[id]?.metric === metric))
  const left: string[] = []
  for (const [id, { metric, needsHoldout, make }] of Object.entries(MORE_ROWS)) {
    if (!asked.includes(id)) continue
    if (needsHoldout && release.holdout === null)
      left.push(`${metric} needs a holdout; riskutility would split the original, and then it sees nothing`)
    else kept.push({ metric, ...(await make(release, running)) })
  }
  return { name: release.released[0].name, rows: kept, ...countsOf(kept), left }
}

const USUAL_GROUPS = ['attribution', 'privacy']

function countsOf(rows: readonly RiskutilityRow[]): Omit<RiskutilityReport, 'name' | 'rows' | 'left'> {
  const of = (status: RiskutilityStatus) => rows.filter((row) => row.status === status).length
  const [passed, warnings, errors] = [of('PASS'), of('WARNING'), of('ERROR')]
  const overall = warnings === 0 && errors === 0 ? 'LOW' : warnings <= 2 && errors === 0 ? 'MEDIUM' : 'HIGH'
  return { passed, warnings, errors, counted: passed + warnings + errors, overall }
}

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
type Raw = (release: Release, how: RiskutilityHow) => Promise<number | null>

const RAW: Readonly<Record<string, { readonly side: 'risk' | 'utility'; readonly of: Raw }>> = {
  dcap: {
    side: 'risk',
    of: (release, how) => headline(dcap(release, { definition: 'riskutility' }, run(how))),
  },
  tcap: {
    side: 'risk',
    of: async (release, how) =>
      (await detailsOf(tcap(release, tcapOptions(how.version ?? '0.1.0'), run(how))))?.cap.mean ?? null,
  },
  ims: { side: 'risk', of: (release, how) => headline(identicalMatches(release, {}, run(how))) },
  disco: {
    side: 'risk',
    of: (release, how) => headline(disco(release, { definition: 'riskutility-potential' }, run(how))),
  },
  repu: { side: 'risk', of: (release, how) => headline(repu(release, { definition: 'riskutility' }, run(how))) },
  // A linear model there, whatever the target.
  rapid: {
    side: 'risk',
    of: async (release, how) =>
      columnOf(release.original, release.targets[0]).kind === 'categorical'
        ? null
        : headline(
            rapid(
              release,
              {
                attackers: ['lm'],
                targetType: 'numbers',
                interval: 'wilson',
                bootstrap: 0,
                permutations: 0,
                crossFit: 2,
              },
              run(how),
            ),
          ),
  },
  // Upside down there: a release that memorises is scored lower.
  dcr: {
    side: 'risk',
    of: async (release, how) => turned((await detailsOf(dcr(release, {}, run(how))))?.riskutility.share ?? null),
  },
  nndr: {
    side: 'risk',
    of: async (release, how) => turned((await detailsOf(nndr(release, {}, run(how))))?.riskutility.ratio ?? null),
  },
  rf_privacy: {
    side: 'risk',
    of: async (release, how) => (await detailsOf(rfProximity(release, {}, run(how))))?.riskutility.maxShare ?? null,
  },
  hellinger: {
    side: 'utility',
    of: async (release, how) => turned(await headline(hellinger(release, AS_THERE, run(how)))),
  },
  energy: {
    side: 'utility',
    of: async (release, how) =>
      decayed(await headline(energyDistance(release, { ...AS_THERE, variables: numbersOf(release) }, run(how)))),
  },
  ci_proximity: { side: 'utility', of: (release, how) => headline(ciProximity(release, AS_THERE, run(how))) },
  mmd: {
    side: 'utility',
    of: async (release, how) => {
      const { releases } = await mmd(release, { ...AS_THERE, variables: numbersOf(release) }, run(how))
      const [{ value, details }] = releases
      return value === null || details === null ? null : Math.min(1, math.exp(-value / (details.sigma * details.sigma)))
    },
  },
  copula: {
    side: 'utility',
    of: async (release, how) => {
      const found = await headline(copulaFidelity(release, AS_THERE, run(how)))
      return found === null ? null : 1 / (1 + 100 * found)
    },
  },
  tail: {
    side: 'utility',
    of: async (release, how) => decayed(await headline(tailFidelity(release, AS_THERE, run(how)))),
  },
  contingency: {
    side: 'utility',
    of: async (release, how) => turned(await headline(contingencyFidelity(release, AS_THERE, run(how)))),
  },
  tstr: {
    side: 'utility',
    of: async (release, how) => {
      const found = await headline(tstr(release, AS_THERE, run(how)))
      return found === null ? null : Math.min(1, Math.max(0, found))
    },
  },
  pmse: {
    side: 'utility',
    of: async (release, how) => {
      const found = await headline(pmse(release, { model: 'forest', permutations: 1, resamples: 0 }, run(how)))
      return found === null ? null : 1 - Math.min(1, 10 * found)
    },
  },
  wasserstein: {
    side: 'utility',
    of: async (release, how) => {
      const found = await headline(wasserstein(release, { resamples: 0 }, run(how)))
      return found === null ? null : 1 - Math.min(1, found)
    },
  },
}

const AS_THERE = { definition: 'riskutility', resamples: 0 } as const

function turned(share: number | null): number | null {
  return share === null ? null : 1 - share
}

function decayed(distance: number | null): number | null {
  return distance === null ? null : math.exp(-distance)
}

const ALL = 'all'
/** What can be asked for, and the measures of the vignette. */
export const RISKUTILITY_MEASURES = [...Object.keys(RAW), ALL]
const NEED_HOLDOUT = ['dcr', 'nndr', 'rf_privacy']
const VIGNETTE_MEASURES = ['dcap', 'tcap', 'ims', 'pmse', 'wasserstein']

export async function riskutilityMap(
  releases: readonly Release[],
  how: RiskutilityHow & { readonly measures?: readonly string[] | undefined } = {},
): Promise<RiskutilityMap> {
  const named = how.measures === undefined || how.measures.length === 0 ? VIGNETTE_MEASURES : how.measures
  const hasOutsiders = releases.every(({ holdout }) => holdout !== null)
  const outside = named.filter((id) => NEED_HOLDOUT.includes(id))
  if (outside.length > 0 && !hasOutsiders) throw new UserError(`${outside.join(', ')}: needs a holdout`)
  const asked = named.includes(ALL) ? Object.keys(RAW) : named
  const reasonOf = (id: string, found: readonly (number | null)[]) =>
    NEED_HOLDOUT.includes(id) && !hasOutsiders
      ? `${id} needs a holdout`
      : found.some((value) => value !== null)
        ? null
        : `${id} ${id === 'rapid' ? 'has a linear model there, which predicts no classes' : 'cannot be computed on these data'}`
  const columns: { id: string; found: readonly (number | null)[] }[] = []
  const left: string[] = []
  for (const id of asked) {
    const found: (number | null)[] = []
    if (hasOutsiders || !NEED_HOLDOUT.includes(id))
      for (const release of releases) found.push(await RAW[id].of(release, how))
    const reason = reasonOf(id, found)
    if (reason === null) columns.push({ id, found })
    else left.push(reason)
  }
  if (columns.length === 0) throw new UserError(left)
  const ids = columns.map(({ id }) => id)
  const values = releases.map((_, i) => columns.map(({ found }) => found[i]))
  const scaled = values.map((row) => row.map((value, j) => minMax(value, columns[j].found)))
  const side = (of: 'risk' | 'utility') => ids.flatMap((id, j) => (RAW[id].side === of ? [j] : []))
  const [risks, utilities] = [side('risk'), side('utility')]
  /** What is missing counts in no mean. */
  const over = (row: readonly (number | null)[], of: readonly number[]) => of.flatMap((j) => row[j] ?? [])
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
    measures: ids.map((id) => ({ id, side: RAW[id].side })),
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

/** 0.1.0 takes the target of TCAP as it is; 0.2.0 groups it as for CAP, so that both say the same. */
function tcapOptions(version: RiskutilityVersion) {
  return { definition: 'riskutility', targetGroups: version === '0.1.0' ? 'none' : 'auto' } as const
}

function run({ seed, tasks }: RiskutilityHow) {
  return { ...(seed === undefined ? {} : { seed }), ...(tasks === undefined ? {} : { tasks }) }
}

async function headline(result: Promise<{ readonly value: number | null }>): Promise<number | null> {
  return (await result).value
}

async function atRiskOf(result: ReturnType<typeof rapid>): Promise<{ rate: number; atRisk: number } | null> {
  const [{ value, details }] = (await result).releases
  return value === null || details === null ? null : { rate: value, atRisk: Math.round(value * details.records) }
}
