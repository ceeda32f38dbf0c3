import { math } from '@scrim/kernels'
import { INTERCEPT } from '../../../learners/coding/coded-terms.js'
import { columnOf, type Table } from '../../../table/table.js'
import type { RegressionOutput } from '../../description/description.js'
import { MODEL, type OutputValue } from '../../description/value.js'
import { labelled } from '../../description/variables.js'
import { type DesignTerm, designOf } from '../../numbers/design.js'
import { classTerm } from '../../numbers/regression.js'
import type { CodedVariable } from '../records/coded-records.js'
import { jointCode } from '../records/joint-code.js'
import type { ColumnBlock } from '../records/score.js'
import { aimsFor, asPrinted, type Frame, finder, framed, type Prepared, withoutNaN } from './aims.js'

/** A regression by its coefficients, and what else is printed of it. */
export function prepareRegression(output: RegressionOutput, data: Table, frame: Frame): Prepared {
  const { terms } = designOf(output, data, new Int32Array(Math.min(1, data.rows)))
  const names = [...(output.intercept ? [INTERCEPT] : []), ...terms.map(({ name }) => name)]
  const response = frame.indexOf(output.response)
  const { classes, responses } = responseCodes(output, data, frame.variables[response])
  const reports = new Set<string>(output.report)
  const isMultinomial = output.family === 'multinomial'
  const hasErrors = reports.has('se')
  const left = [
    ...(reports.has('estimate') || reports.has('ratio')
      ? []
      : [`output "${output.id}" prints no coefficients, so that nothing of it is embedded`]),
    ...(isMultinomial && hasErrors
      ? [`output "${output.id}": standard errors of a multinomial model are not embedded`]
      : []),
    ...(output.weights !== null && hasErrors
      ? [`output "${output.id}": standard errors of weighted estimates are not embedded`]
      : []),
  ]

  return {
    output,
    left,
    aims(values, scale, share, base = 'printed') {
      const find = finder(values)
      const estimateOf = (level: string | null, name: string) => {
        const element = level === null ? name : classTerm(level, name)
        return find('estimate', element) ?? fromRatio(find('ratio', element))
      }
      const kept = names.filter((name) => classes.every((level) => estimateOf(level, name) !== undefined))
      const coefficients = classes.flatMap((level) => kept.flatMap((name) => estimateOf(level, name) ?? []))
      if (coefficients.length === 0) return []
      const estimates = coefficients.map((value, at) => ({ what: 'estimate' as const, at, value }))
      const errors = kept.flatMap((name, at) => {
        const value = isMultinomial || output.weights !== null ? undefined : find('se', name)
        return value === undefined ? [] : [{ what: 'se' as const, at, value }]
      })
      const whole = (['logLik', 'deviance', 'sigma', 'r2'] as const).flatMap((what) => {
        const value = output.weights === null ? find(what, MODEL) : undefined
        return value === undefined ? [] : [{ what, at: 0, value }]
      })
      const aimed = [...estimates, ...errors, ...whole]
      const numbers = aimed.map(({ value }) => value)
      return [
        {
          ...framed(frame),
          kind: 'regression',
          family: output.family,
          response,
          responses,
          columns: columnBlocks(terms, new Map(kept.map((name, slot) => [name, slot])), frame),
          centred: output.intercept,
          width: kept.length,
          classes: classes.length,
          published: Float64Array.from(coefficients, (one) => (base === 'exact' ? one.value : asPrinted(one))),
          elements: aimed.map(({ what, at }) => ({ what, at })),
          aims: aimsFor(numbers, scale, share / numbers.length),
          joint: scale === 'joint',
        },
      ]
    },
  }
}

/** The coefficient behind an odds or rate ratio. */
function fromRatio(ratio: OutputValue | undefined): OutputValue | undefined {
  if (ratio === undefined || !(ratio.value > 0)) return undefined
  const printed = Math.max(asPrinted(ratio), ratio.precision)
  const error = ratio.standardError === null ? null : ratio.standardError / printed
  return {
    ...ratio,
    statistic: 'estimate',
    value: math.log(printed),
    decimals: 15,
    precision: ratio.precision / printed,
    standardError: error,
  }
}

function responseCodes(output: RegressionOutput, data: Table, variable: CodedVariable) {
  if (output.family === 'linear' || output.family === 'poisson')
    return { classes: [null], responses: withoutNaN(variable.values) }
  const { levels } = labelled(columnOf(data, output.response))
  if (output.family === 'logistic') {
    const event = output.event ?? levels[levels.length - 1]
    return { classes: [null], responses: Float64Array.from(variable.labels, (label) => (label === event ? 1 : 0)) }
  }
  const baseline = output.baseline ?? levels[0]
  const classes = levels.filter((level) => level !== baseline)
  return { classes, responses: Float64Array.from(variable.labels, (label) => classes.indexOf(label) + 1) }
}

/** Terms over the same variables share a block; `slotOf` says which column a term is, if it has one. */
function columnBlocks(
  terms: readonly DesignTerm[],
  slotOf: ReadonlyMap<string, number>,
  { variables, indexOf }: Frame,
): ColumnBlock[] {
  const intercept = slotOf.get(INTERCEPT)
  const constant = intercept === undefined ? [] : [{ categories: [], numbers: [], slots: Int32Array.of(intercept) }]
  const groups = new Map<string, DesignTerm[]>()
  for (const term of terms) {
    const key = JSON.stringify(term.parts.map(({ variable, level }) => [variable, level === null]))
    groups.set(key, [...(groups.get(key) ?? []), term])
  }
  const factorsOf = ({ parts }: DesignTerm) => parts.filter(({ level }) => level !== null)
  const blocks = [...groups.values()].map((group) => {
    const factors = factorsOf(group[0]).map(({ variable }) => indexOf(variable))
    const numbers = group[0].parts.filter(({ level }) => level === null).map(({ variable }) => indexOf(variable))
    const { by, places } = jointCode(factors, variables)
    const slots = new Int32Array(places).fill(-1)
    for (const term of group) {
      const codes = factorsOf(term).map(({ level }, k) => variables[factors[k]].labels.indexOf(level ?? ''))
      slots[codes.reduce((place, code, k) => place + by[k].stride * code, 0)] = slotOf.get(term.name) ?? -1
    }
    return {
      categories: by,
      numbers: numbers.map((variable) => ({ variable, values: withoutNaN(variables[variable].values) })),
      slots,
    }
  })
  return [...constant, ...blocks]
}
