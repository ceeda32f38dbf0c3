import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { countBelow, countUpTo } from '../../stats/sorted.js'
import { type FittedVariable, jobRows, numbersAt, trainingValues, type VariableMethod } from './method.js'
import { type Kernel, kernelMass } from './smoothing.js'

/**
 * Original values in pools, ascending in each: a synthetic record takes one value of its pool, each equally likely, so
 * the probability of a value is its share of the pool.
 */
export interface DonorPools {
  readonly values: Float64Array
  readonly start: Int32Array
  readonly size: Int32Array
}

/** Pools of the values of `rows`, which are cut into runs. */
export function donorPools(values: Float64Array, rows: Int32Array, start: Int32Array, size: Int32Array): DonorPools {
  const sorted = numbersAt(values, rows)
  for (let pool = 0; pool < start.length; pool++) sorted.subarray(start[pool], start[pool] + size[pool]).sort()
  return { values: sorted, start, size }
}

/** How many donors of a pool have the value; with a kernel, the sum over donors of the chance that it becomes this value. */
export function donorsWith(pools: DonorPools, pool: number, value: number, kernel: Kernel | null): number {
  const { values, start, size } = pools
  const from = start[pool]
  const to = from + size[pool]
  if (Number.isNaN(value)) return 0
  if (kernel !== null) return kernelMass(kernel, values.subarray(from, to), value)
  return countUpTo(values, value, from, to) - countBelow(values, value, from, to)
}

/** Drawn from all donors alike, whatever the predictors. */
export const sample: VariableMethod = {
  id: 'sample',
  title: 'sample of all values',
  problem: () => undefined,
  drawsOriginals: true,
  proper: 'bootstrap',
  fit: async (jobs) => jobs.map((job) => sampled(trainingValues(job), jobRows(job))),
}

function sampled(values: Float64Array, donors: number): FittedVariable {
  let pools: DonorPools | undefined
  return {
    draw: ({ rows }, random) => draws(rows, () => values[random.below(donors)]),
    logProb: (_, wanted, kernel) => {
      pools ??= { values: values.slice().sort(), start: Int32Array.of(0), size: Int32Array.of(donors) }
      const known = pools
      return wanted.map((value) => math.log(donorsWith(known, 0, value, kernel) / donors))
    },
    describe: () => ({ method: sample.title, donors }),
  }
}

/** One and the same value for everybody; `nothing` where no record has one. */
export function constant(value: number, donors: number): FittedVariable {
  return {
    draw: ({ rows }) => new Float64Array(rows).fill(value),
    logProb: (_, wanted) => wanted.map((one) => (one === value ? 0 : Number.NEGATIVE_INFINITY)),
    describe: () => ({ method: donors === 0 ? 'nothing to learn from' : 'constant', donors }),
  }
}

/** A column of draws. */
export function draws(rows: number, draw: (row: number) => number): Float64Array {
  const drawn = new Float64Array(rows)
  for (let row = 0; row < rows; row++) drawn[row] = draw(row)
  return drawn
}

/** The tosses of a coin that a stream would make, decided in advance. */
export function scripted(below: (n: number) => number): Stream {
  const no = () => {
    throw new Error('only whole numbers are scripted')
  }
  return { below, uint32: no, uniform: no, openUniform: no, fillBelow: no, countBelow: no, belowEach: no }
}
