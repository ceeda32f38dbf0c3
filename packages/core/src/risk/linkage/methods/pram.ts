import { math, rowsByGroup } from '@scrim/kernels'
import { z } from 'zod'
import { precise } from '../../../print.js'
import type { Stream } from '../../../random/stream.js'
import { type Costs, fillCosts, keyCosts, type TableCost } from '../costs/costs.js'
import type { MissingMode } from '../costs/key-costs.js'
import type { Key, LinkedFiles } from '../costs/linked-files.js'

/**
 * Linkage by somebody who knows the transition probabilities of a post-randomised release (PRAM, Gouweleeuw et al. 1998):
 *   P_ij = Π_v T_v[x_iv, a_jv],   r_i = P_it / Σ_j P_ij,
 * the posterior of the true record among the candidates. A key without a matrix was left as it is: it must agree.
 */
/** By variable: its levels, and per original level the probability of each released one. */
export const transitionMatrices = z
  .record(
    z.string(),
    z.object({
      levels: z.array(z.string()).min(1).readonly(),
      matrix: z.array(z.array(z.number().min(0).max(1)).readonly()).readonly(),
    }),
  )
  .default({})

export const pramOptions = {
  transitions: transitionMatrices.describe(
    'pram: transition matrix of each randomised key, rows original and columns released, as pram writes it',
  ),
}

export type Transitions = Readonly<z.output<typeof transitionMatrices>>
export type Transition = Transitions[string]

export function pramCosts(
  files: LinkedFiles,
  transitions: Transitions,
  missing: MissingMode,
  original: 'query' | 'search',
): Costs {
  const keys = files.keys.map((key) => pramCost(key, transitionOf(transitions, key), missing, original === 'query'))
  return keyCosts(keys, files.search.classes)
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
      table[i * width + j] = -math.log(chance)
    }
  const shift = (codes: Int32Array) => codes.map((code) => (code < 0 ? none : code))
  const [query, search] = [shift(key.query), shift(key.search)]
  return { kind: 'table', query, search, width, table, missingQuery: 0, missingSearch: new Float64Array(query.length) }
}

function labelsOf({ levels, numbers }: Key): readonly string[] {
  return levels.length > 0 ? levels : Array.from(numbers, String)
}

/**
 * What the risk is on average over the randomisation, for everybody: with S_i what the candidates other than the own record weigh,
 *   E r_i = Σ_o P(o)² / (S_i + P(o)) over all outcomes o of the own record.
 *   own  all other records are as released: S_i = Σ_{j≠t} P_ij
 *   all  they are randomised too: S_i = Σ_{j≠i} Σ_o T(x_j → o) T(x_i → o), the mean over their outcomes. The risk is convex in S_i,
 *        so that this is a lower bound of its mean over all outcomes, near it where many records carry weight.
 * Exact: outcomes of the same probability are counted together; drawn where there are more than a million different ones. Under
 * blocking, records whose outcome leaves the block are no candidates. NaN where a value is missing or has no row in its matrix.
 */
export interface ExpectedPramRisk {
  readonly own: Float64Array
  readonly all: Float64Array
}

export interface PramKnowledge {
  readonly transitions: Transitions
  readonly missing: MissingMode
  /** Keys on which candidates agree. */
  readonly blocking: readonly string[]
}

/** Row i of one file must be row i of the other, the original searching the release. */
export function expectedPramRisk(files: LinkedFiles, known: PramKnowledge, random: Stream): ExpectedPramRisk {
  const { query, search, keys } = files
  const { transitions, missing, blocking } = known
  const blocked = keys.filter(({ name }) => blocking.includes(name))
  const costs = pramCosts(files, transitions, missing, 'query')
  const meeting = meetingCosts(files, known)
  const outcomes = keys.map((key) => outcomesOf(key, transitionOf(transitions, key), blocked.includes(key)))
  const released = new Float64Array(search.classes)
  const others = new Float64Array(query.classes)
  const result = { own: new Float64Array(query.ids.length), all: new Float64Array(query.ids.length) }
  const inClass = rowsByGroup(query.ids, query.classes)
  for (let a = 0; a < query.classes; a++) {
    fillCosts(costs, a, released)
    fillCosts(meeting, a, others)
    const inBlock = (j: number) => blocked.every((key) => key.query[a] === key.search[j])
    let [mass, met] = [0, 0]
    for (let j = 0; j < search.classes; j++) if (inBlock(j)) mass += search.counts[j] * math.exp(-released[j])
    for (let b = 0; b < query.classes; b++) met += query.counts[b] * math.exp(-others[b])
    const lists = keys.map((key, v) => (key.query[a] < 0 ? null : outcomes[v][key.query[a]]))
    const chances = chancesOf(lists, random)
    for (const row of inClass.rows.subarray(inClass.start[a], inClass.start[a + 1])) {
      const t = search.ids[row]
      result.own[row] = meanRisk(chances, mass - (inBlock(t) ? math.exp(-released[t]) : 0))
      result.all[row] = meanRisk(chances, met - math.exp(-others[a]))
    }
  }
  return result
}

