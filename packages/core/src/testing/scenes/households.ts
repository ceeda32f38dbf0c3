import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'

/** People with an age in steps of five years, three categories, and an outcome that depends on age and `a`. */
export function households(rows: number, seed = 1): Table {
  const random = stream(seed, 'households')
  const columns: string[][] = [[], [], [], []]
  const age: number[] = []
  for (let i = 0; i < rows; i++) {
    age.push(20 + 5 * random.below(8))
    const [a, b, c] = [random.below(3), random.below(2), random.below(4)]
    const y = random.uniform() < 1 / (1 + Math.exp(1 - a - 0.02 * age[i])) ? 1 : 0
    for (const [k, value] of [a, b, c, y].entries()) columns[k].push(String(value))
  }
  return table('households', [
    numeric('age', age),
    ...['a', 'b', 'c', 'y'].map((name, k) => categorical(name, columns[k])),
  ])
}

/** A logistic model of the outcome on everything else. */
export const HOUSEHOLD_MODEL = {
  id: 'm',
  kind: 'regression',
  family: 'logistic',
  response: 'y',
  event: '1',
  decimals: 2,
  terms: [{ var: 'age' }, { var: 'a' }, { var: 'b' }, { var: 'c' }],
}
