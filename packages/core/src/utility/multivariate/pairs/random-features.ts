import { math } from '@scrim/kernels'
import type { Stream } from '../../../random/stream.js'
import { drawExponential, drawNormal } from '../../../stats/draws.js'
import { sum } from '../../../stats/sums.js'
import type { Task, TaskProgress, TaskRunner } from '../../../tasks/task.js'
import type { MixedRecords } from './mixed-records.js'
import type { PairMeans } from './pair-means.js'

/**
 * Means of a kernel over pairs in O(N) by random features (Rahimi and Recht 2007): with frequencies ω drawn from the spectrum of
 * the kernel, k(x, y) = E cos ωᵀ(x - y), so that the mean over pairs is the mean over frequencies of C² + S², C and S the mean
 * cosine and sine in a file. Sine and cosine together, so that every record has length 1 and pairs of a record with itself
 * can be taken out exactly. Gaussian: ω = g / σ; rational quadratic: ω = √E g / σ with E exponential.
 */
export type FeatureKernel = 'gaussian' | 'rational quadratic'

interface Shared {
  readonly records: Pick<MixedRecords, 'numbers' | 'values' | 'categories' | 'codes' | 'levels' | 'weights'>
  readonly split: number
  readonly frequencies: Float64Array
  readonly width: number
}

/** Sums of w cos and w sin for the original's, then the release's records among some rows. */
export const featureSumsTask: Task<Shared, { readonly from: number; readonly to: number }, Float64Array> = {
  name: 'utility/feature sums',
  run({ records, split, frequencies, width }, { from, to }) {
    const { numbers, values, categories, codes, levels, weights } = records
    const starts = startsOf(numbers, levels)
    const count = frequencies.length / width
    const sums = new Float64Array(4 * count)
    for (let row = from; row < to; row++) {
      const side = row < split ? 0 : 2 * count
      const weight = weights[row]
      for (let k = 0; k < count; k++) {
        const at = k * width
        let phase = 0
        for (let j = 0; j < numbers; j++) phase += frequencies[at + j] * values[row * numbers + j]
        for (let j = 0; j < categories; j++) phase += frequencies[at + starts[j] + codes[row * categories + j]]
        sums[side + k] += weight * math.cos(phase)
        sums[side + count + k] += weight * math.sin(phase)
      }
    }
    return sums
  },
}

const ROWS_AT_ONCE = 4096

export async function featureMeans(
  where: { readonly tasks: TaskRunner } & TaskProgress,
  records: MixedRecords,
  { kernel, sigma, features, random }: { kernel: FeatureKernel; sigma: number; features: number; random: Stream },
): Promise<PairMeans & { readonly se: number }> {
  const { split, rows, weights, numbers, values, categories, codes, levels } = records
  const width = numbers + sum(levels)
  const frequencies = drawFrequencies(kernel, sigma, features, width, numbers, random)
  const shared = { records: { numbers, values, categories, codes, levels, weights }, split, frequencies, width }
  const runs = []
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) runs.push({ from, to: Math.min(rows, from + ROWS_AT_ONCE) })
  const parts = await where.tasks.map(featureSumsTask, shared, runs, where)
  const sums = new Float64Array(4 * features)
  for (const part of parts) for (let k = 0; k < sums.length; k++) sums[k] += part[k]
  return meansOf(sums, features, [weights.subarray(0, split), weights.subarray(split)])
}

function meansOf(sums: Float64Array, features: number, sides: readonly Float64Array[]) {
  const totals = sides.map((side) => sum(side))
  const squares = sides.map((side) => sum(side.map((weight) => weight * weight)))
  const [xx, xy, yy] = [new Float64Array(features), new Float64Array(features), new Float64Array(features)]
  for (let k = 0; k < features; k++) {
    const [cx, sx] = [sums[k] / totals[0], sums[features + k] / totals[0]]
    const [cy, sy] = [sums[2 * features + k] / totals[1], sums[3 * features + k] / totals[1]]
    xx[k] = cx * cx + sx * sx
    yy[k] = cy * cy + sy * sy
    xy[k] = cx * cy + sx * sy
  }
  const mean = (of: Float64Array) => sum(of) / features
  const gaps = xx.map((value, k) => value + yy[k] - 2 * xy[k])
  const centre = mean(gaps)
  const spread = sum(gaps.map((gap) => (gap - centre) ** 2)) / Math.max(1, features - 1)
  const different = (all: number, side: number) => {
    const pairs = totals[side] ** 2 - squares[side]
    return pairs > 0 ? (all * totals[side] ** 2 - squares[side]) / pairs : 0
  }
  const withinAll = [mean(xx), mean(yy)] as const
  return {
    withinAll,
    within: [different(withinAll[0], 0), different(withinAll[1], 1)] as const,
    across: mean(xy),
    se: Math.sqrt(spread / features),
  }
}

/** A category's level is a coordinate of 1/√2. */
function drawFrequencies(
  kernel: FeatureKernel,
  sigma: number,
  features: number,
  width: number,
  numbers: number,
  random: Stream,
): Float64Array {
  const frequencies = new Float64Array(features * width)
  for (let k = 0; k < features; k++) {
    const stretch = (kernel === 'gaussian' ? 1 : Math.sqrt(drawExponential(random))) / sigma
    for (let j = 0; j < width; j++)
      frequencies[k * width + j] = stretch * drawNormal(random) * (j < numbers ? 1 : Math.SQRT1_2)
  }
  return frequencies
}

export function startsOf(numbers: number, levels: readonly number[]): number[] {
  return levels.map((_, k) => numbers + sum(levels.slice(0, k)))
}
