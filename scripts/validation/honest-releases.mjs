// Releases of the shapes: honest ones, honest ones to which an accident happened, and leaks of which it is known what they leak.
import {
  bootstrapNoise,
  cartSynthesizer,
  categorical,
  gaussianCopula,
  numeric,
  parametricSynthesizer,
  permutation,
  sampleWithoutReplacement,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  table,
  valueAt,
} from '@scrim/core'
import { SHAPES, sample } from './shapes.mjs'

/** What happens to files of honest producers; none of it is about the people in the original. */
export const ACCIDENTS = {
  'every record twice': ({ released, ...files }) => ({ ...files, released: stacked(released, released) }),
  'numbers rounded to two digits': ({ released, ...files }) => ({
    ...files,
    released: withNumbers(released, (value) => Number(value.toPrecision(2))),
  }),
  'a column more': ({ released, ...files }, random) => ({
    ...files,
    released: withColumn(released, (rows) => numeric('weighting', Array.from({ length: rows }, random.uniform))),
  }),
  'an id column in all files': (files) => inAllFiles(files, (file) => withColumn(file, runningNumber)),
  'names in all files': (files, random) =>
    inAllFiles(files, (file) =>
      withColumn(
        file,
        texts('name', () => `${draw(FIRST, random)} ${draw(LAST, random)}`),
      ),
    ),
  'numbers of people in all files': (files, random) =>
    inAllFiles(files, (file) =>
      withColumn(
        file,
        texts('ssn', () => personNumber(random)),
      ),
    ),
  'remarks in all files': (files, random) =>
    inAllFiles(files, (file) =>
      withColumn(
        file,
        texts('remark', () => remark(random)),
      ),
    ),
  'other units in all files': (files) =>
    inAllFiles(files, (file) => withNumbers(file, (value) => Number((value * 2.54).toPrecision(12)))),
  'columns in another order': ({ released, ...files }) => ({
    ...files,
    released: table(released.name, released.columns.toReversed()),
  }),
  'levels in capitals': ({ released, ...files }) => ({ ...files, released: inCapitals(released) }),
  'half of it from another population': ({ released, ...files }, _, { shape, seed }) => ({
    ...files,
    released: stacked(
      firstRows(released, Math.ceil(released.rows / 2)),
      sample(shape, 'elsewhere', OTHER_POPULATIONS + seed, Math.floor(released.rows / 2)),
    ),
  }),
}
const OTHER_POPULATIONS = 1_000_000

/** From an original and as many fresh records, a release that leaks. The first four must be seen in every release. */
export const LEAKS = {
  'copies 2 %': (original, fresh) => copiesAmong(original, fresh, 0.02),
  'copies 5 %': (original, fresh) => copiesAmong(original, fresh, 0.05),
  'partial copies 10 %': (original, fresh, seed) => partialCopies(original, fresh, 0.1, seed),
  'jittered copies 20 %': (original, fresh, seed) => copiesAmong(jittered(original, seed), fresh, 0.2),
  'CART, minbucket 1': (original, _, seed) => cart(original, 1, seed),
  'CART, minbucket 5': (original, _, seed) => cart(original, 5, seed),
  'the original, shuffled': (original, _, seed) =>
    selectRows(original, permutation(stream(seed, 'shuffled'), original.rows)),
  'bootstrap with little noise': (original, _, seed) => synthesize(bootstrapNoise, original, { seed }),
}
export const ALWAYS_SEEN = Object.keys(LEAKS).slice(0, 4)

/** Releases made from other people, who are not in the original: honest, whatever made them. */
export const MADE = {
  'CART, minbucket 1': (others, seed) => cart(others, 1, seed),
  'CART, minbucket 5': (others, seed) => cart(others, 5, seed),
  'a Gaussian copula': (others, seed) => synthesize(gaussianCopula, others, { seed }),
  'parametric models': (others, seed) => synthesize(parametricSynthesizer, others, { seed }),
  'numbers moved to the middle': (others) => towardsMean(others, 0.6),
}
/** Near to everybody, which looks like near to the people of the original: no bar, docs/power.md says so. */
export const NEARER = ['numbers moved to the middle']

/** The files and roles of one replicate of a cell of the study; `people` is how many the original has. */
export async function filesOf({ shape, size, holdout, accident, leak, made, seed, people = SHAPES[shape].people }) {
  const { roles } = SHAPES[shape]
  const original = sample(shape, 'original', seed, people)
  const fresh = sample(shape, 'release', seed, Math.round(size * people))
  const released =
    leak !== undefined
      ? await LEAKS[leak](original, fresh, seed)
      : made !== undefined
        ? await MADE[made](fresh, seed)
        : fresh
  const files = {
    original,
    released: { ...released, name: 'release' },
    ...(holdout ? { holdout: sample(shape, 'holdout', seed, people) } : {}),
    ...roles,
  }
  return accident === undefined ? files : ACCIDENTS[accident](files, stream(seed, accident), { shape, seed })
}

const runningNumber = (rows) =>
  numeric(
    'id',
    Array.from({ length: rows }, (_, row) => row + 1),
  )
