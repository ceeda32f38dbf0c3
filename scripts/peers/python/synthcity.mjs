// Metrics of synthcity that need no trained model beside a few lines of NumPy, and beside scrim where it has the same definition. Only when it is
// asked for: npm run peers:python -- synthcity installs 6.5 GB.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ks, mmd, openCase, toCsv } from '@scrim/core'
import { hold, inScratchFolder, leaveOut, linesBy } from '../peer.mjs'
import { pythonOfPeers, SYNTHCITY } from './environment.mjs'
import { releaseOf, samples } from './releases.mjs'

const PEOPLE = 1000

/** Where synthcity is not what its definition says: docs/errata.md. */
const ERRATA = ['identifiability, weights of the paper', 'jensenshannon_dist of nothing in common']

export async function compareSynthcity() {
  const { python, missing } = pythonOfPeers(SYNTHCITY)
  if (python === undefined) leaveOut(missing)
  const people = await samples(PEOPLE)
  const files = { original: people.original, released: await releaseOf('CART, leaves of 50', people) }
  await inScratchFolder(async (folder) => {
    const paths = Object.entries(files).map(([name, table]) => {
      const path = join(folder, `${name}.csv`)
      writeFileSync(path, toCsv(table))
      return path
    })
    const found = new Map(
      linesBy(python, 'python/run_synthcity.py', ...paths).map(([name, value]) => [name, Number(value)]),
    )
    const names = [...found.keys()].flatMap((name) => (name.startsWith('lines ') ? [name.slice(6)] : []))
    const beside = (name, ours) => ({ group: 'synthcity', name, ours, theirs: found.get(`synthcity ${name}`) })
    console.log('a few lines of NumPy beside synthcity')
    const agree = names.filter((name) => !ERRATA.includes(name))
    hold(
      agree.map((name) => beside(name, found.get(`lines ${name}`))),
      { tolerance: 1e-9, floor: 0.01 },
    )
    console.log('\nscrim beside synthcity')
    const ours = await oursOf(files)
    hold(
      Object.entries(ours).map(([name, value]) => beside(name, value)),
      { tolerance: 1e-9, floor: 0.01 },
    )
    console.log('\nwhere they differ (docs/errata.md)')
    for (const name of ERRATA) {
      const [theirs, right] = [found.get(`synthcity ${name}`), found.get(`lines ${name}`)]
      const isAsSaid = Math.abs(theirs - right) > 1e-3
      console.log(`${name}: ${theirs.toFixed(4)}, right is ${right.toFixed(4)}${isAsSaid ? '' : ': NO LONGER SO'}`)
      if (!isAsSaid) process.exitCode = 1
    }
  })
}

/** Its kernel is exp(-|x - y|²), on numbers as they are. */
async function oursOf(files) {
  const { release } = openCase({ type: 'synthetic' }, files)
  const columns = (await ks(release, { resamples: 0 })).releases[0].details.columns
  const kernel = { resamples: 0, columns: 'numbers', method: 'exact', sigma: Math.SQRT1_2, standardise: false }
  return {
    ks_test: 1 - columns.reduce((sum, { value }) => sum + value, 0) / columns.length,
    max_mean_discrepancy: (await mmd(release, kernel)).releases[0].value,
  }
}
