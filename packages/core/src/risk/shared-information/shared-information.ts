import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { honestSample, theOriginal } from '../../evidence/controls.js'
import type { FairControl, Look } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems, toRows } from '../../neighbors/release-space.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { wilson } from '../../stats/intervals.js'
import { DISTANCE_MEASURE } from '../distance/declaration.js'
import { placeOfOriginal } from '../distance/others/place-of-original.js'
import type { AroundInBits } from './around-in-bits.js'
import { type BitsOptions, bitsOf, bitsOptions } from './bits-in-common.js'
import type { BitsInBulk } from './bulk.js'

/**
 * Memorisation in bulk, in bits: is the record that has most in common with an original a released one more often than for
 * another sample of the same population? What two records have in common is counted in bits, a rare value in common for
 * more than a usual one (`bits.ts`), so that a column that was changed costs no more than its own bits: partial copies,
 * renamed levels and rescaled numbers do not hide, as they do from a distance. With h_i the share of released records
 * among the most similar ones of i,
 *   leakage L = (mean h - f) / (1 - f),  f = max(ν, mean h of independent marginals), ν = m / (m + n - 1):
 * exact under exchangeability; the second part of f keeps a release of another shape from looking like a copy
 * (`bulk.ts`). Looked at with a category that differs charged 1 and 4 bits: neither sees all that the other sees.
 * Needs no holdout. Blind to a copy of few coarse columns that many people share, which is not identifying, and to copies
 * of a few records inside data that is otherwise far away (`shared-information-tail`).
 */
const options = z.object(bitsOptions)

/** The charge of the headline, and that of the further look. */
const HEADLINE_CHARGE = 1
const LOOKS_AT = [HEADLINE_CHARGE, 4]

export const sharedInformation = measure({
  id: 'shared-information',
  title: 'Shared information',
  summary: 'share of people who have most in common, in bits, with a released record rather than with another person',
  ...DISTANCE_MEASURE,
  threat: 'memorisation',
  role: 'decides',
  needs: [],
  blindTo: 'copies of few coarse columns that many people share',
  options,
  check: distanceProblems,
  compute,
  records: {
    bitsBeyondOthers: {
      riskier: 'higher',
      meaning: 'bits shared with the release beyond those shared with other originals',
    },
  },
  sentence: ({ value, controls }) =>
    `${percent(value ?? 0)} of people have most in common with a released record rather than with another person, ${percent(controls?.fair?.value ?? 0)} would by chance`,
  tables: ({ details: { bulk } }) => [
    findingTable('charges', 'By what a disagreement costs, in bits', bulk, [
      [column.number('bits'), ({ charge }) => charge],
      [column.count('records'), ({ records }) => records],
      [column.share('closer'), ({ closer }) => closer],
      [column.share('fair'), ({ fair }) => fair],
    ]),
  ],
  charts: ({ value, interval, controls, details }, { name }) => [
    barChart({ name: 'closer', title: `Most in common with a released record: ${name}`, x: '', y: 'share of people' }, [
      { label: 'this release', value: value ?? 0, interval },
      { label: 'honest sample', value: controls?.fair?.value ?? 0, series: 'original' },
      { label: 'the original', value: controls?.everything?.value ?? 1, series: 'original' },
    ]),
    histogramChart(
      {
        name: 'bits',
        title: `Bits in common beyond any other person: ${name}`,
        x: 'bits (a released record less another person)',
        y: 'people',
      },
      details.gaps,
      [{ value: 0, label: 'as much' }],
    ),
  ],
})

async function compute(subject: Subject, chosen: BitsOptions, context: Context) {
  const { around, bulk, isScanned } = await bitsOf(subject, chosen, context)
  const reach = placeOfOriginal(around.equals, around.originals)
  const charged = LOOKS_AT.map((charge) => atCharge(bulk, charge))
  const addedAt = (charge: number, fair: number) => {
    const shares =
      around.nearest.find((at) => at.charge === charge)?.releasedShare ?? new Float64Array(around.rows.length)
    return onRows(
      around,
      shares.map((share) => share - fair),
    )
  }
  const [headline, ...others] = charged.map((at) => ({
    ...lookOf(at, reach),
    added: () => addedAt(at.charge, at.fair),
  }))
  const effective = charged[0].records / charged[0].designEffect
  const gap = around.toReleased.bits.map((bits, at) => bits - around.toOthers.bits[at])
  return {
    value: headline.value,
    interval: wilson(headline.value * effective, effective),
    controls: headline.controls,
    effect: headline.effect,
    reach,
    looks: others,
    added: headline.added,
    isOfAll: isScanned,
    details: {
      records: around.rows.length,
      originals: around.originals,
      released: around.released,
      /** At each charge. */
      bulk,
      /** Bits that the most similar released record has in common with a person beyond the most similar other person. */
      gaps: gapBins(gap),
    },
    warnings:
      around.rows.length < around.originals ? [`a sample of ${around.rows.length} original records was looked at`] : [],
    records: () => ({ bitsBeyondOthers: onRows(around, gap) }),
  }
}

function atCharge(bulk: readonly BitsInBulk[], charge: number): BitsInBulk {
  const at = bulk.find((one) => one.charge === charge)
  if (at === undefined) throw new Error(`nothing was looked at with a charge of ${charge} bits`)
  return at
}

/** `reach`: what the original itself would reach between the fair share and 1. */
function lookOf(
  { charge, closer, fair, standardError, lower, upper, p }: BitsInBulk,
  reach: number,
): Look & { readonly controls: { readonly fair: FairControl } } {
  const left = 1 - fair
  return {
    what: `at a charge of ${charge} bits`,
    value: closer,
    controls: {
      fair: honestSample(fair),
      everything: theOriginal(fair + left * reach),
    },
    effect: {
      value: closer - fair,
      se: (standardError ?? 0) * left,
      lower: (lower ?? 0) * left,
      upper: (upper ?? 0) * left,
      p,
    },
    reach,
  }
}

/** Scores of the rows looked at, on all rows of the original; NaN for the others and for people without any other. */
export function onRows({ rows, originals }: AroundInBits, scores: Float64Array): Float64Array {
  return toRows(
    { rows, fileRows: originals },
    scores.map((score) => (Number.isFinite(score) ? score : Number.NaN)),
  )
}

const GAP_BINS = 40

function gapBins(gap: Float64Array) {
  const known = gap.filter((bits) => Number.isFinite(bits))
  const most = Math.max(1, Math.ceil(known.reduce((largest, bits) => Math.max(largest, Math.abs(bits)), 0)))
  return histogram(known, GAP_BINS, -most, most)
}
