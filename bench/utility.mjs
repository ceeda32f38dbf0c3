// Utility: all its measures on a large file of mixed columns, and trees on permuted labels beside synthpop.
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
import { allThreads, threads } from '../packages/cli/dist/threads.js'
import { hasPeer, note, peer, quick, readFile, referenceFile, report, saveCsv, time } from './harness.mjs'

const ROWS = quick ? 10_000 : 100_000
const CATEGORIES = [2, 3, 4, 5, 6, 8, 12, 16]
const PERMUTATIONS = 50
const TREE_RUNS = 5
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

export async function benchUtility() {
  const paths = ['original.csv', 'synthetic-1.csv'].map((file) => referenceFile('golden/sd2011', file))
  if (paths.includes(undefined)) note('SD2011 is not here (SCRIM_REFERENCE): trees are not compared')
  else {
    const [original, released] = await Promise.all(paths.map(readFile))
    const tasks = threads(allThreads())
    const options = { model: 'cart', permutations: PERMUTATIONS, resamples: 0 }
    const { release } = openCase({}, { original, released })
    const trees = () => pmse({ ...release }, options, { tasks })
    // The first runs start threads and compile.
    await time(trees, 2)
    const before = process.cpuUsage()
    const seconds = await time(trees, TREE_RUNS)
    const spent = process.cpuUsage(before)
    await tasks.close()
    const theirs = hasPeer('synthpop') ? peer('utility', ...paths) : undefined
    report(`pMSE by trees, SD2011, ${PERMUTATIONS} permutations`, seconds, {
      package: 'synthpop',
      name: 'synthpop utility.gen',
      seconds: () => theirs[0],
    })
    // On a busy machine the clock says little.
    const own = (spent.user + spent.system) / 1e6 / TREE_RUNS
    if (theirs !== undefined)
      note(
        `processor time ${own.toFixed(2)} s, ${theirs[1].toFixed(2)} s: ${(theirs[1] / own).toFixed(0)} times on one core, and ${allThreads()} are used`,
      )
    report('all pairs of columns, SD2011', await time(() => tables({ ...release }, { resamples: 0 }), 3), {
      package: 'synthpop',
      name: 'synthpop utility.tables',
      seconds: () => peer('tables', ...paths)[0],
    })
  }
  await benchDistances()
  const files = { original: mixed('original', 1), released: mixed('released', 2) }
  const opened = openCase({ target: 'c2', side: 'utility', profile: 'full' }, files)
  const tasks = threads(allThreads())
  const each = []
  const spentBefore = process.cpuUsage()
  const started = performance.now()
  let last = started
  await assessCase(opened, {
    tasks,
    finish: ({ measure, status }) => {
      each.push({ measure, status, seconds: (performance.now() - last) / 1000 })
      last = performance.now()
    },
  })
  await tasks.close()
  const total = process.cpuUsage(spentBefore)
  report(`all ${each.length} measures of utility, ${ROWS.toLocaleString('en-US')} x 15`, (last - started) / 1000)
  note(`processor time ${((total.user + total.system) / 1e6).toFixed(0)} s on ${allThreads()} cores`)
  const slowest = each.sort((a, b) => b.seconds - a.seconds).slice(0, 5)
  note(`slowest: ${slowest.map(({ measure, seconds }) => `${measure} ${seconds.toFixed(1)} s`).join(', ')}`)
  note(`memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most`)
}

/** Energy distance and MMD over all pairs of records: beside riskutility on few of them, then on many, with the memory. */
async function benchDistances() {
  const tasks = threads(allThreads())
  const [original, released] = [mixed('original', 1), mixed('released', 2)]
  const first = (of, rows) =>
    selectRows(
      of,
      Int32Array.from({ length: rows }, (_, k) => k),
    )
  const exact = (measure, rows, options, runs) => {
    const { release } = openCase({}, { original: first(original, rows), released: first(released, rows) })
    return time(() => measure({ ...release }, { method: 'exact', resamples: 0, ...options }, { tasks }), runs)
  }
  const files = [saveCsv(first(original, SMALL), 'x.csv'), saveCsv(first(released, SMALL), 'y.csv')]
  for (const [measure, job] of [
    [energyDistance, 'energy'],
    [mmd, 'mmd'],
  ]) {
    // Numbers only, as riskutility.
    const seconds = await exact(measure, SMALL, { columns: 'numbers' }, 5)
    report(`${measure.id}, all pairs of 2 x ${SMALL} records`, seconds, {
      package: 'riskutility',
      name: 'riskutility',
      seconds: () => peer(job, ...files)[0],
    })
    const before = process.cpuUsage()
    report(
      `${measure.id}, all pairs of 2 x ${LARGE.toLocaleString('en-US')} records`,
      await exact(measure, LARGE, {}, 1),
    )
    const { user, system } = process.cpuUsage(before)
    note(
      `processor time ${((user + system) / 1e6).toFixed(1)} s; memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB at most so far; a table of its distances would take ${((2 * LARGE) ** 2 * 8e-9).toFixed(1)} GB`,
    )
  }
  await tasks.close()
}
