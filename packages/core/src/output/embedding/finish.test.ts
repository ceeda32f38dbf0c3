import { expect, it } from 'vitest'
import type { Context } from '../../measure.js'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { requestSchema } from '../description/description.js'
import { outputRisk } from '../risk/risk.js'

/** People with four categories (96 kinds with an outcome each way), and an age. */
function people(rows: number): Table {
  const random = stream(1, 'finish')
  const labels: Record<string, string[]> = { area: [], job: [], sex: [], edu: [], ill: [] }
  const age: number[] = []
  for (let i = 0; i < rows; i++) {
    age.push(18 + random.below(60))
    const [area, job, sex, edu] = [random.below(4), random.below(3), random.below(2), random.below(4)]
    const odds = -0.5 + 0.4 * area - 0.5 * job + 0.3 * sex + 0.2 * edu + 0.01 * (age[i] - 40)
    const ill = random.uniform() < 1 / (1 + Math.exp(-odds)) ? 1 : 0
    for (const [name, value] of Object.entries({ area, job, sex, edu, ill })) labels[name].push(String(value))
  }
  return table('people', [
    numeric('age', age),
    ...Object.entries(labels).map(([name, values]) => categorical(name, values)),
  ])
}

const model = (...terms: string[]) => ({
  id: 'm',
  kind: 'regression',
  family: 'logistic',
  response: 'ill',
  event: '1',
  decimals: 4,
  terms: terms.map((name) => ({ var: name })),
})

/** What of the printed numbers one embedded set has. */
async function embedded(outputs: readonly object[], rows: number) {
  const context: Context = {
    seed: 1,
    random: (purpose, index) => stream(1, purpose, index),
    progress: () => {},
    signal: undefined,
    tasks: inline,
  }
  const options = { design: 'none', replicates: 1, trajectory: 0, gameRecords: 0, contributions: false } as const
  const found = await outputRisk(requestSchema.parse({ outputs }), people(rows), options, context)
  return found.outputs.map(({ fidelity }) => fidelity)
}

it('four decimals of 10 coefficients come out of 1000 people without any number', async () => {
  expect(await embedded([model('area', 'job', 'sex', 'edu')], 1000)).toEqual([1])
})

it('a model does not cost the table beside it', async () => {
  expect(
    await embedded([model('age', 'area', 'sex'), { id: 't', kind: 'table', by: ['area', 'sex', 'ill'] }], 300),
  ).toEqual([1, 1])
})
