import { designTimes, designTransposeTimes, dot, math, weightedGram } from '@scrim/kernels'
import { z } from 'zod'
import { cholesky, solveCholesky } from '../stats/matrices/linear-algebra.js'
import type { Table } from '../table/table.js'
import { throwIfAborted } from '../tasks/task.js'
import { type Coefficient, coefficientNotes, coefficientsOf } from './coding/coefficients.js'
import {
  columnVariances,
  contributions,
  designOf,
  droppedNote,
  onRawScale,
  type StandardBlocks,
  standardBlocks,
} from './coding/design-matrix.js'
import { presentClasses, requireClasses, trainingRows } from './coding/training-rows.js'
import type { FitContext, Learner, Model, Response } from './learner.js'
import { softmax, softmaxModel } from './softmax.js'

const options = z.object({
  ridge: z
    .number()
    .min(0)
    .default(1e-4)
    .describe('penalty on the squares of standardised coefficients, ridge/2 of each in units of log-likelihood'),
})

interface MultinomialModel extends Model {
  /** Log odds of each class against the first one that occurs, for columns as they are. */
  readonly coefficients: readonly { readonly level: string; readonly coefficients: readonly Coefficient[] }[]
  readonly deviance: number
}

/**
 * Multinomial logistic regression: P(k) ∝ exp(a_k + x'b_k), all classes alike, with a ridge on the standardised
 * coefficients that is just large enough to make them unique (so relabelling the classes changes no probability).
 * Columns as in `design-matrix.ts`. Classes that do not occur in training get probability 0.
 */
export const multinomial = {
  id: 'multinomial',
  title: 'Multinomial logistic regression',
  responses: ['classes'],
  options,
  async fit(training: Table, wanted: Response, { ridge }: z.output<typeof options>, context: FitContext) {
    const { features, response, weights } = trainingRows(
      training,
      requireClasses('multinomial', wanted),
      context.weights,
    )
    const present = presentClasses(response)
    const design = designOf(features, { weights })
    const standard = standardBlocks(design, features, weights)
    const classOf = new Int32Array(response.levels.length)
    present.forEach((code, k) => {
      classOf[code] = k
    })
    const fit = fitMultinomial(
      standard,
      response.codes.map((code) => classOf[code]),
      present.length,
      weights ?? new Float64Array(response.codes.length).fill(1),
      ridge,
      context.signal,
    )
    const raw = fit.coefficients.map((one) => onRawScale(one, standard))
    const unknown = new Float64Array(standard.width).fill(Number.NaN)
    const against = raw.slice(1).map((predictor, k) => ({
      level: response.levels[present[k + 1]],
      coefficients: coefficientsOf(
        design,
        predictor.map((value, j) => value - raw[0][j]),
        unknown,
      ),
    }))
    const model: MultinomialModel = {
      ...softmaxModel(design, raw, present, response.levels.length),
      importance: contributions(design, features, raw, weights),
      notes: [
        ...against.flatMap(({ level, coefficients }) =>
          coefficientNotes(coefficients).map((note) => `${level}: ${note}`),
        ),
        ...(fit.converged ? [] : [`not settled after ${MOST_STEPS} steps`]),
        ...droppedNote(design),
      ],
      coefficients: against,
      deviance: fit.deviance,
    }
    return model
  },
} satisfies Learner<typeof options>

interface MultinomialFit {
  /** Per class, for standardised columns, the intercept first. */
  readonly coefficients: readonly Float64Array[]
  readonly deviance: number
  readonly converged: boolean
}

const MOST_STEPS = 100
const MOST_HALVINGS = 40
/** Of the size of the objective: what a last step may promise to gain. */
const SETTLED = 1e-11
const SUFFICIENT_DECREASE = 1e-4
const TIGHTEST_SOLUTION = 1e-9
const LOOSEST_SOLUTION = 0.1
/** Rounds of conjugate gradients for one step with the bound. */
const PATIENCE = 100
/** Keeps blocks regular where all probabilities are 0 or 1. */
const LEAST_CURVATURE = 1e-12

