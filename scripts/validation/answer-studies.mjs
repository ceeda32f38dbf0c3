// Does the answer hold what it promises? Three studies, each with the bar that it must keep:
//   1. ten replicates of the case study (section 8.4 of the framework): A LOW, B MODERATE, C HIGH, and A < B < C in leakage;
//   2. 200 honest releases, drawn from the population of the original: at most 6 % alarms overall;
//   3. 60 disjoint halves of real files (Adult, census2k; n = 1000), with and without outsiders: at most 6 % alarms overall.
// node scripts/validation/answer-studies.mjs [SCALE]; part of `npm run validate`. Real files are read from SCRIM_REFERENCE or ../shared/reference.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  assessCase,
  categorical,
  drawNormal,
  isAlarm,
  numeric,
  openCase,
  readTable,
  sampleWithoutReplacement,
  selectRows,
  stream,
  table,
} from '@scrim/core'
import { allThreads, threads } from '../../packages/cli/dist/threads.js'

const SCALE = Number(process.argv[2] ?? 1)
const MOST_FALSE_ALARMS = 0.06
const tasks = threads(allThreads())
let failed = false

async function answer({ original, released, holdout, ...roles }, seed = 1) {
  const opened = openCase({ ...roles, profile: 'quick', seed }, { original, released, holdout })
  return (await assessCase(opened, { tasks })).assessment.releases[0]
}

function bar(kept, text) {
  console.log(`${kept ? 'kept  ' : 'BROKEN'} ${text}`)
  if (!kept) failed = true
}

// --- the case study
const BANDS = ['20-29', '30-39', '40-49', '50-59', '60-69']
const KEYS = ['age_group', 'sex', 'education', 'region']
const AGE_EFFECT = [0, 0.15, 0.3, 0.4, 0.35]
const EDUCATION = ['Primary', 'Secondary', 'Tertiary']
const EDUCATION_EFFECT = [0, 0.3, 0.7]

function keysOf(random, rows) {
  return Array.from({ length: rows }, () => {
    const u = random.uniform()
    return [random.below(5), random.below(2), u < 0.25 ? 0 : u < 0.75 ? 1 : 2, random.below(4)]
  })
}

function caseTable(name, keys, income) {
  return table(name, [
    categorical(
      'age_group',
      keys.map(([age]) => BANDS[age]),
    ),
    categorical(
      'sex',
      keys.map(([, sex]) => 'MF'[sex]),
    ),
    categorical(
      'education',
      keys.map(([, , education]) => EDUCATION[education]),
    ),
    categorical(
      'region',
      keys.map(([, , , region]) => `R${region + 1}`),
    ),
    numeric('income', income),
  ])
}

const incomeOf = (random, keys) =>
  keys.map(([age, , education]) =>
    Math.round(Math.exp(10 + AGE_EFFECT[age] + EDUCATION_EFFECT[education] + 0.4 * drawNormal(random))),
  )

function population(name, seed, rows = 1000) {
  const random = stream(seed, `case ${name}`)
  const keys = keysOf(random, rows)
  return { keys, income: incomeOf(random, keys), name }
}
const asTable = ({ name, keys, income }) => caseTable(name, keys, income)

function releases({ keys, income }, seed) {
  const random = stream(seed, 'case releases')
  const noisy = (value, sd) => Math.round(value * Math.exp(sd * drawNormal(random)))
  const draws = keys.map(() => random.below(keys.length))
  const changed = new Set(sampleWithoutReplacement(random, keys.length, 200))
  return {
    A: caseTable(
      'A',
      keysOf(random, keys.length),
      keys.map(() => income[random.below(income.length)]),
    ),
    B: caseTable(
      'B',
      draws.map((row, k) => (changed.has(k) ? [random.below(5), ...keys[row].slice(1)] : keys[row])),
      draws.map((row) => noisy(income[row], 0.15)),
    ),
    C: caseTable(
      'C',
      keys,
      income.map((value) => noisy(value, 0.03)),
    ),
  }
}

