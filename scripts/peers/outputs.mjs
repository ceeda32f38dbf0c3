// What scrim outputs check computes again, beside R, on people that are simulated here: node scripts/peers/outputs.mjs
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnOf, numeric, parseRequest, recompute, requestTable, table, toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { hold, inScratchFolder, leaveOut, peerLines } from './peer.mjs'

const people = simulateHealth({ n: 2000, kappa: 10, seed: 1 })
const lines = await inScratchFolder((folder) => {
  const file = join(folder, 'people.csv')
  writeFileSync(file, toCsv(people))
  return peerLines('outputs.R', file)
})
if (lines.length === 0) leaveOut('R is not here')

const both = [{ var: 'age' }, { var: 'gender' }, { var: 'education', reference: 'low' }]
const crossed = [...both, { interaction: ['gender', 'education'] }]
const report = ['estimate', 'se', 'logLik', 'r2']
const model = (family, response, terms, more = {}) => ({
  id: family,
  kind: 'regression',
  family,
  response,
  terms,
  report,
  ...more,
})
const statistics = ['mean', 'sd', 'median', 'min', 'max', 'sum', 'p1', 'p5', 'q1', 'q3', 'p99']
const request = parseRequest('peers', {
  outputs: [
    model('linear', 'income', crossed),
    model('logistic', 'disease_status', both, { event: 'healthy' }),
    model('poisson', 'visits', crossed),
    model('multinomial', 'disease_status', both.slice(0, 2), { baseline: 'diabetic' }),
    { id: 'summary', kind: 'summary', var: 'health_score', by: ['disease_status'], statistics },
    ...['pearson', 'spearman'].map((method) => ({
      id: method,
      kind: 'correlation',
      vars: ['age', 'income', 'health_score'],
      method,
    })),
  ],
})
const visits = numeric(
  'visits',
  columnOf(people, 'age').values.map((age) => Math.trunc(age) % 7),
)
const data = requestTable(request, table('people.csv', [...people.columns, visits]))
const ours = new Map(
  request.outputs.flatMap((output) =>
    recompute(output, data).map(({ element, statistic, value }) => [`${output.id}\t${element}\t${statistic}`, value]),
  ),
)
const figures = lines.map(([output, element, statistic, text]) => ({
  group: output,
  name: `${output}: ${element} ${statistic}`,
  ours: ours.get(`${output}\t${element}\t${statistic}`),
  theirs: Number(text),
}))
hold(figures, { tolerance: 1e-6, floor: 1e-3 })
