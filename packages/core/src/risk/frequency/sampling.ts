import { groupRows } from '@scrim/kernels'
import { z } from 'zod'
import { jointCodes, keyClasses, type Part, rowsOfPart, tableOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Frequencies, frequencies, incompleteRows, type MissingOptions } from './frequencies.js'

/**
 * What is known about the population behind a file, best source first: a population table (true frequencies), weights
 * (their sum in a class estimates its population frequency), a sampling fraction, or nothing: then the file is taken to
 * be the population, and said to be. No fraction is ever assumed.
 */
export const samplingOptions = {
  samplingFraction: z
    .number()
    .gt(0)
    .max(1)
    .nullable()
    .default(null)
    .describe('share of the population in the file; used when there is neither a population table nor a weight'),
}

export interface Sampling {
  readonly source: 'population' | 'weights' | 'fraction' | 'none'
  /** Per row: population frequency of its key, counted or estimated, at least f; NaN for a dropped record. */
  readonly populationFrequency: Float64Array
  readonly populationSize: number
  /** n / N. */
  readonly fraction: number
  /** Records whose key the population table lacks, or has less often than the file. */
  readonly inconsistent: number
  readonly notes: readonly string[]
}

/** The part of `Sampling` that results show. */
export type SamplingSummary = {
  readonly source: Sampling['source']
  readonly populationSize: number
  readonly fraction: number
  readonly inconsistent: number
}

export function summariseSampling({ source, populationSize, fraction, inconsistent }: Sampling): SamplingSummary {
  return { source, populationSize, fraction, inconsistent }
}

const NO_INFORMATION = 'nothing is known about sampling: the file is taken to be the whole population'

export function samplingOf(
  release: Release,
  part: Part,
  own: Frequencies,
  options: MissingOptions & { readonly samplingFraction: number | null },
): Sampling {
  if (release.population !== null || own.hasWeights) {
    const better =
      release.population !== null ? fromPopulation(release, part, own, options) : fromWeights(release, part, own)
    if (options.samplingFraction === null) return better
    const instead = better.source === 'population' ? 'the population table' : 'the weights'
    return { ...better, notes: [...better.notes, `samplingFraction was not used: ${instead} say more`] }
  }
  if (options.samplingFraction !== null) return fromFraction(own, options.samplingFraction)
  return wholePopulation(own, NO_INFORMATION)
}

/** Per row: the sampling fraction of its class, f over the population frequency, at most 1. */
export function classFractions({ f }: Frequencies, { populationFrequency }: Sampling): Float64Array {
  return f.map((size, row) => Math.min(1, size / populationFrequency[row]))
}

function fromPopulation(release: Release, part: Part, own: Frequencies, options: MissingOptions): Sampling {
  const counted = populationCounts(release, part, own, options)
  let absent = 0
  let fewer = 0
  const populationFrequency = counted.perRow.map((count, row) => {
    if (count === 0) absent++
    else if (count < own.f[row]) fewer++
    return Math.max(count, own.f[row])
  })
  const notes: string[] = []
  if (absent > 0)
    notes.push(
      `the population table lacks the keys of ${absent} records; their class is taken to be no larger there than here`,
    )
  if (fewer > 0)
    notes.push(
      `the population table has fewer persons with the key than the file for ${fewer} records; the file's number is used`,
    )
  const { size } = counted
  return {
    source: 'population',
    populationFrequency,
    populationSize: size,
    fraction: Math.min(1, own.n / size),
    inconsistent: absent + fewer,
    notes,
  }
}

function fromWeights(release: Release, part: Part, own: Frequencies): Sampling {
  const weights = weightsOfPart(release, part) ?? new Float64Array()
  let size = 0
  let allOne = true
  for (let row = 0; row < weights.length; row++) {
    if (Number.isNaN(own.f[row])) continue
    size += weights[row]
    if (weights[row] !== 1) allOne = false
  }
  if (allOne) return wholePopulation(own, 'all weights are 1: the file is taken to be the whole population')
  const notes =
    size < own.n ? [`the weights sum to ${size}, less than the ${own.n} records; a weight should be at least 1`] : []
  const populationFrequency = own.weighted.map((weight, row) => Math.max(weight, own.f[row]))
  return {
    source: 'weights',
    populationFrequency,
    populationSize: size,
    fraction: Math.min(1, own.n / size),
    inconsistent: 0,
    notes,
  }
}

