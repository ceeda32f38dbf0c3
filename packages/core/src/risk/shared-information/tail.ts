import { betaCdf } from '../../stats/distributions.js'
import { newcombe } from '../../stats/intervals.js'
import type { AroundInBits, MostOfRows } from './around-in-bits.js'

/**
 * Memorisation in the tail, by bits in common: with whom does a released record share a combination that is a thousand
 * times rarer than any that another person shares with them? D_i = most bits of a released record - most bits of another
 * original, at no charge; twins have D_i >= 10 bits. When the release is another sample of the population, as many people
 * have D_i <= -10 as D_i >= 10 on average: nothing tells released records from other originals. With unequal sizes that
 * holds for random parts of the larger side that are as large as the smaller one; the figures are means over them.
 *
 * A released record that is a twin of several people counts once, and so does an original that is one of several others.
 * Test: of K⁺ + K⁻ such records half are released ones by chance. Two originals that are twins of each other come or go
 * together, so counts are divided by deff = (K⁺ + Σ (records of a group of twins)²) / (K⁺ + K⁻).
 */
export type BitsInTail = {
  /** Bits from which on it is a twin. */
  readonly bits: number
  readonly records: number
  /** Share of originals with a released twin, and with one among the other originals. */
  readonly released: number
  readonly others: number
  /** K⁺ and K⁻: how many records they are. */
  readonly releasedTwins: number
  readonly otherTwins: number
  /** Random parts of the larger side over which all of these are means; 0 when both are as large. */
  readonly draws: number
  /** (K⁺ - K⁻) / originals looked at, with one-sided 95 % bounds. */
  readonly excess: number
  readonly lower: number
  readonly upper: number
  /** One-sided, of no more released twins than others. */
  readonly p: number
  readonly designEffect: number
}

/** A thousandfold. */
export const TWIN_BITS = 10

const BOUND_LEVEL = 0.9

export function bitsInTail(around: AroundInBits, bits = TWIN_BITS): BitsInTail {
  const { rows, draws } = around
  const parts = Math.max(1, draws)
  const total = { released: 0, others: 0, releasedTwins: 0, otherTwins: 0, squares: 0 }
  for (let draw = 0; draw < parts; draw++) {
    const found = twinsIn(around, draw, bits)
    total.released += found.released / rows.length / parts
    total.others += found.others / rows.length / parts
    total.releasedTwins += found.releasedTwins / parts
    total.otherTwins += found.otherTwins / parts
    total.squares += found.squares / parts
  }
  const { released, others, releasedTwins, otherTwins, squares } = total
  const designEffect = Math.max(1, squares / Math.max(1, releasedTwins + otherTwins))
  const [more, fewer, looked] = [releasedTwins, otherTwins, rows.length].map((count) => count / designEffect)
  const bounds = newcombe(more, looked, fewer, looked, BOUND_LEVEL) ?? { lower: -1, upper: 1 }
  return {
    bits,
    records: rows.length,
    released,
    others,
    releasedTwins,
    otherTwins,
    draws,
    excess: (releasedTwins - otherTwins) / rows.length,
    lower: bounds.lower,
    upper: bounds.upper,
    p: halfOrMore(more, fewer),
    designEffect,
  }
}

/** P(Binomial(more + fewer, 1/2) >= more), continued to fractions. */
function halfOrMore(more: number, fewer: number): number {
  return more > 0 ? betaCdf(0.5, more, fewer + 1) : 1
}

interface Twins {
  /** Originals with a twin. */
  readonly released: number
  readonly others: number
  /** Records that are twins. */
  readonly releasedTwins: number
  readonly otherTwins: number
  /** Σ of squared sizes of groups that come or go together. */
  readonly squares: number
}

function twinsIn({ points, toReleased, toOthers, draws }: AroundInBits, draw: number, bits: number): Twins {
  const [byRelease, byOthers] = [toReleased, toOthers].map((side) => mostOf(side, draws, draw))
  const releasedTwins = new Set<number>()
  const pairs: [number, number][] = []
  let [released, others] = [0, 0]
  for (let at = 0; at < points.length; at++) {
    const gap = byRelease.bitsOf(at) - byOthers.bitsOf(at)
    // A part of few records can be without another original.
    if (!Number.isFinite(gap)) continue
    if (gap >= bits) {
      released++
      releasedTwins.add(byRelease.pointOf(at))
    } else if (gap <= -bits) {
      others++
      pairs.push([points[at], byOthers.pointOf(at)])
    }
  }
  const groups = twinsByGroup(pairs)
  return {
    released,
    others,
    releasedTwins: releasedTwins.size,
    otherTwins: groups.reduce((sum, size) => sum + size, 0),
    squares: groups.reduce((sum, size) => sum + size * size, releasedTwins.size),
  }
}

/** What counts in a draw: the drawn part of a side that was drawn from, else all of it. */
function mostOf({ bits, points, drawnBits, drawnPoints }: MostOfRows, draws: number, draw: number) {
  if (drawnBits.length === 0) return { bitsOf: (at: number) => bits[at], pointOf: (at: number) => points[at] }
  return {
    bitsOf: (at: number) => drawnBits[at * draws + draw],
    pointOf: (at: number) => drawnPoints[at * draws + draw],
  }
}

/** How many twins there are in each group of originals that are linked by being twins; pairs are [original, its twin]. */
function twinsByGroup(pairs: readonly (readonly [number, number])[]): number[] {
  const leaderOf = new Map<number, number>()
  const leader = (point: number): number => {
    let at = point
    for (let next = leaderOf.get(at); next !== undefined; next = leaderOf.get(at)) at = next
    return at
  }
  for (const [original, twin] of pairs) {
    const [a, b] = [leader(original), leader(twin)]
    if (a !== b) leaderOf.set(a, b)
  }
  const sizes = new Map<number, number>()
  for (const twin of new Set(pairs.map(([, twin]) => twin))) {
    const group = leader(twin)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  return [...sizes.values()]
}
