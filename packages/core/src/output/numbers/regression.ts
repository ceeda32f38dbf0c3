import { math } from '@scrim/kernels'
import { UserError, unknownName } from '../../errors.js'
import { INTERCEPT } from '../../learners/coding/coded-terms.js'
import { binomial, type Family, fitGlm, gaussian, poisson, times, withIntercept } from '../../learners/fitting/glm.js'
import { fitLogistic } from '../../learners/logistic.js'
import { leastSquares } from '../../stats/matrices/linear-algebra.js'
import { logGamma } from '../../stats/special.js'
import { standardDeviation, sum } from '../../stats/sums.js'
import { numeric } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { fitRegression } from '../../utility/predictive/regression/regression-fit.js'
import { type RegressionOutput, variablesOf } from '../description/description.js'
import { MODEL, type OutputValue, outputValue, type Recomputed } from '../description/value.js'
import { labelled } from '../description/variables.js'
import { type DesignTerm, designOf } from './design.js'
import { multinomialLogit } from './multinomial-logit.js'
import { numbersAt, recordsOf, weightsOf } from './records.js'

/**
 * A regression of a request on some records: linear by least squares, logistic, Poisson and multinomial by maximum likelihood, as
 * R's `lm`, `glm` and `nnet::multinom` (run to convergence). A level that no record has loses its coefficient and is listed. Where a column separates
 * the outcomes, logistic and Poisson models are fitted with Firth's penalty (1993) and the multinomial one with a small ridge;
 * a flag says so. Survey weights give weighted estimates with standard errors of the sandwich.
 */
export function recomputeRegression(output: RegressionOutput, data: Table): Recomputed {
  const model = modelOf(output, data)
  const fit = output.family === 'multinomial' ? multinomialFit(model) : univariateFit(model)
  return { ...fit, dropped: [...model.dropped, ...fit.dropped], records: model.rows.length }
}

interface Model {
  readonly output: RegressionOutput
  readonly data: Table
  readonly rows: Int32Array
  readonly terms: readonly DesignTerm[]
  readonly weights: Float64Array | null
  readonly dropped: Recomputed['dropped']
  /** Of its columns, the intercept first where it has one. */
  readonly names: readonly string[]
}

function modelOf(output: RegressionOutput, data: Table): Model {
  const rows = recordsOf(output, data, variablesOf(output))
  const design = designOf(output, data, rows)
  const lost = new Set(design.withoutReference)
  const dropped = design.terms.flatMap((term) => {
    const empty = term.parts.find(({ variable }) => lost.has(variable))
    if (empty !== undefined)
      return [{ element: term.name, reason: `no record has the reference level of ${empty.variable}` }]
    return term.records === 0 ? [{ element: term.name, reason: 'no record has it' }] : []
  })
  if (output.intercept && lost.size > 0)
    dropped.push({ element: INTERCEPT, reason: `no record has the reference level of ${[...lost].join(', ')}` })
  const terms = design.terms.filter(({ records }) => records > 0)
  const names = [...(output.intercept ? [INTERCEPT] : []), ...terms.map(({ name }) => name)]
  return { output, data, rows, terms, names, weights: weightsOf(output, data, rows), dropped }
}

type Fitted = Pick<Recomputed, 'values' | 'dropped' | 'flags' | 'degreesOfFreedom'>

function withoutFit(elements: readonly string[], reason: string): Fitted {
  const dropped = elements.map((element) => ({ element, reason }))
  return { values: [], dropped, flags: [], degreesOfFreedom: 0 }
}

const ALIASED = 'it is a combination of other terms'

function univariateFit(model: Model): Fitted {
  const { output, rows, weights, names } = model
  const family = output.family === 'multinomial' ? 'logistic' : output.family
  const columns = model.terms.map(({ values }) => values)
  const y = responseNumbers(model)
  if (rows.length === 0) return withoutFit(names, 'no record is complete')
  if (family === 'logistic' && (y.every((value) => value === 0) || y.every((value) => value === 1)))
    return withoutFit(names, 'the response is the same in all records')
  const frame = { rows, columns, response: numeric(output.response, y) }
  const plain = fitRegression(frame, { family, intercept: output.intercept, weights })
  const all = withIntercept(columns, y.length, output.intercept)
  const isPenalised =
    family !== 'linear' &&
    hasUnknowable(all, plain.standardErrors, fittedBy(all, plain.estimates, y, family).deviance + 0.1, SEPARATED_GLM)
  const firth = isPenalised ? penalised(model, columns, y) : null
  const estimates = firth?.coefficients ?? plain.estimates
  const errors = firth?.standardErrors ?? plain.standardErrors
  const isLost = lostNames(model)
  const known = names.filter((_, j) => Number.isFinite(errors[j]))
  const rank = known.length
  const whole = wholeModel(model, fittedBy(all, estimates, y, family), y, rank)
  return {
    values: [
      ...names.flatMap((element, j) =>
        known.includes(element) && !isLost(element) ? coefficientValues(output, element, estimates[j], errors[j]) : [],
      ),
      ...whole.values,
    ],
    dropped: [
      ...names.flatMap((element) => (known.includes(element) || isLost(element) ? [] : [{ element, reason: ALIASED }])),
      ...whole.dropped,
    ],
    flags: firth === null ? [] : ['firth'],
    degreesOfFreedom: rows.length - rank,
  }
}

