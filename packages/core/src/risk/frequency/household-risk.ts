import { countIds, groupRows, math, rowsByGroup } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { measure, type Subject } from '../../measure.js'
import { real, whole } from '../../option-kinds.js'
import { count, expected, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { sum } from '../../stats/sums.js'
import { jointCodes, type Part, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { findColumn } from '../../table/table.js'
import { countedDetails, countWhere, FILE_STRUCTURE, withClasses } from './frequencies.js'
import { recordRisk, recordRiskOptions, recordRiskProblems } from './record-risk.js'
import { summariseSampling } from './sampling.js'
import { meanBySize } from './sizes.js'

/**
 * Household risk: who is found gives away the household. The risk that at least one member is re-identified, members
 * taken as independent, is R(h) = 1 - Π (1 - r(i)), and every member carries it (Franconi and Polettini 2004; sdcMicro).
 * The headline is the mean over persons. Independence understates the risk when the composition of a household is
 * itself a key, so households are also counted by the multiset of their members' keys: household k-anonymity.
 * Blind to everything that individual risk is blind to.
 */
const options = z.object({
  ...recordRiskOptions,
  k: whole(3, { min: 1 }).describe('smallest number of households with the same members that is acceptable'),
  threshold: real(0.1, { above: 0, below: 1 }).describe('a household above this is at high risk'),
})

export const householdRisk = measure({
  ...FILE_STRUCTURE,
  id: 'household-risk',
  version: 1,
  title: 'Household risk',
  summary: 'expected share of persons in whose household somebody is re-identified',
  needs: ['keys', 'household'],
  blindTo: "what an intruder would learn, and whether a synthetic household is anybody's",
  options,
  check: recordRiskProblems,
  compute,
  citations: ['templ2015'],
  records: {
    householdRisk: { riskier: 'higher', meaning: 'probability that somebody of the household is re-identified' },
    risk: { riskier: 'higher', meaning: 'probability of re-identification' },
    householdsAlike: { riskier: 'lower', meaning: 'households with the same composition' },
  },
  thresholds: {
    literature: [{ value: 0.1, meaning: 'mean risk usually accepted for persons', source: 'riskutility 0.2.0' }],
  },
  sentence: ({ details }) =>
    `${expected(details.expectedPersons)} of ${count(details.records, 'person')} (${percent(details.householdRisk, 2)}) are expected to live with somebody who is re-identified; ${count(details.composition.uniqueHouseholds, 'household')} of ${details.households.toLocaleString('en-US')} ${details.composition.uniqueHouseholds === 1 ? 'is' : 'are'} unique by the keys of the members`,
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'household-risk',
        title: `Risk of households: ${name}`,
        x: 'risk that a member is re-identified',
        y: 'households',
      },
      details.histogram,
      [{ value: details.threshold, label: 'threshold' }],
    ),
    barChart(
      { name: 'risk-by-household-size', title: `Mean risk by household size: ${name}`, x: 'members', y: 'mean risk' },
      details.bySize.map(({ size, mean }) => ({ label: size, value: mean, alarm: mean > details.threshold })),
      [{ value: details.threshold, label: 'threshold' }],
    ),
  ],
})

function compute({ release, part }: Subject, chosen: z.output<typeof options>) {
  const estimated = recordRisk(release, part, chosen)
  const { risk, own } = estimated
  const households = householdsOf(release, part, risk)
  const perHousehold = riskOfHouseholds(risk, households)
  const toPersons = (ofHousehold: Float64Array) =>
    Float64Array.from(households.ids, (id) => (id < 0 ? Number.NaN : ofHousehold[id]))
  const perPerson = toPersons(perHousehold)
  const coded = withClasses(release, part, release.keys, own, chosen)
  const { summary, alike } = compositionOf(households, coded.own.classes.ids, chosen.k)
  const expectedPersons = sum(perPerson.filter((value) => !Number.isNaN(value)))
  const sizes = countIds(households.ids, households.count)
  const details = {
    /** Mean over persons of the risk of their household, and its sum. */
    householdRisk: expectedPersons / own.n,
    expectedPersons,
    /** The same over households. */
    expectedHouseholds: sum(perHousehold),
    meanHouseholdRisk: sum(perHousehold) / households.count,
    maximum: perHousehold.reduce((a, b) => Math.max(a, b), 0),
    individualRisk: sum(risk.filter((value) => !Number.isNaN(value))) / own.n,
    ...countedDetails(own),
    households: households.count,
    withoutHousehold: households.withoutId,
    method: estimated.method,
    sampling: summariseSampling(estimated.sampling),
    threshold: chosen.threshold,
    aboveThreshold: countWhere(perHousehold, (value) => value > chosen.threshold),
    composition: summary,
    bySize: meanBySize(sizes, perHousehold).map(({ size, count: n, mean }) => ({ size, households: n, mean })),
    histogram: histogram(perHousehold, 20, 0, 1),
  }
  const warnings = [...estimated.notes]
  if (own.classes === null)
    warnings.push('households were compared by member keys with a missing key as one more value, not as a wildcard')
  if (own.dropped > 0)
    warnings.push(`${own.dropped} records with a missing key were dropped from their households, which hides risk`)
  if (households.withoutId > 0)
    warnings.push(`${households.withoutId} records without a household id are each a household of their own`)
  return {
    value: details.householdRisk,
    interval: null,
    details,
    warnings,
    records: () => ({ householdRisk: perPerson, risk, householdsAlike: toPersons(alike) }),
  }
}

