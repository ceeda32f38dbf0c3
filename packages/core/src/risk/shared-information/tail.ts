import { betaCdf } from '../../stats/distributions.js'
import { newcombe } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import type { AroundInBits, MostOfRows } from './around-in-bits.js'

/**
 * Memorisation in the tail, by bits in common: with whom does a released record share a combination that is a thousand
 * times rarer than any that another person shares with them? D_i = most bits of a released record - most bits of another
 * original, at no charge; i has a released twin when D_i >= 10 bits, and one among the other originals when D_i <= -10.
 * When the release is another sample of the population, both happen equally often on average: nothing tells released
 * records from other originals. With unequal sizes that holds for random parts of the larger side that are as large as the
 * smaller one; the figures are means over them.
 *
 * Test: of the K⁺ + K⁻ people with a twin half have a released one by chance. People with the same twin, and originals that
 * are twins of each other, come or go together: counts are divided by deff = Σ (size of a group)² / (K⁺ + K⁻), so that a
 * released record counts once, however many people it is a twin of. Counting twins instead of people would be unfair: of
 * three people in a family two are the twins of all, but of one person and two released relatives only one is.
 */
export type BitsInTail = ReturnType<typeof bitsInTail>

/** A thousandfold. */
export const TWIN_BITS = 10

export function bitsInTail(around: AroundInBits, bits = TWIN_BITS) {
  const records = around.rows.length
  const parts = Array.from({ length: Math.max(1, around.draws) }, (_, draw) => twinsIn(around, draw, bits))
  const mean = (of: (part: Twins) => number) => parts.reduce((sum, part) => sum + of(part), 0) / parts.length
  const released = mean((part) => part.released)
  const others = mean((part) => part.others)
  const designEffect = Math.max(1, mean((part) => part.squares) / Math.max(1, released + others))
  const [more, fewer, looked] = [released, others, records].map((count) => count / designEffect)
  const bounds = newcombe(more, looked, fewer, looked, BOUNDS_LEVEL) ?? { lower: -1, upper: 1 }
  return {
    /** Bits from which on it is a twin. */
    bits,
    records,
    /** Share of people with a released twin, and with one among the other originals. */
    released: released / records,
    others: others / records,
    /** How many released records are the twin of somebody. */
    twins: mean((part) => part.twins),
    /** Random parts of the larger side over which all of these are means; 0 when both are as large. */
    draws: around.draws,
    /** released - others, with one-sided 95 % bounds. */
    excess: (released - others) / records,
    lower: bounds.lower,
    upper: bounds.upper,
    /** One-sided, of no more released twins than others. */
    p: halfOrMore(more, fewer),
    designEffect,
  }
}

/** P(Binomial(more + fewer, 1/2) >= more), continued to fractions. */
function halfOrMore(more: number, fewer: number): number {
  return more > 0 ? betaCdf(0.5, more, fewer + 1) : 1
}

interface Twins {
  /** How many people have a twin. */
  readonly released: number
  readonly others: number
  /** Released records that are one. */
  readonly twins: number
  /** Σ of the squared sizes of groups of people that come or go together. */
  readonly squares: number
}

function twinsIn({ points, toReleased, toOthers, draws }: AroundInBits, draw: number, bits: number): Twins {
  const [byRelease, byOthers] = [toReleased, toOthers].map((side) => mostOf(side, draws, draw))
  const peopleOf = new Map<number, number>()
  const pairs: [number, number][] = []
  let released = 0
  for (let at = 0; at < points.length; at++) {
    const gap = byRelease.bitsOf(at) - byOthers.bitsOf(at)
    // A part of few records can be without another original.
    if (!Number.isFinite(gap)) continue
    if (gap >= bits) {
      released++
      const twin = byRelease.pointOf(at)
      peopleOf.set(twin, (peopleOf.get(twin) ?? 0) + 1)
    } else if (gap <= -bits) pairs.push([points[at], byOthers.pointOf(at)])
  }
  const groups = [...peopleOf.values(), ...groupsOf(pairs)]
  return {
    released,
    others: pairs.length,
    twins: peopleOf.size,
    squares: groups.reduce((sum, size) => sum + size * size, 0),
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

/** How many people there are in each group that is linked by being twins; pairs are [person, twin]. */
function groupsOf(pairs: readonly (readonly [number, number])[]): number[] {
  const leaderOf = new Map<number, number>()
  const leader = (point: number): number => {
    let at = point
    for (let next = leaderOf.get(at); next !== undefined; next = leaderOf.get(at)) at = next
    return at
  }
  for (const [person, twin] of pairs) {
    const [a, b] = [leader(person), leader(twin)]
    if (a !== b) leaderOf.set(a, b)
  }
  const people = new Map<number, number>()
  for (const [person] of pairs) people.set(leader(person), (people.get(leader(person)) ?? 0) + 1)
  return [...people.values()]
}
