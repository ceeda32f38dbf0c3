import { math } from '@scrim/kernels'
import { z } from 'zod'
import { significant } from '../print.js'
import { mean, standardDeviation } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { type Points, pointsFrom, squaredDistance } from './coding/points.js'
import { drawnTrainingRows, presentClasses } from './coding/training-rows.js'
import { solveSmo } from './fitting/smo.js'
import { classModel, type FitContext, type Learner, type Model, numberModel, type Response } from './learner.js'
import { constantClasses } from './prior.js'

const options = z.object({
  cost: z.number().positive().default(1).describe('price of a record on the wrong side of the margin'),
  gamma: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('width of the kernel exp(-gamma d²); null: 1 by the number of columns'),
  epsilon: z.number().min(0).default(0.1).describe('numbers: errors up to so many standard deviations cost nothing'),
  most: z.int().min(2).default(2000).describe('learn from at most so many records, drawn at random'),
})

type Chosen = z.output<typeof options>

const FOLDS = 3
const MOST_STEPS = 100_000

/**
 * Support-vector machine (Cortes and Vapnik 1995) with a Gaussian kernel over `points.ts`, fitted by `smo.ts`. Numbers: the
 * regression with an insensitive zone (Drucker et al. 1997), standardised. Classes: each against all others, decisions made
 * probabilities by Platt's sigmoid (1999) fitted to threefold cross-validated ones, and scaled to sum to 1; libsvm, behind
 * R's e1071, takes classes two by two instead, so that probabilities differ a little where there are more than two.
 * Case weights multiply the cost. Importance is not known.
 */
export const supportVectors = {
  id: 'svm',
  title: 'Support-vector machine',
  responses: ['classes', 'numbers'],
  options,
  async fit(data: Table, wanted: Response, chosen: Chosen, context: FitContext): Promise<Model> {
    const { features, response, weights } = drawnTrainingRows(data, wanted, chosen.most, context)
    const toPoints = pointsFrom(features)
    const points = toPoints(features)
    const gamma = chosen.gamma ?? 1 / Math.max(1, points.width.numbers + points.width.codes)
    const space = { points, gamma, kernel: kernelOf(points, gamma) }
    const costs = costsOf(points.rows, weights, chosen.cost)
    const importance = features.columns.map(({ name }) => ({ name, value: 0 }))
    const notes = [`gamma ${significant(gamma, 6)}, cost ${chosen.cost}, ${points.rows} records`]
    const everybody = Int32Array.from({ length: points.rows }, (_, row) => row)
    if (response.kind === 'numbers') {
      const centre = mean(response.values) ?? 0
      const spread = standardDeviation(response.values) || 1
      const standard = response.values.map((value) => (value - centre) / spread)
      const decision = regression(space, standard, costs, chosen.epsilon)
      const predict = async (table: Table) => decision(toPoints(table)).map((value) => centre + spread * value)
      return { ...numberModel('svm', predict), importance, notes }
    }
    const { codes, levels } = response
    const present = presentClasses(response)
    if (present.length === 1) {
      const shares = Float64Array.from(levels, (_, code) => (code === present[0] ? 1 : 0))
      return { ...constantClasses(shares), importance, notes }
    }
    // With two classes one decision serves both.
    const machines = Array.from(present.length === 2 ? present.subarray(0, 1) : present, (code) => {
      const sides = Int8Array.from(codes, (own) => (own === code ? 1 : -1))
      return { code, decision: machine(space, everybody, sides, costs), sigmoid: sigmoidOf(space, sides, costs) }
    })
    const predictProbabilities = async (table: Table) => {
      const people = toPoints(table)
      const shares = new Float64Array(people.rows * levels.length)
      for (const { code, decision, sigmoid } of machines) {
        const decisions = decision(people)
        for (let row = 0; row < people.rows; row++) shares[row * levels.length + code] = sigmoid(decisions[row])
      }
      for (let row = 0; row < people.rows; row++) {
        const ofRow = shares.subarray(row * levels.length, (row + 1) * levels.length)
        if (present.length === 2) ofRow[present[1]] = 1 - ofRow[present[0]]
        else toShares(ofRow, present)
      }
      return shares
    }
    return { ...classModel(levels.length, predictProbabilities), importance, notes }
  },
} satisfies Learner<typeof options>

interface Space {
  readonly points: Points
  readonly gamma: number
  readonly kernel: Float64Array
}

type Decision = (people: Points) => Float64Array

function kernelOf(points: Points, gamma: number): Float64Array {
  const n = points.rows
  const kernel = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    kernel[i * n + i] = 1
    for (let j = 0; j < i; j++) {
      const value = math.exp(-gamma * squaredDistance(points, i, points, j))
      kernel[i * n + j] = value
      kernel[j * n + i] = value
    }
  }
  return kernel
}

/** Weights have a mean of 1, so that equal ones are none. */
function costsOf(rows: number, weights: Float64Array | null, cost: number): Float64Array {
  const average = weights === null ? 1 : (mean(weights) ?? 1)
  return Float64Array.from({ length: rows }, (_, row) => (weights === null ? cost : (cost * weights[row]) / average))
}

/** One side against the other, learnt from some rows. */
function machine(space: Space, rows: Int32Array, sides: Int8Array, costs: Float64Array): Decision {
  const y = Int8Array.from(rows, (row) => sides[row])
  const { alpha, rho } = solveSmo(
    {
      y,
      p: new Float64Array(rows.length).fill(-1),
      most: Float64Array.from(rows, (row) => costs[row]),
      row: rows,
      kernel: space.kernel,
      records: space.points.rows,
    },
    MOST_STEPS,
  )
  return decisionOf(
    space,
    rows,
    alpha.map((value, k) => value * y[k]),
    rho,
  )
}

