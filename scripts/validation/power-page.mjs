// docs/power.md: what does each measure see?
import { SIGNIFICANCE } from '@scrim/core'
import { emptyBlock } from '../build/marked-block.mjs'
import { BLOCK, SPLITS } from './honest-table.mjs'
import { LEAKS, SHAPES } from './scenes.mjs'
import { errorAt, fromTo, markdownTable, mean, percent, shareOf } from './shares.mjs'
import { ANSWER, ANSWER_ALONE } from './simulations.mjs'

/** The scenes in the order of the table, with the head of their column; the first leaks nothing. */
const COLUMNS = {
  honest: 'honest',
  independent: 'independent',
  'copies 0.5 %': 'copies 0.5 %',
  'copies 2 %': '2 %',
  'copies 5 %': '5 %',
  'copies 10 %': '10 %',
  'near-copies': 'near-copies',
  'CART, minbucket 1': 'CART 1',
  'CART, minbucket 5': 'CART 5',
  'CART, minbucket 50': 'CART 50',
  'all originals among 9 times as many independent rows': 'padded originals',
  'CART with minbucket 5 among 3 times as many independent rows': 'padded CART 5',
  '40 % copies, each record five times': 'repeated copies',
  'bootstrap of the original': 'bootstrap',
}
const LEAKING = Object.keys(COLUMNS).slice(1)
const MOST_FALSE_ALARMS = 0.05
const ERRORS = 2
/** Of fewer simulations nothing is said. */
const FEWEST = 5
const SEES = 0.8
const BLIND = 0.2

const isSignificant = ({ p }) => p !== null && p < SIGNIFICANCE

/** Share of simulations with a significant effect, among those in which something could be compared. */
function power(rows, id, scene) {
  const assessed = rows.filter((row) => row.measure === id && row.scene === scene && row.assessed && row.p !== null)
  return assessed.length < FEWEST ? null : shareOf(assessed, isSignificant)
}

function alarms(rows, answer, scene) {
  const known = rows.filter((row) => row.measure === answer && row.scene === scene)
  return known.length === 0 ? null : shareOf(known, ({ alarm }) => alarm)
}

function meanValue(rows, id, scene) {
  const values = rows.flatMap((row) =>
    row.measure === id && row.scene === scene && row.value !== null ? [row.value] : [],
  )
  return values.length === 0 ? null : mean(values)
}

const scenes = Object.keys(COLUMNS)
const printed = (found) => (found === null ? '-' : percent(found.share))

/** Tests that accuse honest releases, or honest releases of another shape, more often than 5 % beyond the simulation's error. */
export function falseAlarms(rows, measures) {
  const tooMany = (found) =>
    found !== null && found.share - ERRORS * errorAt(MOST_FALSE_ALARMS, found.n) > MOST_FALSE_ALARMS
  const asked = [
    ...measures.flatMap(({ id }) =>
      ['honest', ...Object.keys(SHAPES)].map((scene) => ({ id, scene, found: power(rows, id, scene) })),
    ),
    ...[ANSWER, ANSWER_ALONE].map((id) => ({ id, scene: 'honest', found: alarms(rows, id, 'honest') })),
  ]
  return asked.flatMap(({ id, scene, found }) =>
    tooMany(found) ? [`${id} accuses ${percent(found.share, 1)} of ${found.n} releases in "${scene}"`] : [],
  )
}

/** How often the answer alarms, with and without people outside. */
export function answerRows(rows) {
  return [
    ['**the answer**', ANSWER],
    ['**the answer, nobody outside**', ANSWER_ALONE],
  ].map(([title, id]) => [title, ...scenes.map((scene) => printed(alarms(rows, id, scene)))])
}

