import { descendCoordinates, designTimes, designTransposeTimes, math, weightedGram } from '@scrim/kernels'
import { median } from '../../stats/quantile.js'
import { sum } from '../../stats/sums.js'
import type { Task } from '../../tasks/task.js'
import { columnVariances, type StandardBlocks } from '../coding/design-matrix.js'
import type { FitContext } from '../learner.js'

/** Classes are numbered from 0 without gaps. */
export type PathResponse =
  | { readonly kind: 'numbers'; readonly values: Float64Array }
  | { readonly kind: 'classes'; readonly codes: Int32Array; readonly classes: number }

export interface PathProblem {
  readonly standard: StandardBlocks
  readonly y: PathResponse
  /** Rows of weight 0 do not count, but get predictions. */
  readonly weights: Float64Array
}

export interface PathOptions {
  /** 1 lasso, 0 ridge. */
  readonly mix: number
  /** Number of penalties from the largest useful one downwards. */
  readonly count: number
  /** Only the first of them; all unless given. */
  readonly most?: number | undefined
  /** Ends at this penalty; null for the usual end. */
  readonly end: number | null
}

export interface Path {
  readonly lambdas: readonly number[]
  /** Per penalty and predictor, for standardised columns, the intercept first. */
  readonly coefficients: readonly (readonly Float64Array[])[]
}

const SMALLEST_SHARE = 1e-4
const SMALLEST_SHARE_WIDE = 1e-2
/** Without a lasso part no penalty keeps slopes at 0; the path then starts as with this much of one. */
const LEAST_MIX = 1e-3
const SHORTEST_PATH = 5
/** The path ends when the share of deviance explained is this, or grows by less than this share of itself. */
const NEARLY_ALL = 0.999
const HARDLY_ANY = 1e-5
/** Of the deviance without columns: what a round must move to count, in the model and in folds left out. */
const SETTLED = 1e-14
const SETTLED_FOLD = 1e-7
/** The same within coordinate descent, as a share of these. */
const SETTLED_WITHIN = 1e-4
/** Far from the minimum an approximation need not be followed to its end: to this share of what the last step moved. */
const FOLLOWED = 1e-3
const FOLLOWED_FIRST = 1e-5
const ROUNDING = 1e-12
/** Curvatures that are kept together have at most this many entries. */
const MOST_KEPT = 4e6
/** A curvature serves again when the last step with it was this much shorter (squared) than the one before. */
const STEADY = 0.1
const MOST_ROUNDS = 200
const MOST_HALVINGS = 20
const MOST_DESCENTS = 10_000

/** All penalties of a path, each fit starting from the one before. */
export function fitPath(problem: PathProblem, { mix, count, most = count, end }: PathOptions): Path {
  const fit = pathFit(problem, mix, SETTLED)
  const first = fit.largestLambda()
  const rows = problem.weights.length
  const share = rows < problem.standard.width - 1 ? SMALLEST_SHARE_WIDE : SMALLEST_SHARE
  const planned = Array.from({ length: count }, (_, k) => first * math.pow(share, k / (count - 1)))
  const wanted = end === null ? planned.slice(0, most) : [...planned.filter((lambda) => lambda > end), end]
  const lambdas: number[] = []
  const coefficients: Float64Array[][] = []
  let explained = 0
  for (const lambda of first === 0 ? wanted.slice(-1) : wanted) {
    fit.descend(lambda)
    lambdas.push(lambda)
    coefficients.push(withCentredIntercepts(fit.coefficients))
    const before = explained
    explained = fit.explained()
    const isFlat = explained - before < HARDLY_ANY * explained
    if (end === null && lambdas.length >= SHORTEST_PATH && (isFlat || explained > NEARLY_ALL)) break
  }
  return { lambdas, coefficients }
}

