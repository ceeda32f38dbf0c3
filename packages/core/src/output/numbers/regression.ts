import { math } from '@scrim/kernels'
import { UserError, unknownName } from '../../errors.js'
import { binomial, type Family, fitGlm, gaussian, poisson, times, withIntercept } from '../../learners/glm.js'
import { fitLogistic } from '../../learners/logistic.js'
import { leastSquares } from '../../stats/linear-algebra.js'
import { logGamma } from '../../stats/special.js'
import { standardDeviation, sum } from '../../stats/sums.js'
import { numeric } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { fitRegression, type RegressionFit } from '../../utility/predictive/regression-fit.js'
import { decimalsOf, type RegressionOutput, type RegressionStatistic, variablesOf } from '../description/description.js'
import { MODEL, type OutputValue, type Recomputed } from '../description/value.js'
import { labelled } from '../description/variables.js'
import { type DesignTerm, designOf, INTERCEPT } from './design.js'
import { fitMultinomial } from './multinomial-fit.js'
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
  /** False where the intercept cannot be told because a reference level is empty. */
  readonly hasIntercept: boolean
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
  const hasIntercept = lost.size === 0
  if (output.intercept && !hasIntercept)
    dropped.push({ element: INTERCEPT, reason: `no record has the reference level of ${[...lost].join(', ')}` })
  const kept = design.terms.filter(({ records }) => records > 0)
  return { output, data, rows, terms: kept, weights: weightsOf(output, data, rows), dropped, hasIntercept }
}

type Fitted = Pick<Recomputed, 'values' | 'dropped' | 'flags' | 'degreesOfFreedom'>

function univariateFit(model: Model): Fitted {
  const { output, rows, weights } = model
  const family = output.family === 'multinomial' ? 'logistic' : output.family
  const columns = model.terms.map(({ values }) => values)
  const y = responseNumbers(model)
  const constant = family === 'logistic' && (y.every((one) => one === 0) || y.every((one) => one === 1))
  if (rows.length === 0 || constant) {
    const reason = rows.length === 0 ? 'no record is complete' : 'the response is the same in all records'
    return {
      values: [],
      dropped: elementNames(model).map((element) => ({ element, reason })),
      flags: [],
      degreesOfFreedom: 0,
    }
  }
  const frame = { rows, columns, response: numeric(output.response, y) }
  const plain = fitRegression(frame, { family, intercept: output.intercept, weights })
  const firth = family !== 'linear' && isSeparated(model, plain, columns, y) ? penalised(model, columns, y) : null
  const estimates = firth?.coefficients ?? plain.estimates
  const errors = firth?.standardErrors ?? plain.standardErrors
  const names = [...(output.intercept ? [INTERCEPT] : []), ...model.terms.map(({ name }) => name)]
  const isLost = lostNames(model)
  const dropped = names.flatMap((element, j) =>
    Number.isFinite(errors[j]) || isLost(element) ? [] : [{ element, reason: 'it is a combination of other terms' }],
  )
  const coefficients = names.flatMap((element, j) =>
    Number.isFinite(errors[j]) && !isLost(element) ? coefficientValues(output, element, estimates[j], errors[j]) : [],
  )
  const rank = names.length - names.filter((_, j) => !Number.isFinite(errors[j])).length
  const whole = wholeModel(model, columns, y, estimates, rank)
  return {
    values: [...coefficients, ...whole.values],
    dropped: [...dropped, ...whole.dropped],
    flags: firth === null ? [] : ['firth'],
    degreesOfFreedom: rows.length - rank,
  }
}

/**
 * Where a term separates the outcomes its estimate grows until the deviance moves by less than the tolerance; the information about it is then a
 * small multiple of tolerance times deviance (1e-8 in `glm`). Probabilities near 0 and 1 alone are no sign of it: a strong predictor gives them too.
 */
const SEPARATED_GLM = 1e7
const SEPARATED_MULTINOMIAL = 1e8

function isSeparated(
  { output }: Model,
  plain: RegressionFit,
  columns: readonly Float64Array[],
  y: Float64Array,
): boolean {
  const family = FAMILIES[output.family]
  const all = withIntercept(columns, y.length, output.intercept)
  const known = plain.estimates.map((value) => (Number.isNaN(value) ? 0 : value))
  const fitted = times(all, known, y.length).map(family.inverseLink)
  const deviance = sum(y.map((value, i) => family.deviance(value, fitted[i])))
  return hasUnknowable(all, plain.standardErrors, deviance + 0.1, SEPARATED_GLM)
}

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
  const how = { family: poisson, weights, intercept: output.intercept, tolerance: TIGHT }
  let fit = fitGlm(
    columns,
    y.map((value) => value + 0.5),
    how,
  )
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = fit.coefficients
    const adjusted = leverages(all, fit.fitted, weights, fit.covariance).map((leverage, i) => y[i] + leverage / 2)
    fit = fitGlm(columns, adjusted, how)
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
  const wants = (statistic: RegressionStatistic) => output.report.includes(statistic)
  const ratio = math.exp(Math.min(estimate, LARGEST_RATIO))
  return [
    ...(wants('estimate') ? [printed(output, element, 'estimate', estimate, error)] : []),
    ...(wants('se') ? [printed(output, element, 'se', error, null)] : []),
    ...(wants('ratio') ? [printed(output, element, 'ratio', ratio, ratio * error)] : []),
  ]
}

