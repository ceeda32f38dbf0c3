import { LONGEST_LIST } from '../../../neighbors/scan/predicate-scan.js'
import type { Stream } from '../../../random/stream.js'
import { hypergeometricPmf } from '../../../stats/distributions.js'
import { type Interval, normalInterval, wilson } from '../../../stats/intervals.js'
import { sum } from '../../../stats/sums.js'
import { clusterRobustVariance } from '../../../stats/tests/tests.js'
import { type IndexedTable, matcher, type Predicates } from '../../../table/predicates.js'
import { type Rate, rateOf } from '../residual/attack.js'

/** For every predicate: how many records of the original and of the holdout it holds for, and which if they are few. */
export interface Matches {
  readonly inOriginal: Int32Array
  readonly inHoldout: Int32Array | null
  /** The one record that it singles out, or -1. */
  readonly originalRow: Int32Array
  readonly holdoutRow: Int32Array
  /** Records of predicate q, `rows[start[q]]` to `rows[start[q + 1] - 1]`, holdout records after the original ones. */
  readonly rows: Int32Array
  readonly start: Int32Array
  /** How many records are numbered here, of the original and of the holdout: those that predicates hold for at least. */
  readonly numbered: readonly [original: number, holdout: number]
}

export function findMatches(
  predicates: Predicates,
  original: IndexedTable,
  holdout: IndexedTable | null,
  check: (done: number) => void,
): Matches {
  const { count } = predicates
  const inOriginal = new Int32Array(count)
  const inHoldout = new Int32Array(count)
  const originalRow = new Int32Array(count).fill(-1)
  const holdoutRow = new Int32Array(count).fill(-1)
  const start = new Int32Array(count + 1)
  const rows: number[] = []
  const here = new Int32Array(LONGEST_LIST)
  const there = new Int32Array(LONGEST_LIST)
  const matchOriginal = matcher(original)
  const matchHoldout = holdout === null ? () => 0 : matcher(holdout)
  for (let q = 0; q < count; q++) {
    if (q % 1024 === 0) check(q)
    const k = matchOriginal(predicates, q, here)
    const c = matchHoldout(predicates, q, there)
    inOriginal[q] = k
    inHoldout[q] = c
    if (k === 1) originalRow[q] = here[0]
    if (c === 1) holdoutRow[q] = there[0]
    if (k + c <= LONGEST_LIST) {
      for (let i = 0; i < k; i++) rows.push(here[i])
      for (let i = 0; i < c; i++) rows.push(original.rows + there[i])
    }
    start[q + 1] = rows.length
  }
  const control = holdout === null ? null : inHoldout
  const numbered = [original.rows, holdout?.rows ?? 0] as const
  return { inOriginal, inHoldout: control, originalRow, holdoutRow, rows: Int32Array.from(rows), start, numbered }
}

/**
 * The share of predicates that single somebody out. Those that single out the same person succeed together, so Wilson's
 * interval is that of as many independent predicates as vary as much: p (1 - p) / variance, clustered by person.
 */
export function singledOutRate(counts: Int32Array, rowOf: Int32Array, rows: number): Rate {
  const singled = Float64Array.from(counts, (records) => (records === 1 ? 1 : 0))
  const plain = rateOf({ successes: sum(singled), attacks: counts.length })
  const { rate, attacks } = plain
  const classes = rowOf.map((row, q) => (row >= 0 ? row : rows + q))
  const variance = clusterRobustVariance(singled, classes, rows + counts.length) ?? 0
  const effective = variance > 0 ? Math.min(attacks, (rate * (1 - rate)) / variance) : attacks
  return { ...plain, interval: wilson(rate * effective, effective) }
}

/**
 * Does the release single out the people in it more often than people outside? The same predicates are put to both, so
 * outcomes are paired. A predicate finds exactly one record more easily in a small table or in a large one, depending on
 * how broad it is, so the larger table is cut down: the chance that a random subset of the size of the smaller one,
 * n = min(n_T, n_H), holds exactly one of the K records is h(K) = K C(N - K, n - 1) / C(N, n). Then
 *   D_q = h(K_q) - h(C_q),   R = mean D / (1 - mean h(C)).
 * A record that the release gives away is in the subset of the original with chance n / n_T only, so R divided by that,
 * `residual`, at most 1, is the share of predicates that single somebody out because the release was made from them.
 */
export type Comparison = {
  /** Sums of h: predicates that single out one of n people in, and outside, the release. */
  readonly size: number
  readonly attacks: number
  readonly attack: number
  readonly control: number
  /** R at that size, null when the control always succeeds. */
  readonly residualAtSize: number | null
  readonly residual: number | null
  readonly interval: Interval | null
  readonly standardError: number | null
  /** One-sided, by exchanging people in and outside the release. */
  readonly p: number
  /** Exchanges made: fewer where p is clearly large. */
  readonly permutations: number
}

const MOST_PERMUTATIONS = 999
const ENOUGH_AS_LARGE = 50