/** A copy in which the intercepts of several classes have mean 0, which changes no probability. */
function withCentredIntercepts(coefficients: readonly Float64Array[]): Float64Array[] {
  const intercepts = coefficients.map(([intercept]) => intercept)
  const shift = intercepts.length === 1 ? 0 : sum(intercepts) / intercepts.length
  return coefficients.map((one) => one.map((value, j) => (j === 0 ? value - shift : value)))
}

interface FoldShared {
  readonly problem: PathProblem
  readonly lambdas: readonly number[]
  readonly mix: number
  readonly folds: Int32Array
}

/** Fits the path on the rows outside a fold; returns the mean deviance of the rows in it for every penalty. */
export const lassoFold: Task<FoldShared, number, Float64Array> = {
  name: 'learners/lasso-fold',
  run({ problem, lambdas, mix, folds }, fold) {
    const inside = problem.weights.map((weight, row) => (folds[row] === fold ? weight : 0))
    const outside = problem.weights.map((weight, row) => (folds[row] === fold ? 0 : weight))
    const fit = pathFit({ ...problem, weights: outside }, mix, SETTLED_FOLD)
    const total = sum(inside)
    return Float64Array.from(lambdas, (lambda) => {
      fit.descend(lambda)
      return fit.deviance(inside) / total
    })
  },
}

export type CrossValidated = {
  readonly lambda: number
  readonly deviance: number
  readonly standardError: number | null
}

/** The mean over cases of the deviance in folds left out, with its standard error over folds; nothing with one fold only. */
export async function crossValidate(
  problem: PathProblem,
  lambdas: readonly number[],
  mix: number,
  folds: Int32Array,
  { tasks, progress, signal }: FitContext,
): Promise<CrossValidated[]> {
  const count = folds.reduce((most, fold) => Math.max(most, fold), 0) + 1
  if (count < 2) return []
  const numbers = Array.from({ length: count }, (_, fold) => fold)
  const deviances = await tasks.map(lassoFold, { problem, lambdas, mix, folds }, numbers, { progress, signal })
  const sizes = new Float64Array(count)
  folds.forEach((fold, row) => {
    sizes[fold] += problem.weights[row]
  })
  const total = sum(sizes)
  return lambdas.map((lambda, k) => {
    const deviance = sum(sizes.map((size, fold) => size * deviances[fold][k])) / total
    const spread = sum(sizes.map((size, fold) => size * (deviances[fold][k] - deviance) ** 2)) / total
    return { lambda, deviance, standardError: Math.sqrt(spread / (count - 1)) }
  })
}

/** Probabilities nearer to 0 count as this in cross-validation, so that one surprise does not decide it. */
const LEAST_PROBABILITY = 1e-5

interface PathFit {
  readonly coefficients: readonly Float64Array[]
  largestLambda(): number
  /** Moves the coefficients to the minimum for a penalty. */
  descend(lambda: number): void
  /** Share of the deviance without columns that is explained. */
  explained(): number
  /** -2 log-likelihood, or the sum of squared errors, with other weights. */
  deviance(weights: Float64Array): number
}

/**
 * The state of a path: one linear predictor for numbers and for two classes, one per class for more. A step replaces the
 * loss of one predictor by its quadratic approximation, eliminates the intercept, which bears no penalty, and runs
 * coordinate descent on the slopes; it is halved while it does not lower the objective.
 */
