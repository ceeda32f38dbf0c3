// Exact nearest neighbours of mixed records: beside riskutility's dcr, on large files, and the SIMD kernel beside its twin.
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
import { computed, count, readFile, referenceFiles, saveCsv, sized, twoThreads } from './harness.mjs'

const SMALL = 10_000
const LARGE = sized(100_000)
const LARGEST = sized(1_000_000)
/** People outside, where the time of the search among the original is meant. */
const FEW = 1000

/** Five nominal columns with 2 to 6 levels, uneven, and five numbers. */
function mixed(name, rows, seed) {
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

/** DCR of a release as large as the original, and a holdout. */
function distances(rows, holdoutRows, peer) {
  return () => {
    const [original, released] = [mixed('train', rows, 1), mixed('synthetic', rows, 2)]
    const holdout = mixed('holdout', holdoutRows, 3)
    const { release } = openCase({}, { original, released, holdout })
    const tasks = twoThreads()
    const files = () => [original, released, holdout].map((file) => saveCsv(file, `${file.name}.csv`))
    return {
      run: async () => computed(await dcr.run({ ...release }, {}, { tasks })),
      peer: peer && { ...peer, job: ['dcr', ...files()] },
    }
  }
}

const [KERNEL_RECORDS, KERNEL_QUERIES, NOMINAL, METRIC] = [20_000, 1000, 5, 5]

/** Queries over all blocks of records, by either kernel. */
function kernel(make) {
  const width = NOMINAL + METRIC
  const random = stream(1, 'kernel')
  const values = Float32Array.from({ length: KERNEL_RECORDS * width }, (_, k) =>
    k < KERNEL_RECORDS * NOMINAL ? random.below(2) : random.uniform(),
  )
  const blocked = blockRows({
    rows: KERNEL_RECORDS,
    nominal: NOMINAL,
    metric: METRIC,
    squared: false,
    weights: new Float32Array(width).fill(1),
    values,
  })
  const scan = make(blocked)
  return {
    async run() {
      let near = 0
      for (let query = 0; query < KERNEL_QUERIES; query++) {
        for (let j = 0; j < width; j++) {
          scan.query[j] = values[j * KERNEL_RECORDS + query]
          if (j < NOMINAL) scan.queryMasks[j] = codeMask(scan.query[j])
        }
        scan.bound()
        for (let block = scan.next(0, 2); block < blocked.blocks; block = scan.next(block + 1, 2))
          near += scan.scan(block, 2)
      }
      return [`${count(near)} near pairs`]
    },
  }
}

/** An attack of Article 29 on Adult. */
function attack(measure, options) {
  return async () => {
    const names = ['adults_train.csv', 'adults_syn_ctgan.csv', 'adults_control.csv']
    const files = referenceFiles('data/adult', ...names)
    const [original, released, holdout] = await Promise.all(files.map(readFile))
    const { release } = openCase({ target: 'marital' }, { original, released, holdout })
    const tasks = twoThreads()
    return { run: async () => computed(await measure.run({ ...release }, options, { tasks })) }
  }
}

export const neighborRows = [
  {
    name: `DCR, 10 columns, ${count(SMALL)} + holdout`,
    repeats: 3,
    warm: 1,
    prepare: distances(SMALL, SMALL, { name: 'riskutility dcr', package: 'riskutility' }),
  },
  {
    name: `nearest record, 10 columns, ${count(LARGE)} each`,
    prepare() {
      const [released, original] = [mixed('queries', LARGE, 1), mixed('records', LARGE, 2)]
      const { release } = openCase({}, { original, released })
      const tasks = twoThreads()
      return { run: async () => computed(await hittingRate.run(release, {}, { tasks })) }
    },
  },
  { name: `DCR, 10 columns, ${count(LARGEST)} each`, prepare: distances(LARGEST, FEW) },
  { name: 'kernel, 1,000 x 20,000, SIMD', repeats: 3, warm: 1, prepare: () => kernel(simdBlockScan) },
  { name: 'kernel, 1,000 x 20,000, scalar twin', repeats: 3, warm: 1, prepare: () => kernel(scalarBlockScan) },
  {
    name: 'singling out, Adult, 500 multivariate',
    prepare: attack(singlingOut, { mode: 'multivariate', attacks: 500, nColumns: 4 }),
  },
  { name: 'singling out, Adult, default', prepare: attack(singlingOut, {}) },
  { name: 'linkability, Adult, everybody', prepare: attack(linkability, {}) },
  { name: 'inference, Adult, everybody', prepare: attack(inference, {}) },
]
