// Releases of which it is known what they leak: an original, people outside, and a release made in one of several ways.
// Used by the studies of calibration and power. SCENES are of few columns; SHAPES are releases of many columns that are made
// from other people than the original, and leak nothing, however unlike a sample of the population they look.
import {
  anonymise,
  cartSynthesizer,
  categorical,
  drawNormal,
  gaussianCopula,
  independentMarginals,
  microaggregation,
  noise,
  numeric,
  sampleWithReplacement,
  selectRows,
  stackColumns,
  stream,
  synthesize,
  table,
} from '@scrim/core'

export const ROLES = { keys: ['sex', 'education', 'region', 'age'], target: 'ill', type: 'synthetic' }

/** Sex and education, age in steps of five years, income by age and education, region, a diagnosis by age and sex. */
export function people(name, seed, rows) {
  const random = stream(seed, `scene ${name}`)
  const draw = (levels) => levels[random.below(levels.length)]
  const records = Array.from({ length: rows }, () => {
    const age = 20 + 5 * Math.floor(14 * random.uniform() ** 1.3)
    const education = draw(['low', 'middle', 'high'])
    const sex = draw(['f', 'm'])
    const base = 20 + age / 4 + { low: 0, middle: 10, high: 25 }[education]
    return {
      sex,
      education,
      region: draw(['n', 'e', 's', 'w']),
      age,
      income: Math.round(1000 * base * Math.exp(0.4 * (random.uniform() + random.uniform() - 1))),
      ill: random.uniform() < age / 130 + (sex === 'm' ? 0.1 : 0) ? 'yes' : 'no',
    }
  })
  const column = (key) => records.map((record) => record[key])
  return table(name, [
    categorical('sex', column('sex'), { levels: ['f', 'm'] }),
    categorical('education', column('education'), { levels: ['low', 'middle', 'high'] }),
    categorical('region', column('region'), { levels: ['n', 'e', 's', 'w'] }),
    numeric('age', column('age')),
    numeric('income', column('income')),
    categorical('ill', column('ill'), { levels: ['no', 'yes'] }),
  ])
}

/** Five numbers and nine categories of two to eight levels, all of which go with two things that are not observed. */
function manyColumns(name, seed, rows) {
  const random = stream(seed, `many columns ${name}`)
  const hidden = Array.from({ length: rows }, () => [drawNormal(random), drawNormal(random)])
  const score = ([a, b], k) => (k % 3 === 0 ? a : k % 3 === 1 ? b : 0.7 * (a - b)) + drawNormal(random)
  const numbers = Array.from({ length: 5 }, (_, k) =>
    numeric(
      `number${k}`,
      hidden.map((of) => Math.round(1000 * Math.exp(score(of, k) / (k + 2)))),
    ),
  )
  const categories = Array.from({ length: 9 }, (_, k) => {
    const levels = Array.from({ length: 2 + (k % 7) }, (_, level) => `c${level}`)
    const place = (of) => Math.floor((levels.length * Math.atan(score(of, k))) / Math.PI + levels.length / 2)
    return categorical(
      `category${k}`,
      hidden.map((of) => levels[Math.min(levels.length - 1, Math.max(0, place(of)))]),
      { levels },
    )
  })
  return table(name, [...numbers, ...categories])
}

const stacked = (...tables) =>
  table(
    'release',
    tables[0].columns.map((_, k) => stackColumns(tables.map(({ columns }) => columns[k]))),
  )
const first = (of, rows) =>
  selectRows(
    of,
    Int32Array.from({ length: rows }, (_, row) => row),
  )

function copies(share) {
  return (original, seed) => {
    const count = Math.round(share * original.rows)
    return stacked(first(original, count), first(people('fresh', seed, original.rows), original.rows - count))
  }
}

/** Each record is copied with this chance, else replaced by a fresh one: how many are copied varies as it does over people. */
function copiedAtRandom(chance) {
  return (original, seed) => {
    const random = stream(seed, 'copied at random')
    const fresh = people('fresh', seed, original.rows)
    const rows = Int32Array.from({ length: original.rows }, (_, row) =>
      random.uniform() < chance ? row : original.rows + row,
    )
    return selectRows(stacked(original, fresh), rows)
  }
}

function nearCopies(original, seed) {
  const random = stream(seed, 'near copies')
  return table(
    'release',
    original.columns.map((column) =>
      column.name === 'income'
        ? { ...column, values: column.values.map((value) => value + Math.round(1000 * (random.uniform() - 0.5))) }
        : column,
    ),
  )
}

const cart = (minbucket) => (original, seed) => synthesize(cartSynthesizer, original, { seed, options: { minbucket } })

