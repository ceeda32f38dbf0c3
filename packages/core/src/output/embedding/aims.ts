import { math } from '@scrim/kernels'
import { UserError } from '../../errors.js'
import { fixed } from '../../print.js'
import { parseCondition } from '../../table/condition.js'
import { columnOf, type Table } from '../../table/table.js'
import {
  type CorrelationOutput,
  cellName,
  type Output,
  type RegressionOutput,
  type SummaryOutput,
  type TableOutput,
  variablesOf,
} from '../description/description.js'
import { MODEL, type OutputValue } from '../description/value.js'
import { labelled } from '../description/variables.js'
import { type DesignTerm, designOf, INTERCEPT } from '../numbers/design.js'
import { QUANTILES } from '../numbers/recompute.js'
import { classTerm } from '../numbers/regression.js'
import { type CodedVariable, decoded, emptyCodes } from './coded-records.js'
import type { Aim } from './ledger.js'
import type { Feature, MomentElement, MomentsAim } from './moments.js'
import type { ColumnBlock, ScoreAim, ScoreElement } from './score.js'
import type { Aims, Condition, Included } from './statistic.js'

/**
 * From a described output and its numbers to what a search can aim at. The numbers are taken as printed: what an outsider has.
 * A percentage is held as a count of its total, as if the total were public.
 */
export const SCALES = ['joint', 'se', 'raw', 'print'] as const
/**
 * What a difference is divided by: the standard error of the number, nothing, or half a unit of its last printed digit. `joint` is
 * `se` with the coefficients of a model taken together.
 */
export type Scale = (typeof SCALES)[number]

export interface Prepared {
  readonly output: Output
  /** The aims for these numbers, weighing `share` in the error; `base` has the coefficients that scores are taken at, if not the printed ones. */
  aims(values: readonly OutputValue[], scale: Scale, share: number, base?: 'printed' | 'exact'): Aim[]
  /** Why a part of it cannot be aimed at. */
  readonly left: readonly string[]
}

/** Everything about an output that does not depend on its numbers. `data` has its columns and levels. */
export function prepareOutput(output: Output, data: Table, variables: readonly CodedVariable[]): Prepared {
  const frame: Frame = {
    variables,
    indexOf: (name) => variables.findIndex((variable) => variable.name === name),
    included: includedBy(output, data, variables),
    weight: weightOf(output, variables),
  }
  switch (output.kind) {
    case 'regression':
      return prepareRegression(output, data, frame)
    case 'table':
      return prepareTable(output, frame)
    case 'summary':
      return prepareSummary(output, frame)
    case 'correlation':
      return prepareCorrelation(output, frame)
  }
}

interface Frame {
  readonly variables: readonly CodedVariable[]
  indexOf(name: string): number
  readonly included: Included
  readonly weight: ScoreAim['weight']
}

/** A number as it is printed. */
export function asPrinted({ value, decimals, precision }: OutputValue): number {
  const isRounded = precision > 0.5 / math.pow(10, decimals)
  return isRounded ? value : Number(fixed(value, Math.min(decimals, 15)))
}

function aimsFor(values: readonly OutputValue[], scale: Scale, share: number): Aims {
  return {
    names: values.map(({ element, statistic }) => (values.length > 1 ? `${element} ${statistic}` : element)),
    targets: Float64Array.from(values, asPrinted),
    halfUnits: Float64Array.from(values, ({ precision }) => precision),
    scales: Float64Array.from(values, (value) => scaleOf(value, scale)),
    weights: new Float64Array(values.length).fill(share),
  }
}

const WITHOUT_ERROR = 0.01

/** A number without a standard error counts as known to 1 %. */
function scaleOf({ value, precision, standardError }: OutputValue, scale: Scale): number {
  if (scale === 'raw') return 1
  if (scale === 'print') return precision
  const known = standardError !== null && standardError > 0 ? standardError : WITHOUT_ERROR * Math.abs(value)
  return Math.max(known, precision)
}

const MOST_JOINT = 4_000_000

