import type { Costs, TableCost } from '../costs.js'
import { fillCosts } from '../costs.js'
import type { MissingMode } from '../key-costs.js'
import type { Key, LinkedFiles } from '../linked-files.js'

/**
 * Linkage by somebody who knows the transition probabilities of a post-randomised release (PRAM, Gouweleeuw et al. 1998):
 *   P_ij = Π_v T_v[x_iv, a_jv],   r_i = P_it / Σ_j P_ij,
 * the posterior of the true record among the candidates. A key without a matrix was left as it is: it must agree.
 */
interface Transition {
  readonly levels: readonly string[]
  /** matrix[a][b]: probability that level a is released as level b. */
  readonly matrix: readonly (readonly number[])[]
}

export type Transitions = Readonly<Record<string, Transition>>

export function pramCosts(
  files: LinkedFiles,
  transitions: Transitions,
  missing: MissingMode,
  original: 'query' | 'search',
): Costs {
  const keys = files.keys.map((key) => pramCost(key, transitionOf(transitions, key), missing, original === 'query'))
  return { keys, divideBy: null, round: null, leaves: null, searches: files.search.classes }
}

function transitionOf(transitions: Transitions, { name }: Key): Transition | undefined {
  return Object.hasOwn(transitions, name) ? transitions[name] : undefined
}

/** A table over all codes and one for missing, so that what missing costs may depend on the other side. */
function pramCost(key: Key, transition: Transition | undefined, missing: MissingMode, forward: boolean): TableCost {
  const labels = labelsOf(key)
  const places = labels.map((label) => transition?.levels.indexOf(label) ?? -1)
  const probability = (from: number, to: number): number => {
    if (transition === undefined) return from === to ? 1 : 0
    const [a, b] = forward ? [places[from], places[to]] : [places[to], places[from]]
    return a < 0 || b < 0 ? 0 : transition.matrix[a][b]
  }
  const width = labels.length + 1
  const none = labels.length
  const table = new Float64Array(width * width)
  for (let i = 0; i < width; i++)
    for (let j = 0; j < width; j++) {
      const present = Math.min(i, j)
      const isMissing = i === none || j === none
      const chance = !isMissing
        ? probability(i, j)
        : missing === 'mismatch'
          ? 0
          : missing === 'match' && present < none
            ? probability(present, present)
            : 1
      table[i * width + j] = -Math.log(chance)
    }
  const shift = (codes: Int32Array) => codes.map((code) => (code < 0 ? none : code))
  const [query, search] = [shift(key.query), shift(key.search)]
  return { kind: 'table', query, search, width, table, missingQuery: 0, missingSearch: new Float64Array(query.length) }
}

function labelsOf({ levels, numbers }: Key): readonly string[] {
  return levels.length > 0 ? levels : Array.from(numbers, String)
}

/**
 * What the risk is on average over the randomisation of the own record, all others as released: with S_i = Σ_{j≠t} P_ij,
 *   E r_i = Σ_o P(o)² / (S_i + P(o)) over all outcomes o of the record.
 * Exact: outcomes of the same probability are counted together. NaN where a value is missing or has no row in its matrix.
 */
export function expectedPramRisk(files: LinkedFiles, costs: Costs, transitions: Transitions): Float64Array {
  const { query, search, keys } = files
  const outcomes = keys.map((key) => outcomesOf(labelsOf(key), transitionOf(transitions, key)))
  const out = new Float64Array(search.classes)
  const mass = new Float64Array(query.classes)
  const products: ReadonlyMap<number, number>[] = []
  for (let a = 0; a < query.classes; a++) {
    fillCosts(costs, a, out)
    for (let j = 0; j < search.classes; j++) mass[a] += search.counts[j] * Math.exp(-out[j])
    products.push(productsOf(keys.map((key, v) => (key.query[a] < 0 ? null : outcomes[v][key.query[a]]))))
  }
  return Float64Array.from(query.ids, (a, row) => {
    let own = 0
    for (const [v] of keys.entries()) own += ownCost(costs, v, a, search.ids[row])
    const others = mass[a] - Math.exp(-own)
    if (products[a].size === 0) return Number.NaN
    let expected = 0
    for (const [probability, times] of products[a]) expected += (times * probability ** 2) / (others + probability)
    return expected
  })
}

function ownCost(costs: Costs, v: number, query: number, search: number): number {
  const key = costs.keys[v] as TableCost
  return key.table[key.query[query] * key.width + key.search[search]]
}

/** Per code: how often each positive probability occurs in its row; null without a row. */
function outcomesOf(
  labels: readonly string[],
  transition: Transition | undefined,
): readonly (ReadonlyMap<number, number> | null)[] {
  return labels.map((label) => {
    if (transition === undefined) return new Map([[1, 1]])
    const row = transition.levels.indexOf(label)
    return row < 0 ? null : timesOf(transition.matrix[row].filter((chance) => chance > 0).map((chance) => [chance, 1]))
  })
}

/** Probabilities of all outcomes, those that are equal counted together. */
function productsOf(keys: readonly (ReadonlyMap<number, number> | null)[]): ReadonlyMap<number, number> {
  let products: ReadonlyMap<number, number> = new Map([[1, 1]])
  for (const outcomes of keys) {
    if (outcomes === null) return new Map()
    const next: [number, number][] = []
    for (const [p, times] of products) for (const [q, more] of outcomes) next.push([p * q, times * more])
    products = timesOf(next)
  }
  return products
}

/** Products that differ by rounding only are the same. */
function timesOf(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, number> {
  const sums = new Map<string, [number, number]>()
  for (const [value, times] of pairs) {
    const name = value.toPrecision(12)
    const known = sums.get(name)
    if (known === undefined) sums.set(name, [value, times])
    else known[1] += times
  }
  return new Map(sums.values())
}

/** What is wrong with the matrices, one sentence each. */
export function transitionProblems(
  transitions: Transitions,
  keys: readonly { readonly name: string; readonly labels: readonly string[] }[],
): string[] {
  const problems: string[] = []
  for (const [name, { levels, matrix }] of Object.entries(transitions)) {
    const key = keys.find((one) => one.name === name)
    if (key === undefined) problems.push(`there is a transition matrix for "${name}", which is no key`)
    const size = levels.length
    if (matrix.length !== size || matrix.some((row) => row.length !== size))
      problems.push(`the transition matrix of "${name}" must have a row and a column for each of its ${size} levels`)
    const bad = matrix.findIndex((row) => Math.abs(row.reduce((a, b) => a + b, 0) - 1) > 1e-8)
    if (bad >= 0) problems.push(`row ${bad + 1} of the transition matrix of "${name}" does not sum to 1`)
    const absent = (key?.labels ?? []).filter((label) => !levels.includes(label))
    if (absent.length > 0) problems.push(`the transition matrix of "${name}" has no level "${absent[0]}", which occurs`)
  }
  return problems
}
