import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { real } from '../option-kinds.js'
import { sampleWithReplacement } from '../random/sampling.js'
import type { Stream } from '../random/stream.js'
import { normalBetween } from '../stats/distributions.js'
import { drawNormal } from '../stats/draws.js'
import { logMeanExp } from '../stats/log-scale.js'
import { standardDeviation } from '../stats/sums.js'
import { type CategoricalColumn, type Column, columnLength, takeRows } from '../table/column.js'
import { type Rounding, rounded, roundingOf } from '../table/precision.js'
import { findColumn, type Table, table } from '../table/table.js'
import { type Coding, codingOf, encode } from './methods/coding.js'
import { numbersOf } from './methods/method.js'
import { roundedMass } from './methods/smoothing.js'
import type { FittedSynthesizer, Streams, Synthesizer } from './synthesizer.js'

/**
 * Whole records drawn with replacement, then disturbed: numbers get normal noise of `noise` standard deviations of their
 * column, reflected at its range and rounded as the original is; levels are drawn anew from their column with probability
 * `swap`. Missing stays missing in numbers and is a level otherwise. Nearly as risky as the original, and the most useful
 * that a synthesis can be: with both at 0 it is a plain resample, the upper end of the scale of which independent
 * marginals are the lower.
 */
const options = z.object({
  noise: real(0.1, { min: 0 }).describe('standard deviation of the noise on numbers, in those of their column'),
  swap: real(0.05, { min: 0, max: 1 }).describe('probability that a level is drawn anew from its column'),
})

type Options = z.output<typeof options>

export const bootstrapNoise = {
  id: 'bootstrap-noise',
  title: 'Bootstrap with noise',
  options,
  fit(data: Table, chosen: Options): FittedSynthesizer {
    if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
    const disturbed = data.columns.map((column) => disturbance(column, chosen))
    return {
      sample: (rows, random) => sample(data, disturbed, rows, random),
      describe: () => ({
        variables: disturbed.map(({ column, sd }) => ({
          variable: column.name,
          part: 'value',
          method: sd === null ? 'resampled, levels drawn anew' : 'resampled with noise',
          donors: columnLength(column),
          noise: sd,
        })),
        warnings: [],
      }),
      logProb: (records) => logProbability(data, disturbed, records),
    }
  },
} satisfies Synthesizer<typeof options>

interface Disturbance {
  readonly column: Column
  /** Of the noise; null for levels. */
  readonly sd: number | null
  readonly swap: number
  readonly lower: number
  readonly upper: number
  readonly rounding: Rounding
}

function disturbance(column: Column, { noise, swap }: Options): Disturbance {
  if (column.kind === 'categorical') return { column, sd: null, swap, lower: 0, upper: 0, rounding: { perUnit: null } }
  const known = column.values.filter((value) => !Number.isNaN(value))
  return {
    column,
    sd: noise * (standardDeviation(known) ?? 0),
    swap,
    lower: known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    upper: known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    rounding: roundingOf(column, known),
  }
}

function sample(data: Table, disturbed: readonly Disturbance[], rows: number, random: Streams): Table {
  const donors = sampleWithReplacement(random('records'), data.rows, rows)
  const columns = disturbed.map((one) => disturb(takeRows(one.column, donors), one, random(`noise/${one.column.name}`)))
  return table(`${data.name} (bootstrap with noise)`, columns)
}

function disturb(drawn: Column, disturbance: Disturbance, random: Stream): Column {
  if (drawn.kind === 'categorical') return swapLevels(drawn, disturbance, random)
  const { sd, lower, upper, rounding } = disturbance
  if (sd === null || sd === 0) return drawn
  const values = drawn.values.map((value) => {
    const noisy = value + drawNormal(random, 0, sd)
    return Number.isNaN(value) ? value : rounded(reflect(noisy, lower, upper), rounding)
  })
  return { ...drawn, values }
}

function swapLevels(drawn: CategoricalColumn, { column, swap }: Disturbance, random: Stream): CategoricalColumn {
  if (column.kind !== 'categorical') return drawn
  const { codes } = column
  return {
    ...drawn,
    codes: drawn.codes.map((code) => (random.uniform() < swap ? codes[random.below(codes.length)] : code)),
  }
}