function printed(
  output: RegressionOutput,
  element: string,
  statistic: string,
  value: number,
  standardError: number | null,
): OutputValue {
  const decimals = decimalsOf(output, statistic)
  return {
    output: output.id,
    element,
    statistic,
    value,
    decimals,
    precision: 0.5 / math.tenTo(decimals),
    standardError,
  }
}

/** What is of the model and not of a term. */
function wholeModel(
  model: Model,
  columns: readonly Float64Array[],
  y: Float64Array,
  estimates: Float64Array,
  rank: number,
): { values: OutputValue[]; dropped: { element: string; reason: string }[] } {
  const { output } = model
  const family = FAMILIES[output.family]
  const all = withIntercept(columns, y.length, output.intercept)
  const known = estimates.map((value) => (Number.isNaN(value) ? 0 : value))
  const fitted = times(all, known, y.length).map(family.inverseLink)
  const deviance = sum(y.map((value, i) => family.deviance(value, fitted[i])))
  const centre = output.intercept ? sum(y) / y.length : 0
  const around = sum(y.map((value) => (value - centre) ** 2))
  const spare = y.length - rank
  const found: Record<string, number | null> = {
    n: y.length,
    deviance,
    logLik: logLikelihood(output.family, y, fitted, deviance),
    r2: output.family === 'linear' && around > 0 ? 1 - deviance / around : null,
    sigma: output.family === 'linear' && spare > 0 ? Math.sqrt(deviance / spare) : null,
  }
  return modelStatistics(output, found)
}

const FAMILIES: Readonly<Record<string, Family>> = {
  linear: gaussian,
  logistic: binomial,
  multinomial: binomial,
  poisson,
}

/** Statistics of the model that are to be reported; with survey weights only the number of records has one meaning. */
function modelStatistics(output: RegressionOutput, found: Readonly<Record<string, number | null>>) {
  const wanted = output.report.filter((statistic) => statistic in found)
  const values: OutputValue[] = []
  const dropped: { element: string; reason: string }[] = []
  for (const statistic of wanted) {
    const value = output.weights !== null && statistic !== 'n' ? null : found[statistic]
    if (value === null || !Number.isFinite(value))
      dropped.push({
        element: `${MODEL} ${statistic}`,
        reason:
          output.weights === null ? `a ${output.family} model of these records has none` : 'not defined with weights',
      })
    else values.push(printed(output, MODEL, statistic, value, null))
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
  const names = [...(output.intercept ? [INTERCEPT] : []), ...model.terms.map(({ name }) => name)]
  const all = (which: readonly string[], reason: string) =>
    which.flatMap((level) => names.map((name) => ({ element: classTerm(level, name), reason })))
  const present = others.filter((level) => occurs.has(level))
  if (!occurs.has(baseline) || present.length === 0)
    return {
      values: [],
      dropped: all(others, `no two outcomes to compare with "${baseline}"`),
      flags: [],
      degreesOfFreedom: 0,
    }
  const order = [baseline, ...present]
  const classes = Int32Array.from(rows, (row) => order.indexOf(levels[codes[row]]))
  const columns = withIntercept(
    model.terms.map(({ values }) => values),
    rows.length,
    output.intercept,
  )
  const estimable = leastSquares(columns, new Float64Array(rows.length), { refine: false }).estimable
  const used = Array.from(estimable, (j) => columns[j])
  const plain = fitMultinomial(used, classes, order.length, weights)
  const isSeparated =
    plain === null ||
    !plain.converged ||
    plain.standardErrors.some((errors) => hasUnknowable(used, errors, -2 * plain.logLikelihood, SEPARATED_MULTINOMIAL))
  const fit = isSeparated ? fitMultinomial(used, classes, order.length, weights, SEPARATION_RIDGE) : plain
  if (fit === null)
    return { values: [], dropped: all(others, 'the model has no estimate'), flags: [], degreesOfFreedom: 0 }
  const isLost = lostNames(model)
  const values = present.flatMap((level, k) =>
    Array.from(estimable).flatMap((column, j) =>
      isLost(names[column])
        ? []
        : coefficientValues(output, classTerm(level, names[column]), fit.coefficients[k][j], fit.standardErrors[k][j]),
    ),
  )
  const aliased = names.filter((_, j) => !estimable.includes(j))
  const whole = modelStatistics(output, {
    n: rows.length,
    logLik: fit.logLikelihood,
    deviance: -2 * fit.logLikelihood,
    r2: null,
    sigma: null,
  })
  return {
    values: [...values, ...whole.values],
    dropped: [
      ...all(
        others.filter((level) => !occurs.has(level)),
        'no record has this outcome',
      ),
      ...present.flatMap((level) =>
        aliased.map((name) => ({ element: classTerm(level, name), reason: 'it is a combination of other terms' })),
      ),
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

function elementNames({ output, terms }: Model): string[] {
  return [...(output.intercept ? [INTERCEPT] : []), ...terms.map(({ name }) => name)]
}

/** Terms that were fitted but say nothing, because nobody has their reference level. */
function lostNames({ dropped }: Model): (name: string) => boolean {
  const names = new Set(dropped.map(({ element }) => element))
  return (name) => names.has(name)
}
