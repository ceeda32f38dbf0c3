import {
  type CorrelationOutput,
  cellName,
  type SummaryOutput,
  type TableOutput,
} from '../../description/description.js'
import type { OutputValue } from '../../description/value.js'
import { subsets } from '../../numbers/crossed.js'
import { QUANTILES } from '../../numbers/recompute.js'
import type { CodedVariable } from '../records/coded-records.js'
import { codesAt, jointCode } from '../records/joint-code.js'
import type { Feature, MomentElement, MomentsAim } from '../records/moments.js'
import {
  aimsFor,
  asPrinted,
  type Frame,
  finder,
  framed,
  type Prepared,
  type Scale,
  spreadOf,
  withoutNaN,
} from './aims.js'

/** Tables with their totals, and summaries, cell by cell. */
export function prepareCells(output: TableOutput | SummaryOutput, frame: Frame): Prepared {
  const isTable = output.kind === 'table'
  const statistics = isTable ? [output.statistic] : output.statistics
  const margins = isTable && output.totals ? subsets(output.by) : [output.by]
  return {
    output,
    left: [],
    aims: (values, scale, share) =>
      margins.flatMap((by) => cellAims(output, by, statistics, values, scale, share, frame)),
  }
}

/** `by` is a margin of what the output is crossed by. */
function cellAims(
  output: TableOutput | SummaryOutput,
  by: readonly string[],
  statistics: readonly string[],
  values: readonly OutputValue[],
  scale: Scale,
  share: number,
  frame: Frame,
): MomentsAim[] {
  const { variables, indexOf } = frame
  const axes = by.map(indexOf)
  const joint = jointCode(axes, variables)
  const find = finder(values)
  const cellOf = new Int32Array(joint.places).fill(-1)
  const printed: OutputValue[][] = []
  for (let place = 0; place < joint.places; place++) {
    const codes = codesAt(joint, place)
    if (axes.some((j, k) => codes[k] === variables[j].missing)) continue
    const cell = Object.fromEntries(by.map((name, k) => [name, variables[axes[k]].labels[codes[k]]]))
    const element = output.kind === 'summary' && by.length === 0 ? output.var : cellName(output.by, cell)
    const values = statistics.flatMap((statistic) => find(statistic, element) ?? [])
    if (values.length === 0) continue
    cellOf[place] = printed.length
    printed.push(values)
  }
  const aimed = printed.flat()
  if (aimed.length === 0) return []
  const features = featureList(variables, output.var === undefined ? -1 : indexOf(output.var), printed)
  return [
    {
      ...framed(frame),
      kind: 'moments',
      by: joint.by,
      cellOf,
      cells: printed.length,
      features: features.list,
      elements: printed.flatMap((found, cell) => found.map((value) => momentElement(value, cell, features))),
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
  const single = (numbers: Float64Array): Feature => ({ factors: [{ variable: j, values: numbers, byCell: false }] })
  const list = [single(values), single(values.map((value) => value * value))]
  const first: Record<string, number> = {}
  const held = new Set(printed.flat().flatMap(({ statistic }) => (isHeldByShare(statistic) ? [statistic] : [])))
  for (const statistic of held) {
    first[statistic] = list.length
    const bounds = printed.map((found) => found.find((value) => value.statistic === statistic))
    const byCell = (test: BoundTest): Feature => {
      const isIn = Float64Array.from({ length: printed.length * values.length }, (_, k) => {
        const bound = bounds[Math.floor(k / values.length)]
        return bound !== undefined && test(values[k % values.length], bound) ? 1 : 0
      })
      return { factors: [{ variable: j, byCell: true, values: isIn }] }
    }
    const tests =
      statistic === 'min' ? [isBelow, isNear] : statistic === 'max' ? [isAbove, isNear] : [isAtMost, isBelow]
    list.push(...tests.map(byCell))
  }
  return { list, first, spread: spreadOf(variables[j].values).spread }
}

type BoundTest = (x: number, bound: OutputValue) => boolean
const isBelow: BoundTest = (x, bound) => x < asPrinted(bound) - bound.precision
const isAbove: BoundTest = (x, bound) => x > asPrinted(bound) + bound.precision
const isNear: BoundTest = (x, bound) => Math.abs(x - asPrinted(bound)) <= bound.precision
const isAtMost: BoundTest = (x, bound) => x <= asPrinted(bound) + bound.precision

function isHeldByShare(statistic: string): boolean {
  return statistic === 'min' || statistic === 'max' || QUANTILES[statistic] !== undefined
}

/** Units of a number per unit of share, where its density is that of a normal in the middle. */
const SPREADS_PER_SHARE = Math.sqrt(2 * Math.PI)

function momentElement(value: OutputValue, cell: number, { first, spread }: FeatureList): MomentElement {
  const { statistic } = value
  const plain = { cell, parameter: 0, slope: 0 }
  const probability = QUANTILES[statistic]
  const held = [first[statistic], first[statistic] + 1]
  if (probability !== undefined)
    return { cell, what: 'quantile', features: held, parameter: probability, slope: SPREADS_PER_SHARE * spread }
  switch (statistic) {
    case 'count':
    case 'n':
      return { ...plain, what: 'count', features: [] }
    case 'percentage':
      return { ...plain, what: 'share', features: [], parameter: totalOf(value) }
    case 'min':
    case 'max':
      return { ...plain, what: 'extreme', features: held, slope: spread }
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

/** A correlation by the sums of its variables and of their products. */
export function prepareCorrelation(output: CorrelationOutput, frame: Frame): Prepared {
  const { vars } = output
  const byRank = output.method === 'spearman'
  const factors = vars.map((name) => {
    const variable = frame.indexOf(name)
    return { variable, values: standardised(frame.variables[variable], byRank), byCell: false }
  })
  const products = vars.flatMap((_, i) => vars.slice(i).map((_, j) => [i, i + j] as const))
  const features: Feature[] = [
    ...factors.map((factor) => ({ factors: [factor] })),
    ...products.map(([i, k]) => ({ factors: [factors[i], factors[k]] })),
  ]
  const product = (i: number, k: number) => vars.length + products.findIndex(([a, b]) => a === i && b === k)
  return {
    output,
    left: [],
    aims(values, scale, share): MomentsAim[] {
      const known = products.flatMap(([i, k]) => {
        const value = i === k ? undefined : values.find(({ element }) => element === `${vars[i]}, ${vars[k]}`)
        return value === undefined ? [] : [{ i, k, value }]
      })
      if (known.length === 0) return []
      const numbers = known.map(({ value }) => value)
      return [
        {
          ...framed(frame),
          kind: 'moments',
          by: [],
          cellOf: Int32Array.of(0),
          cells: 1,
          features,
          elements: known.map(({ i, k }) => ({
            cell: 0,
            what: 'correlation',
            features: [i, k, product(i, i), product(k, k), product(i, k)],
            parameter: 0,
            slope: 0,
          })),
          aims: aimsFor(numbers, scale, share / numbers.length),
        },
      ]
    },
  }
}

/** Numbers around 0 with spread 1 over the codes, or ranks of the codes: correlations do not mind. */
function standardised({ values, shares }: CodedVariable, byRank: boolean): Float64Array {
  if (byRank) return midRanks(values, shares)
  const { centre, spread } = spreadOf(values)
  return values.map((value) => (Number.isNaN(value) ? 0 : (value - centre) / spread))
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
