// Does record linkage find fewer people the more a release is protected? 200 people, two draws, masked by noise, rank
// swapping, microaggregation and PRAM at four strengths each, linked by every method and matching: the share of right links
// must fall from strength to strength (up to two standard errors), and from the first to the last by more than that. A logistic
// propensity knows the means of keys only, which rank swapping and microaggregation keep exactly, and one by a forest tells files of
// numbers apart by heart: there they must be at chance throughout, as methods/predictive.ts says.
// node scripts/validation/linkage.mjs; part of `npm run validate`.
import {
  anonymise,
  categorical,
  drawNormal,
  findAnonymiser,
  numeric,
  openCase,
  recordLinkage,
  stream,
  table,
} from '@scrim/core'
import { allThreads, threads } from '../../packages/cli/dist/threads.js'

const PEOPLE = 200
const SEEDS = [1, 2]
const tasks = threads(allThreads())
let failed = false

function people(seed) {
  const random = stream(seed, 'people')
  const draw = (levels) => Array.from({ length: PEOPLE }, () => levels[random.below(levels.length)])
  const common = Array.from({ length: PEOPLE }, () => drawNormal(random))
  const number = (mean, sd, share) =>
    common.map((c) => mean + sd * (share * c + Math.sqrt(1 - share ** 2) * drawNormal(random)))
  return table('people', [
    numeric('age', number(45, 15, 0.3)),
    numeric('income', number(40000, 15000, 0.7)),
    numeric('rent', number(900, 300, 0.7)),
    categorical('sex', draw(['f', 'm'])),
    categorical('region', draw(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])),
    categorical('job', draw(['j1', 'j2', 'j3', 'j4', 'j5', 'j6'])),
    categorical('eyes', draw(['blue', 'brown', 'green', 'grey'])),
  ])
}

const NUMBERS = ['age', 'income', 'rent']
const CATEGORIES = ['sex', 'region', 'job', 'eyes']
const MASKS = [
  { id: 'noise', steps: [1, 10, 50, 300].map((noise) => ({ noise })), roles: { keys: [], numericKeys: NUMBERS } },
  { id: 'rank-swapping', steps: [1, 5, 20, 60].map((p) => ({ p })), roles: { keys: [], numericKeys: NUMBERS } },
  { id: 'microaggregation', steps: [2, 5, 20, 100].map((k) => ({ k })), roles: { keys: [], numericKeys: NUMBERS } },
  {
    id: 'pram',
    steps: [0.98, 0.8, 0.5, 0.1].map((pd) => ({ pd, fixedDiagonal: true, alpha: 1, matrix: 'plain' })),
    roles: { keys: CATEGORIES, numericKeys: [] },
  },
]
const SEES_NOTHING = {
  predictive: { logit: ['rank-swapping', 'microaggregation'], forest: ['noise', 'rank-swapping', 'microaggregation'] },
}
const ATTACKS = [
  { method: 'deterministic' },
  { method: 'deterministic', matching: 'one-to-one' },
  { method: 'deterministic', matching: 'transport' },
  { method: 'ranks' },
  { method: 'probabilistic', rule: 'best' },
  { method: 'probabilistic' },
  { method: 'mahalanobis' },
  { method: 'predictive' },
  { method: 'predictive', model: 'forest', trees: 100 },
  { method: 'forest', trees: 100 },
  { method: 'embedding', epochs: 20 },
  { method: 'pram' },
]

for (const { id, steps, roles } of MASKS) {
  const anonymiser = findAnonymiser(id)
  for (const attack of ATTACKS) {
    if (attack.method === 'pram' && id !== 'pram') continue
    // The keys that PRAM randomises have no numbers.
    if (attack.method === 'mahalanobis' && id === 'pram') continue
    const values = []
    for (const step of steps) {
      let sum = 0
      for (const seed of SEEDS) {
        const original = people(seed)
        const { table: released, description } = anonymise(anonymiser, original, {
          seed: seed + 100,
          roles,
          options: step,
        })
        const files = { original, released: { ...released, name: id } }
        const given = openCase({ ...roles, type: 'perturbed' }, files).release
        const options = attack.method === 'pram' ? { ...attack, transitions: transitionsOf(description) } : attack
        const { value, reason } = await recordLinkage(given, options, { tasks })
        if (value === null) throw new Error(reason?.text)
        sum += value / SEEDS.length
      }
      values.push(sum)
    }
    const spare = (share) => 2 * Math.sqrt(Math.max(share, 1 / PEOPLE) / (PEOPLE * SEEDS.length))
    const falls = values.every((value, k) => k === 0 || value <= values[k - 1] + spare(values[k - 1]))
    const chance = 1 / PEOPLE
    const kept = SEES_NOTHING[attack.method]?.[attack.model ?? 'logit'].includes(id)
      ? values.every((value) => Math.abs(value - chance) <= spare(chance))
      : falls && values[0] > values[values.length - 1] + spare(values[values.length - 1])
    if (!kept) failed = true
    const name = [attack.method, attack.model, attack.matching, attack.rule].filter(Boolean).join(', ')
    console.log(
      `${kept ? 'kept  ' : 'BROKEN'} ${id.padEnd(14)} ${name.padEnd(30)} ${values.map((value) => `${(100 * value).toFixed(1)} %`.padStart(8)).join('')}`,
    )
  }
}

function transitionsOf(description) {
  return Object.fromEntries(
    description.variables.map(({ variable, strata: [{ levels, matrix }] }) => [variable, { levels, matrix }]),
  )
}

await tasks.close()
process.exit(failed ? 1 : 0)