/** Costs of people with people: minus the logarithm of the mean of T(x_i → o) over the outcomes o of the other. */
function meetingCosts(files: LinkedFiles, { transitions, missing, blocking }: PramKnowledge): Costs {
  const both = { ...files, search: files.query, keys: files.keys.map((key) => ({ ...key, search: key.query })) }
  const keys = both.keys.map((key): TableCost => {
    const transition = transitionOf(transitions, key)
    const plain = pramCost(key, transition, missing, true)
    if (transition === undefined) return plain
    const places = labelsOf(key).map((label) => transition.levels.indexOf(label))
    const { matrix } = transition
    const stays = blocking.includes(key.name)
    const table = plain.table.slice()
    for (const [i, from] of places.entries())
      for (const [j, other] of places.entries()) {
        if (from < 0 || other < 0) continue
        let chance = 0
        if (stays) chance = matrix[other][from] * matrix[from][from]
        else for (let o = 0; o < matrix.length; o++) chance += matrix[other][o] * matrix[from][o]
        table[i * plain.width + j] = -math.log(chance)
      }
    return { ...plain, table }
  })
  return keyCosts(keys, files.query.classes)
}

/** Probabilities of outcomes with how often each occurs. */
type Chances = readonly (readonly [number, number])[]

function meanRisk(chances: Chances | null, others: number): number {
  if (chances === null) return Number.NaN
  const rest = Math.max(0, others)
  let sum = 0
  for (const [probability, times] of chances) sum += (times * probability ** 2) / (rest + probability)
  return sum
}

/** Per code: how often each positive probability occurs in its row, where it stays in the block; null without a row. */
function outcomesOf(key: Key, transition: Transition | undefined, stays: boolean): readonly (Chances | null)[] {
  return labelsOf(key).map((label) => {
    if (transition === undefined) return [[1, 1]]
    const row = transition.levels.indexOf(label)
    if (row < 0) return null
    const chances = stays ? [transition.matrix[row][row]] : transition.matrix[row]
    return timesOf(chances.filter((chance) => chance > 0).map((chance) => [chance, 1]))
  })
}

/** Different probabilities up to which all outcomes are gone through; above, so many are drawn. */
const MOST_CHANCES = 1e6
const DRAWN = 10_000

/** Probabilities of all outcomes, those that are equal counted together; null where a key has none. */
function chancesOf(keys: readonly (Chances | null)[], random: Stream): Chances | null {
  let products: Chances = [[1, 1]]
  const known = keys.filter((outcomes) => outcomes !== null)
  if (known.length < keys.length) return null
  for (const outcomes of known) {
    if (products.length * outcomes.length > MOST_CHANCES) return drawnChances(known, random)
    products = timesOf(products.flatMap(([p, times]) => outcomes.map(([q, more]) => [p * q, times * more] as const)))
  }
  return products
}

/** Outcomes drawn by their probabilities, each standing for 1 / (its probability · draws) outcomes. */
function drawnChances(keys: readonly Chances[], random: Stream): Chances {
  return Array.from({ length: DRAWN }, () => {
    let [probability, reached] = [1, 1]
    for (const outcomes of keys) {
      const total = outcomes.reduce((sum, [chance, times]) => sum + chance * times, 0)
      let left = random.uniform() * total
      const drawn = outcomes.find(([chance, times]) => {
        left -= chance * times
        return left < 0
      })
      probability *= (drawn ?? outcomes[outcomes.length - 1])[0]
      reached *= total
    }
    return [probability, reached / (probability * DRAWN)] as const
  })
}

/** Products that differ by rounding only are the same. */
function timesOf(pairs: Chances): Chances {
  const sums = new Map<string, [number, number]>()
  for (const [value, times] of pairs) {
    const name = precise(value, 12)
    const known = sums.get(name)
    if (known === undefined) sums.set(name, [value, times])
    else known[1] += times
  }
  return [...sums.values()]
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