const inAllFiles = ({ original, released, holdout, ...roles }, change) => ({
  ...roles,
  original: change(original),
  released: change(released),
  ...(holdout === undefined ? {} : { holdout: change(holdout) }),
})

const texts = (name, text) => (rows) => categorical(name, Array.from({ length: rows }, text))
const draw = (words, random) => words[random.below(words.length)]
/** Some thousand names: people of one file share one now and then. */
const FIRST = syllables(['An', 'Be', 'Cla', 'Da', 'Eli', 'Fre', 'Ga', 'He'], ['na', 'ra', 'do', 'sa', 'ko', 'lin'])
const LAST = syllables(
  ['Hal', 'Mor', 'Stein', 'Wal', 'Lind', 'Brand', 'Ross', 'Kern', 'Ost', 'Win'],
  ['er', 'man', 'son', 'berg', 'feld', 'ley'],
)
function syllables(starts, ends) {
  return starts.flatMap((start) => ends.map((end) => start + end))
}
const personNumber = (random) =>
  [3, 2, 4].map((digits) => String(random.below(10 ** digits)).padStart(digits, '0')).join('-')
const remark = (random) =>
  `${draw(['called', 'wrote', 'came'], random)} on day ${1 + random.below(365)}, ${draw(['asked for', 'was told of', 'declined'], random)} ${draw(['a form', 'an appeal', 'a visit', 'a date'], random)} in room ${random.below(200)}`

const withColumn = (file, column) => table(file.name, [column(file.rows), ...file.columns])

function towardsMean(file, share) {
  return table(
    file.name,
    file.columns.map((column) => {
      if (column.kind !== 'numeric') return column
      const known = column.values.filter((value) => !Number.isNaN(value))
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length
      const digits = known.every(Number.isInteger) ? 0 : 3
      return {
        ...column,
        values: column.values.map((value) => Number((mean + share * (value - mean)).toFixed(digits))),
      }
    }),
  )
}

function withNumbers(file, change) {
  return table(
    file.name,
    file.columns.map((column) =>
      column.kind === 'numeric' ? { ...column, values: column.values.map((value, row) => change(value, row)) } : column,
    ),
  )
}

function inCapitals(file) {
  return table(
    file.name,
    file.columns.map((column) =>
      column.kind === 'categorical'
        ? categorical(
            column.name,
            Array.from({ length: file.rows }, (_, row) => valueAt(column, row)?.toUpperCase() ?? null),
          )
        : column,
    ),
  )
}

/** One file below the other. Levels are those of both: each file has those of its own people. */
function stacked(above, below) {
  return table(
    above.name,
    above.columns.map((column, j) => {
      const other = below.columns[j]
      if (column.kind !== 'categorical') return stackColumns([column, other])
      const labels = [column, other].flatMap((part) => Array.from(part.codes, (_, row) => valueAt(part, row)))
      return categorical(column.name, labels)
    }),
  )
}

const firstRows = (file, rows) =>
  selectRows(
    file,
    Int32Array.from({ length: rows }, (_, row) => row),
  )

function copiesAmong(original, fresh, share) {
  const copies = Math.round(share * original.rows)
  return stacked(firstRows(original, copies), firstRows(fresh, fresh.rows - copies))
}

const KEPT_COLUMNS = 0.7

/** This share of people, each with most columns of their own and the others of a fresh record, among fresh records. */
function partialCopies(original, fresh, share, seed) {
  const random = stream(seed, 'partial copies')
  const both = stacked(original, fresh)
  const copies = Math.round(share * original.rows)
  const kept = Math.round(KEPT_COLUMNS * original.columns.length)
  const own = Array.from(
    { length: copies },
    () => new Set(sampleWithoutReplacement(random, original.columns.length, kept)),
  )
  return table(
    'release',
    both.columns.map((column, j) => {
      const rows = Int32Array.from({ length: fresh.rows }, (_, row) => (own[row]?.has(j) ? row : original.rows + row))
      return selectRows(table('column', [column]), rows).columns[0]
    }),
  )
}

const JITTER = 0.05

/** Numbers moved by a small part of the distance between the quartiles, in as many digits as before. */
function jittered(original, seed) {
  const random = stream(seed, 'jittered')
  return table(
    'release',
    original.columns.map((column) => {
      if (column.kind !== 'numeric') return column
      const sorted = column.values.filter((value) => !Number.isNaN(value)).sort()
      const between = sorted[Math.floor(0.75 * sorted.length)] - sorted[Math.floor(0.25 * sorted.length)]
      const digits = sorted.every(Number.isInteger) ? 0 : 3
      return {
        ...column,
        values: column.values.map((value) =>
          Number((value + JITTER * between * 2 * (random.uniform() - 0.5)).toFixed(digits)),
        ),
      }
    }),
  )
}

/** A column of 300 levels is a predictor too. */
const MOST_LEVELS = 300
const cart = (original, minbucket, seed) =>
  synthesize(cartSynthesizer, original, { seed, options: { minbucket, maxFacLevels: MOST_LEVELS } })
