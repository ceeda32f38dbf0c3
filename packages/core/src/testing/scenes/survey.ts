import { requestSchema } from '../../output/description/description.js'
import { requestTable } from '../../output/description/variables.js'
import { prepareOutput } from '../../output/embedding/aims/prepare.js'
import { codedTable } from '../../output/embedding/records/coded-records.js'
import { recompute } from '../../output/numbers/recompute.js'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'

/** People with numbers and categories that depend on each other. */
export function survey(rows: number, seed = 1): Table {
  const random = stream(seed, 'survey')
  const age: number[] = []
  const income: number[] = []
  const visits: number[] = []
  const labels: string[][] = [[], [], [], []]
  for (let i = 0; i < rows; i++) {
    const sex = random.uniform() < 0.5 ? 'f' : 'm'
    const area = ['a', 'b', 'c'][random.below(3)]
    age.push(18 + random.below(60))
    const ill = random.uniform() < 1 / (1 + Math.exp(2 - 0.03 * age[i] - (sex === 'f' ? 0.5 : 0)))
    income.push(Math.round(10 + 0.1 * age[i] + 8 * random.uniform() + (area === 'b' ? 4 : 0)))
    visits.push(random.below(ill ? 6 : 3))
    const job = random.uniform() < 0.3 ? 'none' : age[i] > 50 ? 'old' : 'new'
    for (const [k, value] of [sex, area, ill ? 'yes' : 'no', job].entries()) labels[k].push(value)
  }
  return table('survey', [
    numeric('age', age),
    numeric('income', income),
    numeric('visits', visits),
    ...['sex', 'area', 'ill', 'job'].map((name, k) => categorical(name, labels[k])),
  ])
}

/** Outputs of these data with what a search aims at: the numbers as printed, and as they are. */
export function prepared(outputs: readonly object[], data: Table) {
  const request = requestSchema.parse({ outputs })
  const own = requestTable(request, data)
  const whole = codedTable(own)
  const parts = request.outputs.map((output) => ({ output, prepared: prepareOutput(output, own, whole.variables) }))
  const aims = parts.flatMap(({ output, prepared: one }) => one.aims(recompute(output, own), 'joint', 1 / parts.length))
  const exact = parts.flatMap(({ output, prepared: one }) => one.aims(recompute(output, own), 'se', 1, 'exact'))
  return { outputs: request.outputs, own, whole, aims, exact }
}

export const LOGISTIC = {
  id: 'm',
  kind: 'regression',
  family: 'logistic',
  response: 'ill',
  event: 'yes',
  decimals: 2,
  terms: [{ var: 'age' }, { var: 'sex' }, { var: 'area' }],
}