const EXPECTED = { A: 'LOW', B: 'MODERATE', C: 'HIGH' }
const worstLeakage = ({ threats }) => Math.min(1, Math.max(0, ...threats.flatMap(({ leakage }) => leakage ?? [])))
const counts = { A: {}, B: {}, C: {} }
let ordered = 0
const replicates = Math.max(1, Math.round(10 * SCALE))
for (let seed = 1; seed <= replicates; seed++) {
  const original = population('original', seed)
  const risks = []
  for (const [name, released] of Object.entries(releases(original, seed))) {
    const found = await answer(
      { original: asTable(original), released, keys: KEYS, target: 'income', type: 'synthetic' },
      seed,
    )
    counts[name][found.verdict.level] = (counts[name][found.verdict.level] ?? 0) + 1
    risks.push(worstLeakage(found))
  }
  if (risks[0] < risks[1] && risks[1] < risks[2]) ordered++
}
for (const [name, levels] of Object.entries(counts))
  bar(levels[EXPECTED[name]] === replicates, `case ${name}: ${JSON.stringify(levels)} (${EXPECTED[name]} expected)`)
bar(ordered === replicates, `A < B < C in the worst leakage: ${ordered} of ${replicates}`)

// --- honest releases
async function honest(name, runs, make) {
  let alarms = 0
  const byThreat = {}
  const levels = {}
  for (let run = 1; run <= runs; run++) {
    const { verdict, threats } = await answer(make(run), run)
    levels[verdict.level] = (levels[verdict.level] ?? 0) + 1
    if (isAlarm(verdict.level)) alarms++
    for (const { threat, level } of threats) if (isAlarm(level)) byThreat[threat] = (byThreat[threat] ?? 0) + 1
  }
  bar(
    alarms <= Math.ceil(MOST_FALSE_ALARMS * runs),
    `${name}: ${alarms} alarms in ${runs} honest releases ${JSON.stringify(byThreat)}; ${JSON.stringify(levels)}`,
  )
}

await honest('case study', Math.round(200 * SCALE), (seed) => ({
  original: asTable(population('original', seed)),
  released: asTable(population('fresh', seed)),
  keys: KEYS,
  target: 'income',
  type: 'synthetic',
}))

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const folder = process.env.SCRIM_REFERENCE ?? join(root, '../shared/reference')
if (!existsSync(folder)) console.log('reference data not found (SCRIM_REFERENCE): halves of real files are skipped')
else {
  const lines = (path) => readFileSync(join(folder, path), 'utf8').trimEnd().split('\n')
  const read = (name, first, ...others) =>
    readTable(
      name,
      new TextEncoder().encode([...lines(first), ...others.flatMap((path) => lines(path).slice(1))].join('\n')),
    )
  const files = [
    { name: 'Adult', of: await read('adult.csv', 'data/adult/adults_train.csv') },
    {
      name: 'census2k',
      of: await read('census2k.csv', 'data/census2k/census2k-trn.csv', 'data/census2k/census2k-hol.csv'),
    },
  ]
  const keys = ['age', 'sex', 'race', 'marital', 'marital_status', 'education']
  for (const { name, of } of files) {
    const present = keys.filter((key) => of.columns.some((column) => column.name === key))
    for (const outsiders of [false, true]) {
      const size = Math.min(1000, Math.floor(of.rows / (outsiders ? 3 : 2)))
      await honest(
        `${name}, n = ${size}, ${outsiders ? 'with' : 'without'} outsiders`,
        Math.round(30 * SCALE),
        (seed) => {
          const rows = sampleWithoutReplacement(stream(seed, 'halves'), of.rows, (outsiders ? 3 : 2) * size)
          const part = (k) => selectRows(of, rows.slice(k * size, (k + 1) * size))
          return {
            original: part(0),
            released: part(1),
            ...(outsiders ? { holdout: part(2) } : {}),
            keys: present,
            target: 'income',
            type: 'synthetic',
          }
        },
      )
    }
  }
}
await tasks.close()
if (failed) process.exitCode = 1
