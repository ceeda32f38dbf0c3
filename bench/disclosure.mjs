// Frequency and attribution risk beside synthpop and sdcMicro.
import { readFileSync } from 'node:fs'
import {
  attribution,
  categorical,
  disclosure,
  frequencies,
  kAnonymity,
  openCase,
  readTable,
  stream,
  suda,
  table,
} from '@scrim/core'
import { computed, count, readFile, referenceFiles, saveCsv, sized, twoThreads } from './harness.mjs'

const ROWS = sized(1_000_000)
const SIZE = `${count(ROWS)} x 6`
const KEYS = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']
const CARDINALITIES = [2, 90, 16, 6, 5, 8]

/** Skewed categories, as in household surveys: the square of a uniform number decides. */
function survey(name, seed) {
  const random = stream(seed, name)
  const keys = KEYS.map((key, k) => {
    const levels = Array.from({ length: CARDINALITIES[k] }, (_, level) => `l${String(level).padStart(2, '0')}`)
    const codes = Int32Array.from({ length: ROWS }, () => Math.floor(random.uniform() ** 2 * CARDINALITIES[k]))
    return { ...categorical(key, [], { levels }), codes }
  })
  const levels = Array.from({ length: 10 }, (_, level) => `t${level}`)
  const codes = Int32Array.from(keys[1].codes, (age) => Math.min(9, Math.floor(age / 20) + random.below(5)))
  return table(name, [...keys, { ...categorical('target', [], { levels }), codes }])
}

/** The file alone: what it is compared with has one row and costs nothing. A release keeps what was counted, so each run has its own. */
function alone(original) {
  const oneRow = original.columns.map((column) => ({ ...column, codes: column.codes.slice(0, 1) }))
  return openCase({ keys: KEYS, type: 'synthetic' }, { original, released: table('one', oneRow) }).release
}

/** Against a release of the same size. */
function compared() {
  const files = { original: survey('original', 1), released: survey('released', 2) }
  return openCase({ keys: KEYS, target: 'target', type: 'synthetic' }, files).release
}

/** On the original alone, beside a job of sdcMicro. */
function onOriginal(run, peer) {
  return () => {
    const original = survey('original', 1)
    return {
      run: async () => void (await run(alone(original))),
      peer: peer && { ...peer, package: 'sdcMicro', job: [peer.job, saveCsv(original, 'survey.csv')] },
    }
  }
}

export const disclosureRows = [
  {
    name: 'disclosure, SD2011, five targets',
    repeats: 9,
    async prepare() {
      const paths = referenceFiles('golden/sd2011', 'original.csv', 'synthetic-cont-na.csv')
      const [original, released] = await Promise.all(paths.map(readFile))
      const keys = ['sex', 'age', 'region', 'placesize']
      const target = ['depress', 'income', 'ls', 'marital', 'workab']
      const { release } = openCase({ keys, target }, { original, released })
      return {
        // A copy, because what was counted is kept by the release.
        run: async () => computed(await disclosure({ ...release }, { targetGroups: 'none' })),
        peer: { name: 'synthpop multi.disclosure', package: 'synthpop', job: ['disclosure', ...paths] },
      }
    },
  },
  {
    name: `read CSV, ${SIZE} and a target`,
    repeats: 3,
    prepare() {
      const bytes = readFileSync(saveCsv(survey('original', 1), 'survey.csv'))
      return { run: async () => void (await readTable('survey', bytes)) }
    },
  },
  {
    name: `frequency counts, ${SIZE}`,
    repeats: 3,
    prepare: onOriginal(
      (release) => frequencies(release, 'original', KEYS, { missing: 'category', alpha: 1, definition: 'standard' }),
      { name: 'sdcMicro freqCalc', job: 'frequency' },
    ),
  },
  {
    name: `suda, ${SIZE}`,
    repeats: 3,
    prepare: onOriginal(async (release) => computed(await suda(release)), { name: 'sdcMicro suda2', job: 'suda' }),
  },
  {
    name: `k-anonymity, ${SIZE}`,
    repeats: 3,
    prepare: onOriginal(async (release) => computed(await kAnonymity(release))),
  },
  {
    name: `attribution, ${SIZE}`,
    repeats: 3,
    prepare() {
      const release = compared()
      const tasks = twoThreads()
      return { run: async () => computed(await attribution.run({ ...release }, {}, { tasks })) }
    },
  },
  {
    name: `disclosure, ${SIZE}`,
    repeats: 3,
    prepare() {
      const release = compared()
      return { run: async () => computed(await disclosure({ ...release })) }
    },
  },
]
