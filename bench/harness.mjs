// What the rows of the benchmark share: their data, peers run as black boxes, files of the reference.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { csvChunks, readTable } from '@scrim/core'
import { threads } from '../packages/cli/dist/threads.js'
import { installedPython } from '../scripts/peers/python/environment.mjs'

/**
 * A row of the benchmark:
 *   name       what is timed, with its size
 *   prepare    makes the data and gives `run`, which is timed, and where there is one its `peer`
 *   repeats    how often `run` is timed in one process; the median counts (1 unless given)
 *   warm       how often it runs before, so that everything is compiled (0 unless given)
 *   processes  how many processes do the same; the median counts (1 unless given)
 * `run` may give notes, which are printed below the row, and call `lap(name)`: a row of its own for the time until then.
 * Where other processes work for it, `others` says what they have spent: processor seconds, and the peaks of their memory together.
 */

const here = dirname(fileURLToPath(import.meta.url))
export const scratch = mkdtempSync(join(tmpdir(), 'scrim-bench-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Large files are kept here for the next rows, where somebody says so. */
export const kept = process.env.SCRIM_BENCH_FILES ?? scratch

/** --quick takes a tenth of the rows. */
export const quick = process.argv.includes('--quick')
export const sized = (rows) => (quick ? rows / 10 : rows)
export const count = (rows) => rows.toLocaleString('en-US')

export const THREADS = 2
export const twoThreads = () => threads(THREADS)

/** Nothing, where a measure gave a number: a row that was not applicable would look fast. */
export function computed({ status, reason }) {
  if (status !== 'ok') throw new Error(`${status}: ${JSON.stringify(reason)}`)
}

/** Data that a row needs and this machine does not have. */
export class Absent extends Error {}

function hasPackage(name) {
  const asked = spawnSync('Rscript', ['-e', `cat(requireNamespace("${name}", quietly = TRUE))`], { encoding: 'utf8' })
  return asked.status === 0 && asked.stdout.trim().endsWith('TRUE')
}

/**
 * Seconds and processor seconds of a job of peers.R, or of peers.py for a tool of Python, then other numbers that it printed; undefined
 * where R lacks the package, or the virtual environment of `npm run peers:python` is not there.
 */
export function runPeer({ package: name, job }) {
  const python = name === undefined ? installedPython() : undefined
  if (name === undefined ? python === undefined : !hasPackage(name)) return undefined
  const [program, script] = python === undefined ? ['Rscript', 'peers.R'] : [python, 'peers.py']
  const out = execFileSync(program, [join(here, script), ...job.map(String)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [clock, processor, ...numbers] = out.trim().split('\n').at(-1).trim().split(/\s+/).map(Number)
  return { clock, processor, numbers }
}

export function saveCsv(table, file) {
  const path = join(scratch, file)
  writeFileSync(path, [...csvChunks(table)].join(''))
  return path
}

/** Files of the reference data. */
export function referenceFiles(folder, ...names) {
  const root = process.env.SCRIM_REFERENCE ?? join(here, '../../shared/reference')
  const files = names.map((name) => join(root, folder, name))
  if (!files.every((file) => existsSync(file))) throw new Absent(`${folder} is not here (SCRIM_REFERENCE)`)
  return files
}

export function readFile(path) {
  return readTable(path, readFileSync(path))
}
