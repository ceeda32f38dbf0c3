// What tricks with a release do to single measures and to the answer: writes docs/fooling.md.
// node scripts/validation/fooling.mjs; part of `npm run validate`, which fails when the answer of a release gets better by a trick.
// Each row is also asked on the command line, at the gate and in the page (--library leaves that out): all must say the same.
// node scripts/validation/fooling.mjs WORDS shows the rows that contain the words, and writes nothing.
// A row with a reason is a trick that is known to work: it is shown with its reason, and fails nothing.
// The rows on census2k and SD2011 need SCRIM_REFERENCE or ../shared/reference; without it they stay out of the table.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  assessCase,
  cartSynthesizer,
  categorical,
  independentMarginals,
  isAlarm,
  LEVELS,
  measures,
  openCase,
  permutation,
  readTable,
  SIGNIFICANCE,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  table,
  takeRows,
  throughViews,
} from '@scrim/core'
import { allThreads, threads } from '../../packages/cli/dist/threads.js'
import { blockOf } from '../build/marked-block.mjs'
import { sameInEveryFace } from './every-face.mjs'
import { people, ROLES } from './scenes.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const reference = process.env.SCRIM_REFERENCE ?? join(root, '../shared/reference')
const tasks = threads(allThreads())
const PEOPLE = 1000

/** As the command line opens it. Whoever is asked whether values that are spelled differently are the same says that they are. */
const open = ({ original, released, holdout, ...said }) =>
  openCase({ ...said, profile: 'quick', matchLevels: true }, { original, released, holdout })

async function answer(input) {
  return (await assessCase(open(input), { tasks })).assessment.releases[0].verdict.level
}

/** What a measure sees at most, over its looks and views: leakage and whether it is significant at 5 %, the looks sharing the level. */
async function sees(id, input, options = {}) {
  const measure = measures.find((one) => one.id === id)
  const { release } = open(input)
  const result = await measure.run(release, options, { tasks })
  const [finding] = (await throughViews(result, measure, release, options, { tasks })).releases
  if (finding?.value == null) return finding?.sentence ?? 'not applicable'
  const seen = [finding, ...(finding.views ?? []).map((view) => view.finding)]
  const looks = seen.flatMap((one) => [one, ...(one.looks ?? [])]).filter(({ effect }) => effect !== undefined)
  if (looks.length === 0 || finding.notAssessed !== undefined)
    return `${finding.value.toFixed(3)}${finding.notAssessed === undefined ? '' : ', says nothing'}`
  const [most] = looks.toSorted((a, b) => a.effect.p - b.effect.p)
  const alarm = looks.length * most.effect.p < SIGNIFICANCE
  const size =
    most.leakage === null ? `effect ${most.effect.value.toFixed(2)}` : `leakage ${most.leakage.value.toFixed(2)}`
  return `${size}${alarm ? ', alarm' : ''}`
}

const stacked = (...tables) =>
  table(
    'release',
    tables[0].columns.map((_, k) => stackColumns(tables.map(({ columns }) => columns[k]))),
  )
const times = (of, n) =>
  selectRows(
    of,
    Int32Array.from({ length: n * of.rows }, (_, row) => row % of.rows),
  )
const rows = (of, from, count) =>
  selectRows(
    of,
    Int32Array.from({ length: count }, (_, k) => from + k),
  )
const mapped = (of, change) => table(of.name, of.columns.map(change))
const inAll = (input, change) => ({
  ...input,
  original: change(input.original),
  released: change(input.released),
  holdout: change(input.holdout),
})

const original = people('original', 1, PEOPLE)
const holdout = people('outsiders', 1, PEOPLE)
const fresh = people('fresh', 1, PEOPLE)
const cart = await synthesize(cartSynthesizer, original, { seed: 1, options: { minbucket: 1 } })
const copies = (share) => stacked(rows(original, 0, share * PEOPLE), rows(fresh, 0, (1 - share) * PEOPLE))
const noise = (count) => Array.from({ length: count }, (_, k) => independentMarginals(original, { seed: 100 + k }))
const usual = { original, holdout, ...ROLES }
const of = (released) => ({ ...usual, released: { ...released, name: 'release' } })
const alone = ({ holdout: _, ...input }) => input

const renamed = (column) => {
  if (column.kind !== 'categorical') return column
  const place = column.levels.map((_, k) => (k + 1) % column.levels.length)
  return { ...column, codes: column.codes.map((code) => (code < 0 ? code : place[code])) }
}
const inCapitals = (column) =>
  column.kind === 'categorical' ? { ...column, levels: column.levels.map((level) => level.toUpperCase()) } : column
