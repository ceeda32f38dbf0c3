import { type CartColumn, type CartNodes, type CartResponse, growCartNodes, math, rankColumn } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { countBelow } from '../../stats/sorted.js'
import type { Records, Variable } from './records.js'

/**
 * Sequential synthesis by trees (`synthesizers/cart.ts`, with its defaults) as the attacker computes it: on codes, with
 * sorted columns shared between worlds and with exact probabilities instead of draws. The first variable is drawn from
 * all records; of every other one
 *
 *   P(v | earlier values) = donors with value v in the leaf / donors in the leaf,
 *
 * the leaf being that of a tree grown on the earlier variables. A level that did not occur where a node was split goes to
 * the heavier child, and to either with one half if they weigh the same. A number with missing values is made in two
 * steps: whether it is missing, then the number.
 */
export interface CartSettings {
  readonly minbucket: number
  readonly cp: number
  readonly collapse: 'risk' | 'gain'
}

export const CART_DEFAULTS: CartSettings = { minbucket: 5, cp: 1e-8, collapse: 'risk' }

const SPLIT_PER_BUCKET = 3
const MOST_DEPTH = 30

/** A column that trees split on: the value of a variable, or whether it is missing. */
interface Predictor {
  readonly variable: number
  readonly isIndicator: boolean
  readonly column: CartColumn
}

/** A grown tree with what its leaves give away: the donors' values, ascending within each leaf. */
export interface CartStep {
  readonly predictors: readonly Predictor[]
  readonly nodes: CartNodes
  readonly donors: Int32Array
}

/** How one variable is made. `indicator` only where numbers are missing; no `value` where all of them are. */
interface CartVariable {
  readonly indicator: CartStep | null
  readonly value: CartStep | null
}

/** Grows the tree of variable `j` on what is known of the variables before it. */
function growVariable(
  variables: readonly Variable[],
  records: Records,
  j: number,
  predictors: readonly Predictor[],
  settings: CartSettings,
): CartVariable {
  const variable = variables[j]
  const codes = records.codes[j]
  if (variable.kind === 'levels') {
    const value = growStep(predictors, { kind: 'classes', codes, classes: variable.codes }, codes, settings)
    return { indicator: null, value }
  }
  if (!hasMissing(variable, codes))
    return { indicator: null, value: growNumbers(variable, codes, predictors, settings) }
  const missing = codes.map((code) => (code === variable.missing ? 1 : 0))
  const indicator = growStep(predictors, { kind: 'classes', codes: missing, classes: 2 }, missing, settings)
  const observed = Int32Array.from(codes.keys()).filter((row) => missing[row] === 0)
  if (observed.length === 0) return { indicator, value: null }
  const among = predictors.map((predictor) => ({ ...predictor, column: columnAmong(predictor.column, observed) }))
  const value = growNumbers(
    variable,
    codes.filter((code) => code !== variable.missing),
    among,
    settings,
  )
  return { indicator, value }
}

function growNumbers(
  variable: Variable,
  codes: Int32Array,
  predictors: readonly Predictor[],
  settings: CartSettings,
): CartStep {
  const values = Float64Array.from(codes, (code) => variable.numbers[code])
  return growStep(predictors, { kind: 'numbers', values }, codes, settings)
}

function growStep(
  predictors: readonly Predictor[],
  response: CartResponse,
  codes: Int32Array,
  { minbucket, cp, collapse }: CartSettings,
): CartStep {
  const nodes = growCartNodes(
    { columns: predictors.map(({ column }) => column), response, weights: null },
    { minsplit: SPLIT_PER_BUCKET * minbucket, minbucket, cp, maxDepth: MOST_DEPTH, collapse },
  )
  const donors = Int32Array.from(nodes.rows, (row) => codes[row])
  for (let node = 0; node < nodes.nodes; node++) {
    if (nodes.variable[node] < 0) donors.subarray(nodes.start[node], nodes.start[node] + nodes.n[node]).sort()
  }
  return { predictors, nodes, donors }
}

function hasMissing(variable: Variable, codes: Int32Array): boolean {
  return variable.missing >= 0 && codes.includes(variable.missing)
}

/** What later trees see of a variable: its value, before it whether it is missing if that occurs (the number is 0 then). */
function predictorsOf(variables: readonly Variable[], records: Records, j: number): Predictor[] {
  const variable = variables[j]
  const codes = records.codes[j]
  if (variable.kind === 'levels') {
    const column: CartColumn = variable.ordered
      ? rankColumn(Float64Array.from(codes))
      : { kind: 'leveled', codes, levels: variable.codes }
    return [{ variable: j, isIndicator: false, column }]
  }
  const value: Predictor = {
    variable: j,
    isIndicator: false,
    column: rankColumn(Float64Array.from(codes, (code) => variable.numbers[code])),
  }
  if (!hasMissing(variable, codes)) return [value]
  const missing = codes.map((code) => (code === variable.missing ? 1 : 0))
  return [{ variable: j, isIndicator: true, column: { kind: 'leveled', codes: missing, levels: 2 } }, value]
}

function columnAmong(column: CartColumn, rows: Int32Array): CartColumn {
  if (column.kind === 'leveled') return { ...column, codes: Int32Array.from(rows, (row) => column.codes[row]) }
  return rankColumn(Float64Array.from(rows, (row) => column.distinct[column.rank[row]]))
}

