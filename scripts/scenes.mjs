// Releases of which it is known what they leak: an original, people outside, and a release made in one of several ways.
// Used by the studies of calibration and power.
import {
  cartSynthesizer,
  categorical,
  independentMarginals,
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
  'near-copies': nearCopies,
  'CART, minbucket 1': cart(1),
  'CART, minbucket 5': cart(5),
  'CART, minbucket 50': cart(50),
  'all originals among 9 times as many independent rows': (original, seed) =>
    stacked(original, ...Array.from({ length: 9 }, (_, k) => independentMarginals(original, { seed: 100 * seed + k }))),
  '40 % copies, each record five times': (original, seed) => {
    const once = copies(0.4)(original, seed)
    return stacked(once, once, once, once, once)
  },
  'bootstrap of the original': (original, seed) =>
    selectRows(original, sampleWithReplacement(stream(seed, 'bootstrap'), original.rows, original.rows)),
}

/** Original, release and people outside of one simulation. */
export async function scene(name, seed, rows) {
  const original = people('original', seed, rows)
  return {
    original,
    released: { ...(await SCENES[name](original, seed)), name: 'release' },
    holdout: people('outsiders', seed, rows),
    ...ROLES,
  }
}
