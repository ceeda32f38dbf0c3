// Data that reproduce the 23 coefficients of a logistic model of 50,000 people, by both engines: bars are 5 s for direct, all four
// decimals, and 2 minutes for ea, mean error at most the paper's 0.0004. Processor time stands beside, for a machine that is busy.
import { performance } from 'node:perf_hooks'
import { inline, outputRisk, stream } from '@scrim/core'
import { CENSUS_REQUEST, simulateCensus } from '@scrim/studies'
import { note, quick } from './harness.mjs'

const ENGINES = {
  direct: { scale: 'joint' },
  ea: { scale: 'raw' },
}

export async function benchOutputs() {
  const n = quick ? 5000 : 50_000
  const data = simulateCensus({ n, seed: 1 })
  for (const [engine, options] of Object.entries(ENGINES)) {
    const context = {
      seed: 1,
      random: (purpose, index) => stream(1, purpose, index),
      progress: () => {},
      signal: undefined,
      tasks: inline,
    }
    const [start, before] = [performance.now(), process.cpuUsage()]
    const { outputs, runs } = await outputRisk(
      CENSUS_REQUEST,
      data,
      { engine, ...options, design: 'none', replicates: 1, trajectory: 0, gameRecords: 0, keySizes: [6] },
      context,
    )
    const seconds = (performance.now() - start) / 1000
    const { user } = process.cpuUsage(before)
    note(
      `outputs, ${engine}, 23 coefficients of ${n}: ${seconds.toFixed(1)} s (processor ${(user / 1e6).toFixed(1)} s), mean error ${outputs[0].mae.toExponential(1)}, ${(100 * outputs[0].fidelity).toFixed(0)} % of digits, ${runs[0].ended} after ${runs[0].steps} steps`,
    )
  }
}