/** Which way a record goes at a node: below 0 left, above 0 right, 0 either with one half. */
function sideAt(
  { nodes, predictors }: CartStep,
  variables: readonly Variable[],
  records: Records,
  row: number,
  node: number,
): number {
  const { variable, isIndicator } = predictors[nodes.variable[node]]
  const { kind, codes, missing, numbers } = variables[variable]
  const code = records.codes[variable][row]
  const from = nodes.levelStart[node]
  if (from < 0) {
    const value = kind === 'numbers' ? numbers[code] : code
    return value < nodes.threshold[node] === (nodes.lessGoesLeft[node] === 1) ? -1 : 1
  }
  const level = isIndicator ? (code === missing ? 1 : 0) : code
  const side = level < codes || isIndicator ? nodes.levelSide[from + level] : 0
  return side === 0 ? nodes.weight[nodes.right[node]] - nodes.weight[nodes.left[node]] : side
}

/** The leaf of a record, or -1 where a coin decides on the way. */
export function leafOfRecord(step: CartStep, variables: readonly Variable[], records: Records, row: number): number {
  let node = 0
  while (step.nodes.variable[node] >= 0) {
    const side = sideAt(step, variables, records, row, node)
    if (side === 0) return -1
    node = side > 0 ? step.nodes.right[node] : step.nodes.left[node]
  }
  return node
}

/** The share of the donors of `leaf` that have `code`. */
export function shareInLeaf({ nodes, donors }: CartStep, leaf: number, code: number): number {
  const from = nodes.start[leaf]
  const to = from + nodes.n[leaf]
  const first = countBelow(donors, code, from, to)
  return (countBelow(donors, code + 1, first, to) - first) / (to - from)
}

/** As `shareInLeaf`, of the leaves that coins may lead to. */
export function shareByCoins(
  step: CartStep,
  variables: readonly Variable[],
  records: Records,
  row: number,
  code: number,
  node = 0,
): number {
  if (step.nodes.variable[node] < 0) return shareInLeaf(step, node, code)
  const side = sideAt(step, variables, records, row, node)
  const left = () => shareByCoins(step, variables, records, row, code, step.nodes.left[node])
  const right = () => shareByCoins(step, variables, records, row, code, step.nodes.right[node])
  return side === 0 ? (left() + right()) / 2 : side < 0 ? left() : right()
}

/** A generator fitted to one world. */
export interface CartGenerator {
  readonly variables: readonly Variable[]
  readonly fitted: readonly CartVariable[]
}

export function fitCart(variables: readonly Variable[], records: Records, settings: CartSettings): CartGenerator {
  const predictors = variables.map((_, j) => predictorsOf(variables, records, j))
  return {
    variables,
    fitted: variables.map((_, j) => growVariable(variables, records, j, predictors.slice(0, j).flat(), settings)),
  }
}

/** Log probability of each record, minus infinity where it is impossible. */
export function logProbabilities({ variables, fitted }: CartGenerator, records: Records): Float64Array {
  const sums = new Float64Array(records.rows)
  for (const [j, { indicator, value }] of fitted.entries()) {
    for (let row = 0; row < records.rows; row++) {
      const code = records.codes[j][row]
      const missing = code === variables[j].missing && variables[j].kind === 'numbers'
      if (indicator !== null) sums[row] += math.log(shareOf(indicator, variables, records, row, missing ? 1 : 0))
      if (missing ? indicator === null : value === null) sums[row] = Number.NEGATIVE_INFINITY
      else if (!missing && value !== null) sums[row] += math.log(shareOf(value, variables, records, row, code))
    }
  }
  return sums
}

function shareOf(step: CartStep, variables: readonly Variable[], records: Records, row: number, code: number): number {
  const leaf = leafOfRecord(step, variables, records, row)
  return leaf < 0 ? shareByCoins(step, variables, records, row, code) : shareInLeaf(step, leaf, code)
}

/**
 * New records, by inversion: one uniform per record and variable, the donors of the leaf in ascending order. So worlds
 * that are given the same random numbers differ only where their trees do.
 */
export function drawRecords(
  { variables, fitted }: CartGenerator,
  rows: number,
  random: (purpose: string) => Stream,
): Records {
  const codes = variables.map(() => new Int32Array(rows))
  const made: Records = { codes, rows }
  for (const [j, { indicator, value }] of fitted.entries()) {
    const draws = random(variables[j].name)
    const coins = random(`${variables[j].name}/coins`)
    const gaps = random(`${variables[j].name}/missing`)
    for (let row = 0; row < rows; row++) {
      const u = draws.uniform()
      const gap = gaps.uniform()
      const isMissing =
        value === null || (indicator !== null && drawCode(indicator, variables, made, row, gap, coins) === 1)
      codes[j][row] = isMissing ? variables[j].missing : drawCode(value, variables, made, row, u, coins)
    }
  }
  return made
}

function drawCode(
  step: CartStep,
  variables: readonly Variable[],
  made: Records,
  row: number,
  u: number,
  coins: Stream,
): number {
  const { nodes, donors } = step
  let node = 0
  while (nodes.variable[node] >= 0) {
    let side = sideAt(step, variables, made, row, node)
    if (side === 0) side = coins.below(2) === 0 ? -1 : 1
    node = side > 0 ? nodes.right[node] : nodes.left[node]
  }
  return donors[nodes.start[node] + Math.floor(u * nodes.n[node])]
}

/** Leaves of the tree of each variable; 1 where it does not split. */
export function leafCounts({ fitted }: CartGenerator): number[] {
  return fitted.map(({ value }) => (value === null ? 0 : (value.nodes.nodes + 1) / 2))
}
