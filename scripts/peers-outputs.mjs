// What scrim outputs check computes again, beside R, on people that are simulated here: node scripts/peers-outputs.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnOf, numeric, parseRequest, recompute, requestTable, table, toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'

const TOLERANCE = 1e-6

const people = simulateHealth({ n: 2000, kappa: 10, seed: 1 })
const folder = mkdtempSync(join(tmpdir(), 'scrim-peers-'))
const file = join(folder, 'people.csv')
writeFileSync(file, toCsv(people))
const peer = spawnSync('Rscript', [join(import.meta.dirname, 'peers-outputs.R'), file], { encoding: 'utf8' })
rmSync(folder, { recursive: true })
if (peer.status !== 0) {
  console.error(peer.error?.message ?? peer.stderr)
  process.exit(1)
}

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
const found = new Map(
  request.outputs.flatMap((output) =>
    recompute(output, data).map(({ element, statistic, value }) => [`${output.id}\t${element}\t${statistic}`, value]),
  ),
)

const worst = new Map()
let failed = false
for (const line of peer.stdout.trim().split('\n')) {
  const [output, element, statistic, text] = line.split('\t')
  const own = found.get(`${output}\t${element}\t${statistic}`)
  const difference =
    own === undefined ? Number.POSITIVE_INFINITY : Math.abs(own - Number(text)) / Math.max(Math.abs(Number(text)), 1e-3)
  if (own === undefined) console.log(`${output}: ${element} ${statistic} is missing`)
  const before = worst.get(output) ?? { numbers: 0, largest: 0 }
  worst.set(output, { numbers: before.numbers + 1, largest: Math.max(before.largest, difference) })
}
for (const [output, { numbers, largest }] of worst) {
  const isEqual = largest <= TOLERANCE
  if (!isEqual) failed = true
  console.log(
    `${isEqual ? 'equal ' : 'DIFFER'} ${output}: ${numbers} numbers, largest relative difference ${largest.toExponential(1)}`,
  )
}
if (failed) process.exit(1)
