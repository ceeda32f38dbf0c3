// Measures of one and of several variables beside riskutility 0.2.0, on any two files without missing values that share two numbers
// or more: node scripts/peers/distributions.mjs [ORIGINAL.csv RELEASED.csv]
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
  tailFidelity,
  wasserstein,
} from '@scrim/core'
import { beside, filesToCompare, hold, leaveOut, peerFigures, read } from './peer.mjs'

const files = filesToCompare()
const theirs = peerFigures('distributions.R', ...files)
if (theirs.size === 0) leaveOut('R with riskutility is not here')
const [original, released] = await Promise.all(files.map((file) => read(file)))

const pair = openCase({}, { original, released }).release
const plain = { resamples: 0, definition: 'riskutility' }
const run = async (measure, options = plain) => (await measure(pair, options)).releases[0]
const ours = new Map()
const energy = await run(energyDistance, { ...plain, columns: 'numbers', method: 'exact' })
ours.set('energy-distance', energy.value)
ours.set('energy-distance across', energy.details.across)
for (const kernel of ['gaussian', 'rational quadratic']) {
  const { value, details } = await run(mmd, { ...plain, columns: 'numbers', method: 'exact', kernel })
  ours.set(`mmd ${kernel}`, value)
  ours.set('mmd sigma', details.sigma)
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

hold(beside(theirs, ours), { tolerance: 1e-8, floor: 1e-6 })
