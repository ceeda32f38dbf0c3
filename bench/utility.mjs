// Utility: all its measures on a large file of mixed columns, and trees on permuted labels beside synthpop.
import { assess, categorical, measures, numeric, pmse, release, stream, table } from '@scrim/core'
import { allThreads, threads } from '../packages/cli/dist/threads.js'
import { note, peer, quick, readFile, referenceFile, report, time } from './harness.mjs'

const ROWS = quick ? 10_000 : 100_000
const CATEGORIES = [2, 3, 4, 5, 6, 8, 12, 16]
const PERMUTATIONS = 50

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

export async function benchUtility() {
  const paths = ['original.csv', 'synthetic-1.csv'].map((file) => referenceFile('golden/sd2011', file))
  if (paths.includes(undefined)) note('SD2011 is not here (SCRIM_REFERENCE): trees are not compared')
  else {
    const [original, released] = await Promise.all(paths.map(readFile))
    const tasks = threads(allThreads())
    const options = { model: 'cart', permutations: PERMUTATIONS, resamples: 0 }
    const seconds = await time(() => pmse(release({ original, released }), options, { tasks }), 3)
    await tasks.close()
    report(`pMSE by trees, SD2011, ${PERMUTATIONS} permutations`, seconds, {
      package: 'synthpop',
      name: 'synthpop utility.gen',
      seconds: () => peer('utility', ...paths)[0],
    })
  }
  const built = release({ original: mixed('original', 1), released: mixed('released', 2), target: ['c2'] })
  const tasks = threads(allThreads())
  const each = []
  const started = performance.now()
  let last = started
  for await (const { measure, status } of assess(built, {
    side: 'utility',
    profile: 'full',
    tasks,
    registry: measures,
  })) {
    each.push({ measure, status, seconds: (performance.now() - last) / 1000 })
    last = performance.now()
  }
  await tasks.close()
  report(`all ${each.length} measures of utility, ${ROWS.toLocaleString('en-US')} x 15`, (last - started) / 1000)
  const slowest = each.sort((a, b) => b.seconds - a.seconds).slice(0, 5)
  note(`slowest: ${slowest.map(({ measure, seconds }) => `${measure} ${seconds.toFixed(1)} s`).join(', ')}`)
  note(`memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most`)
}