export function powerPage(rows, measures) {
  const tested = measures.filter(({ id }) => scenes.some((scene) => power(rows, id, scene) !== null))
  const valued = measures.filter(
    (measure) => !tested.includes(measure) && scenes.some((scene) => meanValue(rows, measure.id, scene) !== null),
  )
  const counts = scenes.flatMap((scene) => tested.flatMap(({ id }) => power(rows, id, scene)?.n ?? []))
  const shaped = Object.keys({ ...SHAPES, ...LEAKS }).filter((shape) =>
    measures.some(({ id }) => power(rows, id, shape) !== null),
  )
  const memorising = measures.filter(({ id }) => shaped.some((shape) => power(rows, id, shape) !== null))
  return [
    '# What each measure sees',
    '',
    'Simulated releases of 300 people with six columns of which it is known what they leak, and 300 people outside. Made by',
    `\`node scripts/validation/calibration.mjs\`, ${fromTo(counts)} simulations per number: one of 50 % has a standard error of up to ${Math.round(100 * errorAt(0.5, Math.min(...counts)))} points.`,
    '',
    '## Tests',
    '',
    'Share of simulations in which a measure’s own test of its effect is significant at 5 %, one-sided, its looks sharing the level as',
    'they do before the judge. The first column leaks nothing: up to 5 % is as it should be. The last rows are the verdict of',
    '`scrim assess`, MODERATE or HIGH, corrected over all threats. "-": nothing could be compared.',
    '',
    markdownTable(
      ['measure', ...Object.values(COLUMNS)],
      [
        ...tested.map(({ id }) => [link(id), ...scenes.map((scene) => printed(power(rows, id, scene)))]),
        ...answerRows(rows),
      ],
    ),
    '',
    '- honest: other people of the population. independent: every column of the original drawn on its own; no combination leaks, but every',
    '  income is somebody’s own, and whoever asks for single values sees that.',
    '- copies: so many originals as they are among honest records. near-copies: every original, income moved by up to 500.',
    '- CART 1, 5, 50: synthesis by trees with at least so many records in a leaf (minbucket).',
    '- padded originals: all originals among 9 times as many independent rows. padded CART 5: its synthesis among 3 times as many.',
    '- repeated copies: 40 % copies among honest records, every record written five times. bootstrap: originals drawn with replacement.',
    '',
    'Read a row for what a measure cannot see, a column for which measure to ask. A significant effect need not matter: the answer also asks',
    'how large it is.',
    '',
    '## Values',
    '',
    'Measures without a test: the mean of the value. Facts about a file stand beside the same fact of the original.',
    '',
    markdownTable(
      ['measure', 'original', ...Object.values(COLUMNS)],
      valued.map(({ id }) => [
        link(id),
        original(rows, id),
        ...scenes.map((scene) => value(meanValue(rows, id, scene))),
      ]),
    ),
    '',
    ...(shaped.length === 0 ? [] : shapesSection(rows, shaped, memorising)),
    '## Honest releases of many shapes',
    '',
    'Made by `node scripts/validation/honest.mjs --all --write`. With 168 cells some have more alarms than others by chance: the two that had the most were',
    'asked again with 40 other seeds each (`--first 41`), and had 0 (time, x 0.2, with people outside; 4 here) and 1 (heaped, x 6, with people outside; 3 here).',
    '',
    emptyBlock(BLOCK),
    '',
    'Data sets of R and Python packages, cut at random into original, release (half, as many and twice as many people) and holdout; no split of these had been seen',
    'when the judge was made as it is. `node scripts/validation/honest-splits.mjs` has all 70: of 840 answers (two cuts of each) 2 of 420 alarmed without and 7 of 420 with people outside, none was HIGH,',
    'none of the 252 about 1,000 people and more was open, 411 of 420 pairs agreed with and without people outside, and nobody outside took an alarm away.',
    '',
    emptyBlock(SPLITS),
    '',
    '## In words',
    '',
    `Seen: significant in at least ${percent(SEES)} of simulations. Not seen: in at most ${percent(BLIND)}.`,
    '',
    markdownTable(
      ['measure', 'sees', 'does not see here', 'is blind to', 'is fooled by'],
      tested.map(({ id, blindTo, fooledBy }) => [
        link(id),
        headed(LEAKING, rows, id, ({ share }) => share >= SEES),
        headed(LEAKING, rows, id, ({ share }) => share <= BLIND),
        blindTo ?? '',
        Object.keys(fooledBy ?? {}).join(', '),
      ]),
    ),
    '',
  ].join('\n')
}

function shapesSection(rows, shaped, memorising) {
  const counts = shaped.flatMap((shape) => memorising.flatMap(({ id }) => power(rows, id, shape)?.n ?? []))
  return [
    '## Many columns, and releases of another shape',
    '',
    `Fourteen columns, 300 people, nobody outside, ${fromTo(counts)} simulations. Significant at 5 %. In the first columns the release is made from`,
    '*others* and leaks nothing, however unlike a sample of the population it looks; the last ones leak.',
    '',
    markdownTable(
      ['measure', ...shaped],
      memorising.map(({ id }) => [link(id), ...shaped.map((shape) => printed(power(rows, id, shape)))]),
    ),
    '',
  ]
}

const link = (id) => `[\`${id}\`](measures/${id}.md)`
const value = (of) => (of === null ? '-' : String(Number(of.toPrecision(2))))

function original(rows, id) {
  const values = rows.flatMap((row) =>
    row.measure === id && row.scene === 'honest' && typeof row.original === 'number' ? [row.original] : [],
  )
  return values.length === 0 ? '' : value(mean(values))
}

function headed(among, rows, id, holds) {
  return among
    .filter((scene) => {
      const found = power(rows, id, scene)
      return found !== null && holds(found)
    })
    .map((scene) => COLUMNS[scene].replace(/^(\d)/, 'copies $1'))
    .join(', ')
}
