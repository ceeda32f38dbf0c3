import { UserError } from '../../errors.js'
import { sampleWithReplacement } from '../../random/sampling.js'
import { type Column, columnLength } from '../../table/column.js'
import { copiedFrom } from '../methods/copied.js'
import { constant, sample } from '../methods/donors.js'
import {
  type FittedVariable,
  type Job,
  type MethodContext,
  numbersOf,
  type ResponseKind,
  trainingValues,
  type VariableMethod,
} from '../methods/method.js'
import { findMethod, KEEP, methodForSpecials, PARAMETRIC, parametricMethod } from '../methods/methods.js'
import { NegativeValues } from '../methods/regression.js'
import type { Streams } from '../synthesizer.js'
import type { SequentialOptions } from './options.js'
import type { Part, Variable } from './plan.js'

/** Learns all parts of all variables, each by its method; all impossible methods are reported at once. */
export async function fitParts(
  variables: readonly Variable[],
  options: SequentialOptions,
  context: MethodContext,
): Promise<Map<Part, FittedVariable>> {
  const { steps, problems } = planSteps(variables, options, context.random)
  if (problems.length > 0) throw new UserError(problems)
  const fitted = await fitSteps(steps, context)
  return new Map(variables.flatMap(({ parts }) => parts).map((part, k) => [part, fitted[k]]))
}

/** What is to be learned for a part, and by which method; a fit where there is nothing to learn. */
type Step =
  | { readonly fit: FittedVariable }
  | { readonly method: VariableMethod; readonly job: Job; readonly name: string }

function planSteps(
  variables: readonly Variable[],
  options: SequentialOptions,
  random: Streams,
): { steps: Step[]; problems: string[] } {
  const problems: string[] = []
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  const steps = variables.flatMap((variable) => {
    const before = variable.predictors.flatMap((name) => byName.get(name)?.parts ?? [])
    return variable.parts.map((part): Step => {
      const job: Job = {
        purpose: purposeOf(part),
        response: part.column,
        predictors: before.map(({ column }) => column),
        rows: part.rows,
      }
      return planStep(variable, part, job, options, random, problems)
    })
  })
  return { steps, problems: [...new Set(problems)] }
}

function planStep(
  variable: Variable,
  part: Part,
  job: Job,
  options: SequentialOptions,
  random: Streams,
  problems: string[],
): Step {
  const values = trainingValues(job)
  if (variable.method === KEEP) return { fit: kept(part.column) }
  if (values.length === 0) return { fit: constant(0, 0) }
  const kind = responseKind(variable, part, values)
  let method = chosenMethod(variable, part, kind)
  const problem = method.problem(kind)
  if (problem !== undefined) problems.push(`method of "${variable.name}": ${problem}`)
  if (kind.levels === 1) return { fit: constant(values[0], values.length) }
  if (job.predictors.length === 0) method = sample
  else if (method !== sample && method.withinCells !== true) {
    const twin = copiedFrom(job)
    if (twin !== null) return { fit: twin }
    problems.push(...tooManyLevels(job, options.maxFacLevels))
  }
  if (!options.proper || method.proper === 'parameters') return { method, job, name: variable.name }
  const drawn = sampleWithReplacement(random(`${job.purpose}/bootstrap`), values.length, values.length)
  const { rows } = job
  return { method, job: { ...job, rows: rows === null ? drawn : drawn.map((k) => rows[k]) }, name: variable.name }
}

function chosenMethod({ method }: Variable, { part }: Part, kind: ResponseKind): VariableMethod {
  if (method === PARAMETRIC) return parametricMethod(kind)
  const usual = findMethod(method)
  return part === 'special' ? methodForSpecials(usual, kind) : usual
}

function responseKind({ coding }: Variable, { column }: Part, values: Float64Array): ResponseKind {
  const isLevels = column.kind === 'categorical'
  const varies = () => values.some((value) => value !== values[0])
  const missingCode = isLevels && coding.kind !== 'number' && coding.missing ? column.levels.length - 1 : -1
  return {
    kind: isLevels ? 'levels' : 'number',
    levels: isLevels ? countCodes(values, column.levels.length) : varies() ? 2 : 1,
    ordered: isLevels && column.ordered,
    missing: isLevels && values.includes(missingCode),
  }
}

/** How many of the levels occur. */
function countCodes(codes: Float64Array, levels: number): number {
  const occurs = new Uint8Array(levels)
  for (let row = 0; row < codes.length; row++) occurs[codes[row]] = 1
  return occurs.filter((one) => one === 1).length
}

function tooManyLevels({ response, predictors }: Job, most: number): string[] {
  return [response, ...predictors].flatMap((column) => {
    if (column.kind !== 'categorical' || column.levels.length <= most) return []
    return [
      `"${column.name}" has ${column.levels.length} levels, more than ${most}: group them, give it the method sample and no others to predict, or raise maxFacLevels`,
    ]
  })
}

async function fitSteps(steps: readonly Step[], context: MethodContext): Promise<FittedVariable[]> {
  const fitted = new Map<Step, FittedVariable>()
  const byMethod = new Map<VariableMethod, Extract<Step, { job: Job }>[]>()
  for (const step of steps) {
    if ('fit' in step) fitted.set(step, step.fit)
    else byMethod.set(step.method, [...(byMethod.get(step.method) ?? []), step])
  }
  for (const [method, own] of byMethod) {
    const fits = await method
      .fit(
        own.map(({ job }) => job),
        context,
      )
      .catch((error: unknown) => {
        if (error instanceof NegativeValues)
          throw new UserError(`method of ${own.map(({ name }) => `"${name}"`).join(' or ')}: ${error.message}`)
        throw error
      })
    for (const [k, step] of own.entries()) fitted.set(step, fits[k])
  }
  return steps.map((step) => fitted.get(step) ?? constant(0, 0))
}

/** Random numbers of a part. */
export function purposeOf({ variable, part }: Part): string {
  return part === 'special' ? `${variable}/missing` : variable
}

/** The original values, record by record. */
function kept(column: Column): FittedVariable {
  return {
    draw: () => numbersOf(column),
    logProb: ({ rows }) => new Float64Array(rows),
    describe: () => ({ method: 'kept as it is', donors: columnLength(column) }),
  }
}
