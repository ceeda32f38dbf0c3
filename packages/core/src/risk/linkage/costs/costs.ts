import { groupRows } from '@scrim/kernels'
import { oncePer } from '../../../once.js'
import { addLeaves, type LeafCost } from './leaf-cost.js'
import { addRound, knownCoordinates, type RoundCost } from './round-cost.js'

/**
 * What it costs to take a record of the search file for a person of the query file: a sum over keys, less being nearer,
 *   c(i, j) = Σ_v c_v(x_iv, a_jv)  (+ a Euclidean part, or the trees of a forest in which the two part ways).
 * Distances are such sums, and so are minus log likelihoods. One query is compared with the whole search file at a time,
 * key after key over typed arrays: no pair is stored. A value is missing when it is missing on either side.
 */
export interface Costs {
  readonly keys: readonly KeyCost[]
  /** Where the sum is divided by the weights of what is known on both sides: those weights, by key. */
  readonly divideBy: Float64Array | null
  readonly round: RoundCost | null
  readonly leaves: LeafCost | null
  /** Classes of the search file. */
  readonly searches: number
  /** How far costs of each query are uncertain, where the method knows: the bandwidth of a kernel. */
  readonly widths?: Float64Array | null
}

export type KeyCost = NumberCost | EqualCost | TableCost | StepCost

/** A sum over keys and nothing else. */
export function keyCosts(keys: readonly KeyCost[], searches: number, divideBy: Float64Array | null = null): Costs {
  return { keys, divideBy, round: null, leaves: null, searches }
}

interface Missing {
  /** What a missing value costs: of the query, and per query of the search file. */
  readonly missingQuery: number
  readonly missingSearch: Float64Array
  /** What it costs that both are missing, where that is not what a missing query costs. */
  readonly missingBoth?: number
}

/** scale · |x - a|, at most `cap`. NaN is missing. */
export interface NumberCost extends Missing {
  readonly kind: 'number'
  readonly query: Float64Array
  readonly search: Float64Array
  readonly scale: number
  readonly cap: number
  readonly complete: boolean
}

/** Equal codes cost `agree` of the code, others `disagree`; -1 is missing. */
export interface EqualCost extends Missing {
  readonly kind: 'equal'
  readonly query: Int32Array
  readonly search: Int32Array
  readonly agree: Float64Array
  readonly disagree: number
}

/** Looked up: row `query[i]`, column `search[j]`; -1 is missing. */
export interface TableCost extends Missing {
  readonly kind: 'table'
  readonly query: Int32Array
  readonly search: Int32Array
  readonly width: number
  readonly table: Float64Array
}

/** By how far numbers are apart: costs[k] up to tolerances[k], and the last beyond; equal numbers `exact` of the record where given. */
interface StepCost extends Missing {
  readonly kind: 'step'
  readonly query: Float64Array
  readonly search: Float64Array
  readonly tolerances: Float64Array
  readonly costs: Float64Array
  readonly exact: Float64Array | null
}

/** Costs of one query for all classes of the search file. */
export function fillCosts(costs: Costs, query: number, out: Float64Array): void {
  const { keys, divideBy, round, leaves, searches } = costs
  const { cells, numbers, others } = planOf(costs)
  const start = new Float64Array(cells.count)
  for (const { key, codes } of cells.keys) {
    const seen = prepare(key, query)
    if (seen.kind === 'constant') addConstant(seen.cost, start)
    else if (seen.kind === 'lookup') addLookup(codes, seen.lookup, start, cells.count)
  }
  startFrom(cells.of, start, out, searches)
  for (const [first, second] of numbers) {
    const [x, y] = [first.query[query], second.query[query]]
    if (Number.isNaN(x) || Number.isNaN(y))
      for (const key of [first, second]) addKey(prepare(key, query), out, searches)
    else addTwoNumbers(first.search, x, first.scale, second.search, y, second.scale, out, searches)
  }
  for (const key of others) addKey(prepare(key, query), out, searches)
  if (round !== null) addRound(round, query, out, searches, divideBy !== null)
  if (divideBy !== null) divideByKnown(keys, divideBy, round, query, out, searches)
  if (leaves !== null) addLeaves(leaves, query, out, searches)
}

/**
 * How the keys are gone through: those with codes once per cell, a combination of codes that occurs in the search file;
 * numbers two at a time; the rest one by one.
 */
