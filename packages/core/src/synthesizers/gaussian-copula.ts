import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { real, whole } from '../option-kinds.js'
import type { Stream } from '../random/stream.js'
import { normalBetween, normalCdf, normalDensity, normalQuantile } from '../stats/distributions.js'
import { drawNormal } from '../stats/draws.js'
import { logMeanExp } from '../stats/log-scale.js'
import { cholesky } from '../stats/matrices/linear-algebra.js'
import { countBelow, countUpTo } from '../stats/sorted.js'
import type { Column } from '../table/column.js'
import { findColumn, type Table, table } from '../table/table.js'
import { type Coding, codingOf, decode, encode, isRegular } from './methods/coding.js'
import { numbersOf } from './methods/method.js'
import type { FittedSynthesizer, Streams, Synthesizer } from './synthesizer.js'

/**
 * A Gaussian copula: every variable is a latent normal number z, cut at Φ⁻¹ of its cumulative shares; levels count in their
 * order, missing as the last one, and a number that may be missing has a second latent for that. Latents are correlated as
 * the normal scores of the original, E(z | value), are; where that is no correlation matrix all correlations are shrunk by
 * the least power of ten that makes it one. Drawn latents become the original value at their place.
 *
 * Margins are kept, and monotone association of pairs; blind to everything else: to levels without an order, to what is
 * U-shaped, to three variables. Scores of few levels correlate less than their latents would, so association is weakened.
 */
const options = z.object({
  shrink: real(0, { min: 0, max: 1 }).describe('share by which all correlations are shrunk at least'),
  points: whole(500, { min: 1 }).describe('points at which the probability of a record is integrated'),
})

type Options = z.output<typeof options>

export const gaussianCopula = {
  id: 'gaussian-copula',
  title: 'Gaussian copula',
  options,
  fit(data: Table, { shrink, points }: Options): FittedSynthesizer {
    if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
    const variables = data.columns.map(latentVariable)
    const latents = variables.flatMap((variable) => variable.latents)
    const { lower, shrinkage } = positiveDefinite(correlations(latents), latents.length, shrink)
    return {
      sample: (rows, random) => sample(data, variables, lower, rows, random),
      logProb: (records) => logProbability(variables, lower, points, records),
      describe: () => ({
        variables: variables.map(({ coding, latents: own }) => ({
          variable: coding.original.name,
          part: 'value',
          method: coding.kind === 'levels' ? 'normal latent with thresholds' : 'normal scores',
          donors: own[own.length - 1].scores.reduce((n, score) => n + (Number.isNaN(score) ? 0 : 1), 0),
          latents: own.length,
        })),
        shrinkage,
        warnings: [],
      }),
    }
  },
} satisfies Synthesizer<typeof options>

interface LatentVariable {
  readonly coding: Coding
  readonly columns: readonly Column[]
  readonly latents: readonly Latent[]
}

interface Latent {
  /** Numbers or codes that occur, ascending. */
  readonly values: Float64Array
  /** Value k is where bounds[k] < z <= bounds[k + 1]. */
  readonly bounds: Float64Array
  /** Normal scores of the original records; NaN where the number is missing. */
  readonly scores: Float64Array
}

function latentVariable(original: Column): LatentVariable {
  const coding = codingOf(original, { specials: [], mostClasses: 0, missing: false })
  const columns = encode(coding, original)
  const regular = isRegular(columns)
  return {
    coding,
    columns,
    latents: columns.map((column, k) => latentOf(numbersOf(column), k === columns.length - 1 ? regular : () => true)),
  }
}

function latentOf(numbers: Float64Array, isKnown: (row: number) => boolean): Latent {
  const sorted = numbers.filter((_, row) => isKnown(row)).sort()
  const values = sorted.length === 0 ? Float64Array.of(0) : Float64Array.from(new Set(sorted))
  const bounds = new Float64Array(values.length + 1).fill(Number.NEGATIVE_INFINITY)
  for (let k = 0; k < values.length - 1; k++)
    bounds[k + 1] = normalQuantile(countUpTo(sorted, values[k]) / sorted.length)
  bounds[values.length] = Number.POSITIVE_INFINITY
  const score = values.map(
    (_, k) => (normalDensity(bounds[k]) - normalDensity(bounds[k + 1])) / normalBetween(bounds[k], bounds[k + 1]),
  )
  const scores = numbers.map((value, row) => (isKnown(row) ? score[countBelow(values, value)] : Number.NaN))
  return { values, bounds, scores }
}

/** Pearson correlations of the scores, of each pair over the records that have both. */
function correlations(latents: readonly Latent[]): Float64Array {
  const size = latents.length
  const matrix = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    matrix[i * size + i] = 1
    for (let j = 0; j < i; j++) {
      const value = correlation(latents[i].scores, latents[j].scores)
      matrix[i * size + j] = value
      matrix[j * size + i] = value
    }
  }
  return matrix
}

function correlation(x: Float64Array, y: Float64Array): number {
  let [n, sumX, sumY] = [0, 0, 0]
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row] + y[row])) continue
    n++
    sumX += x[row]
    sumY += y[row]
  }
  let [xx, yy, xy] = [0, 0, 0]
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row] + y[row])) continue
    const [dx, dy] = [x[row] - sumX / n, y[row] - sumY / n]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return xx > NO_VARIANCE && yy > NO_VARIANCE ? xy / Math.sqrt(xx * yy) : 0
}

