import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import type { FairControl, Look } from '../../evidence/evidence.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { wilson } from '../../stats/intervals.js'
import { alsoInFamiliarColumns } from '../familiar-columns.js'
import { alsoOnGrid } from '../on-grid.js'
import { alsoWithoutRedealt } from '../redealt-columns.js'
import { againstSurroundings } from '../surroundings.js'
import type { BitFindings } from './bits-in-common.js'
import type { BitsInBulk } from './bulk.js'
import { type BitsOptions, bitsOf, bitsOptions, bitsProblems } from './common-findings.js'

/**
 * Memorisation in bulk, in bits: is the record that has most in common with an original a released one more often than for
 * another sample of the same population? What two records have in common is counted in bits, a rare value in common for
 * more than a usual one (`bits.ts`), so that a column that was changed costs no more than its own bits: partial copies,
 * renamed levels and rescaled numbers do not hide, as they do from a distance. With h_i the share of released records
 * among the most similar ones of i,
 *   leakage L = (mean h - f) / (1 - f),  f = max(ν, mean h of independent marginals), ν = m / (m + n - 1):
 * exact under exchangeability; the second part of f keeps a release of another shape from looking like a copy
 * (`bulk.ts`). Looked at with a category that differs charged 1 and 4 bits: neither sees all that the other sees. Where
 * the release repeats its records more than the original does, also with the repetition taken out (`repetition.ts`).
 * Needs no holdout. Blind to a copy of few coarse columns that many people share, which is not identifying, and to copies
 * of a few records inside data that is otherwise far away (`shared-information-tail`).
 */
const options = z.object(bitsOptions)

type Details = {
  readonly records: number
  readonly originals: number
  readonly released: number
  /** At each charge, as released and without repetition. */
  readonly bulk: readonly (BitsInBulk & { readonly repetition: 'as released' | 'taken out' })[]
  /** Bits that the most similar released record has in common with a person beyond the most similar other person. */
  readonly gaps: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

/** The charge of the headline, and that of the further look. */
const HEADLINE_CHARGE = 1
const LOOKS_AT = [HEADLINE_CHARGE, 4]

export const sharedInformation = measure({
  id: 'shared-information',
  version: 1,
  title: 'Shared information',
  summary: 'share of people who have most in common, in bits, with a released record rather than with another person',
  family: 'distance',
  threat: 'memorisation',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'copies of few coarse columns that many people share',
  fooledBy: {
    'append noise': 'what a person has in common with anybody by noise counts too, and blurs the rest',
  },
  options,
  check: bitsProblems,
  compute: alsoOnGrid<BitsOptions, Details>(alsoInFamiliarColumns(alsoWithoutRedealt(compute))),
  thresholds: { literature: [] },
  sentence: ({ value, controls }) =>
    `${percent(value ?? 0)} of people have most in common with a released record rather than with another person, ${percent(controls?.fair?.value ?? 0)} would by chance`,
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

async function compute(subject: Subject, chosen: BitsOptions, context: Context): Promise<Finding<Details>> {
  const { asReleased, unrepeated } = await bitsOf(subject, chosen, context)
  const { around } = asReleased
  const of = (findings: BitFindings | null, charge: number) => findings?.bulk.find((one) => one.charge === charge)
  const looks = [
    ...LOOKS_AT.map((charge) => ({ bulk: of(asReleased, charge), what: `at a charge of ${charge} bits` })),
    ...LOOKS_AT.map((charge) => ({
      bulk: of(unrepeated, charge),
      what: `without repetition, at a charge of ${charge} bits`,
    })),
  ].flatMap(({ bulk, what }) => (bulk === undefined ? [] : [lookOf(bulk, around.originals, what)]))
  const [headline, ...others] = looks
  const own = of(asReleased, HEADLINE_CHARGE)
  const effective = own === undefined ? 0 : own.records / own.designEffect
  const shares =
    around.nearest.find(({ charge }) => charge === HEADLINE_CHARGE)?.releasedShare ??
    new Float64Array(around.rows.length)
  const gap = around.toReleased.bits.map((bits, at) => bits - around.toOthers.bits[at])
  return {
    value: headline.value,
    interval: wilson(headline.value * effective, effective),
    controls: headline.controls,
    effect: headline.effect,
    people: headline.people,
    looks: [...others, ...aroundPeople(unrepeated ?? asReleased)],
    added: () =>
      onRows(
        around.rows,
        shares.map((share) => share - headline.controls.fair.value),
        around.originals,
      ),
    details: {
      records: around.rows.length,
      originals: around.originals,
      released: around.released,
      bulk: [
        ...asReleased.bulk.map((one) => ({ ...one, repetition: 'as released' as const })),
        ...(unrepeated?.bulk ?? []).map((one) => ({ ...one, repetition: 'taken out' as const })),
      ],
      gaps: gapBins(gap),
    },
    warnings:
      around.rows.length < around.originals ? [`a sample of ${around.rows.length} original records was looked at`] : [],
    records: () => ({ bitsBeyondOthers: onRows(around.rows, gap, around.originals) }),
  }
}

/** The headline against the records around people, without repetition. */
function aroundPeople({ around: { nearest, chance, originals } }: BitFindings): readonly Look[] {
  const own = nearest.find(({ charge }) => charge === HEADLINE_CHARGE)
  if (own === undefined || own.around === null) return []
  const { releasedShare, around, designEffect } = own
  const look = againstSurroundings({
    nearest: releasedShare,
    around,
    chance,
    designEffect,
    originals,
    ofOriginal: 1,
  })
  return look === null ? [] : [look]
}

function lookOf(
  { closer, fair, standardError, lower, upper, p }: BitsInBulk,
  originals: number,
  what: string,
): Look & { readonly controls: { readonly fair: FairControl } } {
  const left = 1 - fair
  return {
    what,
    value: closer,
    controls: {
      fair: { value: fair, se: null, what: 'an honest sample', basis: 'leave-one-out' },
      everything: { value: 1, se: null, what: 'the original itself' },
    },
    effect: {
      value: closer - fair,
      se: (standardError ?? 0) * left,
      lower: (lower ?? 0) * left,
      upper: (upper ?? 0) * left,
      p,
    },
    people: Math.round(originals * Math.max(0, closer - fair)),
  }
}

/** Scores of the rows looked at, on all rows of the original; NaN for the others and for people without any other. */
export function onRows(rows: Int32Array, scores: Float64Array, originals: number): Float64Array {
  const spread = new Float64Array(originals).fill(Number.NaN)
  for (const [at, row] of rows.entries()) if (Number.isFinite(scores[at])) spread[row] = scores[at]
  return spread
}

const GAP_BINS = 40

function gapBins(gap: Float64Array): Details['gaps'] {
  const known = gap.filter((bits) => Number.isFinite(bits))
  const most = Math.max(1, Math.ceil(known.reduce((largest, bits) => Math.max(largest, Math.abs(bits)), 0)))
  return histogram(known, GAP_BINS, -most, most)
}
