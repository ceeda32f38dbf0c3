import { countIds } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { real, whole } from '../../option-kinds.js'
import { count, expected, grouped, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { sum } from '../../stats/sums.js'
import { countedDetails, countWhere, FILE_STRUCTURE, withClasses } from './counts/frequencies.js'
import { meanBySize } from './counts/sizes.js'
import { compositionOf, householdsOf, riskOfHouseholds } from './population/households.js'
import { recordRisk, recordRiskOptions, recordRiskProblems } from './population/record-risk.js'
import { summariseSampling } from './population/sampling.js'

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
  literature: [{ value: 0.1, meaning: 'mean risk usually accepted for persons', source: 'riskutility 0.2.0' }],
  sentence: ({ details }) =>
    `${expected(details.expectedPersons)} of ${count(details.records, 'person')} (${percent(details.householdRisk, 2)}) are expected to live with somebody who is re-identified; ${count(details.composition.uniqueHouseholds, 'household')} of ${grouped(details.households)} ${details.composition.uniqueHouseholds === 1 ? 'is' : 'are'} unique by the keys of the members`,
  tables: ({ details }) => [
    findingTable('sizes', 'By number of members', details.bySize, [
      [column.text('members'), ({ size }) => size],
      [column.count('households'), ({ households }) => households],
      [column.share('mean risk'), ({ mean }) => mean],
    ]),
  ],
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
    bySize: meanBySize(sizes, perHousehold, null).map(({ size, count: n, mean }) => ({ size, households: n, mean })),
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