const reflected = (column) =>
  column.kind === 'numeric' ? { ...column, values: column.values.map((value) => 1e6 - 3 * value) } : column

/** Trick, the release before (null where there is none), the release after, measures to watch, why a trick that works does. */
const TABLE = [
  [
    '40 % copies, each record written 5 times',
    of(copies(0.4)),
    of(times(copies(0.4), 5)),
    ['memorisation', 'linkability', 'repu', 'epsilon-identifiability', 'singling-out'],
  ],
  [
    'originals among 9 times as many independent rows',
    of(original),
    of(stacked(original, ...noise(9))),
    ['singling-out', 'memorisation', 'memorisation-tail'],
  ],
  [
    'the same, nobody outside',
    alone(of(original)),
    alone(of(stacked(original, ...noise(9)))),
    ['memorisation', 'memorisation-tail'],
  ],
  [
    'a CART synthesis among 3 times as many, nobody outside',
    alone(of(cart)),
    alone(of(stacked(cart, ...noise(3)))),
    ['memorisation', 'memorisation-tail', 'attribution'],
  ],
  ['all records written twice', of(cart), of(times(cart, 2)), ['memorisation', 'linkability', 'singling-out', 'repu']],
  ['levels renamed', of(cart), inAll(of(cart), (of) => mapped(of, renamed)), ['rapid', 'rf-proximity']],
  ['levels of the release alone in capitals', of(cart), of(mapped(cart, inCapitals)), ['attribution', 'memorisation']],
  ['a constant column added', of(cart), inAll(of(cart), withConstant), ['linkability', 'rf-proximity', 'mia']],
  ['columns in another order', of(cart), inAll(of(cart), turned), ['singling-out']],
  [
    'three columns of noise added',
    of(cart),
    inAll(of(cart), withNoise),
    ['memorisation', 'memorisation-tail', 'shared-information', 'linkability'],
  ],
  [
    'three columns of noise added, nobody outside',
    alone(of(cart)),
    alone(inAll(of(cart), withNoise)),
    ['memorisation', 'memorisation-tail', 'shared-information'],
  ],
  [
    '10 % copies, three columns of noise added',
    of(copies(0.1)),
    inAll(of(copies(0.1)), withNoise),
    ['memorisation-tail', 'shared-information', 'shared-information-tail', 'identical-matches'],
  ],
  [
    '10 % copies, three columns of noise added, nobody outside',
    alone(of(copies(0.1))),
    alone(inAll(of(copies(0.1)), withNoise)),
    ['memorisation-tail', 'shared-information', 'shared-information-tail', 'identical-matches'],
  ],
  [
    'released ages moved by 1 where originals have every fifth',
    of(cart),
    of(
      mapped(cart, (column) =>
        column.name === 'age' ? { ...column, values: column.values.map((x) => x + 1) } : column,
      ),
    ),
    ['attribution', 'dcap', 'memorisation', 'memorisation-tail'],
  ],
  ['numbers reflected', of(cart), inAll(of(cart), (of) => mapped(of, reflected)), ['singling-out']],
  [
    'released target made constant',
    null,
    of(mapped(cart, (column) => (column.name === ROLES.target ? takeRows(column, new Int32Array(PEOPLE)) : column))),
    ['dcap', 'attribution'],
  ],
  ['CART with minbucket 1, nobody outside', null, alone(of(cart)), ['dcap', 'attribution', 'memorisation']],
  [
    'the original itself, nobody outside',
    null,
    alone(of(original)),
    ['identical-matches', 'memorisation', 'memorisation-tail'],
  ],
  ['2 % copies among honest records', null, of(copies(0.02)), ['memorisation-tail', 'identical-matches']],
  ['10 % copies among honest records', null, of(copies(0.1)), ['memorisation-tail', 'identical-matches']],
]
const SCALES = {
  'times 1.08': (value) => 1.08 * value,
  standardised: (value, { mean, deviation }) => (value - mean) / deviation,
  'between 0 and 1': (value, { least, largest }) => (value - least) / (largest - least),
  'moved by a fifth of their range': (value, { least, largest }) => value + (largest - least) / 5,
  'under a root': (value, { least }) => Math.sqrt(value - Math.min(0, least)),
}
const inAnyOrder = selectRows(original, permutation(stream(5, 'any order'), PEOPLE))
for (const [scale, change] of Object.entries(SCALES)) {
  const released = mapped(inAnyOrder, (column) => rescaled(column, change))
  for (const [who, input] of [
    ['', of(released)],
    [', nobody outside', alone(of(released))],
  ])
    TABLE.push([
      `the original in another order, all numbers ${scale}${who}`,
      null,
      input,
      ['memorisation', 'shared-information', 'attribution'],
    ])
}
function rescaled(column, change) {
  if (column.kind !== 'numeric') return column
  const known = column.values.filter((value) => !Number.isNaN(value))
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const deviation = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1))
  const scale = { mean, deviation, least: Math.min(...known), largest: Math.max(...known) }
  return { ...column, values: column.values.map((value) => change(value, scale)) }
}
function withConstant(of) {
  return table(of.name, [...of.columns, categorical('country', Array(of.rows).fill('x'))])
}
function withNoise(of) {
  const draw = stream(7, `noise of ${of.name}`)
  const column = (name, levels) =>
    categorical(
      name,
      Array.from({ length: of.rows }, () => `${name} ${draw.below(levels)}`),
    )
  return table(of.name, [...of.columns, column('ward', 5), column('shift', 3), column('wing', 8)])
}
function turned(of) {
  return table(of.name, of.columns.toReversed())
}

