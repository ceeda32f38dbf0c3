import { countBelow } from '../../stats/sorted.js'
import { draws } from './donors.js'
import { type FittedVariable, type Job, jobRows, numbersOf } from './method.js'

/** From this correlation on, one variable is taken to be another way of writing the other. */
const COLLINEAR = 0.99999

/**
 * Where numbers or codes go up and down with those of a predictor: the value of the first original record that has the
 * same value of that predictor, or the nearest one. Null if there is no such predictor.
 */
export function copiedFrom(job: Job): FittedVariable | null {
  const { rows } = job
  const pick = (values: Float64Array) => (rows === null ? values : Float64Array.from(rows, (row) => values[row]))
  const y = pick(numbersOf(job.response))
  const at = job.predictors.findIndex((column) => Math.abs(correlation(pick(numbersOf(column)), y)) >= COLLINEAR)
  if (at < 0) return null
  const x = pick(numbersOf(job.predictors[at]))
  const first = new Map<number, number>()
  for (let row = 0; row < x.length; row++) if (!first.has(x[row])) first.set(x[row], y[row])
  const known = Float64Array.from(first.keys()).sort()
  const valueAt = (wanted: number) => first.get(wanted) ?? first.get(nearest(known, wanted)) ?? y[0]
  return {
    draw: (predicting) => {
      const from = numbersOf(predicting.columns[at])
      return draws(predicting.rows, (row) => valueAt(from[row]))
    },
    logProb: (predicting, values) => {
      const from = numbersOf(predicting.columns[at])
      return values.map((value, row) => (value === valueAt(from[row]) ? 0 : Number.NEGATIVE_INFINITY))
    },
    describe: () => ({ method: `copied from ${job.predictors[at].name}`, donors: jobRows(job) }),
  }
}

function nearest(sorted: Float64Array, value: number): number {
  const place = countBelow(sorted, value)
  if (place === 0) return sorted[0]
  if (place === sorted.length) return sorted[place - 1]
  return value - sorted[place - 1] <= sorted[place] - value ? sorted[place - 1] : sorted[place]
}

/** 0 where one of the two does not vary. */
function correlation(x: Float64Array, y: Float64Array): number {
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  const xx = sumOfProducts(x, meanX, x, meanX)
  const yy = sumOfProducts(y, meanY, y, meanY)
  return xx > 0 && yy > 0 ? sumOfProducts(x, meanX, y, meanY) / Math.sqrt(xx * yy) : 0
}

function meanOf(values: Float64Array): number {
  let mean = 0
  for (let row = 0; row < values.length; row++) mean += values[row] / values.length
  return mean
}

function sumOfProducts(x: Float64Array, meanX: number, y: Float64Array, meanY: number): number {
  let sum = 0
  for (let row = 0; row < x.length; row++) sum += (x[row] - meanX) * (y[row] - meanY)
  return sum
}
