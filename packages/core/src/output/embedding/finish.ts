import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { aliasTable, drawCategory } from '../../stats/draws.js'
import { nearVector, reducedBasis } from './lattice.js'
import type { Problem } from './problem.js'
import { type CodedVariable, type Codes, nearest } from './records/coded-records.js'
import type { Ledger } from './records/ledger.js'
import { WITHIN } from './records/statistic.js'

/**
 * The last digits of few records. A search by single changes ends where every change is larger than what is missing. Many changes at
 * once can be smaller than any of them: with v_i what one change does to all printed numbers, in half units of the last digit, whole
 * numbers x_i are sought for which Σ x_i v_i makes up for what is missing, and which are possible: a number goes a few steps up or
 * down, records become like others as often as there are any, and backwards. That is the nearest vector of a lattice in which every
 * coordinate should be below 1. Sums are additive over records, so that the v_i of a model add up but for its curvature; what comes
 * out is computed exactly, and kept if it sticks out less than before.
 */
const FEWEST_MOVES = 16
const MOVES = 64
const MOST_MOVES = 96
const CANDIDATES = 1000
/** For every number this many moves at least. */
const OF_EACH = 4
const SAMPLES = 100
/** The best ones are computed exactly. */
const EXACT = 16
/** Part of a record that a slope is taken with. */
const SLOPE = 1e-3
/** More numbers than these moves cannot serve. */
const MOST_MISSING = 48
const MOST_ELEMENTS = 96
/** Aimed at is this part of half a unit. */
const AIM = 0.5
/** Numbers with fewer values are like categories: no fine steps. */
const FEWEST_VALUES = 16
/** Less is no change. */
const LEAST_EFFECT = 1e-6
/** Most times that a change is made, one after the other. */
const REACHES = [[24, 6, 2], [12, 3], [6, 2], [1]] as const

/** A change that can be made between `least` and `most` times; less than 0 times is backwards. */
interface Move {
  readonly least: number
  readonly most: number
  /** Records that it changes. */
  readonly rows: readonly number[]
  /** What it does once to each printed number, in half units. */
  readonly effect: Float64Array
  readonly make: (times: number, codes: Codes) => void
}

/** What the moves of one attempt are looked for with. */
interface Search {
  readonly problem: Problem
  readonly ledger: Ledger
  readonly random: Stream
  readonly codes: Codes
  readonly sums: Float64Array
  /** How far each number is from what is printed, in half units. */
  readonly missing: Float64Array
  /** Variables that some output looks at. */
  readonly used: readonly number[]
  /** Most times that a change is made. */
  readonly reach: number
  effectOf(row: number, variable: number, code: number): Float64Array
}

/** Changes `codes` where that brings the printed numbers nearer; true if it did. */
export function finish(problem: Problem, ledger: Ledger, codes: Codes, random: Stream): boolean {
  let least = ledger.closeness(ledger.sumsOf(codes)).excess
  let best: Codes | null = null
  let current = codes
  // Far changes add up badly, and what they spoil nearer ones make good.
  for (const reach of REACHES[random.below(REACHES.length)]) {
    const next = nearestSet(problem, ledger, current, reach, random)
    if (next === null) break
    current = next.codes
    if (next.excess < least) {
      least = next.excess
      best = current
    }
    if (least === 0) break
  }
  if (best === null) return false
  codes.set(best)
  return true
}

