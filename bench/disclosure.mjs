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
import { note, peer, quick, readFile, referenceFile, report, saveCsv, time } from './harness.mjs'

const ROWS = quick ? 100_000 : 1_000_000
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

async function onSurveyOfPoland() {
  const paths = ['original.csv', 'synthetic-cont-na.csv'].map((file) => referenceFile('golden/sd2011', file))
  if (paths.includes(undefined)) return note('SD2011 is not here (SCRIM_REFERENCE): disclosure not compared')
  const [original, released] = await Promise.all(paths.map(readFile))
  const keys = ['sex', 'age', 'region', 'placesize']
  const target = ['depress', 'income', 'ls', 'marital', 'workab']
  const { release } = openCase({ keys, target }, { original, released })
  // A copy, because what was counted is kept by the release.
  const seconds = await time(() => disclosure({ ...release }, { targetGroups: 'none' }), 9)
  report('disclosure, SD2011, five targets', seconds, {
    package: 'synthpop',
    name: 'synthpop multi.disclosure',
    seconds: () => peer('disclosure', ...paths)[0],
  })
}

export async function benchDisclosure() {
  await onSurveyOfPoland()
  const original = survey('original', 1)
  const released = survey('released', 2)
  const size = `${ROWS.toLocaleString('en-US')} x 6`
  const file = saveCsv(original, 'survey.csv')
  const bytes = readFileSync(file)
  report(`read ${(bytes.length / 1e6).toFixed(0)} MB of CSV`, await time(() => readTable('survey', bytes), 1))

  /** The file alone: what it is compared with has one row and costs nothing. */
  const alone = () => {
    const oneRow = original.columns.map((column) => ({ ...column, codes: column.codes.slice(0, 1) }))
    return openCase({ keys: KEYS, type: 'synthetic' }, { original, released: table('one', oneRow) }).release
  }
  const compared = openCase({ keys: KEYS, target: 'target', type: 'synthetic' }, { original, released }).release
  const both = () => ({ ...compared })
  const counting = { missing: 'category', alpha: 1, definition: 'standard' }
  const sdcMicro = (name, job) => ({ package: 'sdcMicro', name: `sdcMicro ${name}`, seconds: () => peer(job, file)[0] })

  const counts = await time(() => frequencies(alone(), 'original', KEYS, counting))
  report(`frequency counts, ${size}`, counts, sdcMicro('freqCalc', 'frequency'))
  report(`suda, ${size}`, await time(() => suda(alone())), sdcMicro('suda2', 'suda'))
  report(`k-anonymity, ${size}, each key left out in turn as well`, await time(() => kAnonymity(alone())))
  report(`attribution, ${size}, against a release of that size`, await time(() => attribution(both())))
  report(`disclosure, ${size}, against a release of that size`, await time(() => disclosure(both())))
}