const NO_VARIANCE = 1e-12
/** The least variance that a latent must have given those before it. */
const LEAST_VARIANCE = 1e-8
const LEAST_SHRINKAGE = 1e-7

function positiveDefinite(
  matrix: Float64Array,
  size: number,
  least: number,
): { lower: Float64Array; shrinkage: number } {
  for (let shrinkage = least; ; shrinkage = Math.min(1, Math.max(LEAST_SHRINKAGE, 10 * shrinkage))) {
    const shrunk = matrix.map((value, at) => (at % (size + 1) === 0 ? 1 : (1 - shrinkage) * value))
    const lower = cholesky(shrunk, size)
    if (lower?.every((value, at) => at % (size + 1) !== 0 || value ** 2 >= LEAST_VARIANCE)) return { lower, shrinkage }
  }
}

function sample(
  data: Table,
  variables: readonly LatentVariable[],
  lower: Float64Array,
  rows: number,
  random: Streams,
): Table {
  const latents = variables.flatMap((variable) => variable.latents)
  const drawn = drawLatents(latents, lower, rows, random('latents'))
  let first = 0
  const columns = variables.map(({ coding, columns: like, latents: own }) => {
    const parts = like.map((column, k): Column => {
      const values = drawn[first + k]
      return column.kind === 'categorical' ? { ...column, codes: Int32Array.from(values) } : { ...column, values }
    })
    first += own.length
    return decode(coding, parts, random)
  })
  return table(`${data.name} (synthetic)`, columns)
}

/** For each latent the values of all records. */
function drawLatents(latents: readonly Latent[], lower: Float64Array, rows: number, random: Stream): Float64Array[] {
  const size = latents.length
  const drawn = latents.map(() => new Float64Array(rows))
  const standard = new Float64Array(size)
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < size; i++) {
      standard[i] = drawNormal(random)
      let z = 0
      for (let j = 0; j <= i; j++) z += lower[i * size + j] * standard[j]
      const { values, bounds } = latents[i]
      drawn[i][row] = values[countBelow(bounds, z, 1, values.length) - 1]
    }
  }
  return drawn
}

/**
 * The probability that all latents lie between their bounds, by the method of Genz (1992), "Numerical computation of
 * multivariate normal probabilities": latent after latent given those before, averaged over points of a fixed lattice
 * (Richtmyer). The probabilities of all records sum to 1 whatever the lattice; a single one has a small relative error.
 */
function logProbability(
  variables: readonly LatentVariable[],
  lower: Float64Array,
  points: number,
  records: Table,
): Float64Array {
  const { from, to } = intervalsOf(variables, records)
  const size = from.length
  const lattice = latticeOf(size, points)
  const standard = new Float64Array(size)
  const logs = new Float64Array(points)
  return new Float64Array(records.rows).map((_, row) => {
    for (let i = 0; i < size; i++) if (Number.isNaN(from[i][row])) return Number.NEGATIVE_INFINITY
    for (let point = 0; point < points; point++) {
      logs[point] = 0
      for (let i = 0; i < size; i++) {
        let mean = 0
        for (let j = 0; j < i; j++) mean += lower[i * size + j] * standard[j]
        const sd = lower[i * size + i]
        const [a, b] = [(from[i][row] - mean) / sd, (to[i][row] - mean) / sd]
        const mass = normalBetween(a, b)
        logs[point] += math.log(mass)
        standard[i] = inside(a, b, mass, lattice[point * size + i])
      }
    }
    return logMeanExp(logs)
  })
}

/** Where the latents of each record lie; NaN for a value that the original does not have, anywhere for a missing number. */
function intervalsOf(variables: readonly LatentVariable[], records: Table) {
  const from: Float64Array[] = []
  const to: Float64Array[] = []
  for (const { coding, latents } of variables) {
    const column = findColumn(records, coding.original.name)
    if (column === undefined) throw new UserError(`${records.name} has no column "${coding.original.name}"`)
    const parts = encode(coding, column)
    const regular = isRegular(parts)
    latents.forEach(({ values, bounds }, k) => {
      const numbers = numbersOf(parts[k])
      const isKnown = k === latents.length - 1 ? regular : () => true
      const bound = (end: 0 | 1) =>
        numbers.map((value, row) => {
          if (!isKnown(row)) return end === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
          const place = countBelow(values, value)
          return values[place] === value ? bounds[place + end] : Number.NaN
        })
      from.push(bound(0))
      to.push(bound(1))
    })
  }
  return { from, to }
}

/** Fractions of multiples of the roots of primes, folded so that the lattice has no seam. */
function latticeOf(size: number, points: number): Float64Array {
  const roots = primes(size).map(Math.sqrt)
  return Float64Array.from({ length: size * points }, (_, at) => {
    const x = (Math.floor(at / size) + 1) * roots[at % size] + 0.5
    return Math.abs(2 * (x - Math.floor(x)) - 1)
  })
}

function primes(howMany: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < howMany; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

/** The standard normal number below which the given share of the mass between a and b lies. */
function inside(a: number, b: number, mass: number, share: number): number {
  const place = a > 0 ? normalCdf(-b) + (1 - share) * mass : normalCdf(a) + share * mass
  const z = normalQuantile(Math.min(1 - Number.EPSILON, Math.max(Number.MIN_VALUE, place)))
  return a > 0 ? -z : z
}
