import { z } from 'zod'
import { barChart, lineChart } from '../../chart/chart.js'
import { NotApplicable, unknownName } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { toRows } from '../../neighbors/release-space.js'
import { type Space, space } from '../../neighbors/space.js'
import { count, percent } from '../../print.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import { mean, standardDeviation, sum } from '../../stats/sums.js'
import { tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import type { Table } from '../../table/table.js'
import { candidates, type NearestReleased, nearestReleased } from './nearest-released.js'
import { chanceOfFinds } from './truth/finds-by-chance.js'
import { NO_CORRESPONDENCE, rowsCorrespond } from './truth/row-order.js'

/**
 * Re-identification of a perturbed release, in which row i derives from row i of the original: the intruder knows the keys
 * of each of n people and takes the released record nearest to them (Gower 1971), one at random if several are. With C_i
 * the nearest records, person i is found with probability h_i = [i in C_i] / |C_i|; the value is mean h.
 *   by chance       1/n: the records dealt out at random
 *   everything      the original itself: mean 1/f_i = G/n, f_i people having the keys of i, G different keys
 * Leakage = (mean h - 1/n) / (G/n - 1/n). Distance-based record linkage: Pagliuca and Seri (1999); Domingo-Ferrer and Torra (2001).
 *
 * People with the same keys have the same C_i, so together they add at most 1: the sums over the G keys are G numbers
 * between 0 and 1, which vary no more than coin tosses, hence Wilson's bounds on G of them. For the test let the rows be
 * dealt out at random: then E binomial(T, k) <= 1/k! for the number T = Σ h of finds, whatever the distances and ties, so
 *   P(T >= t) <= 1 / (t (t - 1) ... (t - k + 1)), k the whole part of t,
 * for any number of people: five finds have p = 1/120, where one is expected.
 * Blind to rows that were put into another order, and to what an intruder learns from a find.
 */
const options = z.object({
  variables: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'what the intruder knows; the keys and numeric keys when not given, and all variables when there are none',
    ),
  sample: z
    .number()
    .int()
    .min(100)
    .default(5000)
    .describe('how many people are looked for when there are more than 20,000; among all released records'),
})

type Options = z.output<typeof options>

const SAMPLE_ABOVE = 20_000
/** The own record is looked for among this many nearest ones. */
const KEPT = 20

type Details = {
  readonly variables: readonly string[]
  readonly people: number
  readonly lookedFor: number
  /** Σ h, and by chance. */
  readonly found: number
  readonly foundByChance: number
  /** People who are found for certain: the only nearest record is their own. */
  readonly certain: number
  /** People to whom one record alone is nearest, and how often it is their own: what an intruder can rely on. */
  readonly oneNearest: number
  readonly precision: number | null
  /** Different combinations of what is known. */
  readonly distinct: number
  readonly meanTied: number
  readonly meanDistance: { readonly toOwn: number; readonly toNearest: number }
  /** Share of people whose own record is among the k nearest. */
  readonly amongNearest: readonly { readonly k: number; readonly share: number; readonly chance: number }[]
}