/** The best of some ways to make many changes at once; null where there is none. */
function nearestSet(
  problem: Problem,
  ledger: Ledger,
  codes: Codes,
  reach: number,
  random: Stream,
): { readonly codes: Codes; readonly excess: number } | null {
  const sums = ledger.sumsOf(codes)
  const missing = offsets(ledger, sums)
  if (missing.filter((off) => Math.abs(off) > WITHIN).length > MOST_MISSING) return null
  const used = problem.variables.flatMap((_, j) => (ledger.statistics.some(({ uses }) => uses[j] === 1) ? [j] : []))
  const effectOf = slopes(problem, ledger, codes, sums, missing)
  const moves = candidateMoves({ problem, ledger, random, codes, sums, missing, used, reach, effectOf })
  if (moves.length < 2) return null
  let best: { codes: Codes; excess: number } | null = null
  for (const times of nearChanges(moves, missing, random)) {
    const changed = codes.slice()
    times.forEach((x, k) => {
      if (x !== 0) moves[k].make(x, changed)
    })
    const { excess } = ledger.closeness(sumsAfter(ledger, sums, codes, changed, problem.variables.length))
    if (best === null || excess < best.excess) best = { codes: changed, excess }
    if (excess === 0) break
  }
  return best
}

/** Sums of records of which few have changed. */
function sumsAfter(ledger: Ledger, sums: Float64Array, codes: Codes, changed: Codes, width: number): Float64Array {
  const after = sums.slice()
  for (let at = 0; at < codes.length; at += width) {
    let isSame = true
    for (let j = 0; j < width && isSame; j++) isSame = codes[at + j] === changed[at + j]
    if (isSame) continue
    ledger.add(codes, at, -1, after, 0)
    ledger.add(changed, at, 1, after, 0)
  }
  return after
}

/** How often each move is to be made, in several ways, those first that should come nearest. */
function nearChanges(moves: readonly Move[], missing: Float64Array, random: Stream): Float64Array[] {
  const elements = Array.from(missing.keys()).filter((e) => moves.some(({ effect }) => effect[e] !== 0))
  if (elements.length > MOST_ELEMENTS) return []
  const widths = moves.map(({ least, most }) => (most - least) / 2)
  const basis = reducedBasis(
    moves.map(({ effect }, k) => {
      const vector = new Float64Array(elements.length + moves.length)
      elements.forEach((e, at) => {
        vector[at] = effect[e] / AIM
      })
      vector[elements.length + k] = 1 / widths[k]
      return vector
    }),
  )
  const target = Float64Array.from([
    ...elements.map((e) => -missing[e] / AIM),
    ...moves.map(({ least, most }, k) => (least + most) / 2 / widths[k]),
  ])
  const samples: { readonly times: Float64Array; readonly off: number }[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    // What goes too far goes as far as it can: a part of the way is better than nothing.
    const times = nearVector(basis, target, sample === 0 ? 0 : 1, random).map((x, k) =>
      Math.min(moves[k].most, Math.max(moves[k].least, x)),
    )
    samples.push({ times, off: furthest(moves, times, missing, elements) })
  }
  return samples
    .sort((a, b) => a.off - b.off)
    .slice(0, EXACT)
    .map(({ times }) => times)
}

/** How far each number is from what is printed, in half units. */
function offsets(ledger: Ledger, sums: Float64Array): Float64Array {
  return Float64Array.from(
    ledger.statistics.flatMap((statistic, k) => {
      const { targets, halfUnits } = statistic.aims
      const values = new Float64Array(targets.length)
      statistic.evaluate(sums, ledger.starts[k], values)
      return Array.from(values, (value, e) => (value - targets[e]) / halfUnits[e])
    }),
  )
}

function furthest(
  moves: readonly Move[],
  times: Float64Array,
  missing: Float64Array,
  elements: readonly number[],
): number {
  let most = 0
  for (const e of elements) {
    let off = missing[e]
    for (let k = 0; k < moves.length; k++) off += times[k] * moves[k].effect[e]
    most = Math.max(most, Math.abs(off))
  }
  return most
}

