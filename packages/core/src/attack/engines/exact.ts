import { UserError } from '../../errors.js'
import type { Streams } from '../../synthesizers/synthesizer.js'
import { throwIfAborted } from '../../tasks/task.js'
import { recordsOfSet, replaceRecord, sumOverSets } from '../generator/records.js'
import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'

/**
 * ℓ_k = Σ log P_k(z) over the released records z, each distinct one evaluated once: one fit per candidate, no simulation.
 * For any generator that knows its probabilities and whose fit is not random; trees have a faster way (`exact-cart.ts`).
 * Where a fit draws its parameters, the probability of a whole set averaged over all draws, if the generator knows that.
 */
export async function exactLikelihoods(
  { original, row, candidates, sets }: Worlds,
  { generator, random, progress, signal }: SimulationSettings,
): Promise<Likelihoods> {
  const streams: Streams = (purpose) => random(purpose, 0)
  const whole = Array.from({ length: sets.sets }, (_, s) => recordsOfSet(sets, s))
  const logs: Float64Array[] = []
  for (const [k, candidate] of candidates.entries()) {
    throwIfAborted(signal)
    const { logProb, logProbOfSet } = await generator.fit(replaceRecord(original, row, candidate), streams)
    if (logProbOfSet !== null) logs.push(Float64Array.from(whole, logProbOfSet))
    else if (generator.fitsAnew)
      throw new UserError('the engine exact needs a synthesizer whose fit is not random; use mix')
    else if (logProb === null)
      throw new UserError('the engine exact needs a synthesizer that knows the probability of a record; use dm')
    else logs.push(sumOverSets(sets, logProb(sets.distinct)))
    progress?.(k + 1, candidates.length)
  }
  return { logs, notes: [], unreliable: null }
}
