import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { type AliasTable, aliasTable, drawCategory } from '../../stats/draws.js'
import type { Problem } from './problem.js'
import { type Codes, emptyCodes } from './records/coded-records.js'
import { type Closeness, closenessOf, type Ledger } from './records/ledger.js'
import type { Climber, Condition, Goal } from './records/statistic.js'

/**
 * Repair by small changes: one value of one record is drawn anew from what is publicly known of its variable, or a number goes up or
 * down; or two records exchange a value, which leaves margins as they are, or a number goes up in one and down in the other. The change
 * stays if the error falls. Half of the proposals are to records that the worst element looks at. With a temperature T an increase
 * of the error by D stays with probability exp(-D / T), and T falls geometrically to nothing over the round, so that a search that is
 * stuck gets out.
 */
export interface ClimbOptions {
  readonly goal: Goal
  readonly proposals: number
  /** Share of proposals that exchange values between two records. */
  readonly swaps: number
  /** Of the error at the beginning; 0 for none. */
  readonly temperature: number
  /** Gets after every `every` proposals how near it is; true ends the round. */
  readonly every: number
  readonly watch: (closeness: Closeness, proposals: number) => boolean
}

/** Rounding errors of sums are none. */
const NO_ERROR = 1e-9
const TRIES = 40
const LOOK_AGAIN = 64
/** By what the temperature falls over a round, before it is set to 0 for the last tenth. */
const COOLING = 1e-4

/** Changes `codes`; the proposals made. */
export function climb(problem: Problem, ledger: Ledger, codes: Codes, random: Stream, options: ClimbOptions): number {
  const width = problem.variables.length
  const rows = codes.length / width
  const sums = ledger.sumsOf(codes)
  const climbers = ledger.statistics.map((statistic, k) => statistic.climber(sums, ledger.starts[k], options.goal))
  const movable = movableVariables(problem, ledger)
  if (movable.length === 0 || rows === 0) return 0
  const draws = problem.start.map((weights) => aliasTable(weights))
  const users = problem.variables.map((_, j) => climbers.filter((_one, k) => ledger.statistics[k].uses[j] === 1))
  const responses = [...new Set(ledger.statistics.flatMap(({ response }) => (response < 0 ? [] : [response])))]
  const before = emptyCodes(problem.variables, 2)
  const after = emptyCodes(problem.variables, 2)
  let error = totalError(climbers)
  let temperature = options.temperature * error
  const cooling = math.pow(COOLING, 1 / Math.max(1, 0.9 * options.proposals))
  let condition: Condition | null = null
  // What is no model and as it should be stays so: a table that was drawn exactly is not given up for a digit of a model.
  const kept = new Set(
    climbers.filter((climber, k) => ledger.statistics[k].response < 0 && climber.error() <= NO_ERROR),
  )
  const isFree = options.goal === 'printed'

  for (let proposal = 1; proposal <= options.proposals; proposal++) {
    if (proposal % LOOK_AGAIN === 1) condition = worstCondition(climbers)
    const row = pickRow(random, codes, rows, width, condition)
    const variable = movable[random.below(movable.length)]
    const at = row * width
    const isPair = random.uniform() < options.swaps
    const other = isPair ? pickPartner(random, codes, rows, width, at, variable, responses) * width : at
    const old = codes[at + variable]
    const weights = problem.start[variable]
    const isNumber = problem.variables[variable].kind === 'number'
    const isSwap = isPair && !(isNumber && random.uniform() < 0.5)
    const isStep = isNumber && random.uniform() < 0.5
    let fresh = codes[other + variable]
    if (!isSwap) fresh = isStep ? stepFrom(random, old, weights.length) : drawOther(random, draws[variable], old)
    const otherFresh = isPair && !isSwap ? codes[other + variable] - (fresh - old) : old
    if (fresh !== old && weights[fresh] > 0 && weights[otherFresh] > 0) {
      const count = isPair ? 2 : 1
      for (let j = 0; j < width; j++) {
        before[j] = codes[at + j]
        after[j] = codes[at + j]
        before[width + j] = codes[other + j]
        after[width + j] = codes[other + j]
      }
      after[variable] = fresh
      after[width + variable] = otherFresh
      const looking = users[variable]
      let change = 0
      let isKept = true
      for (let k = 0; k < looking.length && isKept; k++) {
        const proposed = looking[k].propose(before, after, count)
        change += proposed - looking[k].error()
        isKept = proposed <= NO_ERROR || !kept.has(looking[k])
      }
      if (
        isKept &&
        (change < 0 ||
          (isFree && change === 0) ||
          (temperature > 0 && random.uniform() < math.exp(-change / temperature)))
      ) {
        for (let k = 0; k < looking.length; k++) looking[k].accept()
        codes[at + variable] = fresh
        if (isPair) codes[other + variable] = otherFresh
        error += change
      }
    }
    temperature = proposal < 0.9 * options.proposals ? temperature * cooling : 0
    if (proposal % options.every === 0) {
      for (const climber of climbers) climber.refresh()
      error = totalError(climbers)
      const values = climbers.map((climber) => climber.values)
      if (options.watch(closenessOf(ledger.statistics, values, error), proposal)) return proposal
    }
  }
  return options.proposals
}

