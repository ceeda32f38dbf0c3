import { math } from '@scrim/kernels'
import { type Design, designColumns, designOf, linearPredictor } from '../../learners/coding/design-matrix.js'
import type { Stream } from '../../random/stream.js'
import { normalBetween, normalCdf, normalDensity, normalQuantile } from '../../stats/distributions.js'
import { drawGamma, drawNormal } from '../../stats/draws.js'
import { type Columns, cholesky, invertCholesky, solveCholesky } from '../../stats/matrices/linear-algebra.js'
import { countBelow, countUpTo } from '../../stats/sorted.js'
import { takeRows } from '../../table/column.js'
import { rounded, roundingOf } from '../../table/precision.js'
import { draws } from './donors.js'
import {
  type FittedVariable,
  type Job,
  jobRows,
  predictorTable,
  trainingValues,
  type VariableMethod,
} from './method.js'
import { type Kernel, kernelMass, roundedMass } from './smoothing.js'

/**
 * Linear regression with normal errors: β = (X'X + 1e-5 diag(X'X))⁻¹ X'y, σ² = RSS / (n - p), draws Xβ + σε, rounded as
 * the original is. Proper synthesis draws σ² = RSS / χ²(n - p) and β ~ N(β, σ² (X'X + ridge)⁻¹). `lognorm`, `sqrtnorm` and
 * `cubertnorm` do the same to the logarithm, square root and cube root.
 */
export const norm = normMethod('norm', 'normal regression', {
  forward: (y) => y,
  back: (z) => z,
  slope: () => 1,
  allowsNegative: true,
})
export const lognorm = normMethod('lognorm', 'normal regression of the logarithm', {
  forward: (y, offset) => math.log(y + offset),
  back: (z, offset) => math.exp(z) - offset,
  slope: (y, offset) => 1 / (y + offset),
  allowsNegative: false,
})
export const sqrtnorm = normMethod('sqrtnorm', 'normal regression of the square root', {
  forward: Math.sqrt,
  back: (z) => Math.max(0, z) ** 2,
  slope: (y) => 0.5 / Math.sqrt(y),
  allowsNegative: false,
})
export const cubertnorm = normMethod('cubertnorm', 'normal regression of the cube root', {
  forward: math.cbrt,
  back: (z) => math.pow(z, 3),
  slope: (y) => 1 / (3 * math.cbrt(y) ** 2),
  allowsNegative: true,
})

interface Transform {
  readonly forward: (y: number, offset: number) => number
  readonly back: (z: number, offset: number) => number
  /** Derivative of `forward`. */
  readonly slope: (y: number, offset: number) => number
  readonly allowsNegative: boolean
}

function numbersOnly(id: string): VariableMethod['problem'] {
  return ({ kind }) => (kind === 'number' ? undefined : `${id} makes numbers, and this variable has levels`)
}

function normMethod(id: string, title: string, transform: Transform): VariableMethod {
  return {
    id,
    title,
    problem: numbersOnly(id),
    drawsOriginals: false,
    proper: 'parameters',
    fit: async (jobs, { options, random }) =>
      jobs.map((job) => {
        const y = trainingValues(job)
        if (!transform.allowsNegative && y.some((value) => value < 0))
          throw new NegativeValues(`${id} needs numbers of 0 or more`)
        // Zeros have no logarithm: half the smallest positive number is added, and taken away again.
        const offset = y.includes(0)
          ? y.reduce((least, value) => (value > 0 && value < least ? value : least), Infinity) / 2
          : 0
        const model = fitRidge(
          job,
          y.map((value) => transform.forward(value, offset)),
          options.proper ? random(`${job.purpose}/parameters`) : null,
        )
        return normal(job, y, model, transform, offset, title)
      }),
  }
}

/** The variable's name is added by who knows it. */
export class NegativeValues extends Error {}

function normal(
  job: Job,
  y: Float64Array,
  { design, coefficients, sigma }: RidgeFit,
  { forward, back, slope }: Transform,
  offset: number,
  title: string,
): FittedVariable {
  const rounding = roundingOf(job.response, y)
  return {
    draw(predicting, random) {
      const centre = linearPredictor(design, predicting, coefficients)
      return draws(predicting.rows, (row) => rounded(back(drawNormal(random, centre[row], sigma), offset), rounding))
    },
    logProb(predicting, wanted) {
      const centre = linearPredictor(design, predicting, coefficients)
      return wanted.map((value, row) => {
        const place = (x: number) => {
          const z = forward(x, offset)
          return Number.isNaN(z) ? -Infinity : (z - centre[row]) / sigma
        }
        const between = (from: number, to: number) => normalBetween(place(from), place(to))
        const density = (x: number) =>
          normalDensity((forward(x, offset) - centre[row]) / sigma) * (slope(x, offset) / sigma)
        return math.log(roundedMass(value, rounding, between, density))
      })
    },
    describe: () => ({ method: title, donors: y.length, coefficients: coefficients.length, residual: sigma }),
  }
}

/**
 * Normal regression of the normal scores z = Φ⁻¹(rank / (n + 1)); a draw becomes the original value of the rank it would
 * have. So the marginal distribution is that of the original, and every value is an original one.
 */
export const normrank: VariableMethod = {
  id: 'normrank',
  title: 'normal regression of ranks',
  problem: numbersOnly('normrank'),
  drawsOriginals: true,
  proper: 'parameters',
  fit: async (jobs, { options, random }) =>
    jobs.map((job) => {
      const y = trainingValues(job)
      const sorted = y.slice().sort()
      const model = fitRidge(job, normalScores(y, sorted), options.proper ? random(`${job.purpose}/parameters`) : null)
      return rankRegression(sorted, model)
    }),
}

