// Leaks that hide behind what a file looks like: other people's records under real names, the original on another scale, a few real
// people alone, columns that carry more than they say, reused values. On data sets of R and Python packages that were not used to build what
// finds them, with and without people outside; none may be LOW. Beside each the harm, as a plain attacker does it in a few lines: how many
// targets are guessed right for people in the data and for people outside.
// Each release is also asked on the command line, at the gate and in the page (--library leaves that out): all must say the same.
// node scripts/validation/hidden-leaks.mjs [--files a,b] [--leaks WORDS] [--library] [--write]: prints a table, or puts it into docs/fooling.md; ends with 1 if a leak is LOW
// or the answers differ.
// The data sets are those of honest-splits.mjs, which makes them.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  categorical,
  ctreeSynthesizer,
  gaussianCopula,
  parametricSynthesizer,
  permutation,
  readTable,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  table,
  valueAt,
} from '@scrim/core'
import { withBlock } from '../build/marked-block.mjs'
import { answer } from './answers.mjs'
import { sameInEveryFace } from './every-face.mjs'
import { leaveOut } from './left-out.mjs'
import { markdownTable } from './shares.mjs'
import { rolesOf } from './split-files.mjs'

const args = process.argv.slice(2)
const scripts = dirname(fileURLToPath(import.meta.url))
const folder = join(scripts, '../../scrim-validation/data-sets')
const DATA_SETS = [
  'carData-SLID',
  'mlmRev-Hsb82',
  'survival-flchain',
  'modeldata-attrition',
  'survival-rotterdam',
  'sklearn-diabetes',
]
const chosen = args.includes('--files') ? args[args.indexOf('--files') + 1].split(',') : DATA_SETS
const MOST_PEOPLE = 300
/** Of 300 people one in a hundred are three, which chance explains; these have 900 in each part. */
const MANY_PEOPLE = 900
const LARGE_DATA_SETS = [
  'mlmRev-Hsb82',
  'survival-flchain',
  'survival-rotterdam',
  'survival-nafld1',
  'laeken-eusilc',
  'AER-CollegeDistance',
  'AER-NMES1988',
  'carData-SLID',
]
const OF_MANY = 'copies of the 1 % most isolated people'

if (![...chosen, ...LARGE_DATA_SETS].every((name) => existsSync(join(folder, `${name}.csv`))))
  leaveOut('hidden leaks', 'the data sets are not there; node scripts/validation/honest-splits.mjs makes them')

/** Original, other people, and people outside. */
async function peopleOf(name, most) {
  const path = join(folder, `${name}.csv`)
  const all = await readTable(path, readFileSync(path))
  const third = Math.min(most, Math.floor(all.rows / 3))
  const order = permutation(stream(1, name), all.rows)
  const part = (k, label) => ({ ...selectRows(all, order.slice(k * third, (k + 1) * third)), name: label })
  return {
    original: part(0, 'original.csv'),
    others: part(1, 'others'),
    holdout: part(2, 'holdout.csv'),
    ...(await rolesOf(path)),
  }
}

const named = (file, columns) => table(file.name, columns)
const withColumn = (file, column) => named(file, [column, ...file.columns])
const shuffled = (file, seed = 1) => selectRows(file, permutation(stream(seed, 'shuffled'), file.rows))
const withNumbers = (file, change) =>
  named(
    file,
    file.columns.map((column) =>
      column.kind === 'numeric' ? { ...column, values: change(column.values, column.name) } : column,
    ),
  )
const known = (values) => values.filter((value) => !Number.isNaN(value))
const least = (values) => known(values).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
const largest = (values) => known(values).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
const average = (values) => known(values).reduce((a, b) => a + b, 0) / Math.max(1, known(values).length)
const spread = (values) => {
  const middle = average(values)
  return Math.sqrt(average(values.map((value) => (value - middle) ** 2))) || 1
}
const md5 = (text) => createHash('md5').update(text).digest('hex')

/** A number of nine digits for everybody, as a social security number is written. */
const numbers = (rows, label) => {
  const draw = stream(3, label)
  const digits = (count) => String(draw.below(10 ** count)).padStart(count, '0')
  return Array.from({ length: rows }, () => `${digits(3)}-${digits(2)}-${digits(4)}`)
}

/** Under the real numbers of the first people of the original, as many as there are others. */
function underNumbers({ original, others, holdout }, written) {
  const [real, theirs, outside] = [numbers(original.rows, 'o'), numbers(others.rows, 'r'), numbers(holdout.rows, 'h')]
  const carried = theirs.map((_, row) => written(real[row % real.length]))
  return {
    original: withColumn(original, categorical('ssn', real)),
    released: withColumn(others, categorical('ssn', carried)),
    holdout: withColumn(holdout, categorical('ssn', outside)),
  }
}