/**
 * Newton's method; the steps come from conjugate gradients, which only need products with the Hessian (never written out:
 * it has classes x columns squared entries), preconditioned by Böhning's (1992) bound ½ X'WX, factored once. Where
 * probabilities come near 0 and 1, as those of many classes do, the bound is far from the Hessian and a step takes thousands
 * of rounds; from the first that takes more than `PATIENCE` on, the Hessian's own blocks, one for each class and factored for
 * each step, take the bound's place.
 *
 * `output/numbers/multinomial-logit.ts` fits the published model: against a reference class, without a penalty, with standard
 * errors, and so by the whole Hessian, which is small there. Neither can stand for the other without moving its numbers.
 */
function fitMultinomial(
  standard: StandardBlocks,
  codes: Int32Array,
  classes: number,
  weights: Float64Array,
  ridge: number,
  signal: FitContext['signal'],
): MultinomialFit {
  const { blocks, width } = standard
  const rows = codes.length
  const size = classes * width
  const penalty = columnVariances(standard, weights).map((variance) => ridge * variance)
  const bound = factorOf(
    standard,
    weights.map((weight) => weight / 2),
    penalty,
  )
  let isBoundGood = true
  const part = (of: Float64Array, k: number) => of.subarray(k * width, (k + 1) * width)
  const product = new Float64Array(rows)

  function probabilitiesAt(coefficients: Float64Array): Float64Array[] {
    const predictors = Array.from({ length: classes }, (_, k) => {
      const predictor = new Float64Array(rows)
      designTimes(blocks, part(coefficients, k), predictor)
      return predictor
    })
    softmax(predictors)
    return predictors
  }

  function lossAt(probabilities: readonly Float64Array[]): number {
    let loss = 0
    for (let i = 0; i < rows; i++) loss -= weights[i] * math.log(Math.max(probabilities[codes[i]][i], Number.MIN_VALUE))
    return loss
  }

  function penaltyAt(coefficients: Float64Array): number {
    let total = 0
    for (let j = 0; j < size; j++) total += penalty[j % width] * coefficients[j] * coefficients[j]
    return total / 2
  }

  function gradientAt(coefficients: Float64Array, probabilities: readonly Float64Array[]): Float64Array {
    const gradient = new Float64Array(size)
    for (let k = 0; k < classes; k++) {
      for (let i = 0; i < rows; i++) product[i] = weights[i] * (probabilities[k][i] - (codes[i] === k ? 1 : 0))
      designTransposeTimes(blocks, product, part(gradient, k))
    }
    for (let j = 0; j < size; j++) gradient[j] += penalty[j % width] * coefficients[j]
    return gradient
  }

  /** H d: for each class X'W (p_k (u_k - Σ p u)) with u = X d. */
  function curve(direction: Float64Array, probabilities: readonly Float64Array[]): Float64Array {
    const moved = Array.from({ length: classes }, (_, k) => {
      const u = new Float64Array(rows)
      designTimes(blocks, part(direction, k), u)
      return u
    })
    const mean = new Float64Array(rows)
    moved.forEach((u, k) => {
      const p = probabilities[k]
      for (let i = 0; i < rows; i++) mean[i] += p[i] * u[i]
    })
    const curved = new Float64Array(size)
    moved.forEach((u, k) => {
      const p = probabilities[k]
      for (let i = 0; i < rows; i++) product[i] = weights[i] * p[i] * (u[i] - mean[i])
      designTransposeTimes(blocks, product, part(curved, k))
    })
    for (let j = 0; j < size; j++) curved[j] += penalty[j % width] * direction[j]
    return curved
  }

  function byBound(vector: Float64Array): Float64Array {
    const solved = vector.slice()
    for (let k = 0; k < classes; k++) solveCholesky(bound, width, part(solved, k))
    return solved
  }

  /** The blocks X'W p_k (1 - p_k) X. They would follow steps that move all classes alike, which change no probability; those are taken out. */
  function byBlocks(probabilities: readonly Float64Array[]): (vector: Float64Array) => Float64Array {
    const factors = probabilities.map((p) =>
      factorOf(
        standard,
        p.map((share, i) => weights[i] * Math.max(share * (1 - share), LEAST_CURVATURE)),
        penalty,
      ),
    )
    return (vector) => {
      const solved = vector.slice()
      factors.forEach((factor, k) => {
        solveCholesky(factor, width, part(solved, k))
      })
      for (let j = 0; j < width; j++) {
        let sum = 0
        for (let at = j; at < size; at += width) sum += solved[at]
        for (let at = j; at < size; at += width) solved[at] -= sum / classes
      }
      return solved
    }
  }

  function newtonStep(gradient: Float64Array, probabilities: readonly Float64Array[], precision: number): Float64Array {
    if (isBoundGood) {
      const { step, isSolved } = solve(gradient, probabilities, precision, byBound, Math.min(PATIENCE, 2 * size))
      if (isSolved || 2 * size <= PATIENCE) return step
      isBoundGood = false
    }
    return solve(gradient, probabilities, precision, byBlocks(probabilities), 2 * size).step
  }

  /** H step = -gradient by conjugate gradients. */
  function solve(
    gradient: Float64Array,
    probabilities: readonly Float64Array[],
    precision: number,
    precondition: (vector: Float64Array) => Float64Array,
    rounds: number,
  ): { readonly step: Float64Array; readonly isSolved: boolean } {
    const step = new Float64Array(size)
    const residual = gradient.map((value) => -value)
    let solved = precondition(residual)
    let direction = solved.slice()
    let length = dot(residual, solved)
    const goal = length * precision * precision
    for (let round = 0; length > goal; round++) {
      if (round === rounds) return { step, isSolved: false }
      const curved = curve(direction, probabilities)
      const bend = dot(direction, curved)
      if (!(bend > 0)) break
      const share = length / bend
      for (let j = 0; j < size; j++) {
        step[j] += share * direction[j]
        residual[j] -= share * curved[j]
      }
      solved = precondition(residual)
      const next = dot(residual, solved)
      direction = direction.map((value, j) => solved[j] + (next / length) * value)
      length = next
    }
    return { step, isSolved: true }
  }

  let coefficients = startingPoint(codes, classes, weights, width)
  let probabilities = probabilitiesAt(coefficients)
  let objective = lossAt(probabilities) + penaltyAt(coefficients)
  let precision = LOOSEST_SOLUTION
  let converged = classes === 1
  for (let taken = 0; !converged && taken < MOST_STEPS; taken++) {
    throwIfAborted(signal)
    const gradient = gradientAt(coefficients, probabilities)
    const step = newtonStep(gradient, probabilities, precision)
    const slope = dot(gradient, step)
    const promised = -slope / (1 + objective)
    if (!(promised > 0)) {
      converged = true
      break
    }
    let share = 1
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++, share /= 2) {
      const proposed = coefficients.map((value, j) => value + share * step[j])
      const there = probabilitiesAt(proposed)
      const value = lossAt(there) + penaltyAt(proposed)
      if (value <= objective + SUFFICIENT_DECREASE * share * slope + Number.EPSILON * objective) {
        coefficients = proposed
        probabilities = there
        objective = value
        break
      }
    }
    converged = promised < SETTLED && precision <= Math.sqrt(SETTLED)
    precision = Math.max(TIGHTEST_SOLUTION, Math.min(LOOSEST_SOLUTION, promised))
  }
  return {
    coefficients: Array.from({ length: classes }, (_, k) => part(coefficients, k)),
    deviance: 2 * lossAt(probabilities),
    converged,
  }
}

/** The shares of the classes: slopes 0, intercepts their logarithms. */
function startingPoint(codes: Int32Array, classes: number, weights: Float64Array, width: number): Float64Array {
  const totals = new Float64Array(classes)
  codes.forEach((code, i) => {
    totals[code] += weights[i]
  })
  const coefficients = new Float64Array(classes * width)
  totals.forEach((total, k) => {
    coefficients[k * width] = math.log(total / totals[0])
  })
  return coefficients
}

/** L with LL' = X'VX + penalties; collinear columns get a little more, which costs accuracy of steps but not of results. */
function factorOf({ blocks, width }: StandardBlocks, v: Float64Array, penalty: Float64Array): Float64Array {
  const gram = new Float64Array(width * width)
  weightedGram(blocks, v, width, gram)
  for (let extra = 1e-10; ; extra *= 100) {
    const raised = gram.slice()
    for (let j = 0; j < width; j++) raised[j * width + j] += penalty[j] + extra * (gram[j * width + j] + gram[0])
    const lower = cholesky(raised, width)
    if (lower !== null) return lower
  }
}