/** What the coefficients that there are say of each record, and how far that is from what it has. */
function fittedBy(columns: readonly Float64Array[], estimates: Float64Array, y: Float64Array, name: string) {
  const family = FAMILIES[name]
  const known = estimates.map((value) => (Number.isNaN(value) ? 0 : value))
  const fitted = times(columns, known, y.length).map(family.inverseLink)
  return { fitted, deviance: sum(y.map((value, i) => family.deviance(value, fitted[i]))) }
}

/**
 * Where a term separates the outcomes its estimate grows until the deviance moves by less than the tolerance; the information about it is then a
 * small multiple of tolerance times deviance (1e-8 in `glm`). Probabilities near 0 and 1 alone are no sign of it: a strong predictor gives them too.
 */
const SEPARATED_GLM = 1e7
const SEPARATED_MULTINOMIAL = 1e8

/** Whether the variance of some coefficient, per unit of a 0/1 column or standard deviation of a number, times the deviance is beyond a limit. */
function hasUnknowable(
  columns: readonly Float64Array[],
  errors: Float64Array,
  deviance: number,
  limit: number,
): boolean {
  return columns.some((column, j) => {
    const isDummy = column.every((value) => value === 0 || value === 1)
    const scale = isDummy ? 1 : (standardDeviation(column) ?? 0)
    return (errors[j] * scale) ** 2 * deviance > limit
  })
}

/** Firth's estimates: logistic by the learner, Poisson by adding half of each record's leverage to its count until that settles. */
function penalised(model: Model, columns: readonly Float64Array[], y: Float64Array) {
  const { output, weights } = model
  if (output.family === 'logistic')
    return fitLogistic(columns, y, weights, { firth: true, intercept: output.intercept })
  const all = withIntercept(columns, y.length, output.intercept)
  const options = { family: poisson, weights, intercept: output.intercept, tolerance: TIGHT }
  let adjusted = y.map((value) => value + 0.5)
  let fit = fitGlm(columns, adjusted, options)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = fit.coefficients
    adjusted = leverages(all, fit.fitted, weights, fit.covariance).map((leverage, i) => y[i] + leverage / 2)
    fit = fitGlm(columns, adjusted, options)
    if (fit.coefficients.every((value, j) => Math.abs(value - before[j]) < SETTLED)) break
  }
  return fit
}

const TIGHT = 1e-13
const MOST_ROUNDS = 200
const SETTLED = 1e-8

/** μ x' (X'WX)⁻¹ x of each record, over the estimable columns. */
function leverages(
  columns: readonly Float64Array[],
  fitted: Float64Array,
  weights: Float64Array | null,
  covariance: Float64Array,
): Float64Array {
  const size = columns.length
  const used = columns.map((_, j) => j).filter((j) => !Number.isNaN(covariance[j * size + j]))
  return fitted.map((mean, i) => {
    let form = 0
    for (const j of used) for (const k of used) form += covariance[j * size + k] * columns[j][i] * columns[k][i]
    return (weights?.[i] ?? 1) * mean * form
  })
}

const LARGEST_RATIO = 700

function coefficientValues(output: RegressionOutput, element: string, estimate: number, error: number): OutputValue[] {
  const ratio = math.exp(Math.min(estimate, LARGEST_RATIO))
  const all = [
    ['estimate', estimate, error],
    ['se', error, null],
    ['ratio', ratio, ratio * error],
  ] as const
  return all
    .filter(([statistic]) => output.report.includes(statistic))
    .map(([statistic, value, standardError]) => outputValue(output, element, statistic, value, standardError))
}

/** What is of the model and not of a term. */
function wholeModel(
  { output }: Model,
  { fitted, deviance }: ReturnType<typeof fittedBy>,
  y: Float64Array,
  rank: number,
) {
  const isLinear = output.family === 'linear'
  const centre = output.intercept ? sum(y) / y.length : 0
  const around = sum(y.map((value) => (value - centre) ** 2))
  const spare = y.length - rank
  return modelStatistics(output, {
    n: y.length,
    deviance,
    logLik: logLikelihood(output.family, y, fitted, deviance),
    r2: isLinear && around > 0 ? 1 - deviance / around : null,
    sigma: isLinear && spare > 0 ? Math.sqrt(deviance / spare) : null,
  })
}

const FAMILIES: Readonly<Record<string, Family>> = {
  linear: gaussian,
  logistic: binomial,
  multinomial: binomial,
  poisson,
}

/** Statistics of the model that are to be reported; with survey weights only the number of records has one meaning. */
function modelStatistics(output: RegressionOutput, figures: Readonly<Record<string, number | null>>) {
  const isWeighted = output.weights !== null
  const reason = isWeighted ? 'not defined with weights' : `a ${output.family} model of these records has none`
  const values: OutputValue[] = []
  const dropped: { element: string; reason: string }[] = []
  for (const statistic of output.report) {
    if (!(statistic in figures)) continue
    const value = isWeighted && statistic !== 'n' ? null : figures[statistic]
    if (value === null || !Number.isFinite(value)) dropped.push({ element: `${MODEL} ${statistic}`, reason })
    else values.push(outputValue(output, MODEL, statistic, value, null))
  }
  return { values, dropped }
}

