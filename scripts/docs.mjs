// Fills the pages in docs/measures with each measure's declaration and a picture of it on the built-in example.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { independentMarginals, measures, optionsOf, release } from '@scrim/core'
import { demoPeople } from '../packages/cli/dist/demo-data.js'
import { chartSvg } from '../packages/cli/dist/svg.js'
import { withDeclaration } from './docs-block.mjs'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/measures')
mkdirSync(join(folder, 'img'), { recursive: true })

const { original, holdout } = demoPeople(1000, 1)
const built = release({
  original,
  released: independentMarginals(original, { seed: 1 }),
  keys: ['gender', 'age', 'education'],
  target: 'disease_status',
  type: 'synthetic',
})
const withHousehold = withHouseholds(original)

for (const measure of measures) {
  const of = measure.needs.includes('household')
    ? withHousehold
    : measure.needs.includes('holdout')
      ? release({ ...built, holdout })
      : measure.needs.includes('generator')
        ? { ...built, generator: { method: 'cart', options: {} } }
        : built
  const result = await measure.run(of)
  const finding = result.releases[0]
  const charts =
    finding.details === null ? [] : measure.charts(finding, { name: 'example', original: result.original, targets: [] })
  const files = []
  for (const chart of charts) {
    files.push(`${measure.id}-${chart.name}.svg`)
    writeFileSync(join(folder, 'img', files.at(-1)), await chartSvg(chart))
  }
  const file = join(folder, `${measure.id}.md`)
  writeFileSync(file, withDeclaration(readFileSync(file, 'utf8'), measure, optionsOf(measure), files))
}

const rows = measures.map(
  ({ id, title, family, summary }) => `| [${title}](${id}.md) | \`${id}\` | ${family} | ${summary} |`,
)
writeFileSync(
  join(folder, 'README.md'),
  ['# Measures', '', '| measure | id | family | what it says |', '|---|---|---|---|', ...rows, ''].join('\n'),
)

/** The example with two neighbours in a household each. */
function withHouseholds(of) {
  const household = {
    kind: 'numeric',
    name: 'household',
    values: Float64Array.from({ length: of.rows }, (_, row) => row >> 1),
  }
  const people = { ...of, columns: [...of.columns, household] }
  return release({
    original: people,
    released: people,
    keys: ['gender', 'age', 'education'],
    household: 'household',
    type: 'perturbed',
  })
}
