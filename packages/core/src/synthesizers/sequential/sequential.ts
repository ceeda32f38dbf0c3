import { UserError } from '../../errors.js'
import type { JsonObject } from '../../json.js'
import { count } from '../../print.js'
import type { Column } from '../../table/column.js'
import { columnOf, findColumn, type Table, table } from '../../table/table.js'
import { decode, encode, isRegular, logWithinGroup } from '../methods/coding.js'
import { constant } from '../methods/donors.js'
import { type FittedVariable, numbersOf, predictorTable } from '../methods/method.js'
import { KEEP } from '../methods/methods.js'
import { addKernelNoise, smoothByRank } from '../methods/smoothing.js'
import type { FitHow, FittedSynthesizer, Streams } from '../synthesizer.js'
import { fitParts, purposeOf } from './fit-parts.js'
import type { SequentialOptions } from './options.js'
import { NO_RULE, type Part, planVariables, type Rule, ruledRows, type Smooth, type Variable } from './plan.js'
import { fitStrata } from './strata.js'

/**
 * Sequential synthesis (Reiter 2005; synthpop, Nowok, Raab and Dibben 2016): the first variable is drawn with replacement
 * from its values, each next one from its distribution given all variables before it. That distribution is learned from
 * the original records and applied to the synthetic ones, by one method for all variables or one for each.
 *
 * Changes of method, as in synthpop: a variable with one value stays constant; one without predictors is sampled; one
 * whose numbers or codes have a correlation of 0.99999 or more with an earlier one is copied from it.
 *
 * @param defaultMethod for variables that the option `method` does not name
 */
export async function fitSequential(
  data: Table,
  options: SequentialOptions,
  defaultMethod: string,
  random: Streams,
  run: FitHow = {},
): Promise<FittedSynthesizer> {
  const { strata } = options
  if (strata.length === 0) return fitTogether(data, options, defaultMethod, random, run)
  const variables = planVariables(data, options, defaultMethod)
  if (variables.some(({ method }) => method === KEEP))
    throw new UserError('strata: a variable that is kept as in the original cannot be made stratum by stratum')
  const names = variables.map(({ name }) => name)
  return fitStrata(data, strata, names, random, (stratum, streams) =>
    fitTogether(stratum, options, defaultMethod, streams, run),
  )
}

async function fitTogether(
  data: Table,
  options: SequentialOptions,
  defaultMethod: string,
  random: Streams,
  run: FitHow,
): Promise<FittedSynthesizer> {
  const variables = planVariables(data, options, defaultMethod)
  const fits = await fitParts(variables, options, { options, random, how: run })
  const generator: Generator = { data, variables, fitOf: (part) => fits.get(part) ?? constant(0, 0) }
  const warnings = [...variables.flatMap((variable) => variable.warnings), ...fewRecords(data, variables.length)]
  const parts = variables.flatMap((variable) => variable.parts)
  return {
    sample: (rows, streams) => sampleRecords(generator, rows, streams),
    describe: () => ({ variables: parts.map((part) => describePart(part, generator)), warnings }),
    ...(variables.every(hasProbability) ? { logProb: (records) => logProbability(generator, records) } : {}),
  }
}

interface Generator {
  readonly data: Table
  readonly variables: readonly Variable[]
  readonly fitOf: (part: Part) => FittedVariable
}

function sampleRecords({ data, variables, fitOf }: Generator, rows: number, random: Streams): Table {
  const keptNames = variables.filter(({ method }) => method === KEEP).map(({ name }) => `"${name}"`)
  if (keptNames.length > 0 && rows !== data.rows)
    throw new UserError(
      `${keptNames.join(', ')} ${keptNames.length === 1 ? 'is' : 'are'} kept as in the original, so there must be ${data.rows} records, not ${rows}`,
    )
  const made = new Map<string, readonly Column[]>()
  const finished = new Map<string, Column>()
  for (const variable of variables) {
    const predicting = predictorTable(
      variable.predictors.flatMap((name) => made.get(name) ?? []),
      rows,
    )
    const ruled = ruledRows(variable.rules, (name) => finished.get(name) ?? columnOf(data, name), rows)
    const parts = variable.parts.map((part, k) => {
      const drawn = fitOf(part).draw(predicting, random(purposeOf(part)))
      const values = part.part === 'value' ? smoothed(variable, drawn, random) : drawn
      return partColumn(part.column, setByRule(variable.rules, ruled, k, values))
    })
    made.set(variable.name, zeroSpecials(parts))
    finished.set(variable.name, decode(variable.coding, parts, random))
  }
  const columns = data.columns.flatMap(({ name }) => finished.get(name) ?? [])
  return table(`${data.name} (synthetic)`, columns)
}

