import { math } from '@scrim/kernels'
import type { Codes } from './coded-records.js'
import { firstCodes, type Stride } from './joint-code.js'
import { factorise, fullInverse, inverseDiagonal, solve } from './packed-cholesky.js'
import { recordReader } from './record-reader.js'
import {
  type Aims,
  type Climber,
  type Condition,
  errorAt,
  errorOf,
  excessOf,
  type Goal,
  type Included,
  markUses,
  type Statistic,
  worstElement,
} from './statistic.js'

/**
 * A published regression without fitting. For a canonical link, coefficients b* are the fit of a data set if and only if the score
 * U(b*) = Σ x (y - μ*) is 0; elsewhere the fit is b* + d with d = H⁻¹ U, H = Σ w* x x', which is exact for a linear model and right
 * to second order for the others. So a data set is known by U, H and the log-likelihood at b*, all of them sums over records:
 *   standard errors  √diag H⁻¹, times s in a linear model
 *   log-likelihood   Σ ℓ* + U'd / 2;  residual sum of squares  Σ (y - μ*)² - U'd
 * A coefficient whose column is 0 in all records (or a combination of others) is 0, as if it were not in the model.
 * McCullagh and Nelder (1989), 2.5. Blind to how far the step is from the fit where d is large.
 */
export interface ScoreAim {
  readonly kind: 'regression'
  readonly family: 'linear' | 'logistic' | 'poisson' | 'multinomial'
  readonly variables: number
  readonly included: Included
  readonly response: number
  /** By code: the number, 1 or 0 for an event, the class (0 for the baseline). */
  readonly responses: Float64Array
  readonly weight: { readonly variable: number; readonly values: Float64Array } | null
  readonly columns: readonly ColumnBlock[]
  /** Whether R² is around the mean: the model has an intercept. */
  readonly centred: boolean
  /** Columns per class. */
  readonly width: number
  /** Classes but the baseline; 1 for all families but the multinomial. */
  readonly classes: number
  /** b*, class after class. */
  readonly published: Float64Array
  readonly elements: readonly ScoreElement[]
  readonly aims: Aims
  /** Coefficients count together, by d'Hd over their number, and not each for itself: a search then knows no narrow valleys. */
  readonly joint: boolean
}

interface ScoreElement {
  readonly what: 'estimate' | 'se' | 'logLik' | 'deviance' | 'sigma' | 'r2'
  /** The coefficient; 0 for what is of the model. */
  readonly at: number
}

/** Columns that are products of the same variables: the levels of the categories say which one, the numbers what is in it. */
export interface ColumnBlock {
  readonly categories: readonly Stride[]
  readonly numbers: readonly { readonly variable: number; readonly values: Float64Array }[]
  /** Column by the joint code of the categories, -1 for none. */
  readonly slots: Int32Array
}

const HEAD = 4
const N = 0
const FIT = 1
/** Sums of `level` and of its square. */
const SUM_Y = 2
const SUM_YY = 3

