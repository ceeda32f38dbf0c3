import { math } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { throwIfAborted } from '../../tasks/task.js'
import type { AnonymiserContext } from './anonymiser.js'

/** What is known of each household before areas are swapped. */
export interface SwapPlan {
  /** Per level, from large to small, the area of each household. */
  readonly areas: readonly Int32Array[]
  /** Per level whether it must be swapped across areas of that level. */
  readonly atRisk: readonly Uint8Array[]
  /** Chance to be drawn, up to a factor; 0 is never swapped. */
  readonly risk: Float64Array
  readonly sizes: Int32Array
  /** Per profile, the strictest first, the combination of each household. */
  readonly profiles: readonly Int32Array[]
}

export interface Swaps {
  /** The household that it exchanged areas with; -1 for none. */
  readonly partner: Int32Array
  /** Per level households at risk for which there was no partner. */
  readonly withoutPartner: readonly number[]
  readonly swapsByProfile: readonly number[]
}

/** Swaps households at risk from the largest areas on, then more of them in the smallest areas up to the rate. */
export function swapHouseholds(plan: SwapPlan, rate: number, context: AnonymiserContext): Swaps {
  const random = context.random('households')
  const households = plan.sizes.length
  const partner = new Int32Array(households).fill(-1)
  const swapsByProfile = plan.profiles.map(() => 0)
  const search = partnerSearch(plan, partner, random)
  const smallest = plan.areas.length - 1
  const quota = quotas(plan.areas[smallest], rate, random)

  const swap = (household: number, level: number, isFull: ((area: number) => boolean) | null): boolean => {
    const swap = search(household, level, isFull)
    if (swap === null) return false
    partner[household] = swap.partner
    partner[swap.partner] = household
    swapsByProfile[swap.profile]++
    for (const h of [household, swap.partner]) quota[plan.areas[smallest][h]]--
    return true
  }

  const withoutPartner = plan.areas.map((_, level) => {
    let stuck = 0
    for (const h of inRandomOrder(flagged(plan.atRisk[level]), random)) {
      throwIfAborted(context.signal)
      if (partner[h] < 0 && !swap(h, level, null)) stuck++
    }
    return stuck
  })
  const drawn = byRisk(plan.risk, random)
  for (const [done, h] of drawn.entries()) {
    throwIfAborted(context.signal)
    context.progress(done, drawn.length)
    if (partner[h] >= 0 || quota[plan.areas[smallest][h]] < 1) continue
    swap(h, smallest, (area) => quota[area] < 1)
  }
  return { partner, withoutPartner, swapsByProfile }
}

/** Per area the rate of its households, fractions rounded up or down at random so that the expected number is exact. */
function quotas(areas: Int32Array, rate: number, random: Stream): Float64Array {
  const counts = new Float64Array(areas.reduce((a, b) => Math.max(a, b), -1) + 1)
  for (const area of areas) counts[area]++
  return counts.map((n) => Math.floor(rate * n + random.uniform()))
}

function flagged(flags: Uint8Array): Int32Array {
  return Int32Array.from(flags.keys()).filter((h) => flags[h] === 1)
}

function inRandomOrder(items: Int32Array, random: Stream): Int32Array {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const kept = items[last]
    items[last] = items[other]
    items[other] = kept
  }
  return items
}

/** Households in the order of draws without replacement in proportion to their risk (Efraimidis and Spirakis 2006). */
function byRisk(risk: Float64Array, random: Stream): Int32Array {
  const waiting = risk.map((weight) => -math.log(random.openUniform()) / weight)
  return Int32Array.from(risk.keys())
    .filter((h) => risk[h] > 0)
    .sort((a, b) => waiting[a] - waiting[b] || a - b)
}

type Search = (
  one: number,
  level: number,
  isFull: ((area: number) => boolean) | null,
) => { readonly partner: number; readonly profile: number } | null

/**
 * Draws a partner that is not swapped yet, lives in another area of the level and has the size and the profile; the first
 * profile that has any. Among these first those whose smallest area is not full, then those of the same next larger area.
 */
function partnerSearch(plan: SwapPlan, partner: Int32Array, random: Stream): Search {
  const { areas, risk, sizes, profiles } = plan
  const byProfile = profiles.map((combination) => alike(combination, sizes))
  const smallest = areas[areas.length - 1]
  return (household, level, isFull) => {
    for (const [profile, members] of byProfile.entries()) {
      let best = Number.POSITIVE_INFINITY
      let candidates: number[] = []
      for (const other of members.of(household)) {
        if (partner[other] >= 0 || areas[level][other] === areas[level][household] || risk[other] === 0) continue
        const isFar = level > 0 && areas[level - 1][other] !== areas[level - 1][household]
        const rank = (isFull?.(smallest[other]) === true ? 2 : 0) + (isFar ? 1 : 0)
        if (rank > best) continue
        if (rank < best) candidates = []
        best = rank
        candidates.push(other)
      }
      if (candidates.length > 0) return { partner: drawByRisk(candidates, risk, random), profile }
    }
    return null
  }
}

/** Households of the same size and combination. */
function alike(combination: Int32Array, sizes: Int32Array): { readonly of: (h: number) => readonly number[] } {
  const members = new Map<string, number[]>()
  const keyOf = (h: number) => `${sizes[h]} ${combination[h]}`
  for (let h = 0; h < sizes.length; h++) {
    const known = members.get(keyOf(h))
    if (known === undefined) members.set(keyOf(h), [h])
    else known.push(h)
  }
  return { of: (h) => members.get(keyOf(h)) ?? [] }
}

function drawByRisk(among: readonly number[], risk: Float64Array, random: Stream): number {
  let total = 0
  for (const h of among) total += risk[h]
  let left = random.uniform() * total
  for (const h of among) {
    left -= risk[h]
    if (left < 0) return h
  }
  return among[among.length - 1]
}