function smoothed({ name, smoothing }: Variable, drawn: Float64Array, random: Streams): Float64Array {
  if (smoothing.kind === 'none') return drawn
  if (smoothing.kind !== 'kernel') return smoothByRank(drawn, smoothing.kind, smoothing.rounding)
  return smoothing.kernel === null ? drawn : addKernelNoise(drawn, smoothing.kernel, random(`${name}/smoothing`))
}

function setByRule(rules: readonly Rule[], ruled: Int32Array, part: number, values: Float64Array): Float64Array {
  if (rules.length === 0) return values
  return values.map((value, row) => (ruled[row] === NO_RULE ? value : rules[ruled[row]].values[part]))
}

function partColumn(like: Column, values: Float64Array): Column {
  return like.kind === 'categorical' ? { ...like, codes: new Int32Array(values) } : { ...like, values }
}

/** The number of a special value is 0, as the methods have seen it. */
function zeroSpecials(parts: readonly Column[]): readonly Column[] {
  const [special, value] = parts
  if (parts.length === 1 || value.kind === 'categorical') return parts
  const regular = isRegular(parts)
  return [special, { ...value, values: value.values.map((number, row) => (regular(row) ? number : 0)) }]
}

/** Smoothing by rank looks at all draws together, so single records have no probability of their own. */
function hasProbability({ smoothing }: Variable): boolean {
  return smoothing.kind === 'none' || smoothing.kind === 'kernel'
}

function logProbability({ variables, fitOf }: Generator, records: Table): Float64Array {
  const { rows } = records
  const total = new Float64Array(rows)
  const encoded = new Map<string, readonly Column[]>()
  for (const variable of variables) {
    const column = findColumn(records, variable.name)
    if (column === undefined) throw new UserError(`${records.name} has no column "${variable.name}"`)
    const parts = encode(variable.coding, column)
    const predicting = predictorTable(
      variable.predictors.flatMap((name) => encoded.get(name) ?? []),
      rows,
    )
    encoded.set(variable.name, parts)
    const ruled = ruledRows(variable.rules, (name) => columnOf(records, name), rows)
    const regular = isRegular(parts)
    const kernel = variable.smoothing.kind === 'kernel' ? variable.smoothing.kernel : null
    variable.parts.forEach((part, k) => {
      const values = numbersOf(parts[k])
      const isValue = part.part === 'value'
      const logs = fitOf(part).logProb(predicting, values, isValue ? kernel : null)
      for (let row = 0; row < rows; row++) {
        if (ruled[row] !== NO_RULE) {
          if (values[row] !== variable.rules[ruled[row]].values[k]) total[row] = Number.NEGATIVE_INFINITY
        } else if (!isValue || regular(row)) total[row] += logs[row]
      }
    })
    const within = logWithinGroup(variable.coding, column)
    if (within !== null) for (let row = 0; row < rows; row++) total[row] += within[row]
  }
  return total
}

function describePart(part: Part, { fitOf, variables }: Generator): JsonObject {
  const variable = variables.find(({ name }) => name === part.variable)
  const smoothing = part.part === 'value' && variable !== undefined ? describeSmoothing(variable.smoothing) : {}
  const fit = fitOf(part).describe()
  const grouped = variable?.coding.kind === 'groups' ? { method: `${fit.method}, number drawn within its group` } : {}
  return {
    variable: part.variable,
    part: part.part,
    predictors: variable?.predictors.length ?? 0,
    ...{ leaves: 0, smallestLeaf: null, largestLeaf: null },
    ...fit,
    ...grouped,
    ...smoothing,
  }
}

function describeSmoothing(smoothing: Smooth): JsonObject {
  if (smoothing.kind === 'none') return {}
  if (smoothing.kind !== 'kernel') return { smoothing: smoothing.kind }
  return { smoothing: 'density', bandwidth: smoothing.kernel?.bandwidth ?? null }
}

const RECORDS_FOR_ANY = 100
const RECORDS_PER_VARIABLE = 10

function fewRecords({ rows }: Table, variables: number): string[] {
  const wanted = RECORDS_FOR_ANY + RECORDS_PER_VARIABLE * variables
  if (rows >= wanted) return []
  return [`${count(rows, 'record')} are few for ${count(variables, 'variable')}: at least ${wanted} are advised`]
}