/** Without random numbers nothing is tested: p is 1. */
export function compareWithHoldout(
  matches: Matches,
  nT: number,
  nH: number,
  random: Stream | null,
  check: () => void,
): Comparison {
  const size = Math.min(nT, nH)
  const inOriginal = chances(matches.inOriginal, nT, size)
  const inHoldout = chances(matches.inHoldout ?? new Int32Array(0), nH, size)
  const differences = inOriginal.map((chance, q) => chance - inHoldout[q])
  const attack = sum(inOriginal)
  const control = sum(inHoldout)
  const count = differences.length
  const left = (1 - control / count) * (size / nT)
  const mean = sum(differences) / count
  const [originals, others] = matches.numbered
  const se = Math.sqrt(varianceOfMean(differences, clusters(matches), originals + others + count))
  const { lower, upper, level } = normalInterval(mean, se)
  const known = left > 0
  return {
    size,
    attacks: count,
    attack,
    control,
    residualAtSize: known ? mean / (1 - control / count) : null,
    residual: known ? Math.min(1, mean / left) : null,
    interval: known
      ? {
          lower: Math.min(1, lower / left),
          upper: Math.min(1, upper / left),
          level,
          method: 'paired, clustered by record',
        }
      : null,
    standardError: known ? se / left : null,
    ...(random === null ? { p: 1, permutations: 0 } : exchangeTest(matches, nT, nH, random, check)),
  }
}

/** h of every count; most counts are small and repeat. */
function chances(counts: Int32Array, population: number, size: number): Float64Array {
  const known = new Map<number, number>()
  return Float64Array.from(counts, (marked) => {
    const found = known.get(marked) ?? hypergeometricPmf(1, population, marked, size)
    known.set(marked, found)
    return found
  })
}

/** Predicates that single out the same record succeed and fail together: one cluster each; all others stand alone. */
function clusters({ originalRow, holdoutRow, numbered: [originals, others] }: Matches): Int32Array {
  return originalRow.map((row, q) =>
    row >= 0 ? row : holdoutRow[q] >= 0 ? originals + holdoutRow[q] : originals + others + q,
  )
}

/**
 * Clustered, but not below what a half success and a half failure more on either side give (Agresti and Min 2005):
 * predicates that all fail on both sides are no proof that they always would.
 */
function varianceOfMean(differences: Float64Array, classes: Int32Array, classCount: number): number {
  const clustered = clusterRobustVariance(differences, classes, classCount) ?? 0
  const n = differences.length + 2
  const squares = sum(differences.map((one) => one * one)) + 1
  return Math.max(clustered, (squares - sum(differences) ** 2 / n) / (n * n))
}

/**
 * Exchanges people in and outside the release at random and counts anew, until fifty totals are as large as the one
 * observed: p is then 50 of those made, and (1 + as large) / 1000 if that does not happen (Besag and Clifford 1991). Only
 * predicates with a list of records take part; whether they have one does not depend on who is where, so the test stays
 * exact. The labels are dealt to the people on the lists one by one, each with the chance that those left over give.
 */
function exchangeTest(
  matches: Matches,
  nT: number,
  nH: number,
  random: Stream,
  check: () => void,
): Pick<Comparison, 'p' | 'permutations'> {
  const { people, inOriginalNow, lists, start } = listedPeople(matches)
  const lengths = Int32Array.from({ length: LONGEST_LIST + 1 }, (_, k) => k)
  const size = Math.min(nT, nH)
  const inOriginal = chances(lengths, nT, size)
  const inHoldout = chances(lengths, nH, size)
  /** By length of a list and how many of it are in the original. */
  const differences = new Float64Array(lengths.length ** 2)
  for (const length of lengths)
    for (let original = 0; original <= length; original++)
      differences[length * lengths.length + original] = inOriginal[original] - inHoldout[length - original]
  const total = (isOriginal: Uint8Array) => {
    let of = 0
    for (let q = 0; q + 1 < start.length; q++) {
      let original = 0
      for (let i = start[q]; i < start[q + 1]; i++) original += isOriginal[lists[i]]
      of += differences[(start[q + 1] - start[q]) * lengths.length + original]
    }
    return of
  }
  const observed = total(inOriginalNow)
  const labels = new Uint8Array(people)
  let asLarge = 0
  for (let round = 1; round <= MOST_PERMUTATIONS; round++) {
    if (round % 64 === 0) check()
    let left = nT
    for (let person = 0; person < people; person++) {
      labels[person] = random.below(nT + nH - person) < left ? 1 : 0
      left -= labels[person]
    }
    if (total(labels) >= observed - ROUNDING && ++asLarge === ENOUGH_AS_LARGE)
      return { p: asLarge / round, permutations: round }
  }
  return { p: (1 + asLarge) / (1 + MOST_PERMUTATIONS), permutations: MOST_PERMUTATIONS }
}

const ROUNDING = 1e-9

/** The people on the lists numbered from 0, whether each is in the original, and the lists that are not empty. */
function listedPeople({ rows, start, numbered: [originals] }: Matches) {
  const numbers = new Map<number, number>()
  const lists = rows.map((row) => {
    const number = numbers.get(row) ?? numbers.size
    numbers.set(row, number)
    return number
  })
  return {
    people: numbers.size,
    inOriginalNow: Uint8Array.from(numbers.keys(), (row) => (row < originals ? 1 : 0)),
    lists,
    start: start.filter((at, q) => q === 0 || at > start[q - 1]),
  }
}
