// Measures of one and of several variables beside riskutility 0.2.0, on any two files without missing values that share two numbers
// or more: node scripts/peers-distributions.mjs ORIGINAL.csv RELEASED.csv
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  associations,
  ciProximity,
  copulaFidelity,
  energyDistance,
  ks,
  mahalanobis,
  mmd,
  openCase,
  outliers,
  readTable,
  tailFidelity,
  wasserstein,
} from '@scrim/core'

const files = process.argv.slice(2)
if (files.length !== 2) {
  console.error('node scripts/peers-distributions.mjs ORIGINAL.csv RELEASED.csv')
  process.exit(2)
}
const [original, released] = await Promise.all(files.map((file) => readTable(basename(file), readFileSync(file))))
const peer = spawnSync('Rscript', [join(import.meta.dirname, 'peers-distributions.R'), ...files], { encoding: 'utf8' })
if (peer.status !== 0) {
  console.error(peer.error?.message ?? peer.stderr)
  process.exit(1)
}
const theirs = new Map(
  peer.stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name, value]) => [name, Number(value)]),
)

const pair = openCase({}, { original, released }).release
const plain = { resamples: 0, definition: 'riskutility' }
const run = async (measure, options = plain) => (await measure(pair, options)).releases[0]
const ours = new Map()
const energy = await run(energyDistance, { ...plain, columns: 'numbers', method: 'exact' })
ours.set('energy-distance', energy.value)
ours.set('energy-distance across', energy.details.across)
for (const kernel of ['gaussian', 'rational quadratic']) {
  const found = await run(mmd, { ...plain, columns: 'numbers', method: 'exact', kernel })
  ours.set(`mmd ${kernel}`, found.value)
  ours.set('mmd sigma', found.details.sigma)
}
ours.set('copula-fidelity', (await run(copulaFidelity)).value)
ours.set('tail-fidelity', (await run(tailFidelity)).value)
ours.set('ci-proximity', (await run(ciProximity)).value)
for (const { name, distance } of (await run(wasserstein)).details.columns) ours.set(`wasserstein ${name}`, distance)
for (const { name, value } of (await run(ks, { resamples: 0 })).details.columns) ours.set(`ks ${name}`, value)
for (const method of ['iqr', 'zscore'])
  for (const { name, counts } of (await run(outliers, { ...plain, method })).details.columns) {
    ours.set(`outliers ${method} ${name} original`, counts[0])
    ours.set(`outliers ${method} ${name} released`, counts[1])
  }
const associated = await run(associations, { ...plain, method: 'pearson' })
ours.set('associations', associated.value)
ours.set('associations largest', associated.details.max)
ours.set('mahalanobis', (await run(mahalanobis, { resamples: 0 })).value)

const TOLERANCE = 1e-8
let failed = false
for (const [name, value] of theirs) {
  const own = ours.get(name)
  const gap = own === undefined ? Number.NaN : Math.abs(own - value) / Math.max(Math.abs(value), 1e-6)
  const equal = gap <= TOLERANCE
  if (!equal) failed = true
  console.log(`${equal ? 'equal ' : 'DIFFER'} ${name}: ${own} beside ${value}`)
}
if (failed) process.exit(1)
