import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { honestSample, theOriginal } from '../../evidence/controls.js'
import { shareEffect } from '../../evidence/effects.js'
import type { Effect, Look } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import {
  DEFAULT_DISTANCE,
  distanceOptions,
  distanceProblems,
  type ReleaseSpace,
  releaseSpace,
  type Side,
  toRows,
} from '../../neighbors/release-space.js'
import { recordsByPoint } from '../../neighbors/search.js'
import { choice } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { normalCdf } from '../../stats/distributions.js'
import { newcombe, wilson } from '../../stats/intervals.js'
import { BOUND_Z, BOUNDS_LEVEL } from '../../stats/levels.js'
import type { Exchangeability } from '../../stats/tests/exchangeability.js'
import { DISTANCE_MEASURE } from './declaration.js'
import { compareRows, coverageVariance, creditOfEqual, MOST_SHOWN, matchCounts } from './others/equal-rows.js'
import { labelTest, type RealRecords, realRecords, shareOfOriginal } from './outsiders/real-neighbours.js'
import { trainingShare } from './outsiders/training-share.js'

/**
 * Identical match share: released records that equal an original record on all variables compared,
 *   IMS = #{s in S: s in T} / m.
 * Coarse data coincide without any copying. If the release is another sample of the population, each of its records has an
 * equal among the n originals as often as an original has one among the others: with N_k distinct rows that k originals
 * have, 1 - N_1 / n is Good's (1953) estimate of how much of the population the originals cover, with variance
 *   (N_1 / n (1 - N_1 / n) + 2 N_2 / n) / n   (Esty 1983).
 * The effect is IMS less that share, and needs no holdout. With one, a further look asks whom the identical records are
 * identical to: each gives a credit of 1, split over all equal real records, and T must not get more than its part
 * n_T / (n_T + n_H) (see `exchangeability`). Blind to near-copies: one digit changed in every record and IMS is 0. So it can
 * speak against a release and never for it.
 */
const options = z.object({
  variables: distanceOptions.variables,
  missing: choice(['match', 'drop'], 'match').describe(
    'match: missing is a value of its own; drop: only complete records',
  ),
})

export const identicalMatches = measure({
  id: 'identical-matches',
  version: 2,
  title: 'Identical match share (IMS)',
  summary: 'share of released records that equal an original record on every variable',
  ...DISTANCE_MEASURE,
  threat: 'memorisation-tail',
  role: 'supports',
  needs: [],
  blindTo: 'near-copies: one digit changed in every record and nothing is identical',
  fooledBy: {
    'leave the step': 'a record that differs by however little is not identical; memorisation rounds it back',
    'append noise': 'no record is identical in noise',
    'jitter numbers': 'a record that differs by however little is not identical',
  },
  options,
  check: distanceProblems,
  compute,
  citations: ['platzer2021'],
  records: {
    identicalReleased: { riskier: 'higher', meaning: 'released records identical to this one' },
    uniqueCopied: { riskier: 'higher', meaning: '1: unique in the original, and copied' },
  },
  sentence: ({ details: { identical, copied, repeated, outsiders } }) =>
    `${count(identical.count, 'released record')} (${percent(identical.share)}) ${identical.count === 1 ? 'equals' : 'equal'} an original one, and ${count(copied.uniques, 'unique original record')} ${copied.uniques === 1 ? 'stands' : 'stand'} in the release; ${percent(repeated.share)} of originals equal another original${outsiders === null ? '' : `, ${percent(outsiders.share)} of people outside one`}`,
  tables: ({ details: { identical, identicalToUnique, identicalToHoldout, copied, repeated } }) => [
    findingTable(
      'matches',
      'Records that are equal',
      [
        { what: 'released, to an original', ...identical },
        { what: 'released, to a unique original', ...identicalToUnique },
        ...(identicalToHoldout === null ? [] : [{ what: 'released, to one of the holdout', ...identicalToHoldout }]),
        { what: 'original, to a released one', ...copied.records },
        { what: 'original, to another original', ...repeated },
      ],
      [
        [column.text(''), ({ what }) => what],
        [column.count('records'), ({ count: records }) => records],
        [column.share('share'), ({ share }) => share],
      ],
    ),
  ],
  charts: ({ details }, { name }) => [
    barChart({ name: 'identical', title: `Records that equal an original one: ${name}`, x: '', y: 'share' }, [
      { label: 'released', value: details.identical.share },
      { label: 'released, to a unique', value: details.identicalToUnique.share },
      { label: 'originals, to another', value: details.repeated.share, series: 'original' },
      { label: 'people outside', value: details.outsiders?.share, series: 'original' },
    ]),
    barChart(
      {
        name: 'match-counts',
        red: 'one original',
        title: `Originals that an identical record equals: ${name}`,
        x: 'equal original records',
        y: 'released records',
      },
      details.matchCounts.distribution.map(({ originals, released }, k, all) => ({
        label: k === MOST_SHOWN - 1 && all.length === MOST_SHOWN ? `${originals}+` : String(originals),
        value: released,
        alarm: originals === 1,
      })),
    ),
  ],
})

