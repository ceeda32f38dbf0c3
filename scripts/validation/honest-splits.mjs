// Honest splits of real data: data sets of R and Python packages, cut at random into original, release and holdout. Nothing in such
// a release is due to the people in the original. A file that is looked at to change the judge goes from the list
// (LOOKED_AT). When the scale of people was chosen, splits of about 25 of the others had been run as well, with no alarm to change anything for. Bars, with and without holdout:
//   at most 5 % alarms, never HIGH; of originals with 1,000 people and more at most 5 % INCONCLUSIVE.
// node scripts/validation/honest-splits.mjs [--files a,b] [--sizes 0.5,1,2] [--holdout yes|no] [--replicates 4] [--first SEED] [--workers 2]
//   [--out FILE [--keep | --known]] [--write]: the table goes into docs/power.md; the CSV files are made once, by R and Python, in scrim-validation/data-sets.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withBlock } from '../build/marked-block.mjs'
import { answerCells, HOLDOUTS, isSet, listOf, pairsOf, questionsOf } from './honest-study.mjs'
import { SPLITS } from './honest-table.mjs'
import { leaveOut } from './left-out.mjs'
import { markdownTable, percent } from './shares.mjs'
import { peopleOf, rolesOf } from './split-files.mjs'
import { alarmsAmong, causesText, honestBars, levelsText, pairBars, printBars, withLevel } from './tallies.mjs'

const FEWEST_DATA_SETS = 15
const MOST_OPEN = 0.05
const ENOUGH_PEOPLE = 1000
const scripts = import.meta.dirname
const folder = join(scripts, '../../scrim-validation/data-sets')

if (!existsSync(folder)) {
  mkdirSync(folder, { recursive: true })
  spawnSync('Rscript', [join(scripts, 'honest-splits.R'), folder], { stdio: 'inherit' })
  spawnSync('python3', [join(scripts, 'honest-splits.py'), folder], { stdio: 'inherit' })
}
/** Open on the first scale of people, leakage x reach, which was given up for it. */
const LOOKED_AT = ['AER-HealthInsurance', 'AER-SmokeBan']
const dataSets = readdirSync(folder)
  .filter((file) => file.endsWith('.csv'))
  .map((file) => file.replace('.csv', ''))
  .filter((name) => !LOOKED_AT.includes(name))
const names = listOf('--files', dataSets)
if (dataSets.length < FEWEST_DATA_SETS) leaveOut('honest splits', `R and Python gave ${dataSets.length} data sets only`)

const REPLICATES = 4
const sizes = listOf('--sizes', [1, 0.5, 2]).map(Number)

const cells = names.flatMap((name) => {
  const path = join(folder, `${name}.csv`)
  const records = readFileSync(path, 'utf8').trimEnd().split('\n').length - 1
  return sizes.flatMap((size) =>
    HOLDOUTS.map((holdout) => ({
      name: `${name} (${peopleOf(records, size)}) x ${size}${holdout ? ', holdout' : ''}`,
      dataSet: name,
      people: peopleOf(records, size),
      holdout,
      size,
      questions: questionsOf({ path, size, holdout }, REPLICATES),
      lines: [],
    })),
  )
})

await answerCells(cells, './split-files.mjs', ({ dataSet }) => {
  const ofDataSet = cells.filter((cell) => cell.dataSet === dataSet)
  if (ofDataSet.every(({ lines, questions }) => lines.length === questions.length)) tell(dataSet, ofDataSet)
})

function tell(dataSet, ofDataSet) {
  const lines = ofDataSet.flatMap((cell) => cell.lines)
  const causes = causesText(lines)
  console.log(`${dataSet}: ${levelsText(lines)}${causes === '' ? '' : `\n    ${causes}`}`)
}

const rows = []
for (const dataSet of names) {
  const ofDataSet = cells.filter((cell) => cell.dataSet === dataSet)
  const lines = ofDataSet.flatMap((cell) => cell.lines)
  const { keys, target } = await rolesOf(join(folder, `${dataSet}.csv`))
  rows.push([
    dataSet,
    Math.max(...ofDataSet.map(({ people }) => people)),
    `${keys.join(', ')}; ${target}`,
    ...[false, true].map((holdout) => {
      const among = ofDataSet.filter((cell) => cell.holdout === holdout).flatMap((cell) => cell.lines)
      return `${alarmsAmong(among).length} of ${among.length}`
    }),
    withLevel(lines, 'INCONCLUSIVE').length,
    percent(withLevel(lines, 'LOW').length / lines.length),
  ])
}
const header = ['data set', 'people', 'keys; target', 'alarms', 'alarms, holdout', 'INCONCLUSIVE', 'LOW']
console.log(`\n${markdownTable(header, rows)}`)
if (isSet('--write')) {
  const page = join(scripts, '../../docs/power.md')
  writeFileSync(page, withBlock(readFileSync(page, 'utf8'), SPLITS, markdownTable(header, rows)))
}

const bars = HOLDOUTS.flatMap((holdout) => {
  const among = cells.filter((cell) => cell.holdout === holdout)
  const large = among.filter(({ people }) => people >= ENOUGH_PEOPLE).flatMap(({ lines }) => lines)
  const open = withLevel(large, 'INCONCLUSIVE').length
  const what = `splits ${holdout ? 'with' : 'without'} holdout`
  return [
    ...honestBars(byDataSet(among), { what, lowExpected: false }),
    ...(large.length === 0
      ? []
      : [
          {
            kept: open <= MOST_OPEN * large.length,
            text: `${what}, 1,000 people and more: INCONCLUSIVE ${open} of ${large.length} (at most 5 %)`,
          },
        ]),
  ]
})

/** All sizes of a data set are one cell: one size has too few answers to count alarms in. */
function byDataSet(among) {
  return names.map((name) => ({
    name,
    lines: among.filter(({ dataSet }) => dataSet === name).flatMap(({ lines }) => lines),
  }))
}

const pairs = pairsOf(cells, ({ dataSet, size }) => [dataSet, size])
if (!printBars([...bars, ...pairBars(pairs)])) process.exitCode = 1