interface Households {
  /** Per row; -1 for a dropped record. */
  readonly ids: Int32Array
  readonly count: number
  readonly withoutId: number
}

/** Dense household numbers of the counted records; who has no household id is a household of one. */
function householdsOf(release: Release, part: Part, risk: Float64Array): Households {
  const name = release.household ?? ''
  const table = tableOfPart(release, part)
  if (findColumn(table, name) === undefined) throw new NotApplicable(`${table.name} has no household column "${name}"`)
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, part)
  const numberOf = new Int32Array(joint.cardinality)
  const ids = new Int32Array(codes.length)
  let households = 0
  let withoutId = 0
  for (let row = 0; row < codes.length; row++) {
    if (Number.isNaN(risk[row])) ids[row] = -1
    else if (codes[row] < 0) {
      ids[row] = households++
      withoutId++
    } else {
      if (numberOf[codes[row]] === 0) numberOf[codes[row]] = ++households
      ids[row] = numberOf[codes[row]] - 1
    }
  }
  return { ids, count: households, withoutId }
}

/** 1 - Π (1 - r), summed in logarithms so that many small risks do not vanish; 1 if a member's risk is 1. */
function riskOfHouseholds(risk: Float64Array, { ids, count: households }: Households): Float64Array {
  const logSafe = new Float64Array(households)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) logSafe[ids[row]] += math.log1p(-risk[row])
  return logSafe.map((value) => -math.expm1(value))
}

/**
 * Households with the same members: their sorted lists of key classes are followed like paths of a tree, all households
 * one member further at a time, so the work is linear in the persons whatever the largest household.
 */
function compositionOf(households: Households, classIds: Int32Array, k: number) {
  const { rows, start } = rowsByGroup(households.ids, households.count)
  const members = Int32Array.from(rows, (row) => classIds[row])
  for (let household = 0; household < households.count; household++)
    members.subarray(start[household], start[household + 1]).sort()
  const kind = new Int32Array(households.count)
  const path = new Int32Array(households.count)
  let kinds = 0
  let live = Int32Array.from({ length: households.count }, (_, household) => household)
  const cardinality = classIds.reduce((a, b) => Math.max(a, b), 0) + 1
  for (let depth = 0; live.length > 0; depth++) {
    const next = live.map((household) => members[start[household] + depth])
    const stepped = groupRows(
      [
        { codes: live.map((household) => path[household]), cardinality: households.count },
        { codes: next, cardinality },
      ],
      live.length,
    )
    for (let at = 0; at < live.length; at++) path[live[at]] = stepped.ids[at]
    const ended = live.filter((household) => start[household + 1] - start[household] === depth + 1)
    for (const household of ended) kind[household] = kinds + path[household]
    kinds += stepped.count
    live = live.filter((household) => start[household + 1] - start[household] > depth + 1)
  }
  const sizes = countIds(kind, kinds)
  const alike = Float64Array.from(kind, (number) => sizes[number])
  const violatingHouseholds = countWhere(alike, (size) => size < k)
  const classes = countWhere(sizes, (size) => size > 0)
  const summary = {
    k: alike.reduce((a, b) => Math.min(a, b), households.count),
    threshold: k,
    classes,
    uniqueHouseholds: countWhere(alike, (size) => size === 1),
    violatingHouseholds,
    violatingShare: violatingHouseholds / households.count,
    /** Mean over households of 1/(households alike). */
    prosecutorRisk: classes / households.count,
  }
  return { summary, alike }
}
