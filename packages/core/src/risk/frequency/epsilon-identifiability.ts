import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, type Chart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Look } from '../../evidence/evidence.js'
import { unlessMostAreComplete } from '../../evidence/incomplete.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { membersOf, search } from '../../neighbors/search.js'
import { type Space, space, sumBetween } from '../../neighbors/space.js'
import { percent } from '../../print.js'
import type { Stream } from '../../random/stream.js'
import { normalCdf } from '../../stats/distributions.js'
import { wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests.js'
import { jointCodes, type Part, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Column } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { completeRows, selectRows, table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import { recordsAround } from '../distance/others/leave-one-out.js'

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
  bins: z.number().int().min(2).default(20).describe('equal bins of a numeric variable for its entropy'),
  weightCap: z
    .number()
    .gt(0)
    .nullable()
    .default(null)
    .describe('largest weight of a variable, in multiples of the equal weight 1/p (for example 5); none by default'),
  queries: z
    .number()
    .int()
    .min(1)
    .default(5000)
    .describe('records asked for their neighbour where a file is larger than exactUpTo'),
  exactUpTo: z.number().int().min(1).default(20_000).describe('files up to this size are searched from every record'),
  permutations: z.number().int().min(0).default(199).describe('permutations of membership for the test with a holdout'),
})

export type Options = z.output<typeof options>

/** Bins reach this far beyond the smallest and largest value, as in riskutility. */
const WIDENED = 1e-10
/** The test permutes distances between at most this many records of each side. */
const TEST_RECORDS = 400

export const epsilonIdentifiability = measure({
  id: 'epsilon-identifiability',
  version: 2,
  title: 'Epsilon-identifiability',
  summary: 'share of original records that are closer to a released record than to any other original',
  family: 'frequency',
  threat: 'memorisation',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
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
  thresholds: {
    literature: [{ value: 0.1, meaning: 'usually accepted, by its own definition', source: 'riskutility 0.2.0' }],
  },
  sentence: ({ details: { closer } }) =>
    `${percent(closer.adjustedRate)} of the original records are nearest to a released one; an honest sample would give ${percent(closer.chance)}`,
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

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const compared = comparedRecords(subject, chosen)
  return { ...(await byCloseness(subject.release, compared, chosen, context)), ...compared.poor }
}

/** The complete records of all files in one space, and what is said of them under any definition. */
export interface Compared {
  readonly points: Space
  readonly complete: readonly Int32Array[]
  readonly details: {
    readonly originals: number
    readonly released: number
    readonly droppedOriginals: number
    readonly droppedReleased: number
    readonly variables: readonly { readonly variable: string; readonly weight: number; readonly entropy: number }[]
  }
  readonly poor: ReturnType<typeof unlessMostAreComplete>
  readonly warnings: readonly string[]
}

export function comparedRecords({ release, part }: Subject, chosen: Options): Compared {
  if (release.variables.length === 0) throw new NotApplicable('the original and the release have no variable in common')
  const warnings: string[] = []
  const parts: Part[] = release.holdout === null ? ['original', part] : ['original', part, 'holdout']
  const complete = parts.map((one) => completeRows(tableOfPart(release, one), release.variables))
  for (const [k, rows] of complete.entries()) {
    const { name, rows: all } = tableOfPart(release, parts[k])
    if (rows.length === 0) throw new NotApplicable(`every record of ${name} has a missing value`)
    if (rows.length < all) warnings.push(`${all - rows.length} records of ${name} with a missing value were left out`)
  }
  const variables = weighVariables(release, complete[0], chosen, warnings)
  return {
    points: pointsOf(release, parts, complete, variables),
    complete,
    details: {
      originals: complete[0].length,
      released: complete[1].length,
      droppedOriginals: tableOfPart(release, 'original').rows - complete[0].length,
      droppedReleased: tableOfPart(release, part).rows - complete[1].length,
      variables: variables.map(({ name, weight, entropy }) => ({ variable: name, weight, entropy })),
    },
    poor: unlessMostAreComplete(complete.map((rows, k) => ({ ...tableOfPart(release, parts[k]), kept: rows.length }))),
    warnings,
  }
}

type Details = Compared['details'] & { readonly closer: Closer; readonly holdout: HoldoutComparison | null }

type Closer = {
  /** Strictly closer to a released record. */
  readonly strictRate: number
  /** A tie of a originals and b released records counts b/(a + b). */
  readonly adjustedRate: number
  /** m/(m + n - 1). */
  readonly chance: number
  /** (adjusted rate - chance) / (1 - chance). */
  readonly excess: number | null
  /** How much more the adjusted rate varies than over independent records. */
  readonly designEffect: number
  readonly queries: number
  readonly sampled: boolean
}

type HoldoutComparison = {
  readonly records: number
  readonly originalRate: number
  readonly holdoutRate: number
  readonly privacyLoss: number
  /** One-sided, by permuting who was in the original; null without permutations. */
  readonly pValue: number | null
  readonly testedRecords: number
}

interface WeighedVariable {
  readonly name: string
  readonly weight: number
  readonly entropy: number
}

/** ω = (1/H)/Σ(1/H) with H the entropy in the original; 0 for a constant variable. */
function weighVariables(
  release: Release,
  originals: Int32Array,
  { bins, weightCap }: Options,
  warnings: string[],
): WeighedVariable[] {
  const entropies = release.variables.map((name) => entropyOf(release, name, originals, bins))
  const inverse = entropies.map((entropy) => (entropy > 0 ? 1 / entropy : 0))
  const total = inverse.reduce((a, b) => a + b, 0)
  if (total === 0) warnings.push('every variable is constant in the original: all weigh the same')
  const weights = total === 0 ? inverse.map(() => 1 / inverse.length) : inverse.map((value) => value / total)
  const capped = weightCap === null ? weights : cap(weights, weightCap / weights.length)
  return release.variables.map((name, k) => ({ name, weight: capped[k], entropy: entropies[k] }))
}

/** Weights cut at `most`, what is cut going to the others in proportion, until none is above or all are there. */
function cap(weights: readonly number[], most: number): number[] {
  const positive = weights.filter((weight) => weight > 0).length
  if (most * positive <= 1) return weights.map((weight) => (weight > 0 ? 1 / positive : 0))
  const fixed = new Set<number>()
  for (;;) {
    const free = weights.reduce((sum, weight, k) => sum + (fixed.has(k) ? 0 : weight), 0)
    const left = 1 - most * fixed.size
    const scaled = weights.map((weight, k) => (fixed.has(k) ? most : (weight * left) / free))
    const over = scaled.findIndex((weight, k) => !fixed.has(k) && weight > most)
    if (over < 0) return scaled
    for (const [k, weight] of scaled.entries()) if (weight > most) fixed.add(k)
  }
}

function entropyOf(release: Release, name: string, originals: Int32Array, bins: number): number {
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  const place = joint.kind === 'categorical' ? null : binOfEachNumber(joint.numbers, codes, originals, bins)
  const counts = new Float64Array(place === null ? joint.cardinality : bins)
  for (const row of originals) counts[place === null ? codes[row] : place[codes[row]]]++
  let entropy = 0
  for (const count of counts) {
    const share = count / originals.length
    if (share > 0) entropy -= share * math.log(share)
  }
  return entropy > 1e-12 ? entropy : 0
}

/** Right-closed bins of equal width over the original's range, the ends a little widened. */
function binOfEachNumber(numbers: Float64Array, codes: Int32Array, originals: Int32Array, bins: number): Int32Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const row of originals) {
    low = Math.min(low, numbers[codes[row]])
    high = Math.max(high, numbers[codes[row]])
  }
  const start = low - WIDENED
  const width = (high + WIDENED - start) / bins
  return Int32Array.from(numbers, (value) =>
    low < high ? Math.max(0, Math.min(bins - 1, Math.ceil((value - start) / width) - 1)) : 0,
  )
}