function logLikelihood(family: string, y: Float64Array, fitted: Float64Array, deviance: number): number {
  const n = y.length
  if (family === 'linear') return (-n / 2) * (math.log((2 * Math.PI * deviance) / n) + 1)
  if (family === 'logistic') return -deviance / 2
  return sum(y.map((value, i) => value * math.log(fitted[i]) - fitted[i] - logGamma(value + 1)))
}

function responseNumbers({ output, data, rows }: Model): Float64Array {
  const { response, family, id } = output
  if (family === 'logistic') {
    const { codes, levels } = labelled(columnOf(data, response))
    if (output.event !== undefined && !levels.includes(output.event))
      throw new UserError(`output "${id}": ${unknownName(`level of "${response}"`, output.event, levels)}`)
    if (output.event === undefined && levels.length !== 2)
      throw new UserError(
        `output "${id}": "${response}" has ${levels.length} levels; say by "event" which one counts as 1`,
      )
    const event = levels.indexOf(output.event ?? levels[levels.length - 1])
    return Float64Array.from(rows, (row) => (codes[row] === event ? 1 : 0))
  }
  const y = numbersAt(data, response, rows)
  if (y.some(Number.isNaN))
    throw new UserError(`output "${id}": a ${family} model needs numbers, "${response}" has texts`)
  if (family === 'poisson' && y.some((value) => value < 0 || !Number.isInteger(value)))
    throw new UserError(`output "${id}": a poisson model needs counts, "${response}" has other numbers`)
  return y
}

const SEPARATION_RIDGE = 1e-3

function multinomialFit(model: Model): Fitted {
  const { output, data, rows, weights } = model
  const { codes, levels } = labelled(columnOf(data, output.response))
  const baseline = output.baseline ?? levels[0]
  if (!levels.includes(baseline))
    throw new UserError(`output "${output.id}": ${unknownName(`level of "${output.response}"`, baseline, levels)}`)
  const occurs = new Set(Array.from(rows, (row) => levels[codes[row]]))
  const others = levels.filter((level) => level !== baseline)
  const present = others.filter((level) => occurs.has(level))
  const { names } = model
  const elements = (outcomes: readonly string[], terms: readonly string[]) =>
    outcomes.flatMap((level) => terms.map((name) => classTerm(level, name)))
  if (!occurs.has(baseline) || present.length === 0)
    return withoutFit(elements(others, names), `no two outcomes to compare with "${baseline}"`)
  const order = [baseline, ...present]
  const classes = Int32Array.from(rows, (row) => order.indexOf(levels[codes[row]]))
  const terms = model.terms.map(({ values }) => values)
  const columns = withIntercept(terms, rows.length, output.intercept)
  const { estimable } = leastSquares(columns, new Float64Array(rows.length), { refine: false })
  const used = Array.from(estimable, (j) => columns[j])
  const plain = multinomialLogit(used, classes, order.length, weights)
  const isSeparated =
    plain === null ||
    !plain.converged ||
    plain.standardErrors.some((errors) => hasUnknowable(used, errors, -2 * plain.logLikelihood, SEPARATED_MULTINOMIAL))
  const fit = isSeparated ? multinomialLogit(used, classes, order.length, weights, SEPARATION_RIDGE) : plain
  if (fit === null) return withoutFit(elements(others, names), 'the model has no estimate')
  const isLost = lostNames(model)
  const deviance = -2 * fit.logLikelihood
  const whole = modelStatistics(output, { n: rows.length, logLik: fit.logLikelihood, deviance, r2: null, sigma: null })
  const absent = others.filter((level) => !occurs.has(level))
  const aliased = names.filter((_, j) => !estimable.includes(j))
  return {
    values: [
      ...present.flatMap((level, k) =>
        Array.from(estimable).flatMap((column, j) => {
          const [estimate, error] = [fit.coefficients[k][j], fit.standardErrors[k][j]]
          const element = classTerm(level, names[column])
          return isLost(names[column]) ? [] : coefficientValues(output, element, estimate, error)
        }),
      ),
      ...whole.values,
    ],
    dropped: [
      ...elements(absent, names).map((element) => ({ element, reason: 'no record has this outcome' })),
      ...elements(present, aliased).map((element) => ({ element, reason: ALIASED })),
      ...whole.dropped,
    ],
    flags: isSeparated ? ['ridge'] : [],
    degreesOfFreedom: (rows.length - used.length) * present.length,
  }
}

/** Name of a coefficient of a multinomial model. */
export function classTerm(level: string, term: string): string {
  return `${level} | ${term}`
}

/** Terms that were fitted but say nothing, because nobody has their reference level. */
function lostNames({ dropped }: Model): (name: string) => boolean {
  const names = new Set(dropped.map(({ element }) => element))
  return (name) => names.has(name)
}
