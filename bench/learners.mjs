// Forest, CART and RAPID beside ranger and rpart, two threads each.
import { columnOf, findLearner, openCase, rapid, stream, table } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { threads } from '../packages/cli/dist/threads.js'
import { note, peer, quick, readFile, referenceFile, report, saveCsv, time } from './harness.mjs'

const THREADS = 2
const TREES = quick ? 50 : 500

function fitContext(tasks) {
  return { random: (purpose, index) => stream(1, purpose, index), seed: 1, purpose: 'bench', tasks, weights: null }
}

async function forestOnAdult(tasks) {
  const path = referenceFile('data/adult/adults_syn_ctgan.csv')
  if (path === undefined) return note('Adult is not here (SCRIM_REFERENCE): the forest is not compared')
  const adult = await readFile(path)
  const income = columnOf(adult, 'income')
  const features = table(
    'adult',
    adult.columns.filter((column) => column.name !== 'income'),
  )
  const response = { kind: 'classes', codes: income.codes, levels: income.levels }
  const learner = findLearner('rf')
  let model
  const fit = async () => {
    model = await learner.fit(features, response, learner.options.parse({ trees: TREES }), fitContext(tasks))
  }
  const seconds = await time(fit)
  let theirs
  report(`forest, Adult ${adult.rows.toLocaleString('en-US')} x ${features.columns.length}, ${TREES} trees`, seconds, {
    package: 'ranger',
    name: 'ranger',
    seconds: () => {
      theirs = peer('forest', path, String(TREES), String(THREADS))
      return theirs[0]
    },
  })
  note(
    `out-of-bag Brier score ${model.outOfBag.brier.toFixed(5)}${theirs === undefined ? '' : `, ranger ${theirs[1].toFixed(5)}`}`,
  )
}

async function treesOnHealth(tasks) {
  const people = simulateHealth({ n: quick ? 20_000 : 100_000, kappa: 10, seed: 1 })
  const disease = columnOf(people, 'disease_status')
  const features = table(
    'people',
    people.columns.filter((column) => column !== disease),
  )
  const learner = findLearner('cart')
  const options = learner.options.parse({ minsplit: 15, minbucket: 5, cp: 1e-8 })
  const response = { kind: 'classes', codes: disease.codes, levels: disease.levels }
  const seconds = await time(() => learner.fit(features, response, options, fitContext(tasks)))
  report(`CART, health ${people.rows.toLocaleString('en-US')} x 5, minbucket 5, cp 1e-8`, seconds, {
    package: 'rpart',
    name: 'rpart',
    seconds: () => peer('cart', saveCsv(people, 'people.csv'))[0],
  })
}

async function rapidOnHealth(tasks) {
  const n = quick ? 3_000 : 30_000
  const wide = (seed) => {
    const people = simulateHealth({ n, kappa: 10, seed })
    const more = simulateHealth({ n, kappa: 10, seed: seed + 100 }).columns.slice(0, 5)
    return table(`people ${seed}`, [
      ...people.columns,
      ...more.map((column) => ({ ...column, name: `other_${column.name}` })),
    ])
  }
  const [original, released] = [wide(1), wide(2)]
  const keys = original.columns.map((column) => column.name).filter((name) => name !== 'disease_status')
  const said = { keys, target: 'disease_status', type: 'synthetic' }
  const of = openCase(said, { original, released }).release
  const total = await time(() => rapid(of, {}, { tasks }), 1)
  // The attack is kept by the release, so that further runs cost what follows the fit.
  const after = await time(() => rapid(of, {}, { tasks }))
  const without = await time(() => rapid(of, { bootstrap: 0 }, { tasks }))
  report(`RAPID, ${n.toLocaleString('en-US')} x ${keys.length} keys, forest, 500 bootstrap replicates`, total)
  const megabytes = (process.memoryUsage().rss / 1e6).toFixed(0)
  note(
    `after the fit ${after.toFixed(2)} s, of which the bootstrap ${Math.max(0, after - without).toFixed(3)} s; memory ${megabytes} MB`,
  )
}

export async function benchLearners() {
  const tasks = threads(THREADS)
  try {
    await forestOnAdult(tasks)
    await treesOnHealth(tasks)
    await rapidOnHealth(tasks)
  } finally {
    await tasks.close()
  }
}