/** The complete records as points; a variable's range is that of the original and the release, and categories have no order. */
function pointsOf(
  release: Release,
  parts: readonly Part[],
  complete: readonly Int32Array[],
  variables: readonly WeighedVariable[],
): Space {
  const tables = parts.map((part, k) => {
    const of = tableOfPart(release, part)
    return table(of.name, selectRows(of, complete[k]).columns.map(withoutOrder))
  })
  const weights = Object.fromEntries(variables.map(({ name, weight }) => [name, weight]))
  return space(tables, release.variables, [0, 1], { clip: false, weights })
}

function withoutOrder(column: Column): Column {
  return column.kind === 'categorical' ? { ...column, ordered: false } : column
}

async function byCloseness(
  release: Release,
  { points, complete, details, warnings }: Compared,
  chosen: Options,
  context: Context,
): Promise<Finding<Details>> {
  const [originals, released] = points.ids
  if (originals.length < 2) throw new NotApplicable('one original record has no other original to be close to')
  const sampled = originals.length > chosen.exactUpTo
  const rows = sampled ? drawRows(originals.length, chosen.queries, context.random('queries')) : null
  const asked = rows === null ? originals : Int32Array.from(rows, (row) => originals[row])
  const found = await recordsAround(points, asked, originals, membersOf(points, released), 1, context)
  const { releasedNearest, designEffect } = found
  const n = asked.length
  const effective = n / designEffect
  const rate = mean(releasedNearest) ?? 0
  const chance = released.length / (released.length + originals.length - 1)
  const bounds = wilson(rate * effective, effective, BOUNDS_LEVEL) ?? { lower: 0, upper: 1 }
  const onRows = (scores: Float64Array) => {
    const perRow = new Float64Array(tableOfPart(release, 'original').rows).fill(Number.NaN)
    for (let k = 0; k < n; k++) perRow[complete[0][rows === null ? k : rows[k]]] = scores[k]
    return perRow
  }
  const outside = points.ids.length < 3 ? null : await againstHoldout(points, chosen, context)
  return {
    value: rate,
    interval: wilson(rate * effective, effective),
    controls: {
      fair: { value: chance, se: null, what: 'an honest sample', basis: 'leave-one-out' },
      everything: { value: closestOfItself(asked, found.originalsAt), se: null, what: 'the original itself' },
    },
    effect: {
      value: rate - chance,
      se: (standardDeviation(releasedNearest) ?? 0) / Math.sqrt(effective),
      lower: bounds.lower - chance,
      upper: bounds.upper - chance,
      p: normalCdf((chance - rate) / Math.sqrt((chance * (1 - chance)) / effective)),
    },
    people: Math.round(originals.length * Math.max(0, rate - chance)),
    added: () => onRows(releasedNearest.map((share) => share - chance)),
    ...(outside === null ? {} : { looks: [outside.look] }),
    details: {
      ...details,
      closer: {
        strictRate: strictRate(releasedNearest),
        adjustedRate: rate,
        chance,
        excess: chance < 1 ? (rate - chance) / (1 - chance) : null,
        designEffect,
        queries: n,
        sampled,
      },
      holdout: outside === null ? null : outside.comparison,
    },
    warnings: sampled ? [...warnings, askedAtRandom(n, originals.length, 'original')] : warnings,
    records: () => ({ closerToRelease: onRows(releasedNearest) }),
  }
}

