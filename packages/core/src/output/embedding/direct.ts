import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { type AliasTable, aliasTable, drawCategory, drawNormal, drawPoisson } from '../../stats/draws.js'
import { type CodedVariable, type Codes, nearest } from './records/coded-records.js'
import { placeOf } from './records/joint-code.js'
import type { Aim } from './records/ledger.js'
import type { ScoreAim } from './records/score.js'
import { isIncluded } from './records/statistic.js'

/**
 * The responses of the published models drawn from these models, given covariates that are there: the data set that the models
 * themselves describe, and already within sampling error of their coefficients. Models whose covariates are responses of others come
 * after those; a variable is drawn once, by the first model that explains it. Without a published residual standard deviation that
 * of a linear model is what its predictions leave of the public variance.
 */
export function drawResponses(
  aims: readonly Aim[],
  variables: readonly CodedVariable[],
  start: readonly Float64Array[],
  fixed: ReadonlySet<number>,
  codes: Codes,
  random: Stream,
): void {
  const models = aims.filter((aim) => aim.kind === 'regression')
  const drawn = new Set(fixed)
  for (const model of inOrder(models)) {
    if (drawn.has(model.response)) continue
    drawn.add(model.response)
    drawResponse(model, variables[model.response], start[model.response], codes, random)
  }
}

/** A model after those whose response is among its covariates; in a circle, in the order given. */
function inOrder(models: readonly ScoreAim[]): ScoreAim[] {
  const order: ScoreAim[] = []
  let left = [...models]
  while (left.length > 0) {
    const next =
      left.find((model) => !left.some((other) => other !== model && covariates(model).has(other.response))) ?? left[0]
    order.push(next)
    left = left.filter((model) => model !== next)
  }
  return order
}

function covariates({ columns, response }: ScoreAim): Set<number> {
  const all = columns.flatMap(({ categories, numbers }) => [...categories, ...numbers].map(({ variable }) => variable))
  return new Set(all.filter((variable) => variable !== response))
}

function drawResponse(
  model: ScoreAim,
  variable: CodedVariable,
  start: Float64Array,
  codes: Codes,
  random: Stream,
): void {
  const width = model.variables
  const predictors = new Float64Array(model.classes)
  const byClass = model.family === 'linear' || model.family === 'poisson' ? null : codesByClass(model, start)
  const number = byClass === null ? numberCoder(variable) : null
  const sd = model.family === 'linear' ? residualSpread(model, variable, start, codes) : 0
  for (let at = 0; at < codes.length; at += width) {
    if (!isIncluded(model.included, codes, at)) continue
    predict(model, codes, at, predictors)
    if (byClass !== null) {
      const table =
        byClass[model.family === 'logistic' ? drawEvent(predictors[0], random) : drawClass(predictors, random)]
      if (table !== null) codes[at + model.response] = drawCategory(random, table)
    } else if (number !== null) {
      const value =
        model.family === 'poisson'
          ? drawPoisson(random, math.exp(predictors[0]))
          : drawNormal(random, predictors[0], sd)
      codes[at + model.response] = number(value)
    }
  }
}

function predict(
  { columns, published, width, classes }: ScoreAim,
  codes: Codes,
  at: number,
  predictors: Float64Array,
): void {
  predictors.fill(0)
  for (const { categories, numbers, slots } of columns) {
    const slot = slots[placeOf(categories, codes, at)]
    if (slot < 0) continue
    let value = 1
    for (const { variable, values } of numbers) value *= values[codes[at + variable]]
    for (let c = 0; c < classes; c++) predictors[c] += published[c * width + slot] * value
  }
}

/** Codes with each response, drawn as they are in public; null where there is none. */
function codesByClass({ responses, classes }: ScoreAim, start: Float64Array): (AliasTable | null)[] {
  return Array.from({ length: classes + 1 }, (_, outcome) => {
    const weights = start.map((weight, code) => (responses[code] === outcome ? weight : 0))
    return weights.some((weight) => weight > 0) ? aliasTable(weights) : null
  })
}

function drawEvent(predictor: number, random: Stream): number {
  return random.uniform() < 1 / (1 + math.exp(-predictor)) ? 1 : 0
}

function drawClass(predictors: Float64Array, random: Stream): number {
  let largest = 0
  for (const predictor of predictors) largest = Math.max(largest, predictor)
  let total = math.exp(-largest)
  for (const predictor of predictors) total += math.exp(predictor - largest)
  let left = random.uniform() * total - math.exp(-largest)
  for (let c = 0; c < predictors.length; c++) {
    if (left < 0) return c
    left -= math.exp(predictors[c] - largest)
  }
  return predictors.length
}

function numberCoder({ values }: CodedVariable): (value: number) => number {
  const order = Array.from(values.keys())
    .filter((code) => !Number.isNaN(values[code]))
    .sort((a, b) => values[a] - values[b])
  const ascending = Float64Array.from(order, (code) => values[code])
  return (value) => order[nearest(ascending, value)]
}

const LEAST_LEFT = 0.05

function residualSpread(model: ScoreAim, { values }: CodedVariable, start: Float64Array, codes: Codes): number {
  const at = model.elements.findIndex(({ what }) => what === 'sigma')
  if (at >= 0) return model.aims.targets[at]
  const known = Float64Array.from(values, (value) => (Number.isNaN(value) ? 0 : value))
  const weights = start.map((weight, code) => (Number.isNaN(values[code]) ? 0 : weight))
  const total = momentsBy(weights, known)
  const predictors = new Float64Array(1)
  const predicted: number[] = []
  for (let row = 0; row < codes.length; row += model.variables) {
    if (!isIncluded(model.included, codes, row)) continue
    predict(model, codes, row, predictors)
    predicted.push(predictors[0])
  }
  const explained = momentsBy(new Float64Array(predicted.length).fill(1), Float64Array.from(predicted))
  return Math.sqrt(Math.max(LEAST_LEFT * total, total - explained))
}

/** Variance of weighted values. */
function momentsBy(weights: Float64Array, values: Float64Array): number {
  let total = 0
  let sum = 0
  for (let k = 0; k < values.length; k++) {
    total += weights[k]
    sum += weights[k] * values[k]
  }
  if (!(total > 0)) return 0
  const centre = sum / total
  let squares = 0
  for (let k = 0; k < values.length; k++) squares += weights[k] * (values[k] - centre) ** 2
  return squares / total
}
