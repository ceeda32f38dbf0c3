// Anonymisers and log-linear models beside sdcMicro, on its own data sets, where the definition is the same:
// node scripts/peers/anonymisers.mjs   (R with sdcMicro; takes minutes, nearly all of them in R)
import { join } from 'node:path'
import {
  anonymise,
  columnOf,
  isMissing,
  localSuppression,
  microaggregation,
  openCase,
  populationUniqueness,
  recordSwapping,
  riskSuppression,
  selectRows,
} from '@scrim/core'
import { inScratchFolder, leaveOut, peerLines, read } from './peer.mjs'

await inScratchFolder(async (folder) => {
  const lines = peerLines('anonymisers.R', folder)
  if (lines.length === 0) leaveOut('R with sdcMicro is not here')
  const theirs = new Map(lines)
  const file = (name, types = {}) => read(join(folder, `${name}.csv`), { types })
  console.log(`sdcMicro ${theirs.get('version')}\n`)
  await suppression(file)
  await byRisk(file, theirs)
  await averages(file)
  await models(file, theirs)
  await swaps(file, theirs)
})

/** Columns read as levels, as keys are. */
function levels(names) {
  return Object.fromEntries(names.map((name) => [name, { kind: 'categorical' }]))
}

async function suppression(file) {
  console.log('local suppression: cells (records resting on missing keys)')
  const sets = [
    ['testdata2', ['urbrur', 'roof', 'walls', 'water', 'electcon', 'relat', 'sex'], [2, 3, 5]],
    ['testdata', ['urbrur', 'roof', 'walls', 'water', 'electcon', 'sex', 'age'], [2, 3, 5]],
    ['free1', ['SEX', 'AGE', 'MARSTAT', 'EDUC1', 'ETNI'], [3]],
  ]
  for (const [name, keys, ks] of sets) {
    const data = await file(name, levels(keys))
    for (const k of ks) {
      const { description } = anonymise(localSuppression, data, { seed: 1, roles: { keys }, options: { k } })
      const made = await file(`suppressed-${name}-${k}`, levels(keys))
      const cells = missing(made, keys) - missing(data, keys)
      // Suppressing nothing more, our own check counts who rests on others.
      const checked = anonymise(localSuppression, made, { seed: 1, roles: { keys }, options: { k } }).description
      console.log(
        `  ${name}, k = ${k}: sdcMicro ${cells} (${checked.restingOnMissing}), here ${description.cells} (${description.restingOnMissing})`,
        checked.cells === 0 ? '' : `; sdcMicro's result needs ${checked.cells} more`,
      )
    }
  }
}

async function byRisk(file, theirs) {
  console.log('suppression by risk: cells of water in testdata')
  const keys = ['urbrur', 'roof', 'walls', 'water', 'sex']
  const data = await file('testdata', levels(keys))
  for (const threshold of [0.002, 0.005]) {
    const roles = { keys, weight: 'sampling_weight' }
    const { description } = anonymise(riskSuppression, data, {
      seed: 1,
      roles,
      options: { variables: ['water'], threshold, method: 'approx' },
    })
    console.log(`  above ${threshold}: sdcMicro ${theirs.get(`localSupp ${threshold}`)}, here ${description.cells}`)
  }
}

async function averages(file) {
  console.log('microaggregation of testdata, k = 4: largest difference relative to the value')
  const variables = ['expend', 'income', 'savings']
  const data = await file('testdata')
  const names = { mdav: 'mdav', onedims: 'one-dimensional', pca: 'single-axis' }
  for (const [theirName, method] of Object.entries(names))
    for (const strata of [[], ['urbrur']]) {
      if (theirName === 'mdav' && strata.length === 0) continue
      const made = await file(`averaged-${theirName}-${strata[0] ?? 'none'}`)
      const { table } = anonymise(microaggregation, data, { seed: 1, options: { variables, k: 4, method, strata } })
      let largest = 0
      for (const name of variables) {
        const [a, b] = [made, table].map((data) => columnOf(data, name).values)
        for (const [row, value] of a.entries()) largest = Math.max(largest, Math.abs(value - b[row]) / Math.abs(value))
      }
      console.log(`  ${method}${strata.length > 0 ? ` within ${strata}` : ''}: ${largest.toExponential(1)}`)
    }
}

async function models(file, theirs) {
  console.log('log-linear models: gr1 on testdata2, sex + water + roof')
  const keys = ['sex', 'water', 'roof']
  const data = await file('testdata2', levels(keys))
  const { release } = openCase({ keys, weight: 'unequal' }, { original: data, released: selectRows(data, [0]) })
  const names = { default: 'poisson', CE: 'ce', PML: 'pml', weightedLLM: 'weighted' }
  for (const [theirName, method] of Object.entries(names)) {
    const gr1 = async (definition) => {
      const { original } = await populationUniqueness(release, { method, bootstrap: 0, definition })
      return original.details.tau1 / original.details.classes
    }
    const [same, standard] = [await gr1('sdcmicro'), await gr1('standard')]
    console.log(
      `  ${theirName}: sdcMicro ${Number(theirs.get(`modRisk ${theirName}`)).toFixed(8)}, here ${same.toFixed(8)} (standard definition ${standard.toFixed(8)})`,
    )
  }
}

async function swaps(file, theirs) {
  console.log('record swapping of 3,000 households, 5 %: households swapped (into another largest area)')
  const hierarchy = ['nuts1', 'nuts2', 'nuts3']
  const data = await file('homes', levels([...hierarchy, 'ageGroup', 'national']))
  const roles = { keys: ['ageGroup', 'national'], household: 'hid' }
  for (const k of [0, 3]) {
    const { table, description } = anonymise(recordSwapping, data, {
      seed: 1,
      roles,
      options: { hierarchy, similar: [['hsize']], k },
    })
    const [before, after] = [data, table].map((homes) => columnOf(homes, 'nuts1').codes)
    const homes = columnOf(data, 'hid').values
    const far = new Set([...homes].filter((_, row) => before[row] !== after[row])).size
    const atRisk = description.levels.map((level) => level.atRisk).join(', ')
    const [swapped, their] = ['swapped', 'far'].map((what) => theirs.get(`recordSwap ${k} ${what}`))
    console.log(
      `  k = ${k}: sdcMicro ${swapped} (${their}), here ${description.swapped} (${far}), at risk by level ${atRisk}`,
    )
  }
}

function missing(data, names) {
  let cells = 0
  for (const name of names) {
    const column = columnOf(data, name)
    for (let row = 0; row < data.rows; row++) if (isMissing(column, row)) cells++
  }
  return cells
}
