// Regression fidelity beside R's lm and glm, and what synthpop and riskutility make of them where they are installed, on any two files with
// the columns of Social Diagnosis 2011: node scripts/peers/regression.mjs [ORIGINAL.csv RELEASED.csv]
import { openCase, regressionFidelity } from '@scrim/core'
import { filesToCompare, grouped, hold, leaveOut, peerLines, read } from './peer.mjs'

const files = filesToCompare()
const lines = peerLines('regression.R', ...files)
if (lines.length === 0) leaveOut('R is not here')
const [original, released] = await Promise.all(files.map((file) => read(file)))
const { release } = openCase({}, { original, released })

const figures = []
for (const [model, terms] of grouped(lines, ([formula, family]) => `${formula} (${family})`)) {
  const [formula, family] = terms[0]
  const ours = await coefficients(formula, family, 'synthpop')
  const others = await coefficients(formula, family, 'riskutility')
  if (ours.size !== terms.length) throw new Error(`${model}: ${ours.size} coefficients here, ${terms.length} in R`)
  for (const [, , term, ...theirs] of terms) {
    const own = ours.get(term)
    const pairs = {
      estimate: own?.original.estimate,
      'standard error': own?.original.standardError,
      'estimate of the release': own?.release?.estimate,
      'standard error of the release': own?.release?.standardError,
      'overlap of synthpop': own?.overlap,
      'standardised bias of synthpop': own?.standardisedBias,
      'overlap of riskutility': others.get(term)?.overlap,
    }
    // NA: the coefficient is not in both files, or the package is not here.
    for (const [k, [figure, value]] of Object.entries(pairs).entries())
      if (theirs[k] !== 'NA' && value !== null)
        figures.push({ group: model, name: `${model} ${term}: ${figure}`, ours: value, theirs: Number(theirs[k]) })
  }
}
hold(figures, { tolerance: 1e-6, floor: 1e-3 })

async function coefficients(formula, family, definition) {
  const options = { formula, family, intercept: true, definition, resamples: 0 }
  const { releases } = await regressionFidelity(release, options)
  return new Map(releases[0].details.coefficients.map((coefficient) => [coefficient.term, coefficient]))
}
