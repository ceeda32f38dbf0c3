import { math } from '@scrim/kernels'
import { fixed } from '../../print.js'
import { logMeanExp } from '../../stats/log-scale.js'
import type { Streams } from '../../synthesizers/synthesizer.js'
import { throwIfAborted } from '../../tasks/task.js'
import { replaceRecord, sumOverSets } from '../generator/records.js'
import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'
import { simulateCounts } from './simulated.js'

/**
 * The mean over R random fits, ℓ_k = log 1/R Σ_r Π_c q_rc^{s_c}, for generators whose fit is random (Reiter, Wang and
 * Zhang's average over draws). q is exact where the fit knows its probabilities, else (x_c + alpha) / (n + alpha C) from
 * one simulated set. The mean is soon that of its few largest terms; with fewer than 10 effective draws, (Σw)² / Σw², in
 * the winning world there is no verdict.
 */
export async function mixtureLikelihoods(worlds: Worlds, settings: SimulationSettings): Promise<Likelihoods> {
  const byDraw = (await exactByDraw(worlds, settings)) ?? (await simulatedByDraw(worlds, settings))
  const logs = byDraw.map((draws) =>
    Float64Array.from({ length: worlds.sets.sets }, (_, s) => logMeanExp(draws.map((draw) => draw[s]))),
  )
  const least = leastEffective(byDraw, logs, worlds.sets.sets)
  return {
    logs,
    notes: [`${settings.simulations} fits per world, at least ${fixed(least, 1)} effective ones in the winning world`],
    unreliable:
      least < LEAST_EFFECTIVE
        ? `fewer than ${LEAST_EFFECTIVE} effective fits in the winning world; simulate more`
        : null,
  }
}

const LEAST_EFFECTIVE = 10

/** By candidate, by fit: log likelihood of each set; null if the generator has no probabilities. */
async function exactByDraw(
  { original, row, candidates, sets }: Worlds,
  { generator, made, simulations, random, signal, progress }: SimulationSettings,
): Promise<Float64Array[][] | null> {
  if (made !== null) return null
  const drawn: Float64Array[][] = []
  for (const [k, candidate] of candidates.entries()) {
    const world = replaceRecord(original, row, candidate)
    const draws: Float64Array[] = []
    const fits = generator.fitsAnew ? simulations : 1
    for (let r = 0; r < fits; r++) {
      throwIfAborted(signal)
      const streams: Streams = (purpose) => random(`fit/${purpose}`, r)
      const { logProb } = await generator.fit(world, streams)
      if (logProb === null) return null
      draws.push(sumOverSets(sets, logProb(sets.distinct)))
    }
    // A fit that is not random is the same every time.
    drawn.push(generator.fitsAnew ? draws : Array.from({ length: simulations }, () => draws[0]))
    progress?.(k + 1, candidates.length)
  }
  return drawn
}

async function simulatedByDraw(worlds: Worlds, settings: SimulationSettings): Promise<Float64Array[][]> {
  const { simulated, released, cells } = await simulateCounts(worlds, settings)
  return simulated.map((draws) =>
    draws.map((x) => {
      const n = x.reduce((sum, count) => sum + count, 0)
      const log = x.map((count) => math.log((count + settings.alpha) / (n + settings.alpha * cells)))
      return Float64Array.from(released, (s) => s.reduce((sum, count, c) => sum + (count > 0 ? count * log[c] : 0), 0))
    }),
  )
}

function leastEffective(byDraw: Float64Array[][], logs: readonly Float64Array[], sets: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let s = 0; s < sets; s++) {
    let winner = 0
    for (let k = 1; k < logs.length; k++) if (logs[k][s] > logs[winner][s]) winner = k
    least = Math.min(least, effectiveDraws(byDraw[winner].map((draw) => draw[s])))
  }
  return sets === 0 ? 0 : least
}

/** (Σw)² / Σw² of w = exp(log). */
export function effectiveDraws(logs: readonly number[]): number {
  const most = Math.max(...logs)
  if (most === Number.NEGATIVE_INFINITY) return 0
  const weights = logs.map((log) => math.exp(log - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total ** 2 / weights.reduce((sum, weight) => sum + weight ** 2, 0)
}
