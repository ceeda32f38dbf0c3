// What earlier runs took on machines of this kind, kept in results/, and the table that shows it beside this run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'results')

/** More processor time than this, as a share of what was kept, is a regression. */
export const TOLERANCE = 1.2
/** Shorter than this is noise: the clock of the processor ticks in hundredths of a second. */
const SHORTEST = 0.05

/** Machines that may be compared: cores, model of the processor, and the major version of Node. */
export function machineKind() {
  const model = cpus()[0]
    .model.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  return `${availableParallelism()}-cores-${model}-node-${process.versions.node.split('.')[0]}`.replaceAll(/-+/g, '-')
}

const fileOf = (kind) => join(folder, `${kind}.json`)

/** What was kept for a kind of machine: by size (full or quick) and name of the row. */
export function readKept(kind) {
  return existsSync(fileOf(kind)) ? JSON.parse(readFileSync(fileOf(kind), 'utf8')) : { full: {}, quick: {} }
}

/** Adds the rows of this run; the others stay as they were. */
export function keep(kind, size, rows) {
  const kept = readKept(kind)
  Object.assign(kept[size], rows)
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(kind), `${JSON.stringify(kept, null, 2)}\n`)
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

export function isSlower(now, before) {
  return before !== undefined && now.processor > SHORTEST && now.processor > TOLERANCE * before.processor
}

const NAME_WIDTH = 40
export const header = line('', 'clock', 'cpu', 'before', 'change', 'MB', 'main')

/** One row: seconds by the clock, processor seconds now and as kept, the change, peak memory, share of the main thread. */
export function rowText(name, now, before) {
  const change = before === undefined ? '' : percent(now.processor / before.processor - 1)
  return line(
    name,
    seconds(now.clock),
    seconds(now.processor),
    before === undefined ? '-' : seconds(before.processor),
    isSlower(now, before) ? `${change}!` : change,
    now.megabytes === undefined ? '' : now.megabytes.toFixed(0),
    now.mainShare === null ? '' : `${Math.round(100 * now.mainShare)}%`,
  )
}

function line(name, ...cells) {
  const padded = cells.map((cell, k) => cell.padStart([8, 8, 8, 8, 6, 5][k]))
  // A long name has a line of its own.
  return name.length > NAME_WIDTH ? `${name}\n${line('', ...cells)}` : name.padEnd(NAME_WIDTH) + padded.join('')
}

function seconds(value) {
  return value.toFixed(value < 10 ? 3 : 1)
}

function percent(share) {
  return `${share < 0 ? '' : '+'}${(100 * share).toFixed(0)}%`
}

/** The peer's time and how many times as long it takes; a time that was kept has its date. */
export function peerText(now, peer) {
  const { name, clock, processor, date, note } = peer
  if (clock === undefined) return `${name}: not installed, and no time was kept`
  const when = date === undefined ? '' : ` (not installed; kept from ${date}${note === undefined ? '' : `, ${note}`})`
  const byProcessor = processor === undefined ? '' : `, by processor time ${times(processor / now.processor)}`
  return `${name} ${seconds(clock)} s: ${times(clock / now.clock)}${byProcessor}${when}`
}

/** What other processes that the row started have spent. */
export function othersText({ others, othersMegabytes }) {
  const memory = othersMegabytes === undefined ? '' : `, ${othersMegabytes.toFixed(0)} MB`
  return `and its other processes: ${seconds(others)} s of processor time${memory}`
}

function times(ratio) {
  return `${ratio.toFixed(1)} times`
}