function pathFit({ standard, y, weights }: PathProblem, mix: number, settled: number): PathFit {
  const { blocks, width } = standard
  const rows = weights.length
  const total = sum(weights)
  const variances = columnVariances(standard, weights)
  const spreads = variances.map(Math.sqrt)
  const slopes = width - 1
  const loss = lossOf(y, weights)
  const coefficients = Array.from(loss.start, (intercept) => {
    const start = new Float64Array(width)
    start[0] = intercept
    return start
  })
  const { predictors } = loss
  const residual = new Float64Array(rows)
  const curvature = new Float64Array(rows)
  const curves: (Curve | undefined)[] = []
  /** What the last step of each predictor moved. */
  const strides = new Float64Array(loss.start.length)
  const gradient = new Float64Array(width)
  const descent = new Float64Array(slopes)
  const lassoPart = new Float64Array(slopes)
  const ridgePart = new Float64Array(slopes)
  let meanLoss = loss.value(weights) / total
  const nullLoss = meanLoss

  function penalty(lambda: number): number {
    let value = 0
    for (const ofClass of coefficients)
      for (let j = 1; j < width; j++) {
        const size = Math.abs(ofClass[j]) * spreads[j]
        value += lambda * (mix * size + ((1 - mix) / 2) * size * size)
      }
    return value
  }

  function setPenalty(lambda: number): void {
    for (let j = 0; j < slopes; j++) {
      lassoPart[j] = variances[j + 1] === 0 ? Number.POSITIVE_INFINITY : lambda * mix * spreads[j + 1]
      ridgePart[j] = lambda * (1 - mix) * variances[j + 1]
    }
  }

  /** Gradient and Hessian of the mean loss by the slopes of predictor k, the intercept at its best; the Hessian as it was if that will do. */
  function approximate(k: number): Curve {
    loss.derivatives(k, residual, curvature)
    designTransposeTimes(blocks, residual, gradient)
    let curve = curves[k]
    if (curve === undefined || !curve.isGood) {
      curve = curveOf(standard, curvature, total, curve)
      if (loss.movable.length * slopes * slopes <= MOST_KEPT) curves[k] = curve
    }
    for (let j = 0; j < slopes; j++) descent[j] = (gradient[j + 1] - curve.intercepts[j] * gradient[0]) / total
    return curve
  }

  /** One step for predictor k; returns how much it moved, or may have stopped short, in units of the mean loss. */
  function step(k: number, lambda: number): number {
    const curve = approximate(k)
    const { hessian, intercepts, weight } = curve
    const old = coefficients[k].slice()
    const before = meanLoss + penalty(lambda)
    const goal = old.slice()
    const b = goal.subarray(1)
    const within = loss.isQuadratic
      ? SETTLED_WITHIN * settled * nullLoss
      : Math.max(SETTLED_WITHIN * settled * nullLoss, Math.min(FOLLOWED * strides[k], FOLLOWED_FIRST * nullLoss))
    descendCoordinates({ hessian, descent, lasso: lassoPart, ridge: ridgePart }, b, within, MOST_DESCENTS)
    let rise = gradient[0] / weight
    let moved = 0
    for (let j = 0; j < slopes; j++) {
      const change = b[j] - old[j + 1]
      rise -= intercepts[j] * change
      moved = Math.max(moved, hessian[j * slopes + j] * change * change)
    }
    goal[0] += rise
    moved = Math.max(moved, (weight / total) * rise * rise)
    strides[k] = moved
    if (moved === 0) return within
    const wasFresh = curve.isFresh
    curve.isFresh = false
    curve.isGood = loss.isQuadratic || moved < curve.moved * STEADY
    curve.moved = moved
    for (let halvings = 0, share = 1; halvings < MOST_HALVINGS; halvings++, share /= 2) {
      move(
        k,
        old.map((value, j) => (share === 1 ? goal[j] : value + share * (goal[j] - value))),
      )
      if (loss.isQuadratic || meanLoss + penalty(lambda) <= before + ROUNDING * nullLoss) return Math.max(moved, within)
      curve.isGood = false
    }
    move(k, old)
    return wasFresh ? 0 : moved
  }

  function move(k: number, to: Float64Array): void {
    coefficients[k].set(to)
    designTimes(blocks, to, predictors[k])
    loss.moved(k)
    meanLoss = loss.value(weights) / total
  }

  /** Slopes of all classes may be shifted together without changing a probability; their lasso penalty is least at median 0. */
  function centre(): void {
    const shifts = Float64Array.from({ length: width }, (_, j) =>
      j === 0 ? 0 : (median(loss.movable.map((k) => coefficients[k][j])) ?? 0),
    )
    if (shifts.every((shift) => shift === 0)) return
    for (const k of loss.movable) {
      for (let j = 0; j < width; j++) coefficients[k][j] -= shifts[j]
      designTimes(blocks, coefficients[k], predictors[k])
      loss.moved(k)
    }
  }

  function descend(lambda: number): void {
    setPenalty(lambda)
    strides.fill(Number.POSITIVE_INFINITY)
    for (const curve of curves) if (curve !== undefined) curve.moved = Number.POSITIVE_INFINITY
    for (let round = 0; round < MOST_ROUNDS; round++) {
      let moved = 0
      for (const k of loss.movable) moved = Math.max(moved, step(k, lambda))
      if (loss.movable.length > 1 && mix === 1) centre()
      if (moved < settled * nullLoss || loss.isQuadratic) return
    }
  }

  function largestLambda(): number {
    let largest = 0
    for (const k of loss.movable) {
      approximate(k)
      for (let j = 0; j < slopes; j++)
        if (variances[j + 1] > 0) largest = Math.max(largest, Math.abs(descent[j]) / spreads[j + 1])
    }
    return largest / Math.max(mix, LEAST_MIX)
  }

  return {
    coefficients,
    largestLambda,
    descend,
    explained: () => (nullLoss > 0 ? 1 - meanLoss / nullLoss : 0),
    deviance: (others) => 2 * loss.value(others, LEAST_PROBABILITY),
  }
}

