// Forest, CART and RAPID beside ranger and rpart, two threads each.
import { columnOf, findLearner, inline, numeric, openCase, rapid, stream, table } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { computed, count, quick, readFile, referenceFiles, saveCsv, sized, THREADS, twoThreads } from './harness.mjs'

const TREES = sized(500)
const PEOPLE = quick ? 20_000 : 100_000
const VICTIMS = sized(30_000)

function fitContext(tasks) {
  return { random: (purpose, index) => stream(1, purpose, index), seed: 1, purpose: 'bench', tasks, weights: null }
}

/** The other columns, and one of them as the response. */
function learning(data, name) {
  const column = columnOf(data, name)
  const features = table(
    data.name,
    data.columns.filter((other) => other !== column),
  )
  const response =
    column.kind === 'categorical'
      ? { kind: 'classes', codes: column.codes, levels: column.levels }
      : { kind: 'numbers', values: column.values }
  return { features, response }
}

/** One tree to the last leaf, as synthesis grows them, beside rpart's with the same rules. */
function cart(label, name) {
  return {
    name: label,
    repeats: 5,
    warm: 1,
    prepare() {
      const file = health()
      const { features, response } = learning(file, name)
      const learner = findLearner('cart')
      const options = learner.options.parse({ minsplit: 15, minbucket: 5, cp: 1e-8 })
      return {
        run: async () => (await learner.fit(features, response, options, fitContext(inline))).notes,
        peer: {
          name: 'rpart',
          package: 'rpart',
          job: ['cart', saveCsv(file, 'people.csv'), name],
          note: ([leaves]) => `rpart's ${leaves} leaves`,
        },
      }
    },
  }
}

/** Ordered levels as numbers, which rpart, too, cuts in their order. */
function health() {
  const people = simulateHealth({ n: PEOPLE, kappa: 10, seed: 1 })
  return table(
    'people',
    people.columns.map((column) => (column.ordered ? numeric(column.name, Float64Array.from(column.codes)) : column)),
  )
}

function wideHealth(seed) {
  const people = simulateHealth({ n: VICTIMS, kappa: 10, seed })
  const more = simulateHealth({ n: VICTIMS, kappa: 10, seed: seed + 100 }).columns.slice(0, 5)
  return table(`people ${seed}`, [
    ...people.columns,
    ...more.map((column) => ({ ...column, name: `other_${column.name}` })),
  ])
}

export const learnerRows = [
  {
    name: `forest, Adult, ${TREES} trees`,
    repeats: 3,
    async prepare() {
      const [path] = referenceFiles('data/adult', 'adults_syn_ctgan.csv')
      const { features, response } = learning(await readFile(path), 'income')
      const learner = findLearner('rf')
      const options = learner.options.parse({ trees: TREES })
      const tasks = twoThreads()
      return {
        async run() {
          const { outOfBag } = await learner.fit(features, response, options, fitContext(tasks))
          return [`out-of-bag Brier score ${outOfBag.brier.toFixed(5)}`]
        },
        peer: {
          name: 'ranger',
          package: 'ranger',
          job: ['forest', path, TREES, THREADS],
          note: ([brier]) => `ranger's ${brier.toFixed(5)}`,
        },
      }
    },
  },
  cart(`CART, three classes, ${count(PEOPLE)} x 5`, 'disease_status'),
  cart(`CART, two classes, ${count(PEOPLE)} x 5`, 'gender'),
  cart(`CART, a number, ${count(PEOPLE)} x 5`, 'income'),
  {
    name: `RAPID, ${count(VICTIMS)} x 10 keys, forest`,
    prepare() {
      const [original, released] = [wideHealth(1), wideHealth(2)]
      const keys = original.columns.map((column) => column.name).filter((name) => name !== 'disease_status')
      const { release } = openCase({ keys, target: 'disease_status', type: 'synthetic' }, { original, released })
      const tasks = twoThreads()
      return { run: async () => computed(await rapid(release, {}, { tasks })) }
    },
  },
]
