import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'
import { simulateCounts } from './simulated.js'

/**
 * Approximate Bayesian computation: of all simulated sets the `accept` nearest to the released one are kept, by total
 * variation ½ Σ |s_c/n - x_c/n|; a world's likelihood is its share of its own sets among them. Weak by nature: the
 * distance is mostly noise of the common cells, and the one cell that tells worlds apart hardly counts.
 */
export async function abcLikelihoods(worlds: Worlds, settings: SimulationSettings): Promise<Likelihoods> {
  const { simulated, released } = await simulateCounts(worlds, settings)
  const shares = released.map((set) => acceptedShares(simulated, set, settings.accept))
  return {
    logs: simulated.map((_, k) => Float64Array.from(shares, (share) => Math.log(share[k]))),
    notes: ['the engine abc sees only how near simulated sets are; it finds less than there is'],
    unreliable: null,
  }
}

/** By world: the share of its sets among those kept. Sets as far away as the last one kept are kept too. */
export function acceptedShares(
  simulated: readonly (readonly Float64Array[])[],
  released: Float64Array,
  accept: number,
): number[] {
  const distances = simulated.map((world) => world.map((x) => totalVariation(x, released)))
  const all = distances.flat().sort((a, b) => a - b)
  const farthest = all[Math.max(1, Math.ceil(accept * all.length)) - 1]
  return distances.map((world) => world.filter((distance) => distance <= farthest).length / world.length)
}

/** ½ Σ |a_c / n_a - b_c / n_b|. */
export function totalVariation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const sumOf = (counts: ArrayLike<number>) => Array.from(counts).reduce((sum, count) => sum + count, 0) || 1
  const [n, m] = [sumOf(a), sumOf(b)]
  let sum = 0
  for (let c = 0; c < a.length; c++) sum += Math.abs(a[c] / n - b[c] / m)
  return sum / 2
}