export const SCENES = {
  honest: (original, seed) => people('fresh', seed, original.rows),
  independent: (original, seed) => independentMarginals(original, { seed }),
  'copies 0.5 %': copies(0.005),
  'copies 2 %': copies(0.02),
  'copies 5 %': copies(0.05),
  'copies 10 %': copies(0.1),
  'each copied with a chance of 5 %': copiedAtRandom(0.05),
  'near-copies': nearCopies,
  'CART, minbucket 1': cart(1),
  'CART, minbucket 5': cart(5),
  'CART, minbucket 50': cart(50),
  'all originals among 9 times as many independent rows': (original, seed) =>
    stacked(original, ...Array.from({ length: 9 }, (_, k) => independentMarginals(original, { seed: 100 * seed + k }))),
  'CART with minbucket 5 among 3 times as many independent rows': async (original, seed) =>
    stacked(
      await cart(5)(original, seed),
      ...Array.from({ length: 3 }, (_, k) => independentMarginals(original, { seed: 100 * seed + k })),
    ),
  '40 % copies, each record five times': (original, seed) => {
    const once = copies(0.4)(original, seed)
    return stacked(once, once, once, once, once)
  },
  'bootstrap of the original': (original, seed) =>
    selectRows(original, sampleWithReplacement(stream(seed, 'bootstrap'), original.rows, original.rows)),
}

/** Made from others of the population, in the shape that something does to a file. */
export const SHAPES = {
  'another sample': (others) => others,
  'independent marginals': (others, seed) => independentMarginals(others, { seed }),
  'Gaussian copula': (others, seed) => synthesize(gaussianCopula, others, { seed }),
  'microaggregated, k = 5': (others, seed) => anonymise(microaggregation, others, { seed, options: { k: 5 } }).table,
  'mode-collapsed: 50 people, over and over': (others, seed) => {
    const random = stream(seed, 'modes')
    return selectRows(
      others,
      Int32Array.from({ length: others.rows }, () => random.below(50)),
    )
  },
  'noisy: numbers by 30 % of their spread, every tenth category drawn anew': noisy,
}

/** Leaks of as many columns. */
export const LEAKS = {
  'copies 2 % of many columns': (others, _, original) => copiesAmong(others, original, 0.02),
  'copies 5 % of many columns': (others, _, original) => copiesAmong(others, original, 0.05),
  'every record, 30 % of its cells another’s': (_, seed, original) => partialCopies(original, seed),
}

function copiesAmong(others, original, share) {
  const count = Math.round(share * original.rows)
  return stacked(first(original, count), first(others, original.rows - count))
}

function partialCopies(original, seed) {
  const random = stream(seed, 'partial copies')
  return table(
    'release',
    original.columns.map((column) => {
      const rows = Int32Array.from({ length: original.rows }, (_, row) =>
        random.uniform() < 0.3 ? random.below(original.rows) : row,
      )
      return selectRows(table('column', [column]), rows).columns[0]
    }),
  )
}

function noisy(others, seed) {
  const random = stream(seed, 'noisy')
  return table(
    'release',
    others.columns.map((column) => {
      if (column.kind === 'categorical')
        return {
          ...column,
          codes: column.codes.map((code) => (random.uniform() < 0.1 ? random.below(column.levels.length) : code)),
        }
      const middle = column.values.reduce((sum, value) => sum + value, 0) / column.values.length
      const spread = Math.sqrt(
        column.values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / column.values.length,
      )
      return { ...column, values: column.values.map((value) => value + 0.3 * spread * drawNormal(random)) }
    }),
  )
}

/** Row i of the release derives from row i of the original. */
export const PERTURBED = 'numbers with noise, row by row'
const PERTURBED_ROLES = { keys: ['sex', 'education', 'region'], numericKeys: ['age', 'income'], type: 'perturbed' }

function perturbed(original, seed) {
  const { table: released } = anonymise(noise, original, { seed, options: { variables: ['age', 'income'] } })
  return { original, released: { ...released, name: 'release' }, ...PERTURBED_ROLES }
}

/** Original, release and people outside of one simulation. */
export async function scene(name, seed, rows) {
  if (name === PERTURBED) return perturbed(people('original', seed, rows), seed)
  const ofMany = SHAPES[name] ?? LEAKS[name]
  if (ofMany !== undefined) {
    const [original, others] = ['original', 'others'].map((of) => manyColumns(of, seed, rows))
    return { original, released: { ...(await ofMany(others, seed, original)), name: 'release' }, type: 'synthetic' }
  }
  const original = people('original', seed, rows)
  return {
    original,
    released: { ...(await SCENES[name](original, seed)), name: 'release' },
    holdout: people('outsiders', seed, rows),
    ...ROLES,
  }
}
