import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, lineChart, linesOver } from '../../chart/chart.js'
import { normalEffect } from '../../evidence/effects.js'
import type { Effect } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import { real } from '../../option-kinds.js'
import { count, fixed, percent, significant } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { mean, sum } from '../../stats/sums.js'
import { leaveOneOutOptions, type Neighbourhoods, neighbourhoods, onRows } from './others/leave-one-out.js'
import { type ReleasedPeople, releasedPeople } from './others/released-people.js'
import { asManyTwins, chanceOfTwin, isFew, ratiosOf, twins } from './others/twins.js'

/**
 * Memorisation in the tail: who has a twin in the release? T = share of original records i with d(i, Y) < ρ d(i, X
 * without i), ρ = 0.05: a released record is 20 times nearer than any other original. The m + n - 1 records around i are
 * exchangeable when the release is another sample of the population, so with J_i - 1 of them within 1/ρ times the least
 * distance, i has a twin by chance with probability e_i = Π_{l < J_i - 1} (m - l) / (m + n - 1 - l): all of them are
 * released ones. A record that is copied is a hit for sure and has e_i = ν = m / (m + n - 1). Nothing is nearer than an
 * equal record, so only originals that have no equal can have a twin, and the original itself would add a_i = 1 - ν for
 * each of these, or 1 - e_i where a twin is not alone, and 0 for the others. Hence
 *   leakage L = (T - mean e) / mean a:
 * 0 for an honest sample, f when a share f of these is copied, however poor the rest of the release is.
 * A few copies drown in people who are twenty-fold near by chance, so equal records are also looked at alone: by chance
 * there are hardly any where columns are fine. A release that draws each column from the original's own values equals
 * originals more often than another sample does; as many as independent columns would give, q_i = 1 - exp(-m Π_j p_j), p_j
 * the share of i's value in column j of the original, are therefore no copies: the larger of mean e and mean q is fair.
 * A third look asks the same of the released records: how many of them are somebody's own (`released-people.ts`).
 * Needs no holdout. Blind to closeness that is not twenty-fold (see `memorisation`) and to copies of duplicated records.
 */
const options = z.object({
  ratio: real(0.05, { above: 0, below: 1 }).describe(
    'a released record is a twin when it is nearer than this times the distance to the nearest other original',
  ),
  ...leaveOneOutOptions,
})

/** Nothing but an equal record is so much nearer than another one. */
const EQUAL = 1e-12

const CURVE_RATIOS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

export const memorisationTail = measure({
  id: 'memorisation-tail',
  version: 2,
  title: 'Memorisation of single records',
  summary: 'share of people with a released record twenty times nearer than any other original, against chance',
  family: 'distance',
  threat: 'memorisation-tail',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'closeness that is not twenty-fold, and copies of people who have an equal among the originals',
  options,
  check: distanceProblems,
  compute,
  records: {
    distanceRatio: {
      riskier: 'lower',
      meaning: 'distance to the nearest released record, over that to the nearest other original',
    },
    twin: { riskier: 'higher', meaning: '1: a released record is nearer than chance explains' },
    twinBeyondChance: { riskier: 'higher', meaning: 'the same, less what chance gives' },
  },
  sentence: ({ details: { ratio, twins, chance, fromRelease } }) =>
    `${percent(twins)} of people have a released record ${timesNearer(ratio)} times nearer than any other original, ${percent(chance)} would by chance; ${ownText(fromRelease)}`,
  tables: ({ details }) => [
    findingTable('twins', 'Twins by how near they are', details.curve, [
      [column.number('ratio'), ({ ratio }) => ratio],
      [column.number('twins'), ({ twins }) => twins],
      [column.number('by chance'), ({ chance }) => chance],
    ]),
  ],
  charts: ({ details, interval }, { name }) => [
    barChart({ name: 'twins', title: `People with a twin in the release: ${name}`, x: '', y: 'share of people' }, [
      { label: 'this release', value: details.twins, interval },
      { label: 'by chance', value: details.chance, series: 'original' },
      { label: 'halves of the original', value: details.halves.twins, series: 'original' },
    ]),
    lineChart(
      { name: 'ratios', title: `Twins by how near they are: ${name}`, x: 'ratio of distances', y: 'share of people' },
      linesOver(details.curve, 'ratio', { twins: 'this release', chance: 'by chance' }),
      { log: true, rules: [{ value: details.ratio, label: 'twin' }] },
    ),
  ],
})

async function compute(subject: Subject, chosen: z.output<typeof options>, context: Context) {
  const around = await neighbourhoods(subject, chosen, context)
  const n = around.rows.length
  const { hit, expected, excess } = twins(around, chosen.ratio)
  const rates = ratesOf(chosen.ratio, hit, expected)
  const unequalled = around.equals.filter((records) => records === 1).length / n
  const byColumns = equalByColumns(chosen.variables ?? subject.release.variables, around)
  const head = lookOf(around, chosen.ratio, unequalled)
  const equals = equalLook(around, byColumns, unequalled)
  const fromRelease = releasedPeople(
    around,
    chosen.ratio,
    unequalled,
    (mean(byColumns) ?? 0) * around.originals,
    Math.min(head.effect.p, equals.effect.p),
  )
  const added = () => onRows(around, excess)
  return {
    ...head,
    interval: wilson(rates.twins * n, n),
    looks: [
      {
        what: 'equal records alone',
        ...equals,
        narrow: true,
        added: () => onRows(around, twins(around, EQUAL).excess),
      },
      { ...fromRelease.look, added },
    ],
    added,
    isOfAll: around.isScanned,
    details: {
      records: n,
      originals: around.originals,
      released: around.released,
      /** Share of originals that no other original equals: who can have a twin. */
      unequalled,
      ...rates,
      fromRelease: fromRelease.counts,
      curve: CURVE_RATIOS.map((ratio) => {
        const at = twins(around, ratio)
        return ratesOf(ratio, at.hit, at.expected)
      }),
      /** The same statistic between random halves of the original, and the leakage against it: (T - T0) / (1 - T0). */
      halves: againstHalves(around, chosen.ratio, rates.twins),
    },
    warnings: around.warnings,
    records: () => ({
      distanceRatio: onRows(around, ratiosOf(around)),
      twin: onRows(around, hit),
      twinBeyondChance: onRows(around, excess),
    }),
  }
}