function regression(space: Space, values: Float64Array, costs: Float64Array, epsilon: number): Decision {
  const n = values.length
  const row = Int32Array.from({ length: 2 * n }, (_, k) => k % n)
  const y = Int8Array.from({ length: 2 * n }, (_, k) => (k < n ? 1 : -1))
  const p = Float64Array.from({ length: 2 * n }, (_, k) => (k < n ? epsilon - values[k] : epsilon + values[k - n]))
  const most = Float64Array.from(row, (one) => costs[one])
  const { alpha, rho } = solveSmo({ y, p, most, row, kernel: space.kernel, records: n }, MOST_STEPS)
  const coefficients = Float64Array.from({ length: n }, (_, k) => alpha[k] - alpha[k + n])
  return decisionOf(space, row.subarray(0, n), coefficients, rho)
}

function decisionOf({ points, gamma }: Space, rows: Int32Array, coefficients: Float64Array, rho: number): Decision {
  const vectors = Int32Array.from(rows.keys()).filter((k) => coefficients[k] !== 0)
  return (people) =>
    Float64Array.from({ length: people.rows }, (_, person) => {
      let sum = -rho
      for (const k of vectors)
        sum += coefficients[k] * math.exp(-gamma * squaredDistance(people, person, points, rows[k]))
      return sum
    })
}

/**
 * Platt's sigmoid 1 / (1 + exp(a f + b)), by Newton steps as Lin, Lin and Weng (2007) take them, on decisions about rows that
 * were left out. Folds go by the place of a row among those of its side, so that no name of a class matters.
 */
function sigmoidOf(space: Space, sides: Int8Array, costs: Float64Array): (decision: number) => number {
  const n = sides.length
  const seen = { 1: 0, [-1]: 0 }
  const fold = Int32Array.from(sides, (side) => seen[side > 0 ? 1 : -1]++ % FOLDS)
  const decisions = new Float64Array(n)
  for (let left = 0; left < FOLDS; left++) {
    const rows = Int32Array.from(fold.keys())
    const kept = rows.filter((row) => fold[row] !== left)
    const out = rows.filter((row) => fold[row] === left)
    const hasBoth = kept.some((row) => sides[row] > 0) && kept.some((row) => sides[row] < 0)
    const decision = hasBoth ? machine(space, kept, sides, costs) : null
    const said = decision?.(rowsOfPoints(space.points, out))
    out.forEach((row, k) => {
      decisions[row] = said === undefined ? 0 : said[k]
    })
  }
  const { a, b } = fitSigmoid(decisions, sides)
  return (decision) => 1 / (1 + math.exp(a * decision + b))
}

function rowsOfPoints(points: Points, rows: Int32Array): Points {
  const { numbers, codes } = points.width
  const taken = { rows: rows.length, width: points.width, numbers: new Float64Array(rows.length * numbers) }
  const takenCodes = new Int32Array(rows.length * codes)
  rows.forEach((row, k) => {
    taken.numbers.set(points.numbers.subarray(row * numbers, (row + 1) * numbers), k * numbers)
    takenCodes.set(points.codes.subarray(row * codes, (row + 1) * codes), k * codes)
  })
  return { ...taken, codes: takenCodes }
}

const NEWTON_STEPS = 100
const RIDGE = 1e-12
const SMALLEST_STEP = 1e-10

function fitSigmoid(decisions: Float64Array, sides: Int8Array): { readonly a: number; readonly b: number } {
  const positive = sides.filter((side) => side > 0).length
  const negative = sides.length - positive
  // Targets are drawn in a little, as if each side had one more record of the other.
  const wanted = Float64Array.from(sides, (side) => (side > 0 ? (positive + 1) / (positive + 2) : 1 / (negative + 2)))
  let a = 0
  let b = math.log((negative + 1) / (positive + 1))
  let loss = lossOf(decisions, wanted, a, b)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let [haa, hbb, hab, ga, gb] = [RIDGE, RIDGE, 0, 0, 0]
    for (let k = 0; k < decisions.length; k++) {
      const p = 1 / (1 + math.exp(a * decisions[k] + b))
      const curvature = p * (1 - p)
      haa += decisions[k] * decisions[k] * curvature
      hbb += curvature
      hab += decisions[k] * curvature
      ga += decisions[k] * (wanted[k] - p)
      gb += wanted[k] - p
    }
    if (Math.abs(ga) < 1e-5 && Math.abs(gb) < 1e-5) break
    const determinant = haa * hbb - hab * hab
    const da = -(hbb * ga - hab * gb) / determinant
    const db = -(haa * gb - hab * ga) / determinant
    let length = 1
    while (length >= SMALLEST_STEP) {
      const next = lossOf(decisions, wanted, a + length * da, b + length * db)
      if (next < loss + 1e-4 * length * (ga * da + gb * db)) {
        a += length * da
        b += length * db
        loss = next
        break
      }
      length /= 2
    }
    if (length < SMALLEST_STEP) break
  }
  return { a, b }
}

/** -Σ t log p + (1 - t) log(1 - p), written so that nothing overflows. */
function lossOf(decisions: Float64Array, wanted: Float64Array, a: number, b: number): number {
  let loss = 0
  for (let k = 0; k < decisions.length; k++) {
    const x = a * decisions[k] + b
    loss += x >= 0 ? wanted[k] * x + math.log1p(math.exp(-x)) : (wanted[k] - 1) * x + math.log1p(math.exp(x))
  }
  return loss
}

function toShares(votes: Float64Array, present: Int32Array): void {
  let total = 0
  for (const code of present) total += votes[code]
  for (const code of present) votes[code] = total > 0 ? votes[code] / total : 1 / present.length
}