const onScale = (change) => (files) => ({ released: withNumbers(shuffled(files.original), change) })
const made = (synthesizer) => async (files) => ({
  released: await synthesize(synthesizer, files.original, { seed: 1 }),
})

const LEAKS = {
  'other people under real numbers': (files) => underNumbers(files, (number) => number),
  'the same without dashes': (files) => underNumbers(files, (number) => number.replaceAll('-', '')),
  'the same as MD5': (files) => underNumbers(files, md5),
  'the same inside a remark': (files) => {
    const { released, ...rest } = underNumbers(files, (number) => `seen in March, file of ${number}, closed`)
    return { ...rest, released }
  },
  'the original times 1.08': onScale((values) => values.map((value) => 1.08 * value)),
  'the original standardised': onScale((values) => {
    const [middle, width] = [average(values), spread(values)]
    return values.map((value) => (value - middle) / width)
  }),
  'the original scaled to 0 and 1': onScale((values) => {
    const [low, high] = [least(values), largest(values)]
    return values.map((value) => (value - low) / (high - low || 1))
  }),
  'the original shifted': onScale((values) => {
    const width = spread(values)
    return values.map((value) => value + 3 * width)
  }),
  'the original under a root': onScale((values) => {
    const low = least(values)
    return values.map((value) => Math.sqrt(value - low))
  }),
  'five real people and nothing else': ({ original }) => ({
    released: selectRows(
      original,
      Int32Array.from({ length: 5 }, (_, k) => Math.floor(((k + 0.5) * original.rows) / 5)),
    ),
  }),
  'other people with a hash of real keys and target': (files) => {
    const { original, others, keys, target } = files
    const digested = [...keys, target].map((name) => columnOf(original, name))
    const digests = Array.from({ length: others.rows }, (_, row) =>
      md5(digested.map((column) => valueAt(column, row % original.rows)).join('|')),
    )
    // Few combinations are possible: the attacker tries them all.
    const read = named(others, digested)
    return { released: withColumn(others, categorical('token', digests)), read }
  },
  'real records, all but the keys under new names': ({ original, keys }) => ({
    released: named(
      shuffled(original),
      shuffled(original).columns.map((column, k) =>
        keys.includes(column.name) ? column : { ...column, name: `v${k}` },
      ),
    ),
  }),
  [OF_MANY]: (files) => {
    const rows = mostIsolated(files.original, Math.ceil(0.01 * files.original.rows))
    const copied = selectRows(files.original, rows)
    return {
      released: named(
        files.others,
        files.others.columns.map((column, j) =>
          column.kind === 'categorical'
            ? categorical(
                column.name,
                [column, copied.columns[j]].flatMap((part) => labelsOf(part)),
              )
            : stackColumns([column, copied.columns[j]]),
        ),
      ),
    }
  },
  'a Gaussian copula': made(gaussianCopula),
  'parametric models': made(parametricSynthesizer),
  'conditional trees': made(ctreeSynthesizer),
}

/** What is known to get through, and why. */
const KNOWN = {
  [OF_MANY]: {
    files: ['carData-SLID'],
    why: 'in the file of five coarse columns one person in twenty has an equal in an honest release, and nine copies drown among them',
  },
}

const columnOf = (file, name) => file.columns.find((column) => column.name === name)
const labelsOf = (column) => Array.from(column.codes, (_, row) => valueAt(column, row))

/** Farthest from their nearest neighbour, by ranks of numbers and equality of levels. */
function mostIsolated(file, count) {
  const distance = distancesIn(file, file)
  const nearest = Array.from({ length: file.rows }, (_, row) => {
    let least = Number.POSITIVE_INFINITY
    for (let other = 0; other < file.rows; other++) if (other !== row) least = Math.min(least, distance(row, other))
    return least
  })
  return Int32Array.from([...nearest.keys()].sort((a, b) => nearest[b] - nearest[a]).slice(0, count))
}

/** Numbers by their rank in their own file, so that a scale hides nothing. */
function distancesIn(people, records, left = []) {
  const pairs = people.columns.flatMap((column) => {
    const other = columnOf(records, column.name)
    return other === undefined || left.includes(column.name) || other.kind !== column.kind ? [] : [[column, other]]
  })
  const sides = pairs.map(([column, other]) =>
    column.kind === 'categorical'
      ? [labelsOf(column), labelsOf(other)]
      : [ranksOf(column.values), ranksOf(other.values)],
  )
  return (person, record) => {
    let sum = 0
    for (const [ours, theirs] of sides) {
      const [a, b] = [ours[person], theirs[record]]
      sum += typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) : a === b ? 0 : 1
    }
    return sum
  }
}

