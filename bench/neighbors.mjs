// Exact nearest neighbours of mixed records: against riskutility's dcr, on large files, and the SIMD kernel against its twin.
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import {
  categorical,
  dcr,
  hittingRate,
  inference,
  linkability,
  numeric,
  openCase,
  singlingOut,
  stream,
  table,
} from '@scrim/core'
import { blockRows, codeMask, scalarBlockScan, simdBlockScan } from '@scrim/kernels'
import { allThreads, threads } from '../packages/cli/dist/threads.js'
import { note, peer, quick, readFile, referenceFile, report, saveCsv, time } from './harness.mjs'

const LARGE = quick ? 10_000 : 100_000

/** Five nominal columns with 2 to 6 levels, uneven, and five numbers. */
function people(name, rows, seed) {
  const random = stream(seed, name)
  const levels = Array.from('abcdef')
  const columns = Array.from({ length: 10 }, (_, j) =>
    j < 5
      ? categorical(
          `c${j}`,
          Array.from({ length: rows }, () => levels[Math.floor(random.uniform() ** 2 * (2 + j))]),
          { levels },
        )
      : numeric(
          `x${j}`,
          Array.from({ length: rows }, () => Math.round(1e6 * random.uniform()) / 1e6),
        ),
  )
  return table(name, columns)
}

export async function benchNeighbors() {
  const runner = threads(allThreads())
  const trio = (rows) => ['train', 'synthetic', 'holdout'].map((name, k) => people(name, rows, k + 1))
  const [train, synthetic, holdout] = trio(10_000)
  const files = [train, synthetic, holdout].map((one) => saveCsv(one, `${one.name}.csv`))
  const { release } = openCase({}, { original: train, released: synthetic, holdout })
  const run = () => dcr.run({ ...release }, {}, { tasks: runner })
  report('DCR, 10 mixed columns, 10,000 x (10,000 + 10,000)', await time(run), {
    package: 'riskutility',
    name: 'riskutility',
    seconds: () => peer('dcr', ...files)[0],
  })
  large(LARGE)
  kernel()
  await attacks(runner)
  await runner.close()
}

/** In a process of its own, so that its memory is that of the search alone. */
function large(rows) {
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), String(rows)], {
    encoding: 'utf8',
  })
  const [seconds, megabytes, added] = stdout.trim().split(' ').map(Number)
  if (!(seconds > 0)) throw new Error(stderr)
  const size = rows.toLocaleString('en')
  report(`nearest record (hitting rate), 10 mixed columns, ${size} x ${size}`, seconds)
  note(
    `${megabytes.toFixed(0)} MB in all, ${added.toFixed(0)} MB of it for the search; a table of distances would be ${((8 * rows * rows) / 2 ** 30).toFixed(0)} GB`,
  )
}

function kernel() {
  const rows = 20_000
  const [nominal, metric] = [5, 5]
  const random = stream(1, 'kernel')
  const values = Float32Array.from({ length: rows * 10 }, (_, k) =>
    k < rows * nominal ? random.below(2) : random.uniform(),
  )
  const blocked = blockRows({ rows, nominal, metric, squared: false, weights: new Float32Array(10).fill(1), values })
  const seconds = [scalarBlockScan, simdBlockScan].map((make) => {
    const scan = make(blocked)
    const all = (queries) => {
      let found = 0
      for (let query = 0; query < queries; query++) {
        for (let j = 0; j < 10; j++) {
          scan.query[j] = values[j * rows + query]
          if (j < nominal) scan.queryMasks[j] = codeMask(scan.query[j])
        }
        scan.bound()
        for (let block = scan.next(0, 2); block < blocked.blocks; block = scan.next(block + 1, 2))
          found += scan.scan(block, 2)
      }
      return found
    }
    all(50)
    const start = performance.now()
    all(1000)
    return (performance.now() - start) / 1000
  })
  report('kernel, 1,000 queries over 20,000 records, SIMD', seconds[1])
  note(`its scalar twin ${seconds[0].toFixed(3)} s, ${(seconds[0] / seconds[1]).toFixed(1)} times`)
}

async function attacks(tasks) {
  const paths = ['adults_train.csv', 'adults_syn_ctgan.csv', 'adults_control.csv'].map((name) =>
    referenceFile('data/adult', name),
  )
  if (paths.includes(undefined)) return note('Adult is not here (SCRIM_REFERENCE): Article 29 attacks not timed')
  const [original, released, holdout] = await Promise.all(paths.map(readFile))
  const people = `Adult ${original.rows.toLocaleString('en-US')} + ${holdout.rows.toLocaleString('en-US')} people`
  const { release } = openCase({ target: 'marital' }, { original, released, holdout })
  const run = (measure, options) => () => measure.run({ ...release }, options, { tasks })
  report(
    `singling out, ${people}, 500 multivariate`,
    await time(run(singlingOut, { mode: 'multivariate', attacks: 500, nColumns: 4 }), 1),
  )
  report(`singling out, ${people}, default`, await time(run(singlingOut, {}), 1))
  report(`linkability, ${people}, everybody`, await time(run(linkability, {}), 1))
  report(`inference of one secret, ${people}, everybody`, await time(run(inference, {}), 1))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = Number(process.argv[2])
  const runner = threads(allThreads())
  const tables = [people('queries', rows, 1), people('records', rows, 2)]
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const start = performance.now()
  await hittingRate.run(openCase({}, { original: tables[1], released: tables[0] }).release, {}, { tasks: runner })
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  await runner.close()
  console.log(seconds, most / 2 ** 20, (most - before) / 2 ** 20)
}
