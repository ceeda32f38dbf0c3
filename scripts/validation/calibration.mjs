// Do intervals cover, and what does each measure see? Simulated releases of which it is known what they leak (scenes.mjs):
//   coverage: how often a 95 % interval holds what it speaks of, for honest releases, CART and copies of 5 %;
//   power:    how often a measure's own test is significant at 5 %, and how often the answer alarms, for what a release can leak;
//   shapes:   how often the measures of memorisation accuse releases that look unlike the population and leak nothing.
// node scripts/validation/calibration.mjs [--minutes M] [--keep [--anew ID,ID]] simulates until all is done or the minutes are over, and writes
// docs/coverage.md and docs/power.md; it goes on where it was cut off. With --check, as in `npm run validate`, it writes nothing
// and fails when a bar is broken. With --answers only the rows of the answer in docs/power.md are made anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measures } from '@scrim/core'
import { blockOf, withBlock } from '../build/marked-block.mjs'
import { COVERED, coveragePage, uncovered } from './coverage-page.mjs'
import { BLOCK, SPLITS } from './honest-table.mjs'
import { answerRows, falseAlarms, powerPage } from './power-page.mjs'
import { LEAKS, PERTURBED, SCENES, SHAPES } from './scenes.mjs'
import { ANSWER, ANSWER_ALONE, simulations } from './simulations.mjs'

const args = process.argv.slice(2)
const given = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const minutes = Number(given('--minutes') ?? Number.POSITIVE_INFINITY)

const PEOPLE = 300
/** The slow ones, half a second and more at this size, are simulated less often. */
const SLOW = ['epsilon-identifiability', 'rapid', 'mia', 'nnaa', 'shared-information', 'singling-out']
const SIMULATIONS = { covered: 100, coveredSlow: 50, power: 20, shapes: 60 }

const idsOf = (of) => of.map(({ id }) => id)
/** Utility has a calibration of its own. */
const all = measures.filter(({ about, family }) => about !== 'generator' && family !== 'utility')
const withInterval = all.filter(({ varies }) => varies !== undefined)
const quick = withInterval.filter(({ id }) => !SLOW.includes(id))
const paired = withInterval.filter(({ needs }) => needs.includes('paired rows'))
const memorising = all.filter(({ role, threat }) => role === 'decides' && threat.startsWith('memorisation'))

function* wanted() {
  if (args.includes('--answers')) {
    for (let seed = 1; seed <= SIMULATIONS.power; seed++)
      for (const name of Object.keys(SCENES)) yield [name, seed, [ANSWER, ANSWER_ALONE]]
    return
  }
  for (let seed = 1; seed <= SIMULATIONS.covered; seed++)
    for (const name of COVERED) yield [name, seed, idsOf(seed <= SIMULATIONS.coveredSlow ? withInterval : quick)]
  for (let seed = 1; seed <= SIMULATIONS.covered; seed++) yield [PERTURBED, seed, idsOf(paired)]
  // Seed by seed, so that all scenes grow together.
  const shapesEach = Math.ceil(SIMULATIONS.shapes / SIMULATIONS.power)
  for (let seed = 1; seed <= SIMULATIONS.power; seed++) {
    for (const name of Object.keys(SCENES)) yield [name, seed, [...idsOf(all), ANSWER, ANSWER_ALONE]]
    for (let more = 1; more <= shapesEach; more++)
      for (const name of Object.keys({ ...SHAPES, ...LEAKS }))
        yield [name, shapesEach * (seed - 1) + more, idsOf(memorising)]
  }
}

const store = simulations({ keep: args.includes('--keep'), anew: (given('--anew') ?? '').split(',') })
const until = Date.now() + 60_000 * minutes
let told = 0
for (const [name, seed, ids] of wanted()) {
  if (Date.now() > until) break
  await store.make(name, seed, ids, PEOPLE)
  if (seed !== told) console.log(`simulation ${seed}`)
  told = seed
}

const rows = store.rows().filter(({ people }) => people === PEOPLE)
if (args.includes('--answers')) {
  const page = join(dirname(fileURLToPath(import.meta.url)), '../../docs/power.md')
  writeFileSync(page, answerRows(rows).reduce(withRow, readFileSync(page, 'utf8')))
  process.exit()
}
/** The page with the row of a table in place of the one with the same head. */
function withRow(text, row) {
  const head = `| ${row[0]} |`
  return text
    .split('\n')
    .map((line) => (line.startsWith(head) ? `| ${row.join(' | ')} |` : line))
    .join('\n')
}
const broken = [...uncovered(rows, measures), ...falseAlarms(rows, measures)]
for (const text of broken) console.log(`BROKEN ${text}`)
if (args.includes('--check')) {
  console.log(coveragePage(rows, measures))
  console.log(powerPage(rows, measures))
  if (broken.length > 0) process.exitCode = 1
} else {
  const docs = join(dirname(fileURLToPath(import.meta.url)), '../../docs')
  writeFileSync(join(docs, 'coverage.md'), coveragePage(rows, measures))
  const page = join(docs, 'power.md')
  const before = readFileSync(page, 'utf8')
  const kept = (text, block) => withBlock(text, block, blockOf(before, block))
  writeFileSync(page, [BLOCK, SPLITS].reduce(kept, powerPage(rows, measures)))
}