const census = (name) => join(reference, 'data', 'census2k', `census2k-${name}.csv`)
if (existsSync(census('trn'))) {
  const load = async (name) => readTable(`${name}.csv`, readFileSync(census(name)))
  const [trn, hol, flip] = [await load('trn'), await load('hol'), await load('syn_flip30')]
  const census2k = {
    original: trn,
    holdout: hol,
    keys: ['age', 'sex', 'education'],
    target: 'income',
    type: 'synthetic',
  }
  const permuted = table(
    'permuted',
    trn.columns.map((column, k) => (k < 5 ? takeRows(column, permutation(stream(k, 'column'), trn.rows)) : column)),
  )
  const watched = ['memorisation', 'memorisation-tail', 'shared-information']
  TABLE.push(
    ['census2k: 30 % of the cells of everybody replaced (flip30)', null, { ...census2k, released: flip }, watched],
    [
      'census2k: the original with five of fifteen columns permuted',
      null,
      { ...census2k, released: permuted },
      watched,
    ],
  )
}

const social = join(reference, 'data', 'sd2011', 'sd2011.csv')
if (existsSync(social)) {
  const all = await readTable('sd2011.csv', readFileSync(social))
  const names = ['sex', 'age', 'region', 'edu', 'depress', 'income']
  const survey = table(
    'sd2011',
    names.map((name) => all.columns.find((column) => column.name === name)),
  )
  const [people, others] = [rows(survey, 0, 1500), rows(survey, 1500, 1500)]
  const trees = await synthesize(cartSynthesizer, people, { seed: 3 })
  const padding = (count) => Array.from({ length: count }, (_, k) => independentMarginals(people, { seed: 50 + k }))
  const shuffled = (seed, ...columns) =>
    mapped(trees, (column) =>
      columns.includes(column.name)
        ? takeRows(column, permutation(stream(seed, `dealt out ${column.name}`), trees.rows))
        : column,
    )
  const scaled = (factors) =>
    mapped(trees, (column) =>
      factors[column.name] === undefined
        ? column
        : { ...column, values: column.values.map((value) => value * factors[column.name]) },
    )
  const called = (columns) =>
    mapped(trees, (column) =>
      columns.includes(column.name) ? { ...column, levels: column.levels.map((level) => `~ ${level}`) } : column,
    )
  const jittered = mapped(trees, (column) => {
    const random = stream(9, `jitter ${column.name}`)
    return column.kind === 'numeric'
      ? { ...column, values: column.values.map((value) => value + (random.uniform() - 0.5) / 5) }
      : column
  })
  const input = { original: people, keys: ['sex', 'age', 'region'], target: 'depress', type: 'synthetic' }
  const sd2011 = (released) => ({ ...input, released: { ...released, name: 'release' } })
  const some = (count) => stacked(rows(people, 0, count), rows(others, 0, 1500 - count))
  const watched = ['shared-information', 'memorisation', 'attribution']
  const before = sd2011(trees)
  const trick = (name, after, reason) => TABLE.push([`SD2011: ${name}`, before, sd2011(after), watched, reason])
  const WEIGHS_LESS = 'what was made from people weighs less among made-up records; it is an alarm still'
  trick('a CART synthesis among as many independent records', stacked(trees, ...padding(1)), WEIGHS_LESS)
  trick('the same among 3 times as many', stacked(trees, ...padding(3)), WEIGHS_LESS)
  trick(
    'the same among 9 times as many',
    stacked(trees, ...padding(9)),
    'in few, weakly related columns so many made-up records are as near to people as what was made from them',
  )
  trick('mixed with as many other people', stacked(trees, others))
  trick('written in another order', selectRows(trees, permutation(stream(1, 'rows'), trees.rows)))
  const ONE_FEWER = 'a column fewer to compare'
  trick('with itself, targets dealt out anew', stacked(trees, shuffled(1, 'depress')), ONE_FEWER)
  trick(
    'with itself 3 times, targets dealt out anew',
    stacked(trees, shuffled(1, 'depress'), shuffled(2, 'depress'), shuffled(3, 'depress')),
    ONE_FEWER,
  )
  trick(
    'with itself, age and region dealt out anew',
    stacked(trees, shuffled(1, 'age', 'region')),
    'records that differ from a twin in two columns stand around people too, and repeat nobody without either',
  )
  trick('numbers moved by less than a tenth', jittered)
  trick('income in thousands, asked about', scaled({ income: 1 / 1000 }))
  trick(
    'age and income in tenths, asked about',
    scaled({ age: 10, income: 10 }),
    'the four columns that are left are coarse; the command line asks about the units',
  )
  trick(
    'levels of sex renamed, asked about',
    called(['sex']),
    'a column fewer to compare; the command line asks about the levels',
  )
  trick(
    'levels of region renamed',
    called(['region']),
    'a column fewer to compare: regions are too much alike to be told',
  )
  TABLE.push([
    'SD2011: 5 % copies among other people, padded with 3 times as many independent records',
    sd2011(some(75)),
    sd2011(stacked(some(75), ...padding(3))),
    ['memorisation-tail', 'shared-information-tail'],
    'so many equal records would be expected in as many real ones',
  ])
}

