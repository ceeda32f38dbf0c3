import { countIds } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { UserError, unknownName } from '../../errors.js'
import { type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { count, percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { keyClasses, type Part, rowsOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { completeCases, spreadOver } from './preparation.js'

/**
 * Replicated uniques (Raab, Nowok and Dibben 2024): original records that are alone with their keys and find exactly one
 * record with these keys in the release, as a share of the original,
 *   repU = #{q: d_q = 1 and s_q = 1} / N_d
 * between UiO (unique in the original, what a copy would give) and what people who are not in the data give, the holdout.
 * Two records may agree by chance, the more so the fewer keys there are, so without a holdout there is no verdict.
 *
 * riskutility's repu is something else: the share of released records that equal, on all variables, a record that is unique
 * in the original; a released record counts as often as it occurs.
 */
const options = z.object({
  definition: z
    .enum(['synthpop', 'riskutility'])
    .default('synthpop')
    .describe(
      'synthpop: unique in both, on the keys, share of the original; riskutility: share of the release, all variables',
    ),
  variables: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe('what records are compared on; not given: the keys (synthpop), all common variables (riskutility)'),
  uniquesOnly: z
    .boolean()
    .default(true)
    .describe('riskutility only; false: released records that equal any original record (identical match share)'),
  missing: z
    .enum(['auto', 'drop', 'category'])
    .default('auto')
    .describe('records with a missing value: left out, or missing is a value; auto: left out under riskutility'),
})

type Options = z.output<typeof options>

type Identity = {
  readonly UiO: number
  readonly UiS: number
  readonly UiOiS: number
  readonly repU: number
}

type Details = Identity & {
  readonly definition: 'synthpop' | 'riskutility'
  readonly variables: readonly string[]
  readonly records: { readonly original: number; readonly released: number }
  readonly dropped: { readonly original: number; readonly released: number }
  /** Replicated uniques as a share of the released records. */
  readonly repUofReleased: number
  /** Counts as synthpop's replicated.uniques prints them. */
  readonly counts: {
    readonly uniqueInOriginal: number
    readonly uniqueInReleased: number
    /** Unique in the release and present in the original: the records that its cautious removal would drop. */
    readonly uniqueInReleasedFound: number
    readonly replicated: number
  }
  /** Released records that equal an original one, or a unique original one (riskutility). */
  readonly identical: {
    readonly toAny: { readonly count: number; readonly share: number }
    readonly toUnique: { readonly count: number; readonly share: number }
    /** Unique original records that stand in the release at least once. */
    readonly uniquesCopied: number
    readonly uniquesCopiedShare: number | null
    readonly passesRiskutility: boolean
  }
  /** The same figures for the holdout, and the difference of repU. */
  readonly holdout: (Identity & { readonly records: number }) | null
  readonly marginal: MarginalRisk | null
}

export const repu = measure({
  id: 'repu',
  version: 1,
  title: 'Replicated uniques (repU)',
  summary: 'people unique on the keys in the original who find exactly one such record in the release',
  family: 'attribution',
  threat: 'identity',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys'],
  options,
  compute,
  thresholds: {
    literature: [
      {
        value: 0.01,
        meaning: 'share of identical released records from which risk is called elevated',
        source: 'riskutility',
      },
      { value: 0.05, meaning: 'share of identical released records called serious', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { definition, repU, UiO, holdout, identical, variables } }) =>
    definition === 'synthpop'
      ? `${percent(repU)} of people are unique in both files, of ${percent(UiO)} unique in the original${holdout === null ? '' : `; ${percent(holdout.repU)} of people who are not in the data`}`
      : `${count(identical.toUnique.count, 'released record')} (${percent(identical.toUnique.share)}) ${identical.toUnique.count === 1 ? 'equals' : 'equal'} a unique original record on ${count(variables.length, 'variable')}`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'uniques', title: `Unique records: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'unique (UiO)', value: details.UiO, series: 'original' },
      { label: 'and in the release (UiOiS)', value: details.UiOiS },
      { label: 'unique in both (repU)', value: details.repU },
      ...(details.holdout === null
        ? []
        : [{ label: 'holdout (repU)', value: details.holdout.repU, series: 'original' as const }]),
    ]),
  ],
})

function compute({ release, part }: Subject, chosen: Options): Finding<Details> {
  const variables = variablesOf(release, chosen)
  const drop = chosen.missing === 'drop' || (chosen.missing === 'auto' && chosen.definition === 'riskutility')
  const complete = drop ? completeCases(release, variables) : null
  const compared = complete?.release ?? release
  const classes = countClasses(compared, variables, 'original', part)
  const own = identityOf(classes)
  const held = compared.holdout === null ? null : countClasses(compared, variables, 'holdout', part)
  const holdout = held === null ? null : { ...identityOf(held).figures, records: held.truthIds.length }
  const n = classes.truthIds.length
  const marginal = holdout === null ? null : marginalShare(own.figures.repU, n, holdout.repU, holdout.records)
  const identical = identicalRecords(classes)
  const asRiskutility = chosen.definition === 'riskutility'
  const { count: copies, share } = chosen.uniquesOnly ? identical.toUnique : identical.toAny
  const dropped = {
    original: release.original.rows - n,
    released: (typeof part === 'number' ? release.released[part].rows : classes.ns) - classes.ns,
  }
  return {
    value: asRiskutility ? share : own.figures.repU,
    interval: asRiskutility ? wilson(copies, classes.ns) : wilson(own.figures.repU * n, n),
    ...(holdout === null || asRiskutility ? {} : { reference: { value: holdout.repU, what: 'of outsiders' } }),
    verdict: asRiskutility ? riskutilityVerdict(share) : ownVerdict(own.figures, marginal),
    details: {
      ...own.figures,
      definition: chosen.definition,
      variables,
      records: { original: n, released: classes.ns },
      dropped,
      repUofReleased: own.counts.replicated / classes.ns,
      counts: own.counts,
      identical,
      holdout,
      marginal,
    },
    warnings:
      holdout !== null && Math.abs(holdout.records - n) > MUCH_SMALLER * n
        ? [
            `the holdout has ${count(holdout.records, 'record')}, the original ${count(n, 'record')}: fewer records have more uniques, so the shares are not quite comparable`,
          ]
        : [],
    records: () => {
      const { truthIds, dCount, sCount } = classes
      const put = (flags: Int32Array) => spreadOver(flags, complete?.kept.get('original'), release.original.rows)
      return {
        uniqueInOriginal: put(truthIds.map((q) => (dCount[q] === 1 ? 1 : 0))),
        uniqueAndFound: put(truthIds.map((q) => (dCount[q] === 1 && sCount[q] > 0 ? 1 : 0))),
        replicated: put(truthIds.map((q) => (dCount[q] === 1 && sCount[q] === 1 ? 1 : 0))),
      }
    },
  }
}

const MUCH_SMALLER = 0.1

function variablesOf(release: Release, { definition, variables }: Options): readonly string[] {
  if (variables === null) return definition === 'synthpop' ? release.keys : release.variables
  const unknown = variables.filter((name) => !release.variables.includes(name))
  if (unknown.length > 0)
    throw new UserError(unknown.map((name) => `repu: ${unknownName('variable', name, release.variables)}`))
  return variables
}

interface Classes {
  readonly truthIds: Int32Array
  /** Records per class in the truth and in the release, and the weight of the truth's. */
  readonly dCount: Int32Array
  readonly sCount: Int32Array
  readonly dWeight: Float64Array
  readonly nd: number
  readonly ns: number
}

function countClasses(release: Release, variables: readonly string[], truth: Part, part: Part): Classes {
  const classes = keyClasses(release, variables)
  const truthIds = rowsOfPart(release, classes, classes.ids, truth)
  const releasedIds = rowsOfPart(release, classes, classes.ids, part)
  const weights = weightsOfPart(release, truth)
  const dCount = countIds(truthIds, classes.count)
  const dWeight = new Float64Array(classes.count)
  for (let row = 0; row < truthIds.length; row++) dWeight[truthIds[row]] += weights === null ? 1 : weights[row]
  return {
    truthIds,
    dCount,
    sCount: countIds(releasedIds, classes.count),
    dWeight,
    nd: dWeight.reduce((sum, weight) => sum + weight, 0),
    ns: releasedIds.length,
  }
}

function identityOf({ dCount, sCount, dWeight, nd, ns }: Classes): { figures: Identity; counts: Details['counts'] } {
  const counts = { uniqueInOriginal: 0, uniqueInReleased: 0, uniqueInReleasedFound: 0, replicated: 0 }
  let UiO = 0
  let UiOiS = 0
  let repU = 0
  for (let q = 0; q < dCount.length; q++) {
    if (sCount[q] === 1) counts.uniqueInReleased++
    if (sCount[q] === 1 && dCount[q] > 0) counts.uniqueInReleasedFound++
    if (dCount[q] !== 1) continue
    counts.uniqueInOriginal++
    UiO += dWeight[q]
    if (sCount[q] > 0) UiOiS += dWeight[q]
    if (sCount[q] !== 1) continue
    counts.replicated++
    repU += dWeight[q]
  }
  return { figures: { UiO: UiO / nd, UiS: counts.uniqueInReleased / ns, UiOiS: UiOiS / nd, repU: repU / nd }, counts }
}

const RISKUTILITY_PASSES_BELOW = 0.01
const RISKUTILITY_SERIOUS_FROM = 0.05

function identicalRecords({ dCount, sCount, ns }: Classes): Details['identical'] {
  let any = 0
  let unique = 0
  let copied = 0
  let uniques = 0
  for (let q = 0; q < dCount.length; q++) {
    if (dCount[q] > 0) any += sCount[q]
    if (dCount[q] !== 1) continue
    uniques++
    unique += sCount[q]
    if (sCount[q] > 0) copied++
  }
  return {
    toAny: { count: any, share: any / ns },
    toUnique: { count: unique, share: unique / ns },
    uniquesCopied: copied,
    uniquesCopiedShare: uniques > 0 ? copied / uniques : null,
    passesRiskutility: unique / ns < RISKUTILITY_PASSES_BELOW,
  }
}

const HIGH_FROM = 0.05

function ownVerdict({ repU, UiO }: Identity, marginal: MarginalRisk | null): Verdict {
  if (marginal === null)
    return {
      level: 'NOT ASSESSED',
      because: `${percent(repU)} against ${percent(UiO)} in a copy; how much of it is coincidence only a holdout can tell`,
    }
  const { difference, holdout, interval } = marginal
  const significant = interval !== null && interval.lower > 0
  return {
    level: !significant ? 'LOW' : difference < HIGH_FROM ? 'ELEVATED' : 'HIGH',
    because: `${percent(difference)} more than among people who are not in the data (${percent(holdout)})${significant ? '' : ', which may be chance'}`,
  }
}

function riskutilityVerdict(share: number): Verdict {
  const level = share >= RISKUTILITY_SERIOUS_FROM ? 'HIGH' : share >= RISKUTILITY_PASSES_BELOW ? 'ELEVATED' : 'LOW'
  return { level, because: `${percent(share)} of released records are identical (riskutility cuts at 1 and 5 %)` }
}
