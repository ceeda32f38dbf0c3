// Do intervals cover, and what does each measure see? Simulated releases of which it is known what they leak (scenes.mjs):
//   coverage: share of simulations whose 95 % interval holds the mean value over all simulations (what varies: people, release
//             and the attacker's randomness), for honest releases, CART and 5 % copies;
//   power:    share of simulations in which a measure's own effect is significant at 5 % (one-sided), and in which the answer alarms.
// node scripts/calibration.mjs [SIMULATIONS] writes docs/coverage.md and docs/power.md; part of `npm run validate` with --check,
// which writes nothing and fails when a bar is broken.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assess, conclude, isAlarm, measures, release } from '@scrim/core'
import { allThreads, threads } from '../packages/cli/dist/threads.js'
import { SCENES, scene } from './scenes.mjs'

const args = process.argv.slice(2)
const check = args.includes('--check')
const SIMULATIONS = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 100)
const POWER_SIMULATIONS = Math.max(1, Math.round(SIMULATIONS * 0.3))
const PEOPLE = 300
const COVERAGE_SCENES = ['honest', 'CART, minbucket 5', 'copies 5 %']
/** Nominal 95 %; the bars allow for the simulation's own error. */
const slack = 3 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)
const LEAST_COVERAGE = 0.92 - Math.max(0, slack - 0.03)

const chosen = measures.filter(
  ({ about, profile, scope }) => about !== 'generator' && profile !== 'full' && scope === 'pair',
)
const tasks = threads(allThreads())
const found = new Map()
for (const name of Object.keys(SCENES)) {
  const runs = COVERAGE_SCENES.includes(name) ? SIMULATIONS : POWER_SIMULATIONS
  const each = []
  for (let seed = 1; seed <= runs; seed++) {
    const given = release(await scene(name, seed, PEOPLE))
    const results = []
    for await (const result of assess(given, { measures: chosen.map(({ id }) => id), seed, tasks }))
      results.push(result)
    each.push({ results, level: conclude(given, results, measures).releases[0].verdict.level })
  }
  found.set(name, each)
  console.log(`${name}: ${runs} simulations, answer alarms in ${percent(share(each, ({ level }) => isAlarm(level)))}`)
}
await tasks.close()

const findingOf = ({ results }, id) => results.find(({ measure }) => measure === id)?.releases[0]

// --- coverage
let broken = 0
const coverage = chosen.flatMap(({ id }) => {
  const cells = COVERAGE_SCENES.map((name) => {
    const known = found
      .get(name)
      .map((run) => findingOf(run, id))
      .filter((one) => one != null && one.value !== null && one.interval !== null)
    if (known.length < SIMULATIONS / 2) return null
    const truth = known.reduce((sum, { value }) => sum + value, 0) / known.length
    return share(known, ({ interval }) => interval.lower <= truth && truth <= interval.upper)
  })
  return cells.every((cell) => cell === null) ? [] : [{ id, cells }]
})
for (const { id, cells } of coverage)
  for (const [k, cell] of cells.entries())
    if (cell !== null && cell < LEAST_COVERAGE) {
      broken++
      console.log(`interval of ${id} covers ${percent(cell)} in "${COVERAGE_SCENES[k]}"`)
    }
const coveragePage = [
  '# Do the intervals cover?',
  '',
  `Share of ${SIMULATIONS} simulations of ${PEOPLE} people each in which the 95 % interval of a measure holds the mean of its value over all`,
  'simulations. People, release and the attacker’s randomness vary together. Made by `node scripts/calibration.mjs`.',
  '',
  table(
    ['measure', ...COVERAGE_SCENES],
    coverage.map(({ id, cells }) => [`\`${id}\``, ...cells.map((cell) => (cell === null ? '-' : percent(cell)))]),
  ),
  '',
].join('\n')

// --- power
const names = Object.keys(SCENES)
const powerRows = chosen.flatMap(({ id }) => {
  const cells = names.map((name) => {
    const effects = found
      .get(name)
      .map((run) => findingOf(run, id))
      .flatMap((one) => (one?.effect === undefined || one.notAssessed !== undefined ? [] : [one.effect]))
    return effects.length === 0
      ? '-'
      : percent(
          share(effects, ({ p }) => p < 0.05),
          0,
        )
  })
  return cells.every((cell) => cell === '-') ? [] : [[`\`${id}\``, ...cells]]
})
const answers = [
  '**the answer**',
  ...names.map((name) =>
    percent(
      share(found.get(name), ({ level }) => isAlarm(level)),
      0,
    ),
  ),
]
const powerPage = [
  '# What each measure sees',
  '',
  `Share of simulations (${POWER_SIMULATIONS} of ${PEOPLE} people; ${SIMULATIONS} in the columns honest, CART with minbucket 5 and copies 5 %) in which a measure’s effect against its fair`,
  'control is significant at 5 %, one-sided, on its own; the last row is the verdict of `scrim assess` (MODERATE or HIGH), corrected over',
  'threats. The first two columns leak nothing: there 5 % is as it should be, and less is better. Made by `node scripts/calibration.mjs`.',
  '',
  table(['measure', ...names], [...powerRows, answers]),
  '',
  'Read a row for what a measure cannot see, a column for which measure to ask.',
  '',
].join('\n')

const falseAlarms = share(found.get('honest'), ({ level }) => isAlarm(level))
if (falseAlarms > 0.06 + 2 * Math.sqrt((0.06 * 0.94) / SIMULATIONS)) broken++
console.log(`\nthe answer alarms in ${percent(falseAlarms)} of honest releases`)
const docs = join(dirname(fileURLToPath(import.meta.url)), '../docs')
if (check) {
  console.log(coveragePage)
  console.log(powerPage)
  if (broken > 0) process.exitCode = 1
} else {
  writeFileSync(join(docs, 'coverage.md'), coveragePage)
  writeFileSync(join(docs, 'power.md'), powerPage)
}

function table(header, rows) {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function share(of, holds) {
  return of.filter(holds).length / of.length
}

function percent(value, digits = 1) {
  return `${(100 * value).toFixed(digits)} %`
}
