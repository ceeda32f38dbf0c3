// Of which outputs does the search reproduce every printed digit? Five data sets each, one search per set; prints the rows of the
// table in docs/output-risk.md.
// node scripts/validation/output-digits.mjs [--sets N] [--from SEED]
import { categorical, inline, numeric, outputRisk, requestSchema, stream, table } from '@scrim/core'
import { CENSUS_REQUEST, simulateCensus, simulateHealth } from '@scrim/studies'

const args = process.argv.slice(2)
const given = (name, otherwise) => Number(args.includes(name) ? args[args.indexOf(name) + 1] : otherwise)
const [SETS, FROM] = [given('--sets', 5), given('--from', 101)]

const CATEGORIES = ['area', 'job', 'sex', 'edu']

function people(rows, seed) {
  const random = stream(seed, 'output-digits')
  const age = []
  const labels = { area: [], job: [], sex: [], edu: [], ill: [] }
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

const logistic = (response, event, terms, decimals) => ({
  id: 'model',
  kind: 'regression',
  family: 'logistic',
  response,
  event,
  decimals,
  terms: terms.map((name) => ({ var: name })),
})
const ill = (terms, decimals = 4) => logistic('ill', '1', terms, decimals)
const disease = logistic('disease_status', 'healthy', ['age', 'gender', 'education'], 4)
const income = {
  id: 'model',
  kind: 'regression',
  family: 'linear',
  response: 'income',
  decimals: 1,
  report: ['estimate', 'se', 'r2'],
  terms: ['age', 'gender', 'education'].map((name) => ({ var: name })),
}
const counts = (...by) => ({ id: 'table', kind: 'table', by })
const health = (n, seed) => simulateHealth({ n, kappa: 10, seed })

const CASES = [
  ...[2500, 1000, 500].map((n) => ['23 coefficients, census-like', n, null, (seed) => simulateCensus({ n, seed })]),
  ...[400, 300].map((n) => [
    '11 coefficients, one of a number',
    n,
    [ill(['age', ...CATEGORIES])],
    (seed) => people(n, seed),
  ]),
  ['10 coefficients of categories alone', 1000, [ill(CATEGORIES)], (seed) => people(1000, seed)],
  ['the same with a table', 500, [ill(CATEGORIES), counts('area', 'sex')], (seed) => people(500, seed)],
  [
    '5 coefficients and a table of 18 cells',
    300,
    [disease, counts('gender', 'education', 'disease_status')],
    (seed) => health(300, seed),
  ],
  ['10 coefficients of categories alone', 300, [ill(CATEGORIES)], (seed) => people(300, seed)],
  ['the same, three decimals', 300, [ill(CATEGORIES, 3)], (seed) => people(300, seed)],
  ['a linear model of incomes with standard errors, one decimal', 500, [income], (seed) => health(500, seed)],
]

const options = {
  design: 'none',
  replicates: 1,
  trajectory: 0,
  gameRecords: 0,
  keySizes: [2],
  mostSets: 2,
  contributions: false,
}

console.log(
  '| outputs, four decimals unless said | records | reproduced | share of the numbers | seconds |\n|---|---|---|---|---|',
)
for (const [what, records, outputs, data] of CASES) {
  const request = outputs === null ? CENSUS_REQUEST : requestSchema.parse({ outputs })
  const started = process.cpuUsage()
  let whole = 0
  let shares = 0
  for (let seed = FROM; seed < FROM + SETS; seed++) {
    const context = {
      seed,
      random: (purpose, index) => stream(seed, purpose, index),
      progress: () => {},
      signal: undefined,
      tasks: inline,
    }
    const found = await outputRisk(request, data(seed), options, context)
    const fidelity = found.outputs.reduce((sum, output) => sum + output.fidelity, 0) / found.outputs.length
    if (found.outputs.every((output) => output.fidelity === 1)) whole++
    shares += fidelity / SETS
  }
  const { user, system } = process.cpuUsage(started)
  const seconds = (user + system) / 1e6 / SETS
  console.log(
    `| ${what} | ${records.toLocaleString('en-US')} | ${whole} of ${SETS} | ${(100 * shares).toFixed(0)} % | ${seconds.toFixed(1)} |`,
  )
}
