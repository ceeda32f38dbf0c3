// CART synthesis beside synthpop's syn(), and of a large table on two threads.
import { cartSynthesizer, synthesizeSets, table } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { count, readFile, referenceFiles, sized, twoThreads } from './harness.mjs'

const ROWS = sized(1_000_000)
const COLUMNS = 10

function ofSurvey(sets) {
  return async () => {
    const [path] = referenceFiles('golden/sd2011', 'original.csv')
    const original = await readFile(path)
    return {
      run: async () => void (await synthesizeSets(cartSynthesizer, original, { seed: 1, sets })),
      peer: { name: 'synthpop syn', package: 'synthpop', job: ['synthesis', path, sets] },
    }
  }
}

export const synthesisRows = [
  // What somebody waits for who makes one synthesis: nothing is compiled yet.
  { name: 'CART synthesis, SD2011, first of a process', processes: 5, prepare: ofSurvey(1) },
  { name: 'CART synthesis, SD2011, a later one', repeats: 9, warm: 2, prepare: ofSurvey(1) },
  { name: 'CART synthesis, SD2011, five sets', repeats: 5, warm: 1, prepare: ofSurvey(5) },
  {
    name: `CART synthesis, health ${count(ROWS)} x ${COLUMNS}`,
    prepare() {
      const people = simulateHealth({ n: ROWS, kappa: 10, seed: 1 }).columns
      const others = simulateHealth({ n: ROWS, kappa: 10, seed: 101 }).columns.slice(0, COLUMNS - people.length)
      const original = table('people', [
        ...people,
        ...others.map((column) => ({ ...column, name: `other_${column.name}` })),
      ])
      const tasks = twoThreads()
      return { run: async () => void (await synthesizeSets(cartSynthesizer, original, { seed: 1, sets: 1, tasks })) }
    },
  },
]