/** Records of the filter in which nothing that the output needs is missing. */
function includedBy(output: Output, data: Table, variables: readonly CodedVariable[]): Included {
  const needed = variablesOf(output)
  const allowed: Condition[] = variables.flatMap(({ name, labels, missing }, variable) => {
    if (missing < 0 || !needed.includes(name)) return []
    return [{ variable, codes: Uint8Array.from(labels, (_, code) => (code === missing ? 0 : 1)) }]
  })
  if (output.filter === null) return { allowed, joint: null }
  const condition = parseCondition(output.filter, data, `output "${output.id}": filter`)
  const own = condition.names.map((name) => variables.findIndex((variable) => variable.name === name))
  const sizes = own.map((j) => variables[j].labels.length)
  const total = sizes.reduce((product, size) => product * size, 1)
  if (total > MOST_JOINT)
    throw new UserError(
      `output "${output.id}": the variables of its filter have ${total} combinations, more than ${MOST_JOINT}`,
    )
  const subset = own.map((j) => variables[j])
  const codes = emptyCodes(subset, total)
  const strides = stridesOf(sizes)
  for (let place = 0; place < total; place++)
    for (let k = 0; k < own.length; k++) codes[place * own.length + k] = Math.floor(place / strides[k]) % sizes[k]
  const all = decoded('filter', { variables: subset, codes, rows: total })
  return { allowed, joint: { variables: own, strides, holds: condition.holds((name) => columnOf(all, name), total) } }
}

/** The first runs fastest. */
function stridesOf(sizes: readonly number[]): number[] {
  const strides: number[] = []
  let stride = 1
  for (const size of sizes) {
    strides.push(stride)
    stride *= size
  }
  return strides
}

function weightOf(output: Output, variables: readonly CodedVariable[]): ScoreAim['weight'] {
  if (output.weights === null) return null
  const variable = variables.findIndex(({ name }) => name === output.weights)
  return { variable, values: withoutNaN(variables[variable].values) }
}

function withoutNaN(values: Float64Array): Float64Array {
  return values.map((value) => (Number.isNaN(value) ? 0 : value))
}

