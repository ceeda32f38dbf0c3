import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { normalEffect } from '../../evidence/effects.js'
import type { Controls } from '../../evidence/evidence.js'
import { column, figureTable, findingTable } from '../../evidence/finding-table.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { choice, flag, real } from '../../option-kinds.js'
import { percent, precise } from '../../print.js'
import { hypergeometricPmf } from '../../stats/distributions.js'
import { histogram } from '../../stats/histogram.js'
import { tableOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { countWhere, FILE_STRUCTURE } from './counts/frequencies.js'
import {
  type Bounds,
  countKeys,
  fabricatedKeys,
  highestKeys,
  isAbove,
  isBelow,
  isViolation,
  type KeyCounts,
  summariseKeys,
} from './counts/key-presence.js'

/**
 * Delta-presence (Nergiz, Atzori and Clifton 2007): can an intruder tell that a person of a larger table X is in the
 * released table Y? With F the records of X and f those of Y that have a key, the probability is f/F, and a release is
 * (δmin, δmax)-present when it lies between the two for every key of X. Never above 1 as a probability; the ratio itself
 * is reported as it is.
 * Controls: a random sample of X of the same size, whose f is hypergeometric, and the original itself.
 * It is a probability of membership only when Y is a subset of X. For synthetic data f/F hovers around 1 whatever the
 * privacy: it is then called relative presence, put on equal sizes, (f/n_Y)/(F/n_X), and says nothing for or against.
 * Blind to everything but the counts of keys.
 */
const options = z.object({
  deltaMin: real(null, { min: 0, max: 1 }).describe(
    'smallest membership probability that is acceptable; no lower bound by default',
  ),
  deltaMax: real(null, { min: 0, max: 1 }).describe(
    'largest membership probability that is acceptable; no upper bound by default',
  ),
  against: choice(['original', 'population'], 'original').describe(
    'the larger table: the original, or the population table',
  ),
  weighted: flag(false).describe('count the original by its weights, as an estimate of the population'),
  missing: choice(['drop', 'category'], 'drop').describe(
    'records with a missing key: left out of both tables, or missing as one more value',
  ),
})

export type Options = z.output<typeof options>

export const deltaPresence = measure({
  ...FILE_STRUCTURE,
  id: 'delta-presence',
  title: 'Delta-presence',
  summary: 'share of records whose membership in the release can be told more (or less) surely than the bounds allow',
  threat: 'membership',
  role: 'supports',
  scope: 'pair',
  blindTo: 'everything but the counts of keys',
  options,
  check,
  compute,
  citations: ['nergiz2007'],
  records: {
    presence: { riskier: 'higher', meaning: 'probability, or ratio, of being in the release given the key' },
  },
  sentence: ({ details }) =>
    `${percent(details.violatingShare ?? 0)} of the records are present with a probability outside [${details.deltaMin ?? 0}, ${details.deltaMax ?? 1}]; the ratio runs from ${precise(details.achieved.lowest, 3)} to ${precise(details.achieved.highest, 3)}`,
  tables: ({ details: { achieved, highest } }) => [
    figureTable('ratios', 'Released to original records, over the keys of the original', achieved),
    findingTable('highest', 'The keys that are most surely in the data', highest, [
      [column.number('ratio'), ({ ratio }) => ratio],
      [column.count('original'), ({ original }) => original],
      [column.count('released'), ({ released }) => released],
    ]),
  ],
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'presence',
        title: `${details.relative ? 'Relative presence' : 'Membership probability'}: ${name}`,
        x: details.relative ? 'relative presence' : 'probability',
        y: 'records',
      },
      details.histogram,
      [
        ...(details.deltaMin === null ? [] : [{ value: details.deltaMin, label: 'lowest allowed' }]),
        ...(details.deltaMax === null ? [] : [{ value: details.deltaMax, label: 'highest allowed' }]),
      ],
    ),
    barChart(
      { name: 'highest', title: `Keys with the highest presence: ${name}`, x: 'rank', y: 'released over original' },
      details.highest.map(({ ratio }, k) => ({
        label: String(k + 1),
        value: ratio,
        alarm: details.deltaMax !== null && Math.min(1, ratio) > details.deltaMax,
      })),
    ),
  ],
})

function check(release: Release, { deltaMin, deltaMax, against, weighted }: Options): string[] {
  const problems: string[] = []
  if (deltaMin !== null && deltaMax !== null && deltaMin > deltaMax)
    problems.push(`deltaMin ${deltaMin} is above deltaMax ${deltaMax}`)
  const isThere = against === 'original' || release.population !== null
  if (!isThere) problems.push('against population needs the population, or a register of it')
  if (weighted && isThere && weightsOfPart(release, against) === null)
    problems.push(`weighted needs a weight column in ${tableOfPart(release, against).name}`)
  return problems
}