export const reidentification = measure({
  id: 'reidentification',
  version: 1,
  title: 'Re-identification',
  summary: 'share of people whose released record is found by somebody who knows their keys',
  family: 'linkage',
  threat: 'identity',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: ['paired rows'],
  unit: 'share',
  varies: ['people'],
  blindTo: 'rows that were put into another order, and what is learnt from a find',
  fooledBy: {
    'shuffle rows': 'whose record is whose is then not known, and nothing is said',
    'repeat records': 'whose record is whose is then not known, and nothing is said',
    'pad with noise': 'whose record is whose is then not known, and nothing is said',
  },
  options,
  check,
  compute,
  citations: ['domingo2001'],
  records: {
    found: { riskier: 'higher', meaning: 'chance to pick the right record' },
    nearestRecords: { riskier: 'lower', meaning: 'released records at the smallest distance' },
    nearerThanOwn: { riskier: 'lower', meaning: 'released records nearer than the person’s own' },
    distanceToOwn: { riskier: 'lower', meaning: 'distance to the record that was made of the person' },
    distanceToNearest: { riskier: 'lower', meaning: 'distance to the nearest released record' },
  },
  thresholds: {
    literature: [
      { value: 0.1, meaning: 'mean linkage risk up to which a release passes', source: 'riskutility 0.1.0' },
    ],
  },
  sentence: ({ value, details: { variables, found, foundByChance, lookedFor } }) =>
    `whoever knows ${variables.join(', ')} finds the released record of ${percent(value ?? 0)} of people (${found.toFixed(1)} of ${lookedFor.toLocaleString('en-US')}; ${foundByChance.toPrecision(1)} by chance)`,
  charts: ({ details, controls, interval }, { name }) => [
    barChart({ name: 'found', title: `People whose released record is found: ${name}`, x: '', y: 'share of people' }, [
      { label: 'this release', value: details.found / details.lookedFor, interval },
      { label: 'at random', value: controls?.fair?.value ?? 0, series: 'original' },
      { label: 'the original', value: controls?.everything?.value ?? 1, series: 'original' },
    ]),
    lineChart(
      {
        name: 'rank',
        title: `How near the own record is: ${name}`,
        x: 'nearest released records that are looked at',
        y: 'share of people found among them',
      },
      details.amongNearest.flatMap(({ k, share, chance }) => [
        { x: k, y: share, series: 'this release' },
        { x: k, y: chance, series: 'at random' },
      ]),
    ),
  ],
})

function check(release: Release, { variables }: Options): string[] {
  const unknown = (variables ?? []).filter((name) => !release.variables.includes(name))
  return unknown.map((name) => unknownName('column', name, release.variables))
}

async function compute({ release, part }: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const files = [release.original, tableOfPart(release, part)] as const
  const [original, released] = files
  const n = original.rows
  if (released.rows !== n)
    throw new NotApplicable(
      `${released.name} has ${count(released.rows, 'record')} and ${original.name} ${n}: row i of one is not row i of the other`,
    )
  const names = knownColumns(release, chosen)
  const around = candidates(spaceOf(files, names))
  const rows = lookedFor(n, chosen.sample, context)
  const near = await nearestReleased(around, rows, Math.min(KEPT, n), context)
  const found = sum(near.hit)
  const keys = keySums(around.space, rows, near.hit)
  const value = found / rows.length
  const chance = 1 / n
  const ofPeople = (interval: Interval | null) => scaled(interval, keys.length / rows.length)
  const bounds = ofPeople(wilson(Math.min(found, keys.length), keys.length, BOUNDS_LEVEL))
  const spread = standardDeviation(keys) ?? 0
  return {
    value,
    interval: ofPeople(wilson(Math.min(found, keys.length), keys.length)),
    controls: {
      nothing: { value: chance, se: null, what: 'a record at random' },
      fair: { value: chance, se: null, what: 'a record at random', basis: 'chance' },
      everything: { value: byEqualKeys(around.space, rows), se: null, what: 'the original itself' },
    },
    effect: {
      value: value - chance,
      se: (spread * Math.sqrt(keys.length)) / rows.length,
      lower: bounds.lower - chance,
      upper: bounds.upper - chance,
      p: chanceOfFinds(found, rows.length, n),
    },
    people: Math.round(n * Math.max(0, value - chance)),
    ...(rowsCorrespond(release.variables, files, context.random('other rows'))
      ? {}
      : { notAssessed: NO_CORRESPONDENCE }),
    added: () =>
      toRows(
        { rows, fileRows: n },
        near.hit.map((hit) => hit - chance),
      ),
    details: describe(names, n, near, keys.length),
    warnings: warningsOf(around.missingIsValue, rows.length, n),
    records: () => scoresOf(near, { rows, fileRows: n }),
  }
}

