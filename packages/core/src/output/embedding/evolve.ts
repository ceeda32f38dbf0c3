import { math } from '@scrim/kernels'
import { type Stream, stream } from '../../random/stream.js'
import { type AliasTable, aliasTable, drawCategory, drawNormal } from '../../stats/draws.js'
import { type Codes, emptyCodes } from './coded-records.js'
import type { Ledger } from './ledger.js'
import type { Problem } from './problem.js'

/**
 * An evolutionary algorithm on whole data sets. In every generation each of `children` is a copy of a parent; with probability
 * `crossover` each of its records is, with probability `recordShare`, that of a second parent in the same row; then each cell is, with
 * the mutation rate, drawn anew. The best `population` of parents and children go on. The rate is divided by `decay` after every
 * `phase` generations. Sums are copied with the parent and changed by what changes, so that nothing is fitted and hardly anything
 * summed. Parents are the best of a tournament of `tournament`.
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
  /** What is drawn anew: a cell, or all cells of a record. */
  readonly unit: 'cell' | 'record'
  /** Where a new number comes from: what is public, a step of a tenth of the range, or one of 32 parts of equal size. */
  readonly numbers: 'start' | 'step' | 'quantile'
}

/** A population, best first. */
export interface Population {
  readonly codes: readonly Codes[]
  readonly sums: readonly Float64Array[]
  readonly errors: Float64Array
  readonly generation: number
}

export function firstPopulation(ledger: Ledger, members: readonly Codes[]): Population {
  const sums = members.map((codes) => ledger.sumsOf(codes))
  return sorted(
    { codes: members, sums, errors: Float64Array.from(sums, (own) => ledger.error(own, 0)), generation: 0 },
    members.length,
  )
}

/** Sums are recomputed after this many generations, against drift. */
const AFRESH = 500

/** One generation more; buffers of those that do not go on are used again through `spare`. */
export function nextGeneration(
  problem: Problem,
  ledger: Ledger,
  parents: Population,
  options: EvolveOptions,
  seed: number,
  run: string,
  spare: { codes: Codes; sums: Float64Array }[],
): Population {
  const random = stream(seed, `${run}/generation`, parents.generation)
  const draws = problem.start.map((weights) => aliasTable(weights))
  const width = problem.variables.length
  const rate = options.mutation / math.pow(options.decay, Math.floor(parents.generation / options.phase))
  const codes = [...parents.codes]
  const sums = [...parents.sums]
  const errors = new Float64Array(codes.length + options.children)
  errors.set(parents.errors)
  const record = emptyCodes(problem.variables, 1)
  for (let child = 0; child < options.children; child++) {
    const a = bestOf(random, parents.codes.length, options.tournament)
    const own = spare.pop() ?? { codes: parents.codes[a].slice(), sums: new Float64Array(ledger.size) }
    own.codes.set(parents.codes[a])
    own.sums.set(parents.sums[a])
    if (random.uniform() < options.crossover) {
      const b = bestOf(random, parents.codes.length, options.tournament)
      if (b !== a) cross(ledger, own.codes, own.sums, parents.codes[b], options.recordShare, width, random)
    }
    mutate(problem, ledger, own.codes, own.sums, rate, options, draws, record, random)
    codes.push(own.codes)
    sums.push(own.sums)
    errors[codes.length - 1] = ledger.error(own.sums, 0)
  }
  const generation = parents.generation + 1
  const all = { codes, sums, errors, generation }
  const next = sorted(all, options.population)
  const kept = new Set(next.codes)
  codes.forEach((one, k) => {
    if (!kept.has(one)) spare.push({ codes: one, sums: sums[k] })
  })
  return generation % AFRESH === 0 ? { ...firstPopulation(ledger, next.codes), generation } : next
}

/** The best `most`; of equals the one that was there first. */
function sorted({ codes, sums, errors, generation }: Population, most: number): Population {
  const order = Array.from(errors.keys())
    .sort((a, b) => errors[a] - errors[b] || a - b)
    .slice(0, most)
  return {
    codes: order.map((k) => codes[k]),
    sums: order.map((k) => sums[k]),
    errors: Float64Array.from(order, (k) => errors[k]),
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

function cross(
  ledger: Ledger,
  codes: Codes,
  sums: Float64Array,
  other: Codes,
  share: number,
  width: number,
  random: Stream,
): void {
  eachChosen(random, codes.length / width, share, (row) => {
    const at = row * width
    let isSame = true
    for (let j = 0; j < width; j++) if (codes[at + j] !== other[at + j]) isSame = false
    if (isSame) return
    ledger.add(codes, at, -1, sums, 0)
    for (let j = 0; j < width; j++) codes[at + j] = other[at + j]
    ledger.add(codes, at, 1, sums, 0)
  })
}

function mutate(
  problem: Problem,
  ledger: Ledger,
  codes: Codes,
  sums: Float64Array,
  rate: number,
  options: EvolveOptions,
  draws: readonly AliasTable[],
  record: Codes,
  random: Stream,
): void {
  const width = record.length
  const isCell = options.unit === 'cell'
  eachChosen(random, isCell ? codes.length : codes.length / width, rate, (place) => {
    const first = isCell ? place % width : 0
    const last = isCell ? first : width - 1
    const at = isCell ? place - first : place * width
    let isSame = true
    for (let j = 0; j < width; j++) record[j] = codes[at + j]
    for (let j = first; j <= last; j++) {
      record[j] = newCode(problem, j, codes[at + j], options, draws[j], random)
      if (record[j] !== codes[at + j]) isSame = false
    }
    if (isSame) return
    ledger.add(codes, at, -1, sums, 0)
    for (let j = first; j <= last; j++) codes[at + j] = record[j]
    ledger.add(codes, at, 1, sums, 0)
  })
}

const STEP = 0.1
const PARTS = 32

function newCode(
  { variables, start }: Problem,
  j: number,
  old: number,
  { numbers }: EvolveOptions,
  draw: AliasTable,
  random: Stream,
): number {
  const { kind, missing, labels } = variables[j]
  if (kind === 'category' || numbers === 'start' || old === missing) return drawCategory(random, draw)
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

/** Mutated cells that a child has on average in each phase. */
export function expectedMutations(cells: number, { mutation, decay, phase, generations }: EvolveOptions): number[] {
  return Array.from({ length: Math.ceil(generations / phase) }, (_, k) => (cells * mutation) / math.pow(decay, k))
}
