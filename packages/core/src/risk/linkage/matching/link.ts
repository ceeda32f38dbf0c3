import type { Context } from '../../../measure.js'
import type { Task } from '../../../tasks/task.js'
import { type AskedPiece, type Block, candidatesIn, runsOfBlocks, withAsked } from '../costs/blocks.js'
import { type Costs, fillCosts, within } from '../costs/costs.js'
import type { LinkedFiles } from '../costs/linked-files.js'
import type { Asked } from '../truth/truth.js'
import { belowTie, type Guess, type GuessRule, guess, ruleWith, tieAt } from './guesses.js'

/**
 * Linkage of every query for itself: costs of all candidates, the guess set, and where the true records stand. The truth
 * is looked at for scoring only. Exact: every candidate is compared; cut into runs that do not depend on the threads.
 */
export interface Linked {
  /** Per query class: least cost, the next larger one (infinite if none), records at the least, records in the guess set, sum of their weights. */
  readonly least: Float64Array
  readonly second: Float64Array
  readonly tied: Float64Array
  readonly guessed: Float64Array
  readonly weight: Float64Array
  /** Records among which the class was searched, and what these cost on average. */
  readonly candidates: Float64Array
  readonly average: Float64Array
  /** Per asked pair: weight of one record, its cost (NaN outside the block), records that are nearer, and as near (itself included). */
  readonly pairWeight: Float64Array
  readonly pairCost: Float64Array
  readonly nearer: Float64Array
  readonly asNear: Float64Array
  /** Per class of the search file: weight that one of its records gets from all people together. */
  readonly received: Float64Array
  /** Σ of squared weights over all pairs of records. */
  readonly squares: number
}

interface Shared {
  readonly costs: Costs
  readonly counts: Int32Array
  readonly rule: GuessRule
}

interface RunOutput {
  readonly perQuery: Float64Array
  readonly perPair: Float64Array
  readonly received: Float64Array
  readonly squares: number
}

export async function link(
  files: LinkedFiles,
  costs: Costs,
  rule: GuessRule,
  asked: Asked,
  blocks: readonly Block[],
  context: Pick<Context, 'tasks' | 'progress' | 'signal'>,
): Promise<Linked> {
  const { query, search } = files
  const runs = runsOfBlocks(blocks, files).map((pieces) => pieces.map((piece) => withAsked(piece, files, asked)))
  const outputs = await context.tasks.map(linkTask, { costs, counts: search.counts, rule }, runs, {
    progress: context.progress,
    signal: context.signal,
  })
  const [least, second, tied, guessed, weight, candidates, average] = Array.from(
    { length: 7 },
    () => new Float64Array(query.classes),
  )
  const [pairWeight, pairCost, nearer, asNear] = Array.from({ length: 4 }, () => new Float64Array(asked.search.length))
  const received = new Float64Array(search.classes)
  let squares = 0
  for (const [run, output] of runs.flatMap((pieces, r) => pieces.map((run, p) => [run, outputs[r][p]] as const))) {
    const records = candidatesIn(run, files)
    for (let k = 0; k < run.queries.length; k++) {
      const a = run.queries[k]
      const at = k * PER_QUERY
      least[a] = output.perQuery[at]
      second[a] = output.perQuery[at + 1]
      tied[a] = output.perQuery[at + 2]
      guessed[a] = output.perQuery[at + 3]
      weight[a] = output.perQuery[at + 4]
      candidates[a] = records
      average[a] = records === 0 ? 0 : output.perQuery[at + 5] / records
      for (let p = run.askedStart[k]; p < run.askedStart[k + 1]; p++) {
        const place = asked.start[a] + p - run.askedStart[k]
        pairWeight[place] = output.perPair[p * PER_PAIR]
        pairCost[place] = output.perPair[p * PER_PAIR + 1]
        nearer[place] = output.perPair[p * PER_PAIR + 2]
        asNear[place] = output.perPair[p * PER_PAIR + 3]
      }
    }
    for (let j = 0; j < output.received.length; j++)
      received[run.searches === null ? j : run.searches[j]] += output.received[j]
    squares += output.squares
  }
  const perQuery = { least, second, tied, guessed, weight, candidates, average }
  return { ...perQuery, pairWeight, pairCost, nearer, asNear, received, squares }
}