function knownColumns({ keys, numericKeys, variables }: Release, chosen: Options): readonly string[] {
  if (chosen.variables !== null) return [...new Set(chosen.variables)]
  return keys.length + numericKeys.length > 0 ? [...keys, ...numericKeys] : variables
}

function spaceOf(files: readonly Table[], names: readonly string[]): Space {
  const built = space(files, names, [0], { clip: false })
  if (built.columns.length === 0) throw new NotApplicable('there is no column to compare records by')
  return built
}

function lookedFor(n: number, sample: number, context: Context): Int32Array {
  return n > SAMPLE_ABOVE && sample < n
    ? sampleWithoutReplacement(context.random('people'), n, sample).sort()
    : Int32Array.from({ length: n }, (_, row) => row)
}

/** Σ h over the people who have the same keys: from 0 to 1 each. */
function keySums({ ids: [originals], count: points }: Space, rows: Int32Array, hit: Float64Array): Float64Array {
  const sums = new Float64Array(points).fill(-1)
  for (let at = 0; at < rows.length; at++) {
    const point = originals[rows[at]]
    sums[point] = Math.max(0, sums[point]) + hit[at]
  }
  return sums.filter((total) => total >= 0)
}

/** Mean of 1/f over the people looked for: what the original itself gives away. */
function byEqualKeys({ ids: [originals], count: points }: Space, rows: Int32Array): number {
  const people = new Int32Array(points)
  for (const point of originals) people[point]++
  let total = 0
  for (const row of rows) total += 1 / people[originals[row]]
  return total / rows.length
}

function scaled(interval: Interval | null, factor: number): Interval {
  if (interval === null) throw new Error('there is nobody to look for')
  return { ...interval, lower: factor * interval.lower, upper: factor * interval.upper }
}

function describe(variables: readonly string[], n: number, near: NearestReleased, distinct: number): Details {
  const { tied, hit, nearer, asNear } = near
  const lookedFor = hit.length
  let certain = 0
  let oneNearest = 0
  for (let at = 0; at < lookedFor; at++) {
    if (hit[at] === 1) certain++
    if (tied[at] === 1) oneNearest++
  }
  const among = (k: number, at: number) =>
    nearer[at] < 0 ? 0 : Math.min(1, Math.max(0, (k - nearer[at]) / Math.max(1, asNear[at])))
  return {
    variables,
    people: n,
    lookedFor,
    found: sum(hit),
    foundByChance: lookedFor / n,
    certain,
    oneNearest,
    precision: oneNearest === 0 ? null : certain / oneNearest,
    distinct,
    meanTied: mean(tied) ?? 0,
    meanDistance: { toOwn: mean(near.toOwn) ?? 0, toNearest: mean(near.toNearest) ?? 0 },
    amongNearest: Array.from({ length: Math.min(KEPT, n) }, (_, place) => ({
      k: place + 1,
      share: mean(hit.map((_h, at) => among(place + 1, at))) ?? 0,
      chance: (place + 1) / n,
    })),
  }
}

function warningsOf(missingIsValue: boolean, lookedFor: number, n: number): string[] {
  return [
    ...(missingIsValue
      ? ['values are missing in too many patterns to weigh each: missing was read as one more value']
      : []),
    ...(lookedFor < n ? [`${count(lookedFor, 'person', 'people')} were looked for, drawn at random from ${n}`] : []),
  ]
}

function scoresOf({ hit, tied, nearer, toOwn, toNearest }: NearestReleased, on: Parameters<typeof toRows>[0]) {
  return {
    found: toRows(on, hit),
    nearestRecords: toRows(on, tied),
    nearerThanOwn: toRows(
      on,
      nearer.map((records) => (records < 0 ? Number.NaN : records)),
    ),
    distanceToOwn: toRows(on, toOwn),
    distanceToNearest: toRows(on, toNearest),
  }
}