function compute(subject: Subject, chosen: z.output<typeof options>, context: Context) {
  const space = releaseSpace(subject, { ...DEFAULT_DISTANCE, ...chosen })
  const { training, released, holdout } = space
  const [inTraining, inReleased] = [recordsByPoint(space, training), recordsByPoint(space, released)]
  const m = released.ids.length
  const found = compareRows(inTraining, inReleased)
  const held = holdout === null ? null : againstHoldout(context, space, holdout, inTraining, inReleased)
  const outsiders =
    held === null
      ? null
      : {
          ...held.outsiders,
          excess: found.identical / m - held.outsiders.share,
          interval: newcombe(found.identical, m, held.outsiders.count, held.records),
        }
  const n = training.ids.length
  const repeated = countOf(n - found.uniques, n)
  return {
    value: found.identical / m,
    interval: wilson(found.identical, m),
    controls: {
      fair: honestSample(repeated.share, Math.sqrt(coverageVariance(repeated.share, found.pairs, n))),
      everything: theOriginal(1),
    },
    effect: beyondRepetition(found.identical, m, repeated.count, found.pairs, n),
    ...(held?.look ? { looks: [held.look] } : {}),
    added: () =>
      toRows(
        training,
        training.ids.map((point) => (inReleased[point] > 0 ? 1 : 0) - (inTraining[point] > 1 ? 1 : 0)),
      ),
    details: {
      records: { training: training.ids.length, holdout: held?.records ?? null, released: m },
      /** Released records that equal an original record, a unique original record, a holdout record. */
      identical: countOf(found.identical, m),
      identicalToUnique: countOf(found.identicalToUnique, m),
      identicalToHoldout: held === null ? null : countOf(held.identicalToHoldout, m),
      /** Original records that stand in the release, those that are unique among the originals, and their share of all uniques. */
      copied: {
        records: countOf(found.copied, training.ids.length),
        uniques: found.copiedUniques,
        uniquesShare: found.uniques > 0 ? found.copiedUniques / found.uniques : null,
      },
      /** Originals that equal another original: what chance gives. */
      repeated,
      /** How many original records an identical released record equals: released records by that number, mean and largest. */
      matchCounts: matchCounts(inTraining, inReleased),
      /** Holdout records that equal an original one, and the difference of the two shares. */
      outsiders,
      /** Among identical released records: the share of training records; null without a holdout or without any. */
      labels: held?.labels ?? null,
    },
    warnings: space.warnings,
    records: () => ({
      identicalReleased: toRows(
        training,
        training.ids.map((point) => inReleased[point]),
      ),
      uniqueCopied: toRows(
        training,
        training.ids.map((point) => (inTraining[point] === 1 && inReleased[point] > 0 ? 1 : 0)),
      ),
    }),
  }
}

function countOf(count: number, all: number) {
  return { count, share: count / all }
}

/**
 * Released records with an equal among the originals less originals with one among the others. Bounds: Newcombe's for the
 * two shares, with the part 2 N_2 / n² that is Esty's alone; p from the normal approximation with the shares pooled, or that
 * of two plain shares, exact for few records, if it is larger.
 */
function beyondRepetition(identical: number, m: number, repeated: number, pairs: number, n: number): Effect {
  const [released, originals] = [identical / m, repeated / n]
  const value = released - originals
  const varianceOf = (a: number, b: number) => (a * (1 - a)) / m + coverageVariance(b, pairs, n)
  const pooled = (identical + repeated) / (m + n)
  const byChance = Math.sqrt(varianceOf(pooled, pooled))
  const bounds = newcombe(identical, m, repeated, n, BOUNDS_LEVEL) ?? { lower: -1, upper: 1 }
  const ofPairs = (BOUND_Z * Math.sqrt(2 * pairs)) / n
  return {
    value,
    se: Math.sqrt(varianceOf(released, originals)),
    lower: Math.max(-1, value - Math.hypot(value - bounds.lower, ofPairs)),
    upper: Math.min(1, value + Math.hypot(bounds.upper - value, ofPairs)),
    p: Math.max(byChance > 0 ? normalCdf(-value / byChance) : 1, shareEffect(identical, m, repeated, n).p),
  }
}

function againstHoldout(
  context: Context,
  space: ReleaseSpace,
  holdout: Side,
  inTraining: Int32Array,
  inReleased: Int32Array,
) {
  const real = realRecords(space, holdout)
  let outsiders = 0
  let identicalToHoldout = 0
  for (let k = 0; k < holdout.points.length; k++) {
    if (inTraining[holdout.points[k]] > 0) outsiders += holdout.records[k]
    identicalToHoldout += inReleased[holdout.points[k]]
  }
  const records = holdout.ids.length
  const labels = labelTest(context, real, creditOfEqual(real, inReleased))
  const look = labels === null ? null : labelsLook(labels, real)
  return { records, outsiders: countOf(outsiders, records), identicalToHoldout, labels, look }
}

function labelsLook(labels: Exchangeability, real: RealRecords): Look {
  const { value, controls, effect } = trainingShare(labels, shareOfOriginal(real))
  return { what: 'identical to people in the data or outside it', value, controls, effect, people: null }
}
