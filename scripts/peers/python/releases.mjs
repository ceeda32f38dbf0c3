// Releases of which it is known whether they leak, for the tools of Python and for scrim: an original, people outside, and
// files made from the original, from others of the same population, or from both.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  cartSynthesizer,
  categorical,
  independentMarginals,
  permutation,
  sampleWithoutReplacement,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  table,
} from '@scrim/core'
import { demoPeople } from '../../../packages/studies/dist/index.js'
import { read, referenceFolder } from '../peer.mjs'

/** Of each file. */
export const PEOPLE = 1000

/**
 * Left out of Adult: values that one person alone has, so that a column by itself names people and no release that keeps values
 * is harmless, and `education_num`, which is `education`.
 */
const LEFT_OUT = ['fnlwgt', 'capital_gain', 'capital_loss', 'education_num']
/** Rarer levels are put together, for the same reason. */
const RAREST = 0.01

/** What an attacker knows, what is secret, and what two files know that are linked. */
const OF_ADULT = {
  keys: ['age', 'education', 'marital', 'race', 'sex', 'country'],
  target: 'income',
  linked: [
    ['age', 'education', 'hr_per_week', 'sex', 'race'],
    ['type_employer', 'marital', 'occupation', 'relationship', 'country', 'income'],
  ],
}
const OF_DEMO = {
  keys: ['gender', 'age', 'education'],
  target: 'disease_status',
  linked: [
    ['gender', 'age', 'education'],
    ['income', 'health_score', 'disease_status'],
  ],
}

/** Three samples of Adult without people in common, or of simulated people where Adult is not here, and their roles. */
export async function samples(people = PEOPLE, seed = 1) {
  const file = join(referenceFolder(), 'data/adult/adults_train.csv')
  if (!existsSync(file)) {
    const { original, holdout } = demoPeople(people, seed)
    const { original: others } = demoPeople(people, seed + 1)
    return { data: 'simulated people', original, holdout, others, roles: OF_DEMO }
  }
  const all = await read(file)
  const columns = all.columns.filter(({ name }) => !LEFT_OUT.includes(name)).map(coarser)
  const rows = sampleWithoutReplacement(stream(seed, 'people of Adult'), all.rows, 3 * people)
  const [original, holdout, others] = ['original', 'holdout', 'others'].map((name, k) =>
    selectRows(table(name, columns), rows.slice(k * people, (k + 1) * people)),
  )
  return { data: 'Adult', original, holdout, others, roles: OF_ADULT }
}

/** Rare levels as one; numbers no lower than the 1 % and no higher than the 99 % quantile. */
function coarser(column) {
  if (column.kind === 'numeric') {
    const sorted = column.values.toSorted()
    const [low, high] = [RAREST, 1 - RAREST].map((share) => sorted[Math.floor(share * sorted.length)])
    return { ...column, values: column.values.map((value) => Math.min(high, Math.max(low, value))) }
  }
  const counts = new Int32Array(column.levels.length)
  for (const code of column.codes) if (code >= 0) counts[code]++
  const isRare = (code) => counts[code] < RAREST * column.codes.length
  return categorical(
    column.name,
    Array.from(column.codes, (code) => (code < 0 ? null : isRare(code) ? 'other' : column.levels[code])),
  )
}

/** A release by its name. Its records come in random order, so that no tool can pair them by their place. */
export async function releaseOf(name, people, seed = 1) {
  const made = await RELEASES[name].make(people, seed)
  return { ...selectRows(made, permutation(stream(seed, 'order of records'), made.rows)), name: 'release' }
}

const trees = (minbucket) => (data, seed) => synthesize(cartSynthesizer, data, { seed, options: { minbucket } })

/**
 * By name: how the file is made of the people of the original and of others, and what it leaks of the former. What is made of others
 * alone leaks nothing, whatever it looks like. A coarse model of the original says little about anybody, but not nothing.
 */
export const RELEASES = {
  'every record, numbers moved a little': { leaks: 'much', make: ({ original }, seed) => nearCopies(original, seed) },
  'CART, leaves of 1': { leaks: 'much', make: ({ original }, seed) => trees(1)(original, seed) },
  '10 % copies, 30 % of cells exchanged': {
    leaks: 'some',
    make: ({ original, others }, seed) => among(others, exchanged(original, seed), 0.1),
  },
  '5 % copies': { leaks: 'some', make: ({ original, others }) => among(others, original, 0.05) },
  '2 % copies': { leaks: 'some', make: ({ original, others }) => among(others, original, 0.02) },
  'CART, leaves of 50': { leaks: 'little', make: ({ original }, seed) => trees(50)(original, seed) },
  'independent columns': { leaks: 'little', make: ({ original }, seed) => independentMarginals(original, { seed }) },
  'other people': { leaks: 'nothing', make: ({ others }) => others },
  'CART, leaves of 1, of other people': { leaks: 'nothing', make: ({ others }, seed) => trees(1)(others, seed) },
  'independent columns of other people': {
    leaks: 'nothing',
    make: ({ others }, seed) => independentMarginals(others, { seed }),
  },
}

/** The first records of `copied`, then others. */
function among(others, copied, share) {
  const count = Math.round(share * others.rows)
  const rows = Int32Array.from({ length: others.rows }, (_, row) => row)
  const parts = [selectRows(copied, rows.slice(0, count)), selectRows(others, rows.slice(count))]
  return table(
    'release',
    others.columns.map((_, k) => stackColumns(parts.map(({ columns }) => columns[k]))),
  )
}

/** Three cells of ten are those of somebody else. */
function exchanged(original, seed) {
  const random = stream(seed, 'exchanged cells')
  const columns = original.columns.map((column) => {
    const rows = Int32Array.from({ length: original.rows }, (_, row) =>
      random.uniform() < 0.3 ? random.below(original.rows) : row,
    )
    return selectRows(table('column', [column]), rows).columns[0]
  })
  return table('exchanged', columns)
}

/** Numbers other than 0 move by up to 3 %, at least by up to 1; categories stay. */
function nearCopies(original, seed) {
  const random = stream(seed, 'near copies')
  const moved = (value) =>
    value === 0 ? 0 : value + Math.round(2 * (random.uniform() - 0.5) * Math.max(1.49, 0.03 * Math.abs(value)))
  const columns = original.columns.map((column) =>
    column.kind === 'numeric' ? { ...column, values: column.values.map(moved) } : column,
  )
  return table('near copies', columns)
}
