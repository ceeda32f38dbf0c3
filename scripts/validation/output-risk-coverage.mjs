// Does the interval of the marginal risk of outputs cover? Honest cases: people drawn at random, a logistic model of half of them.
// For each case the interval over 10 random halves is compared with the mean over 30 others, which is itself uncertain: the interval is
// widened by what that adds (a factor √(1 + 10/30)). The interval for new people is compared with the mean over all cases. An alarm
// (elevated or high) is counted as false, though half of 300 people leave a little of themselves in a model.
// node scripts/validation/output-risk-coverage.mjs [--cases N]; fails when a bar is broken.
import { categorical, inline, numeric, outputRisk, requestSchema, stream, table } from '@scrim/core'

const args = process.argv.slice(2)
const cases = Number(args.includes('--cases') ? args[args.indexOf('--cases') + 1] : 100)
const PEOPLE = 300
const [SPLITS, OTHERS] = [10, 30]

function people(seed) {
  const random = stream(seed, 'output-risk-coverage')
  const columns = { area: [], job: [], sex: [], ill: [] }
  const age = []
  for (let i = 0; i < PEOPLE; i++) {
    age.push(20 + 10 * random.below(6))
    const [area, job, sex] = [random.below(4), random.below(3), random.below(2)]
    const odds = -1.5 + 0.02 * age[i] + 0.4 * area - 0.5 * job + 0.3 * sex
    const ill = random.uniform() < 1 / (1 + Math.exp(-odds)) ? 1 : 0
    for (const [name, value] of Object.entries({ area, job, sex, ill })) columns[name].push(String(value))
  }
  return table('people', [
    numeric('age', age),
    ...Object.entries(columns).map(([name, values]) => categorical(name, values)),
  ])
}

const request = requestSchema.parse({
  outputs: [
    {
      id: 'model',
      kind: 'regression',
      family: 'logistic',
      response: 'ill',
      event: '1',
      decimals: 1,
      terms: ['age', 'area', 'job', 'sex'].map((name) => ({ var: name })),
    },
  ],
})

const small = { replicates: 1, trajectory: 0, gameRecords: 0, keySizes: [2, 3, 4] }

async function marginal(data, seed, splits) {
  const context = {
    seed,
    random: (purpose, index) => stream(seed, purpose, index),
    progress: () => {},
    signal: undefined,
    tasks: inline,
  }
  const { targets } = await outputRisk(request, data, { ...small, splits }, context)
  return targets[0]
}

const found = []
for (let seed = 1; seed <= cases; seed++) {
  const data = people(seed)
  const own = await marginal(data, seed, SPLITS)
  const others = await marginal(data, seed + 1_000_000, OTHERS)
  found.push({ ...own.success, verdict: own.verdict, truth: others.success.value })
}
const grand = found.reduce((sum, { truth }) => sum + truth, 0) / cases
const share = (test) => found.filter(test).length / cases
const widening = Math.sqrt(1 + SPLITS / OTHERS)
const covered = share(({ value, interval, truth }) => Math.abs(value - truth) <= widening * (value - interval.lower))
const coveredNew = share(({ population }) => population.lower <= grand && grand <= population.upper)
const alarms = share(({ verdict }) => verdict === 'elevated' || verdict === 'high')
const cleared = share(({ verdict }) => verdict === 'no marginal risk detected')
const percent = (value) => `${(100 * value).toFixed(0)} %`
console.log(
  `${cases} honest cases of ${PEOPLE} people, ${SPLITS} random halves each; mean marginal risk ${grand.toFixed(4)}`,
)
console.log(`95 % interval over splits holds the mean over ${OTHERS} other splits: ${percent(covered)}`)
console.log(`95 % interval for new people holds the mean over cases: ${percent(coveredNew)}`)
console.log(`false alarms: ${percent(alarms)}; no marginal risk detected: ${percent(cleared)}`)
// Three standard errors of 100 cases below the nominal level.
const least = 0.95 - 3 * Math.sqrt((0.95 * 0.05) / cases)
if (covered < least || coveredNew < least || alarms > 0.05 + 3 * Math.sqrt((0.05 * 0.95) / cases)) {
  console.error('the interval of the marginal risk does not cover')
  process.exitCode = 1
}
