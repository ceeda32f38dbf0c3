import { math } from '@scrim/kernels'
import type { Where } from '../neighbors/tasks.js'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { type PersonAttack, personScores } from '../risk/membership/scores/person-scores.js'
import { binomialCdf, binomialPmf } from '../stats/distributions.js'
import { joinedCodes } from '../stats/joined.js'
import { SIGNIFICANCE } from '../stats/levels.js'
import { stackColumns } from '../table/column.js'
import { columnOf, type Table, table } from '../table/table.js'

/**
 * What one release says about (ε, δ), where it was made of half of the people at random and the other half stayed outside
 * (Steinke, Nasr and Jagielski 2023, "Privacy auditing with one (1) training run"). Members and outsiders are paired at random, so
 * that which of a pair was in the data is the toss of a coin. The attacker guesses the one with the larger score in the r pairs whose
 * scores differ most. Exchanging both people of a pair replaces a record; if that is (ε', δ')-private, of r guesses at least v
 * are right with a probability of at most
 *
 *   P(B >= v) + 2 m δ' max_i P(v > B >= v - i) / i,   B binomial (r, e^ε' / (1 + e^ε')), m pairs,
 *
 * whatever the scores. ε for a record more or less makes ε' = 2 ε and δ' = (1 + e^ε) δ at most, and what is reported is of that ε: of a
 * claim about replaced records the bound is valid too, and half of what could be said. The best of the attacks and numbers of
 * guesses is taken, each at its share of 5 %.
 * Blind to what a generator would say in other releases; `attack/shadow/audit.ts` audits that.
 */
export interface ReleaseAudit {
  readonly pairs: number
  readonly attack: PersonAttack
  readonly guesses: number
  readonly right: number
  /** ε is at least this, at 95 %. */
  readonly bound: number
  /** What so many pairs could have shown. */
  readonly most: number
}

/** Scores that look for copies, and for values of a person. */
const ATTACKS = ['information and values', 'memorisation'] as const satisfies readonly PersonAttack[]
/** More take long, and would only show an ε above 2.5. */
const MOST_PAIRS = 1000
/** Fewer guesses cannot show an ε above 1 at the level of one of many. */
const FEWEST_GUESSES = 10

/** The tables share the named columns and their levels; there must be `FEWEST_GUESSES` people in each. */
export async function auditRelease(
  { original, released, holdout, variables }: AuditedFiles,
  delta: number,
  seed: number,
  where: Where,
): Promise<ReleaseAudit> {
  const pairs = Math.min(original.rows, holdout.rows, MOST_PAIRS)
  const real = table(
    'people',
    variables.map((name) => stackColumns([columnOf(original, name), columnOf(holdout, name)])),
  )
  const compared = table(
    'release',
    variables.map((name) => columnOf(released, name)),
  )
  const drawn = (who: string, rows: number) =>
    permutation(stream(seed, `release audit/${who}`), rows).subarray(0, pairs)
  const members = drawn('members', original.rows)
  const outsiders = drawn('outsiders', holdout.rows).map((row) => original.rows + row)
  const scores = await personScores(real, compared, joinedCodes([members, outsiders]), seed, where)
  const counts = numbersOfGuesses(pairs)
  const level = SIGNIFICANCE / (ATTACKS.length * counts.length)
  const tests = ATTACKS.flatMap((attack) => {
    const leads = scores[attack].subarray(0, pairs).map((score, pair) => score - scores[attack][pairs + pair])
    const surest = leads.filter((lead) => lead !== 0).sort((a, b) => Math.abs(b) - Math.abs(a))
    return counts.map((count) => {
      const guessed = surest.subarray(0, count)
      const guesses = guessed.length
      const right = guessed.filter((lead) => lead > 0).length
      return { attack, guesses, right, bound: epsilonOf({ pairs, guesses, right }, delta, level) }
    })
  })
  return {
    pairs,
    ...tests.reduce((best, one) => (one.bound > best.bound ? one : best)),
    most: epsilonOf({ pairs, guesses: pairs, right: pairs }, delta, level),
  }
}

export interface AuditedFiles {
  readonly original: Table
  readonly released: Table
  readonly holdout: Table
  readonly variables: readonly string[]
}

/** All pairs, half of them, a quarter and so on. */
function numbersOfGuesses(pairs: number): number[] {
  const counts: number[] = []
  for (let count = pairs; count >= FEWEST_GUESSES; count = Math.floor(count / 2)) counts.push(count)
  return counts
}

export interface Guessed {
  readonly pairs: number
  readonly guesses: number
  readonly right: number
}

const MOST_EPSILON = 50
const HALVINGS = 60

/** The largest ε at which so many right guesses are less likely than the level; 0 where none is. */
export function epsilonOf(guessed: Guessed, delta: number, level: number): number {
  if (chanceOf(guessed, 0, delta) >= level) return 0
  let [low, high] = [0, MOST_EPSILON]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (chanceOf(guessed, middle, delta) < level) low = middle
    else high = middle
  }
  return low
}

/** At most so likely is it that as many guesses are right, with (ε, δ) for a record more or less. */
export function chanceOf({ pairs, guesses, right }: Guessed, epsilon: number, delta: number): number {
  const wrong = 1 / (1 + math.exp(2 * epsilon))
  const chance = binomialCdf(guesses - right, guesses, wrong)
  if (delta === 0) return chance
  let [below, steepest] = [0, 0]
  for (let i = 1; i <= right; i++) {
    below += binomialPmf(right - i, guesses, 1 - wrong)
    steepest = Math.max(steepest, below / i)
  }
  return Math.min(1, chance + 2 * pairs * (1 + math.exp(epsilon)) * delta * steepest)
}

/** Whether there are people enough to guess about. */
export function canBeAudited(original: Table, holdout: Table | null): holdout is Table {
  return holdout !== null && Math.min(original.rows, holdout.rows) >= FEWEST_GUESSES
}