function rankRegression(sorted: Float64Array, { design, coefficients, sigma }: RidgeFit): FittedVariable {
  const n = sorted.length
  return {
    draw(predicting, random) {
      const centre = linearPredictor(design, predicting, coefficients)
      return draws(predicting.rows, (row) => {
        const place = Math.round(normalCdf(drawNormal(random, centre[row], sigma)) * (n + 1))
        return sorted[Math.min(n, Math.max(1, place)) - 1]
      })
    },
    logProb(predicting, wanted, kernel) {
      const centre = linearPredictor(design, predicting, coefficients)
      return wanted.map((value, row) => {
        const bound = (place: number) => (normalQuantile(place / (n + 1)) - centre[row]) / sigma
        const ranks = (first: number, last: number) =>
          normalBetween(first === 0 ? -Infinity : bound(first + 0.5), last === n - 1 ? Infinity : bound(last + 1.5))
        if (kernel !== null) return math.log(smoothedMass(sorted, kernel, value, ranks))
        const first = countBelow(sorted, value)
        const last = countUpTo(sorted, value) - 1
        return last >= first ? math.log(ranks(first, last)) : Number.NEGATIVE_INFINITY
      })
    },
    describe: () => ({ method: normrank.title, donors: n, coefficients: coefficients.length, residual: sigma }),
  }
}

/** The sum over ranks of their probability times the chance that the noise turns their value into this one. */
function smoothedMass(
  sorted: Float64Array,
  kernel: Kernel,
  value: number,
  ranks: (first: number, last: number) => number,
): number {
  let mass = 0
  for (let place = 0; place < sorted.length; place++) {
    const chance = kernelMass(kernel, sorted.subarray(place, place + 1), value)
    if (chance > 0) mass += chance * ranks(place, place)
  }
  return mass
}

/** Φ⁻¹(rank / (n + 1)), ties at their mean rank. */
function normalScores(y: Float64Array, sorted: Float64Array): Float64Array {
  const scores = new Map<number, number>()
  for (let from = 0; from < sorted.length; ) {
    let to = from
    while (to < sorted.length && sorted[to] === sorted[from]) to++
    scores.set(sorted[from], normalQuantile((from + 1 + to) / 2 / (sorted.length + 1)))
    from = to
  }
  return y.map((value) => scores.get(value) ?? 0)
}

interface RidgeFit {
  readonly design: Design
  /** The intercept first. */
  readonly coefficients: Float64Array
  readonly sigma: number
}

const RIDGE = 1e-5
/** A perfect fit still has to be a distribution. */
const LEAST_SIGMA = 1e-10

function fitRidge(job: Job, y: Float64Array, random: Stream | null): RidgeFit {
  const { rows } = job
  const features = predictorTable(
    rows === null ? job.predictors : job.predictors.map((column) => takeRows(column, rows)),
    jobRows(job),
  )
  const design = designOf(features)
  const x = [new Float64Array(y.length).fill(1), ...designColumns(design, features)]
  const { scales, lower } = scaledGram(x)
  const size = x.length
  const solved = Float64Array.from(x, (column, j) => dot(column, y) / scales[j])
  solveCholesky(lower, size, solved)
  const coefficients = solved.map((value, j) => value / scales[j])
  let squares = 0
  const fitted = linearPredictor(design, features, coefficients)
  for (let row = 0; row < y.length; row++) squares += (y[row] - fitted[row]) ** 2
  const spare = Math.max(1, y.length - size)
  const spread = random === null ? squares / spare : squares / drawGamma(random, spare / 2, 2)
  const sigma = Math.max(Math.sqrt(spread), LEAST_SIGMA)
  if (random === null) return { design, coefficients, sigma }
  const moved = normalAround(coefficients, scaledCovariance(lower, scales, sigma), random)
  return { design, coefficients: moved, sigma }
}

/** L with LL' = X'X + ridge, columns divided by their length. */
function scaledGram(x: Columns): { scales: Float64Array; lower: Float64Array } {
  const size = x.length
  const scales = Float64Array.from(x, (column) => Math.sqrt(dot(column, column)) || 1)
  const gram = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const value = dot(x[i], x[j]) / (scales[i] * scales[j])
      gram[i * size + j] = value
      gram[j * size + i] = value
    }
    gram[i * size + i] += RIDGE
  }
  const lower = cholesky(gram, size)
  if (lower === null) throw new Error('X + ridge is not positive definite')
  return { scales, lower }
}

function scaledCovariance(lower: Float64Array, scales: Float64Array, sigma: number): Float64Array {
  const size = scales.length
  return invertCholesky(lower, size).map(
    (value, at) => (value * sigma * sigma) / (scales[Math.floor(at / size)] * scales[at % size]),
  )
}

/** A draw from the normal distribution with this mean and covariance; what has no variance (NaN) stays. */
export function normalAround(mean: Float64Array, covariance: Float64Array, random: Stream): Float64Array {
  const size = mean.length
  const used = Array.from(mean.keys()).filter((j) => covariance[j * size + j] > 0)
  const scales = used.map((j) => Math.sqrt(covariance[j * size + j]))
  const correlation = new Float64Array(used.length ** 2)
  used.forEach((j, a) => {
    used.forEach((k, b) => {
      correlation[a * used.length + b] = covariance[j * size + k] / (scales[a] * scales[b])
    })
    correlation[a * used.length + a] += 1e-12
  })
  const lower = cholesky(correlation, used.length)
  const standard = used.map(() => drawNormal(random))
  const moved = mean.slice()
  used.forEach((j, a) => {
    let shift = 0
    for (let b = 0; b <= a; b++)
      shift += (lower === null ? (a === b ? 1 : 0) : lower[a * used.length + b]) * standard[b]
    moved[j] += scales[a] * shift
  })
  return moved
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += a[i] * b[i]
  return total
}