export function scoreStatistic(aim: ScoreAim): Statistic {
  const { width, classes, published, included, family } = aim
  const size = width * classes
  const record = recordReader(aim)
  const hessianAt = HEAD + size
  const uses = new Uint8Array(aim.variables)
  uses[aim.response] = 1
  if (aim.weight !== null) uses[aim.weight.variable] = 1
  for (const { categories, numbers } of aim.columns)
    for (const { variable } of [...categories, ...numbers]) uses[variable] = 1
  markUses(uses, included)

  /** Hot: columns that are not 0 by columns that are not 0. */
  function add(codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void {
    if (!record.read(codes, at)) return
    const { slots, values, filled, residuals, curvatures } = record
    const weight = sign * record.weight
    sums[from + N] += weight
    sums[from + FIT] += weight * record.fit
    sums[from + SUM_Y] += weight * record.level
    sums[from + SUM_YY] += weight * record.level * record.level
    const score = from + HEAD
    const hessian = from + hessianAt
    const count = filled()
    for (let c = 0; c < classes; c++) {
      const residual = weight * residuals[c]
      for (let a = 0; a < count; a++) {
        const i = c * width + slots[a]
        sums[score + i] += residual * values[a]
        for (let d = 0; d <= c; d++) {
          const w = weight * curvatures[c * classes + d] * values[a]
          const most = d === c ? a + 1 : count
          for (let b = 0; b < most; b++) {
            const j = d * width + slots[b]
            const place = i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i
            sums[hessian + place] += w * values[b]
          }
        }
      }
    }
  }

  const factor = new Float64Array((size * (size + 1)) / 2)
  const step = new Float64Array(size)
  const aliased = new Uint8Array(size)
  const needsInverse = aim.elements.some(({ what }) => what === 'se')

  function evaluate(sums: Float64Array, from: number, values: Float64Array): number {
    factorise(sums, from + hessianAt, size, factor, aliased)
    for (let j = 0; j < size; j++) step[j] = sums[from + HEAD + j]
    solve(factor, size, aliased, step)
    const gain = product(sums, from + HEAD, step)
    const variances = needsInverse ? inverseDiagonal(factor, size, aliased) : step
    fill(sums[from + N], sums[from + FIT], sums[from + SUM_Y], sums[from + SUM_YY], gain, step, variances, values)
    return error(values, gain, sums[from + N], sums[from + FIT])
  }

  /** Σ weight r², the coefficients together where that is wanted; one that has no column left counts for itself. */
  function error(values: Float64Array, gain: number, n: number, fit: number): number {
    if (!aim.joint) return errorOf(values, aim.aims)
    const dispersion = family === 'linear' ? Math.max(Number.MIN_VALUE, fit - gain) / Math.max(1, n - size) : 1
    let total = aim.aims.weights[0] * (gain / dispersion)
    for (let e = 0; e < values.length; e++) {
      if (aim.elements[e].what === 'estimate' && aliased[aim.elements[e].at] === 0) continue
      total += errorAt(values[e], e, aim.aims)
    }
    return total
  }

  /** The values of the elements from the step, what it gains, and diag H⁻¹. */
  function fill(
    n: number,
    fit: number,
    sumY: number,
    sumYY: number,
    gain: number,
    d: Float64Array,
    variances: Float64Array,
    values: Float64Array,
  ): void {
    const rss = family === 'linear' ? Math.max(0, fit - gain) : 0
    const dispersion = family === 'linear' ? rss / Math.max(1, n - size) : 1
    aim.elements.forEach(({ what, at }, e) => {
      if (what === 'estimate') values[e] = aliased[at] === 1 ? 0 : published[at] + d[at]
      else if (what === 'se') values[e] = Math.sqrt(Math.max(0, dispersion * variances[at]))
      else if (what === 'sigma') values[e] = Math.sqrt(dispersion)
      else if (what === 'r2')
        values[e] = 1 - rss / Math.max(Number.MIN_VALUE, sumYY - (aim.centred ? (sumY * sumY) / n : 0))
      else if (what === 'logLik') values[e] = family === 'linear' ? gaussianLogLik(n, rss) : fit + gain / 2
      else values[e] = family === 'linear' ? rss : 2 * (sumY - fit - gain / 2)
    })
  }

  function climber(sums: Float64Array, from: number, goal: Goal): Climber {
    let values = new Float64Array(aim.elements.length)
    let proposed = new Float64Array(aim.elements.length)
    const inverse = new Float64Array(size * size)
    let d = new Float64Array(size)
    let nextStep = new Float64Array(size)
    let diagonal = new Float64Array(size)
    let nextDiagonal = new Float64Array(size)
    const onlyEstimates = aim.elements.every(({ what }, e) => what === 'estimate' && aim.elements[e].at === e)
    const change = new Float64Array(size)
    const touched = new Int32Array(size)
    const isTouched = new Uint8Array(size)
    const head = new Float64Array(HEAD)
    let last = 0
    let old: Codes = new Uint8Array()
    let fresh: Codes = old
    let current = 0
    let next = 0

    function refresh(): void {
      const near = evaluate(sums, from, values)
      current = goal === 'near' ? near : excessOf(values, aim.aims)
      d.set(step)
      fullInverse(factor, size, aliased, inverse)
      for (let j = 0; j < size; j++) diagonal[j] = inverse[j * size + j]
    }

    /** Changes of the score, its touched places, and, where wanted, of diag H⁻¹ by one record. */
    let count = 0
    function take(codes: Codes, at: number, sign: number): void {
      if (!record.read(codes, at)) return
      const weight = sign * record.weight
      const nonZero = record.filled()
      head[N] += weight
      head[FIT] += weight * record.fit
      head[SUM_Y] += weight * record.level
      head[SUM_YY] += weight * record.level * record.level
      for (let c = 0; c < classes; c++) {
        for (let a = 0; a < nonZero; a++) {
          const i = c * width + record.slots[a]
          if (isTouched[i] === 0) {
            isTouched[i] = 1
            touched[count++] = i
            change[i] = 0
          }
          change[i] += weight * record.residuals[c] * record.values[a]
        }
      }
      if (needsInverse) {
        // d diag(H⁻¹) = -w (H⁻¹ x)², to first order.
        for (let j = 0; j < size; j++) {
          let image = 0
          for (let a = 0; a < nonZero; a++) image += inverse[j * size + record.slots[a]] * record.values[a]
          nextDiagonal[j] -= weight * record.curvatures[0] * image * image
        }
      }
    }

    function propose(before: Codes, after: Codes, records: number): number {
      count = 0
      head.fill(0)
      if (needsInverse) nextDiagonal.set(diagonal)
      for (let k = 0; k < records; k++) {
        take(before, k * aim.variables, -1)
        take(after, k * aim.variables, 1)
      }
      nextStep.set(d)
      for (let k = 0; k < count; k++) {
        const i = touched[k]
        isTouched[i] = 0
        const amount = change[i]
        if (amount === 0) continue
        const row = i * size
        for (let j = 0; j < size; j++) nextStep[j] += amount * inverse[row + j]
      }
      let gain = 0
      if (!onlyEstimates || aim.joint) {
        gain = product(sums, from + HEAD, nextStep)
        for (let k = 0; k < count; k++) gain += change[touched[k]] * nextStep[touched[k]]
      }
      const n = sums[from + N] + head[N]
      const fit = sums[from + FIT] + head[FIT]
      if (onlyEstimates) {
        for (let j = 0; j < size; j++) proposed[j] = aliased[j] === 1 ? 0 : published[j] + nextStep[j]
      } else {
        const level = sums[from + SUM_Y] + head[SUM_Y]
        const squares = sums[from + SUM_YY] + head[SUM_YY]
        fill(n, fit, level, squares, gain, nextStep, needsInverse ? nextDiagonal : nextStep, proposed)
      }
      next = goal === 'near' ? error(proposed, gain, n, fit) : excessOf(proposed, aim.aims)
      last = records
      old = before
      fresh = after
      return next
    }

    function accept(): void {
      for (let k = 0; k < last; k++) {
        add(old, k * aim.variables, -1, sums, from)
        add(fresh, k * aim.variables, 1, sums, from)
      }
      ;[values, proposed] = [proposed, values]
      ;[d, nextStep] = [nextStep, d]
      ;[diagonal, nextDiagonal] = [nextDiagonal, diagonal]
      current = next
    }

    refresh()
    return {
      get values() {
        return values
      },
      error: () => current,
      propose,
      accept,
      refresh,
      worst: () => conditionOf(aim, aim.elements[worstElement(values, aim.aims)]),
    }
  }

  return {
    uses,
    size: hessianAt + (size * (size + 1)) / 2,
    aims: aim.aims,
    response: aim.response,
    add,
    evaluate,
    climber,
  }
}

/** Records in which the column of a coefficient is not 0, by one of its categories; null for a number or the intercept. */
function conditionOf(aim: ScoreAim, { what, at }: ScoreElement): Condition | null {
  if (what !== 'estimate' && what !== 'se') return null
  const column = at % aim.width
  const block = aim.columns.find(({ slots }) => slots.includes(column))
  if (block === undefined || block.categories.length === 0) return null
  const codes = firstCodes(block.categories, block.slots.length, (place) => block.slots[place] === column)
  return { variable: block.categories[0].variable, codes }
}

function gaussianLogLik(n: number, rss: number): number {
  return (-n / 2) * (math.log((2 * Math.PI * Math.max(rss, Number.MIN_VALUE)) / n) + 1)
}

function product(sums: Float64Array, from: number, step: Float64Array): number {
  let total = 0
  for (let j = 0; j < step.length; j++) total += sums[from + j] * step[j]
  return total
}