/** The curvature of the mean loss by the slopes of one predictor, its intercept always at its best. */
interface Curve {
  readonly hessian: Float64Array
  /** How the intercept answers to each slope, with sign changed. */
  readonly intercepts: Float64Array
  /** Σ of the second derivatives of all rows. */
  readonly weight: number
  /** Size of the last step with it, and whether it shrank enough to use the same curvature again. */
  moved: number
  isGood: boolean
  /** Not used for a step yet. */
  isFresh: boolean
}

function curveOf({ blocks, width }: StandardBlocks, curvature: Float64Array, total: number, before?: Curve): Curve {
  const slopes = width - 1
  const gram = new Float64Array(width * width)
  weightedGram(blocks, curvature, width, gram)
  const hessian = before?.hessian ?? new Float64Array(slopes * slopes)
  const intercepts = Float64Array.from({ length: slopes }, (_, j) => gram[j + 1] / gram[0])
  for (let i = 0; i < slopes; i++)
    for (let j = 0; j < slopes; j++)
      hessian[i * slopes + j] = (gram[(i + 1) * width + j + 1] - intercepts[i] * gram[j + 1]) / total
  return { hessian, intercepts, weight: gram[0], moved: Number.POSITIVE_INFINITY, isGood: true, isFresh: true }
}

/** The loss of linear predictors that change one at a time; what is costly to compute is kept between changes. */
interface Loss {
  readonly predictors: readonly Float64Array[]
  /** Intercepts of the fit without columns, where the predictors start. */
  readonly start: readonly number[]
  /** Predictors that can be estimated: not those of classes without rows. */
  readonly movable: readonly number[]
  readonly isQuadratic: boolean
  /** To be called when the values of predictor k were changed. */
  moved(k: number): void
  /** Half the squared error, or -log-likelihood. */
  value(weights: Float64Array, leastProbability?: number): number
  /** Minus the first and the second derivative by predictor k, row by row. */
  derivatives(k: number, residual: Float64Array, curvature: Float64Array): void
}

function lossOf(y: PathResponse, weights: Float64Array): Loss {
  if (y.kind === 'numbers') return squaredLoss(y.values, weights)
  return y.classes === 2 ? logisticLoss(y.codes, weights) : softmaxLoss(y.codes, y.classes, weights)
}