function totalError(climbers: readonly Climber[]): number {
  let total = 0
  for (const climber of climbers) total += climber.error()
  return total
}

/** Variables that some output looks at and that can have another value. */
function movableVariables(problem: Problem, ledger: Ledger): number[] {
  return problem.variables.flatMap((_, j) => {
    const isUsed = ledger.statistics.some(({ uses }) => uses[j] === 1)
    const possible = problem.start[j].reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0)
    return isUsed && possible > 1 ? [j] : []
  })
}

function worstCondition(climbers: readonly Climber[]): Condition | null {
  let worst = climbers[0]
  for (const climber of climbers) if (climber.error() > worst.error()) worst = climber
  return worst.worst()
}

/** With probability one half a record that fulfils the condition, if one is found in a few tries; else any. */
function pickRow(random: Stream, codes: Codes, rows: number, width: number, condition: Condition | null): number {
  if (condition === null || random.uniform() < 0.5) return random.below(rows)
  let row = 0
  for (let k = 0; k < TRIES; k++) {
    row = random.below(rows)
    if (condition.codes[codes[row * width + condition.variable]] === 1) return row
  }
  return row
}

const PARTNERS = 12
const MOST_TRIES = 24

/**
 * Another record for an exchange, if possible with another value and the same responses: the scores of a model then change by no
 * more than the difference between two predictions, which is the small change that the last digits need. Half of the time it is the
 * most alike of several, which changes little else.
 */
function pickPartner(
  random: Stream,
  codes: Codes,
  rows: number,
  width: number,
  at: number,
  variable: number,
  responses: readonly number[],
): number {
  let best = random.below(rows)
  let least = width + 1
  const wanted = random.uniform() < 0.5 ? 1 : PARTNERS
  for (let k = 0, found = 0; k < MOST_TRIES && found < wanted; k++) {
    const row = random.below(rows)
    const there = row * width
    if (codes[there + variable] === codes[at + variable]) continue
    let isAlike = true
    for (let r = 0; r < responses.length; r++)
      if (responses[r] !== variable && codes[there + responses[r]] !== codes[at + responses[r]]) isAlike = false
    if (!isAlike) continue
    found++
    let differing = 0
    for (let j = 0; j < width; j++) if (codes[there + j] !== codes[at + j]) differing++
    if (differing < least) {
      least = differing
      best = row
    }
  }
  return best
}

const HALVINGS = 8

/** Up or down, near more often than far. */
function stepFrom(random: Stream, old: number, values: number): number {
  const most = Math.max(1, values >> random.below(HALVINGS))
  const step = 1 + random.below(most)
  return random.uniform() < 0.5 ? old - step : old + step
}

function drawOther(random: Stream, draw: AliasTable, old: number): number {
  let code = drawCategory(random, draw)
  for (let k = 0; k < TRIES && code === old; k++) code = drawCategory(random, draw)
  return code
}
