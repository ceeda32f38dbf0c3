import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { type AliasTable, aliasTable, drawCategory, drawNormal } from '../../stats/draws.js'
import { crowdedOrder, frontsOf } from './nondominated.js'
import type { Problem } from './problem.js'
import { type Codes, emptyCodes } from './records/coded-records.js'
import type { Ledger } from './records/ledger.js'

/**
 * An evolutionary algorithm on whole data sets. In every generation each of `children` is a copy of a parent; with probability
 * `crossover` each of its records is, with probability `recordShare`, that of a second parent in the same row; then each cell is, with
 * the mutation rate, drawn anew. The best `population` of parents and children go on. The rate is divided by `decay` after every
 * `phase` generations. Sums are copied with the parent and changed by what changes, so that nothing is fitted and hardly anything
 * summed. Parents are the best of a tournament of `tournament`. Best is the smallest sum of the errors of all outputs, or the first
 * front of non-dominated sorting, in which no output is neglected for another.
 */
export interface EvolveOptions {
  readonly population: number
  readonly children: number
  readonly generations: number
  readonly crossover: number
  readonly recordShare: number
  readonly mutation: number
  readonly decay: number
  readonly phase: number
  readonly tournament: number
  /** What goes on: the smallest sum of errors, or who is not dominated. */
  readonly selection: 'sum' | 'nondominated'
  /** What is drawn anew: a cell, or all cells of a record. */
  readonly unit: 'cell' | 'record'
  /** Where a new number comes from: what is public, a step of a tenth of the range, or one of 32 parts of equal size. */
  readonly numbers: 'start' | 'step' | 'quantile'
}

/** A population, best first. */
export interface Population {
  readonly codes: readonly Codes[]
  readonly sums: readonly Float64Array[]
  /** The error of each output, by member. */
  readonly objectives: readonly Float64Array[]
  readonly generation: number
}

export function firstPopulation(
  ledger: Ledger,
  members: readonly Codes[],
  selection: EvolveOptions['selection'],
): Population {
  const sums = members.map((codes) => ledger.sumsOf(codes))
  const objectives = sums.map((own) => ledger.errors(own))
  return sorted({ codes: members, sums, objectives, generation: 0 }, members.length, selection)
}

/** The errors of those whom nobody dominates. */
export function firstFront({ objectives }: Population): number[][] {
  return frontsOf(objectives)[0].map((member) => [...objectives[member]])
}

/** Sums are recomputed after this many generations, against drift. */
const AFRESH = 500

/** What one generation is bred with. */
interface Breeding {
  readonly problem: Problem
  readonly ledger: Ledger
  readonly options: EvolveOptions
  /** Probability that a cell, or a record, is drawn anew. */
  readonly rate: number
  readonly draws: readonly AliasTable[]
  /** Room for one record. */
  readonly record: Codes
  readonly random: Stream
}

/** A data set with its sums. */
interface Member {
  readonly codes: Codes
  readonly sums: Float64Array
}

/** How likely a cell mutates: less from phase to phase. */
export function mutationRate({ mutation, decay, phase }: EvolveOptions, generation: number): number {
  return mutation / math.pow(decay, Math.floor(generation / phase))
}

/** One generation more; buffers of those that do not go on are used again through `spare`. */
export function nextGeneration(
  problem: Problem,
  ledger: Ledger,
  parents: Population,
  options: EvolveOptions,
  random: Stream,
  spare: Member[],
): Population {
  const breeding: Breeding = {
    problem,
    ledger,
    options,
    rate: mutationRate(options, parents.generation),
    draws: problem.start.map((weights) => aliasTable(weights)),
    record: emptyCodes(problem.variables, 1),
    random,
  }
  const codes = [...parents.codes]
  const sums = [...parents.sums]
  const objectives = [...parents.objectives]
  const parent = () => bestOf(random, parents.codes.length, options.tournament)
  for (let k = 0; k < options.children; k++) {
    const a = parent()
    const child = spare.pop() ?? { codes: parents.codes[a].slice(), sums: new Float64Array(ledger.size) }
    child.codes.set(parents.codes[a])
    child.sums.set(parents.sums[a])
    if (random.uniform() < options.crossover) {
      const b = parent()
      if (b !== a) cross(breeding, child, parents.codes[b])
    }
    mutate(breeding, child)
    codes.push(child.codes)
    sums.push(child.sums)
    objectives.push(ledger.errors(child.sums))
  }
  const generation = parents.generation + 1
  const next = sorted({ codes, sums, objectives, generation }, options.population, options.selection)
  const kept = new Set(next.codes)
  for (const [k, member] of codes.entries()) if (!kept.has(member)) spare.push({ codes: member, sums: sums[k] })
  return generation % AFRESH === 0 ? { ...firstPopulation(ledger, next.codes, options.selection), generation } : next
}

