import { z } from 'zod'
import { barChart, type Chart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Controls, Look } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { membersOf, search } from '../../neighbors/search.js'
import { type Space, sumBetween } from '../../neighbors/space.js'
import { real, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { normalCdf } from '../../stats/distributions.js'
import { wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests/tests.js'
import { throwIfAborted } from '../../tasks/task.js'
import { recordsAround } from '../distance/others/leave-one-out.js'
import { countWhere, FILE_STRUCTURE } from './counts/frequencies.js'
import { type Compared, comparedRecords } from './counts/weighted-space.js'

/**
 * Epsilon-identifiability (Yoon, Drumright and van der Schaar 2020): the share of original records that lie closer to a
 * released record than to any other original one. Distance is weighted Gower; a variable weighs 1/H, H its entropy in the
 * original, so that rare values count.
 * If the release were fresh draws from the same population the share would not be 0 but ρ0 = m/(m + n - 1), one half for
 * files of equal size; a tie between a originals and b released records counts b/(a + b), which makes that value exact. It is
 * the fair control; for the original itself a record with f equals, itself included, counts f/(2f - 1).
 * Blind to which record a near neighbour belongs to, and to copies that are no closer than the original's own twins.
 */
const options = z.object({
  bins: whole(20, { min: 2 }).describe('equal bins of a numeric variable for its entropy'),
  weightCap: real(null, { above: 0 }).describe(
    'largest weight of a variable, in multiples of the equal weight 1/p (for example 5); none by default',
  ),
  queries: whole(5000, { min: 1 }).describe('records asked for their neighbour where a file is larger than exactUpTo'),
  exactUpTo: whole(20_000, { min: 1 }).describe('files up to this size are searched from every record'),
  permutations: whole(199, { min: 0 }).describe('permutations of membership for the test with a holdout'),
})

export type Options = z.output<typeof options>

/** The test permutes distances between at most this many records of each side. */
const TEST_RECORDS = 400

export const epsilonIdentifiability = measure({
  ...FILE_STRUCTURE,
  id: 'epsilon-identifiability',
  version: 2,
  title: 'Epsilon-identifiability',
  summary: 'share of original records that are closer to a released record than to any other original',
  threat: 'memorisation',
  role: 'supports',
  scope: 'pair',
  needs: [],
  varies: ['people', 'release'],
  blindTo: 'whom a near record belongs to, and copies of records that have equals among the originals',
  fooledBy: {
    'append noise': 'noise moves records apart that agree in all other columns',
    'repeat records': 'repeated records raise the chance that one of them is the closest',
    'split levels': 'a level that the original lacks is a difference in every record that has it',
  },
  options,
  compute,
  citations: ['yoon2020'],
  records: {
    closerToRelease: { riskier: 'higher', meaning: 'share of nearest records that are released ones' },
  },
  literature: [{ value: 0.1, meaning: 'usually accepted, by its own definition', source: 'riskutility 0.2.0' }],
  sentence: ({ details: { closer } }) =>
    `${percent(closer.adjustedRate)} of the original records are nearest to a released one; an honest sample would give ${percent(closer.chance)}`,
  tables: ({ details }) => [
    findingTable('weights', 'Weights of the columns', details.variables, [
      [column.text('column'), ({ variable }) => variable],
      [column.number('weight'), ({ weight }) => weight],
      [column.number('entropy'), ({ entropy }) => entropy],
    ]),
  ],
  charts: ({ details, interval, controls }, { name }) => [
    barChart(
      { name: 'rates', title: `Originals nearest to a released record: ${name}`, x: '', y: 'share of originals' },
      [
        { label: 'this release', value: details.closer.adjustedRate, interval },
        { label: 'honest sample', value: details.closer.chance, series: 'original' as const },
        { label: 'the original', value: controls?.everything?.value ?? 1, series: 'original' as const },
      ],
    ),
    weightsChart(details, name),
  ],
})

export function weightsChart({ variables }: Compared['details'], name: string): Chart {
  return barChart(
    { name: 'weights', title: `Weight of each variable: ${name}`, x: 'variable', y: 'weight' },
    [...variables]
      .sort((a, b) => b.weight - a.weight)
      .map(({ variable, weight }) => ({ label: variable, value: weight })),
  )
}

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { points, complete, details, warnings, poor } = comparedRecords(subject, chosen)
  const [originals, released] = points.ids
  if (originals.length < 2) throw new NotApplicable('one original record has no other original to be close to')
  const sampled = originals.length > chosen.exactUpTo
  const rows = sampled
    ? someOf(Int32Array.from(originals.keys()), chosen.queries, context.random('queries'))
    : Int32Array.from(originals.keys())
  const asked = rows.map((row) => originals[row])
  const found = await recordsAround(points, asked, originals, membersOf(points, released), 1, context)
  const { releasedNearest, designEffect } = found
  const n = asked.length
  const effective = n / designEffect
  const rate = mean(releasedNearest) ?? 0
  const chance = released.length / (released.length + originals.length - 1)
  const bounds = wilson(rate * effective, effective, BOUNDS_LEVEL) ?? { lower: 0, upper: 1 }
  const onRows = (scores: Float64Array) => {
    const perRow = new Float64Array(subject.release.original.rows).fill(Number.NaN)
    for (let k = 0; k < n; k++) perRow[complete[0][rows[k]]] = scores[k]
    return perRow
  }
  const controls: Controls = {
    fair: { value: chance, se: null, what: 'an honest sample', basis: 'leave-one-out' },
    everything: { value: closestOfItself(asked, found.originalsAt), se: null, what: 'the original itself' },
  }
  const outside = points.ids.length < 3 ? null : await againstHoldout(points, chosen, context)
  return {
    value: rate,
    interval: wilson(rate * effective, effective),
    controls,
    effect: {
      value: rate - chance,
      se: (standardDeviation(releasedNearest) ?? 0) / Math.sqrt(effective),
      lower: bounds.lower - chance,
      upper: bounds.upper - chance,
      p: normalCdf((chance - rate) / Math.sqrt((chance * (1 - chance)) / effective)),
    },
    added: () => onRows(releasedNearest.map((share) => share - chance)),
    ...(outside === null ? {} : { looks: [outside.look] }),
    details: {
      ...details,
      closer: {
        /** Strictly closer to a released record. */
        strictRate: strictRate(releasedNearest),
        /** A tie of a originals and b released records counts b/(a + b). */
        adjustedRate: rate,
        /** m/(m + n - 1). */
        chance,
        /** (adjusted rate - chance) / (1 - chance). */
        excess: chance < 1 ? (rate - chance) / (1 - chance) : null,
        /** How much more the adjusted rate varies than over independent records. */
        designEffect,
        queries: n,
        sampled,
      },
      holdout: outside === null ? null : outside.comparison,
    },
    warnings: sampled ? [...warnings, askedAtRandom(n, originals.length, 'original')] : warnings,
    records: () => ({ closerToRelease: onRows(releasedNearest) }),
    ...poor,
  }
}

/** What the original itself would give: of the 2f - 1 records equal to one that has f equals, f are released ones. */
function closestOfItself(asked: Int32Array, originalsAt: Int32Array): number {
  return asked.reduce((sum, point) => sum + originalsAt[point] / (2 * originalsAt[point] - 1), 0) / asked.length
}

/** Share of records to which only released ones are nearest. */
function strictRate(releasedNearest: Float64Array): number {
  return countWhere(releasedNearest, (share) => share === 1) / releasedNearest.length
}

/** The same question for people who were not in the original, at equal sizes: what is left is due to having been in it. */
async function againstHoldout(points: Space, chosen: Options, context: Context) {
  const [originals, released, holdout] = points.ids
  const size = Math.min(originals.length, holdout.length)
  if (size < 2) return null
  const members = someOf(originals, size, context.random('holdout members'))
  const others = someOf(holdout, size, context.random('holdout others'))
  const rate = async (group: Int32Array) => {
    const asked = group.length > chosen.exactUpTo ? group.subarray(0, chosen.queries) : group
    const found = await recordsAround(points, asked, group, membersOf(points, released), 1, context)
    const unequalled = countWhere(asked, (point) => found.originalsAt[point] === 1)
    const strict = strictRate(found.releasedNearest)
    return { strict, effective: asked.length / found.designEffect, unequalled: unequalled / asked.length }
  }
  const inside = await rate(members)
  const outside = await rate(others)
  const tested = Math.min(size, TEST_RECORDS)
  const pValue =
    chosen.permutations === 0
      ? null
      : permutationTest(points, members.subarray(0, tested), others.subarray(0, tested), released, chosen, context)
  const privacyLoss = inside.strict - outside.strict
  const effect = shareEffect(
    inside.strict * inside.effective,
    inside.effective,
    outside.strict * outside.effective,
    outside.effective,
  )
  const se = Math.sqrt((outside.strict * (1 - outside.strict)) / outside.effective)
  const look: Look = {
    what: 'strictly closer, against people outside the release',
    value: inside.strict,
    controls: {
      fair: { value: outside.strict, se, what: 'people outside the release', basis: 'outsiders' },
      everything: { value: inside.unequalled, se: null, what: 'the original itself' },
    },
    effect: { ...effect, p: pValue ?? effect.p },
  }
  const comparison = {
    records: size,
    originalRate: inside.strict,
    holdoutRate: outside.strict,
    privacyLoss,
    /** One-sided, by permuting who was in the original; null without permutations. */
    pValue,
    testedRecords: 2 * tested,
  }
  return { comparison, look }
}

/** Were the two groups alike, any division of their records would be as likely; the difference of rates is compared over many. */
function permutationTest(
  points: Space,
  members: Int32Array,
  others: Int32Array,
  released: Int32Array,
  { permutations }: Options,
  { random, signal }: Context,
): number {
  const pool = Int32Array.from([...members, ...others])
  const size = pool.length
  const { nearest } = search(points, membersOf(points, released))
  const outside = Float64Array.from(pool, (point) => nearest(point, 1).kth)
  const between = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) between[i * size + j] = sumBetween(points, pool[i], pool[j])
  const group = new Uint8Array(size)
  const difference = (order: Int32Array) => {
    for (let k = 0; k < size; k++) group[order[k]] = 2 * k < size ? 1 : 0
    let closer = 0
    for (let i = 0; i < size; i++) {
      let inside = Number.POSITIVE_INFINITY
      for (let j = 0; j < size; j++)
        if (j !== i && group[j] === group[i] && between[i * size + j] < inside) inside = between[i * size + j]
      if (outside[i] < inside) closer += group[i] === 1 ? 1 : -1
    }
    return (2 * closer) / size
  }
  const observed = difference(Int32Array.from(pool.keys()))
  const permuted = new Float64Array(permutations)
  for (let k = 0; k < permutations; k++) {
    throwIfAborted(signal)
    permuted[k] = difference(sampleWithoutReplacement(random('permutation', k), size, size))
  }
  return permutationPValue(observed, permuted)
}

export const askedAtRandom = (asked: number, all: number, whose: 'original' | 'released') =>
  `${asked} of ${all} ${whose} records were asked for their neighbour, drawn at random`

/** At most so many of the points, drawn at random. */
export function someOf(points: Int32Array, most: number, random: Stream): Int32Array {
  return sampleWithoutReplacement(random, points.length, Math.min(most, points.length)).map((place) => points[place])
}