const worse = (before, after) => LEVELS.indexOf(after) <= LEVELS.indexOf(before)
let fooled = false
const lines = []
const isLibraryAlone = process.argv.includes('--library')
const [only = ''] = process.argv.slice(2).filter((arg) => arg !== '--library')
const known = new Map()
/** The release before is the same in many rows. */
function answerOnce(input) {
  if (!known.has(input)) known.set(input, answer(input))
  return known.get(input)
}
for (const [trick, before, after, watched, reason] of TABLE.filter(([trick]) => trick.includes(only))) {
  const [was, is] = [before === null ? null : await answerOnce(before), await answer(after)]
  if (!isLibraryAlone && !(await sameInEveryFace(trick, after, is))) fooled = true
  const holds = was === null ? isAlarm(is) || trick.includes('target made constant') : worse(was, is)
  if (!holds && reason === undefined) fooled = true
  const why = holds || reason === undefined ? '' : `: ${reason}`
  const measured = []
  for (const id of watched) {
    const now = await sees(id, after)
    measured.push(before === null ? `\`${id}\` ${now}` : `\`${id}\` ${await sees(id, before)} → ${now}`)
  }
  lines.push(`| ${trick} | ${was === null ? is : `${was} → ${is}`}${why} | ${measured.join('; ')} |`)
  console.log(`${holds ? 'holds ' : 'FOOLED'} ${lines.at(-1)}`)
}
await tasks.close()
if (fooled) process.exitCode = 1
if (only !== '') process.exit()

const page = join(root, 'docs', 'fooling.md')
writeFileSync(
  page,
  `# Releases made to fool the measures

What tricks with a release do, before → after: to the answer of \`scrim assess\` (profile quick), and to the measures that they are aimed at.
${PEOPLE.toLocaleString('en-US')} simulated people unless said otherwise, as many outside. A measure shows its strongest look: the leakage, and whether it alarms on its
own (5 %, its looks sharing the level). Made by \`node scripts/validation/fooling.mjs\`; \`npm run validate\` fails when an answer gets better by a trick,
but for those that are known to work, which say why.
Every measure goes through a battery of such tricks in the tests; what fools one of them is said on its page.

Where the line is: what happens to an honest producer by accident (another size, repeated records, rounding, other spellings and units, an id, further columns, several sources) never changes the
answer. What only somebody would do who wants to deceive is undone where a view with a valid null exists ([answer.md](answer.md#views)), and never at the cost of an honest release's LOW.

| what was done | the answer | measures |
|---|---|---|
${lines.join('\n')}

## Leaks that hide

What a custodian fears most, and what a file does not look like: made by \`node scripts/validation/hidden-leaks.mjs --write\`, on data that were not used to build what finds it.

<!-- hidden-leaks:start -->
${blockOf(readFileSync(page, 'utf8'), 'hidden-leaks')}
<!-- hidden-leaks:end -->

Open: fewer than nine copied people, and files of few coarse columns. Where one of two equal records is an original's, the other is as likely released as not if nobody was copied: k equal pairs have p = 1/2ᵏ, and with three looks
and seven threats nine of them are the fewest that can be shown (five of 490 people, modeldata-attrition, are LOW). No test that allows for twins in the population can do better.
`,
)
