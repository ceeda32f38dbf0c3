import type { JointColumn } from '../../../table/joint.js'
import { roundingOf } from '../../../table/precision.js'

/**
 * Values of a column that a producer who knows nobody treats alike: as round as each other, and about as large. A release may
 * be rounded to hundreds, keep the first of the month only, or be narrower than the original, and so meet the values of some
 * people more often than those of others. Among alike values it does not. Categories have no order and are all alike.
 *
 * Gives the stratum of each code. It depends on the records of both files together, never on which file they are in, so records
 * stay exchangeable within a stratum.
 */
export function alikeValues(column: JointColumn, records: Int32Array): Int32Array {
  const strata = new Int32Array(records.length)
  if (column.kind === 'categorical') return strata
  const codes = Int32Array.from(records.keys()).filter((code) => records[code] > 0)
  const roundness = roundnessOf(column, codes)
  const roundest = [...new Set(roundness)].sort((a, b) => b - a)
  const recordsAt = roundest.map((round) => total(records, codes, (at) => roundness[at] === round))
  const classOf = new Map(merged(recordsAt).map((group, k) => [roundest[k], group]))
  let first = 0
  for (const group of new Set(classOf.values())) {
    const alike = codes.filter((_, at) => classOf.get(roundness[at]) === group)
    const sizes = bySize(alike.map((code) => records[code]))
    for (let k = 0; k < alike.length; k++) strata[alike[k]] = first + sizes[k]
    first += (sizes.at(-1) ?? 0) + 1
  }
  return strata
}

/** Fewer records or values say too little about what is usual among them. */
const FEWEST_RECORDS = 100
const FEWEST_VALUES = 20

/** Classes of few records join the next finer one; what is left over joins the last. */
function merged(records: readonly number[]): number[] {
  const groups: number[] = []
  let [group, inGroup] = [0, 0]
  for (const count of records) {
    groups.push(group)
    inGroup += count
    if (inGroup < FEWEST_RECORDS) continue
    group++
    inGroup = 0
  }
  return groups.map((place) => (place === group && group > 0 ? group - 1 : place))
}

/** Ascending values in groups of about as many records; the same groups when the order is turned round. */
function bySize(records: Int32Array): Int32Array {
  const all = records.reduce((sum, count) => sum + count, 0)
  const groups = Math.max(1, Math.floor(Math.min(all / FEWEST_RECORDS, records.length / FEWEST_VALUES)))
  let below = 0
  return records.map((count) => {
    const place = Math.floor((groups * (below + count / 2)) / all)
    below += count
    return place
  })
}

function total(records: Int32Array, codes: Int32Array, isIn: (at: number) => boolean): number {
  return codes.reduce((sum, code, at) => sum + (isIn(at) ? records[code] : 0), 0)
}

/** How round each value is: the place of the largest step that it is a multiple of, higher is rounder. */
function roundnessOf({ kind, numbers, name }: JointColumn, codes: Int32Array): Int32Array {
  const values = Float64Array.from(codes, (code) => numbers[code])
  if (kind === 'date') return Int32Array.from(values, roundnessOfDate)
  const { perUnit } = roundingOf({ kind: 'numeric', name, values }, values)
  if (perUnit === null) return new Int32Array(values.length)
  const units = values.map((value) => Math.abs(Math.round(value * perUnit)))
  const steps = stepsUpTo(units.reduce((most, value) => Math.max(most, value), 1))
  return Int32Array.from(units, (value) => steps.findLastIndex((step) => value % step === 0))
}

/** 1, 2, 5, 10, 20, 25, 50, 100, ... */
function stepsUpTo(largest: number): number[] {
  const steps: number[] = []
  for (let power = 1; power <= largest; power *= 10)
    steps.push(...[1, 2, 2.5, 5].map((times) => times * power).filter(Number.isInteger))
  return steps
}

const MILLISECONDS_PER_DAY = 86_400_000

/** A time of day, a day, the first of a month, the first of a year. */
function roundnessOfDate(days: number): number {
  if (!Number.isInteger(days)) return 0
  const date = new Date(days * MILLISECONDS_PER_DAY)
  if (date.getUTCDate() !== 1) return 1
  return date.getUTCMonth() === 0 ? 3 : 2
}