function squaredLoss(values: Float64Array, weights: Float64Array): Loss {
  const mean = sum(values.map((value, row) => value * weights[row])) / sum(weights)
  const predictor = new Float64Array(values.length).fill(mean)
  return {
    predictors: [predictor],
    start: [mean],
    movable: [0],
    isQuadratic: true,
    moved() {},
    value(rowWeights) {
      let loss = 0
      for (let i = 0; i < values.length; i++) loss += rowWeights[i] * (values[i] - predictor[i]) ** 2
      return loss / 2
    },
    derivatives(_, residual, curvature) {
      for (let i = 0; i < values.length; i++) residual[i] = weights[i] * (values[i] - predictor[i])
      curvature.set(weights)
    },
  }
}

/** A row's share in the Hessian is at least this, so that rows fitted perfectly do not make it singular. */
const LEAST_CURVATURE = 1e-9

function logisticLoss(codes: Int32Array, weights: Float64Array): Loss {
  const share = sum(weights.map((weight, row) => weight * codes[row])) / sum(weights)
  const start = math.log(share / (1 - share))
  const predictor = new Float64Array(codes.length).fill(start)
  return {
    predictors: [predictor],
    start: [start],
    movable: share > 0 && share < 1 ? [0] : [],
    isQuadratic: false,
    moved() {},
    value(rowWeights, leastProbability = 0) {
      let loss = 0
      const most = -math.log(leastProbability)
      for (let i = 0; i < codes.length; i++) {
        if (rowWeights[i] === 0) continue
        const against = codes[i] === 1 ? -predictor[i] : predictor[i]
        const rowLoss = against > 0 ? against + math.log1p(math.exp(-against)) : math.log1p(math.exp(against))
        loss += rowWeights[i] * Math.min(rowLoss, most)
      }
      return loss
    },
    derivatives(_, residual, curvature) {
      for (let i = 0; i < codes.length; i++) {
        const p = 1 / (1 + math.exp(-predictor[i]))
        residual[i] = weights[i] * (codes[i] - p)
        curvature[i] = weights[i] * Math.max(p * (1 - p), LEAST_CURVATURE)
      }
    },
  }
}

/** exp of it is far from the ends of doubles, for sums and products as well. */
const LARGEST_PREDICTOR = 300

function softmaxLoss(codes: Int32Array, classes: number, weights: Float64Array): Loss {
  const rows = codes.length
  const shares = new Float64Array(classes)
  codes.forEach((code, row) => {
    shares[code] += weights[row]
  })
  const all = sum(shares)
  const present = Array.from(shares.keys()).filter((k) => shares[k] > 0)
  const start = Array.from(shares, (share) => math.log(share / all))
  const predictors = start.map((intercept) => new Float64Array(rows).fill(intercept))
  const odds = predictors.map((predictor) => predictor.map(math.exp))
  const totals = new Float64Array(rows)
  const addUp = () => {
    totals.fill(0)
    for (const ofClass of odds) for (let i = 0; i < rows; i++) totals[i] += ofClass[i]
  }
  addUp()
  return {
    predictors,
    start,
    movable: present.length > 1 ? present : [],
    isQuadratic: false,
    moved(k) {
      const from = predictors[k]
      const to = odds[k]
      for (let i = 0; i < rows; i++) {
        to[i] = math.exp(Math.max(-LARGEST_PREDICTOR, Math.min(LARGEST_PREDICTOR, from[i])))
      }
      addUp()
    },
    value(rowWeights, leastProbability = Number.MIN_VALUE) {
      let loss = 0
      for (let i = 0; i < rows; i++) {
        if (rowWeights[i] !== 0)
          loss -= rowWeights[i] * math.log(Math.max(odds[codes[i]][i] / totals[i], leastProbability))
      }
      return loss
    },
    derivatives(k, residual, curvature) {
      const ofClass = odds[k]
      for (let i = 0; i < rows; i++) {
        const p = ofClass[i] / totals[i]
        residual[i] = weights[i] * ((codes[i] === k ? 1 : 0) - p)
        curvature[i] = weights[i] * Math.max(p * (1 - p), LEAST_CURVATURE)
      }
    },
  }
}
