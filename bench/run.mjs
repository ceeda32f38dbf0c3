// Times scrim, and beside it the peers that are installed (see README.md), each row in a process of its own.
// node bench/run.mjs [PART or piece of a row's name]... [--quick] [--keep]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installed } from '../scripts/engines/engines.mjs'
import { quick } from './harness.mjs'
import { PARTS } from './parts.mjs'
import {
  header,
  isSlower,
  keep,
  machineKind,
  median,
  othersText,
  peerText,
  readKept,
  rowText,
  TOLERANCE,
} from './results.mjs'

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isAsked = (part, name) => asked.length === 0 || asked.some((text) => part === text || name.includes(text))
const chosen = Object.entries(PARTS).flatMap(([part, rows]) =>
  rows.flatMap((row, number) => (isAsked(part, row.name) ? [{ part, number, row }] : [])),
)
if (chosen.length === 0) {
  console.error(`no row is called so; parts are ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}

const kind = machineKind()
const size = quick ? 'quick' : 'full'
const before = readKept(kind)[size]
const date = new Date().toISOString().slice(0, 10)
const slower = []
const done = {}
console.log(`scrim on Node ${process.version}, ${kind}; seconds, a row each in a process of its own\n`)
console.log(header)
for (const { part, number, row } of chosen) {
  const { absent, laps, notes, peer, ...whole } = measure(part, number, row)
  if (absent !== undefined) {
    console.log(`${row.name}: ${absent}`)
    continue
  }
  show(row.name, whole)
  const theirs = peer && shownPeer(row.name, peer)
  if (theirs !== undefined) {
    console.log(`  ${peerText(whole, theirs)}`)
    if (theirs.clock !== undefined) done[row.name].peer = { date, ...theirs }
  }
  for (const note of notes) console.log(`  ${note}`)
  for (const { name, ...lap } of laps) show(name, lap)
  if (process.argv.includes('--keep')) keep(kind, size, done)
}
if (slower.length > 0)
  console.log(`\nMore than ${Math.round(100 * (TOLERANCE - 1))} % slower than kept: ${slower.join('; ')}`)

function measure(part, number, { processes = 1 }) {
  const runs = Array.from({ length: processes }, (_, k) => child(part, number, k === 0 ? [] : ['--no-peer']))
  const [first] = runs
  if (first.absent !== undefined || processes === 1) return first
  const keys = ['clock', 'processor', 'megabytes', 'mainShare']
  return { ...first, ...Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))])) }
}

function child(part, number, more) {
  const program = fileURLToPath(new URL('row.mjs', import.meta.url))
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [program, part, String(number), ...(quick ? ['--quick'] : []), ...more],
    { encoding: 'utf8', maxBuffer: 2 ** 28, env: { NODE_PATH: installed()?.modules ?? '', ...process.env } },
  )
  if (status !== 0) return { absent: `failed (${signal ?? `exit code ${status}`})\n${stderr}` }
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

function show(name, now) {
  // Of some rows nothing but the time of a peer is kept.
  const then = before[name]?.processor === undefined ? undefined : before[name]
  console.log(rowText(name, now, then))
  if (now.others !== undefined) console.log(`  ${othersText(now)}`)
  if (isSlower(now, then)) slower.push(name)
  done[name] = { date, ...rounded(now) }
}

/** As it ran just now, or else as it was kept. */
function shownPeer(name, peer) {
  if (peer.clock !== undefined) return rounded(peer)
  return { ...before[name]?.peer, name: peer.name }
}

function rounded(values) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  )
}
