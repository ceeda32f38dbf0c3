import { oncePer } from '../../once.js'
import { countBelow } from '../../stats/sorted.js'
import type { Column } from '../../table/column.js'
import { draws } from './donors.js'
import { type FittedVariable, type Job, jobRows, numbersAt, numbersOf } from './method.js'

/** From this correlation on, one variable is taken to be another way of writing the other. */
const COLLINEAR = 0.99999

/**
 * Where numbers or codes go up and down with those of a predictor: the value of the first original record that has the
 * same value of that predictor, or the nearest one. Null if there is no such predictor.
 */
export function copiedFrom(job: Job): FittedVariable | null {
  const { rows } = job
  const pick = (values: Float64Array) => (rows === null ? values : numbersAt(values, rows))
  const y = pick(numbersOf(job.response))
  const spreadOf = (column: Column, values: Float64Array) =>
    rows === null ? spreadOfAll(column) : spreadAround(values)
  const spread = spreadOf(job.response, y)
  const at = job.predictors.findIndex((column) => {
    const x = pick(numbersOf(column))
    return isCollinear(x, spreadOf(column, x), y, spread)
  })
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

interface Spread {
  readonly mean: number
  /** Sum of the squared deviations from it. */
  readonly squares: number
}

/** Over all records, once for all variables that a column may predict. */
const spreadOfAll = oncePer((column: Column) => spreadAround(numbersOf(column)))

function spreadAround(values: Float64Array): Spread {
  const mean = meanOf(values)
  return { mean, squares: sumOfProducts(values, mean, values, mean) }
}

/** Not where one of the two does not vary. */
function isCollinear(x: Float64Array, ofX: Spread, y: Float64Array, ofY: Spread): boolean {
  if (!(ofX.squares > 0 && ofY.squares > 0) || differSoon(x, ofX, y, ofY)) return false
  return Math.abs(sumOfProducts(x, ofX.mean, y, ofY.mean)) / Math.sqrt(ofX.squares * ofY.squares) >= COLLINEAR
}

/**
 * With u and v the deviations from the means, scaled to a sum of squares of 1, the correlation is c = 1 - sum (u - v)^2 / 2, and -1 + sum (u + v)^2 / 2.
 * So the first rows tell mostly that it is too small: where both sums exceed twice what they may be, which leaves room for rounding.
 */
function differSoon(x: Float64Array, ofX: Spread, y: Float64Array, ofY: Spread): boolean {
  const most = 4 * (1 - COLLINEAR)
  const [scaleX, scaleY] = [Math.sqrt(ofX.squares), Math.sqrt(ofY.squares)]
  let apart = 0
  let together = 0
  for (let row = 0; row < x.length; row++) {
    const u = (x[row] - ofX.mean) / scaleX
    const v = (y[row] - ofY.mean) / scaleY
    apart += (u - v) * (u - v)
    together += (u + v) * (u + v)
    if (apart > most && together > most) return true
  }
  return false
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
