import { math } from '@scrim/kernels'
import { designColumns, designOf } from '../../learners/coding/design-matrix.js'
import { times, withIntercept } from '../../learners/fitting/glm.js'
import { fitLogistic } from '../../learners/logistic.js'
import { multinomial } from '../../learners/multinomial.js'
import { softmax } from '../../learners/softmax.js'
import { stream } from '../../random/stream.js'
import type { Columns } from '../../stats/matrices/linear-algebra.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { type Column, numeric, takeRows } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { draws } from './donors.js'
import {
  type FittedVariable,
  type Job,
  jobRows,
  type MethodContext,
  predictorTable,
  trainingValues,
  type VariableMethod,
} from './method.js'
import { between, fitOrderedLogit } from './ordered-logit.js'
import { normalAround } from './regression.js'

/** Logistic regression of two levels. Proper synthesis draws the coefficients from their normal approximation. */
export const logreg: VariableMethod = {
  id: 'logreg',
  title: 'logistic regression',
  problem: ({ kind, levels, missing }) => {
    if (kind === 'number') return 'logreg makes two levels, and this variable is a number'
    return levels === 2
      ? undefined
      : `logreg makes two levels, and this variable has ${levels}${missing ? ', missing among them' : ''}; polyreg makes more`
  },
  drawsOriginals: true,
  proper: 'parameters',
  fit: async (jobs, { options, random }) =>
    jobs.map((job) => {
      const training = classTraining(job)
      const { x, classes, weights } = augmented(training)
      const fit = fitLogistic(x, Float64Array.from(classes), weights)
      const coefficients = options.proper
        ? normalAround(fit.coefficients, fit.covariance, random(`${job.purpose}/parameters`))
        : fit.coefficients
      const predictors = (table: Table) => [
        new Float64Array(table.rows),
        times(withIntercept(training.encode(table), table.rows, true), coefficients, table.rows),
      ]
      return classDraws(job, training, softmaxOf(predictors), {
        method: logreg.title,
        coefficients: coefficients.length,
      })
    }),
}

/** Multinomial logistic regression of any levels. */
export const polyreg: VariableMethod = {
  id: 'polyreg',
  title: 'multinomial regression',
  problem: ({ kind }) => (kind === 'number' ? 'polyreg makes levels, and this variable is a number' : undefined),
  drawsOriginals: true,
  proper: 'bootstrap',
  async fit(jobs, context) {
    const fitted: FittedVariable[] = []
    for (const job of jobs) fitted.push(await fitPolyreg(job, classTraining(job), context, polyreg.title))
    return fitted
  },
}

async function fitPolyreg(
  job: Job,
  training: ClassTraining,
  { how, random }: MethodContext,
  method: string,
): Promise<FittedVariable> {
  const { x, classes, weights } = augmented(training)
  const features = predictorTable(
    x.map((column, j) => numeric(`x${j}`, column)),
    classes.length,
  )
  const response = { kind: 'classes' as const, codes: classes, levels: Array.from(training.present, String) }
  const model = await multinomial.fit(features, response, multinomial.options.parse({}), {
    random: (purpose, index) => (index === undefined ? random(purpose) : stream(0, purpose, index)),
    seed: 0,
    purpose: 'polyreg',
    tasks: inline,
    weights,
    signal: how.signal,
  })
  const slopes = model.coefficients.map(({ coefficients }) =>
    Float64Array.from(coefficients, ({ estimate }) => estimate ?? 0),
  )
  const predictors = (table: Table) => {
    const columns = withIntercept(training.encode(table), table.rows, true)
    return [new Float64Array(table.rows), ...slopes.map((one) => times(columns, one, table.rows))]
  }
  return classDraws(job, training, softmaxOf(predictors), { method, coefficients: slopes.length * (x.length + 1) })
}

