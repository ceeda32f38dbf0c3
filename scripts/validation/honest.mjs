// Is the answer right for every honest release? Releases of many shapes (shapes.mjs), 0.2 to 6 times the size of the original, with
// and without a holdout; original, release and holdout are independent samples of one population. Bars:
//   honest:    at most 5 % alarms overall and, but for chance, in every cell (5 of 40); never HIGH; LOW for 90 % of n >= 1,000;
//   accidents: the same for honest releases with repeated records, rounded numbers, an id column, ... (alarms only);
//   made:      the same for releases that a synthesizer made from other people;
//   leaks:     2 % and 5 % copies, 10 % partial and 20 % jittered copies alarm in every release of mixed, wide and heavy;
//   pairs:     with and without a holdout the same release gets the same answer in 90 % of pairs; a holdout removes no alarm.
// node scripts/validation/honest.mjs [--accidents | --made | --leaks | --all] [--shapes a,b] [--sizes 1,2] [--holdout yes|no] [--replicates 40]
//   [--first SEED] [--workers 2] [--out FILE [--keep | --known]] [--table] [--write]
// Each cell is printed as soon as it is done. With --out a run that was cut off goes on where it stopped; answers of other code are
// asked anew unless --keep says otherwise; --known asks nothing and tells what FILE has. --write puts the tables into docs/power.md. Ends with 1 if a bar is broken.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlarm } from '@scrim/core'
import { withBlock } from '../build/marked-block.mjs'
import { ACCIDENTS, ALWAYS_SEEN, LEAKS, MADE, NEARER } from './honest-releases.mjs'
import { answerCells, HOLDOUTS, isSet, listOf, pairsOf, questionsOf } from './honest-study.mjs'
import { BLOCK, honestTables } from './honest-table.mjs'
import { SHAPES } from './shapes.mjs'
import { cellText, honestBars, pairBars, printBars } from './tallies.mjs'

const SIZES = [0.2, 0.5, 1, 2, 3, 6]
const ACCIDENT_SHAPES = ['coarse', 'mixed', 'unique', 'households']
const MADE_SHAPES = ['mixed', 'wide', 'latent']
const LEAK_SHAPES = ['mixed', 'wide', 'heavy', 'latent', 'levels']
/** Where the first leaks must always be seen. */
const SEEN_SHAPES = ['mixed', 'wide', 'heavy']
const REPLICATES = { honest: 40, accidents: 10, made: 10, leaks: 8 }

const parts = isSet('--all')
  ? ['honest', 'accidents', 'made', 'leaks']
  : ['accidents', 'made', 'leaks'].filter((part) => isSet(`--${part}`))
if (parts.length === 0) parts.push('honest')
const shapes = listOf('--shapes', Object.keys(SHAPES))
const unknown = shapes.filter((shape) => SHAPES[shape] === undefined)
if (unknown.length > 0) throw new Error(`no shape ${unknown.join(', ')}; there are ${Object.keys(SHAPES).join(', ')}`)

/** The cells of a part, each with the questions of its replicates. */
function cellsOf(part) {
  return settingsOf(part).map((setting) => ({
    ...setting,
    part,
    name: nameOf(setting),
    people: SHAPES[setting.shape].people,
    questions: questionsOf(setting, REPLICATES[part]),
    lines: [],
  }))
}

function settingsOf(part) {
  const among = (allowed) => shapes.filter((shape) => allowed.includes(shape))
  const crossed = (chosen, variants) =>
    chosen.flatMap((shape) =>
      variants.flatMap((variant) => HOLDOUTS.map((holdout) => ({ shape, size: 1, holdout, ...variant }))),
    )
  if (part === 'leaks')
    return crossed(
      among(LEAK_SHAPES),
      Object.keys(LEAKS).map((leak) => ({ leak })),
    )
  if (part === 'made')
    return crossed(
      among(MADE_SHAPES),
      Object.keys(MADE).map((made) => ({ made })),
    )
  if (part === 'accidents')
    return crossed(
      among(ACCIDENT_SHAPES),
      Object.keys(ACCIDENTS).map((accident) => ({ accident })),
    )
  return crossed(
    shapes,
    listOf('--sizes', SIZES).map((size) => ({ size: Number(size) })),
  )
}

function nameOf({ shape, size, holdout, accident, made, leak }) {
  const change = accident ?? made ?? leak
  const files = holdout ? ', holdout' : ''
  return `${shape} (${SHAPES[shape].people}) x ${size}${files}${change === undefined ? '' : `, ${change}`}`
}

const asked = parts.flatMap(cellsOf)
await answerCells(asked, './honest-releases.mjs', (cell) => console.log(cellText(cell)))
const cells = asked.filter(({ lines }) => lines.length > 0)

const ofPart = (part) => cells.filter((cell) => cell.part === part)
const bars = []
if (parts.includes('honest')) bars.push(...honestBars(ofPart('honest')))
if (parts.includes('accidents'))
  bars.push(...honestBars(ofPart('accidents'), { what: 'accidents', lowExpected: false }))
if (parts.includes('made'))
  bars.push(
    ...honestBars(
      ofPart('made').filter(({ made }) => !NEARER.includes(made)),
      { what: 'made from other people', lowExpected: false },
    ),
  )
if (parts.includes('leaks')) bars.push(leakBar())
bars.push(...pairBars(pairsOf(cells, ({ shape, size, accident, made, leak }) => [shape, size, accident, made, leak])))

function leakBar() {
  const lines = ofPart('leaks')
    .filter(({ shape, leak }) => SEEN_SHAPES.includes(shape) && ALWAYS_SEEN.includes(leak))
    .flatMap((cell) => cell.lines)
  const seen = lines.filter(({ level }) => isAlarm(level)).length
  return { kept: seen === lines.length, text: `leaks: ${seen} of ${lines.length} seen (all)` }
}

if (!printBars(bars)) process.exitCode = 1
if (isSet('--table')) console.log(`\n${honestTables(cells)}`)
if (isSet('--write')) {
  const page = join(import.meta.dirname, '../../docs/power.md')
  writeFileSync(page, withBlock(readFileSync(page, 'utf8'), BLOCK, honestTables(cells)))
}
