// Utility: all its measures on a large file of mixed columns, trees on permuted labels and tables beside synthpop, distances of all
// pairs of records beside riskutility.
import {
  assessCase,
  categorical,
  energyDistance,
  mmd,
  numeric,
  openCase,
  pmse,
  selectRows,
  stream,
  table,
  tables,
} from '@scrim/core'
import { computed, count, quick, readFile, referenceFiles, saveCsv, sized, twoThreads } from './harness.mjs'

const ROWS = sized(100_000)
const CATEGORIES = [2, 3, 4, 5, 6, 8, 12, 16]
const PERMUTATIONS = 50
/** riskutility holds all distances in memory. */
const SMALL = 2000
const LARGE = quick ? 2000 : 20_000

/** Eight categorical and seven numeric columns that depend on one another. */
function mixed(name, seed) {
  const random = stream(seed, name)
  const latent = Float64Array.from({ length: ROWS }, () => random.uniform())
  const categories = CATEGORIES.map((count, k) => {
    const levels = Array.from({ length: count }, (_, level) => `l${String(level).padStart(2, '0')}`)
    const codes = Int32Array.from(latent, (value) => Math.floor(((value + random.uniform()) / 2) ** 1.5 * count))
    return { ...categorical(`c${k + 1}`, [], { levels }), codes }
  })
  const numbers = Array.from({ length: 7 }, (_, k) =>
    numeric(
      `x${k + 1}`,
      Float64Array.from(
        latent,
        (value) => Math.round(1000 * (value + random.uniform()) ** (1 + k / 3)) / (k % 2 === 0 ? 1 : 10),
      ),
    ),
  )
  return table(name, [...categories, ...numbers])
}

/** The first records of both files. */
function firstOf(rows) {
  const chosen = Int32Array.from({ length: rows }, (_, row) => row)
  return [mixed('original', 1), mixed('released', 2)].map((file) => selectRows(file, chosen))
}

/** All pairs of so many records of each file. */
function allPairs(measure, rows, options, peer) {
  return () => {
    const [original, released] = firstOf(rows)
    const { release } = openCase({}, { original, released })
    const tasks = twoThreads()
    return {
      run: async () =>
        computed(await measure({ ...release }, { method: 'exact', resamples: 0, ...options }, { tasks })),
      peer: peer && {
        name: 'riskutility',
        package: 'riskutility',
        job: [peer, saveCsv(original, 'x.csv'), saveCsv(released, 'y.csv')],
      },
    }
  }
}

/** On SD2011 and a synthesis of it, beside a job of synthpop. */
function onSurvey(run, peer) {
  return async () => {
    const paths = referenceFiles('golden/sd2011', 'original.csv', 'synthetic-1.csv')
    const [original, released] = await Promise.all(paths.map(readFile))
    const { release } = openCase({}, { original, released })
    const tasks = twoThreads()
    return {
      run: async () => computed(await run({ ...release }, tasks)),
      peer: { name: `synthpop ${peer.name}`, package: 'synthpop', job: [peer.job, ...paths] },
    }
  }
}

async function allMeasures() {
  const files = { original: mixed('original', 1), released: mixed('released', 2) }
  const opened = openCase({ target: 'c2', side: 'utility', profile: 'full' }, files)
  const tasks = twoThreads()
  return {
    async run() {
      const each = []
      let last = performance.now()
      const finish = ({ measure }) => {
        each.push({ measure, seconds: (performance.now() - last) / 1000 })
        last = performance.now()
      }
      await assessCase(opened, { tasks, finish })
      const slowest = each.sort((a, b) => b.seconds - a.seconds).slice(0, 5)
      return [`slowest: ${slowest.map(({ measure, seconds }) => `${measure} ${seconds.toFixed(1)} s`).join(', ')}`]
    },
  }
}

export const utilityRows = [
  {
    name: `pMSE by trees, SD2011, ${PERMUTATIONS} permutations`,
    repeats: 5,
    warm: 2,
    prepare: onSurvey(
      (release, tasks) => pmse(release, { model: 'cart', permutations: PERMUTATIONS, resamples: 0 }, { tasks }),
      { name: 'utility.gen', job: 'utility' },
    ),
  },
  {
    name: 'all pairs of columns, SD2011',
    repeats: 3,
    prepare: onSurvey((release) => tables(release, { resamples: 0 }), { name: 'utility.tables', job: 'tables' }),
  },
  ...[
    { measure: energyDistance, peer: 'energy' },
    { measure: mmd, peer: 'mmd' },
  ].flatMap(({ measure, peer }) => [
    // Numbers only, as riskutility.
    {
      name: `${measure.id}, 2 x ${count(SMALL)}, numbers`,
      repeats: 5,
      prepare: allPairs(measure, SMALL, { columns: 'numbers' }, peer),
    },
    { name: `${measure.id}, 2 x ${count(LARGE)}`, prepare: allPairs(measure, LARGE, {}) },
  ]),
  { name: `all of utility, ${count(ROWS)} x 15`, prepare: allMeasures },
]
