// Record linkage beside riskutility 0.2.0 and sdcMicro 5.8.2 as black boxes, on 250 people with three numbers, two categories and a few
// missing values, masked by noise and PRAM: node scripts/peers/linkage.mjs (R_LIBS says where the peers are installed).
// Equal means equal to 1e-9. What is meant to differ stands below with its reason, and is shown, not held.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  anonymise,
  categorical,
  drawNormal,
  findAnonymiser,
  numeric,
  openCase,
  recordLinkage,
  selectRows,
  stream,
  table,
  toCsv,
} from '@scrim/core'
import { beside, hold, inScratchFolder, leaveOut, peerFigures } from './peer.mjs'

const PEOPLE = 250
const NUMBERS = ['age', 'income', 'hours']
const OTHERS = ['region', 'job']

const { original, released, transitions } = files()
const theirs = await inScratchFolder(peers)
if (theirs.size === 0) leaveOut('R with riskutility and sdcMicro is not here')

const opened = (roles, rows = null) => {
  const chosen = (table) => (rows === null ? table : selectRows(table, rows))
  const tables = { original: chosen(original), released: chosen(released) }
  return openCase({ ...roles, type: 'perturbed' }, tables).release
}
const whole = opened({ keys: OTHERS, numericKeys: NUMBERS })
const numbersOnly = opened({ numericKeys: NUMBERS })
const othersOnly = opened({ keys: OTHERS })
const complete = Int32Array.from({ length: PEOPLE }, (_, row) => row).filter((row) => isComplete(row))
const completeOnly = opened({ keys: OTHERS, numericKeys: NUMBERS }, complete)
const numbersOfComplete = opened({ numericKeys: NUMBERS }, complete)
const theirWay = { method: 'deterministic', definition: 'riskutility' }
const topk = { strategy: 'topk', k: 5 }
const each = (value) => Object.fromEntries([...NUMBERS, ...OTHERS].map((name) => [name, value]))
const weights = Object.fromEntries([...NUMBERS, ...OTHERS].map((name, k) => [name, k + 1]))

const ours = new Map()
async function add(name, release, options) {
  const { value, reason, releases } = await recordLinkage(release, options)
  if (value === null) throw new Error(`${name}: ${reason?.text}`)
  ours.set(name, value)
  return releases[0].details
}
await add('deterministic', whole, theirWay)
await add('deterministic reverse', whole, { ...theirWay, direction: 'reverse' })
await add('deterministic weights', whole, { ...theirWay, weights })
await add('deterministic block', whole, { ...theirWay, blocking: ['region'] })
await add('deterministic topk softmax', whole, { ...theirWay, ...topk, weighting: 'softmax' })
await add('deterministic topk kernel', whole, { ...theirWay, ...topk, weighting: 'kernel', bandwidth: 0.05 })
await add('deterministic threshold', whole, { ...theirWay, strategy: 'threshold', threshold: 0.05 })
for (const missing of ['match', 'mismatch'])
  await add(`deterministic missing ${missing}`, whole, { ...theirWay, missing })
await add('deterministic one to one', whole, { ...theirWay, matching: 'one-to-one' })
ours.set('one to one, sdcMicro', ours.get('deterministic one to one'))
await add('deterministic transport', whole, { ...theirWay, matching: 'transport' })
ours.set('deterministic transport, 5000 iterations', ours.get('deterministic transport'))
await add('probabilistic', whole, {
  ...theirWay,
  method: 'probabilistic',
  parameters: 'given',
  m: each(0.9),
  u: each(0.3),
  rule: 'threshold',
})
await add('ranks', whole, { ...theirWay, method: 'ranks' })
await add('ranks of complete records', completeOnly, { ...theirWay, method: 'ranks' })
ours.set('ranks of complete records, in whole numbers', ours.get('ranks of complete records'))
await add('mahalanobis with missing numbers', numbersOnly, { ...theirWay, method: 'mahalanobis', robust: false })
for (const [name, release, robust] of [
  ['mahalanobis', numbersOfComplete, false],
  ['mahalanobis mixed', completeOnly, false],
  ['mahalanobis robust', numbersOfComplete, true],
]) {
  const options = { ...theirWay, method: 'mahalanobis', robust }
  const { releases, value } = await recordLinkage(release, options, { records: true })
  const { costOfOwn } = releases[0].records
  ours.set(name, value)
  ours.set(`${name} distances`, costOfOwn.reduce((sum, cost) => sum + cost, 0) / costOfOwn.length)
}
const { about } = await add('pram', othersOnly, { ...theirWay, method: 'pram', transitions })
ours.set('pram expected', about.expectedRisk)
await add('predictive', completeOnly, { ...theirWay, method: 'predictive' })
await add('predictive kernel', completeOnly, { ...theirWay, method: 'predictive', ...topk, weighting: 'kernel' })
await add('drisk, sdcMicro', numbersOfComplete, { method: 'deterministic' })