/** The best `most`, the smallest sum of errors first; of equals the one that was there first. */
function sorted(
  { codes, sums, objectives, generation }: Population,
  most: number,
  selection: EvolveOptions['selection'],
): Population {
  const errors = objectives.map((own) => own.reduce((total, error) => total + error, 0))
  const bySum = Array.from(errors.keys()).sort((a, b) => errors[a] - errors[b] || a - b)
  // The smallest sum is on the first front, and would be lost where that has more members than go on.
  const order = selection === 'sum' ? bySum : [...new Set([...bySum.slice(0, 1), ...crowdedOrder(objectives)])]
  const kept = order.slice(0, most)
  return {
    codes: kept.map((k) => codes[k]),
    sums: kept.map((k) => sums[k]),
    objectives: kept.map((k) => objectives[k]),
    generation,
  }
}

/** Members stand best first, so that the best of some is the one with the smallest number. */
function bestOf(random: Stream, members: number, tournament: number): number {
  let best = members - 1
  for (let k = 0; k < tournament; k++) best = Math.min(best, random.below(members))
  return best
}

/** Places below `count`, each chosen with probability `rate`, by geometric gaps. */
function eachChosen(random: Stream, count: number, rate: number, take: (place: number) => void): void {
  if (!(rate > 0)) return
  const log = rate >= 1 ? Number.NEGATIVE_INFINITY : math.log1p(-rate)
  for (let place = gap(random, log); place < count; place += 1 + gap(random, log)) take(place)
}

function gap(random: Stream, log: number): number {
  return Math.floor(math.log(random.openUniform()) / log)
}

/** Some records become those of another data set in the same rows. */
function cross({ ledger, options, record, random }: Breeding, { codes, sums }: Member, other: Codes): void {
  const width = record.length
  eachChosen(random, codes.length / width, options.recordShare, (row) => {
    const at = row * width
    for (let j = 0; j < width; j++) record[j] = other[at + j]
    replace(ledger, codes, at, record, sums)
  })
}

function mutate(breeding: Breeding, { codes, sums }: Member): void {
  const { ledger, options, rate, record, random } = breeding
  const width = record.length
  const isCell = options.unit === 'cell'
  eachChosen(random, isCell ? codes.length : codes.length / width, rate, (place) => {
    const first = isCell ? place % width : 0
    const last = isCell ? first : width - 1
    const at = isCell ? place - first : place * width
    for (let j = 0; j < width; j++) record[j] = codes[at + j]
    for (let j = first; j <= last; j++) record[j] = newCode(breeding, j, codes[at + j])
    replace(ledger, codes, at, record, sums)
  })
}

/** Puts a record in the place of another, in the sums too. */
function replace(ledger: Ledger, codes: Codes, at: number, record: Codes, sums: Float64Array): void {
  let isSame = true
  for (let j = 0; j < record.length && isSame; j++) isSame = codes[at + j] === record[j]
  if (isSame) return
  ledger.add(codes, at, -1, sums, 0)
  codes.set(record, at)
  ledger.add(codes, at, 1, sums, 0)
}

const STEP = 0.1
const PARTS = 32

function newCode({ problem: { variables, start }, options, draws, random }: Breeding, j: number, old: number): number {
  const { numbers } = options
  const { kind, missing, labels } = variables[j]
  if (kind === 'category' || numbers === 'start' || old === missing) return drawCategory(random, draws[j])
  const most = (missing < 0 ? labels.length : missing) - 1
  if (numbers === 'step') {
    const step = Math.round(STEP * most * drawNormal(random))
    return Math.min(most, Math.max(0, old + step))
  }
  const part = random.below(PARTS)
  const [low, high] = [part / PARTS, (part + 1) / PARTS].map((share) => quantileCode(start[j], share, most))
  return low + random.below(Math.max(1, high - low + 1))
}

function quantileCode(weights: Float64Array, share: number, most: number): number {
  let below = 0
  for (let code = 0; code <= most; code++) {
    below += weights[code]
    if (below >= share) return code
  }
  return most
}