/** What the original itself would give: of the 2f - 1 records equal to one that has f equals, f are released ones. */
function closestOfItself(asked: Int32Array, originalsAt: Int32Array): number {
  let sum = 0
  for (const point of asked) sum += originalsAt[point] / (2 * originalsAt[point] - 1)
  return sum / asked.length
}

/** Share of records to which only released ones are nearest. */
function strictRate(releasedNearest: Float64Array): number {
  let strict = 0
  for (const share of releasedNearest) if (share === 1) strict++
  return strict / releasedNearest.length
}

/** The same question for people who were not in the original, at equal sizes: what is left is due to having been in it. */
async function againstHoldout(
  points: Space,
  chosen: Options,
  context: Context,
): Promise<{ comparison: HoldoutComparison; look: Look } | null> {
  const [originals, released, holdout] = points.ids
  const size = Math.min(originals.length, holdout.length)
  if (size < 2) return null
  const pick = (from: Int32Array, purpose: string) =>
    Int32Array.from(drawRows(from.length, size, context.random(purpose)), (row) => from[row])
  const members = pick(originals, 'holdout members')
  const others = pick(holdout, 'holdout others')
  const rate = async (inside: Int32Array) => {
    const asked = inside.length > chosen.exactUpTo ? inside.subarray(0, chosen.queries) : inside
    const found = await recordsAround(points, asked, inside, membersOf(points, released), 1, context)
    const unequalled = asked.reduce((n, point) => n + (found.originalsAt[point] === 1 ? 1 : 0), 0)
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
  return {
    comparison: {
      records: size,
      originalRate: inside.strict,
      holdoutRate: outside.strict,
      privacyLoss,
      pValue,
      testedRecords: 2 * tested,
    },
    look: {
      what: 'strictly closer, against people outside the release',
      value: inside.strict,
      controls: {
        fair: { value: outside.strict, se, what: 'people outside the release', basis: 'outsiders' },
        everything: { value: inside.unequalled, se: null, what: 'the original itself' },
      },
      effect: { ...effect, p: pValue ?? effect.p },
      people: Math.round(originals.length * Math.max(0, privacyLoss)),
    },
  }
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
  const order = Int32Array.from(pool, (_, k) => k)
  const observed = difference(order)
  const permuted = new Float64Array(permutations)
  for (let k = 0; k < permutations; k++) {
    throwIfAborted(signal)
    permuted[k] = difference(drawRows(size, size, random('permutation', k)))
  }
  return permutationPValue(observed, permuted)
}

export const askedAtRandom = (asked: number, all: number, whose: 'original' | 'released') =>
  `${asked} of ${all} ${whose} records were asked for their neighbour, drawn at random`

/** `size` different numbers below n, in random order. */
export function drawRows(n: number, size: number, random: Stream): Int32Array {
  const rows = Int32Array.from({ length: n }, (_, row) => row)
  const drawn = Math.min(size, n)
  for (let k = 0; k < drawn; k++) {
    const other = k + random.below(n - k)
    const row = rows[other]
    rows[other] = rows[k]
    rows[k] = row
  }
  return rows.slice(0, drawn)
}
