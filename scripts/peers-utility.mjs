// Utility beside synthpop and riskutility, live: runs both as black boxes (peers-utility.R) on one pair of files and compares every figure.
// node scripts/peers-utility.mjs [ORIGINAL RELEASED]; SD2011 from SCRIM_REFERENCE or ../shared/reference when no files are given.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contingencyFidelity, crossTable, hellinger, openCase, pmse, readTable, tables } from '@scrim/core'

const TOLERANCE = 1e-6
const here = dirname(fileURLToPath(import.meta.url))
const [original, released] = process.argv.length > 3 ? process.argv.slice(2) : referenceFiles()
const peers = peerFigures(original, released)
if (peers.size === 0) {
  console.log('neither synthpop nor riskutility is installed: nothing to compare')
  process.exit(0)
}

const less = { resamples: 0 }
const built = openCase({}, { original: await read(original), released: await read(released) }).release
const isCategorical = (name) => built.original.columns.find((column) => column.name === name)?.kind === 'categorical'
const categorical = built.variables.filter(isCategorical)

/** What scrim gives for each name that the peers print; a name that is not here is listed as not compared. */
const own = new Map()
for (const order of [1, 2]) {
  const { status, releases } = await pmse
    .run(built, { ...less, order })
    .catch(() => ({ status: 'failed', releases: [] }))
  if (status !== 'ok') continue
  const { synthpop, df } = releases[0].details
  for (const [figure, value] of Object.entries({ ...synthpop, df })) own.set(`synthpop logit ${order} ${figure}`, value)
}
for (const { variables, utility } of (await tables(built, less)).releases[0].details.tables)
  for (const [figure, value] of Object.entries(utility))
    own.set(`synthpop table ${variables.join(':')} ${figure}`, value)
if (categorical.length > 0)
  own.set('riskutility hellinger mean', (await hellinger(built, { ...less, definition: 'riskutility' })).value)
if (categorical.length > 1) {
  own.set(
    'riskutility contingency mean',
    (await contingencyFidelity(built, { ...less, definition: 'riskutility' })).value,
  )
  const { releases } = await crossTable(built, { ...less, variables: categorical.slice(0, 2) })
  for (const [figure, value] of Object.entries(releases[0].details.riskutility))
    own.set(`riskutility chisq ${figure}`, value)
}

let differ = 0
const missing = []
for (const [name, theirs] of peers) {
  const ours = own.get(name)
  if (ours === undefined || ours === null) {
    missing.push(name)
    continue
  }
  const difference = Math.abs(ours - theirs) / Math.max(Math.abs(theirs), 1e-12)
  if (difference <= TOLERANCE) continue
  differ++
  console.log(`differs: ${name}: ${theirs} there, ${ours} here`)
}
console.log(`${peers.size - missing.length} figures compared, ${differ} differ by more than ${TOLERANCE}`)
if (missing.length > 0) console.log(`not compared: ${missing.join(', ')}`)
process.exit(differ > 0 ? 1 : 0)

function referenceFiles() {
  const folder = join(process.env.SCRIM_REFERENCE ?? join(here, '../../shared/reference'), 'golden/sd2011')
  const files = ['original.csv', 'synthetic-1.csv'].map((file) => join(folder, file))
  if (files.every((file) => existsSync(file))) return files
  console.log('give two files: node scripts/peers-utility.mjs ORIGINAL RELEASED')
  process.exit(2)
}

function peerFigures(...files) {
  const run = spawnSync('Rscript', [join(here, 'peers-utility.R'), ...files], { encoding: 'utf8' })
  if (run.error !== undefined) return new Map()
  if (run.status !== 0) {
    console.log(run.stderr)
    process.exit(1)
  }
  return new Map(
    run.stdout
      .trim()
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => line.split('\t'))
      .map(([name, value]) => [name.trim(), Number(value)]),
  )
}

function read(file) {
  return readTable(file, readFileSync(file))
}
