// What all benches share: timing, peers run as black boxes, printed ratios.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { csvChunks, readTable } from '@scrim/core'

const here = dirname(fileURLToPath(import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'scrim-bench-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** --quick takes a tenth of the rows. */
export const quick = process.argv.includes('--quick')

/** Median seconds of several runs. */
export async function time(run, repeats = 3) {
  const seconds = []
  for (let k = 0; k < repeats; k++) {
    const start = performance.now()
    await run()
    seconds.push((performance.now() - start) / 1000)
  }
  return seconds.sort((a, b) => a - b)[Math.floor(repeats / 2)]
}

const installed = new Map()

/** Whether R has a package. */
export function hasPeer(name) {
  if (!installed.has(name)) {
    const found = spawnSync('Rscript', ['-e', `cat(requireNamespace("${name}", quietly = TRUE))`], { encoding: 'utf8' })
    installed.set(name, found.status === 0 && found.stdout.trim().endsWith('TRUE'))
  }
  return installed.get(name)
}

/** What a peer's job prints: seconds (the median of its runs, loading not counted), then other numbers. */
export function peer(job, ...args) {
  const out = execFileSync('Rscript', [join(here, 'peers.R'), job, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return out.trim().split('\n').at(-1).trim().split(/\s+/).map(Number)
}

/** A line with the peer's seconds and the ratio, where the package is there. */
export function report(what, seconds, other) {
  const [name, theirs] = other === undefined || !hasPeer(other.package) ? [] : [other.name, other.seconds()]
  const ratio = name === undefined ? '' : `${name} ${theirs.toFixed(2)} s, ${(theirs / seconds).toFixed(1)} times`
  console.log(`${what.padEnd(62)} ${seconds.toFixed(3).padStart(8)} s   ${ratio}`)
}

export function note(text) {
  console.log(`  ${text}`)
}

export function saveCsv(of, file) {
  const path = join(scratch, file)
  writeFileSync(path, [...csvChunks(of)].join(''))
  return path
}

/** A file of the reference data, or undefined where it is not installed. */
export function referenceFile(...path) {
  const file = join(process.env.SCRIM_REFERENCE ?? join(here, '../../shared/reference'), ...path)
  return existsSync(file) ? file : undefined
}

export function readFile(path) {
  return readTable(path, readFileSync(path))
}
