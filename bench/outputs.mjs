// Data that reproduce the 23 coefficients of a logistic model of 50,000 people, by both engines: bars are 5 s for direct, all four
// decimals, and 2 minutes for ea, mean error at most the paper's 0.0004.
import { inline, outputRisk, stream } from '@scrim/core'
import { CENSUS_REQUEST, simulateCensus } from '@scrim/studies'
import { count, sized } from './harness.mjs'

const PEOPLE = sized(50_000)
const ENGINES = { direct: { scale: 'joint' }, ea: { scale: 'raw' } }

export const outputRows = Object.entries(ENGINES).map(([engine, options]) => ({
  name: `outputs, ${engine}, ${count(PEOPLE)} people`,
  prepare() {
    const data = simulateCensus({ n: PEOPLE, seed: 1 })
    const asked = { engine, ...options, design: 'none', replicates: 1, trajectory: 0, gameRecords: 0, keySizes: [6] }
    const random = (purpose, index) => stream(1, purpose, index)
    const context = { seed: 1, random, progress: () => {}, signal: undefined, tasks: inline }
    return {
      async run() {
        const { outputs, runs } = await outputRisk(CENSUS_REQUEST, data, asked, context)
        const [{ mae, fidelity }] = outputs
        return [
          `mean error ${mae.toExponential(1)}, ${(100 * fidelity).toFixed(0)} % of digits, ${runs[0].ended} after ${runs[0].steps} steps`,
        ]
      },
    }
  },
}))
