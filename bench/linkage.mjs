// Record linkage at the sizes that files have: all pairs by distance, an assignment, and Fellegi-Sunter with EM in blocks.
import { categorical, numeric, openCase, recordLinkage, stream, table } from '@scrim/core'
import { count, sized, twoThreads } from './harness.mjs'

const NEAR = 0.1
const RUNS = [
  { what: 'linkage by distance', rows: 50_000, options: { method: 'deterministic', sample: null } },
  { what: 'linkage one to one', rows: 5000, options: { method: 'deterministic', matching: 'one-to-one' } },
  {
    what: 'linkage with EM, 400 blocks',
    rows: 100_000,
    options: { method: 'probabilistic', sample: null, blocking: ['place'] },
  },
  { what: 'linkage by transport', rows: 1000, options: { method: 'deterministic', matching: 'transport' } },
]

/** Two numbers with noise, and three categories of which some change. */
function pair(rows) {
  const random = stream(1, 'linkage bench')
  const draw = (levels) => Array.from({ length: rows }, () => random.below(levels))
  const changed = (codes, levels) => codes.map((code) => (random.uniform() < NEAR ? random.below(levels) : code))
  const numbers = [draw(100_000), draw(80)]
  const codes = [draw(2), draw(12), draw(400)]
  const levels = [2, 12, 400]
  const names = ['sex', 'job', 'place']
  const labels = (of) => of.map((code) => `l${code}`)
  const made = (name, ofNumbers, ofCodes) =>
    table(name, [
      numeric('income', ofNumbers[0]),
      numeric('age', ofNumbers[1]),
      ...ofCodes.map((one, k) => categorical(names[k], labels(one))),
    ])
  const original = made('original', numbers, codes)
  const noisy = [
    numbers[0].map((x) => x + Math.round(2000 * (random.uniform() - 0.5))),
    numbers[1].map((x) => x + random.below(3) - 1),
  ]
  const released = made('released', noisy, [...codes.slice(0, 2).map((one, k) => changed(one, levels[k])), codes[2]])
  const said = { keys: names, numericKeys: ['income', 'age'], type: 'perturbed' }
  return openCase(said, { original, released }).release
}

export const linkageRows = RUNS.map(({ what, rows, options }) => ({
  name: `${what}, ${count(sized(rows))} each`,
  prepare() {
    const files = pair(sized(rows))
    const tasks = twoThreads()
    return {
      async run() {
        const { value, reason } = await recordLinkage(files, options, { tasks })
        if (value === null) throw new Error(reason?.text)
        return [`${(100 * value).toFixed(1)} % found`]
      },
    }
  },
}))