function prepareRegression(output: RegressionOutput, data: Table, frame: Frame): Prepared {
  const terms = designOf(
    output,
    data,
    Int32Array.from({ length: Math.min(1, data.rows) }, (_, row) => row),
  ).terms
  const names = [...(output.intercept ? [INTERCEPT] : []), ...terms.map(({ name }) => name)]
  const response = frame.indexOf(output.response)
  const { classes, responses } = responseCodes(output, data, frame.variables[response])
  const reports = new Set<string>(output.report)
  const left: string[] = []
  if (!reports.has('estimate') && !reports.has('ratio'))
    left.push(`output "${output.id}" prints no coefficients, so that nothing of it is embedded`)
  if (output.family === 'multinomial' && reports.has('se'))
    left.push(`output "${output.id}": standard errors of a multinomial model are not embedded`)
  if (output.weights !== null && reports.has('se'))
    left.push(`output "${output.id}": standard errors of weighted estimates are not embedded`)
  const wantsErrors = output.family !== 'multinomial' && output.weights === null

  return {
    output,
    left,
    aims(values, scale, share, base = 'printed') {
      const byName = new Map(values.map((value) => [`${value.statistic} ${value.element}`, value]))
      const estimateOf = (element: string) =>
        byName.get(`estimate ${element}`) ?? fromRatio(byName.get(`ratio ${element}`))
      const full = (level: string | null, name: string) => (level === null ? name : classTerm(level, name))
      const kept = names.flatMap((name, column) =>
        classes.every((level) => estimateOf(full(level, name)) !== undefined) ? [column] : [],
      )
      const coefficients = classes.flatMap((level) =>
        kept.flatMap((column) => estimateOf(full(level, names[column])) ?? []),
      )
      if (coefficients.length === 0) return []
      const elements: ScoreElement[] = coefficients.map((_, at) => ({ what: 'estimate', at }))
      const aimed = [...coefficients]
      if (wantsErrors)
        kept.forEach((column, at) => {
          const error = byName.get(`se ${names[column]}`)
          if (error === undefined) return
          elements.push({ what: 'se', at })
          aimed.push(error)
        })
      for (const what of ['logLik', 'deviance', 'sigma', 'r2'] as const) {
        const value = byName.get(`${what} ${MODEL}`)
        if (value === undefined || output.weights !== null) continue
        elements.push({ what, at: 0 })
        aimed.push(value)
      }
      const place = new Map(kept.map((column, slot) => [names[column], slot]))
      return [
        {
          kind: 'regression',
          output: output.id,
          family: output.family,
          variables: frame.variables.length,
          included: frame.included,
          response,
          responses,
          weight: frame.weight,
          columns: columnBlocks(output, terms, place, frame),
          centred: output.intercept,
          width: kept.length,
          classes: classes.length,
          published: Float64Array.from(coefficients, (one) => (base === 'exact' ? one.value : asPrinted(one))),
          elements,
          aims: aimsFor(aimed, scale, share / aimed.length),
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

/** Terms over the same variables share a block; `place` says which column a term is, if it has one. */
function columnBlocks(
  output: RegressionOutput,
  terms: readonly DesignTerm[],
  place: ReadonlyMap<string, number>,
  { variables, indexOf }: Frame,
): ColumnBlock[] {
  const intercept = place.get(INTERCEPT)
  const blocks: ColumnBlock[] =
    output.intercept && intercept !== undefined
      ? [{ categories: [], numbers: [], slots: Int32Array.of(intercept) }]
      : []
  const groups = new Map<string, DesignTerm[]>()
  for (const term of terms) {
    const key = JSON.stringify(term.parts.map(({ variable, level }) => [variable, level === null]))
    groups.set(key, [...(groups.get(key) ?? []), term])
  }
  for (const group of groups.values()) {
    const factors = group[0].parts.filter(({ level }) => level !== null).map(({ variable }) => indexOf(variable))
    const numbers = group[0].parts.filter(({ level }) => level === null).map(({ variable }) => indexOf(variable))
    const sizes = factors.map((j) => variables[j].labels.length)
    const strides = stridesOf(sizes)
    const slots = new Int32Array(sizes.reduce((product, size) => product * size, 1)).fill(-1)
    for (const { name, parts } of group) {
      const levels = parts.filter(({ level }) => level !== null)
      const at = levels.reduce(
        (sum, { level }, k) => sum + strides[k] * variables[factors[k]].labels.indexOf(level ?? ''),
        0,
      )
      slots[at] = place.get(name) ?? -1
    }
    blocks.push({
      categories: factors.map((variable, k) => ({ variable, stride: strides[k] })),
      numbers: numbers.map((variable) => ({ variable, values: withoutNaN(variables[variable].values) })),
      slots,
    })
  }
  return blocks
}

function prepareTable(output: TableOutput, frame: Frame): Prepared {
  const masks = output.totals
    ? Array.from({ length: 2 ** output.by.length }, (_, mask) => mask)
    : [2 ** output.by.length - 1]
  const subsets = masks.map((mask) => output.by.filter((_, k) => (mask & (1 << k)) !== 0))
  const statistics = [output.statistic]
  return {
    output,
    left: [],
    aims: (values, scale, share) =>
      subsets.flatMap((by) =>
        cellAims({ output, by, all: output.by, variable: output.var, statistics }, values, scale, share, frame),
      ),
  }
}

function prepareSummary(output: SummaryOutput, frame: Frame): Prepared {
  const { by, statistics } = output
  return {
    output,
    left: [],
    aims: (values, scale, share) =>
      cellAims({ output, by, all: by, variable: output.var, statistics }, values, scale, share, frame),
  }
}

interface Cells {
  readonly output: TableOutput | SummaryOutput
  /** Crossed here; a margin of `all`. */
  readonly by: readonly string[]
  readonly all: readonly string[]
  readonly variable: string | undefined
  readonly statistics: readonly string[]
}

function cellAims(
  { output, by, all, variable, statistics }: Cells,
  values: readonly OutputValue[],
  scale: Scale,
  share: number,
  frame: Frame,
): Aim[] {
  const axes = by.map((name) => frame.indexOf(name))
  const sizes = axes.map((j) => frame.variables[j].labels.length)
  const strides = stridesOf(sizes)
  const places = sizes.reduce((product, size) => product * size, 1)
  const byName = new Map(values.map((value) => [`${value.statistic} ${value.element}`, value]))
  const cellOf = new Int32Array(places).fill(-1)
  const printed: OutputValue[][] = []
  for (let place = 0; place < places; place++) {
    const codes = axes.map((_, k) => Math.floor(place / strides[k]) % sizes[k])
    if (axes.some((j, k) => codes[k] === frame.variables[j].missing)) continue
    const cell = Object.fromEntries(by.map((name, k) => [name, frame.variables[axes[k]].labels[codes[k]]]))
    const element = output.kind === 'summary' && by.length === 0 ? output.var : cellName(all, cell)
    const own = statistics.flatMap((statistic) => byName.get(`${statistic} ${element}`) ?? [])
    if (own.length === 0) continue
    cellOf[place] = printed.length
    printed.push(own)
  }
  const aimed = printed.flat()
  if (aimed.length === 0) return []
  const features = featureList(frame.variables, variable === undefined ? -1 : frame.indexOf(variable), printed)
  const elements = printed.flatMap((own, cell) => own.map((value) => momentElement(value, cell, features)))
  return [
    {
      kind: 'moments',
      output: output.id,
      variables: frame.variables.length,
      included: frame.included,
      weight: frame.weight,
      by: axes.map((axis, k) => ({ variable: axis, stride: strides[k] })),
      cellOf,
      cells: printed.length,
      features: features.list,
      elements,
      aims: aimsFor(aimed, scale, share / values.length),
    },
  ]
}

interface FeatureList {
  readonly list: Feature[]
  readonly first: Readonly<Record<string, number>>
  /** Standard deviation of the variable over its codes, for slopes. */
  readonly spread: number
}

/** x, x² and, for each printed quantile or extreme, whether a record lies at or below it, and below it. */
function featureList(
  variables: readonly CodedVariable[],
  j: number,
  printed: readonly (readonly OutputValue[])[],
): FeatureList {
  if (j < 0) return { list: [], first: {}, spread: 1 }
  const values = withoutNaN(variables[j].values)
  const known = variables[j].values.filter((value) => !Number.isNaN(value))
  const centre = known.reduce((sum, value) => sum + value, 0) / known.length
  const spread = Math.sqrt(known.reduce((sum, value) => sum + (value - centre) ** 2, 0) / known.length) || 1
  const single = (of: Float64Array): Feature => ({ factors: [{ variable: j, values: of, byCell: false }] })
  const list = [single(values), single(values.map((value) => value * value))]
  const first: Record<string, number> = {}
  const held = new Set(printed.flat().flatMap(({ statistic }) => (isHeldByShare(statistic) ? [statistic] : [])))
  for (const statistic of held) {
    first[statistic] = list.length
    const bounds = printed.map((own) => own.find((value) => value.statistic === statistic))
    const byCell = (test: (x: number, bound: OutputValue) => boolean): Feature => ({
      factors: [
        {
          variable: j,
          byCell: true,
          values: Float64Array.from({ length: printed.length * values.length }, (_, k) => {
            const bound = bounds[Math.floor(k / values.length)]
            return bound !== undefined && test(values[k % values.length], bound) ? 1 : 0
          }),
        },
      ],
    })
    const near = (x: number, bound: OutputValue) => Math.abs(x - asPrinted(bound)) <= bound.precision
    if (statistic === 'min')
      list.push(
        byCell((x, b) => x < asPrinted(b) - b.precision),
        byCell(near),
      )
    else if (statistic === 'max')
      list.push(
        byCell((x, b) => x > asPrinted(b) + b.precision),
        byCell(near),
      )
    else
      list.push(
        byCell((x, b) => x <= asPrinted(b) + b.precision),
        byCell((x, b) => x < asPrinted(b) - b.precision),
      )
  }
  return { list, first, spread }
}

function isHeldByShare(statistic: string): boolean {
  return statistic === 'min' || statistic === 'max' || QUANTILES[statistic] !== undefined
}

/** Units of a number per unit of share, where its density is that of a normal in the middle. */
const SPREADS_PER_SHARE = Math.sqrt(2 * Math.PI)

function momentElement(value: OutputValue, cell: number, { first, spread }: FeatureList): MomentElement {
  const { statistic } = value
  const plain = { cell, parameter: 0, slope: 0 }
  const probability = QUANTILES[statistic]
  const own = first[statistic]
  if (probability !== undefined)
    return {
      cell,
      what: 'quantile',
      features: [own, own + 1],
      parameter: probability,
      slope: SPREADS_PER_SHARE * spread,
    }
  switch (statistic) {
    case 'count':
    case 'n':
      return { ...plain, what: 'count', features: [] }
    case 'percentage':
      return { ...plain, what: 'share', features: [], parameter: totalOf(value) }
    case 'min':
    case 'max':
      return { ...plain, what: 'extreme', features: [own, own + 1], slope: spread }
    case 'mean':
    case 'sum':
    case 'variance':
    case 'sd':
      return { ...plain, what: statistic, features: [0, 1] }
  }
  throw new Error(`no moment for ${statistic}`)
}

/** The whole that a percentage is of, from its standard error: 100² (p (1 - p) + 1 / N) / N. */
function totalOf({ value, standardError }: OutputValue): number {
  const p = value / 100
  const squared = ((standardError ?? 1) / 100) ** 2
  const spread = p * (1 - p)
  return (spread + Math.sqrt(spread * spread + 4 * squared)) / (2 * squared)
}

function prepareCorrelation(output: CorrelationOutput, frame: Frame): Prepared {
  const axes = output.vars.map((name) => frame.indexOf(name))
  const numbers = axes.map((j) => standardised(frame.variables[j], output.method === 'spearman'))
  const features: Feature[] = axes.map((variable, k) => ({
    factors: [{ variable, values: numbers[k], byCell: false }],
  }))
  const productOf = new Map<string, number>()
  axes.forEach((a, i) => {
    axes.forEach((b, k) => {
      if (k < i) return
      productOf.set(`${i} ${k}`, features.length)
      features.push({
        factors: [
          { variable: a, values: numbers[i], byCell: false },
          { variable: b, values: numbers[k], byCell: false },
        ],
      })
    })
  })
  const product = (i: number, k: number) => productOf.get(`${i} ${k}`) ?? 0
  const pairs = output.vars.flatMap((a, i) =>
    output.vars.slice(i + 1).map((b, j) => ({ name: `${a}, ${b}`, i, k: i + 1 + j })),
  )
  return {
    output,
    left: [],
    aims(values, scale, share) {
      const found = pairs.flatMap((pair) => {
        const value = values.find(({ element }) => element === pair.name)
        return value === undefined ? [] : [{ ...pair, value }]
      })
      if (found.length === 0) return []
      const aim: MomentsAim = {
        kind: 'moments',
        output: output.id,
        variables: frame.variables.length,
        included: frame.included,
        weight: frame.weight,
        by: [],
        cellOf: Int32Array.of(0),
        cells: 1,
        features,
        elements: found.map(({ i, k }) => ({
          cell: 0,
          what: 'correlation',
          features: [i, k, product(i, i), product(k, k), product(i, k)],
          parameter: 0,
          slope: 0,
        })),
        aims: aimsFor(
          found.map(({ value }) => value),
          scale,
          share / found.length,
        ),
      }
      return [aim]
    },
  }
}

/** Numbers around 0 with spread 1 over the codes, or ranks of the codes: correlations do not mind. */
function standardised(variable: CodedVariable, byRank: boolean): Float64Array {
  const known = variable.values.filter((value) => !Number.isNaN(value)).sort()
  if (byRank) return midRanks(variable.values, variable.shares)
  const centre = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  const spread =
    Math.sqrt(known.reduce((sum, value) => sum + (value - centre) ** 2, 0) / Math.max(1, known.length)) || 1
  return variable.values.map((value) => (Number.isNaN(value) ? 0 : (value - centre) / spread))
}

/** Share of records below each value plus half of those at it. */
function midRanks(values: Float64Array, shares: Float64Array): Float64Array {
  const order = Array.from(values.keys())
    .filter((code) => !Number.isNaN(values[code]))
    .sort((a, b) => values[a] - values[b])
  const ranks = new Float64Array(values.length)
  let below = 0
  for (const code of order) {
    ranks[code] = below + shares[code] / 2
    below += shares[code]
  }
  return ranks
}
