import { z } from 'zod'
import type { Table } from '../table/table.js'
import { type Points, pointsFrom, squaredDistance } from './coding/points.js'
import { drawnTrainingRows } from './coding/training-rows.js'
import { classModel, type FitContext, type Learner, type Model, numberModel, type Response } from './learner.js'

const options = z.object({
  k: z.int().min(1).default(10).describe('number of neighbours; all that are as far as the last of them count too'),
  most: z.int().min(1).default(20_000).describe('learn from at most so many records, drawn at random'),
})

/**
 * k nearest neighbours (Fix and Hodges 1951): the shares of the classes, or the mean of the numbers, among the k training
 * records nearest to a person (`points.ts` has the distance), by case weight. Ties at the last place all count, so that the
 * order of records is none of its business. Everything is compared with everything.
 */
export const nearest = {
  id: 'knn',
  title: 'k nearest neighbours',
  responses: ['classes', 'numbers'],
  options,
  async fit(data: Table, wanted: Response, chosen: z.output<typeof options>, context: FitContext): Promise<Model> {
    const { features, response, weights } = drawnTrainingRows(data, wanted, chosen.most, context)
    const toPoints = pointsFrom(features)
    const training = toPoints(features)
    const weightOf = (row: number) => (weights === null ? 1 : weights[row])
    const about = {
      importance: features.columns.map(({ name }) => ({ name, value: 0 })),
      notes: [`${Math.min(chosen.k, training.rows)} neighbours among ${training.rows} records`],
    }
    if (response.kind === 'numbers') {
      const predict = async (table: Table) =>
        Float64Array.from(neighbours(training, toPoints(table), chosen.k), (rows) => {
          let total = 0
          let weight = 0
          for (const row of rows) {
            total += weightOf(row) * response.values[row]
            weight += weightOf(row)
          }
          return total / weight
        })
      return { ...numberModel('knn', predict), ...about }
    }
    const { levels, codes } = response
    const predictProbabilities = async (table: Table) => {
      const shares = new Float64Array(table.rows * levels.length)
      let person = 0
      for (const rows of neighbours(training, toPoints(table), chosen.k)) {
        let weight = 0
        for (const row of rows) weight += weightOf(row)
        for (const row of rows) shares[person * levels.length + codes[row]] += weightOf(row) / weight
        person++
      }
      return shares
    }
    return { ...classModel(levels.length, predictProbabilities), ...about }
  },
} satisfies Learner<typeof options>

/** Equal distances may differ by the rounding of scales. */
const ROUNDING = 1e-9

/** For each person the training rows that are at most as far as the k-th nearest. */
function* neighbours(training: Points, people: Points, k: number): Generator<readonly number[]> {
  const distances = new Float64Array(training.rows)
  const at = Math.min(k, training.rows) - 1
  for (let person = 0; person < people.rows; person++) {
    for (let row = 0; row < training.rows; row++) distances[row] = squaredDistance(people, person, training, row)
    const limit = smallest(distances, at) * (1 + ROUNDING)
    const rows: number[] = []
    for (let row = 0; row < training.rows; row++) if (distances[row] <= limit) rows.push(row)
    yield rows
  }
}

/** The value at place `at` of the sorted ones: a sorted list of the `at + 1` least, as few neighbours are wanted. */
function smallest(values: Float64Array, at: number): number {
  const least = new Float64Array(at + 1).fill(Number.POSITIVE_INFINITY)
  for (const value of values) {
    if (value >= least[at]) continue
    let place = at
    while (place > 0 && least[place - 1] > value) {
      least[place] = least[place - 1]
      place--
    }
    least[place] = value
  }
  return least[at]
}
