// Regression fidelity beside R's lm and glm, and what synthpop and riskutility make of them where they are installed, on any two files with
// the columns of Social Diagnosis 2011: node scripts/peers-regression.mjs ORIGINAL.csv RELEASED.csv
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openCase, readTable, regressionFidelity } from '@scrim/core'

const files = process.argv.slice(2)
if (files.length !== 2) {
  console.error('node scripts/peers-regression.mjs ORIGINAL.csv RELEASED.csv')
  process.exit(2)
}
const [original, released] = await Promise.all(files.map((file) => readTable(basename(file), readFileSync(file))))
const peer = spawnSync('Rscript', [join(import.meta.dirname, 'peers-regression.R'), ...files], { encoding: 'utf8' })
if (peer.status !== 0) {
  console.error(peer.error?.message ?? peer.stderr)
  process.exit(1)
}
if (peer.stderr !== '') console.error(peer.stderr.trim())

const TOLERANCE = 1e-6
const number = (text) => (text === 'NA' ? null : Number(text))
const lines = peer.stdout
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
const models = new Map()
for (const line of lines) {
  const model = `${line[0]}\t${line[1]}`
  models.set(model, [...(models.get(model) ?? []), line])
}
let failed = false

for (const [model, terms] of models) {
  const [formula, family] = model.split('\t')
  const by = async (definition) => {
    const options = { formula, family, intercept: true, definition, resamples: 0 }
    const { releases } = await regressionFidelity(openCase({}, { original, released }).release, options)
    return new Map(releases[0].details.coefficients.map((one) => [one.term, one]))
  }
  const found = await by('synthpop')
  const other = await by('riskutility')
  let worst = 0
  let overlaps = 0
  let besides = 0
  for (const [, , term, ...rest] of terms) {
    const [bx, sx, estimate, sy, overlap, bias, beside] = rest.map(number)
    const own = found.get(term)
    if (own === undefined) {
      console.log(`${term} is missing`)
      failed = true
      continue
    }
    const pairs = [
      [own.original.estimate, bx],
      [own.original.standardError, sx],
      [own.release?.estimate ?? null, estimate],
      [own.release?.standardError ?? null, sy],
      [own.overlap, overlap],
      [own.standardisedBias, bias],
      [other.get(term)?.overlap ?? null, beside],
    ]
    if (overlap !== null) overlaps++
    if (beside !== null) besides++
    for (const [ours, theirs] of pairs)
      if (ours !== null && theirs !== null)
        worst = Math.max(worst, Math.abs(ours - theirs) / Math.max(Math.abs(theirs), 1e-3))
  }
  if (worst > TOLERANCE || found.size !== terms.length) failed = true
  console.log(
    `${worst <= TOLERANCE && found.size === terms.length ? 'equal ' : 'DIFFER'} ${formula} (${family}): ${terms.length} coefficients, largest relative difference ${worst.toExponential(1)}; overlap of synthpop for ${overlaps}, of riskutility for ${besides} of them`,
  )
}
if (failed) process.exit(1)
