// Times scrim, and beside it, in the same run, the peers that are installed (see README.md). Prints ratios.
// node bench/run.mjs [--quick]: --quick takes 100,000 instead of 1,000,000 rows.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import {
  attribution,
  categorical,
  csvChunks,
  disclosure,
  frequencies,
  kAnonymity,
  readTable,
  release,
  stream,
  suda,
  table,
} from '@scrim/core'

const here = dirname(fileURLToPath(import.meta.url))
const quick = process.argv.includes('--quick')
const MILLION = quick ? 100_000 : 1_000_000
const KEYS = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']
const scratch = mkdtempSync(join(tmpdir(), 'scrim-bench-'))

/** Skewed categories, as in household surveys: the square of a uniform number decides. */
function survey(name, rows, seed) {
  const random = stream(seed, name)
  const cardinalities = [2, 90, 16, 6, 5, 8]
  const keys = KEYS.map((key, k) => {
    const levels = Array.from({ length: cardinalities[k] }, (_, level) => `l${String(level).padStart(2, '0')}`)
    const codes = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() ** 2 * cardinalities[k]))
    return { ...categorical(key, [], { levels }), codes }
  })
  const levels = Array.from({ length: 10 }, (_, level) => `t${level}`)
  const codes = Int32Array.from(keys[1].codes, (age) => Math.min(9, Math.floor(age / 20) + random.below(5)))
  return table(name, [...keys, { ...categorical('target', [], { levels }), codes }])
}

async function time(run, repeats = 3) {
  const seconds = []
  for (let k = 0; k < repeats; k++) {
    const start = performance.now()
    await run()
    seconds.push((performance.now() - start) / 1000)
  }
  return seconds.sort((a, b) => a - b)[Math.floor(repeats / 2)]
}

function hasPeer(name) {
  const found = spawnSync('Rscript', ['-e', `cat(requireNamespace("${name}", quietly = TRUE))`], { encoding: 'utf8' })
  return found.status === 0 && found.stdout.trim().endsWith('TRUE')
}

/** Seconds of one peer's job, the median of its runs, loading not counted. */
function peer(job, ...args) {
  const out = execFileSync('Rscript', [join(here, 'peers.R'), job, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return Number(out.trim().split('\n').at(-1))
}

function saveCsv(of, file) {
  const path = join(scratch, file)
  writeFileSync(path, [...csvChunks(of)].join(''))
  return path
}

function report(what, seconds, other) {
  const ratio =
    other === undefined
      ? ''
      : `${other.name} ${other.seconds.toFixed(2)} s, ${(other.seconds / seconds).toFixed(0)} times`
  console.log(`${what.padEnd(58)} ${seconds.toFixed(3).padStart(8)} s   ${ratio}`)
}

const synthpop = hasPeer('synthpop')
const sdcMicro = hasPeer('sdcMicro')
console.log(
  `scrim on Node ${process.version}; synthpop ${synthpop ? 'found' : 'not installed'}, sdcMicro ${sdcMicro ? 'found' : 'not installed'}\n`,
)

const golden = join(process.env.SCRIM_REFERENCE ?? join(here, '../../shared/reference'), 'golden/sd2011')
if (existsSync(golden)) {
  const paths = ['original.csv', 'synthetic-cont-na.csv'].map((file) => join(golden, file))
  const [original, released] = await Promise.all(paths.map((path) => readTable(path, readFileSync(path))))
  const keys = ['sex', 'age', 'region', 'placesize']
  const target = ['depress', 'income', 'ls', 'marital', 'workab']
  const seconds = await time(
    () => disclosure(release({ original, released, keys, target }), { targetGroups: 'none' }),
    9,
  )
  report(
    'disclosure, SD2011, five targets',
    seconds,
    synthpop && { name: 'synthpop multi.disclosure', seconds: peer('disclosure', ...paths) },
  )
} else console.log('SD2011 is not here (SCRIM_REFERENCE): disclosure not timed')

const original = survey('original', MILLION, 1)
const released = survey('released', MILLION, 2)
const million = `${MILLION.toLocaleString('en-US')} x 6`
const file = saveCsv(original, 'million.csv')
report(
  `read ${(readFileSync(file).length / 1e6).toFixed(0)} MB of CSV`,
  await time(async () => readTable('m', readFileSync(file)), 1),
)
/** The file alone: what it is compared with has one row and costs nothing. */
const alone = () => {
  const oneRow = original.columns.map((column) => ({ ...column, codes: column.codes.slice(0, 1) }))
  return release({ original, released: table('one', oneRow), keys: KEYS, type: 'synthetic' })
}
const both = () => release({ original, released, keys: KEYS, target: 'target', type: 'synthetic' })
const counting = { missing: 'category', alpha: 1, sdcMicroCompat: false }

report(
  `frequency counts, ${million}`,
  await time(() => frequencies(alone(), 'original', KEYS, counting)),
  sdcMicro && { name: 'sdcMicro freqCalc', seconds: peer('frequency', file) },
)
report(
  `suda, ${million}`,
  await time(() => suda(alone())),
  sdcMicro && { name: 'sdcMicro suda2', seconds: peer('suda', file) },
)
report(`k-anonymity, ${million}, each key left out in turn as well`, await time(() => kAnonymity(alone())))
report(`attribution, ${million}, against a release of that size`, await time(() => attribution(both())))
report(`disclosure, ${million}, against a release of that size`, await time(() => disclosure(both())))
rmSync(scratch, { recursive: true })
