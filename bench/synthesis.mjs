// CART synthesis beside synthpop's syn(), and of a large table on two threads.
import { execFileSync } from 'node:child_process'
import { cartSynthesizer, synthesizeSets, table } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { threads } from '../packages/cli/dist/threads.js'
import { note, peer, quick, readFile, referenceFile, report, time } from './harness.mjs'

const THREADS = 2
const ROWS = quick ? 100_000 : 1_000_000
const COLUMNS = 10

async function surveyOfPoland() {
  const path = referenceFile('golden/sd2011', 'original.csv')
  if (path === undefined) return note('SD2011 is not here (SCRIM_REFERENCE): synthesis not compared')
  const original = await readFile(path)
  const made = (sets) => synthesizeSets(cartSynthesizer, original, { seed: 1, sets })
  const synthpop = (sets) => ({
    package: 'synthpop',
    name: 'synthpop syn',
    seconds: () => peer('synthesis', path, String(sets))[0],
  })
  const size = `SD2011 ${original.rows.toLocaleString('en-US')} x ${original.columns.length}`
  report(`CART synthesis, ${size}, first one of a process`, firstOfProcess(path), synthpop(1))
  report(`CART synthesis, ${size}`, await time(() => made(1), 9), synthpop(1))
  report(`CART synthesis, ${size}, five sets`, await time(() => made(5), 5), synthpop(5))
}

/** What somebody waits for who makes one synthesis: nothing is compiled yet. The median of five processes. */
function firstOfProcess(path) {
  const program = `
    import { readFileSync } from 'node:fs'
    import { cartSynthesizer, readTable, synthesize } from '@scrim/core'
    const original = await readTable('original', readFileSync(process.argv[1]))
    const start = performance.now()
    await synthesize(cartSynthesizer, original, { seed: 1 })
    console.log((performance.now() - start) / 1000)`
  const run = () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program, path], { encoding: 'utf8' }))
  return Array.from({ length: 5 }, run).sort((a, b) => a - b)[2]
}

async function largeTable() {
  const people = simulateHealth({ n: ROWS, kappa: 10, seed: 1 }).columns
  const others = simulateHealth({ n: ROWS, kappa: 10, seed: 101 }).columns.slice(0, COLUMNS - people.length)
  const original = table('people', [
    ...people,
    ...others.map((column) => ({ ...column, name: `other_${column.name}` })),
  ])
  const tasks = threads(THREADS)
  try {
    const seconds = await time(() => synthesizeSets(cartSynthesizer, original, { seed: 1, sets: 1, tasks }), 1)
    const size = `${ROWS.toLocaleString('en-US')} x ${COLUMNS}`
    report(`CART synthesis, health ${size}, ${THREADS} threads`, seconds)
    note(`memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)
  } finally {
    await tasks.close()
  }
}

export async function benchSynthesis() {
  await surveyOfPoland()
  await largeTable()
}
