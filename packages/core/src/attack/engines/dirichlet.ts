import { fixed } from '../../print.js'
import { logGamma } from '../../stats/special.js'
import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'
import { cellBoxes, pooled, simulateCounts } from './simulated.js'

/**
 * Dirichlet-multinomial: for a generator of which nothing but its output is known. Sets are simulated in each world and
 * their cell counts x pooled; with a_c = alpha + x_c and A = Σ a_c a set with counts s has
 *
 *   ℓ = log Γ(n+1) - Σ log Γ(s_c+1) + log Γ(A) - log Γ(A+n) + Σ [log Γ(a_c+s_c) - log Γ(a_c)].
 *
 * The simulation alone gives ℓ_k - ℓ_j a standard deviation of about sqrt(2 (C-1) / R) for R sets and C cells, whatever
 * their size; it is reported with every result.
 */
export async function dirichletLikelihoods(worlds: Worlds, settings: SimulationSettings): Promise<Likelihoods> {
  const counts = await simulateCounts(worlds, settings)
  const logs = counts.simulated.map((sets) => {
    const concentrations = pooled(sets, counts.cells).map((x) => x + settings.alpha)
    return Float64Array.from(counts.released, (released) => logDirichletMultinomial(released, concentrations))
  })
  const noise = dirichletNoise(counts.cells, settings.simulations)
  return {
    logs,
    notes: [
      `${settings.simulations} simulated sets per world: the simulation alone moves a difference of log likelihoods by about ${fixed(noise, 2)} (less with common random numbers)`,
    ],
    unreliable: null,
    boxes: cellBoxes(counts),
  }
}

export function dirichletNoise(cells: number, simulations: number): number {
  return Math.sqrt((2 * Math.max(0, cells - 1)) / simulations)
}

/** Log probability of counts under a multinomial whose probabilities are Dirichlet. */
export function logDirichletMultinomial(counts: ArrayLike<number>, concentrations: ArrayLike<number>): number {
  let n = 0
  let total = 0
  let log = 0
  for (let c = 0; c < counts.length; c++) {
    n += counts[c]
    total += concentrations[c]
    if (counts[c] > 0)
      log += logGamma(concentrations[c] + counts[c]) - logGamma(concentrations[c]) - logGamma(counts[c] + 1)
  }
  return log + logGamma(n + 1) + logGamma(total) - logGamma(total + n)
}
