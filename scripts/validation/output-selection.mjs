// Several outputs at once by the evolutionary algorithm: the sum of errors, or non-dominated sorting? Prints the rows of the table in
// docs/output-risk.md: means over data sets and seeds.
// node scripts/validation/output-selection.mjs [--sets N] [--seeds N]
import { embedOutputs, inline, recompute, requestSchema, stream } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'

const args = process.argv.slice(2)
const given = (name, otherwise) => Number(args.includes(name) ? args[args.indexOf(name) + 1] : otherwise)
const [SETS, SEEDS] = [given('--sets', 4), given('--seeds', 5)]

const ROWS = 400
const counts = { id: 'counts', kind: 'table', by: ['gender', 'education'] }
const ages = { id: 'ages', kind: 'summary', var: 'age', by: ['gender'], statistics: ['mean', 'sd'], decimals: 1 }
const terms = [{ var: 'age' }, { var: 'gender' }]
const linear = {
  id: 'health',
  kind: 'regression',
  family: 'linear',
  response: 'health_score',
  decimals: 2,
  report: ['estimate', 'se'],
  terms,
}
const logistic = {
  id: 'ill',
  kind: 'regression',
  family: 'logistic',
  response: 'disease_status',
  event: 'healthy',
  decimals: 2,
  terms,
}

const CASES = [
  ['counts, ages', [counts, ages], 1000],
  ['counts, ages, linear model', [counts, ages, linear], 1000],
  ['the same', [counts, ages, linear], 4000],
  ['counts, linear and logistic model', [counts, linear, logistic], 1000],
]

/** What is printed of the people, as somebody outside has it. */
function requestOf(people, asked) {
  const columnOf = (name) => people.columns.find((column) => column.name === name)
  const numbers = ['age', 'health_score'].map((name) => {
    const { values } = columnOf(name)
    const [min, max] = [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))]
    return { name, type: 'numeric', min, max, decimals: 1 }
  })
  const categories = ['gender', 'education', 'disease_status'].map((name) => ({
    name,
    type: 'categorical',
    levels: columnOf(name).levels,
  }))
  const outputs = requestSchema.parse({ outputs: asked }).outputs.map((output) => printed(output, people))
  return requestSchema.parse({ n: ROWS, variables: [...categories, ...numbers], outputs })
}

function printed(output, people) {
  const found = recompute(output, people)
  const cellOf = (element) => Object.fromEntries(element.split(', ').map((part) => part.split('=')))
  const values = [...new Set(found.map(({ element }) => element))].map((element) => {
    const own = found.filter((one) => one.element === element)
    const said = Object.fromEntries(
      own.map(({ statistic, value }) => [statistic, Number(value.toFixed(output.decimals ?? 0))]),
    )
    if (output.kind === 'table') return { cell: cellOf(element), value: said.count }
    return output.kind === 'summary' ? { group: cellOf(element), ...said } : { term: element, ...said }
  })
  return { ...output, values }
}

async function made(request, generations, selection, seed) {
  const random = (purpose, k) => stream(seed, purpose, k)
  const context = { seed, random, progress: () => {}, signal: undefined, tasks: inline }
  const options = { engine: 'ea', selection, generations, phase: Math.ceil(generations / 8) }
  const start = process.cpuUsage()
  const { numbers, off } = await embedOutputs(request, options, context)
  return {
    reproduced: (numbers - off.length) / numbers,
    all: off.length === 0,
    seconds: process.cpuUsage(start).user / 1e6,
  }
}

const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length

console.log(
  '| outputs | generations | numbers reproduced: sum | non-dominated | all of them: sum | non-dominated | seconds: sum | non-dominated |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const [what, asked, generations] of CASES) {
  const found = { sum: [], nondominated: [] }
  for (let set = 1; set <= SETS; set++) {
    const request = requestOf(simulateHealth({ n: ROWS, kappa: 10, seed: set }), asked)
    for (const [selection, own] of Object.entries(found))
      for (let seed = 1; seed <= SEEDS; seed++) own.push(await made(request, generations, selection, seed))
  }
  const cells = [
    (of) => `${Math.round(100 * mean(of.map(({ reproduced }) => reproduced)))} %`,
    (of) => `${of.filter(({ all }) => all).length} of ${of.length}`,
    (of) => mean(of.map(({ seconds }) => seconds)).toFixed(1),
  ].flatMap((cell) => [cell(found.sum), cell(found.nondominated)])
  console.log(`| ${what} | ${generations.toLocaleString('en')} | ${cells.join(' | ')} |`)
}