/** Sums of our plans are right to 1e-6. */
const TOLERANCES = { 'deterministic transport, 5000 iterations': 1e-6 }
const DIFFERENT = {
  'deterministic transport': '100 iterations are not enough there: their rows do not sum to 1',
  'one to one, sdcMicro': 'the same there, as its help says',
  'mahalanobis with missing numbers':
    'the distance in the numbers that are known, with their own quantile; undocumented there',
  'mahalanobis robust': 'no seed there: other figures in every run',
  'mahalanobis robust distances': 'a factor for small samples there, and no seed',
  'ranks of complete records': 'equal distances differ there by rounding; in whole numbers, below, they tie',
  'drisk, sdcMicro': 'asks whether the own record is within 5 % of a standard deviation, not whether others are nearer',
  'deterministic one to one':
    'ties between optimal assignments are broken there by the order of rows, which is the truth',
}
hold(beside(theirs, ours), { tolerance: 1e-9, floor: 1, tolerances: TOLERANCES, reasons: DIFFERENT })

function files() {
  const random = stream(14, 'people')
  const common = Array.from({ length: PEOPLE }, () => drawNormal(random))
  const number = (mean, sd) => common.map((c) => Math.round(mean + sd * (0.5 * c + 0.8 * drawNormal(random))))
  const draw = (levels) => Array.from({ length: PEOPLE }, () => levels[random.below(levels.length)])
  const people = table('original', [
    numeric('age', number(45, 12)),
    numeric('income', number(3000, 800)),
    numeric('hours', number(35, 8)),
    categorical('region', draw(['a', 'b', 'c', 'd'])),
    categorical('job', draw(['u', 'v', 'w'])),
  ])
  const noisy = anonymise(findAnonymiser('noise'), people, {
    seed: 1,
    roles: { keys: [], numericKeys: NUMBERS },
    options: { noise: 25 },
  }).table
  const pram = { variables: OTHERS, pd: 0.8, fixedDiagonal: true, alpha: 1, matrix: 'plain' }
  const { table: changed, description } = anonymise(findAnonymiser('pram'), noisy, { seed: 2, options: pram })
  const holes = changed.columns.map((column) => {
    if (column.kind === 'numeric')
      return numeric(
        column.name,
        Array.from(column.values, (value) =>
          column.name === 'age' && random.uniform() < 0.04 ? null : Math.round(value),
        ),
      )
    return column
  })
  const matrices = description.variables.map(({ variable, strata: [{ levels, matrix }] }) => [
    variable,
    { levels, matrix },
  ])
  return { original: people, released: table('released', holes), transitions: Object.fromEntries(matrices) }
}

function isComplete(row) {
  return [original, released].every((table) =>
    table.columns.every((column) => column.kind !== 'numeric' || !Number.isNaN(column.values[row])),
  )
}

function peers(folder) {
  const [x, a, pram] = ['original.csv', 'released.csv', 'pram.csv'].map((name) => join(folder, name))
  writeFileSync(x, toCsv(original))
  writeFileSync(a, toCsv(released))
  const cells = Object.entries(transitions).flatMap(([key, { levels, matrix }]) =>
    levels.flatMap((from, i) => levels.map((to, j) => `${key},${from},${to},${matrix[i][j]}`)),
  )
  writeFileSync(pram, ['key,from,to,probability', ...cells, ''].join('\n'))
  return peerFigures('linkage.R', x, a, pram)
}