function compute({ release, part }: Subject, chosen: Options) {
  const { deltaMin, deltaMax } = chosen
  const base = countKeys(release, chosen.against, chosen)
  const own = countKeys(release, part, { ...chosen, weighted: false })
  const relative = release.type === 'synthetic'
  const scale = relative ? base.total / own.total : 1
  const ratio = base.perKey.map((F, key) => (F > 0 ? (scale * own.perKey[key]) / F : Number.NaN))
  const perRecord = Float64Array.from(base.rows, (key) => (key < 0 ? Number.NaN : ratio[key]))
  const known = perRecord.filter((value) => !Number.isNaN(value))
  const probability = known.map((value) => Math.min(1, value))
  const below = countWhere(known, (value) => isBelow(value, chosen))
  const above = countWhere(known, (value) => isAbove(value, chosen))
  const bounded = !relative && (deltaMin !== null || deltaMax !== null)
  const details = {
    /** True for synthetic data: ratios are of shares, not of counts. */
    relative,
    against: chosen.against,
    deltaMin,
    deltaMax,
    /** Of f/F over the keys of the larger table, uncapped. */
    achieved: summariseKeys(ratio, base.records),
    /** Mean over records of f/F, at most 1. */
    meanProbability: probability.reduce((sum, value) => sum + value, 0) / known.length,
    belowMinimum: bounded ? below : null,
    aboveMaximum: bounded ? above : null,
    violatingShare: bounded ? (below + above) / known.length : null,
    records: known.length,
    released: own.total,
    dropped: base.dropped,
    droppedReleased: own.dropped,
    fabricated: fabricatedKeys(base.perKey, own.perKey),
    highest: highestKeys(ratio, base.records, own.perKey),
    histogram: relative
      ? histogram(
          known,
          20,
          0,
          known.reduce((a, b) => Math.max(a, b), 1),
        )
      : histogram(probability, 20, 0, 1),
  }
  const without = relative
    ? 'for synthetic data the ratio is no membership probability: relative presence is shown, and says nothing for or against'
    : 'no bounds were given (deltaMin, deltaMax), so there is nothing to violate'
  return {
    value: details.violatingShare,
    ...(bounded ? {} : { reason: without }),
    interval: null,
    ...(details.violatingShare === null
      ? { notAssessed: without }
      : comparison(release, details.violatingShare, { base, own, perRecord }, details, chosen)),
    details,
    warnings: warningsOf(details, release.type === 'unknown'),
    ...(chosen.against === 'original' ? { records: () => ({ presence: perRecord }) } : {}),
  }
}

type Details = {
  readonly relative: boolean
  readonly records: number
  readonly dropped: number
  readonly droppedReleased: number
  readonly fabricated: ReturnType<typeof fabricatedKeys>
  readonly achieved: ReturnType<typeof summariseKeys>
}

type Counted = { readonly base: KeyCounts; readonly own: KeyCounts; readonly perRecord: Float64Array }

/** The violations beside those of a random sample of the same size, and of the original itself. */
function comparison(
  release: Release,
  value: number,
  { base, own, perRecord }: Counted,
  details: Pick<Details, 'records' | 'fabricated' | 'achieved'>,
  chosen: Options,
): Pick<Finding, 'controls' | 'effect' | 'people' | 'added' | 'notAssessed'> {
  if (!isSubset(details)) return { notAssessed: NOT_A_SUBSET }
  if (chosen.weighted) return { notAssessed: 'what a random sample would give is not known where people are weights' }
  const chance = bySampling(base, own.total, chosen)
  const original = countKeys(release, 'original', chosen)
  const everything = meanViolation(base, (F, key) => (isViolation(original.perKey[key] / F, chosen) ? 1 : 0))
  const controls: Controls = {
    fair: { value: chance.value, se: chance.se, what: 'a random sample of the same size', basis: 'chance' },
    everything: { value: everything, se: null, what: 'the original itself' },
  }
  const effect = normalEffect(value - chance.value, chance.se)
  if (chosen.against === 'population') return { controls, effect, people: null }
  return {
    controls,
    effect,
    added: () =>
      perRecord.map((ratio, row) =>
        Number.isNaN(ratio) ? ratio : Number(isViolation(ratio, chosen)) - chance.of(base.perKey[base.rows[row]]),
      ),
  }
}

/**
 * Were the release n records of X drawn at random, f would be hypergeometric for each key. The standard error takes keys
 * as independent, which is never too small: one key's surplus is the others' lack.
 */
function bySampling(base: KeyCounts, n: number, bounds: Bounds) {
  const N = base.total
  const known = new Map<number, number>()
  const of = (F: number) => {
    const before = known.get(F)
    if (before !== undefined) return before
    let probability = 0
    for (let f = Math.max(0, n - (N - F)); f <= Math.min(F, n); f++)
      if (isViolation(f / F, bounds)) probability += hypergeometricPmf(f, N, F, n)
    known.set(F, Math.min(1, probability))
    return Math.min(1, probability)
  }
  let variance = 0
  for (const F of base.perKey) if (F > 0) variance += (F / N) ** 2 * of(F) * (1 - of(F))
  return { value: meanViolation(base, of), se: Math.sqrt(variance), of }
}

/** Mean over the records of X of a figure of their key. */
function meanViolation({ perKey, total }: KeyCounts, figureOf: (F: number, key: number) => number): number {
  let sum = 0
  for (let key = 0; key < perKey.length; key++) if (perKey[key] > 0) sum += perKey[key] * figureOf(perKey[key], key)
  return sum / total
}

function warningsOf(
  { fabricated, dropped, droppedReleased, achieved, relative }: Details,
  unknownType: boolean,
): string[] {
  const warnings: string[] = []
  if (fabricated.keys > 0)
    warnings.push(
      `${fabricated.keys} keys (${fabricated.records} records) of the release do not occur in the larger table`,
    )
  if (dropped + droppedReleased > 0)
    warnings.push(
      `records with a missing key were left out: ${dropped} of the larger table, ${droppedReleased} of the release`,
    )
  if (!relative && !isSubset({ fabricated, achieved })) warnings.push(NOT_A_SUBSET)
  else if (unknownType)
    warnings.push('the ratio is a membership probability only if the release is a subset of the larger table')
  return warnings
}

const NOT_A_SUBSET = 'the release is not a subset of the larger table, so the ratio is no membership probability'

function isSubset({ fabricated, achieved }: Pick<Details, 'fabricated' | 'achieved'>): boolean {
  return achieved.above1 === 0 && fabricated.keys === 0
}