function ranksOf(values) {
  const sorted = [...known(values)].sort((a, b) => a - b)
  const place = new Map()
  for (const [k, value] of sorted.entries()) if (!place.has(value)) place.set(value, k / sorted.length)
  return Array.from(values, (value) => (Number.isNaN(value) ? null : place.get(value)))
}

/**
 * The plain attacker: who carries this person's number, or is nearest in all columns but the target, has their target. Right is the
 * same level, or a number within a twentieth of the people's ranks.
 */
function guessedRight(people, released, target) {
  const theirs = columnOf(released, target)
  if (theirs === undefined) return null
  const ours = columnOf(people, target)
  const distance = distancesIn(people, released, [target])
  const [truth, guess] =
    ours.kind === 'categorical' ? [labelsOf(ours), labelsOf(theirs)] : [ranksOf(ours.values), ranksOf(theirs.values)]
  let right = 0
  const asked = Math.min(people.rows, 300)
  for (let person = 0; person < asked; person++) {
    let [nearest, least] = [0, Number.POSITIVE_INFINITY]
    for (let record = 0; record < released.rows; record++) {
      const far = distance(person, record)
      if (far < least) [nearest, least] = [record, far]
    }
    const [a, b] = [truth[person], guess[nearest]]
    if (typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 0.05 : a === b) right++
  }
  return right / asked
}

const percentOf = (share) => (share === null ? '-' : `${Math.round(100 * share)} %`)
const rows = []
let [low, differing] = [0, 0]
const words = args.includes('--leaks') ? args[args.indexOf('--leaks') + 1] : ''
for (const [leak, make] of Object.entries(LEAKS).filter(([leak]) => leak.includes(words))) {
  const counts = { alone: [], outside: [] }
  const harm = { inside: [], outside: [] }
  const names = leak === OF_MANY && !args.includes('--files') ? LARGE_DATA_SETS : chosen
  for (const name of names) {
    const files = await peopleOf(name, leak === OF_MANY ? MANY_PEOPLE : MOST_PEOPLE)
    const { original, holdout, keys, target } = files
    const { read, ...given } = await make(files)
    const release = { original, holdout, keys, target, ...given }
    release.released = { ...release.released, name: 'release.csv' }
    for (const [kind, asked] of [
      ['alone', { ...release, holdout: undefined }],
      ['outside', release],
    ]) {
      const { verdict, asked: isAsked } = await answer(asked)
      const isSame =
        args.includes('--library') || (await sameInEveryFace(`${leak}, ${name}, ${kind}`, asked, verdict.level))
      if (!isSame) differing++
      counts[kind].push(`${verdict.level}${isAsked ? ', asked' : ''}`)
      if (verdict.level === 'LOW') {
        if (KNOWN[leak]?.files.includes(name) !== true) low++
        console.log(`LOW: ${leak}, ${name}, ${kind}`)
      }
    }
    const inside = guessedRight(release.original, read ?? release.released, target)
    if (inside !== null) harm.inside.push(inside)
    if (inside !== null) harm.outside.push(guessedRight(release.holdout, read ?? release.released, target))
  }
  const tallied = (levels) =>
    [...new Set(levels)].map((level) => `${level} ${levels.filter((one) => one === level).length}`).join('; ')
  const mean = (shares) => (shares.length === 0 ? null : shares.reduce((a, b) => a + b, 0) / shares.length)
  rows.push([
    KNOWN[leak] === undefined ? leak : `${leak}: ${KNOWN[leak].why}`,
    tallied(counts.alone),
    tallied(counts.outside),
    `${percentOf(mean(harm.inside))} / ${percentOf(mean(harm.outside))}`,
  ])
  console.log(rows.at(-1).join(' | '))
}

const header = ['release', 'nobody outside', 'with people outside', 'targets guessed, in the data / outside']
const text = [
  `On ${chosen.length} data sets of R and Python packages (${chosen.join(', ')}), at most ${MOST_PEOPLE} people each, for copies of 1 % on ${LARGE_DATA_SETS.length} of ${MANY_PEOPLE} people (${LARGE_DATA_SETS.join(', ')}); "asked" where opening the files asks first, and was told: the same.`,
  '',
  markdownTable(header, rows),
].join('\n')
if (args.includes('--write')) {
  const page = join(scripts, '../../docs/fooling.md')
  writeFileSync(page, withBlock(readFileSync(page, 'utf8'), 'hidden-leaks', text))
} else console.log(`\n${text}`)
console.log(`${low === 0 ? 'kept  ' : 'BROKEN'} leaks that hide: ${low} LOW (none)`)
if (!args.includes('--library'))
  console.log(
    `${differing === 0 ? 'kept  ' : 'BROKEN'} library, command line, gate and page: ${differing} differ (none)`,
  )
process.exit(low + differing === 0 ? 0 : 1)
