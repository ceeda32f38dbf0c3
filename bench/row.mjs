// Times one row in this process, so that memory and compiled code are its own, and prints what it found as JSON.
// node bench/row.mjs PART NUMBER [--quick] [--no-peer]
import { existsSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Absent, runPeer } from './harness.mjs'
import { PARTS } from './parts.mjs'
import { median } from './results.mjs'

/** Of the system's count of processor time, whatever the machine. */
const TICKS_PER_SECOND = 100
const [, , part, number] = process.argv
const { prepare, repeats = 1, warm = 0 } = PARTS[part][Number(number)]
console.log(JSON.stringify(await measured()))
process.exit(0)

async function measured() {
  try {
    const { run, peer, others } = await prepare()
    for (let k = 0; k < warm; k++) await run(() => {})
    const runs = []
    for (let k = 0; k < repeats; k++) runs.push(await timed(run, others))
    const theirs = peer === undefined || process.argv.includes('--no-peer') ? undefined : runPeer(peer)
    const peerNotes = theirs !== undefined && peer.note !== undefined ? [peer.note(theirs.numbers)] : []
    return {
      ...medians(runs.map(({ whole }) => whole)),
      megabytes: process.resourceUsage().maxRSS / 1024,
      ...(others === undefined ? {} : { othersMegabytes: others().megabytes }),
      laps: runs[0].laps.map(({ name }, k) => ({ name, ...medians(runs.map(({ laps }) => laps[k])) })),
      notes: [...runs.at(-1).notes, ...peerNotes],
      peer: peer && { name: peer.name, clock: theirs?.clock, processor: theirs?.processor },
    }
  } catch (error) {
    if (error instanceof Absent) return { absent: error.message }
    throw error
  }
}

async function timed(run, others) {
  const start = spent(others)
  const since = () => difference(spent(others), start)
  const laps = []
  const notes = await run((name) => laps.push({ name, ...since() }))
  return { whole: since(), laps, notes: notes ?? [] }
}

function spent(others) {
  const { user, system } = process.cpuUsage()
  const here = { clock: performance.now() / 1000, processor: (user + system) / 1e6, main: mainThread() }
  return others === undefined ? here : { ...here, others: others().processor }
}

function difference(now, start) {
  return Object.fromEntries(Object.entries(now).map(([key, value]) => [key, value - start[key]]))
}

/** Seconds that the main thread has computed; NaN where the system does not say. */
function mainThread() {
  const file = `/proc/self/task/${process.pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function medians(runs) {
  const of = (key) => median(runs.map((run) => run[key]))
  const [clock, processor, main] = [of('clock'), of('processor'), of('main')]
  const here = { clock, processor, mainShare: Number.isNaN(main) ? null : Math.min(1, main / processor) }
  return runs[0].others === undefined ? here : { ...here, others: of('others') }
}