/** What it does that a record has another code: the slope, since slopes of changes that cancel in the sums add up to 0. */
function slopes(
  { variables }: Problem,
  ledger: Ledger,
  codes: Codes,
  sums: Float64Array,
  missing: Float64Array,
): Search['effectOf'] {
  const width = variables.length
  const record = codes.slice(0, width)
  const trial = sums.slice()
  return (row, variable, code) => {
    for (let j = 0; j < width; j++) record[j] = codes[row * width + j]
    record[variable] = code
    trial.set(sums)
    ledger.add(codes, row * width, -SLOPE, trial, 0)
    ledger.add(record, 0, SLOPE, trial, 0)
    return offsets(ledger, trial).map((value, e) => (value - missing[e]) / SLOPE)
  }
}

/** Steps of numbers, and where these do not reach all that sticks out, exchanges of like records; no record is in two of them. */
function candidateMoves(search: Search): Move[] {
  const { missing, random } = search
  const steps = stepMoves(search)
  const isReached = Array.from(missing).every(
    (off, e) => Math.abs(off) <= WITHIN || steps.some(({ effect }) => Math.abs(effect[e]) > LEAST_EFFECT),
  )
  // Steps add up only nearly: no more of them than it takes. Exchanges do so exactly.
  if (!isReached || steps.length === 0) return chosenMoves(exchangeMoves(search, new Set()), missing, MOVES, random)
  const wanted = Math.min(MOVES, Math.max(FEWEST_MOVES, 3 * missing.length))
  const chosen = chosenMoves(steps, missing, wanted, random)
  // Steps are small: half of the time some exchanges go with them, for what is too far.
  if (random.uniform() < 0.5) return chosen
  const exchanges = exchangeMoves(search, new Set(chosen.flatMap(({ rows }) => rows)))
  return [...chosen.slice(0, MOST_MOVES - FEWEST_MOVES), ...exchanges.slice(0, FEWEST_MOVES)]
}

/** Those that no table looks at which is as printed; all of them if there is no other. */
function freeVariables({ ledger, used, missing }: Search): readonly number[] {
  const isHeld = new Set<number>()
  let from = 0
  for (const { aims, response, uses } of ledger.statistics) {
    const left = missing.subarray(from, from + aims.targets.length)
    from += left.length
    if (response < 0 && left.every((off) => Math.abs(off) <= WITHIN))
      for (const j of used) if (uses[j] === 1) isHeld.add(j)
  }
  const free = used.filter((j) => !isHeld.has(j))
  return free.length > 0 ? free : used
}

/** A number of a record goes up or down by steps of one size, each to the value that is nearest. */
function stepMoves({
  problem: { variables, start, rows },
  codes,
  used,
  reach: most,
  effectOf,
  random,
}: Search): Move[] {
  const width = variables.length
  const numbers = used.filter((j) => variables[j].kind === 'number' && variables[j].labels.length >= FEWEST_VALUES)
  if (numbers.length === 0) return []
  const ladders = new Map(numbers.map((j) => [j, ladderOf(variables[j], start[j])]))
  return Array.from(permutation(random, rows).subarray(0, CANDIDATES)).flatMap((row) => {
    const variable = numbers[random.below(numbers.length)]
    const at = row * width + variable
    const ladder = ladders.get(variable)
    if (ladder === undefined || codes[at] === variables[variable].missing) return []
    const { values, codeOf, step } = ladder
    const [first, last] = [values[0], values[values.length - 1]]
    const now = variables[variable].values[codes[at]]
    // As far up as down: nothing is pulled to one side.
    const reach = Math.min(most, Math.floor(Math.min(now - first, last - now) / step + HALF_STEP))
    if (reach < 1) return []
    const codeAfter = (times: number) => codeOf[nearest(values, now + times * step)]
    // Over the whole reach, so that curvature and uneven values cancel as far as they can.
    const [low, high] = [effectOf(row, variable, codeAfter(-reach)), effectOf(row, variable, codeAfter(reach))]
    return [
      {
        rows: [row],
        least: -reach,
        most: reach,
        effect: high.map((value, e) => (value - low[e]) / (2 * reach)),
        make: (times: number, changed: Codes) => {
          changed[at] = codeAfter(times)
        },
      },
    ]
  })
}

