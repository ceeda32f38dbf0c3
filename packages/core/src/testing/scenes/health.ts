import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'

const EDUCATION = ['low', 'medium', 'high']

/**
 * People with numbers, levels, ordered levels and a target of three classes that age decides about, for tests of models:
 * the larger kappa, the more; with 0 all columns are independent.
 */
export function simulateHealth({ n, kappa, seed }: { n: number; kappa: number; seed: number }): Table {
  const draws = stream(seed, 'test/health')
  const signal = Math.sqrt(kappa / (1 + kappa))
  const related = (expected: number) => signal * expected + Math.sqrt(1 - signal ** 2) * drawNormal(draws)
  const people = Array.from({ length: n }, () => {
    const age = drawNormal(draws)
    const status = drawNormal(draws)
    const education = related(0.8 * status - 0.4 * age)
    const income = related(0.5 * status + 0.3 * age)
    const illness = related(1.2 * age - 0.3 * income)
    return { age, education, income, health: related(0.6 * status - 0.5 * age), illness, male: draws.below(2) === 1 }
  })
  return table('health', [
    categorical(
      'gender',
      people.map(({ male }) => (male ? 'male' : 'female')),
      { levels: ['female', 'male'] },
    ),
    numeric(
      'age',
      people.map(({ age }) => 45 + 12 * age),
    ),
    categorical(
      'education',
      people.map(({ education }) => EDUCATION[education < -0.3 ? 0 : education < 0.7 ? 1 : 2]),
      { levels: EDUCATION, ordered: true },
    ),
    numeric(
      'income',
      people.map(({ income }) => Math.exp(10 + income)),
    ),
    numeric(
      'health_score',
      people.map(({ health }) => 100 / (1 + Math.exp(-health))),
    ),
    categorical(
      'disease_status',
      people.map(({ illness }) => (illness < 0.4 ? 'healthy' : illness < 0.8 ? 'diabetic' : 'hypertensive')),
      { levels: ['healthy', 'diabetic', 'hypertensive'] },
    ),
  ])
}
