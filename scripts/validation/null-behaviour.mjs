// How often do the measures of distance, membership and Article 29 accuse an honest release? Original, holdout and release are
// drawn from one population, over and over, and each measure is judged for itself; then near-copies, and a few copies inside fresh draws, to see what is caught.
// node scripts/validation/null-behaviour.mjs [REPLICATES]; part of `npm run validate`.
import { categorical, isAlarm, judge, measures, numeric, openCase, stream, table } from '@scrim/core'
import { allThreads, threads } from '../../packages/cli/dist/threads.js'

const REPLICATES = Number(process.argv[2] ?? 200)
const PEOPLE = 300
const FAMILIES = ['distance', 'membership', 'article29']
const MOST_FALSE_ALARMS = 0.06

/** Sex and education, age in years, income by age and education, region, a diagnosis by age. */
function people(name, replicate, rows = PEOPLE) {
  const random = stream(replicate, `null behaviour ${name}`)
  const draw = (levels) => levels[random.below(levels.length)]
  const records = Array.from({ length: rows }, () => {
    const age = Math.round(18 + 70 * random.uniform() ** 1.3)
    const education = draw(['low', 'middle', 'high'])
    const base = 20 + age / 4 + { low: 0, middle: 10, high: 25 }[education]
    return {
      sex: draw(['f', 'm']),
      education,
      region: draw(['n', 'e', 's', 'w']),
      age,
      income: Math.round(1000 * base * Math.exp(0.4 * (random.uniform() + random.uniform() - 1))),
      ill: random.uniform() < age / 150 ? 'yes' : 'no',
    }
  })
  return tableOf(name, records)
}

function tableOf(name, records) {
  const column = (key) => records.map((record) => record[key])
  return table(name, [
    ...['sex', 'education', 'region', 'ill'].map((key) => categorical(key, column(key))),
    ...['age', 'income'].map((key) => numeric(key, column(key))),
  ])
}

const rowsOf = ({ columns, rows }) =>
  Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      columns.map((column) => [
        column.name,
        column.kind === 'categorical' ? column.levels[column.codes[row]] : column.values[row],
      ]),
    ),
  )

const scenes = {
  honest: (_, replicate) => people('release', replicate),
  'near-copies': (original, replicate) => {
    const random = stream(replicate, 'null behaviour near-copies')
    return tableOf(
      'release',
      rowsOf(original).map((record) => ({
        ...record,
        age: record.age + random.below(3) - 1,
        income: record.income + Math.round(1000 * (random.uniform() - 0.5)),
      })),
    )
  },
  '5 % copies': (original, replicate) => {
    const fresh = rowsOf(people('release', replicate))
    const copies = rowsOf(original).slice(0, PEOPLE / 20)
    return tableOf('release', [...copies, ...fresh.slice(copies.length)])
  },
}

const chosen = measures.filter(({ family, profile }) => FAMILIES.includes(family) && profile !== 'full')
const tasks = threads(allThreads())
let failed = false
for (const [scene, make] of Object.entries(scenes)) {
  const replicates = scene === 'honest' ? REPLICATES : Math.ceil(REPLICATES / 10)
  const alarms = new Map(chosen.map(({ id }) => [id, 0]))
  const familyAlarms = new Map(FAMILIES.map((family) => [family, 0]))
  for (let replicate = 1; replicate <= replicates; replicate++) {
    const original = people('original', replicate)
    const holdout = people('holdout', replicate)
    const files = { original, released: make(original, replicate), holdout }
    const given = openCase({ target: 'ill', type: 'synthetic' }, files).release
    const accused = new Set()
    for (const measure of chosen) {
      const { releases } = await measure.run(given, {}, { seed: replicate, tasks })
      const looks = [releases[0], ...(releases[0].looks ?? [])].flatMap(({ leakage }) =>
        leakage === null ? [] : [{ leakage }],
      )
      const [{ level }] = judge([{ threat: measure.threat, looks }])
      if (!isAlarm(level)) continue
      alarms.set(measure.id, alarms.get(measure.id) + 1)
      accused.add(measure.family)
    }
    for (const family of accused) familyAlarms.set(family, familyAlarms.get(family) + 1)
  }
  console.log(`\n${scene}, ${replicates} releases of ${PEOPLE}: alarms`)
  for (const [id, count] of alarms) console.log(`  ${id.padEnd(20)} ${percent(count / replicates)}`)
  for (const [family, count] of familyAlarms)
    console.log(`  any of ${family.padEnd(13)} ${percent(count / replicates)}`)
  if (scene === 'honest' && [...familyAlarms.values()].some((count) => count > MOST_FALSE_ALARMS * replicates))
    failed = true
}
await tasks.close()
if (failed) {
  console.error(`\na family accuses more than ${percent(MOST_FALSE_ALARMS).trim()} of honest releases`)
  process.exitCode = 1
}

function percent(share) {
  return `${(100 * share).toFixed(1).padStart(5)} %`
}