interface FillPlan {
  readonly cells: {
    readonly of: Int32Array
    readonly count: number
    readonly keys: readonly { readonly key: KeyCost; readonly codes: Int32Array }[]
  }
  readonly numbers: readonly (readonly [NumberCost, NumberCost])[]
  readonly others: readonly KeyCost[]
}

const planOf = oncePer((costs: Costs): FillPlan => {
  const coded = costs.keys.filter((key) => key.kind === 'equal' || key.kind === 'table')
  const { ids, count } = groupRows(
    coded.map((key) => ({ codes: key.search, cardinality: key.kind === 'equal' ? key.agree.length : key.width })),
    costs.searches,
  )
  const first = new Int32Array(count).fill(-1)
  for (let j = 0; j < ids.length; j++) if (first[ids[j]] < 0) first[ids[j]] = j
  const plain = costs.keys.filter(
    (key): key is NumberCost => key.kind === 'number' && key.complete && key.cap === Number.POSITIVE_INFINITY,
  )
  const numbers = Array.from({ length: plain.length >> 1 }, (_, k) => [plain[2 * k], plain[2 * k + 1]] as const)
  const paired = new Set<KeyCost>(numbers.flat())
  return {
    cells: { of: ids, count, keys: coded.map((key) => ({ key, codes: Int32Array.from(first, (j) => key.search[j]) })) },
    numbers,
    others: costs.keys.filter((key) => key.kind !== 'equal' && key.kind !== 'table' && !paired.has(key)),
  }
})

/** A key as seen by one query: a constant, a cost per code (shifted by one, missing first), or numbers. */
type Prepared =
  | { readonly kind: 'constant'; readonly cost: number }
  | { readonly kind: 'lookup'; readonly search: Int32Array; readonly lookup: Float64Array }
  | { readonly kind: 'missing'; readonly search: Float64Array; readonly known: number; readonly both: number }
  | {
      readonly kind: 'number' | 'step'
      readonly key: NumberCost | StepCost
      readonly x: number
      readonly missing: number
    }

function prepare(key: KeyCost, query: number): Prepared {
  const missing = key.missingSearch[query]
  if (key.kind === 'number' || key.kind === 'step') {
    const x = key.query[query]
    if (!Number.isNaN(x)) return { kind: key.kind, key, x, missing }
    if (key.missingBoth === undefined) return { kind: 'constant', cost: key.missingQuery }
    return { kind: 'missing', search: key.search, known: key.missingQuery, both: key.missingBoth }
  }
  const code = key.query[query]
  if (code < 0 && (key.kind === 'table' || key.missingBoth === undefined))
    return { kind: 'constant', cost: key.missingQuery }
  if (key.kind === 'equal') {
    if (code < 0) {
      const lookup = new Float64Array(key.agree.length + 1).fill(key.missingQuery)
      lookup[0] = key.missingBoth ?? 0
      return { kind: 'lookup', search: key.search, lookup }
    }
    const lookup = new Float64Array(key.agree.length + 1).fill(key.disagree)
    lookup[0] = missing
    lookup[code + 1] = key.agree[code]
    return { kind: 'lookup', search: key.search, lookup }
  }
  const lookup = new Float64Array(key.width + 1)
  lookup[0] = missing
  lookup.set(key.table.subarray(code * key.width, (code + 1) * key.width), 1)
  return { kind: 'lookup', search: key.search, lookup }
}

function addKey(seen: Prepared, out: Float64Array, n: number): void {
  if (seen.kind === 'constant') addConstant(seen.cost, out)
  else if (seen.kind === 'lookup') addLookup(seen.search, seen.lookup, out, n)
  else if (seen.kind === 'missing') addMissing(seen.search, seen.known, seen.both, out, n)
  else if (seen.key.kind === 'step') addStep(seen.key, seen.x, seen.missing, out, n)
  else addSomeNumbers(seen.key, seen.x, seen.missing, out, n)
}

// These loops run over every pair of classes: plain functions of typed arrays, so that each is compiled for its own types. Codes
// are looked up, since a branch on a code is guessed wrong half of the time.
function startFrom(cells: Int32Array, start: Float64Array, out: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) out[j] = start[cells[j]]
}

function addConstant(cost: number, out: Float64Array): void {
  for (let j = 0; j < out.length; j++) out[j] += cost
}