/** Proportional odds for ordered levels; multinomial where that does not settle. */
export const polr: VariableMethod = {
  id: 'polr',
  title: 'ordered logistic regression',
  problem: ({ kind, ordered, missing }) => {
    if (kind === 'number') return 'polr makes ordered levels, and this variable is a number'
    if (!ordered) return 'polr makes ordered levels, and those of this variable have no order; polyreg makes such'
    return missing
      ? 'polr makes ordered levels, and missing has no place in their order; polyreg takes it as a level'
      : undefined
  },
  drawsOriginals: true,
  proper: 'bootstrap',
  async fit(jobs, context) {
    const fitted: FittedVariable[] = []
    for (const job of jobs) {
      const training = classTraining(job)
      const { x, classes, weights } = augmented(training)
      const { thresholds, slopes, converged } = fitOrderedLogit(x, classes, training.present.length, weights)
      if (!converged) {
        fitted.push(await fitPolyreg(job, training, context, `${polyreg.title}, as ordered did not settle`))
        continue
      }
      const probabilities = (table: Table) => {
        const predictor = times(training.encode(table), slopes, table.rows)
        return Array.from(training.present, (_, k) =>
          predictor.map((eta) =>
            between(
              k === 0 ? Number.NEGATIVE_INFINITY : thresholds[k - 1] - eta,
              k === thresholds.length ? Number.POSITIVE_INFINITY : thresholds[k] - eta,
            ),
          ),
        )
      }
      const coefficients = thresholds.length + slopes.length
      fitted.push(classDraws(job, training, probabilities, { method: polr.title, coefficients }))
    }
    return fitted
  },
}

interface ClassTraining {
  readonly x: Columns
  readonly classes: Int32Array
  /** Codes of the classes, ascending: those that occur. */
  readonly present: Int32Array
  readonly encode: (table: Table) => Columns
}

function classTraining(job: Job): ClassTraining {
  const { rows } = job
  const features = predictorTable(
    rows === null ? job.predictors : job.predictors.map((column: Column) => takeRows(column, rows)),
    jobRows(job),
  )
  const codes = trainingValues(job)
  const present = Int32Array.from(new Set(codes)).sort()
  const place = new Map(Array.from(present, (code, k) => [code, k]))
  const design = designOf(features)
  return {
    x: designColumns(design, features),
    classes: Int32Array.from(codes, (code) => place.get(code) ?? 0),
    present,
    encode: (table) => designColumns(design, table),
  }
}

const SPREAD = 0.5

/**
 * White, Daniel and Royston (2010), "Avoiding bias due to perfect prediction in multiple imputation": for each predictor
 * and class two more rows, half a standard deviation above and below the mean of that predictor (within its range), the
 * others at their means. Together they weigh as much as one row more than there are predictors, so that no coefficient
 * runs away to infinity.
 */
function augmented({ x, classes, present }: ClassTraining): { x: Columns; classes: Int32Array; weights: Float64Array } {
  const rows = classes.length
  const added = 2 * x.length * present.length
  const means = x.map((column) => mean(column) ?? 0)
  const weights = new Float64Array(rows + added).fill(1)
  weights.fill((x.length + 1) / added, rows)
  const all = new Int32Array(rows + added)
  all.set(classes)
  for (let at = 0; at < added; at++) all[rows + at] = at % present.length
  const padded = x.map((column, j) => {
    const longer = new Float64Array(rows + added).fill(means[j])
    longer.set(column)
    const reach = SPREAD * (standardDeviation(column) ?? 0)
    const lowest = column.reduce((a, b) => Math.min(a, b))
    const highest = column.reduce((a, b) => Math.max(a, b))
    const from = rows + 2 * j * present.length
    longer.fill(Math.max(lowest, means[j] - reach), from, from + present.length)
    longer.fill(Math.min(highest, means[j] + reach), from + present.length, from + 2 * present.length)
    return longer
  })
  return { x: padded, classes: all, weights }
}

function softmaxOf(predictors: (table: Table) => Float64Array[]): (table: Table) => Float64Array[] {
  return (table) => {
    const shares = predictors(table)
    softmax(shares)
    return shares
  }
}

/** Draws by inversion from the probabilities of the classes that occur, one array for each. */
function classDraws(
  { response }: Job,
  { present, classes }: ClassTraining,
  probabilities: (table: Table) => Float64Array[],
  description: { method: string; coefficients: number },
): FittedVariable {
  return {
    draw(predicting, random) {
      const shares = probabilities(predicting)
      return draws(predicting.rows, (row) => {
        let rest = random.uniform()
        for (let k = 0; k < present.length - 1; k++) {
          rest -= shares[k][row]
          if (rest < 0) return present[k]
        }
        return present[present.length - 1]
      })
    },
    logProb(predicting, wanted) {
      const shares = probabilities(predicting)
      return wanted.map((code, row) => {
        const k = present.indexOf(code)
        return k < 0 ? Number.NEGATIVE_INFINITY : math.log(shares[k][row])
      })
    },
    describe: () => ({
      ...description,
      donors: classes.length,
      levels: response.kind === 'categorical' ? present.length : null,
    }),
  }
}
