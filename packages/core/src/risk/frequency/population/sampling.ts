import { real } from '../../../option-kinds.js'
import { keyClasses, type Part, rowsOfPart, weightsOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { compatibleRecords, type Frequencies, frequencies, type MissingOptions } from '../counts/frequencies.js'

/**
 * What is known about the population behind a file, best source first: a population table (true frequencies), weights
 * (their sum in a class estimates its population frequency), a sampling fraction, or nothing: then the file is taken to
 * be the population, and said to be. No fraction is ever assumed.
 */
export const samplingOptions = {
  samplingFraction: real(null, { above: 0, max: 1 }).describe(
    'share of the population in the file; used when there is neither a population table nor a weight',
  ),
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
export function summariseSampling({ source, populationSize, fraction, inconsistent }: Sampling) {
  return { source, populationSize, fraction, inconsistent }
}

const NO_INFORMATION = 'nothing is known about sampling: the file is taken to be the whole population'

export function samplingOf(
  release: Release,
  part: Part,
  keyCounts: Frequencies,
  options: MissingOptions & { readonly samplingFraction: number | null },
): Sampling {
  if (release.population !== null || keyCounts.hasWeights) {
    const better =
      release.population !== null
        ? fromPopulation(release, part, keyCounts, options)
        : fromWeights(release, part, keyCounts)
    if (options.samplingFraction === null) return better
    const instead = better.source === 'population' ? 'the population table' : 'the weights'
    return { ...better, notes: [...better.notes, `samplingFraction was not used: ${instead} say more`] }
  }
  if (options.samplingFraction !== null) return fromFraction(keyCounts, options.samplingFraction)
  return wholePopulation(keyCounts, NO_INFORMATION)
}

/** Per row: the sampling fraction of its class, f over the population frequency, at most 1. */
export function classFractions({ f }: Frequencies, { populationFrequency }: Sampling): Float64Array {
  return f.map((size, row) => Math.min(1, size / populationFrequency[row]))
}

function fromPopulation(release: Release, part: Part, keyCounts: Frequencies, options: MissingOptions): Sampling {
  const { perRow, size } = populationCounts(release, part, keyCounts, options)
  let absent = 0
  let fewer = 0
  const populationFrequency = perRow.map((count, row) => {
    const records = keyCounts.times?.[row] ?? 1
    if (count === 0) absent += records
    else if (count < keyCounts.f[row]) fewer += records
    return Math.max(count, keyCounts.f[row])
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
  const fraction = Math.min(1, keyCounts.n / size)
  return {
    source: 'population',
    populationFrequency,
    populationSize: size,
    fraction,
    inconsistent: absent + fewer,
    notes,
  }
}

function fromWeights(release: Release, part: Part, keyCounts: Frequencies): Sampling {
  const weights = weightsOfPart(release, part) ?? new Float64Array()
  const isCounted = (row: number) => !Number.isNaN(keyCounts.f[row])
  const counted = weights.filter((_, row) => isCounted(row))
  if (weights.every((weight, row) => !isCounted(row) || weight === (keyCounts.times?.[row] ?? 1)))
    return wholePopulation(keyCounts, 'all weights are 1: the file is taken to be the whole population')
  const size = counted.reduce((total, weight) => total + weight, 0)
  const notes =
    size < keyCounts.n
      ? [`the weights sum to ${size}, less than the ${keyCounts.n} records; a weight should be at least 1`]
      : []
  const populationFrequency = keyCounts.weighted.map((weight, row) => Math.max(weight, keyCounts.f[row]))
  const fraction = Math.min(1, keyCounts.n / size)
  return { source: 'weights', populationFrequency, populationSize: size, fraction, inconsistent: 0, notes }
}

function fromFraction(keyCounts: Frequencies, fraction: number): Sampling {
  const populationFrequency = keyCounts.f.map((size) => size / fraction)
  const populationSize = Math.round(keyCounts.n / fraction)
  return { source: 'fraction', populationFrequency, populationSize, fraction, inconsistent: 0, notes: [] }
}

function wholePopulation({ f, n }: Frequencies, note: string): Sampling {
  return { source: 'none', populationFrequency: f, populationSize: n, fraction: 1, inconsistent: 0, notes: [note] }
}

/** How many persons of the population table share the key of each row, under the same reading of missing keys. */
function populationCounts(release: Release, part: Part, keyCounts: Frequencies, options: MissingOptions) {
  const { keys } = release
  const people = frequencies(release, 'population', keys, { ...options, missing: keyCounts.policy })
  if (keyCounts.classes === null || people.classes === null)
    return { perRow: compatibleRecords(release, part, 'population', keys, options.alpha), size: people.n }
  const joint = keyClasses(release, keys)
  const counts = new Float64Array(joint.count)
  const there = rowsOfPart(release, joint, joint.ids, 'population')
  for (let row = 0; row < there.length; row++)
    if (!Number.isNaN(people.f[row])) counts[there[row]] += people.times?.[row] ?? 1
  const here = rowsOfPart(release, joint, joint.ids, part)
  return { perRow: keyCounts.f.map((size, row) => (Number.isNaN(size) ? size : counts[here[row]])), size: people.n }
}