function addLookup(search: Int32Array, lookup: Float64Array, out: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) out[j] += lookup[search[j] + 1]
}

function addTwoNumbers(
  first: Float64Array,
  x: number,
  scale: number,
  second: Float64Array,
  y: number,
  otherScale: number,
  out: Float64Array,
  n: number,
): void {
  for (let j = 0; j < n; j++) out[j] += scale * Math.abs(x - first[j]) + otherScale * Math.abs(y - second[j])
}

function addSomeNumbers(
  { search, scale, cap }: NumberCost,
  x: number,
  missing: number,
  out: Float64Array,
  n: number,
): void {
  for (let j = 0; j < n; j++) {
    const cost = scale * Math.abs(x - search[j])
    out[j] += cost <= cap ? cost : cost > cap ? cap : missing
  }
}

function addMissing(search: Float64Array, known: number, both: number, out: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) out[j] += Number.isNaN(search[j]) ? both : known
}

function addStep(key: StepCost, x: number, missing: number, out: Float64Array, n: number): void {
  const { search, tolerances, costs, exact } = key
  const steps = tolerances.length
  for (let j = 0; j < n; j++) {
    const gap = Math.abs(x - search[j])
    if (Number.isNaN(gap)) out[j] += missing
    else if (gap === 0 && exact !== null) out[j] += exact[j]
    else {
      let k = 0
      while (k < steps && gap > tolerances[k]) k++
      out[j] += costs[k]
    }
  }
}

function divideByKnown(
  keys: readonly KeyCost[],
  weights: Float64Array,
  round: RoundCost | null,
  query: number,
  out: Float64Array,
  n: number,
): void {
  for (let j = 0; j < n; j++) {
    let known = round === null ? 0 : knownCoordinates(round, query, j)
    for (let v = 0; v < keys.length; v++) {
      const { query: ours, search } = keys[v]
      if (isKnown(ours[query], keys[v]) && isKnown(search[j], keys[v])) known += weights[v]
    }
    out[j] = known > 0 ? out[j] / known : 0
  }
}

const isKnown = (value: number, { kind }: KeyCost) =>
  kind === 'number' || kind === 'step' ? !Number.isNaN(value) : value >= 0

/** The costs and records of some classes of the search file only, in their order; null for all of them. */
export function within(costs: Costs, counts: Int32Array, searches: Int32Array | null) {
  if (searches === null) return { costs, counts }
  return { costs: restrictCosts(costs, searches), counts: Int32Array.from(searches, (search) => counts[search]) }
}

function restrictCosts(costs: Costs, searches: Int32Array): Costs {
  return {
    ...costs,
    keys: costs.keys.map((key) => restrictKey(key, searches)),
    round: costs.round && { ...costs.round, search: takeBlocks(costs.round.search, costs.round.width, searches) },
    leaves: costs.leaves && {
      ...costs.leaves,
      search: Int32Array.from(takeBlocks(costs.leaves.search, costs.leaves.trees, searches)),
    },
    searches: searches.length,
  }
}

function restrictKey(key: KeyCost, searches: Int32Array): KeyCost {
  if (key.kind === 'number') return { ...key, search: takeNumbers(key.search, searches) }
  if (key.kind === 'step')
    return { ...key, search: takeNumbers(key.search, searches), exact: key.exact && takeNumbers(key.exact, searches) }
  const search = new Int32Array(searches.length)
  for (let k = 0; k < searches.length; k++) search[k] = key.search[searches[k]]
  return { ...key, search }
}

function takeNumbers(values: Float64Array, at: Int32Array): Float64Array {
  const taken = new Float64Array(at.length)
  for (let k = 0; k < at.length; k++) taken[k] = values[at[k]]
  return taken
}

function takeBlocks(values: ArrayLike<number>, width: number, at: Int32Array): Float64Array {
  const taken = new Float64Array(at.length * width)
  for (let k = 0; k < at.length; k++) for (let j = 0; j < width; j++) taken[k * width + j] = values[at[k] * width + j]
  return taken
}

/** What each key adds for one pair, where costs are a sum over keys. */
export function costsByKey(costs: Costs, query: number, search: number): readonly number[] {
  const one = restrictCosts(costs, Int32Array.of(search))
  return one.keys.map((key) => {
    const out = new Float64Array(1)
    addKey(prepare(key, query), out, 1)
    return out[0]
  })
}
