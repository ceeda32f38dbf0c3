// Record linkage at the sizes that files have: all pairs by distance, an assignment, and Fellegi-Sunter with EM in blocks.
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { categorical, numeric, openCase, recordLinkage, stream, table } from '@scrim/core'
import { allThreads, threads } from '../packages/cli/dist/threads.js'
import { note, quick } from './harness.mjs'

const NEAR = 0.1
const RUNS = {
  'deterministic, 50,000 x 50,000, 5 keys': { rows: 50_000, options: { method: 'deterministic', sample: null } },
  'deterministic one to one, 5,000 x 5,000': {
    rows: 5000,
    options: { method: 'deterministic', matching: 'one-to-one' },
  },
  'probabilistic with EM, 100,000 x 100,000 in 400 blocks': {
    rows: 100_000,
    options: { method: 'probabilistic', sample: null, blocking: ['place'] },
  },
  'transport, 1,000 x 1,000': { rows: 1000, options: { method: 'deterministic', matching: 'transport' } },
}

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

/** Each in a process of its own, so that its memory is that of the linkage alone. */
export function benchLinkage() {
  for (const name of Object.keys(RUNS)) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), name, quick ? 'quick' : ''],
      {
        encoding: 'utf8',
      },
    )
    note(status === 0 ? stdout.trim() : `record linkage, ${name}: failed\n${stderr}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, small] = process.argv
  const { rows, options } = RUNS[name]
  const given = pair(small === 'quick' ? rows / 10 : rows)
  const tasks = threads(allThreads())
  const start = performance.now()
  const { value, reason } = await recordLinkage(given, options, { tasks })
  const seconds = (performance.now() - start) / 1000
  await tasks.close()
  if (value === null) throw new Error(reason?.text)
  const megabytes = process.resourceUsage().maxRSS / 1024
  console.log(
    `record linkage, ${name}: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, ${(100 * value).toFixed(1)} % found`,
  )
}
