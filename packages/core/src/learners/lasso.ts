import { z } from 'zod'
import { significant } from '../print.js'
import { stratifiedFolds } from '../random/sampling.js'
import { sum } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { type Coefficient, coefficientNotes, coefficientsOf } from './coding/coefficients.js'
import {
  contributions,
  type Design,
  designOf,
  droppedNote,
  linearPredictor,
  onRawScale,
  type StandardBlocks,
  standardBlocks,
} from './coding/design-matrix.js'
import { presentClasses, trainingRows } from './coding/training-rows.js'
import {
  type CrossValidated,
  crossValidate,
  fitPath,
  type Path,
  type PathProblem,
  type PathResponse,
} from './fitting/lasso-path.js'
import { type FitContext, type Learner, type Model, numberModel, type Response } from './learner.js'
import { softmaxModel } from './softmax.js'

const options = z.object({
  lambdaRule: z
    .union([z.enum(['min', '1se']), z.number().min(0)])
    .default('min')
    .describe(
      'penalty: "min", the one with the least cross-validated deviance; "1se", the largest within one standard error of it; or a number',
    ),
  mix: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('1 for the lasso, 0 for ridge regression, between them the elastic net'),
  lambdas: z.int().min(2).default(100).describe('length of the path of penalties'),
  folds: z.int().min(2).default(10).describe('folds of the cross-validation'),
})

export interface LassoModel extends Model {
  readonly lambda: number
  /** One entry for numbers and two classes, one per class that occurs otherwise; for columns as they are. */
  readonly coefficients: readonly { readonly level: string | null; readonly coefficients: readonly Coefficient[] }[]
  /** Mean deviance per case in cross-validation along the path; empty when the penalty was given. */
  readonly crossValidation: readonly CrossValidated[]
}

/**
 * Lasso (Tibshirani 1996) for numbers, two classes (logistic) or more (symmetric multinomial): minimises
 *   -loglik / Σw + λ Σ ( mix s|b| + (1 - mix)/2 (s b)² )
 * with half the mean squared error in place of -loglik / Σw for numbers, and s the standard deviation of a column in
 * training. λ runs down `lambdas` values in equal ratios from the least that keeps every slope at 0 to 1e-4 of it (1e-2
 * with fewer rows than columns), ending early when the fit no longer improves (or, with more than 100 columns, when it was
 * best in cross-validation long before), and is chosen by stratified cross-validation. As glmnet (Friedman, Hastie and Tibshirani 2010), except that numbers are not scaled before a ridge.
 * Columns as in `design-matrix.ts`. Classes that do not occur in training get probability 0.
 */
export const lasso = {
  id: 'l1',
  title: 'Lasso regression',
  responses: ['classes', 'numbers'],
  options,
  async fit(
    training: Table,
    wanted: Response,
    chosen: z.output<typeof options>,
    context: FitContext,
  ): Promise<LassoModel> {
    const { features, response, weights } = trainingRows(training, wanted, context.weights)
    const present = response.kind === 'classes' ? presentClasses(response) : new Int32Array()
    const y = pathResponse(response, present)
    const design = designOf(features, { weights })
    const standard = standardBlocks(design, features, weights)
    const problem = { standard, y, weights: weights ?? new Float64Array(rowsOf(y)).fill(1) }
    const { path, at, crossValidation } = await chosenPenalty(problem, chosen, context)
    const lambda = path.lambdas[at]
    const raw = path.coefficients[at].map((one) => onRawScale(one, standard))
    const named = namedCoefficients(design, raw, present, response)
    return {
      ...(response.kind === 'numbers'
        ? numberModel('a lasso', async (table) => linearPredictor(design, table, raw[0]))
        : softmaxModel(design, raw, present, response.levels.length)),
      importance: contributions(design, features, raw, weights),
      notes: [
        `lambda ${significant(lambda, 6)} of ${path.lambdas.length}, ${nonzero(path, at, standard)} slopes not 0`,
        ...named.flatMap(({ level, coefficients }) =>
          coefficientNotes(coefficients.filter(({ estimate }) => estimate !== 0)).map((note) =>
            level === null ? note : `${level}: ${note}`,
          ),
        ),
        ...droppedNote(design),
      ],
      lambda,
      coefficients: named,
      crossValidation,
    }
  },
} satisfies Learner<typeof options>

/** A path with more columns than this is followed in stages. */
const WIDE = 100
const STAGES = [1 / 4, 1 / 2]

/**
 * The path, and the place on it that the rule says. The small penalties of wide designs take nearly all the time and are
 * hardly ever chosen: such a path ends where the least deviance lies in its first half.
 */
async function chosenPenalty(problem: PathProblem, chosen: z.output<typeof options>, context: FitContext) {
  const { mix, lambdas: count, lambdaRule, folds } = chosen
  if (typeof lambdaRule === 'number') {
    const path = fitPath(problem, { mix, count, end: lambdaRule })
    return { path, at: path.lambdas.length - 1, crossValidation: [] }
  }
  const dealt = dealFolds(problem.y, folds, context)
  const upTo = async (most: number) => {
    const path = fitPath(problem, { mix, count, most, end: null })
    const crossValidation = await crossValidate(problem, path.lambdas, mix, dealt, context)
    return { path, at: choose(crossValidation, lambdaRule), crossValidation }
  }
  if (problem.standard.width > WIDE)
    for (const stage of STAGES) {
      const most = Math.ceil(stage * count)
      const fit = await upTo(most)
      const { lambdas } = fit.path
      if (lambdas.length < most || choose(fit.crossValidation, 'min') < lambdas.length / 2) return fit
    }
  return upTo(count)
}

function pathResponse(response: Response, present: Int32Array): PathResponse {
  if (response.kind === 'numbers') return { kind: 'numbers', values: response.values }
  const classOf = new Int32Array(response.levels.length)
  present.forEach((code, k) => {
    classOf[code] = k
  })
  return { kind: 'classes', codes: response.codes.map((code) => classOf[code]), classes: present.length }
}

function rowsOf(y: PathResponse): number {
  return y.kind === 'classes' ? y.codes.length : y.values.length
}

function dealFolds(y: PathResponse, folds: number, context: FitContext): Int32Array {
  const strata = y.kind === 'classes' ? y.codes : new Int32Array(y.values.length)
  return stratifiedFolds(context.random('folds'), strata, Math.min(folds, strata.length))
}

/** Position on the path; without cross-validation (one row) its start, where slopes are 0. */
function choose(validated: readonly CrossValidated[], rule: 'min' | '1se'): number {
  let best = 0
  validated.forEach(({ deviance }, k) => {
    if (deviance < validated[best].deviance) best = k
  })
  if (rule === 'min' || validated.length === 0) return best
  const limit = validated[best].deviance + (validated[best].standardError ?? 0)
  return validated.findIndex(({ deviance }) => deviance <= limit)
}

function nonzero(path: Path, at: number, { width }: StandardBlocks): number {
  return sum(path.coefficients[at].map((one) => one.subarray(1, width).filter((value) => value !== 0).length))
}

function namedCoefficients(
  design: Design,
  raw: readonly Float64Array[],
  present: Int32Array,
  response: Response,
): LassoModel['coefficients'] {
  const unknown = new Float64Array(design.terms.length + 1).fill(Number.NaN)
  return raw.map((predictor, k) => ({
    level: response.kind === 'classes' && raw.length > 1 ? response.levels[present[k]] : null,
    coefficients: coefficientsOf(design, predictor, unknown),
  }))
}