function lookOf(around: Neighbourhoods, ratio: number, unequalled: number) {
  const { hit, expected } = twins(around, ratio)
  return lookBeside(around, hit, expected, unequalled, everybodyCopied(around, hit, expected))
}

function equalLook(around: Neighbourhoods, byColumns: Float64Array, unequalled: number) {
  const { hit, expected } = twins(around, EQUAL)
  return sum(byColumns) > sum(expected)
    ? lookBeside(around, hit, byColumns, unequalled, unequalled - (mean(byColumns) ?? 0))
    : lookBeside(around, hit, expected, unequalled, everybodyCopied(around, hit, expected))
}

/** What the original itself would add: a twin of everybody without an equal, whom several released records may equal by chance. */
function everybodyCopied({ equals, chance }: Neighbourhoods, hit: Float64Array, expected: Float64Array): number {
  return mean(Float64Array.from(hit, (twin, at) => (equals[at] > 1 ? 0 : 1 - (twin > 0 ? expected[at] : chance)))) ?? 0
}

/** For each record looked at: the chance that one of as many released records equals it when every column is drawn for itself. */
function equalByColumns(
  variables: readonly string[],
  { rows, originals, released, withValue }: Neighbourhoods,
): Float64Array {
  const copies = new Float64Array(rows.length).fill(released)
  for (const name of new Set(variables)) {
    const records = withValue(name)
    for (let at = 0; at < rows.length; at++) copies[at] *= records[at] / originals
  }
  return copies.map((records) => -math.expm1(-records))
}

function lookBeside(
  around: Neighbourhoods,
  hit: Float64Array,
  expected: Float64Array,
  unequalled: number,
  /** What the original itself would exceed `expected` by. */
  ceiling: number,
) {
  const chance = mean(expected) ?? 0
  const effect = effectOf(
    around,
    hit.map((twin, at) => twin - expected[at]),
    expected,
  )
  return {
    value: mean(hit) ?? 0,
    controls: {
      fair: { value: chance, se: null, what: 'an honest sample', basis: 'leave-one-out' as const },
      everything: { value: unequalled, se: null, what: 'the original itself' },
    },
    effect: {
      ...effect,
      p: isFew(expected) ? asManyTwins(hit, expected) : effect.p,
      ceiling,
    },
    reach: unequalled,
  }
}

/** T, and mean e. */
function ratesOf(ratio: number, hit: Float64Array, expected: Float64Array) {
  return { ratio, twins: mean(hit) ?? 0, chance: mean(expected) ?? 0 }
}

/**
 * T - mean e. The variance of Σ (hit - e) is the larger of that seen, with equal records taken together since they have a
 * twin or not together, and that by chance, Σ e (1 - e): the first can be 0 when all records are copied.
 */
function effectOf({ points }: Neighbourhoods, excess: Float64Array, expected: Float64Array): Effect {
  const average = mean(excess) ?? 0
  const byPoint = new Float64Array(points.reduce((most, point) => Math.max(most, point), 0) + 1)
  for (let at = 0; at < excess.length; at++) byPoint[points[at]] += excess[at] - average
  const seen = byPoint.reduce((sum, total) => sum + total * total, 0)
  const byChance = expected.reduce((sum, e) => sum + e * (1 - e), 0)
  return normalEffect(average, Math.sqrt(Math.max(seen, byChance)) / excess.length)
}

/** Mean over all ways to cut the original in two: records of one half with a twin in the other. */
function againstHalves({ rows, originals, kept, toOthers }: Neighbourhoods, ratio: number, hits: number) {
  const half = Math.floor(originals / 2)
  const chances = Float64Array.from(rows, (_, at) =>
    chanceOfTwin(toOthers.subarray(at * kept, (at + 1) * kept), ratio, half, originals - 1),
  )
  const expected = mean(chances) ?? 0
  if (expected >= 1) return { twins: expected, leakage: null, standardError: null }
  const larger = Math.max(hits, expected)
  return {
    twins: expected,
    leakage: (hits - expected) / (1 - expected),
    standardError: Math.sqrt((larger * (1 - larger)) / rows.length) / (1 - expected),
  }
}

function ownText({ own, records, byChance }: ReleasedPeople): string {
  return `${own} of ${count(records, 'released record')} ${own === 1 ? 'is a real person' : 'are real people'}, ${fixed(byChance, 1)} would be by chance`
}

function timesNearer(ratio: number): string {
  return String(significant(1 / ratio))
}
