// The example on which the page of a measure shows it, and the pictures of that. Made from what it is handed, so that
// `npm run docs` draws with what was built and the tests with the sources.
import { independentMarginals, openCase, perturb } from '@scrim/core'

const roles = { keys: ['gender', 'age', 'education'], target: 'disease_status' }

const RULES = `
adults: age != "15 to 19" | education = "low"
the well educated earn: education = "high" => income >= 20000
never disease_status = "diabetic" & health_score > 70
`

/** Each measure with the release that has what it needs, and the pictures of its finding there with their file names. */
export function exampleOf({ original, holdout }) {
  const released = independentMarginals(original, { seed: 1 })
  const synthetic = { ...roles, type: 'synthetic' }
  const files = { original, released }
  const examples = {
    synthetic: openCase(synthetic, files).release,
    holdout: openCase(synthetic, { ...files, holdout }).release,
    rules: openCase(synthetic, { ...files, rules: { name: 'rules.txt', text: RULES } }).release,
    generator: openCase({ ...synthetic, synthesizer: 'cart' }, files).release,
    household: neighbours(original),
    numbered: openCase(synthetic, {
      original: numbered(original, 0),
      released: numbered(released, Math.round(original.rows * 0.9)),
    }).release,
    fine: openCase(synthetic, {
      original: toTheCent(original),
      released: perturb(toTheCent(original), { share: 0.3, seed: 1 }),
    }).release,
    perturbed: openCase(
      { ...roles, numericKeys: ['income', 'health_score'], type: 'perturbed' },
      { original, released: perturb(original, { share: 0.1, seed: 1 }) },
    ).release,
  }
  const chosen = ({ id, needs }) => {
    if (id === 'shared-identifiers') return examples.numbered
    if (id === 'value-reuse') return examples.fine
    if (needs.includes('household')) return examples.household
    if (needs.includes('paired rows')) return examples.perturbed
    if (needs.includes('rules')) return examples.rules
    if (needs.includes('generator')) return examples.generator
    return needs.includes('holdout') ? examples.holdout : examples.synthetic
  }
  return async (measure) => {
    const { releases, original: own } = await measure.run(chosen(measure))
    const [finding] = releases
    const about = { name: 'example', original: own, targets: [] }
    const charts = finding.details === null ? [] : measure.charts(finding, about)
    return charts.map((chart) => ({ file: `${measure.id}-${chart.name}.svg`, chart }))
  }
}

/** The example with a number for each person, from a sequence that is the same everywhere. */
function numbered(of, from) {
  const number = (k) => (k * 7_368_787 + ((k * k) % 9973) * 104_729) % 900_000_011
  const values = Float64Array.from({ length: of.rows }, (_, row) => number(from + row + 1))
  return { ...of, columns: [...of.columns, { kind: 'numeric', name: 'person_id', values }] }
}

/** The example with incomes to the cent. */
function toTheCent(of) {
  const cents = (value, row) => value + ((row * 37) % 100) / 100
  return {
    ...of,
    columns: of.columns.map((column) =>
      column.name === 'income' ? { ...column, values: column.values.map(cents) } : column,
    ),
  }
}

/** The example with two neighbours in a household each. */
function neighbours(of) {
  const household = {
    kind: 'numeric',
    name: 'household',
    values: Float64Array.from({ length: of.rows }, (_, row) => row >> 1),
  }
  const people = { ...of, columns: [...of.columns, household] }
  const said = { keys: roles.keys, household: 'household', type: 'perturbed' }
  return openCase(said, { original: people, released: people }).release
}