/** Back into the range, as a billiard ball comes back from the cushion. */
function reflect(value: number, lower: number, upper: number): number {
  const width = upper - lower
  if (!(width > 0)) return lower
  const over = (((value - lower) % (2 * width)) + 2 * width) % (2 * width)
  return lower + (over <= width ? over : 2 * width - over)
}

/** The mean over original records of the probability that each turns into the record asked for. */
function logProbability(data: Table, disturbed: readonly Disturbance[], records: Table): Float64Array {
  const chances = disturbed.map((disturbance) => {
    const { column: original } = disturbance
    const column = findColumn(records, original.name)
    if (column === undefined) throw new UserError(`${records.name} has no column "${original.name}"`)
    const coding = codingOf(original, { specials: [], mostClasses: 0, missing: false })
    return chanceOf(disturbance, coding, encode(coding, original), encode(coding, column))
  })
  const logs = new Float64Array(records.rows)
  const each = new Float64Array(data.rows)
  for (let row = 0; row < records.rows; row++) {
    each.fill(0)
    for (const chance of chances)
      for (let donor = 0; donor < data.rows; donor++) each[donor] += math.log(chance(donor, row))
    logs[row] = logMeanExp(each)
  }
  return logs
}

/** The probability that the value of an original record becomes that of another one. */
function chanceOf(
  disturbance: Disturbance,
  coding: Coding,
  donors: readonly Column[],
  wanted: readonly Column[],
): (donor: number, row: number) => number {
  const parts = donors.map((part, k) => ({ from: numbersOf(part), to: numbersOf(wanted[k]) }))
  const [first] = parts
  const last = parts[parts.length - 1]
  if (coding.kind !== 'number') {
    const share = new Map<number, number>()
    for (const code of first.from) share.set(code, (share.get(code) ?? 0) + 1 / first.from.length)
    return (donor, row) =>
      disturbance.swap * (share.get(first.to[row]) ?? 0) +
      (first.from[donor] === first.to[row] ? 1 - disturbance.swap : 0)
  }
  const { sd, lower, upper, rounding } = disturbance
  return (donor, row) => {
    if (parts.length > 1 && (first.from[donor] !== 0 || first.to[row] !== 0))
      return first.from[donor] === first.to[row] ? 1 : 0
    const [from, to] = [last.from[donor], last.to[row]]
    if (sd === null || sd === 0) return from === to ? 1 : 0
    if (!(to >= lower && to <= upper)) return 0
    return roundedMass(
      to,
      rounding,
      (a, b) => reflectedBetween(a, b, from, sd, lower, upper),
      (x) => reflectedDensity(x, from, sd, lower, upper),
    )
  }
}

/** Noise of more standard deviations than this does not happen: one chance in 10^15. */
const WIDEST_NOISE = 8

/** Reflections at both ends of the range that noise can take. */
function reflections(sd: number, period: number): number {
  return 1 + Math.ceil((WIDEST_NOISE * sd) / period)
}

/** A sum of probabilities of the pieces that fall between a and b, so that nothing cancels far from where it began. */
function reflectedBetween(a: number, b: number, from: number, sd: number, lower: number, upper: number): number {
  const period = 2 * (upper - lower)
  const most = reflections(sd, period)
  const [first, last] = [Math.max(a, lower), Math.min(b, upper)]
  let total = 0
  for (let k = -most; k <= most; k++) {
    const shift = k * period - from
    total += normalBetween((first + shift) / sd, (last + shift) / sd)
    total += normalBetween((2 * lower - last + shift) / sd, (2 * lower - first + shift) / sd)
  }
  return total
}

function reflectedDensity(x: number, from: number, sd: number, lower: number, upper: number): number {
  const period = 2 * (upper - lower)
  const most = reflections(sd, period)
  let total = 0
  for (let k = -most; k <= most; k++)
    for (const place of [x, 2 * lower - x]) total += math.exp(-(((place + k * period - from) / sd) ** 2) / 2)
  return total / (sd * Math.sqrt(2 * Math.PI))
}
