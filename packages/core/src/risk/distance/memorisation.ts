import { z } from 'zod'
import { barChart, lineChart } from '../../chart/chart.js'
import { honestSample, theOriginal } from '../../evidence/controls.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import { percent } from '../../print.js'
import { normalCdf } from '../../stats/distributions.js'
import { wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import { quantiles } from '../../stats/quantile.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { DISTANCE_MEASURE } from './declaration.js'
import {
  type LeaveOneOutOptions,
  leaveOneOutOptions,
  type Neighbourhoods,
  neighbourhoods,
  onRows,
} from './others/leave-one-out.js'
import { placeOfOriginal } from './others/place-of-original.js'

/**
 * Memorisation in bulk: is the record nearest to an original a released one more often than for another sample of the
 * same population? With h_i = 1 if d(i, Y) < d(i, X without i), 0 if it is larger, and among ties the share of released
 * records, mean h has the value ν = m / (m + n - 1) under exchangeability, and
 *   leakage L = (mean h - ν) / (e - ν), SE = sd(h) √(deff / n) / (e - ν):
 * 0 for an honest sample, 1 for the original itself, whose mean h is e = mean of c_i / (2 c_i - 1), c_i originals being
 * equal to i: 1 where all are different. deff is the `designEffect` of records that share their nearest ones. Needs no
 * holdout. A two-sample nearest-neighbour statistic
 * (Schilling 1986; Henze 1988) that looks from the originals only.
 * Blind to copies of a few records inside data that is otherwise far away: they are masked (see `memorisation-tail`).
 */
const options = z.object(leaveOneOutOptions)

export const memorisation = measure({
  id: 'memorisation',
  title: 'Memorisation',
  summary: 'share of people nearer to a released record than to any other original, against an honest sample',
  ...DISTANCE_MEASURE,
  threat: 'memorisation',
  role: 'decides',
  needs: [],
  blindTo: 'copies of a few records inside data that is otherwise far away',
  fooledBy: {
    'append noise':
      'in files as small as here, real columns that tell little about others are set aside with the noise',
    'split levels':
      'a level that the original lacks is a difference in every record that has it; shared information counts the other columns',
    'recode missing': 'missing written as a level differs from missing; shared information counts the other columns',
  },
  options,
  check: distanceProblems,
  compute,
  records: {
    releasedNearest: { riskier: 'higher', meaning: 'share of nearest records that are released ones' },
    distanceToReleased: { riskier: 'lower', meaning: 'distance to the nearest released record' },
    distanceToOthers: { riskier: null, meaning: 'distance to the nearest other original record' },
  },
  sentence: ({ details: { closer, chance } }) =>
    `${percent(closer)} of people are nearer to a released record than to any other original, ${percent(chance)} would be by chance`,
  tables: ({ details }) => [
    findingTable(
      'distances',
      'Distance to the nearest record, quantiles over people',
      details.quantiles.filter((_, k) => k % SHOWN === 0),
      [
        [column.share('people', 0), ({ share }) => share],
        [column.number('released'), ({ toReleased }) => toReleased],
        [column.number('other originals'), ({ toOthers }) => toOthers],
      ],
    ),
  ],
  charts: ({ details, interval }, { name }) => [
    barChart(
      { name: 'closer', title: `Nearest record is a released one: ${name}`, x: '', y: 'share of original records' },
      [
        { label: 'this release', value: details.closer, interval },
        { label: 'honest sample', value: details.chance, series: 'original' },
        { label: 'the original', value: details.ofOriginal, series: 'original' },
      ],
    ),
    lineChart(
      {
        name: 'distances',
        title: `Distance from original records: ${name}`,
        x: 'distance to the nearest',
        y: 'share of original records',
      },
      details.quantiles.flatMap(({ share, toReleased, toOthers }) => [
        { x: toReleased, y: share, series: 'released record' },
        { x: toOthers, y: share, series: 'other original' },
      ]),
      { step: true },
    ),
  ],
})

async function compute(subject: Subject, chosen: LeaveOneOutOptions, context: Context) {
  const around = await neighbourhoods(subject, chosen, context)
  const { originals, released, chance, kept, warnings, designEffect, releasedNearest: h } = around
  const toReleased = nearestOf(around.toReleased, kept)
  const toOthers = nearestOf(around.toOthers, kept)
  const { z, effective, ...look } = lookOf(around)
  return {
    ...look,
    interval: wilson(look.value * effective, effective),
    added: () =>
      onRows(
        around,
        h.map((nearest) => nearest - chance),
      ),
    isOfAll: around.isScanned,
    details: {
      records: h.length,
      originals,
      released,
      /** Mean h, and what exchangeability gives. */
      closer: look.value,
      chance,
      /** Mean h if the release were the original. */
      ofOriginal: look.controls.everything.value,
      /** How much more mean h varies than over independent records. */
      designEffect,
      /** Of the score test: (mean h - ν) / √(ν (1 - ν) designEffect / n), one-sided. */
      z,
      meanDistance: { toReleased: mean(toReleased) ?? 0, toOthers: mean(toOthers) ?? 0 },
      /** Quantiles of the distance to the nearest released record and to the nearest other original. */
      quantiles: distanceQuantiles(toReleased, toOthers),
    },
    warnings,
    records: () => ({
      releasedNearest: onRows(around, h),
      distanceToReleased: onRows(around, toReleased),
      distanceToOthers: onRows(around, toOthers),
    }),
  }
}

function lookOf(around: Neighbourhoods) {
  const { chance, designEffect, releasedNearest: h } = around
  const reach = placeOfOriginal(around.equals, around.originals)
  const ceiling = (1 - chance) * reach
  const effective = h.length / designEffect
  const value = mean(h) ?? 0
  const bounds = wilson(value * effective, effective, BOUNDS_LEVEL) ?? { lower: 0, upper: 1 }
  const z = (value - chance) / Math.sqrt((chance * (1 - chance)) / effective)
  return {
    value,
    controls: {
      fair: honestSample(chance),
      everything: theOriginal(chance + ceiling),
    },
    effect: {
      value: value - chance,
      se: (standardDeviation(h) ?? 0) / Math.sqrt(effective),
      lower: bounds.lower - chance,
      upper: bounds.upper - chance,
      p: normalCdf(-z),
    },
    reach,
    z,
    effective,
  }
}

function nearestOf(distances: Float64Array, kept: number): Float64Array {
  return Float64Array.from({ length: distances.length / kept }, (_, at) => distances[at * kept])
}

const QUANTILES = Array.from({ length: 41 }, (_, k) => k / 40)
/** Of these every fourth stands in the table. */
const SHOWN = 4

function distanceQuantiles(toReleased: Float64Array, toOthers: Float64Array) {
  const released = quantiles(toReleased, QUANTILES) ?? []
  const others = quantiles(toOthers, QUANTILES) ?? []
  return QUANTILES.map((share, k) => ({ share, toReleased: released[k], toOthers: others[k] }))
}