function fromFraction(own: Frequencies, fraction: number): Sampling {
  const populationFrequency = own.f.map((size) => size / fraction)
  return {
    source: 'fraction',
    populationFrequency,
    populationSize: Math.round(own.n / fraction),
    fraction,
    inconsistent: 0,
    notes: [],
  }
}

function wholePopulation({ f, n }: Frequencies, note: string): Sampling {
  return { source: 'none', populationFrequency: f, populationSize: n, fraction: 1, inconsistent: 0, notes: [note] }
}

/** How many persons of the population table share the key of each row, under the same reading of missing keys. */
function populationCounts(
  release: Release,
  part: Part,
  own: Frequencies,
  options: MissingOptions,
): { perRow: Float64Array; size: number } {
  const people = frequencies(release, 'population', release.keys, { ...options, missing: own.policy })
  if (own.classes === null || people.classes === null) {
    return { perRow: compatibleCounts(release, part, options.alpha), size: people.n }
  }
  const joint = keyClasses(release, release.keys)
  const counts = new Float64Array(joint.count)
  const there = rowsOfPart(release, joint, joint.ids, 'population')
  for (let row = 0; row < there.length; row++) if (!Number.isNaN(people.f[row])) counts[there[row]]++
  const here = rowsOfPart(release, joint, joint.ids, part)
  return { perRow: own.f.map((size, row) => (Number.isNaN(size) ? size : counts[here[row]])), size: people.n }
}

/**
 * Persons compatible with each row where keys are missing: every set of known keys of the file is compared with every
 * set of known keys of the population on the keys known in both. A person with a missing key counts `alpha`.
 */
function compatibleCounts(release: Release, part: Part, alpha: number): Float64Array {
  const columns = release.keys.map((name) => jointCodes(release, name))
  const here = columns.map((joint) => rowsOfPart(release, joint, joint.codes, part))
  const there = columns.map((joint) => rowsOfPart(release, joint, joint.codes, 'population'))
  const incomplete = incompleteRows(release, 'population', release.keys).flags
  const counts = new Float64Array(tableOfPart(release, part).rows)
  const populationPatterns = rowsByKnownKeys(there)
  for (const own of rowsByKnownKeys(here)) {
    for (const other of populationPatterns) {
      const shared = own.known.filter((key) => other.known.includes(key))
      const both = shared.map((key) => ({
        codes: Int32Array.from([...own.rows.map((row) => here[key][row]), ...other.rows.map((row) => there[key][row])]),
        cardinality: columns[key].cardinality,
      }))
      const { ids, count } = groupRows(both, own.rows.length + other.rows.length)
      const found = new Float64Array(count)
      for (let k = 0; k < other.rows.length; k++)
        found[ids[own.rows.length + k]] += incomplete[other.rows[k]] === 1 ? alpha : 1
      for (let k = 0; k < own.rows.length; k++) counts[own.rows[k]] += found[ids[k]]
    }
  }
  return counts
}

function rowsByKnownKeys(codes: readonly Int32Array[]): { known: readonly number[]; rows: readonly number[] }[] {
  const rows = codes[0].length
  const { ids, count } = groupRows(
    codes.map((column) => ({ codes: column.map((code) => (code < 0 ? 0 : 1)), cardinality: 2 })),
    rows,
  )
  const members: number[][] = Array.from({ length: count }, () => [])
  for (let row = 0; row < rows; row++) members[ids[row]].push(row)
  return members.map((list) => ({
    rows: list,
    known: codes.flatMap((column, key) => (column[list[0]] < 0 ? [] : [key])),
  }))
}