const PER_QUERY = 6
const PER_PAIR = 4

export const linkTask: Task<Shared, readonly AskedPiece[], RunOutput[]> = {
  name: 'record linkage',
  run: (shared, runs) => runs.map((run) => linkRun(shared, run)),
}

function linkRun(
  { costs: all, counts: allCounts, rule }: Shared,
  { queries, queryCounts, searches, askedStart, asked }: AskedPiece,
): RunOutput {
  const { costs, counts } = within(all, allCounts, searches)
  const size = costs.searches
  const out = new Float64Array(size)
  const isNearest = rule.strategy === 'nearest'
  const perQuery = new Float64Array(queries.length * PER_QUERY)
  const perPair = new Float64Array(asked.length * PER_PAIR)
  const received = new Float64Array(size)
  let squares = 0
  for (let k = 0; k < queries.length; k++) {
    fillCosts(costs, queries[k], out)
    const { least, total } = leastOf(out, counts, size)
    const { tied, second, members } = nearestOf(out, counts, size, least)
    const guessed = isNearest
      ? equally(members, tied)
      : guess(out, counts, size, least, ruleWith(rule, costs.widths?.[queries[k]]))
    perQuery.set([least, second, tied, guessed.records, sumOfWeights(guessed, counts), total], k * PER_QUERY)
    squares += queryCounts[k] * addWeights(guessed, counts, queryCounts[k], received)
    for (let p = askedStart[k]; p < askedStart[k + 1]; p++)
      perPair.set(pairOf(asked[p], out, counts, size, guessed, least, tied), p * PER_PAIR)
  }
  return { perQuery, perPair, received, squares }
}

/** The least cost, and all of them together. */
function leastOf(out: Float64Array, counts: Int32Array, size: number): { least: number; total: number } {
  let least = Number.POSITIVE_INFINITY
  let total = 0
  for (let j = 0; j < size; j++) {
    if (out[j] < least) least = out[j]
    total += counts[j] * out[j]
  }
  return { least, total }
}

function nearestOf(out: Float64Array, counts: Int32Array, size: number, least: number) {
  const limit = tieAt(least)
  const members: number[] = []
  let tied = 0
  let second = Number.POSITIVE_INFINITY
  if (least === Number.POSITIVE_INFINITY) return { tied, second, members }
  for (let j = 0; j < size; j++) {
    if (out[j] >= second) continue
    if (out[j] <= limit) {
      tied += counts[j]
      members.push(j)
    } else second = out[j]
  }
  return { tied, second, members }
}

/** The nearest records with equal weights: what `guess` gives too, without another pass. */
function equally(members: number[], records: number): Guess {
  return { members, weights: members.map(() => 1 / records), records }
}

function sumOfWeights({ members, weights }: Guess, counts: Int32Array): number {
  let sum = 0
  for (let k = 0; k < members.length; k++) sum += counts[members[k]] * weights[k]
  return sum
}

/** Adds what each record gets from `people` equal queries, and returns the squares of one of them. */
function addWeights({ members, weights }: Guess, counts: Int32Array, people: number, received: Float64Array): number {
  let squares = 0
  for (let k = 0; k < members.length; k++) {
    received[members[k]] += people * weights[k]
    squares += counts[members[k]] * weights[k] ** 2
  }
  return squares
}

function pairOf(
  place: number,
  out: Float64Array,
  counts: Int32Array,
  size: number,
  { members, weights }: Guess,
  least: number,
  tied: number,
) {
  if (place < 0) return [0, Number.NaN, Number.NaN, Number.NaN]
  const cost = out[place]
  const member = members.length === size ? place : indexOf(members, place)
  const weight = member < 0 ? 0 : weights[member]
  if (cost === least) return [weight, cost, 0, tied]
  let nearer = 0
  let asNear = 0
  const [from, to] = [belowTie(cost), tieAt(cost)]
  for (let j = 0; j < size; j++) {
    if (out[j] < from) nearer += counts[j]
    else if (out[j] <= to) asNear += counts[j]
  }
  return [weight, cost, nearer, asNear]
}

/** Members are ascending. */
function indexOf(members: readonly number[], place: number): number {
  let [low, high] = [0, members.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (members[middle] === place) return middle
    if (members[middle] < place) low = middle + 1
    else high = middle - 1
  }
  return -1
}
