import { math } from '@scrim/kernels'
import { multinomial } from '../../learners/multinomial.js'
import { fixed } from '../../print.js'
import { logSumExp } from '../../stats/log-scale.js'
import { numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'
import { cellBoxes, type SimulatedCounts, simulateCounts } from './simulated.js'

/**
 * A multinomial logistic regression learns to tell the worlds apart from simulated sets: all one- and two-way counts, and
 * for each cell without known records whether it is occupied. One half of the simulations trains it, the other sets how
 * far its probabilities are to be trusted (one temperature, by maximum likelihood).
 */
export async function classifierLikelihoods(worlds: Worlds, settings: SimulationSettings): Promise<Likelihoods> {
  const counts = await simulateCounts(worlds, settings)
  const features = featureMaker(worlds, counts)
  const half = Math.max(1, Math.floor(settings.simulations / 2))
  const ofHalf = (from: number, to: number) => counts.simulated.flatMap((sets) => sets.slice(from, to).map(features))
  const classes = worlds.candidates.length
  const labels = (each: number) => Int32Array.from({ length: classes * each }, (_, k) => Math.floor(k / each))
  const model = await multinomial.fit(
    featureTable(ofHalf(0, half)),
    { kind: 'classes', codes: labels(half), levels: worlds.candidates.map((_, k) => String(k)) },
    multinomial.options.parse({ ridge: RIDGE }),
    {
      random: (purpose, index = 0) => settings.random(purpose, index),
      seed: settings.seed,
      purpose: 'attack/classifier',
      tasks: inline,
      weights: null,
      signal: settings.signal,
    },
  )
  const rest = settings.simulations - half
  const heldOut = await model.predictProbabilities(featureTable(ofHalf(half, settings.simulations)))
  const temperature = rest === 0 ? 1 : bestTemperature(heldOut, labels(rest), classes)
  const predicted = await model.predictProbabilities(featureTable(counts.released.map(features)))
  const logs = worlds.candidates.map((_, k) =>
    Float64Array.from({ length: worlds.sets.sets }, (_, s) => temperature * math.log(predicted[s * classes + k])),
  )
  return {
    logs,
    notes: [`classifier of worlds, probabilities raised to ${fixed(temperature, 2)} on held-out simulations`],
    unreliable: null,
    boxes: cellBoxes(counts),
  }
}

const RIDGE = 1
const TEMPERATURES = Array.from({ length: 61 }, (_, k) => math.pow(10, -2 + k / 20))

/** The power of the probabilities under which held-out worlds are most likely. */
function bestTemperature(probabilities: Float64Array, labels: Int32Array, classes: number): number {
  const score = (power: number) => {
    let sum = 0
    for (let row = 0; row < labels.length; row++) {
      const logs = Array.from(
        probabilities.subarray(row * classes, (row + 1) * classes),
        (p) => power * math.log(Math.max(p, Number.MIN_VALUE)),
      )
      sum += logs[labels[row]] - logSumExp(logs)
    }
    return sum
  }
  return TEMPERATURES.reduce((best, power) => (score(power) > score(best) ? power : best), 1)
}

/** Counts of the cells as one- and two-way counts and occupied cells. */
function featureMaker({ variables }: Worlds, { records, emptyCells }: SimulatedCounts) {
  const margins = variables.flatMap((_, a) => [
    Int32Array.from(records, (record) => record[a]),
    ...variables
      .slice(a + 1)
      .map((other, b) => Int32Array.from(records, (record) => record[a] * (other.codes + 1) + record[a + 1 + b])),
  ])
  const sizes = margins.map((margin) => margin.reduce((most, at) => Math.max(most, at), 0) + 1)
  return (x: Float64Array): Float64Array => {
    const features: number[] = []
    for (const [k, margin] of margins.entries()) {
      const sums = new Float64Array(sizes[k])
      for (let cell = 0; cell < x.length; cell++) sums[margin[cell]] += x[cell]
      features.push(...sums)
    }
    for (const cell of emptyCells) features.push(x[cell] > 0 ? 1 : 0)
    return Float64Array.from(features)
  }
}

function featureTable(rows: readonly Float64Array[]): Table {
  const width = rows[0]?.length ?? 0
  return table(
    'features',
    Array.from({ length: width }, (_, f) =>
      numeric(
        `f${f}`,
        rows.map((row) => row[f]),
      ),
    ),
  )
}