const HALF_STEP = 1e-9

/** Values that occur, ascending, with their codes and their mean distance. */
function ladderOf({ values, missing }: CodedVariable, start: Float64Array) {
  const order = Array.from(values.keys())
    .filter((code) => code !== missing && start[code] > 0)
    .sort((a, b) => values[a] - values[b])
  const ascending = Float64Array.from(order, (code) => values[code])
  const step = (ascending[ascending.length - 1] - ascending[0]) / Math.max(1, ascending.length - 1)
  return { values: ascending, codeOf: order, step: step > 0 ? step : 1 }
}

/** Records of one kind become like those of another, which differs in one variable; the more there are of both the better. */
function exchangeMoves(search: Search, without: ReadonlySet<number>): Move[] {
  const { problem, codes, used, reach: most, effectOf, random } = search
  const { variables, start, rows } = problem
  const width = variables.length
  const free = freeVariables(search)
  const alike = new Map<string, number[]>()
  for (let row = 0; row < rows; row++) {
    if (without.has(row)) continue
    const name = used.map((j) => codes[row * width + j]).join(' ')
    const same = alike.get(name)
    if (same === undefined) alike.set(name, [row])
    else same.push(row)
  }
  const kinds = [...alike.entries()]
  const order = Array.from(permutation(random, kinds.length))
  order.sort((a, b) => Math.min(most, kinds[b][1].length) - Math.min(most, kinds[a][1].length))
  const draws = start.map((weights) => aliasTable(weights))
  const paired = new Set<string>()
  return order.slice(0, CANDIDATES).flatMap((k) => {
    const [name, from] = kinds[k]
    if (paired.has(name)) return []
    let chosen: { variable: number; code: number; other: string; to: readonly number[] } | null = null
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const variable = free[random.below(free.length)]
      const code = drawCategory(random, draws[variable])
      const other = used.map((j) => (j === variable ? code : codes[from[0] * width + j])).join(' ')
      const to = alike.get(other) ?? []
      if (other !== name && !paired.has(other) && (chosen === null || to.length > chosen.to.length))
        chosen = { variable, code, other, to }
    }
    if (chosen === null) return []
    const { variable, code, other, to } = chosen
    paired.add(name)
    paired.add(other)
    const before = codes[from[0] * width + variable]
    return [
      {
        rows: [...from, ...to],
        least: -Math.min(most, to.length),
        most: Math.min(most, from.length),
        effect: effectOf(from[0], variable, code),
        make: (times: number, changed: Codes) => {
          const rowsOf = times > 0 ? from : to
          for (let i = 0; i < Math.abs(times); i++) changed[rowsOf[i] * width + variable] = times > 0 ? code : before
        },
      },
    ]
  })
}

const ATTEMPTS = 6

/** For every number a few moves that change it more than the others, not always the same ones, then the widest. */
function chosenMoves(candidates: readonly Move[], missing: Float64Array, wanted: number, random: Stream): Move[] {
  const chosen = new Set<Move>()
  const able = candidates.flatMap((move) => {
    const total = move.effect.reduce((sum, value) => sum + Math.abs(value), 0)
    return total > LEAST_EFFECT ? [{ move, total }] : []
  })
  for (const e of missing.keys()) {
    const share = able.map(({ move, total }) => ((0.25 + random.uniform()) * Math.abs(move.effect[e])) / total)
    const order = Array.from(share.keys()).sort((a, b) => share[b] - share[a])
    for (const k of order.slice(0, OF_EACH)) if (share[k] > LEAST_EFFECT) chosen.add(able[k].move)
  }
  const widest = able.map(({ move }) => move).sort((a, b) => b.most - b.least - (a.most - a.least))
  for (const move of widest) if (chosen.size < wanted) chosen.add(move)
  return [...chosen].slice(0, MOST_MOVES)
}
